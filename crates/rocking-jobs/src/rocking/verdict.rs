//! What became of a block: the outcome, the judgement that follows from it, and the sentence.

use crate::common::foundation::CompliantBase;
use crate::common::restraint::{broken, told};
use klast_rocking::compliant::{CompliantOutcome, CompliantRun};
use klast_rocking::{
    ContactDemand, ModelEnd, Outcome as RunOutcome, OverturningMode, RestraintReport, Run, Side,
    SlideRockOutcome, SlideRockRun,
};
use klast_runs::answer::Judgement;
use schemars::JsonSchema;
use serde::Serialize;

/// Outcome of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub enum Outcome {
    /// The block never moved.
    #[serde(rename = "rest")]
    Rest,
    /// The block slid, never rocked, and rests at the end.
    #[serde(rename = "slid")]
    Slid,
    /// The block slides at the end and never rocked.
    #[serde(rename = "sliding")]
    Sliding,
    /// The block rocked and came to rest.
    #[serde(rename = "settled")]
    Settled,
    /// The block rocks at the end.
    #[serde(rename = "rocking")]
    Rocking,
    /// The block overturned to the right.
    #[serde(rename = "overturned right")]
    OverturnedRight,
    /// The block overturned to the left.
    #[serde(rename = "overturned left")]
    OverturnedLeft,
}

impl From<RunOutcome> for Outcome {
    fn from(outcome: RunOutcome) -> Self {
        match outcome {
            RunOutcome::Rest => Self::Rest,
            RunOutcome::Settled => Self::Settled,
            RunOutcome::Rocking => Self::Rocking,
            RunOutcome::Overturned(mode) if mode.side == Side::Right => Self::OverturnedRight,
            RunOutcome::Overturned(_) => Self::OverturnedLeft,
        }
    }
}

impl From<SlideRockOutcome> for Outcome {
    fn from(outcome: SlideRockOutcome) -> Self {
        match outcome {
            SlideRockOutcome::Rest => Self::Rest,
            SlideRockOutcome::Slid => Self::Slid,
            SlideRockOutcome::Sliding => Self::Sliding,
            SlideRockOutcome::Settled => Self::Settled,
            SlideRockOutcome::Rocking => Self::Rocking,
            SlideRockOutcome::Overturned(mode) => RunOutcome::Overturned(mode).into(),
        }
    }
}

impl From<CompliantOutcome> for Outcome {
    fn from(outcome: CompliantOutcome) -> Self {
        match outcome {
            CompliantOutcome::Held => Self::Rest,
            CompliantOutcome::Settled => Self::Settled,
            CompliantOutcome::Rocking | CompliantOutcome::Undecided => Self::Rocking,
            CompliantOutcome::Overturned(Side::Right) => Self::OverturnedRight,
            CompliantOutcome::Overturned(Side::Left) => Self::OverturnedLeft,
        }
    }
}

impl Outcome {
    /// The judgement of an outcome and its short name; `ended` says that the model ends before what decides it.
    pub(super) fn judged(self, ended: bool) -> (Judgement, &'static str) {
        match self {
            _ if ended => (Judgement::Undecided, "the model ends"),
            Outcome::OverturnedLeft | Outcome::OverturnedRight => (Judgement::Fails, "overturns"),
            Outcome::Rocking | Outcome::Sliding => (Judgement::Undecided, "still moves"),
            Outcome::Rest => (Judgement::Holds, "stays at rest"),
            Outcome::Slid => (Judgement::Holds, "slides and stands"),
            Outcome::Settled => (Judgement::Holds, "rocks and stands"),
        }
    }
}

fn falls(mode: OverturningMode) -> &'static str {
    match mode.side {
        Side::Right => "overturns to the right",
        Side::Left => "overturns to the left",
    }
}

/// A run without slip: when its model ends stands first, and what it says then does not hold.
pub(super) fn without_slip(run: &Run) -> String {
    let fate = match run.outcome {
        RunOutcome::Rest => "the block stays at rest".to_owned(),
        RunOutcome::Settled => "the block rocks and comes to rest".to_owned(),
        RunOutcome::Rocking => "the block still rocks at the end".to_owned(),
        RunOutcome::Overturned(mode) => format!("the block {} at {:.3} s", falls(mode), run.end.0),
    };
    let Some(contact) = run.contact else {
        return sentence(&fate);
    };
    let restraint = run.restraint.as_ref();
    if let Some(end) = contact.end_before_balance() {
        return ended(&end, before(restraint, &end), &fate);
    }
    let held = held(restraint);
    let overturns = matches!(run.outcome, RunOutcome::Overturned(_));
    let rest = needing(&contact, overturns);
    sentence(&format!("{fate}{rest}{held}"))
}

/// What the restrainers had done when the model ends.
fn before(restraint: Option<&RestraintReport>, end: &ModelEnd) -> Option<String> {
    restraint
        .map(|report| broken(report, end.time).unwrap_or_else(|| "no restrainer broke".to_owned()))
}

/// What the restrainers did, at the end of a sentence.
fn held(restraint: Option<&RestraintReport>) -> String {
    restraint.map_or(String::new(), |report| format!("; {}", told(report)))
}

