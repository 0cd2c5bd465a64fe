//! The page of an assessment: verdicts first, then what they rest on.

use anyhow::Result;
use klast_dynamics::ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::assess::{LimitState, Target, Verdict};
use klast_rocking::fragility::{ENOUGH_RECORDS, Fraction};
use klast_rocking::{Options, Outcome, RockingBlock, linspace, rocking_spectrum};
use serde_json::{Value, json};

use super::job::{Assessment, Findings};
use crate::session::Session;

/// What the model leaves out, on every page.
const NOT_COVERED: [&str; 6] = [
    "motion out of the plane: twisting, wobbling and rolling on an edge",
    "vertical motion of the base",
    "sliding and jumping, where no friction is given",
    "a base that gives or tilts, and crushing of the edges",
    "parts that are loose or deform, and anchors",
    "factors, classes and formulas of any standard: none is applied here",
];

/// Writes files, pictures and the page.
pub fn page(assessment: &Assessment, findings: &Findings, session: &mut Session) -> Result<()> {
    let verdicts: Vec<(LimitState, Fraction, Verdict)> = assessment
        .limits
        .iter()
        .zip(&findings.fractions)
        .map(|(limit, fraction)| (*limit, *fraction, verdict(findings, limit, fraction)))
        .collect();
    session.page.heading("Verdicts");
    for (limit, fraction, verdict) in &verdicts {
        session
            .page
            .text(&sentence(assessment, findings, limit, fraction, *verdict));
    }
    warn(assessment, findings, session);
    session.page.heading("What moves it");
    for line in thresholds(assessment, findings) {
        session.page.text(&line);
    }
    write(assessment, findings, session)?;
    pictures(assessment, findings, session)?;
    session.page.heading("What the model does not cover");
    for line in NOT_COVERED {
        session.page.text(line);
    }
    session.result(result(assessment, findings, &verdicts))
}

/// In how many motions the object slides under the target, and the largest slip (m).
fn slips(findings: &Findings) -> (usize, f64) {
    let campaign = &findings.campaign;
    let largest = |record: usize| {
        let row = campaign.row(record).iter().zip(campaign.scales());
        let own = row.filter(|(_, scale)| scale.abs() == 1.0);
        own.fold(0.0f64, |m, (response, _)| m.max(response.slip))
    };
    let slips: Vec<f64> = (0..campaign.records()).map(largest).collect();
    let sliding = slips.iter().filter(|slip| **slip > 0.0).count();
    (sliding, slips.into_iter().fold(0.0, f64::max))
}

/// The verdict by records, unless runs are not decided.
fn verdict(findings: &Findings, limit: &LimitState, fraction: &Fraction) -> Verdict {
    match findings.campaign.undecided() {
        0 => limit.judge(fraction),
        _ => Verdict::Undecided,
    }
}

fn sentence(
    assessment: &Assessment,
    findings: &Findings,
    limit: &LimitState,
    fraction: &Fraction,
    verdict: Verdict,
) -> String {
    let (low, high) = fraction.bounds;
    let mut said = format!(
        "{}: {} with {} allowed. Under the target {} of {} records reach it (a polarity counts for half), a probability of {low:.3} to {high:.3} \
         (exact 95 % bounds, counted in records).",
        capitalised(&limit.state.name()),
        verdict.word(),
        limit.allowed,
        fraction.reached,
        fraction.records
    );
    if verdict == Verdict::Undecided {
        said.push_str(&reason(assessment, findings, limit));
    }
    if assessment.friction.is_none() {
        let needed = largest_friction(findings);
        said.push_str(&format!(
            " It holds for a friction coefficient of at least {needed:.3}, which the model without slip needs: none is given."
        ));
    }
    said
}

