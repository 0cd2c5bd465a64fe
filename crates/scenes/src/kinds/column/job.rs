//! A column in space by the contact engine.

use anyhow::{Context as _, Result, ensure};
use klast_rocking::spatial::{SpatialColumn, SpatialMotion, SpatialOptions};

use super::result;
use super::scene::Scene;
use crate::common::duration::interval;
use crate::common::motion::remarks;
use crate::job::{Job, Run};
use crate::results::Results;
use crate::text::SceneText;

struct ColumnJob {
    column: SpatialColumn,
    motion: SpatialMotion,
    gravity: f64,
    options: SpatialOptions,
    half_step: bool,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let density = scene.density_kg_m3;
    let drums = scene.drums.iter().enumerate().map(|(k, drum)| {
        let of = || format!("drums[{k}]");
        drum.build(scene.facets, density).with_context(of)
    });
    let column = SpatialColumn::new(drums.collect::<Result<_>>()?)?;
    let motions = [&scene.horizontal, &scene.transverse, &scene.vertical];
    let [x, y, z] = motions;
    let motion = SpatialMotion {
        components: [x.build(text)?, y.build(text)?, z.build(text)?],
    };
    let end = scene.duration_s;
    interval("step_s", scene.step_s, end, 1e8)?;
    interval("sample_s", scene.sample_s, end, 1e6)?;
    let tilt = scene.tilt_rad;
    ensure!(
        tilt.abs() < std::f64::consts::FRAC_PI_2,
        "tilt_rad {tilt}; accepted: below π/2 in size"
    );
    let azimuth = scene.azimuth_rad;
    ensure!(
        azimuth.abs() <= std::f64::consts::TAU,
        "azimuth_rad {azimuth}; accepted: between -2π and 2π"
    );
    let options = SpatialOptions {
        step: scene.step_s,
        sample: Some(scene.sample_s),
        ..SpatialOptions::released(end.seconds(), scene.friction, tilt, azimuth)
    };
    options.check()?;
    Ok(Box::new(ColumnJob {
        column,
        motion,
        gravity: scene.gravity_m_s2.m_s2(),
        options,
        half_step: scene.half_step,
        remarks: remarks(text, motions)?,
    }))
}

impl Job for ColumnJob {
    fn describe(&self) -> String {
        let [x, y, z] = &self.motion.components;
        let pga = |component: &klast_dynamics::ground_motion::Component| component.intensity().pga;
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

    fn run(&self, run: &mut Run) -> Result<Results> {
        run.warnings(&self.remarks);
        let of = |options: &SpatialOptions| self.column.run(&self.motion, self.gravity, options);
        let whole = of(&self.options)?;
        run.check_interrupted()?;
        let half = SpatialOptions {
            step: 0.5 * self.options.step,
            sample: None,
            ..self.options
        };
        let half = self.half_step.then(|| of(&half)).transpose()?;
        let results = result::Results::of(&self.column, &self.motion, &whole, half.as_ref())
            .at_step(self.options.step)
            .with(&self.remarks);
        run.count("steps_not_converged", whole.unconverged);
        run.warnings(&results.warnings());
        Ok(Results::Column(Box::new(results)))
    }
}
