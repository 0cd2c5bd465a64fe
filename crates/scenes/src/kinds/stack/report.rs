//! Tables and pictures of one motion of a stack.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::stack::{Fall, StackEvent, StackEventKind, StackSample};

use crate::session::Session;

/// The table of events.
pub fn events(session: &mut Session, events: &[StackEvent], blocks: usize) -> Result<()> {
    let mut header = vec![
        "time_s".to_owned(),
        "event".into(),
        "interface".into(),
        "before".into(),
        "after".into(),
    ];
    header.extend((1..=blocks).map(|j| format!("rotation_{j}_rad")));
    header.extend((1..=blocks).map(|j| format!("rate_{j}_rad_per_s")));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = events.iter().map(|event| {
        let kind = match event.kind {
            StackEventKind::Opening => "opening",
            StackEventKind::Impact => "impact",
            StackEventKind::Closing => "closing",
            StackEventKind::Fall => "fall",
        };
        let standing = |j: usize, value: f64| {
            if j < event.state.len() {
                value.to_string()
            } else {
                String::new()
            }
        };
        let mut row = vec![
            event.state.time.to_string(),
            kind.to_owned(),
            (event.interface + 1).to_string(),
            event.before.to_string(),
            event.state.configuration().to_string(),
        ];
        row.extend((0..blocks).map(|j| standing(j, event.state.angle(j))));
        row.extend((0..blocks).map(|j| standing(j, event.state.rate(j))));
        row
    });
    session.output.csv("events.csv", &header, rows)
}

/// Who fell when, to which side.
pub fn falls(falls: &[Fall]) -> Vec<serde_json::Value> {
    let side = |fall: &Fall| {
        if fall.side.sign() < 0.0 {
            "left"
        } else {
            "right"
        }
    };
    falls
        .iter()
        .map(|fall| serde_json::json!({ "time_s": fall.time, "lowest_block": fall.block + 1, "side": side(fall) }))
        .collect()
}

/// The table of samples.
pub fn history(session: &mut Session, samples: &[StackSample], blocks: usize) -> Result<()> {
    let mut header = vec!["time_s".to_owned()];
    header.extend((1..=blocks).map(|j| format!("rotation_{j}_rad")));
    header.extend((1..=blocks).map(|j| format!("rate_{j}_rad_per_s")));
    header.extend((1..=blocks).map(|j| format!("acceleration_{j}_rad_per_s2")));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let rows = samples.iter().map(|sample| {
        let mut row = vec![sample.time.to_string()];
        for values in [&sample.angles, &sample.rates, &sample.accelerations] {
            row.extend((0..blocks).map(|j| values.get(j).map_or(String::new(), f64::to_string)));
        }
        row
    });
    session.output.csv("history.csv", &header, rows)
}

/// Rotations over time and phase planes.
pub fn pictures(session: &mut Session, samples: &[StackSample], blocks: usize) -> Result<()> {
    // Newmark's scheme keeps no samples.
    if samples.is_empty() {
        return Ok(());
    }
    let moves = samples
        .iter()
        .any(|sample| sample.angles.iter().any(|angle| *angle != 0.0));
    let axis = |name: &str| {
        if moves {
            Axis::new(name)
        } else {
            Axis::new(name).range(-1.0, 1.0)
        }
    };
    let mut history = LineChart::new("Rotation", Axis::new("t [s]"), axis("θ [rad]"));
    let mut plane = LineChart::new("Phase planes", axis("θ [rad]"), axis("θ′ [rad/s]"));
    for j in 0..blocks {
        let name = format!("block {}", j + 1);
        let standing = || {
            samples
                .iter()
                .filter_map(|s| Some((s.time, *s.angles.get(j)?, *s.rates.get(j)?)))
        };
        history = history.with(Series::line(
            &name,
            standing().map(|(t, angle, _)| (t, angle)).collect(),
        ));
        plane = plane.with(Series::line(
            &name,
            standing().map(|(_, angle, rate)| (angle, rate)).collect(),
        ));
    }
    session.picture("rotation.svg", &history.svg()?, "Rotation of each block.")?;
    session.picture(
        "phase.svg",
        &plane.svg()?,
        "Angular velocity over rotation of each block.",
    )
}
