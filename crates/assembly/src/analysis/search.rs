//! The points of a sweep that stand out.

use super::sweep::Response;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The impact with the largest energy of approach.
    LargestImpact,
    /// The most impacts per drive period.
    MostImpacts,
    /// The largest kinetic index.
    LargestEnergy,
    /// The most spread row: largest mean inertia index.
    MostRarified,
    /// The most compact row: smallest mean inertia index.
    MostDensified,
}

/// A point of a sweep with the value of what was looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Place in the sweep.
    pub index: usize,
    /// Value of the measure. The largest is the best, but for the most compact row the smallest.
    pub score: f64,
}

/// Points of a sweep that ran, the best for `goal` first; equal scores in the order of the sweep.
#[must_use]
pub fn rank<E>(responses: &[Result<Response, E>], goal: Goal) -> Vec<Ranked> {
    let score = |r: &Response| match goal {
        Goal::LargestImpact => r.largest_impact,
        Goal::MostImpacts => r.impacts.0,
        Goal::LargestEnergy => r.kinetic_index.1,
        Goal::MostRarified | Goal::MostDensified => r.inertia_index.1,
    };
    let mut all: Vec<Ranked> = responses
        .iter()
        .enumerate()
        .filter_map(|(index, r)| {
            r.as_ref().ok().map(|r| Ranked {
                index,
                score: score(r),
            })
        })
        .collect();
    let better = |a: &Ranked, b: &Ranked| match goal {
        Goal::MostDensified => a.score.total_cmp(&b.score),
        _ => b.score.total_cmp(&a.score),
    };
    all.sort_by(|a, b| better(a, b).then(a.index.cmp(&b.index)));
    all
}
