//! One motion of a stack by one of two engines.

use anyhow::{Result, ensure};
use klast_dynamics::ground_motion::GroundMotion;
use klast_rocking::stack::{Stack, StackOptions, StackState};

use super::scene::{Engine, Scene, tolerance};
use super::{result, verdict};
use crate::common::stack::stack;
use klast_runs::Results;
use klast_runs::common::duration::interval;
use klast_runs::common::motion::remarks;
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct StackJob {
    stack: Stack,
    motion: GroundMotion,
    start: StackState,
    options: StackOptions,
    engine: Engine,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let stack = stack(&scene.blocks, scene.gravity_m_s2.m_s2())?;
    let motion = GroundMotion::new(scene.horizontal.build(text)?, scene.vertical.build(text)?);
    let remarks = remarks(text, [&scene.horizontal, &scene.vertical])?;
    let filled = |name: &str, given: &[f64]| -> Result<Vec<f64>> {
        ensure!(
            given.is_empty() || given.len() == stack.len(),
            "{name} has {} entries; accepted: none or one a block ({})",
            given.len(),
            stack.len()
        );
        Ok(if given.is_empty() {
            vec![0.0; stack.len()]
        } else {
            given.to_vec()
        })
    };
    let phi = filled("relative_rotation_rad", &scene.relative_rotation_rad)?;
    let rate = filled("relative_rate_rad_s", &scene.relative_rate_rad_s)?;
    let end = scene.duration_s;
    interval("sample_s", scene.sample_s, end, 1e7)?;
    scene.engine.check_friction(scene.friction)?;
    let options = StackOptions {
        base: scene.base_restitution.into(),
        between: scene.restitution.into(),
        sampling: Some(scene.sample_s),
        friction: scene.friction,
        tolerance: if let Engine::NoSlip { tolerance } = scene.engine {
            tolerance
        } else {
            tolerance()
        },
        ..StackOptions::until(end.seconds())
    };
    let start = StackState::from_relative(0.0, &phi, &rate)?;
    stack.check(&start, &options)?;
    match scene.engine {
        Engine::NoSlip { .. } => {}
        Engine::Contact(contact) => {
            contact.options(&options).check()?;
            interval("engine.step_s", contact.step_s, end, 1e9)?;
        }
    }
    Ok(Box::new(StackJob {
        stack,
        motion,
        start,
        options,
        engine: scene.engine,
        remarks,
    }))
}

impl Job for StackJob {
    fn describe(&self) -> String {
        let i = self.motion.horizontal.intensity();
        format!(
            "a stack of {}: height {:.4} m, α = {:.4} rad, p = {:.4} rad/s as one block\n\
             base: PGA {:.3} m/s², PGV {:.3} m/s; {} s",
            self.stack.len(),
            self.stack.total_height(),
            self.stack.total_slenderness(),
            self.stack.total_frequency(),
            i.pga,
            i.pgv,
            self.options.end
        )
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        run.warnings(&self.remarks);
        let (stack, friction) = (&self.stack, self.options.friction);
        let results = match self.engine {
            Engine::NoSlip { .. } => {
                let found = self.stack.run(&self.motion, &self.start, &self.options)?;
                run.warnings(&verdict::warnings(&found));
                run.count("events", found.events.len());
                run.count("steps", found.steps);
                result::Results::without_slip((&found, stack), friction, &self.remarks)
            }
            Engine::Contact(contact) => {
                let options = contact.options(&self.options);
                let found = self
                    .stack
                    .run_contact(&self.motion, &self.start, &options)?;
                run.count("steps_not_converged", found.unconverged);
                if found.unconverged > 0 {
                    run.warning(&format!(
                        "the contacts of {} steps are not solved to the tolerance",
                        found.unconverged
                    ));
                }
                result::Results::with_friction(&found, stack, &self.remarks)
            }
        };
        Ok(Box::new(results.on(&self.stack, &self.motion)))
    }
}
