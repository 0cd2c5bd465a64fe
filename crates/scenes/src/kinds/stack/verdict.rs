//! What became of a stack, in a sentence, and what the reader has to know of it.

use klast_rocking::stack::{ContactRun, Pivot, StackOutcome, StackRun};

/// What became of the stack, as the end of a sentence that begins with it.
fn fate(what: StackOutcome, blocks: usize) -> String {
    match what {
        StackOutcome::Rest => "stays at rest".to_owned(),
        StackOutcome::Rocking => "still stands and rocks at the end".to_owned(),
        StackOutcome::Partial { standing, side } => {
            let fallen = blocks.saturating_sub(standing);
            let fallen = match fallen {
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
        _ => "right",
    }
}

/// A run without slip, with the friction that there is: when its model ends stands first.
pub(super) fn without_slip(run: &StackRun, blocks: usize, friction: Option<f64>) -> String {
    let marks = &run.diagnostics;
    let fate = fate(run.outcome(), blocks);
    let mut text = match marks.model_end() {
        Some(end) => {
            let end = end.to_string();
            format!(
                "{}. The result that the stack {fate} is not valid.",
                capital(&end)
            )
        }
        None => {
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

/// A run with friction.
pub(super) fn with_friction(run: &ContactRun, blocks: usize) -> String {
    let slid = run.slides.iter().fold(0.0f64, |most, way| most.max(*way));
    let mut text = format!(
        "The stack {}; an interface slides by up to {slid:.3} m",
        fate(run.outcome, blocks)
    );
    if let Some(time) = run.first_jump {
        text.push_str(&format!(", and one carries nothing at {time:.3} s"));
    }
    text.push('.');
    let offsets = run.offsets.iter().map(|offset| offset.way.length());
    let largest = offsets.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((block, offset)) = largest {
        text.push_str(&format!(
            " Of the blocks that stand, block {} stays {offset:.3} m from where it stood on what is below it.",
            block + 1
        ));
    }
    text
}

/// What the model without slip met beyond itself.
pub(super) fn warnings(run: &StackRun) -> Vec<String> {
    let marks = &run.diagnostics;
    let mut warnings = Vec::new();
    if let Some(end) = marks.model_end() {
        warnings.push(end.to_string());
    }
    if marks.pulling_impacts > 0 {
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
