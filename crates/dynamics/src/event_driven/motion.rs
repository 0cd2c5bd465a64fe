//! Where a run stands, and when it ends.

use crate::{EnergyLedger, State};

/// When to stop, and below which speeds motion is simplified.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// Maximum time (s); may be infinite.
    pub time: f64,
    /// Maximum number of steps: flights, impacts and contact phases together.
    pub steps: usize,
    /// Normal-velocity cutoff (m/s): a slower impact does not rebound.
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

/// Flights and contact phases within [`SHORT`] seconds that are a crowd: shorter ones than the cutoffs tell apart, and a series that gets
/// shorter and shorter has no last one.
const CROWD: usize = 40;
const SHORT: f64 = 1e-3;
/// Most short steps in a row.
const SPELL: usize = 16;

/// Whether flights and contact phases crowd, and how many short steps on velocities are to be taken instead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Crowd {
    since: f64,
    count: usize,
    /// Short steps to be taken yet, how many there were in a row, and when the last one ended.
    owed: usize,
    spell: usize,
    left: f64,
}

impl Default for Crowd {
    fn default() -> Self {
        Self {
            since: 0.0,
            count: 0,
            owed: 0,
            spell: 0,
            left: f64::NEG_INFINITY,
        }
    }
}

impl Crowd {
    /// Counts a flight or a phase that is to begin now; whether a short step is to be taken instead.
    pub(super) fn one_more(&mut self, now: f64) -> bool {
        if now - self.since > SHORT {
            (self.since, self.count) = (now, 0);
        }
        self.count += 1;
        self.owed > 0 || self.count > CROWD
    }

    /// Enters a short step up to `end`. Where the last ones have hardly helped there are twice as many.
    pub(super) fn stepped(&mut self, now: f64, end: f64) {
        if self.owed == 0 {
            let again = now - self.left <= SHORT;
            self.spell = if again {
                (2 * self.spell).min(SPELL)
            } else {
                1
            };
            self.owed = self.spell;
        }
        self.owed -= 1;
        (self.since, self.count, self.left) = (end, 0, end);
    }
}

/// A body on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Time since the start (s).
    pub time: f64,
    /// State now.
    pub state: State,
    /// Sums of the energy audits.
    pub energy: EnergyLedger,
    /// Flights, impacts and contact phases so far.
    pub steps: usize,
    /// Impacts whose contact problem missed its tolerance.
    pub unconverged: usize,
    /// Short steps on velocities, where the acceleration problem had no usable answer or events crowded.
    pub jams: usize,
    /// Angle of the flights whose spin changes, at most (rad).
    pub(super) turned: f64,
    /// How events crowd.
    pub(super) crowd: Crowd,
}

impl Motion {
    /// A motion that begins with `state` at time 0.
    pub fn new(state: State) -> Self {
        Self {
            time: 0.0,
            state,
            energy: EnergyLedger::default(),
            steps: 0,
            unconverged: 0,
            jams: 0,
            turned: 0.0,
            crowd: Crowd::default(),
        }
    }
}
