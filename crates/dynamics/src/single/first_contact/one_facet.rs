//! The first touch of a tumbling rock with the ground under one facet, edges and corners included.

use crate::Body;
use crate::single::flight::{Flight, FollowedFlight};
use glam::DVec3;
use klast_geometry::Plane;
use klast_geometry::terrain::{Facet, FacetPatch};
use klast_numerics::roots::chandrupatla;

/// Accuracy of the separation at a touch on an edge or corner (m, relative to the radius).
const TOUCHING: f64 = 1e-12;
/// A graze that is shallower than this part of the radius may be missed between two looks. It doubles every
/// [`PATIENCE`] looks up to [`COARSE`], which is far below what a step on the ground may be off, so that a rock that
/// hovers over an edge costs a bounded number of looks.
const GRAZE: f64 = 1e-9;
const COARSE: f64 = 1e-5;
const PATIENCE: u32 = 64;
/// Shortest stretch that is still split to look for a graze (s).
const SHORTEST: f64 = 1e-7;
/// Separation, relative to the radius, for which the first stretch is at least long enough.
const HOP: f64 = 1e-2;
/// Separation, relative to the radius, above which a fixed plane between rock and facet is followed.
const APART: f64 = 1e-3;

/// The first touch of the rock with the ground under one facet.
pub(super) struct OneFacet<'s, 'f> {
    body: &'s Body,
    followed: &'s mut FollowedFlight<'f>,
    facet: &'s Facet,
    patch: &'s mut FacetPatch,
    /// Time at which the rock was put into the patch; another one where it was not.
    put: &'s mut f64,
    /// Bound of the second derivative of a separation (m/s²).
    bend: f64,
    radius: f64,
    /// What counts as zero: below, where the flight begins overlapping.
    base: f64,
    looks: u32,
}

/// Separation at a time and the plane that parts rock and facet there.
#[derive(Clone, Copy)]
struct Look {
    gap: f64,
    plane: Plane,
}

impl<'s, 'f> OneFacet<'s, 'f> {
    pub fn new(
        body: &'s Body,
        followed: &'s mut FollowedFlight<'f>,
        facet: &'s Facet,
        (patch, put): (&'s mut FacetPatch, &'s mut f64),
    ) -> Self {
        let radius = body.shape().radius();
        let flight = followed.flight();
        let spin = flight.start().velocity.angular.length();
        // A vertex over a fixed plane has |f''| ≤ |g| + ω² R. The axis of two edges turns faster than the body, the
        // more so the more parallel they are: the factor covers all but edges within some 15° of each other, whose ends
        // are then nearly as deep as they.
        let bend = 16.0 * (flight.gravity().length() + spin * spin * radius) + f64::MIN_POSITIVE;
        OneFacet {
            body,
            followed,
            facet,
            patch,
            put,
            bend,
            radius,
            base: 0.0,
            looks: 0,
        }
    }

    /// Beyond `far` (m) the gap may be any above it.
    fn look(&mut self, t: f64, far: f64) -> Look {
        self.looks += 1;
        if *self.put != t {
            let pose = self.followed.state(t).pose;
            self.patch.put(self.body.shape(), &pose);
            *self.put = t;
        }
        let (gap, normal) = self.patch.separation(self.facet, far);
        let top = |m: f64, c: &DVec3| m.max(c.dot(normal));
        let offset = self.facet.corners.iter().fold(f64::NEG_INFINITY, top) + self.base;
        Look {
            gap: gap - self.base,
            plane: Plane { normal, offset },
        }
    }

    pub fn run(&mut self, from: f64, to: f64) -> Option<f64> {
        let fastest = fastest(self.body, self.followed.flight(), to);
        let reach = fastest * (to - from);
        let (mut t, mut now) = (from, self.look(from, reach.min(self.radius)));
        if now.gap < 0.0 {
            // It begins touching: leaving is no touch, going deeper is one at once.
            self.base = now.gap;
            now.gap = 0.0;
        }
        let mut safe = self.safe(&now, t, to, fastest)?;
        let mut step = (now.gap.max(HOP * self.radius) / self.bend).sqrt();
        while t < to {
            step = step.max(safe).min(to - t);
            let next = self.look(t + step, self.radius);
            // It has come to the plane that parted the two, and touches there.
            let follows = now.gap > APART * self.radius && step <= safe;
            if follows && next.gap.abs() <= TOUCHING * self.radius {
                return Some(t + step);
            }
            if next.gap < -TOUCHING * self.radius {
                if step <= safe.max(SHORTEST) || now.gap > self.bend * step * step {
                    return Some(self.locate((t, now.gap), (t + step, next.gap)));
                }
                step *= 0.5;
                continue;
            }
            if step > safe.max(SHORTEST) && self.may_hide(now.gap, next.gap, step) {
                step *= 0.5;
                continue;
            }
            (t, now) = (t + step, next);
            step *= 2.0;
            safe = self.safe(&now, t, to, fastest)?;
        }
        None
    }

    /// Time from `t` in which no touch is possible; `None` where there is none before `to`.
    fn safe(&mut self, now: &Look, t: f64, to: f64, fastest: f64) -> Option<f64> {
        if now.gap > fastest * (to - t) {
            return None;
        }
        if now.gap > APART * self.radius {
            let hit = self.followed.first_contact(self.body, &now.plane, t, to)?;
            return Some(hit.time - t);
        }
        // No point of the rock moves faster than this.
        Some(now.gap / fastest.max(1e-9))
    }

    /// Whether a function with these ends and |f''| ≤ bend may dip below zero in between.
    fn may_hide(&self, gap: f64, next: f64, step: f64) -> bool {
        let middle = 0.5 * step - (next - gap) / (self.bend * step);
        if middle <= 0.0 || middle >= step {
            return false;
        }
        let least = gap + (next - gap) * middle / step - 0.5 * self.bend * middle * (step - middle);
        let graze = GRAZE * libm::exp2(f64::from(self.looks / PATIENCE));
        least < -graze.min(COARSE) * self.radius
    }

    /// The zero between two times, from above.
    fn locate(&mut self, before: (f64, f64), after: (f64, f64)) -> f64 {
        let rounding = TOUCHING * self.radius;
        let gap = |t: f64| {
            let gap = self.look(t, self.radius).gap;
            if gap.abs() <= rounding { 0.0 } else { gap }
        };
        chandrupatla(before, after, 0.0, gap).best
    }
}

/// No point of the rock moves faster than this until a time (m/s).
pub(super) fn fastest(body: &Body, flight: &Flight, to: f64) -> f64 {
    let start = flight.start().velocity;
    let end = start.linear + flight.gravity() * to;
    start.linear.length().max(end.length()) + flight.spin_bound() * body.shape().radius()
}
