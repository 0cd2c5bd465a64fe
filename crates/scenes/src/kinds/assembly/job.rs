//! `assembly`: one motion of a row of blocks.

use anyhow::Result;
use klast_assembly::analysis::{
    IndexReference, PeriodSearch, Sample, Scenario, find_period, floquet, history, horizon,
};
use klast_assembly::{Assembly, Event};
use klast_plot::{Axis, LineChart, Series, line_colour};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::row::Row;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `assembly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `assembly`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// Basin, drive, blocks and start.
    row: Row,
    /// Duration (s).
    duration_s: f64,
    /// Interval of the history (s).
    sample_s: f64,
}

/// Coordinate (m) and slip (m/s) of each block at the end of a drive period.
type Section = (Vec<f64>, Vec<f64>);

struct RunJob {
    scenario: Scenario,
    duration: f64,
    sample: f64,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    for (name, value) in [
        ("duration_s", scene.duration_s),
        ("sample_s", scene.sample_s),
    ] {
        anyhow::ensure!(
            value.is_finite() && value > 0.0,
            "{name} {value}; accepted: finite and above 0"
        );
    }
    let samples = scene.duration_s / scene.sample_s;
    anyhow::ensure!(
        samples <= 1e7,
        "duration_s over sample_s is {samples}; accepted: up to 1e7"
    );
    Ok(Box::new(RunJob {
        scenario: scene.row.build(text)?,
        remarks: scene.row.remarks(text)?,
        duration: scene.duration_s,
        sample: scene.sample_s,
    }))
}

impl Job for RunJob {
    fn describe(&self) -> String {
        let s = &self.scenario;
        format!(
            "{} blocks in a basin of {} m, free travel {:.6} m, rule {:?}; {} s",
            s.row.blocks().len(),
            s.basin.length,
            s.basin.length - s.row.total_size(),
            s.rule,
            self.duration
        )
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        for remark in &self.remarks {
            session.warning(remark);
        }
        let mut run = self.scenario.release()?;
        let reference = IndexReference::present(&run);
        let watched = horizon(&mut run.clone(), self.duration, 1000)?;
        run.record_events();
        let samples = history(&mut run, self.duration, self.sample, &reference)?;
        let events = run.take_events();
        let counts = run.counts();
        session.count("impacts", counts.impacts);
        session.count("pair_impacts", counts.pair_impacts);
        let mut result = summary(&run);
        result["horizon_of_predictability_s"] = watched.time.into();
        let (period, sections) = self.period()?;
        result["period"] = period;
        session.result(result)?;
        write_history(session, &samples)?;
        write_events(session, &events)?;
        draw(session, &samples, self.scenario.basin.length)?;
        poincare(session, &sections)
    }
}

impl RunJob {
    /// Period and multipliers of the long-time motion of a harmonic drive.
    fn period(&self) -> Result<(serde_json::Value, Vec<Section>)> {
        let motion = &self.scenario.basin.motion;
        if motion.period().is_none() {
            return Ok((serde_json::Value::Null, Vec::new()));
        }
        let mut run = self.scenario.release()?;
        let found = find_period(&mut run, &PeriodSearch::default())?;
        let multipliers = match found.period {
            // Each cluster takes eight disturbed runs: for large rows that is no side result.
            Some(p) if run.clusters().len() <= 64 => {
                let f = floquet(&run, p)?;
                f.multipliers.iter().map(|m| [m.re, m.im]).collect()
            }
            _ => Vec::new(),
        };
        let told = serde_json::json!({
            "drive_periods": found.period,
            "residual": found.residual.is_finite().then_some(found.residual),
            "settled_after": found.settled,
            "multipliers": multipliers,
        });
        Ok((told, found.sections))
    }
}

fn summary(run: &Assembly) -> serde_json::Value {
    let (e, c, largest) = (run.energy(), run.counts(), run.largest_impact());
    let interfaces: Vec<_> = run
        .interfaces()
        .iter()
        .map(|i| serde_json::json!({ "impacts": i.impacts, "impulse_n_s": i.impulse }))
        .collect();
    let grazings: Vec<_> = run
        .grazings()
        .iter()
        .take(100)
        .map(|g| serde_json::json!({ "time_s": g.time, "interface": g.interface, "speed_m_per_s": g.speed }))
        .collect();
    serde_json::json!({
        "time_s": run.time(),
        "energy_j": {
            "initial": e.initial, "kinetic": e.kinetic, "drive": e.drive,
            "impacts": e.impacts, "friction": e.friction,
            "relative_residual": e.relative_residual(),
        },
        "worst_momentum_residual": run.worst_momentum_residual(),
        "worst_overlap_m": run.worst_overlap(),
        "events": {
            "impacts": c.impacts, "pair_impacts": c.pair_impacts, "wall_impacts": c.wall_impacts,
            "stops": c.stops, "slips": c.slips, "joins": c.joins, "grazings": c.grazings,
            "cut_off": c.cut_off,
        },
        "largest_impact": {
            "approach_energy_j": largest.approach_energy, "dissipated_j": largest.dissipated,
            "time_s": largest.time, "interface": largest.interface,
        },
        "grazings": grazings,
        "interfaces": interfaces,
        "clusters": run.clusters(),
    })
}

fn write_history(session: &mut Session, samples: &[Sample]) -> Result<()> {
    let count = samples.first().map_or(0, |s| s.blocks.len());
    let mut header: Vec<String> = [
        "time_s",
        "basin_m",
        "centroid_m",
        "centroid_velocity_m_per_s",
        "inertia_index",
        "kinetic_index",
    ]
    .map(str::to_owned)
    .to_vec();
    for b in 1..=count {
        header.extend([
            format!("left_{b}_m"),
            format!("right_{b}_m"),
            format!("velocity_{b}_m_per_s"),
        ]);
    }
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = samples.iter().map(|s| {
        let i = &s.indices;
        let mut row = vec![
            s.time,
            s.basin.position,
            i.centroid,
            i.centroid_velocity,
            i.inertia_index,
            i.kinetic_index,
        ];
        row.extend(s.blocks.iter().flat_map(|b| [b.left, b.right, b.velocity]));
        row.into_iter().map(|x| x.to_string()).collect::<Vec<_>>()
    });
    session.output.csv("history.csv", &header, rows)
}

fn write_events(session: &mut Session, events: &[Event]) -> Result<()> {
    let header = [
        "time_s",
        "event",
        "first_block",
        "last_block",
        "interface",
        "approach_m_per_s",
        "impulse_n_s",
        "dissipated_j",
    ];
    let rows = events.iter().map(|event| {
        let none = String::new;
        let (name, blocks, rest) = match event {
            Event::Impact(c) => (
                if c.grazing { "graze" } else { "impact" },
                c.blocks,
                [
                    c.interface.to_string(),
                    c.approach.to_string(),
                    c.impulse.to_string(),
                    c.dissipated.to_string(),
                ],
            ),
            Event::Stop { blocks, .. } => ("stop", *blocks, [none(), none(), none(), none()]),
            Event::Slip { blocks, .. } => ("slip", *blocks, [none(), none(), none(), none()]),
            Event::Join { blocks, .. } => ("join", *blocks, [none(), none(), none(), none()]),
        };
        let mut row = vec![
            event.time().to_string(),
            name.to_owned(),
            (blocks.0 + 1).to_string(),
            (blocks.1 + 1).to_string(),
        ];
        row.extend(rest);
        row
    });
    session.output.csv("events.csv", &header, rows)
}

/// Rows beyond this number are drawn without single blocks.
const DRAWN_BLOCKS: usize = 64;

/// The name of a block in a key; a long row has none.
fn named(block: usize, count: usize) -> String {
    if count <= 10 {
        format!("block {}", block + 1)
    } else {
        String::new()
    }
}

/// The first drive periods belong to the start.
const TRANSIENT: usize = 20;

/// Each block at the end of each drive period: a few dots for a motion that repeats, a cloud for one that does not.
fn poincare(session: &mut Session, sections: &[Section]) -> Result<()> {
    let late = sections.get(TRANSIENT..).unwrap_or_default();
    let count = late.first().map_or(0, |s| s.0.len());
    if count == 0 {
        return Ok(());
    }
    let mut chart = LineChart::new(
        "Poincaré section",
        Axis::new("place in the basin, sizes taken out [m]"),
        Axis::new("velocity in the basin [m/s]"),
    );
    for b in 0..count.min(DRAWN_BLOCKS) {
        let dots = late
            .iter()
            .filter_map(|(place, slip)| Some((*place.get(b)?, *slip.get(b)?)));
        let series = Series::points(&named(b, count), dots.collect());
        chart = chart.with(series.coloured(line_colour(b + 1)));
    }
    let caption = format!(
        "Each block at the end of drive periods {TRANSIENT} to {}: as many dots as the motion has periods.",
        sections.len() - 1
    );
    session.picture("poincare.svg", &chart.svg()?, &caption)
}

fn draw(session: &mut Session, samples: &[Sample], length: f64) -> Result<()> {
    let column =
        |f: &dyn Fn(&Sample) -> f64| samples.iter().map(|s| (s.time, f(s))).collect::<Vec<_>>();
    let wall = line_colour(0);
    let mut chart = LineChart::new("Blocks and walls", Axis::new("t [s]"), Axis::new("x [m]"))
        .with(Series::line("walls", column(&|s| s.basin.position)).coloured(wall))
        .with(Series::line("", column(&|s| s.basin.position + length)).coloured(wall));
    let count = samples.first().map_or(0, |s| s.blocks.len());
    for b in 0..count.min(DRAWN_BLOCKS) {
        let colour = line_colour(b + 1);
        let edge = |f: fn(&klast_assembly::BlockState) -> f64| {
            column(&|s: &Sample| s.blocks.get(b).map_or(f64::NAN, f))
        };
        chart = chart
            .with(Series::line(&named(b, count), edge(|s| s.left)).coloured(colour))
            .with(Series::dashed("", edge(|s| s.right)).coloured(colour));
    }
    session.picture(
        "positions.svg",
        &chart.svg()?,
        "Walls of the basin, and the left (full) and right (dashed) face of each block, over time.",
    )?;
    for (file, title, caption, values) in [
        (
            "centroid.svg",
            "centroid [m]",
            "Mass centre of the row in the basin.",
            column(&|s| s.indices.centroid),
        ),
        (
            "inertia.svg",
            "moment-of-inertia index [-]",
            "Moment of inertia of the row about its mass centre, over that at release.",
            column(&|s| s.indices.inertia_index),
        ),
        (
            "kinetic.svg",
            "kinetic-energy index [-]",
            "Kinetic energy over that of the row at the greatest speed a wall at rest can give, (1 + e) u0 Ω.",
            column(&|s| s.indices.kinetic_index),
        ),
    ] {
        let chart = LineChart::new(title, Axis::new("t [s]"), Axis::new(title))
            .with(Series::line("", values));
        session.picture(file, &chart.svg()?, caption)?;
    }
    let phase = samples
        .iter()
        .map(|s| (s.indices.centroid, s.indices.centroid_velocity))
        .collect();
    let chart = LineChart::new(
        "Phase plane",
        Axis::new("centroid [m]"),
        Axis::new("velocity [m/s]"),
    )
    .with(Series::line("", phase));
    session.picture(
        "phase.svg",
        &chart.svg()?,
        "Velocity of the mass centre over its position.",
    )
}
