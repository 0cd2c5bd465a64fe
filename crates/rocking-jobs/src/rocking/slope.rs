//! A block on a base that falls to the right: Newmark's block on a slope.

use klast_rocking::{Friction, RockingBlock, SlideRockOutcome, SlideRockRun};
use schemars::JsonSchema;
use serde::Serialize;

/// Uphill way (m) that is none but rounding.
const ROUNDING_WAY: f64 = 1e-9;

/// A block on a slope.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Slope {
    /// Angle by which the base falls to the right (rad).
    pub base_tilt_rad: f64,
    /// Yield acceleration g tan(φ - β) (m/s²): horizontal acceleration of the base above which the block slides down,
    /// with the angle of friction φ at rest and the angle of the base β. It is below 0 if the block slides without
    /// motion.
    pub yield_acceleration_m_s2: f64,
    /// Length of the path that the foot slides uphill (m).
    pub uphill_m: f64,
    /// Displacement of Newmark's rigid block (m), which integrates the horizontal acceleration above the yield
    /// acceleration: slip at the end over (cos β + μ sin β). It is null if the block rocks or slides uphill, because
    /// that block does neither, if it still slides at the end, or if the coefficients of friction differ.
    pub newmark_displacement_m: Option<f64>,
}

impl Slope {
    /// Of a run on a base that falls by `tilt` (rad).
    pub(super) fn of(
        run: &SlideRockRun,
        (block, friction): (&RockingBlock, Friction),
        tilt: f64,
    ) -> Self {
        let (sin, cos) = libm::sincos(tilt);
        let mu = friction.at_rest();
        let downhill = run.slip * 1f64.copysign(tilt);
        let uphill = 0.5 * (run.way - downhill);
        let slid = matches!(run.outcome, SlideRockOutcome::Rest | SlideRockOutcome::Slid);
        let plain = slid && uphill < ROUNDING_WAY && friction.at_rest() == friction.sliding();
        let along = cos + mu * sin.abs();
        Self {
            base_tilt_rad: tilt,
            yield_acceleration_m_s2: block.gravity() * (mu * cos - sin.abs()) / along,
            uphill_m: uphill,
            newmark_displacement_m: plain.then(|| downhill / along),
        }
    }

    /// What is said of a block that slides uphill too.
    pub(super) fn warning(&self) -> Option<String> {
        (self.uphill_m >= ROUNDING_WAY).then(|| {
            format!(
                "it slides uphill by {:.3} m in all: Newmark's block, which slides down alone, would end farther down",
                self.uphill_m
            )
        })
    }
}
