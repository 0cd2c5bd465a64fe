//! A column in space by the contact engine.

use klast_rocking::spatial::{SpatialColumn, SpatialMotion, SpatialOptions};
use klast_runs::error::Result;

use super::result;
use super::scene::Scene;
use klast_runs::Results;
use klast_runs::common::duration::interval;
use klast_runs::common::motion::remarks;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct ColumnJob {
    column: SpatialColumn,
    /// The same with twice the sides, where the verdict asks for it.
    rounder: Option<SpatialColumn>,
    motion: SpatialMotion,
    gravity: f64,
    options: SpatialOptions,
    half_step: bool,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let facets = scene.facets;
    let good = (3..=1000).contains(&facets);
    faults.check(good, || Fault::new("facets", facets).accepted("3 to 1000"));
    let round = scene.drums.iter().any(|drum| drum.is_round());
    let column = good
        .then(|| faults.take("", scene.column(facets)))
        .flatten();
    let rounder = match (&column, scene.half_step && round) {
        (Some(_), true) => faults.take("", scene.column(2 * facets)),
        _ => None,
    };
    let [x, y, z] = [
        ("horizontal", &scene.horizontal),
        ("transverse", &scene.transverse),
        ("vertical", &scene.vertical),
    ]
    .map(|(key, motion)| faults.take(key, motion.build(text)));
    let components = x.zip(y).zip(z).map(|((x, y), z)| [x, y, z]);
    let motions = [&scene.horizontal, &scene.transverse, &scene.vertical];
    let told = components
        .as_ref()
        .and_then(|_| faults.take("", remarks(text, motions)));
    faults.take("", interval("step_s", scene.step_s, end, 1e8));
    faults.take("", interval("sample_s", scene.sample_s, end, 1e6));
    let (tilt, azimuth) = (scene.tilt_rad, scene.azimuth_rad);
    faults.check(tilt.abs() < std::f64::consts::FRAC_PI_2, || {
        Fault::new("tilt_rad", tilt).accepted("below π/2 in size")
    });
    faults.check(azimuth.abs() <= std::f64::consts::TAU, || {
        Fault::new("azimuth_rad", azimuth).accepted("between -2π and 2π")
    });
    let options = SpatialOptions {
        step: scene.step_s,
        sample: Some(scene.sample_s),
        ..SpatialOptions::released(end.unwrap_or(1.0), scene.friction, tilt, azimuth)
    };
    if end.is_some() {
        faults.take("", options.check());
    }
    let job = faults.or_all(|| {
        Some(ColumnJob {
            column: column?,
            rounder,
            motion: SpatialMotion {
                components: components?,
            },
            gravity: gravity?,
            options,
            half_step: scene.half_step,
            remarks: told?,
        })
    });
    Ok(Box::new(job?))
}

impl Job for ColumnJob {
    fn describe(&self) -> String {
        let [x, y, z] = &self.motion.components;
        let pga = |component: &klast_ground_motion::Component| component.intensity().pga;
        let drums = self.column.drums();
        format!(
            "{}: height {:.3} m, mass {:.1} kg\nbase: PGA {:.3}, {:.3} and {:.3} m/s² along x, y and z; {} s",
            match drums.len() {
                1 => "one body".to_owned(),
                n => format!("a column of {n} drums"),
            },
            drums.iter().map(|drum| drum.height()).sum::<f64>(),
            drums.iter().map(|drum| drum.body().mass()).sum::<f64>(),
            pga(x),
            pga(y),
            pga(z),
            self.options.duration
        )
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        run.warnings(&self.remarks);
        let of = |column: &SpatialColumn, options: &SpatialOptions| {
            column.run(&self.motion, self.gravity, options)
        };
        let whole = of(&self.column, &self.options)?;
        run.check_interrupted()?;
        let unseen = SpatialOptions {
            sample: None,
            ..self.options
        };
        let half = SpatialOptions {
            step: 0.5 * self.options.step,
            ..unseen
        };
        let half = self
            .half_step
            .then(|| of(&self.column, &half))
            .transpose()?;
        run.check_interrupted()?;
        let rounder = self.rounder.as_ref().map(|column| of(column, &unseen));
        let rounder = rounder.transpose()?;
        let results = result::Results::of(
            (&self.column, &self.motion),
            (&whole, self.options.step),
            half.as_ref(),
            rounder.as_ref(),
        )
        .with(&self.remarks);
        run.count("steps_not_converged", whole.unconverged);
        run.warnings(&results.warnings());
        Ok(Box::new(results))
    }
}
