//! A run: the row, its clocks and its queue of predicted events.

use crate::bounce::Bounce;
use crate::chain::{Chain, ImpactRule, Scratch};
use crate::cluster::Cluster;
use crate::error::AssemblyError;
use crate::event::Event;
use crate::ledger::Ledger;
use crate::motion::{BasinMotion, Bounds, Frame, Kinematics};
use crate::predict::Due;
use crate::queue::EventQueue;
use crate::row::{Basin, Block};

/// Approach speeds up to this part of the velocity scale are plastic: there a sequence of ever smaller impacts is taken
/// as complete. Results do not depend on it between 1e-11 and 1e-6 (see `tests/cutoff.rs`).
pub const DEFAULT_CUTOFF: f64 = 1e-11;

/// Impacts closer in time than this part of the drive period are one event.
const SIMULTANEOUS: f64 = 1e-13;

/// Events that follow a Poincaré section by less than this part of the period count as before it.
const SECTION_SLACK: f64 = 1e-11;

/// A row of blocks in a driven basin, advanced from event to event.
///
/// A clone is a snapshot: it continues exactly as the original does.
#[derive(Debug, Clone)]
pub struct Assembly {
    pub(crate) basin: Basin,
    /// The motion with all jumps that lie in the past removed, in the frame in which the run is computed.
    pub(crate) motion: Frame,
    /// Local time after which an event begins the next frame; ∞ where the frame is that of the laboratory.
    pub(crate) frame_end: f64,
    pub(crate) blocks: Vec<Block>,
    pub(crate) rule: ImpactRule,
    pub(crate) free: f64,
    pub(crate) even_grip: bool,
    pub(crate) clusters: Vec<Cluster>,
    /// First block of the cluster that ends with this block.
    pub(crate) head: Vec<usize>,
    pub(crate) queue: EventQueue,
    /// What the time of each slot is.
    pub(crate) due: Vec<Due>,
    pub(crate) ledger: Ledger,
    pub(crate) bounds: Bounds,
    pub(crate) cutoff: f64,
    /// Gaps above this one are no tangent touch, whatever the rounding, m.
    pub(crate) touch: f64,
    pub(crate) velocity_scale: f64,
    /// Characteristic period, s.
    pub(crate) scale_time: f64,
    pub(crate) now: f64,
    /// How often the clock has been set back by `epoch_unit`, so that times keep their digits in long runs.
    pub(crate) epoch: u64,
    /// See [`BasinMotion::epoch_unit`].
    pub(crate) epoch_unit: f64,
    pub(crate) chain: Chain,
    pub(crate) scratch: Scratch,
    pub(crate) kept: Option<(f64, Kinematics)>,
    pub(crate) log: Option<Vec<Event>>,
    pub(crate) work: Vec<usize>,
    pub(crate) bounces: Vec<Bounce>,
}

