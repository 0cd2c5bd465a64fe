//! One pair of particles: its memory from step to step, and the load it makes now.

use crate::facet::{Feature, facet_depth};
use glam::DVec3;
use klast_dynamics::Twist;
use klast_geometry::{AxisFeature, ConvexPolyhedron, Hold, Placed, Pose};

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
    pub(super) served: u8,
    /// Searches to come without a look ahead, and how many there were the last time.
    wait: u8,
    pause: u8,
}

impl Outlook {
    /// Whether the search to come looks ahead.
    pub(crate) fn decide(&mut self) -> bool {
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

/// Looking ahead does not pay for a hold that lasts fewer steps than this.
pub(crate) const LEAST_STEPS: f64 = 4.0;

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
    pub(crate) fn placed(&self) -> Placed<'_> {
        Placed {
            shape: self.shape,
            pose: self.pose,
        }
    }

    pub(crate) fn velocity(&self, twist: &Twist, point: DVec3) -> DVec3 {
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

/// Depth, normal and middle along a facet at the present poses and one step ago.
pub(crate) fn facet_now(a: &Side, b: &Side, feature: Feature) -> Option<(f64, DVec3, DVec3)> {
    facet_depth(a.shape, a.pose, b.shape, b.pose, feature)
}

pub(crate) fn facet_before(a: &Side, b: &Side, feature: Feature) -> Option<(f64, DVec3, DVec3)> {
    facet_depth(a.shape, a.before, b.shape, b.before, feature)
}
