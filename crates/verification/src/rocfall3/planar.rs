//! A square in a vertical plane, from release to rest: the planar code of section 5, for its figures.
//!
//! Flights are looked at every millisecond and end at the zero of the lowest corner's height, impacts are Newton's with
//! friction in closed form. A corner that hardly rebounds stays: then each millisecond adds gravity and takes closing
//! speeds off the touching corners, one after the other.

use glam::DVec2;
use klast_numerics::roots::bisect;

const LOOK: f64 = 1e-3;
/// A corner within this of the ground touches (m).
const TOUCH: f64 = 1e-6;

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
pub struct Planar<'a> {
    pub side: f64,
    pub gravity: f64,
    /// Out of the slope.
    pub normal: DVec2,
    /// Rebounds below this are none (m/s).
    pub cutoff: f64,
    /// Velocity and spin after an impact at an arm, with the whole restitution or none.
    pub impact: &'a dyn Fn(DVec2, f64, DVec2, bool) -> (DVec2, f64),
}

impl Planar<'_> {
    fn corners(&self, angle: f64) -> [DVec2; 4] {
        let (s, c) = libm::sincos(angle);
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(x, z)| 0.5 * self.side * DVec2::new(x * c + z * s, z * c - x * s))
    }

    fn lowest(&self, square: &Square) -> (f64, DVec2) {
        let gap = |arm: DVec2| self.normal.dot(square.centre + arm);
        let arms = self.corners(square.angle);
        let arm = arms
            .into_iter()
            .min_by(|a, b| gap(*a).total_cmp(&gap(*b)))
            .unwrap_or_default();
        (gap(arm), arm)
    }

    fn fly(&self, square: &Square, time: f64) -> Square {
        let pull = DVec2::new(0.0, -self.gravity);
        Square {
            time: square.time + time,
            centre: square.centre + (square.velocity + 0.5 * time * pull) * time,
            velocity: square.velocity + time * pull,
            angle: square.angle + square.spin * time,
            spin: square.spin,
        }
    }

    /// Speed of a corner out of the slope.
    fn rising(&self, square: &Square, arm: DVec2) -> f64 {
        (square.velocity + square.spin * DVec2::new(arm.y, -arm.x)).dot(self.normal)
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
        let next = self.fly(square, LOOK);
        if self.lowest(&next).0 >= 0.0 {
            return (next, false);
        }
        let (low, _) = bisect(0.0, LOOK, 60, |time| {
            self.lowest(&self.fly(square, time)).0 < 0.0
        });
        let mut hit = self.fly(square, low);
        let arm = self.lowest(&hit).1;
        if self.rising(&hit, arm) >= 0.0 {
            // It grazes and leaves.
            return (next, false);
        }
        (hit.velocity, hit.spin) = (self.impact)(hit.velocity, hit.spin, arm, true);
        let stays = self
            .corners(hit.angle)
            .into_iter()
            .filter(|arm| self.normal.dot(hit.centre + *arm) < TOUCH)
            .any(|arm| self.rising(&hit, arm) < self.cutoff);
        (hit, stays)
    }

    /// A millisecond on the ground; false where nothing touches any more.
    fn stay(&self, square: &Square) -> (Square, bool) {
        let mut next = *square;
        next.velocity.y -= self.gravity * LOOK;
        let touching = self
            .corners(square.angle)
            .map(|arm| (arm, self.normal.dot(square.centre + arm) < TOUCH));
        for _ in 0..50 {
            for (arm, _) in touching.iter().filter(|t| t.1) {
                let closing = -self.rising(&next, *arm);
                if closing > 1e-12 {
                    let rebounds = closing > 10.0 * self.cutoff;
                    (next.velocity, next.spin) =
                        (self.impact)(next.velocity, next.spin, *arm, rebounds);
                }
            }
        }
        next.centre += next.velocity * LOOK;
        next.angle += next.spin * LOOK;
        next.time += LOOK;
        (next, touching.iter().any(|t| t.1))
    }
}
