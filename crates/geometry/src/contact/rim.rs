//! Faces of frusta with circular edges, on a plane and on each other.
//!
//! A face that leans against a plane touches it first in the point of its rim that lies deepest, u = −(n − (n·e) e)
//! from the middle of the face with the axis e and the normal n: it is where the rim touches wherever the body has
//! rolled. Two faces overlap in a lens; over it the gap is linear, so it is least on the rim of the one or of the
//! other, where that rim lies over the other face, or where the rims cross. Further points of each rim, equally far
//! apart from the deepest one on, hold a face that lies flat.

use super::{ContactPoint, Manifold};
use crate::{Frustum, Plane, Pose};
use glam::DVec3;
use std::f64::consts::TAU;

/// Sine of the tilt under which a face is level: its points then are where the body has them.
const LEVEL: f64 = 1e-7;
/// Cosine (10°) from which on two faces meet as faces.
const FACING: f64 = 0.985;
/// Part of the smaller radius by which a point may be outside of a face, and by which equal rims differ.
const SLACK: f64 = 1e-6;
/// Part of the lesser height that two faces may overlap by.
const SUNK: f64 = 0.05;
/// Most of a turn of the rim (rad) that a step is looked ahead.
const AHEAD: f64 = 0.5;

/// A frustum, where its coordinates stand, how it turns, and how many points of a rim are contacts.
#[derive(Debug, Clone, Copy)]
pub struct Round<'a> {
    /// The solid.
    pub solid: &'a Frustum,
    /// Where its coordinates stand, the middle of the lower face at their origin.
    pub pose: &'a Pose,
    /// Angular velocity (rad/s).
    pub spin: DVec3,
    /// Points of a rim.
    pub points: usize,
}

/// A face: its middle, its unit normal outwards, its radius, and a direction in it that turns with the body.
#[derive(Debug, Clone, Copy)]
struct Face {
    middle: DVec3,
    outwards: DVec3,
    radius: f64,
    along: DVec3,
    /// The upper face of its body.
    upper: bool,
}

impl Round<'_> {
    fn faces(&self) -> [Face; 2] {
        let axis = self.pose.transform_vector(DVec3::Z);
        let along = self.pose.transform_vector(DVec3::X);
        let face = |z: f64, radius: f64, upper: bool| Face {
            middle: self.pose.transform_point(DVec3::Z * z),
            outwards: if upper { axis } else { -axis },
            radius,
            along,
            upper,
        };
        let solid = self.solid;
        [
            face(0.0, solid.bottom(), false),
            face(solid.height(), solid.top(), true),
        ]
    }

    /// Calls back with the points of a rim before a plane with a normal, as they are and as far ahead as the rim rolls
    /// in a time (s), and with their numbers. `spin` is that of the body as seen from the plane.
    fn each(
        &self,
        face: &Face,
        (normal, spin, time): (DVec3, DVec3, f64),
        mut look: impl FnMut(DVec3, DVec3, u32),
    ) {
        let axis = face.outwards;
        let down = normal.dot(axis) * axis - normal;
        let lean = down.length();
        let tips = normal.dot(axis) * spin.cross(axis);
        let first = match lean > LEVEL {
            true => down / lean,
            // A level face leans next to where it tips.
            false if tips.length() * time > LEVEL => tips.normalize_or(face.along),
            false => face.along,
        };
        let across = axis.cross(first);
        // How fast the deepest point runs round the body: with the lean, less the turn of the body about its axis.
        let runs = match lean > LEVEL {
            true => tips.dot(across) / lean - spin.dot(axis),
            false => 0.0,
        };
        let ahead = (runs * time).clamp(-AHEAD, AHEAD);
        let at = |angle: f64| {
            let (sin, cos) = libm::sincos(angle);
            face.middle + face.radius * (cos * first + sin * across)
        };
        for k in 0..self.points {
            let angle = TAU * k as f64 / self.points as f64;
            let upper = u32::from(face.upper) << 16;
            look(at(angle), at(angle + ahead), upper | k as u32);
        }
    }
}

impl Face {
    fn height(&self, point: DVec3) -> f64 {
        (point - self.middle).dot(self.outwards)
    }

    /// Distance of a point from the axis over the radius.
    fn out(&self, point: DVec3) -> f64 {
        let arm = point - self.middle;
        (arm - arm.dot(self.outwards) * self.outwards).length() / self.radius
    }
}

