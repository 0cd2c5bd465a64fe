//! What an assessment says in sentences.

use klast_rocking::assess::{LimitState, Verdict};
use klast_rocking::fragility::{ENOUGH_RECORDS, Fraction};

use super::findings::{Findings, Posed};
use crate::common::slip::TOLD_SLIP;

/// What the model leaves out, on every page.
pub(super) const NOT_COVERED: [&str; 4] = [
    "motion out of the plane: twisting, wobbling and rolling on an edge",
    "vertical motion of the base",
    "sliding and jumping, where no friction is given",
    "factors, classes and formulas of any standard: none is applied here",
];

/// What the model of a body in space leaves out.
pub(super) const NOT_COVERED_IN_SPACE: [&str; 2] = [
    "restitution: impacts are plastic",
    "factors, classes and formulas of any standard: none is applied here",
];

/// What the model leaves out of what holds the object.
pub(super) fn not_held(posed: &Posed) -> &'static str {
    match posed.support.restraint {
        None => "parts that are loose or deform, and anchors",
        Some(_) => "parts that are loose or deform, and restrainers with mass",
    }
}

/// What the model leaves out of what it stands on.
pub(super) fn not_under(posed: &Posed) -> &'static str {
    match posed.support.foundation {
        None => "a base that gives or tilts, and crushing of the edges",
        Some(_) => "a base that yields or settles for good, and crushing of the edges",
    }
}

/// What the verdicts do not rest on.
pub(super) fn warnings(posed: &Posed, findings: &Findings) -> Vec<String> {
    let mut warnings = posed.remarks.clone();
    let records = posed.records();
    if records < ENOUGH_RECORDS {
        warnings.push(format!(
            "{records} motions: too few records to generalise; at least {ENOUGH_RECORDS} are needed"
        ));
    }
    let (sliding, slip) = slips(findings);
    if sliding > 0 {
        warnings.push(format!(
            "it slides in {sliding} of {records} motions, by up to {slip:.4} m"
        ));
    }
    if posed.factors.iter().any(|f| *f > 5.0 || *f < 0.2) {
        warnings.push(
            "records are scaled by more than 5 or less than 0.2: they are no longer motions of their own kind"
                .to_owned(),
        );
    }
    warnings
}

/// In how many motions the object slides under the target and does not overturn, and the largest slip in them (m).
pub(super) fn slips(findings: &Findings) -> (usize, f64) {
    let campaign = &findings.campaign;
    let largest = |record: usize| {
        let row = campaign.row(record).iter().zip(campaign.scales());
        let own = row.filter(|(response, scale)| scale.abs() == 1.0 && !response.overturned);
        own.fold(0.0f64, |m, (response, _)| m.max(response.slip))
    };
    let slips: Vec<f64> = (0..campaign.records()).map(largest).collect();
    let sliding = slips.iter().filter(|slip| **slip > TOLD_SLIP).count();
    (sliding, slips.into_iter().fold(0.0, f64::max))
}

/// The verdict by records, unless runs at the target are not decided.
pub(super) fn verdict(findings: &Findings, limit: &LimitState, fraction: &Fraction) -> Verdict {
    match findings.campaign.undecided_at(1.0) {
        0 => limit.judge(fraction),
        _ => Verdict::Undecided,
    }
}

pub(super) fn sentence(
    posed: &Posed,
    findings: &Findings,
    limit: &LimitState,
    fraction: &Fraction,
    verdict: Verdict,
) -> String {
    let (low, high) = fraction.bounds;
    let counted = match posed.space {
        None => "a polarity counts for half",
        Some(_) => "an angle of incidence counts as its part",
    };
    let mut said = format!(
        "{}: {} with {} allowed. Under the target {} of {} records reach it ({counted}), a probability of {low:.3} to {high:.3} \
         (exact 95 % bounds, counted in records).",
        capitalised(&limit.state.name()),
        verdict.word(),
        limit.allowed,
        fraction.reached,
        fraction.records
    );
    if verdict == Verdict::Undecided {
        said.push_str(&reason(posed, findings, limit));
    }
    if posed.friction.is_none() {
        let needed = largest_friction(findings).unwrap_or(0.0);
        said.push_str(&format!(
            " It holds for a friction coefficient of at least {needed:.3}, which the model without slip needs: none is given."
        ));
    }
    said
}

