//! Cohesion of joints with a tension cut-off.
//!
//! A joint between two bodies, or a body and a plane, that is bonded carries the tension f_t and the shear `c + μ σ`
//! until it opens or slips. At each contact point of the joint a force `s` draws the bodies together, its share of
//! `c/μ` times the area of the joint, and the contact obeys the law of friction on what is left: the cone of
//! Coulomb with its apex in tension. The tension itself is bounded by f_t: the joint breaks where a linear distribution
//! of its normal forces exceeds that anywhere, and where it has opened or slipped by the overlap that is left alone
//! ([`super::WorldSettings::slop`]). A broken joint has friction alone. What breaking takes is a loss of its contacts.

use super::contacts::{WorldContact, of_pair};
use super::settings::WorldSettings;
use crate::DynamicsError;
use glam::{DMat3, DVec3};
use klast_numerics::OutOfRange;
use klast_numerics::check::non_negative;

/// Least opening or slip at which a joint is broken (m), where no slop is set.
const LEAST: f64 = 1e-7;

/// What a joint carries beside friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bond {
    /// Shear strength without normal stress (Pa).
    pub cohesion: f64,
    /// Tensile strength (Pa), up to the cohesion over the friction of the joint, the apex of the cone.
    pub tension: f64,
}

/// A bond of a world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joint {
    /// As of contacts: the second can be a plane.
    pub pair: (u32, u32),
    bond: Bond,
    pub worn: WornJoint,
}

/// What of a joint changes with time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct WornJoint {
    /// Ways that its points have slipped, the most (m).
    slip: f64,
    pub broken: bool,
}

impl Joint {
    /// A bond between a pair with this friction.
    pub fn of(pair: (u32, u32), bond: &Bond, friction: f64) -> Result<Self, DynamicsError> {
        non_negative("cohesion", bond.cohesion)?;
        non_negative("tensile strength", bond.tension)?;
        if friction > 0.0 && bond.tension * friction > bond.cohesion {
            let accepted = format!("up to cohesion over friction, {}", bond.cohesion / friction);
            return Err(OutOfRange::new("tensile strength", bond.tension, accepted).into());
        }
        Ok(Self {
            pair,
            bond: *bond,
            worn: WornJoint::default(),
        })
    }

    /// The tension at the apex of the cone (Pa).
    fn apex(&self, friction: f64) -> f64 {
        match friction > 0.0 {
            true => self.bond.cohesion / friction,
            false => self.bond.tension,
        }
    }
}

/// The bond between a pair, if it has one that holds, among joints that are sorted by their pairs.
pub(super) fn bond_of(joints: &[Joint], pair: (u32, u32)) -> Option<&Joint> {
    let k = joints.binary_search_by_key(&pair, |joint| joint.pair);
    let joint = k.ok().and_then(|k| joints.get(k));
    joint.filter(|joint| !joint.worn.broken)
}

/// Bonds a pair, in place of a bond that it has.
pub(super) fn bond(joints: &mut Vec<Joint>, joint: Joint) {
    match joints.binary_search_by_key(&joint.pair, |j| j.pair) {
        Ok(k) => joints[k] = joint,
        Err(k) => joints.insert(k, joint),
    }
}

/// Force (N) by which a bond draws its bodies together at each of the contacts of a pair; 0 without one.
pub(super) fn drawn_by(joints: &[Joint], contacts: &[WorldContact]) -> f64 {
    let Some(c) = contacts.first().filter(|_| !joints.is_empty()) else {
        return 0.0;
    };
    bond_of(joints, c.pair()).map_or(0.0, |joint| {
        joint.apex(c.friction) * area(contacts) / contacts.len() as f64
    })
}

/// Area of the convex hull of contact points, which lie in a plane (m²).
fn area(contacts: &[WorldContact]) -> f64 {
    let (Some(c), count) = (contacts.first(), contacts.len() as f64) else {
        return 0.0;
    };
    let centre = contacts.iter().map(|c| c.point).sum::<DVec3>() / count;
    let first = c.normal.any_orthonormal_vector();
    let second = c.normal.cross(first);
    let mut places: Vec<(f64, f64, f64)> = contacts
        .iter()
        .map(|c| {
            let way = c.point - centre;
            let (x, y) = (way.dot(first), way.dot(second));
            (libm::atan2(y, x), x, y)
        })
        .collect();
    places.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let next = places.iter().cycle().skip(1);
    let twice: f64 = places
        .iter()
        .zip(next)
        .map(|(a, b)| a.1 * b.2 - a.2 * b.1)
        .sum();
    0.5 * twice.abs()
}

/// Breaks the joints that have opened, slipped or been pulled too hard in a step; how many. `contacts` are those of
/// the step with what acts there.
pub(super) fn break_joints(
    joints: &mut [Joint],
    settings: &WorldSettings,
    contacts: &[WorldContact],
) -> usize {
    let mut broken = 0;
    for joint in joints.iter_mut().filter(|joint| !joint.worn.broken) {
        let own = of_pair(contacts, joint.pair.0, joint.pair.1);
        if joint.gives_way(own, settings) {
            joint.worn.broken = true;
            broken += 1;
        }
    }
    broken
}

impl Joint {
    fn gives_way(&mut self, contacts: &[WorldContact], s: &WorldSettings) -> bool {
        let most = s.slop.max(LEAST);
        let ways = contacts.iter().map(|c| {
            let opening = c.normal.dot(c.velocity);
            let slip = (c.velocity - c.normal * opening).length() * s.step;
            (c.gap + opening * s.step, slip)
        });
        let (opened, slipped) = ways.fold((0.0f64, 0.0f64), |(a, b), (x, y)| (a.max(x), b.max(y)));
        self.worn.slip += slipped;
        let tension = self.bond.tension * area(contacts) / contacts.len().max(1) as f64;
        let pulled = fitted(contacts).fold(0.0f64, f64::max) / s.step;
        // Rounding of the fit is no tension.
        opened > most || self.worn.slip > most || pulled > tension * (1.0 + 1e-9)
    }
}

/// Tensions at contact points (N s) by the linear distribution that fits their normal impulses best: what of these
/// equilibrium does not determine is left out.
fn fitted(contacts: &[WorldContact]) -> impl Iterator<Item = f64> {
    let normal = contacts.first().map_or(DVec3::Z, |c| c.normal);
    let centre = contacts.iter().map(|c| c.point).sum::<DVec3>() / contacts.len().max(1) as f64;
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let place = move |c: &WorldContact| {
        let way = c.point - centre;
        DVec3::new(1.0, way.dot(first), way.dot(second))
    };
    let (mut matrix, mut right) = (DMat3::ZERO, DVec3::ZERO);
    for c in contacts {
        let x = place(c);
        matrix += DMat3::from_cols(x * x.x, x * x.y, x * x.z);
        right -= x * c.normal.dot(c.impulse);
    }
    let fit = match matrix.determinant() > 0.0 && contacts.len() > 2 {
        true => matrix.inverse() * right,
        false => DVec3::ZERO,
    };
    contacts.iter().map(move |c| fit.dot(place(c)))
}

/// A pair of numbers of bodies in the order of contacts.
pub(super) fn pair_of(first: usize, second: usize) -> Result<(u32, u32), DynamicsError> {
    match first == second {
        true => {
            Err(OutOfRange::new("second body of a bond", second, "another than the first").into())
        }
        false => Ok((first.min(second) as u32, first.max(second) as u32)),
    }
}
