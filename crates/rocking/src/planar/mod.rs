//! One block in the plane: one loop over its base (rigid, tilted, compliant), its restrainers and its foot (sticks, or
//! slides and jumps).
//!
//! The base moves horizontally and vertically; the contact of a foot that slides is unilateral with Coulomb friction.
//! Between events each of the five modes of Shenton (1996, Journal of Engineering Mechanics 122, 690) has smooth
//! equations. On a rigid base they are integrated by Taylor series (`arc`); the mode after an event is the solution of
//! a complementarity problem on accelerations (`contact`), and impacts solve one on impulses (`impact`), which is
//! Housner's law where nothing slips. On a compliant base (`springs`) the contact force is a function of the state, and
//! what impacts lose is lost in dashpots. The pull of restrainers is one more load in all of them (`pull`).

mod arc;
mod closing;
mod contact;
mod energy;
#[cfg(feature = "batch")]
mod engine;
mod events;
mod falling;
#[cfg(feature = "batch")]
mod fate;
mod glide;
mod impact;
mod mode_change;
mod observe;
mod poly;
mod pull;
mod run;
mod setting;
mod springs;
mod start;
mod state;

#[cfg(feature = "batch")]
pub use engine::Engine;
#[cfg(feature = "batch")]
pub(crate) use fate::fate;
pub(crate) use run::Detail;
pub(crate) use start::drive;
pub use start::simulate_slide_rock;
pub use state::{Foot, Friction, Mode};

use crate::block::Side;
use crate::compliant::Foundation;
use crate::error::RockingError;
use crate::force::ContactDemand;
use crate::limits::{OverturningMode, check_limits, check_rotation, check_samples};
use crate::restraint::{RestrainerReport, Restraint};
use klast_numerics::check::require;

/// What a block stands on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Base {
    /// A level base that does not give.
    #[default]
    Rigid,
    /// A rigid base that falls to the right by an angle (rad) under π/2. Rotation, slip and restrainers are then those
    /// relative to the base; horizontal and vertical stay those of its motion.
    Tilted(f64),
    /// Vertical springs and dashpots, on which no restitution acts. Along the base the edge to which the block leans
    /// carries the friction.
    Compliant(Foundation),
}

/// What to integrate and how long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlideRockOptions {
    /// What the foot does.
    pub foot: Foot,
    /// What it stands on.
    pub base: Base,
    /// Restrainers.
    pub restraint: Option<Restraint>,
    /// Friction coefficient at which a foot that sticks is questioned.
    pub questioned: Option<f64>,
    /// End of the simulation (s).
    pub duration: f64,
    /// Rotation at the start (rad), clockwise positive.
    pub rotation: f64,
    /// Angular velocity at the start (rad/s).
    pub angular_velocity: f64,
    /// Velocity of the foot along the base at the start (m/s), to the right positive.
    pub sliding_velocity: f64,
    /// Rotation that counts as overturned (rad), at most π/2: beyond it the block lies on its side.
    pub overturned_at: f64,
    /// Height over the base (m), 0 or more, of the points of the block whose horizontal way is kept; 0 for the foot.
    pub reach_height: f64,
    /// Interval of the samples of the history (s); none when absent.
    pub sample: Option<f64>,
    /// Largest number of steps.
    pub max_steps: usize,
}

impl SlideRockOptions {
    /// A block at rest for `duration` seconds, on a rigid base with friction.
    pub fn new(duration: f64, friction: Friction) -> Self {
        Self::on(duration, Foot::Slides(friction))
    }

    /// The same with a foot that neither slides nor jumps.
    pub fn sticking(duration: f64) -> Self {
        Self::on(duration, Foot::Sticks)
    }

