//! What a run of a stack leaves: events, samples, falls, diagnostics and why it ended.

use super::configuration::{Configuration, Pivot};
use super::state::StackState;
use klast_rocking::RockingError;
use klast_rocking::{ModelEnd, ModelLimit};

/// What happened at an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackEventKind {
    /// A shut interface opened, without impact.
    Opening,
    /// An open interface came down, and opened again or stays shut as the state after it says.
    Impact,
    /// As [`StackEventKind::Impact`], the last of a sequence that ends in finite time: the remaining rate was below the
    /// closing rate. Also an interface that shuts together with the one struck.
    Closing,
    /// A block reached a quarter turn and left, with all above it.
    Fall,
}

/// An event of the motion.
#[derive(Debug, Clone, PartialEq)]
pub struct StackEvent {
    /// What happened.
    pub kind: StackEventKind,
    /// The interface, or the lowest block that fell; 0 is on the base.
    pub interface: usize,
    /// The configuration before.
    pub before: Configuration,
    /// The state after.
    pub state: StackState,
}

/// One row of a sampled history.
#[derive(Debug, Clone, PartialEq)]
pub struct StackSample {
    /// Time (s).
    pub time: f64,
    /// Rotations of the standing blocks (rad).
    pub angles: Vec<f64>,
    /// Rates (rad/s).
    pub rates: Vec<f64>,
    /// Angular accelerations (rad/s²).
    pub accelerations: Vec<f64>,
}

/// A block that overturned, with all above it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// When (s).
    pub time: f64,
    /// The lowest block that fell; 0 stands on the base.
    pub block: usize,
    /// To which side.
    pub side: Pivot,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackStop {
    /// The end of the time asked for.
    Duration,
    /// All interfaces shut and no base motion to come.
    Rest,
    /// No block stands.
    Overturned,
    /// More steps or events than allowed.
    Limit,
    /// The state stopped being a number.
    NotFinite,
}

/// What became of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StackOutcome {
    /// All blocks stand and are at rest on their base.
    Rest,
    /// All blocks stand, still rocking when the run ended.
    Rocking,
    /// Some upper blocks fell; the lowest `standing` stand.
    Partial {
        /// Blocks left.
        standing: usize,
        /// Side of the last fall.
        side: Pivot,
    },
    /// No block stands.
    Total {
        /// Side of the last fall.
        side: Pivot,
    },
}

impl StackOutcome {
    /// The name of an overturning mode: `A` all stand, then one letter for each further block that fell (`B` the top
    /// one, `C` the two upper ones …), with `_L` or `_R`: thesis, section 8.4.
    #[must_use]
    pub fn mode(&self, blocks: usize) -> String {
        let named = |fallen: usize, side: Pivot| {
            let letter = char::from(b'A' + u8::try_from(fallen.min(25)).unwrap_or(25));
            format!("{letter}_{}", if side == Pivot::Left { 'L' } else { 'R' })
        };
        match *self {
            Self::Rest | Self::Rocking => "A".to_owned(),
            Self::Partial { standing, side } => named(blocks.saturating_sub(standing), side),
            Self::Total { side } => named(blocks, side),
        }
    }
}

/// A value with where it was met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// At which interface.
    pub interface: usize,
}

/// How far the assumptions of no sliding and no jumping were strained.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diagnostics {
    /// Largest |T/N| between events: the friction coefficient it takes.
    pub friction: Extreme,
    /// Least N over the weight carried between events; below 0 the blocks would jump.
    pub normal: Extreme,
    /// Largest |ΔT/ΔN| of the impulses.
    pub impact_friction: Extreme,
    /// Impacts in which some interface would have to pull.
    pub pulling_impacts: usize,
    /// Time (s) of the first of them.
    pub pull_time: Option<f64>,
    /// Largest relative gain of kinetic energy in an impact; 0 when all lost.
    pub energy_gain: f64,
    /// Energy (J) taken from the rates left when closing sequences were ended.
    pub closing_loss: f64,
    /// Impacts and openings for which no set of pivots was admissible.
    pub unresolved: usize,
    /// First time (s) at which an interface would have to pull.
    pub jump_time: Option<f64>,
    /// First time (s) at which |T/N| passed the friction coefficient given, if one was.
    pub slip_time: Option<f64>,
}

