//! One motion of one rocking block.

use anyhow::Result;
use klast_dynamics::ground_motion::GroundMotion;
use klast_rocking::{
    Newmark, Options, Restitution as Model, RockingBlock, Side, simulate, simulate_newmark,
};

use super::result::{self, NoSlip, Summary};
use super::scene::Scene;
use crate::common::duration::interval;
use crate::common::motion::remarks;
use crate::job::{Job, Run};
use crate::results::Results;
use crate::text::SceneText;

struct RockingJob {
    block: RockingBlock,
    restitution: Model,
    motion: GroundMotion,
    options: Options,
    newmark: Option<f64>,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let motion = GroundMotion::new(scene.horizontal.build(text)?, scene.vertical.build(text)?);
    let remarks = remarks(text, [&scene.horizontal, &scene.vertical])?;
    anyhow::ensure!(
        scene.friction.is_none() || scene.newmark_step_s.is_none(),
        "friction beside newmark_step_s: that method asks for no forces; accepted: one of them"
    );
    let end = scene.duration_s;
    interval("sample_s", scene.sample_s, end, 1e7)?;
    if let Some(step) = scene.newmark_step_s {
        interval("newmark_step_s", step, end, 1e9)?;
    }
    let options = Options {
        equation: scene.equation.into(),
        rotation: scene.tilt_rad,
        angular_velocity: scene.angular_velocity_rad_s,
        sample: Some(scene.sample_s),
        friction: scene.friction,
        ..Options::new(end.seconds())
    };
    options.check()?;
    Ok(Box::new(RockingJob {
        block: scene.block.build(scene.gravity_m_s2.m_s2())?,
        restitution: scene.restitution.build()?,
        motion,
        options,
        newmark: scene.newmark_step_s,
        remarks,
    }))
}

impl Job for RockingJob {
    fn describe(&self) -> String {
        let b = &self.block;
        let i = self.motion.horizontal.intensity();
        format!(
            "one block: α = {:.4} rad, R = {:.4} m, p = {:.4} rad/s, η = {:.4}, lifts off at {:.3} m/s²\n\
             base: PGA {:.3} m/s², PGV {:.3} m/s; {} s",
            b.slenderness(),
            b.radius(),
            b.frequency(),
            self.restitution.coefficient(b, Side::Right),
            b.lift_off_acceleration(),
            i.pga,
            i.pgv,
            self.options.duration
        )
    }

    fn run(&self, run: &mut Run) -> Result<Results> {
        run.warnings(&self.remarks);
        let (block, eta, options) = (&self.block, &self.restitution, &self.options);
        let found = match self.newmark {
            Some(step) => simulate_newmark(block, eta, &self.motion, options, &Newmark::new(step))?,
            None => simulate(block, eta, &self.motion, options)?,
        };
        run.count("impacts", found.impacts);
        Ok(Results::Rocking(result::Results::of(
            &found,
            self.summary(&found),
        )))
    }
}

impl RockingJob {
    fn summary(&self, run: &klast_rocking::Run) -> Summary {
        let i = self.motion.horizontal.intensity();
        Summary {
            outcome: run.outcome.into(),
            impacts: run.impacts,
            end_time_s: run.end.0,
            rest_time_s: run.rest_time(),
            max_rotation_rad: run.largest_rotation,
            max_angular_velocity_rad_s: run.largest_velocity,
            pga_m_s2: i.pga,
            pgv_m_s: i.pgv,
            pgv_over_pga_s: (i.pga > 0.0).then(|| i.pulse_time()),
            no_slip: run.contact.map(|c| NoSlip {
                friction: c.friction,
                needed_friction: Some(c.needed_friction).filter(|x| x.is_finite()),
                min_normal_over_weight: Some(c.least_normal).filter(|x| x.is_finite()),
                holds: c.is_met(),
                first_violation_s: c.model_end.map(|end| end.time),
            }),
            remarks: self.remarks.clone(),
        }
    }
}
