//! The long-time response over one or two parameters.

use std::fmt::Display;
use std::path::PathBuf;

use anyhow::Result;
use klast_assembly::analysis::{Parameter, PeriodSearch, Response, Scenario, Survey, sweep_part};

use super::part::{self, Point};
use super::result;
use super::scene::Scene;
use klast_runs::Results;
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts;
use klast_runs::pieces::own_share;
use klast_runs::text::SceneText;

struct SweepJob {
    scenario: Scenario,
    axes: Vec<(Parameter, Vec<f64>)>,
    names: Vec<&'static str>,
    labels: Vec<&'static str>,
    plan: Survey,
    /// The name of all that decides the numbers.
    key: String,
}

/// Rows of blocks of the first piece.
const PIECE: usize = 16;
/// Most rows of blocks in one sweep, a map of 500 by 500: each leaves a response of about 1 kB until all are written.
const MOST_ROWS: usize = 250_000;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    anyhow::ensure!(
        (1..=2).contains(&scene.axes.len()),
        "axes has {} entries; accepted: 1 or 2",
        scene.axes.len()
    );
    let scenario = scene.row.build(text)?;
    // Without a period every row would fail on its own.
    anyhow::ensure!(
        scenario.basin.motion.period().is_some(),
        "row.drive: a motion without a period; accepted: harmonic, or waves of one sine"
    );
    let mut axes = Vec::new();
    for axis in &scene.axes {
        anyhow::ensure!(
            (1..=100_000).contains(&axis.values) && axis.from.is_finite() && axis.to.is_finite(),
            "axis {}: {} values from {} to {}; accepted: 1 to 100,000 values between finite ends",
            axis.parameter.name(),
            axis.values,
            axis.from,
            axis.to
        );
        let step = (axis.to - axis.from) / (axis.values.max(2) - 1) as f64;
        let values = (0..axis.values)
            .map(|k| axis.from + step * k as f64)
            .collect();
        axes.push((axis.parameter.build(), values));
        // A range holds what lies between its ends; a number of blocks must be whole at every step.
        for value in [axis.from, axis.from + step, axis.to] {
            scenario.with(axis.parameter.build(), value)?;
        }
    }
    let rows: usize = scene.axes.iter().map(|a| a.values).product();
    anyhow::ensure!(
        rows <= MOST_ROWS,
        "the axes make {rows} rows of blocks; accepted: up to {MOST_ROWS}, fewer values or several scenes over parts of an axis"
    );
    let search = PeriodSearch {
        sections: scene.search_periods,
        longest: scene.maximum_period,
        ..PeriodSearch::default()
    };
    let plan = Survey {
        transient: scene.transient_periods,
        search,
        ..Survey::default()
    };
    let names = scene.axes.iter().map(|a| a.parameter.name()).collect();
    let labels = scene.axes.iter().map(|a| a.parameter.label()).collect();
    Ok(Box::new(SweepJob {
        scenario,
        axes,
        names,
        labels,
        plan,
        key: text.key(),
    }))
}

impl SweepJob {
    fn total(&self) -> usize {
        self.axes.iter().map(|a| a.1.len()).product()
    }
}

impl Job for SweepJob {
    fn describe(&self) -> String {
        format!(
            "{} rows of blocks over {}, {} drive periods each",
            self.total(),
            self.names.join(" and "),
            self.plan.transient + self.plan.search.sections + self.plan.watched
        )
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let progress = run.progress;
        let told = |_: usize| progress.add(1);
        let work = |rows, kept: &mut Vec<Point>| {
            let points = sweep_part(&self.scenario, &self.axes, &self.plan, rows, &told);
            kept.extend(points.iter().map(Point::of));
            Ok(())
        };
        let kept = own_share(run, ("rows", &self.key), (self.total(), PIECE), work)?;
        if run.shard.is_some() {
            run.count("rows", kept.len());
            let numbers = part::numbers(&kept);
            return parts::keep(run, &kept, numbers);
        }
        let points: Vec<_> = kept.into_iter().map(Point::response).collect();
        Ok(self.results(run, &points))
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let kept: Vec<Point> = parts::joined(parts, "rows", self.total())?;
        let points: Vec<_> = kept.into_iter().map(Point::response).collect();
        Ok(self.results(run, &points))
    }
}

impl SweepJob {
    /// The results of all points.
    fn results<E: Display>(
        &self,
        run: &mut Run,
        points: &[Result<Response, E>],
    ) -> Box<dyn Results> {
        run.count("rows", points.len());
        let axes = self.axes.iter().zip(&self.names).zip(&self.labels);
        let axes = axes.map(|(((_, values), &name), &label)| result::Axis {
            name,
            label,
            values: values.clone(),
        });
        let results = result::Results::of(axes.collect(), points);
        if results.failed > 0 {
            let (failed, rows) = (results.failed, points.len());
            run.warning(&format!(
                "{failed} of {rows} rows of blocks could not be run; sweep.csv says why"
            ));
        }
        Box::new(results)
    }
}
