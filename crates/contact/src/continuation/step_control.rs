//! How fast the smoothing falls, and when a homotopy stagnates.

/// Part of τ that the first step takes off, and the least and the most that a step does.
const FIRST_FALL: f64 = 0.7;
const LEAST_FALL: f64 = 0.1;
const LARGEST_FALL: f64 = 0.9;
/// The same after a retreat.
const RETREAT_FALL: f64 = 0.5;
/// A step of less than this part is short.
pub(super) const SHORT: f64 = 0.2;

/// The part of τ that a step takes off.
#[derive(Debug, Clone, Copy)]
pub(super) struct FallControl(f64);

impl Default for FallControl {
    fn default() -> Self {
        Self(FIRST_FALL)
    }
}

impl FallControl {
    pub fn after_retreat() -> Self {
        Self(RETREAT_FALL)
    }

    /// What the next step is to take off `tau`.
    pub fn fall(self, tau: f64) -> f64 {
        self.0 * tau
    }

    /// Larger after a whole step, smaller after a part of one.
    pub fn adapt(&mut self, part: f64) {
        self.0 = if part == 1.0 {
            (0.5 + 0.5 * self.0).min(LARGEST_FALL)
        } else {
            (1.5 * part * self.0).clamp(LEAST_FALL, LARGEST_FALL)
        };
    }
}

/// Stagnation of a homotopy: two short steps in a row, or too many in which τ has not halved.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stagnation {
    short: usize,
    /// τ at its last halving, and the steps since.
    tau: f64,
    waited: usize,
}

impl Stagnation {
    pub fn at(tau: f64) -> Self {
        Self {
            tau,
            ..Self::default()
        }
    }

    /// Whether the homotopy stagnates after a step of this part to this τ; `patience` bounds the steps without a
    /// halving.
    pub fn after(&mut self, part: f64, tau: f64, patience: usize) -> bool {
        self.short = if part < SHORT { self.short + 1 } else { 0 };
        self.waited += 1;
        if tau <= 0.5 * self.tau {
            (self.tau, self.waited) = (tau, 0);
        }
        self.short == 2 || self.waited == patience
    }
}
