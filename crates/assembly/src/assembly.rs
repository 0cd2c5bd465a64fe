//! A row of blocks in a basin, released and advanced.

use crate::chain::ImpactRule;
use crate::clock::Clock;
use crate::error::AssemblyError;
use crate::events::run_to;
use crate::frames::set_clock_back;
use crate::row::{Basin, BlockRow, Start};
use crate::run::Run;
use crate::start;

/// Approach speeds up to this part of the velocity scale are plastic: there a sequence of ever smaller impacts is taken
/// as complete. Results do not depend on it between 1e-11 and 1e-6 (see `tests/cutoff.rs`).
pub const DEFAULT_CUTOFF: f64 = 1e-11;

/// Events that follow a Poincaré section by less than this part of the period count as before it.
const SECTION_SLACK: f64 = 1e-11;

/// A row of blocks in a driven basin, advanced from event to event.
///
/// A clone is a snapshot: it continues exactly as the original does.
#[derive(Debug, Clone)]
pub struct Assembly {
    pub(crate) run: Run,
}

impl Assembly {
    /// A row released in a basin at time zero. Contacts that are closed and closing collide at once.
    ///
    /// # Errors
    /// Bad numbers in the basin, its motion or the start, blocks that do not fit, lists of the wrong length.
    pub fn new(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
    ) -> Result<Self, AssemblyError> {
        Self::with_cutoff(basin, row, start, rule, DEFAULT_CUTOFF)
    }

    /// As [`Assembly::new`] with another cut-off, relative to the velocity scale.
    ///
    /// # Errors
    /// As there; a cut-off outside [0, 1e-3].
    pub fn with_cutoff(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
        cutoff: f64,
    ) -> Result<Self, AssemblyError> {
        Ok(Self {
            run: start::release(basin, row, start, rule, cutoff)?,
        })
    }

    /// Time that has been reached, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.run.state.clock.time()
    }

    /// Runs all events up to and including `time` (s).
    ///
    /// # Errors
    /// A time before the one already reached, or not finite.
    pub fn advance_to(&mut self, time: f64) -> Result<(), AssemblyError> {
        let reached = self.time();
        // Clocks that are set back round the sum of two times.
        if !time.is_finite() || time < reached - 2.0 * f64::EPSILON * reached {
            return Err(AssemblyError::TimePassed {
                found: time,
                accepted: reached,
            });
        }
        while self.run.state.clock.may_be_set_back(self.run.model.bounds)
            && time - self.run.state.clock.epoch_start() > self.run.state.clock.epoch_unit
        {
            let unit = self.run.state.clock.epoch_unit;
            run_to(&mut self.run, unit);
            set_clock_back(&mut self.run);
        }
        // The time of an event, taken from a list, must come after it whichever way the clock rounds.
        let local = time - self.run.state.clock.epoch_start();
        run_to(&mut self.run, local + 2.0 * f64::EPSILON * time);
        self.run.state.clock.now = time - self.run.state.clock.epoch_start();
        Ok(())
    }

    /// Runs to the end of drive period number `count` after time zero, exactly in phase.
    ///
    /// # Errors
    /// A motion without a period, or a section that has passed.
    pub fn advance_to_section(&mut self, count: u64) -> Result<(), AssemblyError> {
        let period = self
            .run
            .state
            .clock
            .motion
            .law()
            .period()
            .ok_or(AssemblyError::NoPeriod)?;
        while self.run.state.clock.may_be_set_back(self.run.model.bounds)
            && count - self.run.state.clock.epoch.min(count) > 1
        {
            let unit = self.run.state.clock.epoch_unit;
            run_to(&mut self.run, unit);
            set_clock_back(&mut self.run);
        }
        let local =
            |clock: &Clock| (count as f64 - clock.epoch as f64) * period - clock.motion.start();
        if local(&self.run.state.clock)
            < self.run.state.clock.now - 2.0 * f64::EPSILON * self.time()
        {
            return Err(AssemblyError::TimePassed {
                found: count as f64 * period,
                accepted: self.time(),
            });
        }
        // An event within rounding of the section belongs before it, whichever way it was rounded.
        let until = local(&self.run.state.clock) + SECTION_SLACK * period;
        run_to(&mut self.run, until);
        self.run.state.clock.now = local(&self.run.state.clock);
        Ok(())
    }
}
