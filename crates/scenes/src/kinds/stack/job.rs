//! `stack`: one motion of a stack by one of three engines.

use anyhow::{Result, bail, ensure};
use klast_dynamics::ground_motion::GroundMotion;
use klast_rocking::stack::{
    ContactOptions, ContactRun, Stack, StackOptions, StackRun, StackSample, StackState, StackStop,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::report;
use crate::common::block::gravity;
use crate::common::motion::{Motion, remarks};
use crate::common::stack::{Block, Restitution, outcome, stack};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `stack`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `stack`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The blocks, from the base upwards: one to ten.
    blocks: Vec<Block>,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution on the base (no slip and Newmark).
    #[serde(default)]
    base_restitution: Restitution,
    /// Restitution between blocks (no slip and Newmark).
    #[serde(default)]
    restitution: Restitution,
    /// Horizontal motion of the base, positive to the right.
    #[serde(default)]
    horizontal: Motion,
    /// Vertical motion of the base, positive upwards.
    #[serde(default)]
    vertical: Motion,
    /// Duration (s).
    duration_s: f64,
    /// Rotation of each block against the body below at the start (rad), clockwise positive; zero is a shut interface.
    #[serde(default)]
    relative_rotation_rad: Vec<f64>,
    /// Rates of the same (rad/s).
    #[serde(default)]
    relative_rate_rad_per_s: Vec<f64>,
    /// Engine; exact events without slip unless stated.
    #[serde(default)]
    engine: Engine,
    /// Interval of the history (s).
    #[serde(default = "interval")]
    sample_s: f64,
    /// Friction coefficient: the result says when the motion without slip would need more; only with that engine.
    #[serde(default)]
    friction: Option<f64>,
}

fn interval() -> f64 {
    0.005
}

/// What integrates the motion.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Engine {
    /// No sliding, no jumping, exact events.
    NoSlip {
        /// Largest neglected acceleration over g/H.
        #[serde(default = "tolerance")]
        tolerance: f64,
    },
    /// The same model by Newmark's scheme of a fixed step.
    Newmark {
        /// Step (s).
        step_s: f64,
    },
    /// Polyhedra in space with Coulomb friction: sliding and jumping allowed.
    Contact {
        /// Step (s).
        step_s: f64,
        /// Depth of the blocks across the motion (m).
        depth_m: f64,
        /// Friction coefficient on the base.
        base_friction: f64,
        /// Friction coefficient between blocks.
        friction: f64,
        /// Newton's restitution on the base.
        #[serde(default)]
        base_restitution: f64,
        /// Newton's restitution between blocks.
        #[serde(default)]
        restitution: f64,
    },
}

impl Engine {
    /// The friction of the scene asks for the forces of a motion without slip: another engine would take no notice.
    fn check_friction(&self, of_scene: Option<f64>) -> Result<()> {
        match self {
            _ if of_scene.is_none() => Ok(()),
            Self::NoSlip { .. } => Ok(()),
            Self::Newmark { .. } => {
                bail!(
                    "friction beside the engine newmark, which asks for no forces; accepted: with no_slip"
                )
            }
            Self::Contact { .. } => bail!(
                "friction beside the engine contact, which has engine.friction and engine.base_friction; \
                 accepted: those, or friction with no_slip"
            ),
        }
    }

    /// What the engine with friction is told; none of another engine.
    fn contact(&self, run: &StackOptions) -> Option<ContactOptions> {
        let Self::Contact {
            step_s,
            depth_m,
            base_friction,
            friction,
            base_restitution,
            restitution,
        } = *self
        else {
            return None;
        };
        Some(ContactOptions {
            step: step_s,
            base_friction,
            base_restitution,
            restitution,
            sampling: run.sampling,
            ..ContactOptions::new(run.end, friction, depth_m)
        })
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::NoSlip {
            tolerance: tolerance(),
        }
    }
}

fn tolerance() -> f64 {
    1e-11
}

