//! What a fit of the restitution answers.

use super::result::{Results, Summary};
use klast_runs::answer::{Answer, Figure, Judgement, percent, short};
use klast_runs::fit::{Beside, Interval, Optimum};

/// How sure the coefficient is.
fn interval(s: &Summary) -> String {
    let p = &s.eta;
    match p.interval {
        Interval::None => "one history has no confidence interval".to_owned(),
        Interval::AsWideAsRange => {
            "the histories do not decide it: its 90 % confidence interval is as wide as the range"
                .to_owned()
        }
        _ => format!(
            "90 % confidence interval {} to {} from {} histories",
            short(p.low),
            short(p.high),
            s.histories
        ),
    }
}

/// What the histories say that the fit has not seen.
fn unseen(s: &Summary) -> String {
    let beside = match s.held_out.beside_reference {
        Beside::NotTested => return String::new(),
        Beside::Better => "better than",
        Beside::Worse => "worse than",
        Beside::Undecided => "by no more than chance apart from",
    };
    format!(
        " On histories that it has not seen it leaves {} rad and is {beside} Housner's.",
        s.held_out_rms_rad.map_or_else(|| "none".to_owned(), short)
    )
}

impl Results {
    /// The answer of the fit: undecided where it ends at the border of the range, where the histories do not decide the
    /// coefficient, or where it is worse than Housner's on histories that it has not seen.
    #[must_use]
    pub fn answer(&self) -> Answer {
        let s = &self.summary;
        let largest = self.history.iter().map(|h| h.measured_rad.abs());
        let largest = largest.fold(0.0, f64::max);
        let leaves = s.rms_rad / largest;
        let at_border = match s.eta.optimum {
            Optimum::Inside => "",
            Optimum::AtLowerEnd => " It lies at the lower end of the range in which it was sought.",
            Optimum::AtUpperEnd => " It lies at the upper end of the range in which it was sought.",
        };
        let (judgement, outcome) = match () {
            () if s.eta.optimum != Optimum::Inside => {
                (Judgement::Undecided, "at the border of the range")
            }
            () if s.eta.interval == Interval::AsWideAsRange => {
                (Judgement::Undecided, "not decided by the histories")
            }
            () if s.held_out.beside_reference == Beside::Worse => (
                Judgement::Undecided,
                "worse than Housner's on unseen histories",
            ),
            () => (Judgement::Measured, "fitted"),
        };
        Answer {
            verdict: format!(
                "The measured rotation gives a restitution of η = {} ({}) where Housner's is {}; the fit leaves {} rad (root mean square), {} of the largest rotation.{at_border}{}",
                short(s.eta.value),
                interval(s),
                short(s.eta_housner),
                short(s.rms_rad),
                percent(leaves),
                unseen(s)
            ),
            judgement,
            outcome: outcome.to_owned(),
            figures: [
                Figure::new("fitted restitution η", s.eta.value, ""),
                Figure::new("Housner's η", s.eta_housner, ""),
                Figure::new("left by the fit (root mean square)", s.rms_rad, "rad"),
            ],
        }
    }
}
