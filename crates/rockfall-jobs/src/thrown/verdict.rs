//! What measured throws answer: which law, which friction, which restitution.

use super::result::{Results, Summary};
use klast_runs::answer::{Answer, Figure, Judgement, length, percent, short};
use klast_runs::fit::{Interval, Parameter};

/// A coefficient with its confidence interval; one that ends where its range ends is known from one side only.
fn told(name: &str, p: &Parameter) -> String {
    let [least, greatest] = p.range.map(short);
    let (value, low, high) = (short(p.value), short(p.low), short(p.high));
    match p.interval {
        Interval::None => format!("{name} = {value} (one throw has no confidence interval)"),
        Interval::AsWideAsRange => {
            format!("{name} anywhere from {least} to {greatest}, the range in which it was sought")
        }
        // A restitution has no values above 1.
        Interval::LowerEndOnly if name == "μ" => format!(
            "{name} of at least {low} (no upper end up to {greatest}, where the range ends)"
        ),
        _ => format!("{name} = {value} ({low} to {high})"),
    }
}

/// Whether the stated error of the tracks explains the misfit of the mass centres: up to two standard errors of a root
/// mean square over three coordinates of each sample. Attitudes have an error of their own, which is not stated.
fn explained(s: &Summary) -> Option<bool> {
    let coordinates = 3.0 * s.samples as f64;
    let most = |error: f64| error * (1.0 + 2.0 / (2.0 * coordinates).sqrt());
    s.position_error_m
        .map(|error| s.position_rms_m <= most(error))
}

impl Results {
    /// The answer of the throws.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let law = s.law.words();
        let capital = law.replacen("the ", "The ", 1);
        let (friction, restitution) = (told("μ", &s.friction), told("e", &s.normal_restitution));
        let (found, left) = (format!("{friction} and {restitution}"), length(s.rms_m));
        let nearest = s.nearest_law.zip(s.nearest_as_good_share);
        let rms = |law| {
            self.laws
                .iter()
                .find(|l| l.law == law)
                .map_or(f64::NAN, |l| l.rms_m)
        };
        let mut verdict = match nearest {
            None => format!(
                "With {law}, the only one that was tried, the throws give {found}; its misfit is {left} (root mean square)."
            ),
            Some((other, share)) if s.law_is_decided => format!(
                "{capital} does best, with {found}: its misfit is {left} (root mean square) and smaller than that of the nearest, {}, {}, in {} of the resamples.",
                other.words(),
                length(rms(other)),
                percent(1.0 - share)
            ),
            Some((other, share)) => format!(
                "It is undecided which law does best: {law}, with {found}, has a misfit of {left} (root mean square) and {} one of {}, which is as small or smaller in {} of the resamples.",
                other.words(),
                length(rms(other)),
                percent(share)
            ),
        };
        let explained = explained(s);
        if let (Some(explained), Some(error)) = (explained, s.position_error_m) {
            let error = length(error);
            let misfit = match s.position_rms_m < s.rms_m {
                true => format!(
                    "the misfit of the mass centres without the attitudes, {}",
                    length(s.position_rms_m)
                ),
                false => "this misfit".to_owned(),
            };
            verdict += &match explained {
                true => format!(" The error of the tracks, {error}, explains {misfit}."),
                false => format!(
                    " The error of the tracks, {error}, does not explain {misfit}: none of the laws that were tried fits with one set of coefficients."
                ),
            };
        }
        let (judgement, outcome) = match (explained, nearest, s.law_is_decided) {
            (Some(false), _, _) => (Judgement::Fails, "none of the laws tried fits"),
            (_, Some(_), false) => (Judgement::Undecided, "undecided between laws"),
            (_, _, _) => (Judgement::Measured, s.law.name()),
        };
        Answer {
            verdict,
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("friction coefficient μ", s.friction.value, ""),
                Figure::new("normal restitution e", s.normal_restitution.value, ""),
                Figure::new("misfit of the best law (root mean square)", s.rms_m, "m"),
            ],
        }
    }
}
