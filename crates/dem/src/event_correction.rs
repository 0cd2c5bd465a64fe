//! What the step misses where the force of the law jumps.
//!
//! The overlap is the least of many smooth depths `δ_f(q)`, one for each facet f of the Minkowski difference. Where
//! the least one changes from f to g, the energy is continuous but the force jumps (in direction and in point of
//! action), and the two half kicks of a step, taken at its ends, miss the impulse by `O(h)`. At first touch and at
//! parting the force has a kink. Both leave leapfrog first order, with an error of random sign.
//!
//! The remedy locates the event inside the step: `δ_f − δ_g` is known at both ends, being closed formulae of the poses,
//! so its root is at the fraction `τ` by linear interpolation. The impulse the pair should have had is the integral of
//! the force of f up to `τ` and of g after it, each linear in time; the difference to what the half kicks gave is added
//! to the second kick. It acts on both bodies at one point, so both momenta stay exact; it needs no step of its own, so
//! it serves any number of contacts at once.
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

/// One facet over a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    /// Depth and normal (towards B) at the start.
    pub start: f64,
    pub normal_start: DVec3,
    /// Depth, normal and point of action at the end.
    pub end: f64,
    pub normal: DVec3,
    pub point: DVec3,
}

impl Track {
    fn of(a: &Side, b: &Side, feature: Feature) -> Option<Self> {
        let (start, normal_start, _) = facet_before(a, b, feature)?;
        let (end, normal, point) = facet_now(a, b, feature)?;
        Some(Self {
            start,
            normal_start,
            end,
            normal,
            point,
        })
    }

    /// What was missed where the bodies touch first in the step.
    pub fn touched(&self, law: &PenaltyLaw, step: f64) -> Option<Correction> {
        let outside = fraction(self.start, self.end)?;
        // The half kick counted the whole step at half the end force; the ramp is only `1 − outside` long.
        let impulse = self.normal * (-0.5 * outside * step * law.elastic_force(self.end));
        Some(Correction::at(impulse, self.point))
    }

    /// What was missed where they part in it.
    pub fn parted(&self, law: &PenaltyLaw, step: f64) -> Option<Correction> {
        let inside = fraction(self.start, self.end)?;
        let force = law.elastic_force(self.start);
        let impulse = self.normal * (-0.5 * (1.0 - inside) * step * force);
        Some(Correction::at(impulse, self.point))
    }

    /// What was missed where the facet changes to `new` in it.
    pub fn switched(&self, new: &Self, law: &PenaltyLaw, step: f64) -> Option<Correction> {
        let tau = fraction(self.start - new.start, self.end - new.end)?;
        // ∫₀^τ and ∫_τ¹ of what is linear between its values at 0 and 1, less the half kicks of the old law at 0 and of
        // the new one at 1.
        let (early, late) = (tau - 0.5 * tau * tau, 0.5 * tau * tau);
        let (early_new, late_new) = (0.5 - early, 0.5 - late);
        let force = |depth: f64, normal: DVec3| normal * (law.elastic_force(depth) * step);
        let old_impulse = force(self.start, self.normal_start) * (early - 0.5)
            + force(self.end, self.normal) * late;
        let new_impulse = force(new.start, new.normal_start) * early_new
            + force(new.end, new.normal) * (late_new - 0.5);
        Some(Correction {
            impulse: old_impulse + new_impulse,
            point: new.point,
            couple: (self.point - new.point).cross(old_impulse),
        })
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
        (Some((old, _)), Some(new)) if old != new => {
            Track::of(a, b, old)?.switched(&Track::of(a, b, new)?, law, step)
        }
        (None, Some(new)) => Track::of(a, b, new)?.touched(law, step),
        (Some((old, depth)), None) => {
            let track = Track {
                start: depth,
                ..Track::of(a, b, old)?
            };
            track.parted(law, step)
        }
        _ => None,
    }
}

/// Where a linear function with these end values is zero, in 0..=1.
fn fraction(start: f64, end: f64) -> Option<f64> {
    let span = start - end;
    (start * end <= 0.0 && span != 0.0).then(|| (start / span).clamp(0.0, 1.0))
}
