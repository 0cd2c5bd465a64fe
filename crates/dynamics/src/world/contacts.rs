//! The contacts of a step, in an order that depends on the bodies alone.

use glam::DVec3;

/// Numbers of planes start here, behind all bodies.
pub(super) const PLANES: u32 = 1 << 31;

/// One contact point of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldContact {
    /// The body that the normal points to.
    pub first: u32,
    /// The other body; 2³¹ and above are planes.
    pub second: u32,
    /// Names the features that touch.
    pub feature: u32,
    /// Where (m): halfway between the points of the two bodies that meet.
    pub point: DVec3,
    /// The point of the first body less that of the second at the start of the step (m): not zero where they meet only
    /// later in it, in places that the arms of that time lead to.
    #[cfg_attr(feature = "serde", serde(default))]
    pub apart: DVec3,
    /// Unit normal from the second to the first.
    pub normal: DVec3,
    /// Gap at the start of the step (m), below zero is overlap.
    pub gap: f64,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's restitution.
    pub restitution: f64,
    /// Length of the rolling resistance (m): the contact then is one of the points about that of a sphere; 0 for none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rolling_length: f64,
    /// From the sphere's own point of contact to this one (m); zero without rolling resistance.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rolling_arm: DVec3,
    /// What the law of rolling resistance adds to the normal velocity (m/s).
    #[cfg_attr(feature = "serde", serde(default))]
    pub rolling_speed: f64,
    /// Impulse on the first body over the step, world axes (N s).
    pub impulse: DVec3,
    /// Velocity of the first relative to the second at the end of the step, world axes (m/s).
    pub velocity: DVec3,
}

impl WorldContact {
    /// The plane that is touched, if the second is one.
    pub fn plane(&self) -> Option<usize> {
        self.second.checked_sub(PLANES).map(|k| k as usize)
    }

    pub(super) fn pair(&self) -> (u32, u32) {
        (self.first, self.second)
    }

    /// The points of the two bodies that meet (m).
    pub(super) fn points(&self) -> [DVec3; 2] {
        [self.point + 0.5 * self.apart, self.point - 0.5 * self.apart]
    }

    /// The points of the two bodies that meet in an impact (m): with rolling resistance those of the sphere itself.
    pub(super) fn points_of_impact(&self) -> [DVec3; 2] {
        self.points().map(|point| point - self.rolling_arm)
    }

    /// The order of contacts.
    pub(super) fn key(&self) -> (u32, u32, u32) {
        (self.first, self.second, self.feature)
    }
}

/// The contacts of a pair in a list that is sorted by pair and feature.
pub(super) fn of_pair(contacts: &[WorldContact], first: u32, second: u32) -> &[WorldContact] {
    let start = contacts.partition_point(|c| (c.first, c.second) < (first, second));
    let rest = contacts.get(start..).unwrap_or_default();
    let count = rest.partition_point(|c| (c.first, c.second) == (first, second));
    rest.get(..count).unwrap_or_default()
}
