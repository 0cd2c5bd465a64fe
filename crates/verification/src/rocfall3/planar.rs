//! A square in a vertical plane, from release to rest: the planar code of section 5, for its figures.
//!
//! Flights are looked at every millisecond and end at the zero of the lowest corner's height. An impact is Newton's
//! with friction for all corners that touch at once, found by trying every state of the contacts. A corner that hardly
//! rebounds stays: then each millisecond adds gravity and the same problem without restitution, and ends early where
//! another corner arrives.

use glam::{DMat3, DVec2, DVec3};
use klast_numerics::roots::bisect;

const LOOK: f64 = 1e-3;
/// A corner within this of the ground touches (m).
const TOUCH: f64 = 1e-7;
/// Velocities and impulses per mass below this are none (m/s): far above rounding, far below the cutoff.
const NONE: f64 = 1e-10;

/// Position (x downhill, z up), angle and velocities of a square.
#[derive(Clone, Copy)]
pub struct Square {
    pub time: f64,
    pub centre: DVec2,
    pub velocity: DVec2,
    /// Turned forward, about +y.
    pub angle: f64,
    pub spin: f64,
}

/// The ground and the law of a run.
pub struct Planar {
    pub side: f64,
    pub gravity: f64,
    /// Out of the slope.
    pub normal: DVec2,
    pub restitution: f64,
    pub friction: f64,
    /// Rebounds below this are none (m/s).
    pub cutoff: f64,
}

/// A corner that takes part in an impact, and the speed out of the slope that it leaves with at least (m/s).
type Touching = (DVec2, f64);

/// How the friction of all corners together acts.
#[derive(Clone, Copy)]
enum Along {
    Sticks,
    /// Slips downhill (1) or uphill (−1).
    Slips(f64),
}

