//! Whether a block may slide, and with what friction.

use klast_rocking as rocking;
use klast_runs::error::Result;
use klast_runs::{bail, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

use super::restitution::Equation;
use klast_runs::faults::Fault;

/// Slip (m) from which on a trial counts as one that slides.
pub const TOLD_SLIP: f64 = 1e-3;

/// Model of the motion of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// The block neither slides nor jumps. If `friction` is stated, the results state the time from which this model
    /// does not hold.
    NoSlip,
    /// The block can slide, rock, slide while it rocks, and jump.
    SlideRock,
}

/// What a scene says of slip.
#[derive(Debug, Clone, Copy)]
pub struct Slip {
    /// The model it names.
    pub engine: Option<Engine>,
    /// Friction coefficient.
    pub friction: Option<f64>,
    /// Another one at rest.
    pub friction_at_rest: Option<f64>,
    /// Equation of motion.
    pub equation: Equation,
    /// The key of what holds it or gives under it.
    pub support: Option<&'static str>,
}

impl Slip {
    /// The model: with slip where a friction is given and the equation is nonlinear, unless the scene names one.
    ///
    /// # Errors
    /// Slip without a friction, or beside another equation; a coefficient out of its range.
    pub fn build(&self) -> Result<rocking::Engine> {
        let plain = matches!(self.equation, Equation::Nonlinear);
        if let Some(key) = self.support {
            ensure!(
                plain,
                Fault::new(key, "beside another equation").accepted("equation nonlinear")
            );
        }
        let slips = match self.engine {
            Some(engine) => engine == Engine::SlideRock,
            None => self.friction.is_some() && plain,
        };
        if let Some(friction) = self.friction {
            ensure!(
                friction.is_finite() && friction > 0.0,
                Fault::new("friction", friction).accepted("above 0")
            );
        }
        if !slips {
            ensure!(
                self.friction_at_rest.is_none(),
                Fault::new(
                    "friction_at_rest",
                    "the engine no_slip looks at one friction"
                )
                .accepted("friction alone, or engine slide_rock")
            );
            return Ok(rocking::Engine::NoSlip);
        }
        ensure!(
            plain,
            Fault::new("engine", "slide_rock beside another equation")
                .accepted("equation nonlinear")
        );
        let Some(sliding) = self.friction else {
            bail!(Fault::new("engine", "slide_rock: no friction").accepted("friction, above 0"));
        };
        let at_rest = self.friction_at_rest.unwrap_or(sliding);
        ensure!(
            at_rest >= sliding,
            Fault::new("friction_at_rest", at_rest)
                .accepted(format!("not below friction ({sliding})"))
        );
        Ok(rocking::Engine::SlideRock(rocking::Friction::with_rest(
            at_rest, sliding,
        )?))
    }
}
