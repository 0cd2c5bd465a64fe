//! The response of a row of blocks after a long time: one point of a bifurcation diagram or of a map.

use super::indices::{AssemblyIndices, IndexReference};
use super::pattern::Pattern;
use super::period::{PeriodSearch, find_period_checked};
use super::scenario::Scenario;
use crate::error::AssemblyError;

/// How long the run is and what it keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Survey {
    /// Drive periods left out before anything is judged.
    pub transient: u64,
    /// The period search that follows.
    pub search: PeriodSearch,
    /// Drive periods over which indices and impacts are then taken.
    pub watched: u64,
    /// Samples of the indices per drive period.
    pub samples: u64,
}

impl Default for Survey {
    /// 100 periods of transient, a search over 60 for periods up to 12, 20 periods of 32 samples.
    fn default() -> Self {
        let search = PeriodSearch {
            sections: 60,
            longest: 12,
            tolerance: 1e-7,
        };
        Self {
            transient: 100,
            search,
            watched: 20,
            samples: 32,
        }
    }
}

/// The long-time response of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// Period in drive periods; `None` when the motion does not repeat.
    pub period: Option<u64>,
    /// Residual of the period search, in units of u0 and u0 Ω.
    pub residual: f64,
    /// Sections of the bifurcation diagram: coordinate (m) and slip (m/s) of the centroid in the basin.
    pub sections: Vec<(f64, f64)>,
    /// Smallest, mean and largest inertia index.
    pub inertia_index: (f64, f64, f64),
    /// Mean and largest kinetic index.
    pub kinetic_index: (f64, f64),
    /// Impacts and wall impacts per drive period.
    pub impacts: (f64, f64),
    /// Largest energy of approach of an impact, J.
    pub largest_impact: f64,
    /// Smallest and largest number of clusters seen.
    pub clusters: (usize, usize),
    /// How the row is spread.
    pub pattern: Pattern,
}

/// The response of one scenario after its transient; `check` is asked before every drive period after it, for a caller
/// who may be interrupted.
///
/// # Errors
/// Bad input, a motion without a period; the error of `check`.
pub fn survey<E: From<AssemblyError>>(
    scenario: &Scenario,
    plan: &Survey,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<Response, E> {
    let mut run = scenario.release()?;
    let drive = run.basin().motion.period().ok_or(AssemblyError::NoPeriod)?;
    let reference = IndexReference::compact(&run);
    run.advance_to_section(plan.transient)?;
    let found = find_period_checked(&mut run, &plan.search, &mut check)?;
    let mass: f64 = run.blocks().iter().map(|b| b.mass).sum();
    let mean = |x: &[f64]| {
        run.blocks()
            .iter()
            .zip(x)
            .map(|(b, x)| b.mass * x)
            .sum::<f64>()
            / mass
    };
    let sections = found
        .sections
        .iter()
        .map(|(y, w)| (mean(y), mean(w)))
        .collect();
    let begin = run.counts();
    run.forget_largest_impact();
    let (mut inertia, mut kinetic) = ((f64::INFINITY, 0.0, 0.0_f64), (0.0, 0.0_f64));
    let mut clusters = (usize::MAX, 0);
    let first = run.time();
    let count = plan.watched.max(1) * plan.samples.max(1);
    for k in 1..=count {
        check()?;
        run.advance_to(first + drive * k as f64 / plan.samples.max(1) as f64)?;
        let now = AssemblyIndices::of(&run, &reference);
        let i = now.inertia_index;
        inertia = (
            inertia.0.min(i),
            inertia.1 + i / count as f64,
            inertia.2.max(i),
        );
        kinetic = (
            kinetic.0 + now.kinetic_index / count as f64,
            kinetic.1.max(now.kinetic_index),
        );
        let groups = run.clusters().len();
        clusters = (clusters.0.min(groups), clusters.1.max(groups));
    }
    let done = run.counts();
    let rate = |a: u64, b: u64| (b - a) as f64 / plan.watched.max(1) as f64;
    Ok(Response {
        period: found.period,
        residual: found.residual,
        sections,
        inertia_index: inertia,
        kinetic_index: kinetic,
        impacts: (
            rate(begin.impacts, done.impacts),
            rate(begin.wall_impacts, done.wall_impacts),
        ),
        largest_impact: run.largest_impact().approach_energy,
        clusters,
        pattern: Pattern::of(&run, inertia),
    })
}
