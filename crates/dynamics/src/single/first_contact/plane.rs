//! The exact time at which a tumbling polyhedron first touches a plane.
//!
//! Along a flight the height of vertex v is f(t) = z(t) + n(t)·v, where z is the height of the centre (a parabola) and
//! n the plane's normal seen from the body. The body is convex, so it touches where the lowest vertex does. For every
//! vertex
//! |f''| is bounded: f'' ≥ −M with M = g_n + R c, c a bound on |n''|, so from a time t on
//!
//!   f(t + s) ≥ f + f' s − ½ M s².
//!
//! The search steps to the first zero of the lowest of these parabolas: it cannot step over a contact however fast the
//! body spins, and near a transversal contact the step is Newton's, seen from the safe side, so it converges
//! quadratically. Where the centre stands higher than the farthest vertex reaches, the parabola of the centre alone
//! allows a longer step. (The idea of safe steps from a bound on motion is conservative advancement: Mirtich 1996,
//! "Impulse-based dynamic simulation of rigid body systems", section 2.3; the second-order form above is what makes it
//! a root finder.)
//!
//! A vertex that stands on the plane at the start and leaves it, or whose height only curves upwards, is no contact.

use super::found::FirstContact;
use super::sphere;
use crate::Body;
use crate::single::flight::{Attitude, Flight, FollowedFlight};
use glam::DVec3;
use klast_geometry::Plane;

/// Steps after which the search gives up and reports the time it has reached: it never hangs. The safe steps shrink no
/// more than geometrically even where a vertex grazes the plane, so thousands of them mean data beyond any physical
/// scale.
const MAX_STEPS: usize = 100_000;

/// Height over the plane, relative to the radius, from which on no vertex reaches it. A hair above the reach is left to
/// the vertices.
const OUT_OF_REACH: f64 = 1.0 + 1e-9;

/// First time in `from..=until` at which a vertex of `body` reaches `plane` from above, or `None`.
///
/// Error of the time: rounding, |dt| ≈ 1e-15 m / closing speed. A vertex that is below the plane at `from` and does not
/// leave it is a contact at `from`. `until` may be infinite.
pub fn first_contact(
    body: &Body,
    flight: &Flight,
    plane: &Plane,
    from: f64,
    until: f64,
) -> Option<FirstContact> {
    flight.followed().first_contact(body, plane, from, until)
}

impl FollowedFlight<'_> {
    /// [`first_contact`] of this flight: several planes share one series of the attitude.
    pub fn first_contact(
        &mut self,
        body: &Body,
        plane: &Plane,
        from: f64,
        until: f64,
    ) -> Option<FirstContact> {
        if let Some(radius) = body.sphere_radius() {
            return sphere::on_plane(self.flight(), radius, plane, (from, until));
        }
        PlaneSearch::new(body, &mut self.0, plane).run(from, until)
    }
}

/// Centre height z, its rate, the normal in body axes and its rate.
#[derive(Debug, Clone, Copy)]
struct Sample {
    height: f64,
    speed: f64,
    normal: DVec3,
    turn: DVec3,
}

/// The plane's normal seen from the body.
enum Normal<'s, 'a> {
    /// n = fixed + cos(Ωt) along + sin(Ωt) across.
    Steady {
        fixed: DVec3,
        along: DVec3,
        across: DVec3,
        rate: f64,
    },
    Top {
        attitude: &'s mut Attitude<'a>,
        world: DVec3,
    },
}

pub(crate) struct PlaneSearch<'s, 'a> {
    vertices: &'s [DVec3],
    radius: f64,
    /// Height, speed and acceleration of the centre at time 0.
    centre: [f64; 3],
    normal: Normal<'s, 'a>,
    inertia: DVec3,
    /// The bound M (m/s²).
    curvature: f64,
    /// Whether no height ever curves downwards: no gravity towards the plane, and no turn out of it.
    rises: bool,
    /// A bound on |f'''| (m/s³).
    jerk: f64,
}

