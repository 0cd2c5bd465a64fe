//! Settings of the contact engine for blocks that rock: nothing bounces, overlap is taken out slowly, nothing sleeps.

use glam::DVec3;
use klast_dynamics::{Effort, Impacts, WorldSettings};

/// What differs from engine to engine.
#[derive(Debug, Clone, Copy)]
pub struct Stepping {
    /// Gravity (m/s²), downwards.
    pub gravity: f64,
    /// Time step (s).
    pub step: f64,
    /// Weight of the end of a step.
    pub theta: f64,
    /// Relative residual to which contacts are solved, and the sweeps before other methods.
    pub effort: (f64, usize),
    /// Whether contact points go on arcs, as the settings of the world say.
    pub arcs: bool,
    /// Least length of the bodies (m); margin and slop are parts of it.
    pub size: f64,
}

/// The settings.
#[must_use]
pub fn settings(stepping: Stepping) -> WorldSettings {
    let (tolerance, sweeps) = stepping.effort;
    WorldSettings {
        gravity: DVec3::new(0.0, 0.0, -stepping.gravity),
        step: stepping.step,
        theta: stepping.theta,
        effort: Effort::Residual { tolerance, sweeps },
        impacts: Impacts::Together,
        bounce_above: 0.0,
        margin: 1e-3 * stepping.size,
        slop: 1e-7 * stepping.size,
        recovery: 0.2,
        sleep: None,
        stiffness: None,
        max_newton_steps: None,
        arcs: stepping.arcs,
        parallel: false,
    }
}
