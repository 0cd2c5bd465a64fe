//! Outcomes over the scale factor of a motion, and the least factor at which blocks fall.

use klast_dynamics::ground_motion::GroundMotion;
use klast_runs::error::Result;
use klast_stacks::{Stack, StackOptions, StackState};

use super::result;
use super::scene::Scene;
use crate::common::base_motion::base_motion;
use crate::common::stack::stack;
use klast_runs::Results;
use klast_runs::faults::Faults;
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

struct ScaleJob {
    stack: Stack,
    motion: GroundMotion,
    options: StackOptions,
    range: (f64, f64),
    count: usize,
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
    let options = StackOptions {
        base: scene.base_restitution.into(),
        between: scene.restitution.into(),
        ..StackOptions::until(end.unwrap_or(1.0))
    };
    let range = scene.factors.into();
    if let Some(stack) = &stack {
        faults.take("", stack.check(&StackState::rest(stack.len()), &options));
        faults.take("", stack.check_scales(range, scene.count));
    }
    let job = faults.or_all(|| {
        let (motion, remarks) = motion?;
        Some(ScaleJob {
            motion,
            stack: stack?,
            options,
            range,
            count: scene.count,
            remarks,
        })
    });
    Ok(Box::new(job?))
}

impl Job for ScaleJob {
    fn describe(&self) -> String {
        let i = self.motion.horizontal.intensity();
        format!(
            "a stack of {} under {} factors from {} to {} on a base of PGA {:.3} m/s², PGV {:.3} m/s",
            self.stack.len(),
            self.count,
            self.range.0,
            self.range.1,
            i.pga,
            i.pgv
        )
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        run.warnings(&self.remarks);
        let (stack, motion, options) = (&self.stack, &self.motion, &self.options);
        let scan = stack.outcomes_by_scale(motion, options, self.range, self.count)?;
        run.check_interrupted()?;
        let least = stack.overturning_scale(motion, options, self.range, self.count)?;
        run.count("runs", scan.len());
        let blocks = stack.len();
        Ok(Box::new(result::Results::of(&scan, least.as_ref(), blocks)))
    }
}
