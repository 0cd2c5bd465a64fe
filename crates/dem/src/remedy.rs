//! What the step misses where the force of the law jumps.
//!
//! The overlap is the least of many smooth depths `δ_f(q)`, one for each facet f of the Minkowski difference. Where
//! the least one changes from f to g, the energy is continuous but the force jumps (in direction and in point of
//! action), and the two half kicks of a step, taken at its ends, miss the impulse by `O(h)`. At first touch and at
//! parting the force has a kink. Both leave leapfrog first order, with an error of random sign.
//!
//! The remedy locates the event inside the step: `δ_f − δ_g` is known at both ends, being closed formulae of the poses, so
//! its root is at the fraction `τ` by linear interpolation. The impulse the pair should have had is the integral of the
//! force of f up to `τ` and of g after it, each linear in time; the difference to what the half kicks gave is
//! added to the second kick. It acts on both bodies at one point, so both momenta stay exact; it needs no step of its
//! own, so it serves any number of contacts at once.
//!
//! Limits: one event a pair and step; the elastic part only.

use crate::facet::Feature;
use crate::law::PenaltyLaw;
use crate::link::{Link, Side, facet_before, facet_now};
use glam::DVec3;

/// What is added on B at the end of the step; A gets the opposite.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Correction {
    /// N s.
    pub impulse: DVec3,
    /// Where it acts.
    pub point: DVec3,
    /// N m s.
    pub couple: DVec3,
}

impl Correction {
    fn at(impulse: DVec3, point: DVec3) -> Self {
        Self {
            impulse,
            point,
            couple: DVec3::ZERO,
        }
    }
}

/// The correction of this step, if the law had a kink or a jump in it. `last` is the facet and depth before the step,
/// `link` holds those after it.
pub(crate) fn correction(
    a: &Side,
    b: &Side,
    law: &PenaltyLaw,
    step: f64,
    last: Option<(Feature, f64)>,
    link: &Link,
) -> Option<Correction> {
    match (last, link.feature) {
        (Some((old, _)), Some(new)) if old != new => switched(a, b, law, step, old, new),
        (None, Some(new)) => {
            let (before, _, _) = facet_before(a, b, new)?;
            let (depth, normal, middle) = facet_now(a, b, new)?;
            let outside = fraction(before, depth)?;
            // The half kick counted the whole step at half the end force; the ramp is only `1 − outside` long.
            let impulse = normal * (-0.5 * outside * step * law.elastic_force(depth));
            Some(Correction::at(impulse, middle))
        }
        (Some((old, depth)), None) => {
            let (now, normal, middle) = facet_now(a, b, old)?;
            let inside = fraction(depth, now)?;
            let impulse = normal * (-0.5 * (1.0 - inside) * step * law.elastic_force(depth));
            Some(Correction::at(impulse, middle))
        }
        _ => None,
    }
}

/// Where a linear function with these end values is zero, in 0..=1.
fn fraction(start: f64, end: f64) -> Option<f64> {
    let span = start - end;
    (start * end <= 0.0 && span != 0.0).then(|| (start / span).clamp(0.0, 1.0))
}

fn switched(
    a: &Side,
    b: &Side,
    law: &PenaltyLaw,
    step: f64,
    old: Feature,
    new: Feature,
) -> Option<Correction> {
    let (old_start, old_normal_start, _) = facet_before(a, b, old)?;
    let (new_start, new_normal_start, _) = facet_before(a, b, new)?;
    let (old_end, old_normal, old_point) = facet_now(a, b, old)?;
    let (new_end, new_normal, new_point) = facet_now(a, b, new)?;
    let tau = fraction(old_start - new_start, old_end - new_end)?;
    // ∫₀^τ and ∫_τ¹ of what is linear between its values at 0 and 1, less the half kicks of the old law at 0 and of
    // the new one at 1.
    let (early, late) = (tau - 0.5 * tau * tau, 0.5 * tau * tau);
    let (early_new, late_new) = (0.5 - early, 0.5 - late);
    let force = |depth: f64, normal: DVec3| normal * (law.elastic_force(depth) * step);
    let old_impulse =
        force(old_start, old_normal_start) * (early - 0.5) + force(old_end, old_normal) * late;
    let new_impulse = force(new_start, new_normal_start) * early_new
        + force(new_end, new_normal) * (late_new - 0.5);
    Some(Correction {
        impulse: old_impulse + new_impulse,
        point: new_point,
        couple: (old_point - new_point).cross(old_impulse),
    })
}
