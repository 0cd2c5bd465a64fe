//! What one motion of a stack gives.

use klast_ground_motion::GroundMotion;
use klast_runs::error::Result;
use klast_stacks::{
    ContactRun, Extreme as Mark, Fall, Stack, StackEvent, StackEventKind, StackRun, StackSample,
    StackStop,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::verdict::{self, Judged};
use crate::common::stack::Outcome;
use klast_runs::answer::{Answer, Figure};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `stack`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// State of the motion over time: the rows of `history.csv`.
    pub history: Vec<Sample>,
    /// Events of the motion: the rows of `events.csv`. The engine `contact` gives no events, because it computes time
    /// steps.
    pub events: Option<Vec<EventRow>>,
    /// Blocks of the stack.
    #[serde(skip)]
    pub blocks: usize,
    /// Widths and heights of the blocks (m), for figures.
    #[serde(skip)]
    pub sizes_m: Vec<(f64, f64)>,
}

/// Outcome of the stack.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// The verdict in a sentence, with the results that decide it and the assumptions on which it rests; the same as in
    /// `answer`.
    pub verdict: String,
    /// What the run says of the question whether the stack stands.
    #[serde(skip)]
    pub judgement: Judged,
    /// Outcome of the stack.
    pub outcome: Outcome,
    /// Mode of the outcome. In A all blocks stand, in B the top block has fallen, in C the two upper blocks have
    /// fallen, and so on. `_L` and `_R` are falls to the left and to the right.
    pub mode: String,
    /// Reason why the run ended.
    pub stopped_by: Option<&'static str>,
    /// Time at the end (s).
    pub end_time_s: f64,
    /// Name of the configuration at the end, as in the book's page Stacks. The configuration states which interfaces
    /// are open. The name is null with the engine `contact`.
    pub configuration: Option<String>,
    /// Falls of blocks with their times.
    pub falls: Vec<FallRow>,
    /// Least and largest rotation of each block while it stood (rad).
    pub range_rad: Option<Vec<(f64, f64)>>,
    /// Forces that the no-slip model needs; null if the engine does not compute them.
    pub no_slip: Option<NoSlip>,
    /// Largest gain of energy in an impact, over the energy before the impact; only with the engine `no_slip`.
    pub max_energy_gain_of_impacts: Option<f64>,
    /// First time at which a block would slide or jump (s). From this time on, the no-slip model does not hold. The
    /// value is null if no block ever would slide or jump.
    pub model_ends_s: Option<f64>,
    /// Time from which on the mass centre of the block that falls first, with the blocks that it carries, is beyond the
    /// corner on which it turns (s). A model that ends later does not change that this block falls. The value is null
    /// if no block falls, and with the engine `contact`.
    pub balance_passed_s: Option<f64>,
    /// Number of impacts and openings for which no outcome fulfils the conditions of contact; only with the engine
    /// `no_slip`.
    pub unresolved: Option<usize>,
    /// Rotation of each block at the end (rad); only with the engine `contact`.
    pub end_rotation_rad: Option<Vec<f64>>,
    /// Largest distance of each block, while it stood, from its first place on the block or base below (m), without
    /// what a rotation about a corner moves its middle. Only with the engine `contact`.
    pub largest_offset_m: Option<Vec<f64>>,
    /// Slippage of each interface (m): length of the path that the interface slid, with both directions added up. It is
    /// at least the offset, and after many reversals many times as long. Only with the engine `contact`.
    pub slide_m: Option<Vec<f64>>,
    /// Largest rotation of each block while it stood, without its sign (rad); only with the engine `contact`.
    pub largest_rotation_rad: Option<Vec<f64>>,
    /// Residual offset along the motion (m): offset of each standing block relative to the block or base below at the
    /// end, less the same offset at the start. Only with the engine `contact`.
    pub residual_offset_m: Option<Vec<f64>>,
    /// Residual offset across the motion (m): offset of each standing block relative to the block or base below at the
    /// end, less the same offset at the start. Only with the engine `contact`.
    pub residual_offset_across_m: Option<Vec<f64>>,
    /// Residual twist (rad): rotation of each standing block about the vertical, relative to the block or base below,
    /// at the end, less the same rotation at the start. Only with the engine `contact`.
    pub residual_twist_rad: Option<Vec<f64>>,
    /// First time at which no force acted at an interface (s); only with the engine `contact`.
    pub first_jump_s: Option<f64>,
    /// Number of unconverged steps; only with the engine `contact`.
    pub steps_not_converged: Option<usize>,
    /// Remarks on the motions.
    pub remarks: Vec<String>,
}

/// A fall of a block together with all blocks above it.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct FallRow {
    /// Time of the fall (s).
    pub time_s: f64,
    /// Number of the lowest block that fell, counted from 1.
    pub lowest_block: usize,
    /// Side of the fall: `left` or `right`.
    pub side: &'static str,
}

impl From<&Fall> for FallRow {
    fn from(fall: &Fall) -> Self {
        Self {
            time_s: fall.time,
            lowest_block: fall.block + 1,
            side: if fall.side.sign() < 0.0 {
                "left"
            } else {
                "right"
            },
        }
    }
}

