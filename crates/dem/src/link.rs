//! One pair of particles: its memory from step to step, and the load it makes now.

use crate::facet::{Feature, facet_depth, gap_along};
use crate::law::PenaltyLaw;
use crate::remedy::{self, Correction};
use glam::DVec3;
use klast_dynamics::Twist;
use klast_geometry::{
    AxisFeature, ConvexPolyhedron, Hold, NarrowPhase, Overlap, Placed, Pose, Proximity,
};

/// What a pair remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Link {
    /// The facet that made the overlap at the end of the last step, if the pair touched.
    pub feature: Option<Feature>,
    /// Overlap then, m.
    pub depth: f64,
    /// Tangential spring: displacement of the second body against the first, m, world.
    pub spring: DVec3,
    /// Where to look first the next time; the answer does not depend on it.
    pub hint: Option<AxisFeature>,
    /// The pair is apart as long as the travels of its particles add up to less than this, m.
    pub clear: f64,
    /// As long as it lasts, the facet stays the nearest one, or the bodies apart.
    pub hold: Option<Hold>,
    /// What looking ahead was worth for this pair.
    pub outlook: Outlook,
}

/// Looking ahead costs more in the search and pays only if the hold lasts: a pair whose holds broke at once looks ahead
/// less and less often. No answer depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Outlook {
    /// Whether the last search looked ahead, and how many steps its hold has served.
    looked: bool,
    served: u8,
    /// Searches to come without a look ahead, and how many there were the last time.
    wait: u8,
    pause: u8,
}

impl Outlook {
    /// Whether the search to come looks ahead.
    fn decide(&mut self) -> bool {
        if self.looked {
            let broke = f64::from(self.served) < LEAST_STEPS;
            self.pause = if broke {
                (2 * self.pause + 1).min(MOST_PAUSE)
            } else {
                0
            };
            self.wait = self.pause;
        }
        self.looked = self.wait == 0;
        self.wait = self.wait.saturating_sub(1);
        self.served = 0;
        self.looked
    }
}

/// Most searches in a row without a look ahead.
const MOST_PAUSE: u8 = 63;

/// Facets up to this (relative to the size of both bodies) above the nearest are looked at to see how long it holds.
const SLACK: f64 = 0.01;
/// Looking ahead does not pay for a hold that lasts fewer steps than this.
const LEAST_STEPS: f64 = 4.0;

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

/// A body as a pair sees it.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub shape: &'a ConvexPolyhedron,
    pub mass: f64,
    pub material: usize,
    pub pose: &'a Pose,
    /// Pose one step ago.
    pub before: &'a Pose,
    /// Bound of the way any of its points has gone since the start, m.
    pub travel: f64,
    /// Velocities at this instant (predicted), for damping.
    pub now: Twist,
    /// Velocities at mid-step, for the slip.
    pub half: Twist,
}

impl Side<'_> {
    fn placed(&self) -> Placed<'_> {
        Placed {
            shape: self.shape,
            pose: self.pose,
        }
    }

    fn velocity(&self, twist: &Twist, point: DVec3) -> DVec3 {
        twist.at(point - self.pose.translation)
    }
}

/// Options of the evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub step: f64,
    /// Mend kinks and jumps of the law between particles inside a step.
    pub mend: bool,
    /// The same at walls.
    pub mend_walls: bool,
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
        load.correction = remedy::correction(a, b, law, options.step, last, link);
    }
    (touch.is_some() || load.correction.is_some()).then_some(load)
}

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

/// Depth, normal and middle along a facet at the present poses and one step ago.
pub(crate) fn facet_now(a: &Side, b: &Side, feature: Feature) -> Option<(f64, DVec3, DVec3)> {
    facet_depth(a.shape, a.pose, b.shape, b.pose, feature)
}

pub(crate) fn facet_before(a: &Side, b: &Side, feature: Feature) -> Option<(f64, DVec3, DVec3)> {
    facet_depth(a.shape, a.before, b.shape, b.before, feature)
}
