//! What stands in a world and how it moves, and what its steps have left.

use super::audit::WorldLedger;
use super::bonds::Joint;
use super::contacts::WorldContact;
use super::drowsiness::Drowsiness;
use super::kept::KeptPoint;
use super::loads::PlacedLoad;
use super::materials::{PairTable, missing};
use super::member::{Boundary, Member};
use super::settings::WorldSettings;
use super::ties::{PlacedTie, Places};
use crate::DynamicsError;
use glam::DVec3;
use klast_numerics::OutOfRange;

/// Bodies and planes at a time, and how they are stepped.
#[derive(Debug, Clone)]
pub(super) struct WorldState {
    pub settings: WorldSettings,
    pub members: Vec<Member>,
    pub planes: Vec<Boundary>,
    /// Friction and restitution of pairs of materials that do not take the mean.
    pub pairs: PairTable,
    /// By their numbers; nothing of those that have ended.
    pub loads: Vec<Option<PlacedLoad>>,
    pub ties: Vec<PlacedTie>,
    /// Bonded joints, by their pairs.
    pub joints: Vec<Joint>,
    /// Time (s).
    pub time: f64,
    /// What the positions of members and planes are measured from (m), and whether that is settled.
    pub origin: DVec3,
    pub placed: bool,
}

/// What the steps so far have left.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    /// Contacts of the last step, by (body, body, feature).
    pub contacts: Vec<WorldContact>,
    /// What is known of the contacts of the last step that may be kept, by (body, body).
    pub kept: Vec<KeptPoint>,
    /// Steps done.
    pub steps: u64,
    pub ledger: WorldLedger,
}

impl WorldState {
    /// Nothing, at time 0.
    pub fn new(settings: WorldSettings) -> Self {
        Self {
            settings,
            members: vec![],
            planes: vec![],
            pairs: PairTable::default(),
            loads: vec![],
            ties: vec![],
            joints: vec![],
            time: 0.0,
            origin: DVec3::ZERO,
            placed: false,
        }
    }

    /// The bodies that gravity and contacts move.
    pub fn free(&self) -> impl Iterator<Item = &Member> + '_ {
        self.members.iter().filter(|m| m.is_free())
    }

    /// The body of this number.
    pub fn member(&self, field: &'static str, body: usize) -> Result<&Member, DynamicsError> {
        let member = self.members.get(body).filter(|m| !m.removed);
        member.ok_or_else(|| missing(field, body, self.members.len()))
    }

    /// The body of this number, if gravity and contacts move it.
    pub fn free_member(&self, field: &'static str, body: usize) -> Result<&Member, DynamicsError> {
        let member = self.member(field, body)?;
        match member.is_free() {
            true => Ok(member),
            false => Err(OutOfRange::new(field, body, "a body that is free").into()),
        }
    }

    /// Where ties find their ends.
    pub fn places(&self) -> Places<'_> {
        (&self.members, self.origin)
    }

    /// Energy in the ties (J).
    pub fn tied_energy(&self) -> f64 {
        // A sum of none is −0.
        self.ties
            .iter()
            .map(|tie| tie.stored(self.places()))
            .sum::<f64>()
            + 0.0
    }

    /// Whether gravity and contacts move a body.
    pub fn is_free(&self, body: usize) -> bool {
        self.members.get(body).is_some_and(Member::is_free)
    }

    /// Whether a body sleeps.
    pub fn is_asleep(&self, body: usize) -> bool {
        self.members.get(body).is_some_and(Member::is_asleep)
    }

    /// Wakes every body.
    pub fn wake(&mut self) {
        self.members
            .iter_mut()
            .for_each(|m| m.drowsiness = Drowsiness::AWAKE);
    }

    /// Gives planes that are driven their velocities over the coming step.
    pub fn set_velocities_of_planes(&mut self) {
        let (time, step) = (self.time, self.settings.step);
        for plane in &mut self.planes {
            let drive = plane.drive.as_ref();
            plane.velocity = drive.map_or(DVec3::ZERO, |d| d.velocity(time, step).linear);
        }
    }

    /// Kinetic energy of the free bodies (J).
    pub fn kinetic_energy(&self) -> f64 {
        self.free().map(|m| m.kinetic_energy()).sum()
    }

    /// Potential energy of the free bodies in the field of gravity, zero where positions are measured from (J).
    pub fn potential_energy(&self) -> f64 {
        self.free()
            .map(|m| m.state.potential_energy(&m.body, self.settings.gravity))
            .sum()
    }
}

impl WorldState {
    /// Potential energy of the free bodies where positions are measured from, zero at the origin of the users (J).
    pub fn potential_of_origin(&self) -> f64 {
        if self.origin == DVec3::ZERO {
            return 0.0;
        }
        let mass: f64 = self.free().map(|m| m.body.mass()).sum();
        -mass * self.settings.gravity.dot(self.origin)
    }
}

impl History {
    /// Energy in the springs of the contacts, `½ ‖F‖²/k`; 0 for rigid ones (J).
    pub fn elastic_energy(&self, settings: &WorldSettings) -> f64 {
        let compliance = settings.compliance();
        if compliance == 0.0 {
            return 0.0;
        }
        let squares = self.contacts.iter().map(|c| c.impulse.length_squared());
        // A sum of none is −0.
        0.5 * compliance * (squares.sum::<f64>() + 0.0)
    }
}