impl Planar {
    fn corners(&self, angle: f64) -> [DVec2; 4] {
        let (s, c) = libm::sincos(angle);
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(x, z)| 0.5 * self.side * DVec2::new(x * c + z * s, z * c - x * s))
    }

    fn gap(&self, square: &Square, arm: DVec2) -> f64 {
        self.normal.dot(square.centre + arm)
    }

    fn lowest(&self, square: &Square) -> f64 {
        let gaps = self.corners(square.angle).map(|arm| self.gap(square, arm));
        gaps.into_iter().fold(f64::INFINITY, f64::min)
    }

    fn touching(&self, square: &Square) -> Vec<DVec2> {
        let corners = self.corners(square.angle).into_iter();
        corners
            .filter(|arm| self.gap(square, *arm) < TOUCH)
            .collect()
    }

    fn fly(&self, square: &Square, time: f64) -> Square {
        let pull = DVec2::new(0.0, -self.gravity);
        Square {
            velocity: square.velocity + time * pull,
            ..self.drift(square, time, 0.5 * time * pull)
        }
    }

    /// Goes on for a time with its velocity and a change of it.
    fn drift(&self, square: &Square, time: f64, change: DVec2) -> Square {
        Square {
            time: square.time + time,
            centre: square.centre + (square.velocity + change) * time,
            angle: square.angle + square.spin * time,
            ..*square
        }
    }

    /// Speed of a corner out of the slope.
    fn rising(&self, square: &Square, arm: DVec2) -> f64 {
        velocity_of(square, arm).dot(self.normal)
    }

    /// Follows a square until it rests or a time is over; `path` sees it every millisecond and at impacts.
    pub fn run(&self, start: Square, until: f64, path: &mut dyn FnMut(&Square)) -> Square {
        let (mut square, mut stays, mut slow) = (start, false, 0);
        while square.time < until && slow < 200 {
            (square, stays) = if stays {
                self.stay(&square)
            } else {
                self.look(&square)
            };
            path(&square);
            let speed = square.velocity.length() + square.spin.abs() * self.side;
            slow = if stays && speed < self.cutoff {
                slow + 1
            } else {
                0
            };
        }
        square
    }

    /// A millisecond of flight, or less to an impact.
    fn look(&self, square: &Square) -> (Square, bool) {
        self.until_impact(|time| self.fly(square, time), &[])
            .unwrap_or_else(|| (self.fly(square, LOOK), false))
    }

    /// A millisecond on the ground, or less to an impact of another corner; false where nothing touches any more.
    fn stay(&self, square: &Square) -> (Square, bool) {
        let touching = self.touching(square);
        let mut pulled = *square;
        pulled.velocity.y -= self.gravity * LOOK;
        let rest: Vec<Touching> = touching.iter().map(|arm| (*arm, 0.0)).collect();
        let carried = self.impact(&pulled, &rest);
        let on = |time: f64| {
            let mut next = self.drift(&carried, time, DVec2::ZERO);
            // Corners that stay go along a line while the centre turns about them: a term of second order.
            if touching
                .iter()
                .any(|arm| self.rising(&carried, *arm) < NONE)
            {
                next.centre -= self.normal * self.lowest_of(&next, &touching, square.angle);
            }
            next
        };
        self.until_impact(on, &touching).unwrap_or_else(|| {
            let next = on(LOOK);
            let stays = !self.touching(&next).is_empty();
            (next, stays)
        })
    }

    /// Least gap of some corners of a square at an angle, now that it has turned.
    fn lowest_of(&self, square: &Square, arms: &[DVec2], angle: f64) -> f64 {
        let (s, c) = libm::sincos(square.angle - angle);
        let turned = |arm: &DVec2| DVec2::new(arm.x * c + arm.y * s, arm.y * c - arm.x * s);
        let gaps = arms.iter().map(|arm| self.gap(square, turned(arm)));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// The impact where a corner meets the ground within a millisecond of a motion, and whether a corner stays then.
    /// None if there is none, or if the corners that meet it are some that stand on it.
    fn until_impact(
        &self,
        motion: impl Fn(f64) -> Square,
        standing: &[DVec2],
    ) -> Option<(Square, bool)> {
        // Corners that stand on the ground are there to rounding.
        let below = if standing.is_empty() {
            0.0
        } else {
            -0.5 * TOUCH
        };
        if self.lowest(&motion(LOOK)) >= below {
            return None;
        }
        let (low, _) = bisect(0.0, LOOK, 60, |time| self.lowest(&motion(time)) < below);
        let hit = motion(low);
        let arms = self.touching(&hit);
        if arms.iter().all(|arm| self.rising(&hit, *arm) > -NONE) {
            // It grazes and leaves, or turns over the corners that it stands on.
            return None;
        }
        let touching: Vec<Touching> = arms
            .iter()
            .map(|arm| (*arm, self.rebound(&hit, *arm)))
            .collect();
        let hit = self.impact(&hit, &touching);
        let stays = arms.iter().any(|arm| self.rising(&hit, *arm) < self.cutoff);
        Some((hit, stays))
    }

    /// Speed that a corner leaves with by Newton's law (m/s).
    fn rebound(&self, square: &Square, arm: DVec2) -> f64 {
        let speed = -self.restitution * self.rising(square, arm);
        if speed >= self.cutoff { speed } else { 0.0 }
    }

    /// Velocities after an impact of one or two corners: of all states in which a corner gets an impulse or leaves by
    /// itself, and all together stick or slip, the one that contradicts nothing.
    fn impact(&self, square: &Square, touching: &[Touching]) -> Square {
        let subsets: &[&[usize]] = match touching.len() {
            0 => &[],
            1 => &[&[0]],
            _ => &[&[0, 1], &[0], &[1]],
        };
        let free = |(arm, least): &Touching| self.rising(square, *arm) >= *least - NONE;
        if touching.iter().all(free) {
            return *square;
        }
        let along = [Along::Sticks, Along::Slips(1.0), Along::Slips(-1.0)];
        let tried = subsets.iter().flat_map(|s| along.map(|a| (*s, a)));
        let mut found =
            tried.filter_map(|(subset, along)| self.attempt(square, touching, subset, along));
        found.next().unwrap_or(*square)
    }

    /// Velocities if some corners get an impulse; none if that contradicts a sign.
    fn attempt(
        &self,
        square: &Square,
        touching: &[Touching],
        subset: &[usize],
        along: Along,
    ) -> Option<Square> {
        let (n, t) = (self.normal, DVec2::new(self.normal.y, -self.normal.x));
        let inertia = self.side * self.side / 6.0;
        // Per mass: what a unit impulse along a direction at an arm does.
        let turn = |arm: DVec2, f: DVec2| (arm.y * f.x - arm.x * f.y) / inertia;
        let pushed = |square: &Square, arm: DVec2, f: DVec2, p: f64| Square {
            velocity: square.velocity + p * f,
            spin: square.spin + p * turn(arm, f),
            ..*square
        };
        let still = Square {
            velocity: DVec2::ZERO,
            spin: 0.0,
            ..*square
        };
        let foot = touching[subset[0]].0;
        // Unknowns: normal impulses of the first and the second corner, and the whole tangential one.
        let units = [0, 1].map(|k| {
            subset
                .get(k)
                .map(|i| pushed(&still, touching[*i].0, n, 1.0))
        });
        let slide = pushed(&still, foot, t, 1.0);
        let mut rows = [DVec3::X, DVec3::Y, DVec3::Z];
        let mut wanted = DVec3::ZERO;
        for (k, i) in subset.iter().enumerate() {
            let (arm, least) = touching[*i];
            let of = |u: &Square| self.rising(u, arm);
            rows[k] = DVec3::new(
                units[0].as_ref().map_or(0.0, of),
                units[1].as_ref().map_or(0.0, of),
                of(&slide),
            );
            wanted[k] = least - self.rising(square, arm);
        }
        let slip = |u: &Square| velocity_of(u, foot).dot(t);
        match along {
            Along::Sticks => {
                rows[2] = DVec3::new(
                    units[0].as_ref().map_or(0.0, slip),
                    units[1].as_ref().map_or(0.0, slip),
                    slip(&slide),
                );
                wanted.z = -slip(square);
            }
            Along::Slips(sign) => {
                let both = f64::from(u8::from(subset.len() > 1));
                rows[2] = DVec3::new(sign * self.friction, sign * self.friction * both, 1.0);
            }
        }
        let matrix = DMat3::from_cols(rows[0], rows[1], rows[2]).transpose();
        if matrix.determinant().abs() < 1e-9 {
            return None;
        }
        let p = matrix.inverse() * wanted;
        let mut after = *square;
        for (k, i) in subset.iter().enumerate() {
            after = pushed(&after, touching[*i].0, n, p[k]);
        }
        after = pushed(&after, foot, t, p.z);
        let pressed = p.x >= -NONE && p.y >= -NONE;
        let held = touching
            .iter()
            .all(|(arm, least)| self.rising(&after, *arm) >= *least - NONE);
        let rubbed = match along {
            Along::Sticks => p.z.abs() <= self.friction * (p.x + p.y) + NONE,
            Along::Slips(sign) => sign * slip(&after) >= -NONE,
        };
        (pressed && held && rubbed).then_some(after)
    }
}

/// Velocity of a corner.
fn velocity_of(square: &Square, arm: DVec2) -> DVec2 {
    square.velocity + square.spin * DVec2::new(arm.y, -arm.x)
}
