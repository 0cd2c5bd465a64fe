//! One shot: the layer from the cache or made, the flight, its record and pictures.

use klast_dem::{Flight, Packing, PackingSpec, Penetration, Store};
use klast_geometry::Pose;
use klast_runs::error::Result;

use super::frames::Frames;
use super::result;
use super::scene::Rockfill;
use klast_runs::Results;
use klast_runs::job::{Job, Run};
use klast_runs::progress::{Percent, Progress};
use klast_runs::text::SceneText;

struct RockfillJob {
    scene: Rockfill,
    count: usize,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Rockfill = text.parse()?;
    let (spec, _) = scene.convert()?;
    Ok(Box::new(RockfillJob {
        count: spec.count()?,
        scene,
    }))
}

/// The layer, from the cache or made with a display of how far it is.
///
/// # Errors
/// A cache that cannot be read or written, a layer that cannot be made.
pub fn layer(spec: &PackingSpec, progress: &dyn Progress) -> Result<(Packing, bool)> {
    let store = Store::new(&Store::default_folder())?;
    let mut display = Percent::begin(progress, "layer");
    let layer = store.packing(spec, |p| display.reach(p.fraction))?;
    progress.finish();
    Ok(layer)
}

impl RockfillJob {
    /// About the longest stable step: that of the smallest rock, twelve contacts on it.
    fn stable_step_us(&self) -> f64 {
        let (layer, contact) = (&self.scene.layer, &self.scene.contact);
        let size = layer.mean_size_mm * 1e-3 * (1.0 - layer.spread);
        let mass = layer.density_kg_m3 * std::f64::consts::PI / 6.0 * size.powi(3);
        let stiffness = contact
            .normal_stiffness_n_per_m
            .max(contact.tangential_stiffness_n_per_m);
        2e6 / (12.0 * stiffness / mass).sqrt()
    }
}

impl Job for RockfillJob {
    fn describe(&self) -> String {
        let (layer, shot) = (&self.scene.layer, &self.scene.shot);
        let (step, limit) = (shot.step_us, self.stable_step_us());
        let over = if step > limit { ": too long" } else { "" };
        format!(
            "rockfill: {} rocks of {} mm in {} x {} x {} m, a projectile of {} kg at {} m/s\n\
             step {step} µs, stable up to about {limit:.3} µs{over}",
            self.count,
            layer.mean_size_mm,
            layer.length_m,
            layer.width_m,
            layer.height_m,
            self.scene.projectile.mass_kg,
            shot.speed_m_s
        )
    }

    fn draws(&self) -> bool {
        true
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let mut scene = self.scene.clone();
        scene.layer.seed = run.seed.unwrap_or(scene.layer.seed);
        run.seed = Some(scene.layer.seed);
        let (spec, shot) = scene.convert()?;
        let (layer, _) = layer(&spec, run.progress)?;
        let start = Flight::new(&layer, &shot)?;
        for warning in start.world().warnings() {
            run.warning(&warning.to_string());
        }
        let before = result::solids(&start);
        let (penetration, frames, poses) = fly(start, run)?;
        let report = layer.report(&shot.rock_law)?;
        run.count("rocks", report.rocks);
        run.count("steps", penetration.steps);
        run.count("residual_m_s", penetration.residual);
        let mut results = result::Results::of(&spec, &report, &penetration, before, frames);
        results.poses = poses;
        Ok(Box::new(results))
    }
}

/// The flight, the times and files of its frames, and the poses of all bodies at them.
type Flown = (Penetration, Vec<(f64, String)>, Vec<Vec<Pose>>);

fn fly(mut flight: Flight, run: &mut Run) -> Result<Flown> {
    let progress = run.progress;
    let mut display = Percent::begin(progress, "shot");
    let mut frames = Frames::default();
    while !flight.is_over() {
        frames.take(&flight, run.files)?;
        flight.step()?;
        run.check_interrupted()?;
        display.reach(flight.progress());
    }
    progress.finish();
    let (files, poses) = frames.finish(&flight, run.files)?;
    Ok((flight.result(), files, poses))
}
