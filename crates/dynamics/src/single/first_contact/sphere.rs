//! The first touch of a sphere with a plane or with facets.
//!
//! Its centre moves on a parabola. The distance d from a convex set is a convex function of the point, so along the
//! parabola d(t + s) ≥ d + n·ċ s − ½ |g| s², with n the direction of the distance. The search steps to the zero of that
//! bound: it cannot step over a touch, and near one it converges quadratically. On a plane n·g replaces −|g| and the
//! bound is exact.

use super::found::FirstContact;
use crate::single::flight::Flight;
use glam::DVec3;
use klast_geometry::terrain::Facet;
use klast_geometry::{Plane, Sphere};

/// Distance from the ground, relative to the radius, that is rounding, and normal speed that is, relative to the speed.
const TOUCH: f64 = 1e-12;
const ROUNDING_SPEED: f64 = 1e-12;
/// Most steps to a touch. They shrink geometrically at worst.
const MOST_STEPS: usize = 10_000;

/// First time s ≥ 0 at which f + r s + ½ a s² comes down to zero.
fn down_to_zero(f: f64, r: f64, a: f64) -> Option<f64> {
    if f <= 0.0 && r <= 0.0 && (r < 0.0 || a < 0.0) {
        return Some(0.0);
    }
    let square = r * r - 2.0 * a * f.max(0.0);
    if square < 0.0 || (r >= 0.0 && a >= 0.0) {
        return None;
    }
    let root = square.sqrt();
    Some(match r > 0.0 {
        true => (r + root) / -a,
        false => 2.0 * f.max(0.0) / (root - r),
    })
}

fn velocity(flight: &Flight, time: f64) -> DVec3 {
    flight.start().velocity.linear + flight.gravity() * time
}

/// What of a normal speed is not rounding.
fn told(speed: f64, velocity: DVec3) -> f64 {
    match speed.abs() <= ROUNDING_SPEED * velocity.length() {
        true => 0.0,
        false => speed,
    }
}

/// First time in `from..=until` at which a sphere comes down to a plane. A sphere in the plane that does not leave it
/// touches at `from`.
pub(super) fn on_plane(
    flight: &Flight,
    radius: f64,
    plane: &Plane,
    (from, until): (f64, f64),
) -> Option<FirstContact> {
    let centre = flight.centre(from);
    let gap = plane.height(centre) - radius;
    let rounding = TOUCH * radius + 4.0 * f64::EPSILON * (centre.length() + plane.offset.abs());
    let gap = if gap <= rounding { 0.0 } else { gap };
    let v = velocity(flight, from);
    let rate = told(plane.normal.dot(v), v);
    let time = from + down_to_zero(gap, rate, plane.normal.dot(flight.gravity()))?;
    (time <= until).then(|| FirstContact {
        time,
        vertex: 0,
        closing_speed: (-plane.normal.dot(velocity(flight, time))).max(0.0),
    })
}

/// First time between two at which a sphere touches the ground under one of the facets.
pub(super) fn on_facets(
    flight: &Flight,
    radius: f64,
    facets: &[Facet],
    (from, to): (f64, f64),
) -> Option<f64> {
    let mut best = None;
    for facet in facets {
        let until = best.unwrap_or(to);
        best = on_facet(flight, radius, facet, (from, until)).or(best);
    }
    best
}

fn on_facet(flight: &Flight, radius: f64, facet: &Facet, (from, to): (f64, f64)) -> Option<f64> {
    let pull = flight.gravity().length();
    let (mut t, mut base) = (from, 0.0);
    for step in 0..MOST_STEPS {
        let centre = flight.centre(t);
        let (gap, normal) = Sphere { centre, radius }.over(facet);
        let rounding = TOUCH * radius + 4.0 * f64::EPSILON * centre.length();
        // It begins touching: leaving is no touch, going deeper is one at once.
        if step == 0 && gap < 0.0 {
            base = gap;
        }
        let gap = gap - base;
        let v = velocity(flight, t);
        let rate = told(normal.dot(v), v);
        let touching = gap <= rounding;
        if touching && (rate < 0.0 || (rate == 0.0 && normal.dot(flight.gravity()) < 0.0)) {
            return Some(t);
        }
        if touching && rate == 0.0 {
            // Nothing pulls it in: it stays, or leaves.
            return None;
        }
        let gap = if touching { 0.0 } else { gap };
        let safe = down_to_zero(gap, rate, -pull.max(f64::MIN_POSITIVE))?;
        let next = t + safe;
        if next >= to {
            return None;
        }
        // No time is left between here and the touch.
        if next <= t {
            return Some(t);
        }
        t = next;
    }
    Some(t)
}