    fn on(duration: f64, foot: Foot) -> Self {
        Self {
            foot,
            base: Base::Rigid,
            restraint: None,
            questioned: None,
            duration,
            rotation: 0.0,
            angular_velocity: 0.0,
            sliding_velocity: 0.0,
            overturned_at: std::f64::consts::FRAC_PI_2,
            reach_height: 0.0,
            sample: None,
            max_steps: 10_000_000,
        }
    }

    pub(crate) fn check(&self) -> Result<(), RockingError> {
        check_limits(self.duration, self.overturned_at)?;
        if let Base::Tilted(angle) = self.base {
            let steep = angle.abs() < std::f64::consts::FRAC_PI_2;
            require("tilt of the base", angle, steep, "between -π/2 and π/2 rad")?;
        }
        if let Some(mu) = self.questioned {
            require("friction coefficient", mu, mu > 0.0, "above 0")?;
        }
        let stands = self.foot != Foot::Sticks || self.sliding_velocity == 0.0;
        let accepted = "0 m/s for a foot that sticks";
        require("sliding velocity", self.sliding_velocity, stands, accepted)?;
        let upright = self.overturned_at <= std::f64::consts::FRAC_PI_2;
        let accepted = "above 0 and at most π/2 rad";
        require(
            "rotation of overturning",
            self.overturned_at,
            upright,
            accepted,
        )?;
        check_rotation(self.rotation, self.overturned_at)?;
        require("angular velocity", self.angular_velocity, true, "finite")?;
        require("sliding velocity", self.sliding_velocity, true, "finite")?;
        let height = self.reach_height;
        require("height of a point", height, height >= 0.0, "0 m or more")?;
        if let Some(step) = self.sample {
            require("sample interval", step, step > 0.0, "above 0 s")?;
            check_samples(self.duration, step)?;
        }
        Ok(())
    }
}

/// What became of a block that may slide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlideRockOutcome {
    /// It neither slid nor left the base.
    Rest,
    /// It slid, never rocked, and rests at the end.
    Slid,
    /// It slides at the end and never rocked.
    Sliding,
    /// It rocked or jumped, and stands on its base at the end, at rest or sliding.
    Settled,
    /// It still rocks, or is in the air, at the end of the simulation.
    Rocking,
    /// It overturned.
    Overturned(OverturningMode),
}

/// What happens at an event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlideRockEventKind {
    /// The mode changes without an impact.
    Mode,
    /// A corner, or both, hit the base.
    Impact {
        /// Angular velocity before (rad/s).
        before: f64,
        /// Angular velocity after (rad/s).
        after: f64,
    },
    /// A sliding corner jams: velocities jump although nothing collides (Painlevé's paradox).
    Jam,
    /// A restrainer breaks.
    Broke {
        /// Its number, from 0 in the order given.
        restrainer: usize,
    },
    /// The rest of an infinite sequence of impacts is summed up: flat from the time of the event on.
    Closed,
    /// The block lies on its side.
    Overturned {
        /// Side it fell to.
        side: Side,
    },
}

/// An event of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlideRockEvent {
    /// Time (s).
    pub time: f64,
    /// What happens.
    pub kind: SlideRockEventKind,
    /// Mode from there on.
    pub mode: Mode,
}

/// A sample of the history.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlideRockSample {
    /// Time (s).
    pub time: f64,
    /// Rotation (rad), clockwise positive.
    pub rotation: f64,
    /// Angular velocity (rad/s).
    pub angular_velocity: f64,
    /// Angular acceleration (rad/s²).
    pub angular_acceleration: f64,
    /// Way of the foot along the base since the start (m), to the right positive: of the corner it stands on, or of the
    /// middle of its base in the air.
    pub slip: f64,
    /// Settlement (m) of a compliant base below the mass centre, downwards positive, from springs without load.
    pub settlement: f64,
    /// Mode.
    pub mode: Mode,
}