struct RunJob {
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
    let stack = stack(&scene.blocks, scene.gravity_m_per_s2)?;
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
    let rate = filled("relative_rate_rad_per_s", &scene.relative_rate_rad_per_s)?;
    let duration = scene.duration_s;
    ensure!(
        duration.is_finite() && duration > 0.0,
        "duration_s {duration}; accepted: finite and above 0"
    );
    let rows = duration / scene.sample_s;
    ensure!(
        rows < 1e7,
        "sample_s {}; accepted: at most ten million samples",
        scene.sample_s
    );
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
        ..StackOptions::until(duration)
    };
    let start = StackState::from_relative(0.0, &phi, &rate)?;
    // A run over no time validates what the constructors cannot see.
    let moment = StackOptions {
        end: 0.0,
        ..options
    };
    let still = GroundMotion::at_rest();
    stack.run(&still, &start, &moment)?;
    match scene.engine {
        Engine::NoSlip { .. } => {}
        Engine::Newmark { step_s } => {
            stack.run_newmark(&still, &start, &moment, step_s)?;
            check_steps(duration, step_s)?;
        }
        Engine::Contact { step_s, .. } => {
            if let Some(contact) = scene.engine.contact(&options) {
                contact.check()?;
            }
            check_steps(duration, step_s)?;
        }
    }
    Ok(Box::new(RunJob {
        stack,
        motion,
        start,
        options,
        engine: scene.engine,
        remarks,
    }))
}

/// A run of a fixed step must come to its end.
fn check_steps(duration: f64, step: f64) -> Result<()> {
    let count = duration / step;
    ensure!(
        count <= 1e9,
        "engine.step_s {step}: {count:.3e} in {duration} s; accepted: up to 1e9 of them"
    );
    Ok(())
}

impl Job for RunJob {
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

    fn run(&self, session: &mut Session) -> Result<()> {
        for remark in &self.remarks {
            session.warning(remark);
        }
        let samples = match self.engine {
            Engine::NoSlip { .. } => {
                let run = self.stack.run(&self.motion, &self.start, &self.options)?;
                self.write(session, run)?
            }
            Engine::Newmark { step_s } => {
                let run =
                    self.stack
                        .run_newmark(&self.motion, &self.start, &self.options, step_s)?;
                self.write(session, run)?
            }
            Engine::Contact { .. } => self.with_friction(session)?,
        };
        report::history(session, &samples, self.stack.len())?;
        report::pictures(session, &samples, self.stack.len())
    }
}

impl RunJob {
    fn write(&self, session: &mut Session, run: StackRun) -> Result<Vec<StackSample>> {
        session.count("events", run.events.len());
        session.count("steps", run.steps);
        session.result(self.result(&run))?;
        report::events(session, &run.events, self.stack.len())?;
        Ok(run.samples)
    }

    fn result(&self, run: &StackRun) -> serde_json::Value {
        let marks = run.diagnostics;
        let stop = match run.stop {
            StackStop::Duration => "duration",
            StackStop::Rest => "rest",
            StackStop::Overturned => "overturned",
            StackStop::Limit => "limit of steps",
            StackStop::NotFinite => "not finite",
        };
        let extreme = |mark: klast_rocking::stack::Extreme| {
            serde_json::json!({
                "value": mark.value.is_finite().then_some(mark.value),
                "time_s": mark.time,
                "interface": mark.interface + 1,
            })
        };
        let forces = !matches!(self.engine, Engine::Newmark { .. });
        serde_json::json!({
            "outcome": outcome(run.outcome()),
            "mode": run.outcome().mode(self.stack.len()),
            "stopped_by": stop,
            "end_time_s": run.state.time,
            "configuration": run.state.configuration().to_string(),
            "falls": report::falls(&run.falls),
            "range_rad": run.range,
            "no_slip": forces.then(|| serde_json::json!({
                "needed_friction": extreme(marks.friction),
                "least_normal_over_weight": extreme(marks.normal),
                "needed_friction_of_impacts": extreme(marks.impact_friction),
                "impacts_that_pull": marks.pulling_impacts,
                "first_jump_s": marks.jump_time,
                "friction": self.options.friction,
                "first_slip_s": marks.slip_time,
            })),
            "largest_energy_gain_of_impacts": marks.energy_gain.max(0.0),
            "unresolved": marks.unresolved,
            "remarks": self.remarks,
        })
    }

    fn with_friction(&self, session: &mut Session) -> Result<Vec<StackSample>> {
        let Some(options) = self.engine.contact(&self.options) else {
            return Ok(Vec::new());
        };
        let run = self
            .stack
            .run_contact(&self.motion, &self.start, &options)?;
        session.count("steps_not_converged", run.unconverged);
        session.result(self.contact_result(&run))?;
        Ok(run.samples)
    }

    fn contact_result(&self, run: &ContactRun) -> serde_json::Value {
        serde_json::json!({
            "outcome": outcome(run.outcome),
            "mode": run.outcome.mode(self.stack.len()),
            "end_time_s": run.time,
            "falls": report::falls(&run.falls),
            "end_rotation_rad": run.angles,
            "slide_m": run.slides,
            "first_jump_s": run.first_jump,
            "steps_not_converged": run.unconverged,
            "remarks": self.remarks,
        })
    }
}
