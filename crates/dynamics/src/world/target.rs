//! What the solution of a contact problem has to reach.

use super::contact_problem::ContactProblem;
use super::settings::WorldSettings;

/// Parts of the tolerance for the speed at which contacts may close, and for the residual that a solver may leave:
/// their sum bounds the residual of the law itself. Where a heap is locked it can close only by giving way somewhere,
/// however slowly: at 0.4 of the tolerance that takes hundreds of Newton steps. Compliant contacts close at no cost,
/// and with a smaller residual none is shortened.
const RIGID: (f64, f64) = (0.1, 0.8);
const SPRINGS: (f64, f64) = (0.4, 0.2);
/// The same for what rests, the residual that is worked for there, and the one up to which a start is left alone. A
/// solution to that many digits is an equilibrium, which holds for many steps: in each only the residual is looked at.
/// Velocities of the closing speed that the last step left are in the residual of the next one.
const AT_REST: (f64, f64) = (0.02, 0.8);
const FINE: f64 = 1e-3;
const HOLDS: f64 = 1.5 * AT_REST.0;
/// The residual up to which an equilibrium is left alone, and what it may grow by in a step: where it grows by more the
/// impulses still bear the motion of the step before.
const EQUILIBRIUM: (f64, f64) = (5.0 * AT_REST.0, 0.25 * AT_REST.0);
/// Closing and residual where loads or geometry change from step to step: contacts that close faster than the residual
/// make no energy, so nothing is shortened. With [`RIGID`] the pass takes 5 of 6 seconds of a tower of 200 planks that
/// leans over.
const CHANGED: (f64, f64) = (0.5, 0.25);
/// Maximum refinement rounds: of some thousand heaps of a thousand hulls nearly all need none, the hardest 12.
const ROUNDS: usize = 24;
/// What is enough of what is asked for: it may do, and another round costs less than the last digit here. With the
/// share of closing it stays under the tolerance. Where loads change the last digit holds for no later step.
const ACCEPTABLE: f64 = 1.1;
const ACCEPTABLE_OF_CHANGED: f64 = 1.8;
const _: () = assert!(
    ACCEPTABLE * RIGID.1 + RIGID.0 <= 1.0
        && ACCEPTABLE * SPRINGS.1 + SPRINGS.0 <= 1.0
        && ACCEPTABLE_OF_CHANGED * CHANGED.1 + CHANGED.0 <= 1.0
);
/// Rounds of automatic effort, and the part of the tolerance that is solved for where a start is not good enough: the
/// solution then holds for many steps.
const ROUNDS_OF_AUTO: usize = 4;
const TIGHTER: f64 = 0.1;

/// What a solution has to reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub tolerance: f64,
    /// Parts of the tolerance: the speed at which contacts may close, the residual that a solver may leave, and the one
    /// up to which a start is left alone.
    pub closing: f64,
    pub share: f64,
    pub holds: f64,
    /// What is enough, in parts of what is asked for.
    pub acceptable: f64,
    /// Part of the share that is solved for where a start exceeds it.
    pub tighter: f64,
    /// Part of the tolerance that Newton's method works for in the end, where the solution is to hold.
    pub fine: Option<f64>,
    /// Whether another solution is sooner found than a long pass of shortening comes to its end.
    pub brief: bool,
    /// Refinement rounds at most.
    pub rounds: usize,
}

impl Target {
    /// Of an effort to a residual.
    pub fn of(settings: &WorldSettings, tolerance: f64) -> Self {
        let (closing, share) = settings.stiffness.map_or(RIGID, |_| SPRINGS);
        Self {
            tolerance,
            closing,
            share,
            holds: share,
            acceptable: ACCEPTABLE,
            tighter: 1.0,
            fine: None,
            brief: false,
            rounds: ROUNDS,
        }
    }

    /// Of automatic effort.
    pub fn automatic(settings: &WorldSettings, tolerance: f64, rests: bool) -> Self {
        let plain = Self {
            tighter: TIGHTER,
            rounds: ROUNDS_OF_AUTO,
            ..Self::of(settings, tolerance)
        };
        if !rests || settings.stiffness.is_some() {
            return plain;
        }
        let (closing, share) = AT_REST;
        Self {
            closing,
            share,
            holds: HOLDS,
            fine: Some(FINE),
            acceptable: 1.0 / TIGHTER,
            brief: true,
            ..plain
        }
    }

    /// The same where the solution holds for one step only.
    pub fn for_one_step(self, settings: &WorldSettings) -> Self {
        let (closing, share) = settings.stiffness.map_or(CHANGED, |_| SPRINGS);
        let acceptable = settings
            .stiffness
            .map_or(ACCEPTABLE_OF_CHANGED, |_| ACCEPTABLE);
        Self {
            closing,
            share,
            holds: share,
            acceptable,
            brief: self.brief,
            rounds: self.rounds,
            ..Self::of(settings, self.tolerance)
        }
    }

    /// Whether a solution is good enough for its step and has not the digits that would make it hold for many.
    pub fn is_missed(&self, relative: f64, asked: f64) -> bool {
        self.fine.is_some() && relative > ACCEPTABLE * asked
    }

    /// Whether the impulses that the last step left are good enough.
    pub fn is_met_by(&self, p: &ContactProblem) -> bool {
        let relative = p.system.relative_residual();
        if self.fine.is_none() || relative <= self.holds * self.tolerance {
            return relative <= self.holds * self.tolerance;
        }
        let before = p.fastest() / p.system.q_max();
        let (most, growth) = EQUILIBRIUM;
        relative <= most * self.tolerance && relative - before <= growth * self.tolerance
    }
}