/// Friction and normal forces that the no-slip model needs.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct NoSlip {
    /// Friction coefficient that the motion needs.
    pub needed_friction: Extreme,
    /// Least normal force at an interface, over the weight of the blocks above.
    pub min_normal_over_weight: Extreme,
    /// Friction coefficient that the impacts need.
    pub needed_friction_of_impacts: Extreme,
    /// Number of impacts in which an interface would have to pull.
    pub impacts_that_pull: usize,
    /// First time at which an interface would have to pull (s); null if no interface ever would.
    pub first_jump_s: Option<f64>,
    /// Friction coefficient of the scene; null if the scene states no friction.
    pub friction: Option<f64>,
    /// First time at which the friction of the scene is not enough (s); null if the friction is always enough, or if
    /// the scene states no friction.
    pub first_slip_s: Option<f64>,
}

/// An extreme value with its time and interface.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Extreme {
    /// The extreme value; null if it is not finite.
    pub value: Option<f64>,
    /// Time of the value (s).
    pub time_s: f64,
    /// Interface, counted from 1 at the base.
    pub interface: usize,
}

impl From<Mark> for Extreme {
    fn from(mark: Mark) -> Self {
        Self {
            value: Some(mark.value).filter(|x| x.is_finite()),
            time_s: mark.time,
            interface: mark.interface + 1,
        }
    }
}

/// The state at one time. Values of a block that fell are null.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Sample {
    /// Time t (s).
    pub time_s: f64,
    /// Rotation of each block (rad).
    pub rotation_rad: Vec<Option<f64>>,
    /// Angular velocity of each block (rad/s).
    pub rate_rad_s: Vec<Option<f64>>,
    /// Angular acceleration of each block (rad/s²).
    pub acceleration_rad_s2: Vec<Option<f64>>,
    /// Horizontal acceleration of the base, to the right positive (m/s²).
    pub base_acceleration_m_s2: f64,
    /// Horizontal displacement of the base (m).
    pub base_displacement_m: f64,
}

/// An event of the motion.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct EventRow {
    /// Time t (s).
    pub time_s: f64,
    /// Kind of event: `opening`, `impact`, `closing` or `fall`.
    pub event: &'static str,
    /// Interface, counted from 1 at the base.
    pub interface: usize,
    /// Name of the configuration before the event, as in the book's page Stacks. The configuration states which
    /// interfaces are open.
    pub before: String,
    /// Name of the configuration after the event, as in the book's page Stacks. The configuration states which
    /// interfaces are open.
    pub after: String,
    /// Rotation of each block (rad).
    pub rotation_rad: Vec<Option<f64>>,
    /// Angular velocity of each block (rad/s).
    pub rate_rad_s: Vec<Option<f64>>,
}

/// As many entries as there are blocks.
fn filled(values: &[f64], blocks: usize) -> Vec<Option<f64>> {
    (0..blocks).map(|j| values.get(j).copied()).collect()
}

fn samples(samples: &[StackSample], blocks: usize) -> Vec<Sample> {
    let sample = |s: &StackSample| Sample {
        time_s: s.time,
        rotation_rad: filled(&s.angles, blocks),
        rate_rad_s: filled(&s.rates, blocks),
        acceleration_rad_s2: filled(&s.accelerations, blocks),
        ..Sample::default()
    };
    samples.iter().map(sample).collect()
}

fn event(event: &StackEvent, blocks: usize) -> EventRow {
    let standing = |value: &dyn Fn(usize) -> f64| {
        let count = event.state.len();
        (0..blocks).map(|j| (j < count).then(|| value(j))).collect()
    };
    EventRow {
        time_s: event.state.time,
        event: match event.kind {
            StackEventKind::Opening => "opening",
            StackEventKind::Impact => "impact",
            StackEventKind::Closing => "closing",
            StackEventKind::Fall => "fall",
        },
        interface: event.interface + 1,
        before: event.before.to_string(),
        after: event.state.configuration().to_string(),
        rotation_rad: standing(&|j| event.state.angle(j)),
        rate_rad_s: standing(&|j| event.state.rate(j)),
    }
}

