//! `assembly-sweep`: the long-time response over one or two parameters.

use anyhow::Result;
use klast_assembly::analysis::{
    Goal, Parameter, PeriodSearch, Response, Scenario, Survey, rank, sweep,
};
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::row::Row;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `assembly-sweep`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `assembly-sweep`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// Basin, drive (harmonic), blocks and start.
    row: Row,
    /// One or two parameters; the last runs fastest.
    axes: Vec<AxisScene>,
    /// Drive periods left out.
    transient_periods: u64,
    /// Drive periods judged for a period.
    search_periods: u64,
    /// Longest period looked for, in drive periods.
    longest_period: u64,
}

/// Evenly spaced values of one parameter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AxisScene {
    /// The parameter.
    parameter: ParameterScene,
    /// First value, in m, Hz, 1 or blocks.
    from: f64,
    /// Last value.
    to: f64,
    /// Number of values.
    values: usize,
}

/// What can be swept.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ParameterScene {
    /// u0 (m).
    AmplitudeM,
    /// f (Hz).
    FrequencyHz,
    /// d (m).
    LengthM,
    /// Restitution at the walls.
    RestitutionWall,
    /// Restitution between blocks.
    RestitutionBlock,
    /// Friction of all blocks.
    Friction,
    /// N.
    Count,
}

impl ParameterScene {
    /// As an axis says it.
    fn label(self) -> &'static str {
        match self {
            Self::AmplitudeM => "u0 [m]",
            Self::FrequencyHz => "f [Hz]",
            Self::LengthM => "length of the basin [m]",
            Self::RestitutionWall => "restitution at the walls [-]",
            Self::RestitutionBlock => "restitution between blocks [-]",
            Self::Friction => "friction [-]",
            Self::Count => "blocks",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::AmplitudeM => "amplitude_m",
            Self::FrequencyHz => "frequency_hz",
            Self::LengthM => "length_m",
            Self::RestitutionWall => "restitution_wall",
            Self::RestitutionBlock => "restitution_block",
            Self::Friction => "friction",
            Self::Count => "count",
        }
    }

    fn build(self) -> Parameter {
        match self {
            Self::AmplitudeM => Parameter::Amplitude,
            Self::FrequencyHz => Parameter::Frequency,
            Self::LengthM => Parameter::BasinLength,
            Self::RestitutionWall => Parameter::WallRestitution,
            Self::RestitutionBlock => Parameter::BlockRestitution,
            Self::Friction => Parameter::Friction,
            Self::Count => Parameter::Count,
        }
    }
}

struct SweepJob {
    scenario: Scenario,
    axes: Vec<(Parameter, Vec<f64>)>,
    names: Vec<&'static str>,
    labels: Vec<&'static str>,
    plan: Survey,
}

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
        longest: scene.longest_period,
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
    }))
}

impl SweepJob {
    fn total(&self) -> usize {
        self.axes.iter().map(|a| a.1.len()).product()
    }

    /// The values of the parameters at one place of the sweep, of which the last runs fastest.
    fn values(&self, mut index: usize) -> Vec<f64> {
        let mut values = Vec::new();
        for (_, list) in self.axes.iter().rev() {
            values.push(list[index % list.len()]);
            index /= list.len();
        }
        values.reverse();
        values
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

    fn run(&self, session: &mut Session) -> Result<()> {
        let progress = session.progress("rows", self.total() as u64);
        let told = |_: usize| progress.add(1);
        let points = sweep(&self.scenario, &self.axes, &self.plan, &told);
        progress.finish();
        session.count("rows", points.len());
        self.write(session, &points)?;
        self.write_goals(session, &points)?;
        self.draw(session, &points)
    }
}

type Points = [Result<Response, klast_assembly::AssemblyError>];

impl SweepJob {
    fn write(&self, session: &mut Session, points: &Points) -> Result<()> {
        let mut header = self.names.clone();
        header.extend([
            "period",
            "residual",
            "inertia_index_least",
            "inertia_index_mean",
            "inertia_index_largest",
            "kinetic_index_mean",
            "kinetic_index_largest",
            "impacts_per_period",
            "wall_impacts_per_period",
            "largest_approach_energy_j",
            "pattern",
            "error",
        ]);
        let rows = points.iter().enumerate().map(|(index, point)| match point {
            Ok(r) => {
                let mut row: Vec<String> = r.values.iter().map(f64::to_string).collect();
                row.push(
                    r.period
                        .map_or_else(|| "none".to_owned(), |p| p.to_string()),
                );
                let (i, k) = (r.inertia_index, r.kinetic_index);
                let numbers = [
                    r.residual,
                    i.0,
                    i.1,
                    i.2,
                    k.0,
                    k.1,
                    r.impacts.0,
                    r.impacts.1,
                    r.largest_impact,
                ];
                row.extend(numbers.map(|x| x.to_string()));
                row.push(format!("{:?}", r.pattern).to_lowercase());
                row.push(String::new());
                row
            }
            Err(error) => {
                let values = self.values(index);
                let mut row: Vec<String> = values.iter().map(f64::to_string).collect();
                row.resize(header.len() - 1, String::new());
                row.push(error.to_string());
                row
            }
        });
        session
            .output
            .csv("sweep.csv", &header, rows.collect::<Vec<_>>())?;
        let mut header = self.names.clone();
        header.extend(["section", "centroid_m", "slip_m_per_s"]);
        let rows = points.iter().flatten().flat_map(|r| {
            r.sections.iter().enumerate().map(|(k, s)| {
                let mut row: Vec<String> = r.values.iter().map(f64::to_string).collect();
                row.extend([k.to_string(), s.0.to_string(), s.1.to_string()]);
                row
            })
        });
        session.output.csv("sections.csv", &header, rows)
    }