fn reason(posed: &Posed, findings: &Findings, limit: &LimitState) -> String {
    let undecided = findings.campaign.undecided_at(1.0);
    if undecided > 0 {
        return format!(
            " {} runs under the target still rocked at the end of {} s: a longer duration_s decides them.",
            undecided, posed.duration
        );
    }
    match limit.records_needed() {
        Some(n) => {
            format!(" The records cannot decide: it needs at least {n} records without exceedance.")
        }
        None => " No number of records shows a probability of 0.".to_owned(),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// The friction that rocking without slip needs; none of a body in space.
pub(super) fn largest_friction(findings: &Findings) -> Option<f64> {
    let frictions = findings.held.iter().map(|held| held.friction);
    frictions.reduce(f64::max)
}

pub(super) fn breaking(findings: &Findings) -> usize {
    findings.held.iter().filter(|held| held.breaks).count()
}

pub(super) fn thresholds(posed: &Posed, findings: &Findings) -> Vec<String> {
    let estimates = &findings.estimates;
    let (pga, pgv): (Vec<f64>, Vec<f64>) = posed.peaks.iter().copied().unzip();
    let above = |values: &[f64], limit: f64| values.iter().filter(|v| **v > limit).count();
    let n = posed.records();
    let needs = |friction: Option<f64>| match friction {
        None => String::new(),
        Some(friction) if friction.is_finite() => {
            format!("Rocking without slip under the target needs up to {friction:.3}.")
        }
        Some(_) => "Under the target no friction holds it without slip.".to_owned(),
    };
    let friction = match posed.friction {
        Some(mu) if estimates.slides_first(mu) => {
            format!(
                "With a friction of {mu} it slides before it can rock: that needs {:.3}, tan α of its weaker side.",
                estimates.sliding_friction
            )
        }
        Some(mu) => format!(
            "A friction of {mu} is above tan α = {:.3}: it rocks before it slides. {}",
            estimates.sliding_friction,
            needs(largest_friction(findings))
        ),
        None => format!(
            "Below a friction of {:.3}, tan α of its weaker side, it slides before it can rock. {}",
            estimates.sliding_friction,
            needs(largest_friction(findings))
        ),
    };
    let others = match posed.space {
        None => "the others leave it at rest (exact, without vertical motion)",
        Some(_) => "what each does depends on its direction and its vertical motion",
    };
    let mut sentences = vec![
        format!(
            "Lift-off: a base acceleration of {:.4} m/s², g tan α. {} of {n} motions exceed it under the target; {others}.",
            estimates.lift_off,
            above(&pga, estimates.lift_off)
        ),
        friction,
        format!(
            "Estimate beside the time histories: a step of the base velocity of {:.4} m/s just brings it to its balance (moment of momentum and energy, first impact neglected). {} of {n} motions have a larger PGV; time histories decide.",
            estimates.balance_velocity,
            above(&pgv, estimates.balance_velocity)
        ),
    ];
    sentences.extend(of_support(posed, findings));
    sentences
}

/// What is said of springs under the object and of what holds it.
fn of_support(posed: &Posed, findings: &Findings) -> Vec<String> {
    let (mut sentences, n) = (Vec::new(), posed.records());
    if let Some(foundation) = &posed.support.foundation {
        sentences.push(format!(
            "Compliant base: in statics an edge lifts at {:.4} m/s², at a rotation of {:.3e} rad; what is said above of lift-off, the estimate \
             of the base velocity and the rocking spectra are those of a rigid base, and peak rotations count from the upright.",
            foundation.uplift_acceleration(&posed.block),
            foundation.uplift_rotation(&posed.block)
        ));
    }
    if posed.support.restraint.is_some() {
        sentences.push(format!(
            "Restrainers: under the target one breaks in {} of {n} motions. The accelerations of lift-off and of uplift, the friction of an \
             object that slides before it rocks, the estimate of the base velocity and the rocking spectra are those of the free object.",
            breaking(findings)
        ));
    }
    sentences
}