impl Default for Diagnostics {
    fn default() -> Self {
        let none = |value| Extreme {
            value,
            time: 0.0,
            interface: 0,
        };
        Self {
            friction: none(0.0),
            normal: none(f64::INFINITY),
            impact_friction: none(0.0),
            pulling_impacts: 0,
            pull_time: None,
            energy_gain: 0.0,
            closing_loss: 0.0,
            unresolved: 0,
            jump_time: None,
            slip_time: None,
        }
    }
}

/// A run of a stack.
#[derive(Debug, Clone, PartialEq)]
pub struct StackRun {
    /// Why it ended.
    pub stop: StackStop,
    /// The state at the end.
    pub state: StackState,
    /// The events, in order of time.
    pub events: Vec<StackEvent>,
    /// Samples at the interval asked for.
    pub samples: Vec<StackSample>,
    /// The falls, in order of time.
    pub falls: Vec<Fall>,
    /// Least and largest rotation of each block while it stood (rad).
    pub range: Vec<(f64, f64)>,
    /// What the no-slip, no-jump model assumed.
    pub diagnostics: Diagnostics,
    /// Steps of the integrator.
    pub steps: usize,
}

impl Diagnostics {
    /// When the model without slip and jump ends, by a force or an impulse: what the run says of later times does not
    /// hold.
    #[must_use]
    pub fn model_end(&self) -> Option<ModelEnd> {
        let times = [
            (self.jump_time, ModelLimit::Jumps),
            (self.pull_time, ModelLimit::Jumps),
            (self.slip_time, ModelLimit::Slides),
        ];
        times
            .into_iter()
            .filter_map(|(time, limit)| time.map(|time| ModelEnd { time, limit }))
            .min_by(|a, b| a.time.total_cmp(&b.time))
    }
}

impl StackRun {
    /// A run that has not gone anywhere yet.
    pub(super) fn begun(start: &StackState) -> Self {
        let mut run = Self {
            stop: StackStop::Duration,
            state: start.clone(),
            events: Vec::new(),
            samples: Vec::new(),
            falls: Vec::new(),
            range: Vec::new(),
            diagnostics: Diagnostics::default(),
            steps: 0,
        };
        run.begin(start);
        run
    }

    /// Begins anew in the same lists.
    pub(super) fn begin(&mut self, start: &StackState) {
        self.stop = StackStop::Duration;
        self.state.clone_from(start);
        self.events.clear();
        self.samples.clear();
        self.falls.clear();
        self.range.clear();
        let ranges = (0..start.len()).map(|j| (start.angle(j), start.angle(j)));
        self.range.extend(ranges);
        self.diagnostics = Diagnostics::default();
        self.steps = 0;
    }

    /// Enters what has led to a state.
    pub(super) fn record(
        &mut self,
        kind: StackEventKind,
        interface: usize,
        before: Configuration,
        state: &StackState,
    ) {
        self.events.push(StackEvent {
            kind,
            interface,
            before,
            state: state.clone(),
        });
    }

    /// A block at a quarter turn leaves with all above it.
    pub(super) fn fall(&mut self, state: &mut StackState, block: usize, angle: f64) {
        let before = state.configuration;
        self.falls.push(Fall {
            time: state.time,
            block,
            side: Pivot::of_sign(angle),
        });
        state.truncate(block);
        self.record(StackEventKind::Fall, block, before, state);
    }

    /// As [`StackRun::outcome`], of a run that came to its end: one that was cut off has not decided what stands.
    pub fn decided(&self) -> Result<StackOutcome, RockingError> {
        let time = self.state.time;
        match self.stop {
            StackStop::Duration | StackStop::Rest | StackStop::Overturned => Ok(self.outcome()),
            StackStop::Limit => Err(RockingError::TooManySteps {
                time,
                limit: self.steps,
            }),
            StackStop::NotFinite => Err(RockingError::NotFinite { time }),
        }
    }

    /// What became of the stack, as far as it was followed.
    #[must_use]
    pub fn outcome(&self) -> StackOutcome {
        match self.falls.last() {
            Some(fall) if fall.block == 0 => StackOutcome::Total { side: fall.side },
            Some(fall) => StackOutcome::Partial {
                standing: fall.block,
                side: fall.side,
            },
            None if self.state.configuration().is_rest() => StackOutcome::Rest,
            None => StackOutcome::Rocking,
        }
    }
}
