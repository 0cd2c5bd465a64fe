//! Many bodies, many contacts: the Moreau–Jean time stepping.
//!
//! One step of size h (Moreau 1988; Jean 1999, "The non smooth contact dynamics method", eqs. 40–49):
//! - contacts are found at the start of the step, with their gaps g;
//! - v_free = v + h M⁻¹ F with gravity and the gyroscopic moment (implicit midpoint, which keeps the energy);
//! - impulses r solve the frictional contact problem on v⁺ = v_free + M⁻¹ Hᵀ r, u = H v⁺. A closed contact obeys
//!   u_n + e u_n⁻ ≥ 0, an open one u_n + g/h ≥ 0: it may close within the step but not overlap;
//! - x ← x + h (θ v⁺ + (1 − θ) v), 1/2 ≤ θ ≤ 1;
//! - run to a residual, the step looks at where that leads: what would enter there, beside the contacts of the start or
//!   since a normal has turned, is a contact too, and the impulses are solved for again.
//!
//! **Energy.** With Δv = v⁺ − v and F = m g the total energy changes in a step by exactly
//! Σ r·u − ½ Δv·MΔv + (1 − θ) h m g·Δv. For e = 0 each contact's r·u is not positive, so with θ = 1 (the default)
//! the energy cannot rise, whatever the step. With θ = ½ free flight keeps it, and a step in which a contact closes
//! can gain up to m g²h²/8 a body. The audit of each step holds these terms.
//!
//! **Drift.** Overlap left by rounding, by the linearised step or by an unfinished solve is taken out by moving
//! bodies, never by giving them velocity: a second, frictionless problem yields displacements. The potential energy
//! they add is the audit's `stabilisation`.
//!
//! **Determinism.** Contacts are sorted by (body, body, feature), islands by their first body; each island is solved
//! by one thread. The bits do not depend on the number of threads or on how contacts were found.
//!
//! **Sleep.** An option; see [`Sleep`].

mod audit;
mod broad_phase;
mod contacts;
mod drowsiness;
mod entering;
mod find_contacts;
mod first_touch;
mod impact_run;
mod impacts;
mod island;
mod islands;
mod links;
mod materials;
mod member;
mod moreau_jean_step;
mod motion;
mod overlap;
mod settings;
mod sleep;
mod snapshot;
mod solution;
mod surfaces;

pub use audit::{StepReport, WorldLedger};
pub use contacts::WorldContact;
pub use drowsiness::Sleep;
use klast_numerics::check::{finite_vector, require};
pub use materials::{Material, Surface};
pub use member::{Drive, Role};
pub use settings::{Effort, Impacts, Restitution, WorldSettings};
pub use snapshot::WorldSnapshot;
pub use solution::SOLVED_BY_SWEEPS;

use crate::{Body, DynamicsError, State, Twist};
use glam::DVec3;
use klast_geometry::{Plane, Pose};
use member::{Boundary, Member};

/// Bodies, planes and the time. Cloning it is a snapshot; [`World::snapshot`] is the small one that can be stored.
#[derive(Debug, Clone)]
pub struct World {
    settings: WorldSettings,
    members: Vec<Member>,
    planes: Vec<Boundary>,
    time: f64,
    steps: u64,
    broad: broad_phase::BroadPhase,
    contacts: Vec<WorldContact>,
    /// Workspaces that are kept from step to step: contacts of the step before, tasks of the narrow phase, velocities.
    old_contacts: Vec<WorldContact>,
    workspaces: Vec<contacts::Workspace>,
    overlap: Vec<f64>,
    free_velocities: Vec<Twist>,
    velocities_after: Vec<Twist>,
    poses_after: Vec<Pose>,
    islands: islands::Islands,
    impact_run: impact_run::ImpactRun,
    /// Friction and restitution of pairs of materials that do not take the mean.
    pairs: materials::PairTable,
    ledger: WorldLedger,
}

impl World {
    /// An empty world.
    pub fn new(settings: WorldSettings) -> Result<Self, DynamicsError> {
        settings.check()?;
        Ok(Self {
            settings,
            members: vec![],
            planes: vec![],
            time: 0.0,
            steps: 0,
            broad: broad_phase::BroadPhase::default(),
            contacts: vec![],
            old_contacts: vec![],
            workspaces: vec![],
            overlap: vec![],
            free_velocities: vec![],
            velocities_after: vec![],
            poses_after: vec![],
            islands: islands::Islands::default(),
            impact_run: impact_run::ImpactRun::default(),
            pairs: materials::PairTable::default(),
            ledger: WorldLedger::default(),
        })
    }

    /// Adds a body and returns its number.
    pub fn add(
        &mut self,
        body: Body,
        state: State,
        role: Role,
        surface: Surface,
    ) -> Result<usize, DynamicsError> {
        surface.check()?;
        let state = State::new(state.pose, state.velocity)?;
        let member = Member::new(body, state, role, surface)?;
        // A free body wakes whom it comes to.
        if !member.is_free() {
            self.wake();
        }
        self.members.push(member);
        self.broad.invalidate();
        Ok(self.members.len() - 1)
    }

