//! A row released in a basin at time zero.

use crate::chain::ImpactRule;
use crate::clock::Clock;
use crate::error::AssemblyError;
use crate::frames::frame_span;
use crate::model::Model;
use crate::motion::{BasinMotion, Bounds, Frame};
use crate::row::{Basin, Block, BlockRow, Start, StartVelocity};
use crate::run::Run;
use crate::settle::released;
use klast_numerics::OutOfRange;
use klast_numerics::check::{all_finite, non_negative, within};

/// Gaps above this part of the smallest block are no tangent touch.
const TOUCH: f64 = 1e-13;

/// Reach of sines in lengths of the basin. Frames then follow each other some thousand times a period.
const FARTHEST: f64 = 1e6;

/// The run that begins with `start`; `cutoff` relative to the velocity scale.
pub(crate) fn release(
    basin: Basin,
    row: &BlockRow,
    start: &Start,
    rule: ImpactRule,
    cutoff: f64,
) -> Result<Run, AssemblyError> {
    within(
        "cut-off of approach speeds",
        cutoff,
        (0.0, 1e-3),
        "0 to 0.001",
    )?;
    basin.validate()?;
    let blocks = row.blocks().to_vec();
    let coordinates = coordinates(&basin, row, start)?;
    let velocities = velocities(start, blocks.len(), basin.motion.at(0.0).velocity)?;
    let reach = reach(&basin)?;
    let motion = Frame::new(basin.motion.clone(), reach > basin.length);
    let mut bounds = basin.motion.bounds();
    // That of a record is that of its change, and so is the fastest block judged: no speed of travel enters.
    let travel = match basin.motion {
        BasinMotion::Ground(_) => motion.velocity(),
        _ => 0.0,
    };
    let fastest = velocities
        .iter()
        .fold(bounds.velocity, |m, v| m.max((v - travel).abs()));
    let scale_time = scale_time(&basin, bounds, fastest);
    if motion.travels() {
        // From the velocity at the start of a frame it can differ twice as much as from that at time zero or from none.
        (bounds.position, bounds.velocity) = (f64::INFINITY, 2.0 * bounds.velocity);
    }
    let model = Model {
        free: (basin.length - row.total_size()).max(0.0),
        even_friction: blocks.windows(2).all(|w| w[0].friction == w[1].friction),
        bounds,
        cutoff: cutoff * fastest,
        touch: TOUCH * blocks.iter().map(|b| b.size).fold(f64::INFINITY, f64::min),
        velocity_scale: fastest,
        scale_time,
        rule,
        basin,
        blocks,
    };
    let mut clock = Clock::new(motion, model.basin.motion.epoch_unit(scale_time));
    let energy = |(b, v): (&Block, &f64)| 0.5 * b.mass * v * v;
    let initial = model.blocks.iter().zip(&velocities).map(energy).sum();
    let frame = clock.motion.velocity();
    let velocities: Vec<f64> = velocities.iter().map(|v| v - frame).collect();
    let fastest = velocities.iter().map(|v| v.abs()).fold(0.0, f64::max);
    clock.frame_end = frame_span(&model, &clock.motion, fastest);
    Ok(released(model, clock, &coordinates, &velocities, initial))
}

/// How far the basin goes, m; ∞ for pieces and records, of which each can lead anywhere.
fn reach(basin: &Basin) -> Result<f64, AssemblyError> {
    if matches!(basin.motion, BasinMotion::Ground(_)) {
        return Ok(f64::INFINITY);
    }
    let reach = basin.motion.bounds().position;
    if reach > FARTHEST * basin.length {
        return Err(OutOfRange::new(
            "reach of the basin motion (m)",
            reach,
            "up to a million lengths of the basin",
        )
        .into());
    }
    Ok(reach)
}

/// Coordinates of the blocks with sizes removed.
fn coordinates(basin: &Basin, row: &BlockRow, start: &Start) -> Result<Vec<f64>, AssemblyError> {
    let n = row.blocks().len();
    if start.gaps.len() != n {
        return Err(OutOfRange::new(
            "number of gaps",
            start.gaps.len(),
            format!("{n}, one a block"),
        )
        .into());
    }
    let mut at = 0.0;
    let mut all = Vec::with_capacity(n);
    for (index, gap) in start.gaps.iter().enumerate() {
        non_negative("gap (m)", *gap).map_err(|e| e.at(index))?;
        at += gap;
        all.push(at);
    }
    let size = row.total_size();
    // Sums of decimal sizes round; a part in 1e12 of the basin is no overlap.
    let slack = 1e-12 * basin.length;
    if size + at > basin.length + slack {
        return Err(AssemblyError::DoNotFit {
            needed: size + at,
            length: basin.length,
        });
    }
    let free = (basin.length - size).max(0.0);
    for y in &mut all {
        *y = if *y >= free - slack { free } else { *y };
    }
    Ok(all)
}

fn velocities(start: &Start, n: usize, basin: f64) -> Result<Vec<f64>, AssemblyError> {
    match &start.velocity {
        StartVelocity::AtRest => Ok(vec![0.0; n]),
        StartVelocity::WithBasin => Ok(vec![basin; n]),
        StartVelocity::Given(v) => {
            if v.len() != n {
                return Err(OutOfRange::new(
                    "number of velocities",
                    v.len(),
                    format!("{n}, one a block"),
                )
                .into());
            }
            all_finite("velocity (m/s)", v.iter().copied())?;
            Ok(v.clone())
        }
    }
}

/// The drive period, or the time in which things happen if there is none.
fn scale_time(basin: &Basin, bounds: Bounds, fastest: f64) -> f64 {
    // A record that drifts gains speed for as long as it lasts: a few lengths at the largest acceleration take less.
    let lengths = 8.0 * (basin.length / bounds.acceleration).sqrt();
    let from_motion = (std::f64::consts::TAU * bounds.velocity / bounds.acceleration).min(lengths);
    let from_speed = basin.length / fastest;
    match basin.motion.period() {
        Some(period) if bounds.acceleration > 0.0 => period,
        _ if from_motion.is_finite() && from_motion > 0.0 => from_motion,
        _ if from_speed.is_finite() && from_speed > 0.0 => from_speed,
        _ => 1.0,
    }
}