/// The friction on which a fate without slip rests. A block that overturns needs it only up to its balance; what the
/// corner does in the fall after that is said, because a base that moves may then bring the block back.
fn needing(contact: &ContactDemand, overturns: bool) -> String {
    let (whole, first) = (contact.needed_friction, contact.needed_friction_to_balance);
    if !overturns {
        return format!(", if friction is {whole:.3} or more");
    }
    let passed = contact.balance_passed;
    let passed = passed.map_or(String::new(), |time| {
        format!(", past its balance from {time:.3} s on")
    });
    let up_to = match contact.friction {
        Some(friction) => {
            format!("{passed}: up to there it needs a friction of {first:.3} and has {friction:.3}")
        }
        None => format!("{passed}, if friction is {first:.3} or more up to there"),
    };
    let fall = match (contact.model_end, whole) {
        (Some(end), _) => format!(
            "from {:.3} s on, in the fall, it {}",
            end.time,
            end.limit.does()
        ),
        (None, whole) if whole <= first => return up_to,
        (None, whole) if whole.is_finite() => {
            format!("with less than {whole:.3} it slides in the fall")
        }
        (None, _) => "with any friction it slides in the fall".to_owned(),
    };
    format!("{up_to}; {fall}, which this model does not follow")
}

/// The sentences of a model that ends: when, what happened before that, and what does not hold.
fn ended(end: &ModelEnd, before: Option<String>, fate: &str) -> String {
    let before = before.map_or(String::new(), |b| format!(" Before that {b}."));
    let end = sentence(&end.to_string());
    format!("{end}{before} The result that {fate} is not valid.")
}

/// A run on a base that gives.
pub(super) fn on_springs(run: &CompliantRun, restraint: Option<&RestraintReport>) -> String {
    let lifts = run
        .first_uplift
        .map(|time| format!("an edge of the base lifts first at {time:.3} s"));
    let fate = match run.outcome {
        CompliantOutcome::Held => "the block stands on its whole base throughout".to_owned(),
        CompliantOutcome::Settled => "the block stands on its whole base at the end".to_owned(),
        CompliantOutcome::Rocking => {
            "the block still rocks at the end, with too little energy to overturn".to_owned()
        }
        CompliantOutcome::Undecided => "the block still rocks at the end".to_owned(),
        CompliantOutcome::Overturned(Side::Right) => {
            format!("the block overturns to the right at {:.3} s", run.end.0)
        }
        CompliantOutcome::Overturned(Side::Left) => {
            format!("the block overturns to the left at {:.3} s", run.end.0)
        }
    };
    let contact = &run.contact;
    match (contact.end_before_balance(), lifts) {
        (Some(end), lifts) => {
            let lifts = lifts.filter(|_| run.first_uplift <= Some(end.time));
            let before: Vec<String> = lifts.into_iter().chain(before(restraint, &end)).collect();
            let before = (!before.is_empty()).then(|| before.join(", and "));
            ended(&end, before, &fate)
        }
        (None, lifts) => {
            let lifts = lifts.map_or(String::new(), |lifts| format!("{lifts} and "));
            let overturns = matches!(run.outcome, CompliantOutcome::Overturned(_));
            let (needing, held) = (needing(contact, overturns), held(restraint));
            sentence(&format!("{lifts}{fate}{needing}{held}"))
        }
    }
}

/// A run with slip, what restrainers and a compliant base did in it, and when the model without slip ends.
pub(super) fn with_slip(
    run: &SlideRockRun,
    restraint: Option<&RestraintReport>,
    base: Option<&CompliantBase>,
    end: Option<ModelEnd>,
) -> String {
    let mut sentences = vec![format!("the block {}{}", phases(run), held(restraint))];
    if let Some(base) = base {
        let lifts = match base.first_uplift_s {
            Some(time) => format!("an edge of the base lifts first at {time:.3} s"),
            None => "no edge of the base lifts".to_owned(),
        };
        let deepest = base.max_settlement_m;
        sentences.push(format!("{lifts}; an edge settles by up to {deepest:.3e} m"));
    }
    sentences.extend(end.map(|end| end.to_string()));
    if run.ambiguous + run.unresolved > 0 {
        let several = "not every contact problem has one solution: see the warnings";
        sentences.push(several.to_owned());
    }
    let sentences: Vec<String> = sentences.iter().map(|said| sentence(said)).collect();
    sentences.join(" ")
}

/// When a run with slip slides, rocks and jumps first, and how it ends.
fn phases(run: &SlideRockRun) -> String {
    let begins = [
        (run.first_slide, "slides"),
        (run.first_rock, "rocks"),
        (run.first_jump, "jumps"),
    ];
    let mut begun: Vec<(f64, &str)> = begins
        .into_iter()
        .filter_map(|(time, what)| time.map(|time| (time, what)))
        .collect();
    begun.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut phases: Vec<String> = begun
        .iter()
        .map(|(time, what)| format!("{what} from {time:.3} s"))
        .collect();
    if run.first_rock.is_none() && run.first_slide.is_some() {
        phases.push("never rocks".to_owned());
    }
    let returns = run.slip.abs() < 5e-4;
    let side = if run.slip > 0.0 { "right" } else { "left" };
    let slip = format!("{:.3} m to the {side} of its position", run.slip.abs());
    let fate = match run.outcome {
        SlideRockOutcome::Rest => "stays at rest".to_owned(),
        SlideRockOutcome::Slid | SlideRockOutcome::Settled if returns => {
            "returns to its position".to_owned()
        }
        SlideRockOutcome::Slid => format!("at the end rests {slip}"),
        SlideRockOutcome::Sliding => format!("still slides at the end, {slip}"),
        SlideRockOutcome::Settled => format!("at the end stands {slip}"),
        SlideRockOutcome::Rocking => "still rocks at the end".to_owned(),
        SlideRockOutcome::Overturned(mode) => format!("{} at {:.3} s", falls(mode), run.end_time),
    };
    phases.push(fate);
    match phases.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// With a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
