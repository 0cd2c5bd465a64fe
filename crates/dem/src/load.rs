//! The load that a pair makes now: its search, the law, and what the step missed.

use super::event_correction::Correction;
use super::facet::{Feature, gap_along};
use super::law::PenaltyLaw;
use super::link::{LEAST_STEPS, Link, Options, Side};
use super::neighbours::NeighbourList;
use crate::event_correction;
use glam::DVec3;
use klast_geometry::{NarrowPhase, Overlap, Pose, Proximity};

/// Load of one pair on its second particle; the first gets the opposite.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load {
    /// Where the force acts.
    pub point: DVec3,
    /// N.
    pub force: DVec3,
    /// What this step missed where the law has a kink or a jump.
    pub correction: Option<Correction>,
}

/// Advances the memory of a pair to the present poses and gives its load, if there is one.
pub(crate) fn evaluate(
    a: &Side,
    b: &Side,
    law: &PenaltyLaw,
    options: Options,
    link: &mut Link,
    work: &mut NarrowPhase,
) -> Option<Load> {
    if a.travel + b.travel < link.clear {
        return None;
    }
    let last = link.feature.map(|feature| (feature, link.depth));
    let touch = find(a, b, options.step, link, work);
    let mut load = match &touch {
        Some(touch) => contact_load(a, b, law, options.step, link, touch),
        None => {
            link.feature = None;
            link.depth = 0.0;
            link.spring = DVec3::ZERO;
            Load::default()
        }
    };
    if options.mend {
        load.correction = event_correction::correction(a, b, law, options.step, last, link);
    }
    (touch.is_some() || load.correction.is_some()).then_some(load)
}

/// Facets up to this (relative to the size of both bodies) above the nearest are looked at to see how long it holds.
const SLACK: f64 = 0.01;

fn find(a: &Side, b: &Side, step: f64, link: &mut Link, work: &mut NarrowPhase) -> Option<Overlap> {
    if let Some(hold) = link.hold {
        match link.feature {
            None if hold.lasts(a.placed(), b.placed()) => return None,
            None => {}
            Some(feature) => {
                if let Some(touch) = work.held(a.placed(), b.placed(), feature.axis(), &hold) {
                    link.outlook.served = link.outlook.served.saturating_add(1);
                    return Some(touch);
                }
            }
        }
    }
    (link.clear, link.hold) = (0.0, None);
    let between = b.pose.translation - a.pose.translation;
    let reach = a.shape.radius() + b.shape.radius();
    let spheres = between.length() - reach;
    let mut gap = spheres;
    if spheres <= 0.0 {
        let ahead = link.outlook.decide();
        let slack = if ahead { slack(a, b, step, reach) } else { 0.0 };
        match work.proximity(a.placed(), b.placed(), link.hint, slack) {
            Proximity::Touching { overlap, hold } => {
                (link.hint, link.hold) = (Some(overlap.axis), Some(hold));
                return Some(overlap);
            }
            Proximity::Apart {
                gap: found,
                axis,
                hold,
            } => {
                (link.hint, link.hold) = (axis.or(link.hint), Some(hold));
                gap = found;
            }
        }
    }
    // The gap along any line is no more than the distance: a sure budget, with room for rounding.
    let line = between.normalize_or_zero();
    gap = gap.max(gap_along(a.shape, a.pose, b.shape, b.pose, line));
    let sure = gap - 1e-9 * reach;
    if sure > 0.0 {
        link.clear = a.travel + b.travel + sure;
    }
    None
}

/// How far above the nearest facet to look: not at all where the bodies soon will have moved too far for it to help.
fn slack(a: &Side, b: &Side, step: f64, reach: f64) -> f64 {
    let turning = |s: &Side| s.half.angular.length() * s.shape.radius();
    let pace = (b.half.linear - a.half.linear).length() + turning(a) + turning(b);
    let ahead = LEAST_STEPS * step * pace;
    let slack = SLACK * reach;
    // A hold is a quarter of the room.
    if 4.0 * ahead < slack { slack } else { 0.0 }
}

fn contact_load(
    a: &Side,
    b: &Side,
    law: &PenaltyLaw,
    step: f64,
    link: &mut Link,
    touch: &Overlap,
) -> Load {
    let point = touch.middle();
    let closing = -(b.velocity(&b.now, point) - a.velocity(&a.now, point)).dot(touch.normal);
    let effective = a.mass * b.mass / (a.mass + b.mass);
    let normal_force =
        law.elastic_force(touch.depth) + law.dissipative_force(touch.depth, closing, effective);
    let slip = (b.velocity(&b.half, point) - a.velocity(&a.half, point)) * step;
    link.spring = law.advance_spring(link.spring, touch.normal, slip, normal_force);
    link.feature = Some(Feature::of(touch, a.shape, a.pose, b.shape, b.pose));
    link.depth = touch.depth;
    Load {
        point,
        force: touch.normal * normal_force - link.spring * law.tangential_stiffness(),
        correction: None,
    }
}

/// Sum of what the last step missed, for one particle.
pub(crate) fn corrections(
    i: usize,
    neighbours: &NeighbourList,
    loads: &[Option<Load>],
    pose: &Pose,
) -> (DVec3, DVec3) {
    let (mut impulse, mut turn) = (DVec3::ZERO, DVec3::ZERO);
    for (k, second) in neighbours.of(i) {
        if let Some(c) = loads[k].as_ref().and_then(|load| load.correction) {
            let sign = if second { 1.0 } else { -1.0 };
            impulse += c.impulse * sign;
            turn += ((c.point - pose.translation).cross(c.impulse) + c.couple) * sign;
        }
    }
    (impulse, turn)
}