/// Fills `out` with the points of both rims of a frustum within `margin` (m) of a plane, looked ahead by a time (s):
/// the gap is that at the start, the point that of the body which touches after that time.
pub fn round_on_plane(
    round: &Round,
    plane: &Plane,
    (margin, time): (f64, f64),
    out: &mut Manifold,
) {
    out.points.clear();
    for face in round.faces() {
        round.each(
            &face,
            (plane.normal, round.spin, time),
            |here, ahead, feature| {
                let gap = plane.height(here);
                if gap <= margin {
                    out.points.push(ContactPoint {
                        point: ahead - plane.normal * plane.height(ahead),
                        normal: plane.normal,
                        gap,
                        feature,
                    });
                }
            },
        );
    }
}

/// Fills `out` with the points at which a face of one frustum lies on, or leans against, one of another, within
/// `margin` (m) and looked ahead by a time (s); false where no two faces meet, which leaves it empty.
pub fn round_on_round([a, b]: [&Round; 2], (margin, time): (f64, f64), out: &mut Manifold) -> bool {
    out.points.clear();
    let Some([of_a, of_b]) = meeting([a, b]) else {
        return false;
    };
    let spin = a.spin - b.spin;
    let least = of_a.radius.min(of_b.radius);
    let slack = 1.0 + SLACK * least / of_a.radius.max(of_b.radius);
    let mut push = |point: DVec3, normal: DVec3, gap: f64, feature: u32| {
        if gap <= margin {
            out.points.push(ContactPoint {
                point,
                normal,
                gap,
                feature,
            });
        }
    };
    a.each(&of_a, (of_b.outwards, spin, time), |here, ahead, k| {
        if of_b.out(here) <= slack {
            let middle = ahead - 0.5 * of_b.height(ahead) * of_b.outwards;
            push(middle, of_b.outwards, of_b.height(here), k);
        }
    });
    // What of the rims is the same has been met already.
    b.each(&of_b, (of_a.outwards, -spin, time), |here, ahead, k| {
        if of_a.out(here) < 2.0 - slack {
            let middle = ahead - 0.5 * of_a.height(ahead) * of_a.outwards;
            push(middle, -of_a.outwards, of_a.height(here), 1 << 30 | k);
        }
    });
    for (k, point) in crossings(&of_a, &of_b).into_iter().flatten().enumerate() {
        let middle = point - 0.5 * of_b.height(point) * of_b.outwards;
        push(
            middle,
            of_b.outwards,
            of_b.height(point),
            2 << 30 | k as u32,
        );
    }
    let gaps = out.points.iter().map(|p| p.gap);
    out.depth = -gaps.fold(margin, f64::min);
    true
}

/// The faces of two frusta that are before each other.
fn meeting([a, b]: [&Round; 2]) -> Option<[Face; 2]> {
    let sunk = SUNK * a.solid.height().min(b.solid.height());
    for of_a in a.faces() {
        for of_b in b.faces() {
            let faces = of_a.outwards.dot(of_b.outwards) < -FACING;
            let apart = of_a.middle - of_b.middle;
            let above = apart.dot(of_b.outwards).min(-apart.dot(of_a.outwards)) > -sunk;
            let over = of_b.out(of_a.middle) * of_b.radius < of_a.radius + of_b.radius;
            if faces && above && over {
                return Some([of_a, of_b]);
            }
        }
    }
    None
}

/// Points of the rim of a face over the rim of the one before it, up to the square of the lean.
fn crossings(a: &Face, b: &Face) -> [Option<DVec3>; 2] {
    let apart = b.middle - a.middle;
    let apart = apart - apart.dot(a.outwards) * a.outwards;
    let distance = apart.length();
    let least = a.radius.min(b.radius);
    if distance <= SLACK * least {
        return [None; 2];
    }
    let along = apart / distance;
    let way = 0.5 * (distance + (a.radius * a.radius - b.radius * b.radius) / distance);
    let side = a.radius * a.radius - way * way;
    if side <= 0.0 {
        return [None; 2];
    }
    let across = side.sqrt() * a.outwards.cross(along);
    [1.0, -1.0].map(|sign| Some(a.middle + way * along + sign * across))
}
