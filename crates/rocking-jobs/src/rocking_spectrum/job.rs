//! Largest rotation and angular velocity over the size of a block.

use std::ops::Range;
use std::path::PathBuf;

use klast_dynamics::ground_motion::GroundMotion;
use klast_rocking::{
    Engine, Options, Outcome, Restitution as Model, RockingBlock, SpectrumPoint, rocking_spectrum,
};
use klast_runs::error::Result;
use serde_json::json;

use super::result::{self, Point, Summary};
use super::scene::Scene;
use crate::common::base_motion::base_motion;
use crate::common::restitution::Equation;
use crate::common::slip::Slip;
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::parts::{self, fraction};
use klast_runs::pieces::own_share;
use klast_runs::text::SceneText;

struct SpectrumJob {
    slenderness: Vec<f64>,
    gravity: f64,
    restitution: Model,
    motion: GroundMotion,
    periods: Vec<f64>,
    options: Options,
    engine: Engine,
    remarks: Vec<String>,
    /// The name of all that decides the curves.
    key: String,
}

/// Sizes of the first piece.
const SIZES: usize = 32;

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let none = || Fault::new("slenderness_rad", "none").accepted("one or more");
    faults.check(!scene.slenderness_rad.is_empty(), none);
    for (k, alpha) in scene.slenderness_rad.iter().enumerate() {
        let block = RockingBlock::from_slenderness(*alpha, 1.0, gravity.unwrap_or(9.81));
        faults.take(&format!("slenderness_rad[{k}]"), block);
    }
    let engine = Slip {
        engine: None,
        friction: scene.friction,
        friction_at_rest: scene.friction_at_rest,
        equation: Equation::Nonlinear,
        support: None,
    };
    let engine = faults.take("", engine.build());
    let motion = base_motion(text, &mut faults, [&scene.horizontal, &scene.vertical]);
    let restitution = faults.take("restitution", scene.restitution.build());
    let periods = faults.take("period_s", scene.period_s.values());
    let job = faults.or_all(|| {
        let (motion, remarks) = motion?;
        Some(SpectrumJob {
            engine: engine?,
            options: Options::new(end?),
            remarks,
            motion,
            restitution: restitution?,
            periods: periods?,
            gravity: gravity?,
            slenderness: scene.slenderness_rad,
            key: text.key(),
        })
    });
    Ok(Box::new(job?))
}

impl Job for SpectrumJob {
    fn describe(&self) -> String {
        format!(
            "{} slenderness angles, {} sizes",
            self.slenderness.len(),
            self.periods.len()
        )
    }

    fn has_parts(&self) -> bool {
        true
    }

    fn keeps(&self) -> Keeps {
        Keeps::EveryMinute
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let (sizes, progress) = (self.slenderness.len() * self.periods.len(), run.progress);
        let work = |sizes: Range<usize>, points: &mut Vec<Point>| {
            let count = sizes.len();
            points.extend(self.points(sizes)?);
            progress.add(count as u64);
            Ok(())
        };
        let points = own_share(run, ("simulations", &self.key), (sizes, SIZES), work)?;
        if run.shard.is_some() {
            run.count("simulations", points.len());
            let overturned = points.iter().filter(|p| p.overturned).count();
            let numbers = json!({
                "simulations": points.len(),
                "overturned_fraction": fraction(overturned, points.len()),
            });
            return parts::keep(run, &points, numbers);
        }
        Ok(self.results(run, points))
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let count = self.slenderness.len() * self.periods.len();
        let points = parts::joined(parts, "simulations", count)?;
        Ok(self.results(run, points))
    }
}

impl SpectrumJob {
    /// Some of the sizes, numbered angle by angle.
    fn points(&self, sizes: Range<usize>) -> Result<Vec<Point>> {
        let width = self.periods.len();
        let mut points = Vec::new();
        for (number, &alpha) in self.slenderness.iter().enumerate() {
            let own = number * width..(number + 1) * width;
            let first = sizes.start.clamp(own.start, own.end) - own.start;
            let last = sizes.end.clamp(own.start, own.end) - own.start;
            let found = rocking_spectrum(
                &self.motion,
                alpha,
                &self.restitution,
                self.periods.get(first..last.max(first)).unwrap_or(&[]),
                self.gravity,
                &self.options,
                self.engine,
            )?;
            points.extend(found.iter().map(|s| point(alpha, s)));
        }
        Ok(points)
    }

    fn results(&self, run: &mut Run, spectrum: Vec<Point>) -> Box<dyn Results> {
        run.warnings(&self.remarks);
        run.count("simulations", spectrum.len());
        Box::new(result::Results {
            summary: Summary {
                simulations: spectrum.len(),
                overturned: spectrum.iter().filter(|p| p.overturned).count(),
            },
            spectrum,
        })
    }
}

fn point(alpha: f64, s: &SpectrumPoint) -> Point {
    Point {
        slenderness_rad: alpha,
        period_s: s.period,
        half_diagonal_m: s.radius,
        max_rotation_rad: s.largest_rotation,
        max_angular_velocity_rad_s: s.largest_velocity,
        max_slip_m: s.largest_slip,
        overturned: matches!(s.outcome, Outcome::Overturned(_)),
    }
}
