//! Random polyhedra and a brute-force reference for the tests.
#![allow(dead_code)]

use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, Pose};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

pub struct Dice(Pcg64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(Pcg64::seed_from_u64(seed))
    }
    pub fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
    fn gauss(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }
    pub fn direction(&mut self) -> DVec3 {
        DVec3::new(self.gauss(), self.gauss(), self.gauss()).normalize()
    }
    pub fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.gauss(), self.gauss(), self.gauss(), self.gauss()).normalize()
    }
}

pub const FAMILIES: usize = 6;

/// Family 0: points on a sphere, 1: on an ellipsoid up to 1:5, 2: duals with n-gons, 3: prisms on random polygons,
/// 4: boxes, 5: plates 50:1.
pub fn random_polyhedron(dice: &mut Dice, family: usize) -> ConvexPolyhedron {
    loop {
        let n = 8 + (dice.unit() * 33.0) as usize;
        let points: Vec<DVec3> = match family {
            0 => (0..n).map(|_| dice.direction()).collect(),
            1 => {
                let axes = DVec3::new(1.0, dice.between(0.2, 1.0), dice.between(0.2, 1.0));
                (0..n).map(|_| dice.direction() * axes).collect()
            }
            2 => {
                let dual: Vec<DVec3> = (0..6 + n / 2)
                    .map(|_| dice.direction() * dice.between(0.8, 1.2))
                    .collect();
                let Ok(dual) = ConvexPolyhedron::from_points(&dual) else {
                    continue;
                };
                if dual.facets().iter().any(|f| f.offset < 0.25) {
                    continue;
                }
                dual.facets()
                    .iter()
                    .map(|f| f.normal / f.offset * 0.7)
                    .collect()
            }
            3 => {
                let mut angles: Vec<f64> = (0..4 + n / 4)
                    .map(|_| dice.between(0.0, std::f64::consts::TAU))
                    .collect();
                angles.sort_by(f64::total_cmp);
                let half = dice.between(0.2, 0.8);
                let ring = |z: f64| {
                    angles
                        .iter()
                        .map(|t| DVec3::new(t.cos(), t.sin(), z))
                        .collect::<Vec<_>>()
                };
                [ring(-half), ring(half)].concat()
            }
            4 | 5 => {
                let thin = if family == 5 {
                    0.02
                } else {
                    dice.between(0.3, 1.0)
                };
                let half = DVec3::new(dice.between(0.3, 1.0), dice.between(0.3, 1.0), thin);
                let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
                (0..8)
                    .map(|i| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4)))
                    .collect()
            }
            _ => unreachable!(),
        };
        // Turned once and for all, so that nothing stands along the axes.
        let turn = dice.rotation();
        let points: Vec<DVec3> = points.iter().map(|p| turn * *p).collect();
        if let Ok(body) = ConvexPolyhedron::from_points(&points)
            && body.volume() > 0.01
        {
            return body.centred().unwrap();
        }
    }
}

/// Overlap along n: highest of A minus lowest of B.
pub fn overlap_along(a: &[DVec3], b: &[DVec3], n: DVec3) -> f64 {
    let high = a.iter().map(|p| p.dot(n)).fold(f64::MIN, f64::max);
    high - b.iter().map(|p| p.dot(n)).fold(f64::MAX, f64::min)
}

pub struct Brute {
    pub depth: f64,
    pub normal: DVec3,
    /// Least overlap along a direction that differs from `normal`.
    pub second: f64,
}

/// Least overlap over every facet normal and every pair of edges, nothing left out.
pub fn brute_overlap(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> Brute {
    let place = |body: &ConvexPolyhedron, pose: &Pose| -> Vec<DVec3> {
        body.vertices()
            .iter()
            .map(|v| pose.transform_point(*v))
            .collect()
    };
    let (wa, wb) = (place(a, pose_a), place(b, pose_b));
    let mut axes: Vec<DVec3> = a
        .facets()
        .iter()
        .map(|f| pose_a.transform_vector(f.normal))
        .collect();
    axes.extend(
        b.facets()
            .iter()
            .map(|f| -pose_b.transform_vector(f.normal)),
    );
    let along = |w: &[DVec3], e: &klast_geometry::Edge| {
        (w[e.vertices[1] as usize] - w[e.vertices[0] as usize]).normalize()
    };
    for e in a.edges() {
        for f in b.edges() {
            let n = along(&wa, e).cross(along(&wb, f));
            if n.length() > 1e-10 {
                axes.push(n.normalize());
                axes.push(-n.normalize());
            }
        }
    }
    let mut best = Brute {
        depth: f64::MAX,
        normal: DVec3::ZERO,
        second: f64::MAX,
    };
    for n in axes {
        let depth = overlap_along(&wa, &wb, n);
        // 1e-6 rad apart is another direction; parallel copies of one facet's normal are the same one.
        let same = n.dot(best.normal) > 1.0 - 5e-13;
        if depth < best.depth {
            if !same {
                best.second = best.depth;
            }
            (best.depth, best.normal) = (depth, n);
        } else if !same && depth < best.second {
            best.second = depth;
        }
    }
    best
}

/// Height of a world point above the highest facet plane: ≤ 0 inside.
pub fn outside(body: &ConvexPolyhedron, pose: &Pose, point: DVec3) -> f64 {
    let p = pose.inverse_transform_point(point);
    body.facets()
        .iter()
        .map(|f| f.normal.dot(p) - f.offset)
        .fold(f64::MIN, f64::max)
}
