//! The time of a run, and the basin motion at it.

use crate::motion::{BasinMotion, Bounds, Frame, Kinematics};

/// The local time and the frame in which a run is computed.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    /// The motion with all jumps that lie in the past removed, in the frame in which the run is computed.
    pub(crate) motion: Frame,
    /// Local time after which an event begins the next frame; ∞ where the frame is that of the laboratory.
    pub(crate) frame_end: f64,
    /// The local time reached, s.
    pub(crate) now: f64,
    /// How often the clock has been set back by `epoch_unit`, so that times keep their digits in long runs.
    pub(crate) epoch: u64,
    /// See [`BasinMotion::epoch_unit`].
    pub(crate) epoch_unit: f64,
    /// The basin at the last instant asked for.
    kept: Option<(f64, Kinematics)>,
}

impl Clock {
    pub(crate) fn new(motion: Frame, epoch_unit: f64) -> Self {
        Self {
            motion,
            frame_end: 0.0,
            now: 0.0,
            epoch: 0,
            epoch_unit,
            kept: None,
        }
    }

    /// Time that has been reached, s.
    pub(crate) fn time(&self) -> f64 {
        self.epoch_start() + self.now
    }

    /// The time of the local time zero, s.
    pub(crate) fn epoch_start(&self) -> f64 {
        self.epoch as f64 * self.epoch_unit + self.motion.start()
    }

    /// Basin kinematics at the local time `t`, kept for the next question about the same instant.
    #[inline]
    pub(crate) fn kinematics(&mut self, t: f64) -> Kinematics {
        let k = self.kinematics_at(t);
        self.kept = Some((t, k));
        k
    }

    /// As [`Clock::kinematics`], not kept.
    #[inline]
    pub(crate) fn kinematics_at(&self, t: f64) -> Kinematics {
        match self.kept {
            Some((at, k)) if at == t => k,
            _ => self.motion.at(t),
        }
    }

    /// Takes `k` for the basin at `t`, as just before a jump.
    pub(crate) fn keep(&mut self, t: f64, k: Kinematics) {
        self.kept = Some((t, k));
    }

    /// Forgets what was kept: the motion has changed.
    pub(crate) fn forget(&mut self) {
        self.kept = None;
    }

    /// Whether the clock goes back whenever a span has passed; where the frame travels it does so with the frames.
    pub(crate) fn may_be_set_back(&self, bounds: Bounds) -> bool {
        !self.motion.travels() && self.goes_on(bounds)
    }

    /// Whether the motion is past its lead-in and of a kind that goes on for ever. A basin that stands still has no
    /// phase to keep.
    pub(crate) fn goes_on(&self, bounds: Bounds) -> bool {
        if bounds.acceleration == 0.0 {
            return false;
        }
        match self.motion.law() {
            BasinMotion::Harmonic { lead_in, .. } => *lead_in == 0.0,
            BasinMotion::Waves(_) => self.epoch_unit > 0.0,
            BasinMotion::Ground(_) => false,
        }
    }
}