/// Where the energy went, per mass (J/kg), relative to the base.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SlideRockEnergy {
    /// Mechanical energy at the start, with that of springs and restrainers.
    pub start: f64,
    /// The same at the end.
    pub end: f64,
    /// Work of the inertial forces of the moving base, and of gravity along a tilted one.
    pub base_work: f64,
    /// Lost to sliding friction.
    pub friction: f64,
    /// Lost in impacts.
    pub impacts: f64,
    /// Gained in impacts; 0 for every law here.
    pub gained: f64,
    /// Taken by the dashpots of a compliant base.
    pub damping: f64,
    /// Taken by restrainers that yield.
    pub yielding: f64,
    /// Stored in restrainers that broke.
    pub ruptures: f64,
    /// Largest imbalance of one phase between events: energy change less work plus losses.
    pub imbalance: f64,
}

impl SlideRockEnergy {
    /// What the balance of the whole run leaves.
    pub fn residual(&self) -> f64 {
        let lost = self.damping + self.friction + self.impacts + self.yielding + self.ruptures;
        self.start + self.base_work - (lost - self.gained) - self.end
    }
}

/// Result of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct SlideRockRun {
    /// Outcome of the block.
    pub outcome: SlideRockOutcome,
    /// All events; of an infinite sequence of impacts those before its sum was taken.
    pub events: Vec<SlideRockEvent>,
    /// Number of impacts.
    pub impacts: usize,
    /// Number of times the block left the base with both corners.
    pub jumps: usize,
    /// Number of Painlevé jams: sliding contacts without a solution on accelerations, resolved on velocities.
    pub jams: usize,
    /// Number of contact problems with more than one solution; the mode kept is the first of stick, slip, release.
    pub ambiguous: usize,
    /// Number of contact problems for which no solution was found on either level; the least contradicting was taken.
    pub unresolved: usize,
    /// First time (s) at which the block slides, on its base or on a corner.
    pub first_slide: Option<f64>,
    /// First time (s) at which a corner leaves the base.
    pub first_rock: Option<f64>,
    /// First time (s) at which both corners leave the base.
    pub first_jump: Option<f64>,
    /// Largest rotation reached in either direction (rad).
    pub largest_rotation: f64,
    /// Largest angular velocity in either direction (rad/s), at events and ends of steps.
    pub largest_velocity: f64,
    /// Slip at the end (m), to the right positive.
    pub slip: f64,
    /// Largest slip from the start in either direction (m).
    pub largest_slip: f64,
    /// Largest velocity (m/s) with which a corner landed on a rigid base.
    pub largest_landing: f64,
    /// Largest horizontal way (m) to either side, relative to the base, of the points of the block at the stated height
    /// above its corners, while the block stands on its base or a corner: slip and height times the sine of the
    /// rotation. Within an arc both are taken at their largest, so it is exact where nothing slips and otherwise above
    /// by no more than the slip within one arc.
    pub largest_reach: f64,
    /// Way slid, each direction counted (m).
    pub way: f64,
    /// What each restrainer did, in the order given.
    pub restrainers: Vec<RestrainerReport>,
    /// What a foot that sticks needs of the contact, and when the model ends.
    pub contact: ContactDemand,
    /// Number of times an edge leaves a compliant base.
    pub uplifts: usize,
    /// Time of the first of them (s).
    pub first_uplift: Option<f64>,
    /// Largest settlement (m) of an edge into a compliant base.
    pub largest_settlement: f64,
    /// Number of steps.
    pub steps: usize,
    /// Where the energy went.
    pub energy: SlideRockEnergy,
    /// History at the sample interval.
    pub samples: Vec<SlideRockSample>,
    /// Time reached (s).
    pub end_time: f64,
    /// Rotation (rad) and angular velocity (rad/s) at the end.
    pub end: (f64, f64),
}

impl SlideRockRun {
    /// Time at which the block came to rest for the last time (s), if it rests at the end.
    pub fn rest_time(&self) -> Option<f64> {
        let last = self.events.last()?;
        (last.mode == Mode::Rest).then_some(last.time)
    }
}