impl<'s, 'a> PlaneSearch<'s, 'a> {
    pub(crate) fn new(body: &'s Body, attitude: &'s mut Attitude<'a>, plane: &Plane) -> Self {
        let flight = attitude.flight();
        let start = flight.start();
        let n = plane.normal;
        let centre = [
            plane.height(start.pose.translation),
            n.dot(start.velocity.linear),
            n.dot(flight.gravity()),
        ];
        let w = flight.spin_bound();
        let vertices = body.vertices();
        let (normal, swing, third) = match flight.steady() {
            Some((axis, rate, arm)) => {
                let n0 = start.pose.inverse_transform_vector(n);
                let fixed = axis * axis.dot(n0);
                let along = n0 - fixed;
                // A spin about the normal: no height swings by more than rounding.
                let upright = along.length() <= 4.0 * f64::EPSILON;
                let along = if upright { DVec3::ZERO } else { along };
                // Only the distance from the axis swings, and only the part of the normal across it.
                let swing = arm * along.length() * rate * rate;
                (
                    Normal::Steady {
                        fixed,
                        along,
                        across: if upright { DVec3::ZERO } else { n0.cross(axis) },
                        rate,
                    },
                    swing,
                    swing * rate,
                )
            }
            None => {
                let r = body.shape().radius();
                // |n''| ≤ ω² + |ω'| with |ω'| ≤ ω²/√3, since |ω_i'| ≤ |ω_j ω_k|; |n'''| ≤ 5 ω³ term by term likewise.
                let top = Normal::Top { attitude, world: n };
                (
                    top,
                    r * w * w * (1.0 + 1.0 / 3f64.sqrt()),
                    5.0 * r * w * w * w,
                )
            }
        };
        let curvature = (swing - centre[2]).max(f64::MIN_POSITIVE) * (1.0 + 1e-12);
        Self {
            vertices,
            radius: body.shape().radius(),
            centre,
            normal,
            inertia: body.inertia(),
            curvature,
            rises: swing <= centre[2],
            jerk: third,
        }
    }

    fn sample(&mut self, t: f64) -> Sample {
        let [z, v, a] = self.centre;
        let (normal, turn) = match &mut self.normal {
            Normal::Steady {
                fixed,
                along,
                across,
                rate,
            } => {
                let (s, c) = libm::sincos(*rate * t);
                (
                    *fixed + *along * c + *across * s,
                    (*across * c - *along * s) * *rate,
                )
            }
            Normal::Top { attitude, world } => {
                let (q, w) = attitude.at(t);
                let n = q.normalize().conjugate() * *world;
                (n, n.cross(w))
            }
        };
        Sample {
            height: z + (v + 0.5 * a * t) * t,
            speed: v + a * t,
            normal,
            turn,
        }
    }

    pub(crate) fn run(&mut self, from: f64, until: f64) -> Option<FirstContact> {
        if !(from.is_finite() && until >= from) {
            return None;
        }
        let mut t = from;
        let mut now = self.sample(t);
        t += self.departure(&now, t)?;
        for _ in 0..MAX_STEPS {
            if t > until {
                return None;
            }
            if t > from {
                now = self.sample(t);
            }
            // A step is at least two ulps of the clock, so that rounding cannot hold the search there.
            if now.height > self.radius * OUT_OF_REACH {
                t += self.drop_to_reach(&now)?.max(2.0 * f64::EPSILON * t.abs());
                continue;
            }
            let (step, vertex) = self.safe_step(&now, until - t);
            if vertex == usize::MAX {
                return None;
            }
            if step <= 2.0 * f64::EPSILON * t.abs() {
                let closing_speed = self
                    .vertices
                    .get(vertex)
                    .map_or(0.0, |v| -(now.speed + now.turn.dot(*v)));
                return Some(FirstContact {
                    time: t,
                    vertex,
                    closing_speed: closing_speed.max(0.0),
                });
            }
            t += step;
        }
        Some(FirstContact {
            time: t.min(until),
            vertex: 0,
            closing_speed: 0.0,
        })
    }

    /// Time in which no parabola f + f' s − ½ M s² reaches zero, and the vertex that limits it; no vertex where
    /// none does within `longest`.
    fn safe_step(&self, now: &Sample, longest: f64) -> (f64, usize) {
        let (mut step, mut vertex) = (longest + f64::MIN_POSITIVE, usize::MAX);
        let m = self.curvature;
        // Where heights only curve upwards, what does not approach never comes, whether it stands on the plane or
        // above.
        let (still, near) = match self.rises {
            true => (self.still(now), self.near(now)),
            false => (f64::NEG_INFINITY, 0.0),
        };
        for (i, v) in self.vertices.iter().enumerate() {
            let height = now.height + now.normal.dot(*v);
            let r = now.speed + now.turn.dot(*v);
            if r >= -still && (r > still || height >= -near) {
                continue;
            }
            let f = height.max(0.0);
            // The parabola is concave: above zero at both ends, it is so in between.
            if f + step * (r - 0.5 * m * step) > 0.0 {
                continue;
            }
            let root = (r * r + 2.0 * m * f).sqrt();
            let s = if r > 0.0 {
                (r + root) / m
            } else {
                2.0 * f / (root - r)
            };
            // 0/0: on the plane at rest.
            let s = if s.is_finite() { s } else { 0.0 };
            if s < step || vertex == usize::MAX {
                (step, vertex) = (s.min(step), i);
            }
        }
        (step, vertex)
    }

