//! When a run ends, which speeds count as none, and how it steps.

use crate::DynamicsError;
use glam::DVec3;
use klast_contact::ImpactLaw;
use klast_numerics::check::{finite_vector, non_negative, positive};

/// When to stop, and below which speeds motion is simplified.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum time (s); may be infinite.
    pub time: f64,
    /// Maximum number of steps: flights, impacts and stretches of sustained contact together.
    pub steps: usize,
    /// Normal-velocity cutoff (m/s): a slower rebound is none.
    pub normal_velocity: f64,
    /// Stopped-velocity cutoff (m/s): a body whose contacts can hold it is at rest once all its points are slower.
    pub stopped_velocity: f64,
}

impl Default for Limits {
    /// One hour, a million steps, 1e-4 m/s and 1e-6 m/s.
    fn default() -> Self {
        Self {
            time: 3600.0,
            steps: 1_000_000,
            normal_velocity: 1e-4,
            stopped_velocity: 1e-6,
        }
    }
}

/// How a run goes through time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Stepping {
    /// Event by event: exact flight, exact first contact, impact; sustained contact where bounces die out. The default.
    #[default]
    EventDriven,
    /// Event by event, each impact solved so many seconds after the true first contact, at the vertices that are lowest
    /// then, as a program with a small fixed step does. On a plane.
    Late(f64),
    /// Moreau's midpoint scheme with a fixed step (s) throughout, as RAMMS::Rockfall has it: no events.
    Midpoint(f64),
}

/// Everything about a run but the body and the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// When to stop.
    pub limits: Limits,
    /// Longest step in sustained contact (s); none: the tolerance of the engine alone sets it.
    pub contact_step: Option<f64>,
    /// The law of impacts; sustained contact has no restitution and the exact cone.
    pub impact_law: ImpactLaw,
    /// Whether an impact whose law makes energy (Newton's with friction can, Kane 1984) is refused: it then is that of
    /// Newton's law with the normal impulses found first, and plastic where that makes energy too. Without it the
    /// impact stands as the law has it, which is what other programs print.
    pub refuse_gains: bool,
    /// How time goes.
    pub stepping: Stepping,
}

impl Default for Options {
    /// Standard gravity along −z of 9.81 m/s², [`Limits::default`], Newton's law on the exact cone, event by event.
    fn default() -> Self {
        Self {
            gravity: DVec3::new(0.0, 0.0, -9.81),
            limits: Limits::default(),
            contact_step: None,
            impact_law: ImpactLaw::default(),
            refuse_gains: true,
            stepping: Stepping::default(),
        }
    }
}

impl Options {
    /// Refuses numbers outside of their meaning.
    pub fn validate(&self) -> Result<(), DynamicsError> {
        finite_vector("gravity", self.gravity)?;
        let Limits {
            time,
            normal_velocity,
            stopped_velocity,
            ..
        } = self.limits;
        if time != f64::INFINITY {
            positive("maximum time", time)?;
        }
        non_negative("normal-velocity cutoff", normal_velocity)?;
        non_negative("stopped-velocity cutoff", stopped_velocity)?;
        if let Some(step) = self.contact_step {
            positive("contact step", step)?;
        }
        match self.stepping {
            Stepping::EventDriven => {}
            Stepping::Late(late) => {
                non_negative("lateness of an impact", late)?;
            }
            Stepping::Midpoint(step) => {
                positive("step", step)?;
            }
        }
        Ok(())
    }
}
