//! The long-time response over one or two parameters.

use std::fmt::Display;
use std::path::PathBuf;

use klast_assembly::analysis::{Parameter, PeriodSearch, Response, Scenario, Survey, sweep_part};
use klast_runs::error::Result;

use super::part::{self, Point};
use super::result;
use super::scene::Scene;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::pieces::own_share;
use klast_runs::text::SceneText;
use klast_runs::{Results, parts};

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
    let mut faults = Faults::default();
    faults.check((1..=2).contains(&scene.axes.len()), || {
        Fault::new("axes", format!("{} entries", scene.axes.len())).accepted("1 or 2")
    });
    let scenario = faults.take("row", scene.row.build(text));
    let mut axes = Vec::new();
    for (k, axis) in scene.axes.iter().enumerate() {
        let values = faults.take(&format!("axes[{k}]"), axis.values());
        axes.extend(values.map(|values| (axis.parameter.build(), values)));
    }
    let rows: usize = scene.axes.iter().map(|a| a.values).product();
    faults.check(rows <= MOST_ROWS, || {
        Fault::new("axes", format!("{rows} rows of blocks")).accepted(format!(
            "up to {MOST_ROWS}, fewer values or several scenes over parts of an axis"
        ))
    });
    let scenario = faults.or_all(|| scenario)?;
    let mut faults = Faults::default();
    // Without a period every row would fail on its own.
    faults.check(scenario.basin.motion.period().is_some(), || {
        Fault::new("row.drive", "a motion without a period")
            .accepted("harmonic, or waves of one sine")
    });
    for (k, axis) in scene.axes.iter().enumerate() {
        // A range holds what lies between its ends; a number of blocks must be whole at every step.
        for value in [axis.from, axis.from + axis.step(), axis.to] {
            let made = scenario.with(axis.parameter.build(), value);
            faults.take(&format!("axes[{k}]"), made);
        }
    }
    faults.or_all(|| Some(()))?;
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