    /// Time until the centre is as low as the farthest vertex reaches, from above; `None` if it never is.
    fn drop_to_reach(&self, now: &Sample) -> Option<f64> {
        let (f, r, a) = (now.height - self.radius, now.speed, self.centre[2]);
        let discriminant = r * r - 2.0 * a * f;
        if discriminant < 0.0 || (a >= 0.0 && r >= 0.0) {
            return None;
        }
        let root = discriminant.sqrt();
        // a < 0: the later of the two roots is the positive one; a ≥ 0 and r < 0: the earlier one.
        let s = if r > 0.0 {
            (r + root) / -a
        } else {
            2.0 * f / (root - r)
        };
        Some(s)
    }

    /// Time for which the vertices that stand on the plane at the start, neither leaving nor approaching it
    /// by more than rounding, are carried off it by f'' > 0: f ≥ ½ f'' s² − K s³/6 holds for s < 3 f''/K.
    /// `None` when nothing ever brings them back.
    fn departure(&mut self, now: &Sample, t: f64) -> Option<f64> {
        if self.rises || now.height > self.radius * OUT_OF_REACH {
            return Some(0.0);
        }
        let (still, near) = (self.still(now), self.near(now));
        let on_plane = |v: &DVec3| (now.height + now.normal.dot(*v)) <= near;
        let at_rest = |v: &DVec3| (now.speed + now.turn.dot(*v)).abs() <= still;
        if !self.vertices.iter().any(|v| on_plane(v) && at_rest(v)) {
            return Some(0.0);
        }
        let second = self.second_derivative(t, now);
        let mut step = f64::INFINITY;
        for v in self.vertices {
            let f = now.height + now.normal.dot(*v);
            let r = now.speed + now.turn.dot(*v);
            let s = if on_plane(v) && at_rest(v) {
                let curve = self.centre[2] + second.dot(*v);
                // Half of the cubic's reach; nothing where the height does not curve upwards.
                if curve <= 0.0 {
                    0.0
                } else {
                    1.5 * curve / self.jerk.max(f64::MIN_POSITIVE)
                }
            } else {
                let root = (r * r + 2.0 * self.curvature * f.max(0.0)).sqrt();
                if r > 0.0 {
                    (r + root) / self.curvature
                } else {
                    2.0 * f.max(0.0) / (root - r)
                }
            };
            step = step.min(if s.is_nan() { 0.0 } else { s });
        }
        step.is_finite().then_some(step)
    }

    /// Height that is rounding.
    fn near(&self, now: &Sample) -> f64 {
        TOUCH * (self.radius + now.height.abs())
    }

    /// Normal speed that is rounding.
    fn still(&self, now: &Sample) -> f64 {
        let speed = now.speed.abs() + now.turn.length() * self.radius;
        ROUNDING_SPEED * (speed + self.curvature.sqrt() * 1e-3)
    }

    /// n'' in body axes.
    fn second_derivative(&mut self, t: f64, now: &Sample) -> DVec3 {
        match &mut self.normal {
            Normal::Steady { fixed, rate, .. } => (*fixed - now.normal) * (*rate * *rate),
            Normal::Top { attitude, .. } => {
                let (_, w) = attitude.at(t);
                let spin_rate = (self.inertia * w).cross(w) / self.inertia;
                now.turn.cross(w) + now.normal.cross(spin_rate)
            }
        }
    }
}

/// Height under which a vertex counts as standing on the plane, relative to the size: rounding of a height.
const TOUCH: f64 = 1e-11;
/// Speed under which it counts as at rest, relative to the body's speeds: rounding of a velocity after an impact.
const ROUNDING_SPEED: f64 = 1e-12;