impl Assembly {
    /// Time that has been reached, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.epoch_start() + self.now
    }

    /// First blocks of all clusters from left to right.
    pub(crate) fn heads(&self) -> impl Iterator<Item = usize> + '_ {
        let n = self.blocks.len();
        let next = move |c: &usize| Some(self.clusters[*c].last + 1).filter(|&d| d < n);
        std::iter::successors((n > 0).then_some(0), next)
    }

    pub(crate) fn epoch_start(&self) -> f64 {
        self.epoch as f64 * self.epoch_unit + self.motion.start()
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
        while self.may_set_clock_back() && time - self.epoch_start() > self.epoch_unit {
            self.run_to(self.epoch_unit);
            self.set_clock_back();
        }
        // The time of an event, taken from a list, must come after it whichever way the clock rounds.
        let local = time - self.epoch_start();
        self.run_to(local + 2.0 * f64::EPSILON * time);
        self.now = time - self.epoch_start();
        Ok(())
    }

    /// Runs to the end of drive period number `count` after time zero, exactly in phase.
    ///
    /// # Errors
    /// A motion without a period, or a section that has passed.
    pub fn advance_to_section(&mut self, count: u64) -> Result<(), AssemblyError> {
        let period = self.motion.law().period().ok_or(AssemblyError::NoPeriod)?;
        while self.may_set_clock_back() && count - self.epoch.min(count) > 1 {
            self.run_to(self.epoch_unit);
            self.set_clock_back();
        }
        let local = |run: &Self| (count as f64 - run.epoch as f64) * period - run.motion.start();
        if local(self) < self.now - 2.0 * f64::EPSILON * self.time() {
            return Err(AssemblyError::TimePassed {
                found: count as f64 * period,
                accepted: self.time(),
            });
        }
        // An event within rounding of the section belongs before it, whichever way it was rounded.
        self.run_to(local(self) + SECTION_SLACK * period);
        self.now = local(self);
        Ok(())
    }

    /// Whether the clock goes back whenever a span has passed; where the frame travels it does so with the frames.
    fn may_set_clock_back(&self) -> bool {
        !self.motion.travels() && self.goes_on()
    }

    /// Whether the motion is past its lead-in and of a kind that goes on for ever. A basin that stands still has no phase to keep.
    fn goes_on(&self) -> bool {
        if self.bounds.acceleration == 0.0 {
            return false;
        }
        match self.motion.law() {
            BasinMotion::Harmonic { lead_in, .. } => *lead_in == 0.0,
            BasinMotion::Waves(_) => self.epoch_unit > 0.0,
            BasinMotion::Ground(_) => false,
        }
    }

    fn set_clock_back(&mut self) {
        let by = self.epoch_unit;
        self.update_outdated();
        self.queue.shift(-by);
        for bounce in &mut self.bounces {
            bounce.shift(-by);
        }
        let before = self.motion.place(self.now);
        self.now = (self.now - by).max(0.0);
        self.epoch += 1;
        self.motion.set_back(by);
        self.kept = None;
        // A period is known to its rounding, by which the basin seems to step; what slides steps with it.
        let step = self.motion.place(self.now) - before;
        for cluster in &mut self.clusters {
            cluster.set_back(by, step);
        }
        self.doubt_obstacles();
    }

    /// Begins the next frame at the local time `t`, where the basin then is at rest at the origin.
    pub(crate) fn next_frame(&mut self, t: f64) {
        let k = self.kin(t);
        let mut c = 0;
        while c < self.blocks.len() {
            self.bring_placed(c, t);
            self.close_segment(c, t);
            let cluster = &mut self.clusters[c];
            cluster.carry(&k);
            cluster.t = 0.0;
            (cluster.path, cluster.mark_x, cluster.mark_t) = (0.0, 0.0, 0.0);
            c = cluster.last + 1;
        }
        self.motion.pass(t);
        while self.goes_on() && self.motion.start() >= self.epoch_unit {
            self.motion.set_back(self.epoch_unit);
            self.epoch += 1;
        }
        self.shift_clock(t);
    }

    /// The clock of a new frame, which begins at `t` on the old one: predictions and what has been noted move with it.
    pub(crate) fn shift_clock(&mut self, t: f64) {
        self.queue.shift(-t);
        for bounce in &mut self.bounces {
            bounce.shift(-t);
        }
        self.now = (self.now - t).max(0.0);
        self.kept = None;
        self.frame_end = self.frame_span();
    }

    /// For how long the frame serves, whose basin is at rest at its start.
    pub(crate) fn frame_span(&self) -> f64 {
        if !self.motion.travels() {
            return f64::INFINITY;
        }
        let fastest = self
            .heads()
            .map(|c| self.clusters[c].v.abs())
            .fold(0.0, f64::max);
        self.motion
            .span(self.bounds, self.basin.length, fastest)
            .clamp(0.0, self.scale_time)
    }

    /// Basin kinematics at the local time `t`, kept for the next question about the same instant.
    #[inline]
    pub(crate) fn kin(&mut self, t: f64) -> Kinematics {
        match self.kept {
            Some((at, k)) if at == t => k,
            _ => {
                let k = self.motion.at(t);
                self.kept = Some((t, k));
                k
            }
        }
    }

    /// Time within which two impacts are one event, s.
    #[inline]
    pub(crate) fn simultaneous(&self) -> f64 {
        SIMULTANEOUS * self.scale_time
    }
}
