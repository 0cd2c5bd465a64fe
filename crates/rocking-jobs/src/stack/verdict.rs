//! What became of a stack, in a sentence, and what the reader has to know of it.

use klast_rocking::ModelEnd;
use klast_stacks::{ContactRun, Fall, Pivot, StackOutcome, StackRun, StackStop};

use crate::common::stack::Outcome;
use klast_runs::answer::{Judgement, length};

/// What a run says of the question whether the stack stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Judged {
    /// It stands.
    Stands,
    /// A block falls.
    Falls,
    /// At the end of the run it still moves.
    #[default]
    Moves,
    /// The model ends before what decides it.
    ModelEnds,
    /// Impacts or openings without an admissible outcome come before what decides it.
    Unresolved,
    /// The run was cut off: too many steps, or a state that is not finite.
    CutOff,
}

impl Judged {
    /// The judgement, and the outcome of the stack as a short name.
    pub(super) fn with_name(self, outcome: Outcome) -> (Judgement, &'static str) {
        let outcome = outcome.word();
        match self {
            Judged::Stands => (Judgement::Holds, outcome),
            Judged::Falls => (Judgement::Fails, outcome),
            Judged::Moves | Judged::Unresolved => (Judgement::Undecided, outcome),
            Judged::ModelEnds => (Judgement::Undecided, "the model ends"),
            Judged::CutOff => (Judgement::Undecided, "cut off"),
        }
    }
}

/// The first fall, with the time (s) from which on it was sealed.
type First = Option<(Fall, f64)>;

/// The end of the model, unless the first fall was sealed by then.
fn ends_first(run: &StackRun, first: First) -> Option<ModelEnd> {
    let sealed = first.map_or(f64::INFINITY, |(_, passed)| passed);
    run.diagnostics.model_end().filter(|end| end.time < sealed)
}

/// What a run without slip says.
pub(super) fn judged(run: &StackRun, first: First) -> Judged {
    let whole = match run.stop {
        StackStop::Duration | StackStop::Rest | StackStop::Overturned => true,
        StackStop::Limit | StackStop::NotFinite => false,
    };
    if ends_first(run, first).is_some() {
        return Judged::ModelEnds;
    }
    match run.outcome() {
        StackOutcome::Partial { .. } | StackOutcome::Total { .. } => Judged::Falls,
        _ if run.diagnostics.unresolved > 0 => Judged::Unresolved,
        _ if !whole => Judged::CutOff,
        StackOutcome::Rest => Judged::Stands,
        StackOutcome::Rocking => Judged::Moves,
    }
}

/// What a run with friction says.
pub(super) fn judged_with_friction(outcome: Outcome) -> Judged {
    match outcome {
        Outcome::Rest | Outcome::Slid => Judged::Stands,
        Outcome::Sliding | Outcome::Rocking => Judged::Moves,
        Outcome::PartialLeft | Outcome::PartialRight | Outcome::TotalLeft | Outcome::TotalRight => {
            Judged::Falls
        }
    }
}

/// Part of the height of a block, and rotation (rad), under which it has neither slid nor rocked.
const STANDS: f64 = 1e-6;

/// Whether a block slid while it stood, or rocked.
fn moved(run: &ContactRun, heights: &[f64]) -> (bool, bool) {
    let mut paths = run.slides.iter().zip(heights);
    let slid = paths.any(|(way, height)| *way > STANDS * height);
    let rocked = run.largest_rotations.iter().any(|turned| *turned > STANDS);
    (slid, rocked)
}

/// What became of a stack with friction, whose blocks have these heights (m).
pub(super) fn became(run: &ContactRun, heights: &[f64]) -> Outcome {
    let (slid, rocked) = moved(run, heights);
    match run.outcome {
        StackOutcome::Rest if run.sliding => Outcome::Sliding,
        StackOutcome::Rest if slid && !rocked => Outcome::Slid,
        other => other.into(),
    }
}

/// What became of the stack, as the end of a sentence that begins with it; `moved` tells whether it ever did.
fn fate(what: StackOutcome, blocks: usize, moved: bool) -> String {
    match what {
        StackOutcome::Rest if moved => "rocks and comes to rest".to_owned(),
        StackOutcome::Rest => "stays at rest".to_owned(),
        StackOutcome::Rocking => "still stands and rocks at the end".to_owned(),
        StackOutcome::Partial { standing, side } => {
            let fallen = match blocks.saturating_sub(standing) {
                1 => "block".to_owned(),
                n => format!("{n} blocks"),
            };
            format!(
                "loses its upper {fallen} to the {} and else stands",
                to(side)
            )
        }
        StackOutcome::Total { side } => format!("falls as a whole to the {}", to(side)),
    }
}

