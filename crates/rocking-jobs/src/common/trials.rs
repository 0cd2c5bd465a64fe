//! Trials of a fragility: every motion at every scale, or a part of them.

use std::ops::Range;

use klast_ground_motion::Component;
use klast_rocking::RockingError;
use klast_rocking::fragility::{Campaign, Response};
use klast_runs::error::Result;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use klast_runs::parts::{Number, fraction};

/// A response as a part keeps it.
#[derive(Serialize, Deserialize)]
pub struct Kept {
    peak: Number,
    slip: Number,
    landing: Number,
    reach: Number,
    pull: Number,
    broken: bool,
    overturned: bool,
    total: bool,
    undecided: bool,
}

impl From<&Response> for Kept {
    fn from(r: &Response) -> Self {
        Self {
            peak: r.peak.into(),
            slip: r.slip.into(),
            landing: r.landing.into(),
            reach: r.reach.into(),
            pull: r.pull.into(),
            broken: r.broken,
            overturned: r.overturned,
            total: r.total,
            undecided: r.undecided,
        }
    }
}

impl From<Kept> for Response {
    fn from(kept: Kept) -> Self {
        Self {
            peak: kept.peak.into(),
            slip: kept.slip.into(),
            landing: kept.landing.into(),
            reach: kept.reach.into(),
            pull: kept.pull.into(),
            broken: kept.broken,
            overturned: kept.overturned,
            total: kept.total,
            undecided: kept.undecided,
        }
    }
}

/// What trials of a part say before all are joined.
#[must_use]
pub fn numbers(trials: &[Kept]) -> Value {
    let of = |holds: fn(&Kept) -> bool| {
        let found = trials.iter().filter(|t| holds(t)).count();
        fraction(found, trials.len())
    };
    json!({
        "trials": trials.len(),
        "overturned_fraction": of(|t| t.overturned),
        "undecided_fraction": of(|t| t.undecided),
    })
}

/// Responses of some trials, numbered motion by motion. A trial depends on nothing but itself.
///
/// # Errors
/// Those of `run`, which runs a motion at some of the scales.
pub fn responses(
    trials: Range<usize>,
    motions: &[Component],
    scales: &[f64],
    run: impl Fn(&[Component], &[f64]) -> Result<Campaign, RockingError> + Sync,
) -> Result<Vec<Response>> {
    let width = scales.len();
    let of_motion = |(number, motion): (usize, &Component)| -> Result<Vec<Response>> {
        let own = number * width..(number + 1) * width;
        let first = trials.start.clamp(own.start, own.end) - own.start;
        let last = trials.end.clamp(own.start, own.end) - own.start;
        let scales = scales.get(first..last.max(first)).unwrap_or(&[]);
        let campaign = run(std::slice::from_ref(motion), scales)?;
        Ok(campaign.row(0).to_vec())
    };
    let responses: Vec<Vec<Response>> = motions
        .par_iter()
        .enumerate()
        .map(of_motion)
        .collect::<Result<_>>()?;
    Ok(responses.concat())
}