    /// Adds a plane that bodies stay above, and returns its number. A drive moves it (its spin is ignored).
    pub fn add_plane(
        &mut self,
        plane: Plane,
        surface: Surface,
        drive: Option<Drive>,
    ) -> Result<usize, DynamicsError> {
        surface.check()?;
        drive.as_ref().map_or(Ok(()), Drive::check)?;
        let plane = Plane::new(plane.normal, plane.offset)?;
        self.planes.push(Boundary {
            plane,
            surface,
            material: None,
            drive,
            velocity: DVec3::ZERO,
        });
        self.wake();
        self.broad.invalidate();
        Ok(self.planes.len() - 1)
    }

    /// Adds the five planes of a box, open at the top, with inner corners at `low` and `high`.
    pub fn add_container(
        &mut self,
        low: DVec3,
        high: DVec3,
        surface: Surface,
    ) -> Result<(), DynamicsError> {
        finite_vector("low corner", low)?;
        finite_vector("high corner", high)?;
        let width = (high - low).truncate().min_element();
        require(
            "inner width of the container",
            width,
            width > 0.0,
            "above 0: high over low in x and y",
        )?;
        for (normal, offset) in [
            (DVec3::Z, low.z),
            (DVec3::X, low.x),
            (-DVec3::X, -high.x),
            (DVec3::Y, low.y),
            (-DVec3::Y, -high.y),
        ] {
            self.add_plane(Plane::new(normal, offset)?, surface, None)?;
        }
        Ok(())
    }

    /// How the world is stepped.
    pub fn settings(&self) -> &WorldSettings {
        &self.settings
    }

    /// Replaces the settings, from the next step on. Springs keep their forces, and with another stiffness hold another
    /// energy.
    pub fn set_settings(&mut self, settings: WorldSettings) -> Result<(), DynamicsError> {
        settings.check()?;
        if settings.stiffness.is_some() && settings.step != self.settings.step {
            let longer = settings.step / self.settings.step;
            self.contacts.iter_mut().for_each(|c| c.impulse *= longer);
        }
        self.settings = settings;
        self.wake();
        self.broad.invalidate();
        Ok(())
    }

    /// Time (s).
    pub fn time(&self) -> f64 {
        self.time
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// State of a body.
    pub fn state(&self, body: usize) -> Option<&State> {
        self.members.get(body).map(|m| &m.state)
    }

    /// Whether gravity and contacts move a body.
    pub fn is_free(&self, body: usize) -> bool {
        self.members.get(body).is_some_and(Member::is_free)
    }

    /// Mass and shape of a body.
    pub fn body(&self, body: usize) -> Option<&Body> {
        self.members.get(body).map(|m| &m.body)
    }

    /// States of all bodies, in their order.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &State> + '_ {
        self.members.iter().map(|m| &m.state)
    }

    /// Sets the velocity of a body; nothing if there is no such body, or it is fixed.
    pub fn set_velocity(&mut self, body: usize, velocity: Twist) -> Result<(), DynamicsError> {
        let velocity = Twist::new(velocity.linear, velocity.angular)?;
        let moves = |m: &&mut Member| m.role != Role::Fixed;
        if let Some(m) = self.members.get_mut(body).filter(moves) {
            m.state.velocity = velocity;
            m.drowsiness = drowsiness::Drowsiness::AWAKE;
        }
        Ok(())
    }

    /// The planes as they stand now.
    pub fn planes(&self) -> impl ExactSizeIterator<Item = &Plane> + '_ {
        self.planes.iter().map(|b| &b.plane)
    }

    /// The contacts of the last step: gaps at its start, impulses and relative velocities at its end.
    pub fn contacts(&self) -> &[WorldContact] {
        &self.contacts
    }

    /// Bodies of the last step that do not fit where they are: no displacement takes out their overlap.
    pub fn wedged(&self) -> impl Iterator<Item = usize> + '_ {
        let islands = self.islands.iter().filter(|island| !island.asleep);
        islands.flat_map(|island| island.wedged.iter().map(|&body| body as usize))
    }

    /// Sums over all steps.
    pub fn ledger(&self) -> &WorldLedger {
        &self.ledger
    }

    /// Kinetic energy of the free bodies (J).
    pub fn kinetic_energy(&self) -> f64 {
        self.free()
            .map(|m| m.state.kinetic_energy(&m.body).total())
            .sum()
    }

    /// Energy in the springs of the contacts, `½ ‖F‖²/k`; 0 for rigid ones (J).
    pub fn elastic_energy(&self) -> f64 {
        let compliance = self.settings.compliance();
        if compliance == 0.0 {
            return 0.0;
        }
        let squares = self.contacts.iter().map(|c| c.impulse.length_squared());
        // A sum of none is −0.
        0.5 * compliance * (squares.sum::<f64>() + 0.0)
    }

    /// Potential energy of the free bodies in the field of gravity, zero at the origin (J).
    pub fn potential_energy(&self) -> f64 {
        self.free()
            .map(|m| m.state.potential_energy(&m.body, self.settings.gravity))
            .sum()
    }

    fn free(&self) -> impl Iterator<Item = &Member> + '_ {
        self.members.iter().filter(|m| m.is_free())
    }

    /// Pairs of bodies (and planes) whose boxes overlap at present: what the narrow phase looks at.
    pub fn candidate_pairs(&self) -> usize {
        self.broad.candidates.len()
    }
}
