//! A row released in a basin at time zero.

use crate::assembly::{Assembly, DEFAULT_CUTOFF};
use crate::bounce::Bounce;
use crate::chain::{Chain, ImpactRule, Scratch};
use crate::cluster::{Cluster, Mode};
use crate::error::AssemblyError;
use crate::fine::Fine;
use crate::ledger::Ledger;
use crate::motion::{BasinMotion, Bounds, Frame};
use crate::predict::Due;
use crate::queue::EventQueue;
use crate::row::{Basin, BlockRow, Start, StartVelocity};

/// Gaps above this part of the smallest block are no tangent touch.
const TOUCH: f64 = 1e-13;

/// Reach of sines in lengths of the basin. Frames then follow each other some thousand times a period.
const FARTHEST: f64 = 1e6;

impl Assembly {
    /// A row released in a basin at time zero. Contacts that are closed and closing collide at once.
    ///
    /// # Errors
    /// Bad numbers in the basin, its motion or the start, blocks that do not fit, lists of the wrong length.
    pub fn new(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
    ) -> Result<Self, AssemblyError> {
        Self::with_cutoff(basin, row, start, rule, DEFAULT_CUTOFF)
    }

    /// As [`Assembly::new`] with another cut-off, relative to the velocity scale.
    ///
    /// # Errors
    /// As there; a cut-off outside [0, 1e-3].
    pub fn with_cutoff(
        basin: Basin,
        row: &BlockRow,
        start: &Start,
        rule: ImpactRule,
        cutoff: f64,
    ) -> Result<Self, AssemblyError> {
        crate::error::check(
            "cut-off of approach speeds",
            cutoff,
            0.0,
            1e-3,
            "0 to 0.001",
        )?;
        basin.validate()?;
        let blocks = row.blocks().to_vec();
        let places = places(&basin, row, start)?;
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
        let n = blocks.len();
        let gravity = basin.gravity;
        let mut all = Self {
            frame_end: 0.0,
            free: (basin.length - row.total_size()).max(0.0),
            even_grip: blocks.windows(2).all(|w| w[0].friction == w[1].friction),
            clusters: vec![Cluster::EMPTY; n],
            head: (0..n).collect(),
            queue: EventQueue::new(2 * n + 2),
            due: vec![Due::Bound; 2 * n + 2],
            ledger: Ledger::new(&blocks),
            bounds,
            cutoff: cutoff * fastest,
            touch: TOUCH * blocks.iter().map(|b| b.size).fold(f64::INFINITY, f64::min),
            velocity_scale: fastest,
            scale_time,
            now: 0.0,
            epoch: 0,
            epoch_unit: basin.motion.epoch_unit(scale_time),
            rule,
            chain: Chain::default(),
            scratch: Scratch::default(),
            kept: None,
            log: None,
            work: Vec::new(),
            bounces: vec![Bounce::NEVER; n + 1],
            motion,
            basin,
            blocks,
        };
        let (initial, frame) = (all.motion.at(0.0), all.motion.velocity());
        let basin = all.motion.place(0.0);
        for (i, (y, v)) in places.iter().zip(&velocities).enumerate() {
            let b = all.blocks[i];
            all.clusters[i] = Cluster {
                last: i,
                mode: Mode::Slide,
                mass: b.mass,
                grip: b.friction * gravity,
                u: Fine::new(*y) + basin,
                v: v - frame,
                y: *y,
                path: 0.0,
                mark_x: initial.position,
                ..Cluster::EMPTY
            };
            all.ledger.initial += 0.5 * b.mass * v * v;
        }
        all.ledger.turnover = all.ledger.initial;
        all.frame_end = all.frame_span();
        all.settle_all(0.0);
        Ok(all)
    }
}

/// How far the basin goes, m; ∞ for pieces and records, of which each can lead anywhere.
fn reach(basin: &Basin) -> Result<f64, AssemblyError> {
    if matches!(basin.motion, BasinMotion::Ground(_)) {
        return Ok(f64::INFINITY);
    }
    let reach = basin.motion.bounds().position;
    if reach > FARTHEST * basin.length {
        return Err(AssemblyError::OutOfRange {
            field: "reach of the basin motion (m)",
            found: reach,
            accepted: "up to a million lengths of the basin",
        });
    }
    Ok(reach)
}

/// Coordinates of the blocks with sizes removed.
fn places(basin: &Basin, row: &BlockRow, start: &Start) -> Result<Vec<f64>, AssemblyError> {
    let n = row.blocks().len();
    if start.gaps.len() != n {
        return Err(AssemblyError::WrongCount {
            field: "gaps",
            found: start.gaps.len(),
            accepted: n,
        });
    }
    let mut at = 0.0;
    let mut all = Vec::with_capacity(n);
    for (index, gap) in start.gaps.iter().enumerate() {
        if !(gap.is_finite() && *gap >= 0.0) {
            return Err(AssemblyError::ItemOutOfRange {
                field: "gap (m)",
                index,
                found: *gap,
                accepted: "finite and at least 0",
            });
        }
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
                return Err(AssemblyError::WrongCount {
                    field: "velocities",
                    found: v.len(),
                    accepted: n,
                });
            }
            match v.iter().position(|x| !x.is_finite()) {
                Some(index) => Err(AssemblyError::ItemOutOfRange {
                    field: "velocity (m/s)",
                    index,
                    found: v[index],
                    accepted: "finite",
                }),
                None => Ok(v.clone()),
            }
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
