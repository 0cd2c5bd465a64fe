//! One motion of a stack by one of two engines.

use klast_ground_motion::GroundMotion;
use klast_runs::error::Result;
use klast_stacks::{Stack, StackOptions, StackState};

use super::scene::{Engine, Scene, tolerance};
use super::{result, verdict};
use crate::common::base_motion::base_motion;
use crate::common::stack::stack;
use klast_runs::Results;
use klast_runs::common::duration::interval;
use klast_runs::faults::{Fault, Faults};
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
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let stack = gravity.and_then(|g| faults.take("", stack(&scene.blocks, g)));
    let motion = base_motion(text, &mut faults, [&scene.horizontal, &scene.vertical]);
    let count = scene.blocks.len();
    let mut filled = |name: &str, given: &[f64]| {
        faults.check(given.is_empty() || given.len() == count, || {
            Fault::new(name, format!("{} entries", given.len()))
                .accepted(format!("none or one a block ({count})"))
        });
        match given.is_empty() {
            true => vec![0.0; count],
            false => given.to_vec(),
        }
    };
    let phi = filled("relative_rotation_rad", &scene.relative_rotation_rad);
    let rate = filled("relative_rate_rad_s", &scene.relative_rate_rad_s);
    faults.take("", interval("sample_s", scene.sample_s, end, 1e7));
    faults.take("", scene.engine.check_friction(scene.friction));
    let options = StackOptions {
        base: scene.base_restitution.into(),
        between: scene.restitution.into(),
        sampling: Some(scene.sample_s),
        friction: scene.friction,
        tolerance: match scene.engine {
            Engine::NoSlip { tolerance } => tolerance,
            Engine::Contact(_) => tolerance(),
        },
        ..StackOptions::until(end.unwrap_or(1.0))
    };
    if let Engine::Contact(contact) = scene.engine {
        faults.take("engine", contact.options(&options).check());
        faults.take("engine", interval("step_s", contact.step_s, end, 1e9));
    }
    let start = match (&stack, phi.len() == count && rate.len() == count) {
        (Some(stack), true) => faults
            .take("", StackState::from_relative(0.0, &phi, &rate))
            .filter(|start| faults.take("", stack.check(start, &options)).is_some()),
        _ => None,
    };
    let job = faults.or_all(|| {
        let (motion, remarks) = motion?;
        Some(StackJob {
            stack: stack?,
            motion,
            start: start?,
            options,
            engine: scene.engine,
            remarks,
        })
    });
    Ok(Box::new(job?))
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
                run.warnings(&verdict::warnings(&found, stack.first_fall(&found)));
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