    /// The ten points that stand out most for each goal.
    fn write_goals(&self, session: &mut Session, points: &Points) -> Result<()> {
        let goals = [
            ("largest_impact", Goal::LargestImpact),
            ("most_impacts", Goal::MostImpacts),
            ("largest_energy", Goal::LargestEnergy),
            ("most_rarified", Goal::MostRarified),
            ("most_densified", Goal::MostDensified),
        ];
        let mut found = serde_json::Map::new();
        for (name, goal) in goals {
            let best: Vec<_> = rank(points, goal)
                .iter()
                .take(10)
                .filter_map(|r| {
                    let values = &points.get(r.index)?.as_ref().ok()?.values;
                    Some(serde_json::json!({ "values": values, "score": r.score }))
                })
                .collect();
            found.insert(name.to_owned(), best.into());
        }
        found.insert("parameters".to_owned(), serde_json::json!(self.names));
        session.result(serde_json::Value::Object(found))
    }

    /// The bifurcation diagram over a single parameter.
    fn draw(&self, session: &mut Session, points: &Points) -> Result<()> {
        let label = match self.labels.as_slice() {
            [label] => label,
            [rows, columns] => return self.map(session, points, (rows, columns)),
            _ => return Ok(()),
        };
        let dots: Vec<(f64, f64)> = points
            .iter()
            .flatten()
            .flat_map(|r| {
                r.sections
                    .iter()
                    .filter_map(|s| Some((*r.values.first()?, s.0)))
            })
            .collect();
        if dots.is_empty() {
            return Ok(());
        }
        let chart = LineChart::new(
            "Poincaré sections",
            Axis::new(label),
            Axis::new("centroid in the basin [m]"),
        )
        .with(Series::points("", dots));
        session.picture("bifurcation.svg", &chart.svg()?, "Centroid at the same phase of each drive period, after the transient: one dot a period of the response.")
    }
    /// Periods over two parameters.
    fn map(&self, session: &mut Session, points: &Points, labels: (&str, &str)) -> Result<()> {
        let [(_, down), (_, across)] = self.axes.as_slice() else {
            return Ok(());
        };
        // A cell reaches half a step to each side of its value.
        let ends = |values: &[f64]| -> Option<(f64, f64)> {
            let (first, last) = (*values.first()?, *values.last()?);
            let half = 0.5 * (last - first) / (values.len() - 1).max(1) as f64;
            (half > 0.0).then_some((first - half, last + half))
        };
        let (Some(y), Some(x)) = (ends(down), ends(across)) else {
            return Ok(());
        };
        let names = ["1", "2", "3", "4", "5 or more", "does not repeat"];
        let index = points.iter().map(|point| match point {
            Ok(r) => r.period.map_or(5, |p| p.clamp(1, 5) as u8 - 1),
            Err(_) => u8::MAX,
        });
        let cells = Cells::Classes {
            names: names.map(str::to_owned).to_vec(),
            index: index.collect(),
        };
        let map = HeatMap::new(
            "Period of the response in drive periods",
            Axis::new(labels.1).range(x.0, x.1),
            Axis::new(labels.0).range(y.0, y.1),
            (across.len(), down.len()),
            cells,
        );
        let caption = "Period of the long-time response; cells without a scenario stay white.";
        session.picture("periods.svg", &map.svg()?, caption)
    }
}
