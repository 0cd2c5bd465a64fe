//! How a stack is run.

use super::restitution::InterfaceRestitution;
use klast_numerics::check::require;
use klast_rocking::RockingError;

/// What a run may be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackOptions {
    /// The run ends at this time (s).
    pub end: f64,
    /// Largest neglected angular acceleration of a step over g/H, with H the total height.
    pub tolerance: f64,
    /// Restitution on the base.
    pub base: InterfaceRestitution,
    /// Restitution between blocks.
    pub between: InterfaceRestitution,
    /// An interface struck that opens slower than this, over the frequency parameter p of the whole, is shut, if the
    /// accelerations keep it so.
    pub closing_rate: f64,
    /// Interval of the samples (s); none are kept without it.
    pub sampling: Option<f64>,
    /// Friction coefficient to compare |T/N| with; it changes nothing in the motion.
    pub friction: Option<f64>,
    /// Most steps of the integrator.
    pub most_steps: usize,
    /// Whether the run is cut at the first interface that shuts after a sequence of impacts.
    pub stop_at_closing: bool,
}

impl StackOptions {
    /// Restitution of an interface.
    pub(super) fn restitution(&self, interface: usize) -> InterfaceRestitution {
        match interface {
            0 => self.base,
            _ => self.between,
        }
    }

    /// The base law everywhere, tolerance 1e-11, interfaces shut below 6.53e-10 p (1e-9 rad/s for two blocks of 3.1 m),
    /// up to time `end` (s).
    #[must_use]
    pub fn until(end: f64) -> Self {
        Self {
            end,
            tolerance: 1e-11,
            base: InterfaceRestitution::Housner,
            between: InterfaceRestitution::Housner,
            closing_rate: 6.53e-10,
            sampling: None,
            friction: None,
            most_steps: 10_000_000,
            stop_at_closing: false,
        }
    }

    pub(super) fn check(&self) -> Result<(), RockingError> {
        require("end of the run (s)", self.end, true, "finite")?;
        let fine = self.tolerance > 0.0 && self.tolerance <= 1e-3;
        require("tolerance", self.tolerance, fine, "above 0, up to 1e-3")?;
        require(
            "closing rate over p",
            self.closing_rate,
            self.closing_rate > 0.0,
            "above 0",
        )?;
        if let Some(interval) = self.sampling {
            require("sampling interval (s)", interval, interval > 0.0, "above 0")?;
        }
        if let Some(friction) = self.friction {
            require(
                "friction coefficient",
                friction,
                friction >= 0.0,
                "0 or above",
            )?;
        }
        for restitution in [self.base, self.between] {
            if let Some(value) = restitution.parameter() {
                require(
                    "restitution parameter",
                    value,
                    (0.0..=1.0).contains(&value),
                    "0 to 1",
                )?;
            }
        }
        Ok(())
    }
}