fn to(side: Pivot) -> &'static str {
    match side {
        Pivot::Left => "left",
        Pivot::Right | Pivot::Full => "right",
    }
}

/// A run without slip, with the friction that there is: when its model ends before what decides it, that stands first.
pub(super) fn without_slip(
    run: &StackRun,
    first: First,
    blocks: usize,
    friction: Option<f64>,
) -> String {
    let marks = &run.diagnostics;
    let moved = !run.events.is_empty() || run.range.iter().any(|range| *range != (0.0, 0.0));
    let fate = fate(run.outcome(), blocks, moved);
    let mut text = match (ends_first(run, first), marks.model_end(), first) {
        (Some(end), _, _) => format!(
            "{}. The result that the stack {fate} is not valid.",
            capital(&end.to_string())
        ),
        (None, Some(end), Some((fall, passed))) => format!(
            "Block {} with all above it falls to the {}: past its balance from {passed:.3} s on, before the no-slip model \
             ends. In the fall, at {:.3} s, a block {}; that and what follows it this model does not tell.",
            fall.block + 1,
            to(fall.side),
            end.time,
            end.limit.does()
        ),
        (None, _, _) => {
            let needed = marks.friction.value.max(marks.impact_friction.value);
            match friction {
                Some(friction) => format!(
                    "The stack {fate}: it needs a friction of {needed:.3} and has {friction:.3}."
                ),
                None => format!("The stack {fate}, if friction is {needed:.3} or more."),
            }
        }
    };
    if marks.unresolved > 0 {
        text.push_str(&format!(
            " {} impacts or openings have no admissible outcome.",
            marks.unresolved
        ));
    }
    text
}

/// The largest of a quantity of the blocks, with the number of its block from 1.
fn largest(of: impl Iterator<Item = f64>) -> Option<(usize, f64)> {
    let numbered = of.enumerate().map(|(k, x)| (k + 1, x));
    numbered.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// A run with friction. How far a block was from its place and how long a path it slid are two things.
pub(super) fn with_friction(run: &ContactRun, outcome: Outcome, blocks: usize) -> String {
    let rocked = run.largest_rotations.iter().any(|turned| *turned > STANDS);
    let both = if rocked { "rocks, slides" } else { "slides" };
    let fate = match outcome {
        Outcome::Sliding => format!("{both} and still slides at the end"),
        Outcome::Slid => "slides and comes to rest".to_owned(),
        _ => fate(run.outcome, blocks, rocked),
    };
    let mut text = format!("The stack {fate}");
    if let Some((block, way)) = largest(run.largest_offsets.iter().copied()) {
        text.push_str(&format!(
            "; block {block} is at most {} from its place on what is below it",
            length(way)
        ));
    }
    if let Some((interface, path)) = largest(run.slides.iter().copied()) {
        text.push_str(&format!(
            ", and interface {interface} slides a path of {} back and forth",
            length(path)
        ));
    }
    if let Some(time) = run.first_jump {
        text.push_str(&format!(
            ", and an interface carries nothing at {time:.3} s"
        ));
    }
    text.push('.');
    if let Some((block, offset)) = largest(run.offsets.iter().map(|o| o.way.length())) {
        text.push_str(&format!(
            " Of the blocks that stand, block {block} ends {} from where it stood on what is below it.",
            length(offset)
        ));
    }
    text
}

/// What the model without slip met beyond itself, before the first fall was sealed: what blocks do on their way down
/// is told by the verdict, and decides nothing.
pub(super) fn warnings(run: &StackRun, first: First) -> Vec<String> {
    let marks = &run.diagnostics;
    let mut warnings = Vec::new();
    let end = ends_first(run, first);
    if let Some(end) = end {
        warnings.push(end.to_string());
    }
    if end.is_some() && marks.pulling_impacts > 0 {
        warnings.push(format!(
            "in {} impacts an interface would have to pull: the blocks would jump",
            marks.pulling_impacts
        ));
    }
    if marks.unresolved > 0 {
        warnings.push(format!(
            "{} impacts or openings have no admissible outcome; the least contradicting was taken",
            marks.unresolved
        ));
    }
    if marks.energy_gain > 1e-9 {
        warnings.push(format!(
            "an impact gains {:.2e} of the kinetic energy before it",
            marks.energy_gain
        ));
    }
    warnings
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