impl Results {
    /// The results of a motion without slip; `forces` says whether its engine knows them.
    #[must_use]
    pub fn without_slip(
        (run, stack): (&StackRun, &Stack),
        friction: Option<f64>,
        remarks: &[String],
    ) -> Self {
        let (marks, blocks) = (run.diagnostics, stack.len());
        let first = stack.first_fall(run);
        let no_slip = NoSlip {
            needed_friction: marks.friction.into(),
            min_normal_over_weight: marks.normal.into(),
            needed_friction_of_impacts: marks.impact_friction.into(),
            impacts_that_pull: marks.pulling_impacts,
            first_jump_s: marks.jump_time,
            friction,
            first_slip_s: marks.slip_time,
        };
        let summary = Summary {
            verdict: verdict::without_slip(run, first, blocks, friction),
            judgement: verdict::judged(run, first),
            outcome: run.outcome().into(),
            mode: run.outcome().mode(blocks),
            stopped_by: Some(match run.stop {
                StackStop::Duration => "duration",
                StackStop::Rest => "rest",
                StackStop::Overturned => "overturned",
                StackStop::Limit => "limit of steps",
                StackStop::NotFinite => "not finite",
            }),
            end_time_s: run.state.time,
            configuration: Some(run.state.configuration().to_string()),
            falls: run.falls.iter().map(FallRow::from).collect(),
            range_rad: Some(run.range.clone()),
            no_slip: Some(no_slip),
            max_energy_gain_of_impacts: Some(marks.energy_gain.max(0.0)),
            model_ends_s: marks.model_end().map(|end| end.time),
            balance_passed_s: first.map(|(_, passed)| passed),
            unresolved: Some(marks.unresolved),
            remarks: remarks.to_vec(),
            ..Summary::default()
        };
        Self {
            summary,
            history: samples(&run.samples, blocks),
            events: Some(run.events.iter().map(|e| event(e, blocks)).collect()),
            blocks,
            sizes_m: Vec::new(),
        }
    }

    /// The results of a motion with friction.
    #[must_use]
    pub fn with_friction(run: &ContactRun, stack: &Stack, remarks: &[String]) -> Self {
        let heights: Vec<f64> = stack.blocks().iter().map(|block| block.height).collect();
        let outcome = verdict::became(run, &heights);
        let blocks = stack.len();
        let summary = Summary {
            verdict: verdict::with_friction(run, outcome, blocks),
            judgement: verdict::judged_with_friction(outcome),
            outcome,
            mode: run.outcome.mode(blocks),
            end_time_s: run.time,
            falls: run.falls.iter().map(FallRow::from).collect(),
            end_rotation_rad: Some(run.angles.clone()),
            largest_offset_m: Some(run.largest_offsets.clone()),
            slide_m: Some(run.slides.clone()),
            largest_rotation_rad: Some(run.largest_rotations.clone()),
            residual_offset_m: Some(run.offsets.iter().map(|o| o.way.x).collect()),
            residual_offset_across_m: Some(run.offsets.iter().map(|o| o.way.y).collect()),
            residual_twist_rad: Some(run.offsets.iter().map(|o| o.twist).collect()),
            first_jump_s: run.first_jump,
            steps_not_converged: Some(run.unconverged),
            remarks: remarks.to_vec(),
            ..Summary::default()
        };
        Self {
            summary,
            history: samples(&run.samples, blocks),
            events: None,
            blocks,
            sizes_m: Vec::new(),
        }
    }

    /// The same with what the base did and how large the blocks are.
    #[must_use]
    pub fn on(mut self, stack: &Stack, motion: &GroundMotion) -> Self {
        for sample in &mut self.history {
            sample.base_acceleration_m_s2 = motion.horizontal.acceleration(sample.time_s);
            sample.base_displacement_m = motion.horizontal.displacement(sample.time_s);
        }
        let sizes = stack.blocks().iter().map(|b| (b.width, b.height));
        self.sizes_m = sizes.collect();
        self
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        let s = &self.summary;
        let (judgement, outcome) = s.judgement.with_name(s.outcome);
        let rotations = self.history.iter().flat_map(|h| &h.rotation_rad);
        let largest = rotations
            .flatten()
            .fold(f64::NEG_INFINITY, |m, r| m.max(r.abs()));
        let ranges = s.range_rad.iter().flatten();
        let largest = ranges.fold(largest, |m, (low, high)| m.max(low.abs()).max(high.abs()));
        let turned = s.largest_rotation_rad.iter().flatten();
        let largest = turned.fold(largest, |m, r| m.max(*r));
        let third = match (&s.largest_offset_m, &s.no_slip) {
            (Some(offsets), _) => Figure::new(
                "largest offset of a block",
                offsets.iter().fold(0.0f64, |m, s| m.max(*s)),
                "m",
            ),
            (None, Some(no_slip)) => {
                let (still, hit) = (
                    no_slip.needed_friction.value,
                    no_slip.needed_friction_of_impacts.value,
                );
                // A friction without a value is one that no joint has.
                let needed = still
                    .zip(hit)
                    .map_or(f64::INFINITY, |(still, hit)| still.max(hit));
                Figure::needed_friction("friction that is needed", Some(needed))
            }
            (None, None) => Figure::new("time at the end", s.end_time_s, "s"),
        };
        Answer {
            verdict: s.verdict.clone(),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("largest rotation of a block", largest, "rad"),
                Figure::count("blocks that begin a fall", s.falls.len()),
                third,
            ],
        }
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        let none = vec![None; self.blocks];
        if let Some(events) = &self.events {
            let like = EventRow {
                rotation_rad: none.clone(),
                rate_rad_s: none.clone(),
                ..EventRow::default()
            };
            files.table_like("events.csv", &like, events)?;
        }
        let like = Sample {
            rotation_rad: none.clone(),
            rate_rad_s: none.clone(),
            acceleration_rad_s2: none,
            ..Sample::default()
        };
        files.table_like("history.csv", &like, &self.history)
    }
}