fn reason(assessment: &Assessment, findings: &Findings, limit: &LimitState) -> String {
    if findings.campaign.undecided() > 0 {
        return format!(
            " {} runs still rocked at the end of {} s: a longer duration_s decides them.",
            findings.campaign.undecided(),
            assessment.duration
        );
    }
    match limit.records_needed() {
        Some(n) => {
            format!(" The records do not carry a verdict: {n} of which none reaches it would do.")
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

fn largest_friction(findings: &Findings) -> f64 {
    findings.needed.iter().copied().fold(0.0, f64::max)
}

fn warn(assessment: &Assessment, findings: &Findings, session: &mut Session) {
    for remark in &assessment.remarks {
        session.warning(remark);
    }
    let records = assessment.motions.len();
    if records < ENOUGH_RECORDS {
        session.warning(&format!("{records} motions; at least {ENOUGH_RECORDS} are needed for what holds for other records"));
    }
    let (sliding, slip) = slips(findings);
    if sliding > 0 {
        session.warning(&format!(
            "it slides in {sliding} of {records} motions, by up to {slip:.4} m"
        ));
    }
    if assessment.factors.iter().any(|f| *f > 5.0 || *f < 0.2) {
        session.warning("records are scaled by more than 5 or less than 0.2: they are no longer motions of their own kind");
    }
}

fn thresholds(assessment: &Assessment, findings: &Findings) -> Vec<String> {
    let estimates = &findings.estimates;
    let peak = |of: fn(&klast_dynamics::ground_motion::Component) -> f64| -> Vec<f64> {
        assessment.motions.iter().map(of).collect()
    };
    let (pga, pgv) = (peak(|m| m.peak_acceleration()), peak(|m| m.peak_velocity()));
    let above = |values: &[f64], limit: f64| values.iter().filter(|v| **v > limit).count();
    let n = assessment.motions.len();
    let friction = match assessment.friction {
        Some(mu) if estimates.slides_first(mu) => {
            format!(
                "With a friction of {mu} it slides before it can rock: that needs {:.3}, tan α of its weaker side.",
                estimates.sliding_friction
            )
        }
        Some(mu) => format!(
            "A friction of {mu} is above tan α = {:.3}: it rocks before it slides. Rocking without slip under the target needs up to {:.3}.",
            estimates.sliding_friction,
            largest_friction(findings)
        ),
        None => format!(
            "Below a friction of {:.3}, tan α of its weaker side, it slides before it can rock. Rocking without slip under the target needs up to {:.3}.",
            estimates.sliding_friction,
            largest_friction(findings)
        ),
    };
    vec![
        format!(
            "Lift-off: a base acceleration of {:.4} m/s², g tan α. {} of {n} motions exceed it under the target; the others leave it at rest (exact, without vertical motion).",
            estimates.lift_off,
            above(&pga, estimates.lift_off)
        ),
        friction,
        format!(
            "Estimate beside the time histories: a step of the base velocity of {:.4} m/s just brings it to its balance (moment of momentum and energy, first impact neglected). {} of {n} motions have a larger PGV; time histories decide.",
            estimates.balance_velocity,
            above(&pgv, estimates.balance_velocity)
        ),
    ]
}

fn write(assessment: &Assessment, findings: &Findings, session: &mut Session) -> Result<()> {
    let header = [
        "motion",
        "name",
        "factor",
        "pga_m_per_s2",
        "pgv_m_per_s",
        "peak_over_slenderness",
        "overturned",
        "needed_friction",
        "largest_slip_m",
    ];
    let rows = (0..assessment.motions.len()).map(|record| {
        let row = findings
            .campaign
            .row(record)
            .iter()
            .zip(findings.campaign.scales());
        let own: Vec<_> = row
            .filter(|(_, scale)| scale.abs() == 1.0)
            .map(|(response, _)| *response)
            .collect();
        let peak = own.iter().fold(0.0f64, |m, r| m.max(r.peak));
        vec![
            record.to_string(),
            assessment.names[record].clone(),
            assessment.factors[record].to_string(),
            assessment.motions[record].peak_acceleration().to_string(),
            assessment.motions[record].peak_velocity().to_string(),
            peak.to_string(),
            own.iter().any(|r| r.overturned).to_string(),
            findings.needed[record].to_string(),
            own.iter().fold(0.0f64, |m, r| m.max(r.slip)).to_string(),
        ]
    });
    session.output.csv("records.csv", &header, rows)?;
    let header = [
        "state", "factor", "reached", "records", "fraction", "lower", "upper",
    ];
    let rows = assessment.limits.iter().flat_map(|limit| {
        findings
            .campaign
            .fractions(limit.state)
            .into_iter()
            .map(|f| {
                let numbers = [
                    f.scale,
                    f.reached,
                    f.records as f64,
                    f.fraction(),
                    f.bounds.0,
                    f.bounds.1,
                ];
                let mut row = vec![limit.state.name()];
                row.extend(numbers.map(|x| x.to_string()));
                row
            })
    });
    session.output.csv("fractions.csv", &header, rows)
}

fn pictures(assessment: &Assessment, findings: &Findings, session: &mut Session) -> Result<()> {
    let largest = findings.values.iter().fold(0.0f64, |m, v| m.max(*v));
    let scale = findings
        .campaign
        .magnitudes()
        .last()
        .copied()
        .unwrap_or(1.0);
    let x: Vec<f64> = linspace(largest * scale / 200.0, largest * scale, 200);
    let mut chart = LineChart::new(
        "Fragility",
        Axis::new(findings.measure.label()),
        Axis::new("P(reached)").range(-0.05, 1.05),
    );
    let mut drawn = false;
    for (limit, answer) in assessment.limits.iter().zip(&findings.answers) {
        if let Some(curve) = answer.curve() {
            let (low, high): (Vec<f64>, Vec<f64>) = x.iter().map(|x| curve.band(*x)).unzip();
            let line = x.iter().map(|x| (*x, curve.probability(*x))).collect();
            chart = chart
                .with(Series::band("95 % band over records", &x, &low, &high))
                .with(Series::line(&limit.state.name(), line));
            drawn = true;
        }
    }
    if drawn {
        let caption = "Fragility of the limit states over the scaled records, with the 95 % band over records.";
        session.picture("fragility.svg", &chart.svg()?, caption)?;
    }
    if let Some(svg) = spectrum(assessment)? {
        let caption = "Rocking spectra of the records under the target: peak rotation over the size 2π/p of rectangles of the object's \
            slenderness; the object stands at the dashed line. Curves end where blocks overturn.";
        session.picture("spectrum.svg", &svg, caption)?;
    }
    Ok(())
}

/// Sizes of a spectrum, from a third to three times that of the object.
const SIZES: usize = 15;
/// Records of which a spectrum is drawn.
const MOST_SPECTRA: usize = 30;

fn spectrum(assessment: &Assessment) -> Result<Option<String>> {
    let block: &RockingBlock = &assessment.block;
    let own = std::f64::consts::TAU / block.frequency();
    let periods: Vec<f64> = linspace(own / 3.0, 3.0 * own, SIZES);
    let alpha = block.slenderness();
    let mut chart = LineChart::new(
        "Rocking spectra",
        Axis::new("2π/p [s]"),
        Axis::new("max |θ| / α [-]"),
    );
    let mut drawn = false;
    for motion in assessment.motions.iter().take(MOST_SPECTRA) {
        let moved = GroundMotion::horizontal(motion.clone());
        let options = Options::new(assessment.duration);
        let points = rocking_spectrum(
            &moved,
            alpha,
            &assessment.restitution,
            &periods,
            block.gravity(),
            &options,
            assessment.engine,
        )?;
        let line: Vec<(f64, f64)> = points
            .iter()
            .map(|p| {
                let fell = matches!(p.outcome, Outcome::Overturned(_));
                (
                    p.period,
                    if fell {
                        f64::NAN
                    } else {
                        p.largest_rotation / alpha
                    },
                )
            })
            .collect();
        drawn |= line.iter().any(|(_, y)| y.is_finite());
        chart = chart.with(Series::line("", line).thin());
    }
    if !drawn {
        return Ok(None);
    }
    let chart = chart.with(Series::dashed("object", vec![(own, 0.0), (own, 1.0)]));
    Ok(Some(chart.svg()?))
}

fn result(
    assessment: &Assessment,
    findings: &Findings,
    verdicts: &[(LimitState, Fraction, Verdict)],
) -> Value {
    let unit = findings.measure.unit();
    let states: Vec<Value> = verdicts
        .iter()
        .zip(&findings.answers)
        .map(|((limit, fraction, verdict), answer)| {
            json!({
                "state": limit.state.name(),
                "verdict": verdict.word(),
                "sentence": sentence(assessment, findings, limit, fraction, *verdict),
                "allowed_probability": limit.allowed,
                "fraction": fraction.fraction(),
                "probability_at_least": fraction.bounds.0,
                "probability_at_most": fraction.bounds.1,
                "fragility": answer.sentence(unit),
                "median": answer.curve().map(|c| c.median()),
                "dispersion": answer.curve().map(|c| c.dispersion()),
            })
        })
        .collect();
    let target = match &assessment.target {
        Target::AsRecorded => "as recorded".to_owned(),
        Target::Pga(pga) => format!("a PGA of {pga} m/s²"),
        Target::Spectrum { points, damping } => {
            format!("a spectrum at {} periods, damping {damping}", points.len())
        }
    };
    json!({
        "limit_states": states,
        "target": target,
        "motions": assessment.motions.len(),
        "lift_off_m_per_s2": findings.estimates.lift_off,
        "friction_below_which_it_slides_first": findings.estimates.sliding_friction,
        "slides_before_it_rocks": assessment.friction.map(|mu| findings.estimates.slides_first(mu)),
        "needed_friction": largest_friction(findings),
        "motions_that_slide": assessment.friction.map(|_| slips(findings).0),
        "largest_slip_m": assessment.friction.map(|_| slips(findings).1),
        "balance_velocity_m_per_s": findings.estimates.balance_velocity,
        "intensity": findings.measure.label(),
        "undecided_runs": findings.campaign.undecided(),
        "not_covered": NOT_COVERED,
        "remarks": assessment.remarks,
    })
}
