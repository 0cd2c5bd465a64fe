//! `rocking`: one motion of one block.

use anyhow::Result;
use klast_dynamics::ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::{
    Event, Newmark, Options, Outcome, Restitution as Model, RockingBlock, Run, Side, simulate,
    simulate_newmark,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::{Block, Equation, Restitution, gravity};
use crate::common::motion::{Motion, remarks};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `rocking`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `rocking`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The block.
    block: Block,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution; Housner's unless stated.
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
    /// Rotation at the start (rad), clockwise positive.
    #[serde(default)]
    tilt_rad: f64,
    /// Angular velocity at the start (rad/s).
    #[serde(default)]
    angular_velocity_rad_per_s: f64,
    /// Equation of motion.
    #[serde(default)]
    equation: Equation,
    /// Step of Newmark's method (s), for comparison; the adaptive method with exact events without it.
    #[serde(default)]
    newmark_step_s: Option<f64>,
    /// Interval of the history (s).
    #[serde(default = "interval")]
    sample_s: f64,
    /// Friction coefficient: when sliding or jumping would start, the result says so; not with `newmark_step_s`.
    #[serde(default)]
    friction: Option<f64>,
}

fn interval() -> f64 {
    0.005
}

struct RunJob {
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
    let options = Options {
        equation: scene.equation.into(),
        rotation: scene.tilt_rad,
        angular_velocity: scene.angular_velocity_rad_per_s,
        sample: Some(scene.sample_s),
        friction: scene.friction,
        ..Options::new(scene.duration_s)
    };
    let job = RunJob {
        block: scene.block.build(scene.gravity_m_per_s2)?,
        restitution: scene.restitution.build()?,
        motion,
        options,
        newmark: scene.newmark_step_s,
        remarks,
    };
    let steps = scene
        .newmark_step_s
        .map(|step| ("newmark_step_s", step, 1e9));
    for (key, step, most) in [Some(("sample_s", scene.sample_s, 1e7)), steps]
        .into_iter()
        .flatten()
    {
        let count = scene.duration_s / step;
        anyhow::ensure!(
            step > 0.0 && count <= most,
            "{key} {step}: {count:.3e} in {} s; accepted: above 0, up to {most:e} of them",
            scene.duration_s
        );
    }
    // A run over a moment validates what the constructors cannot see.
    let moment = Options {
        duration: options.duration.min(1e-9),
        ..options
    };
    simulate(
        &job.block,
        &job.restitution,
        &GroundMotion::at_rest(),
        &moment,
    )?;
    anyhow::ensure!(
        options.duration.is_finite() && options.duration > 0.0,
        "duration_s {}; accepted: finite and above 0",
        options.duration
    );
    Ok(Box::new(job))
}

impl Job for RunJob {
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

    fn run(&self, session: &mut Session) -> Result<()> {
        let (block, eta, options) = (&self.block, &self.restitution, &self.options);
        let run = match self.newmark {
            Some(step) => simulate_newmark(block, eta, &self.motion, options, &Newmark::new(step))?,
            None => simulate(block, eta, &self.motion, options)?,
        };
        for remark in &self.remarks {
            session.warning(remark);
        }
        session.count("impacts", run.impacts);
        session.result(self.result(&run))?;
        write_history(session, &run)?;
        draw(session, &run)
    }
}

impl RunJob {
    fn result(&self, run: &Run) -> serde_json::Value {
        let i = self.motion.horizontal.intensity();
        let outcome = match run.outcome {
            Outcome::Rest => "rest",
            Outcome::Settled => "settled",
            Outcome::Rocking => "rocking",
            Outcome::Overturned(mode) if mode.side == Side::Right => "overturned right",
            Outcome::Overturned(_) => "overturned left",
        };
        serde_json::json!({
            "outcome": outcome,
            "impacts": run.impacts,
            "end_time_s": run.end.0,
            "rest_time_s": run.rest_time(),
            "largest_rotation_rad": run.largest_rotation,
            "largest_angular_velocity_rad_per_s": run.largest_velocity,
            "pga_m_per_s2": i.pga,
            "pgv_m_per_s": i.pgv,
            "pgv_over_pga_s": if i.pga > 0.0 { Some(i.pulse_time()) } else { None },
            "no_slip": run.contact.map(|c| serde_json::json!({
                "friction": c.friction,
                "needed_friction": c.needed_friction.is_finite().then_some(c.needed_friction),
                "least_normal_over_weight": c.least_normal.is_finite().then_some(c.least_normal),
                "holds": c.is_met(),
                "first_violation_s": c.model_end.map(|end| end.time),
            })),
            "remarks": self.remarks,
        })
    }
}

fn side_name(side: Side) -> String {
    match side {
        Side::Right => "right".to_owned(),
        Side::Left => "left".to_owned(),
    }
}

fn write_history(session: &mut Session, run: &Run) -> Result<()> {
    let header = [
        "time_s",
        "rotation_rad",
        "angular_velocity_rad_per_s",
        "angular_acceleration_rad_per_s2",
    ];
    let rows = run.samples.iter().map(|s| {
        [
            s.time,
            s.rotation,
            s.angular_velocity,
            s.angular_acceleration,
        ]
        .map(|x| x.to_string())
    });
    session.output.csv("history.csv", &header, rows)?;
    let header = [
        "time_s",
        "event",
        "corner",
        "velocity_before_rad_per_s",
        "velocity_after_rad_per_s",
    ];
    let none = String::new;
    let rows = run.events.iter().map(|event| match *event {
        Event::LiftOff { time, side } => [
            time.to_string(),
            "lift-off".to_owned(),
            side_name(side),
            none(),
            none(),
        ],
        Event::Impact {
            time,
            side,
            before,
            after,
        } => [
            time.to_string(),
            "impact".to_owned(),
            side_name(side),
            before.to_string(),
            after.to_string(),
        ],
        Event::Rest { time } => [time.to_string(), "rest".to_owned(), none(), none(), none()],
        Event::Overturned { time, side } => [
            time.to_string(),
            "overturned".to_owned(),
            side_name(side),
            none(),
            none(),
        ],
    });
    session.output.csv("events.csv", &header, rows)
}

fn draw(session: &mut Session, run: &Run) -> Result<()> {
    let of = |f: fn(&klast_rocking::Sample) -> (f64, f64)| run.samples.iter().map(f).collect();
    let charts = [
        (
            "rotation.svg",
            "Rotation",
            "t [s]",
            "θ [rad]",
            of(|s| (s.time, s.rotation)),
        ),
        (
            "velocity.svg",
            "Angular velocity",
            "t [s]",
            "θ′ [rad/s]",
            of(|s| (s.time, s.angular_velocity)),
        ),
        (
            "phase.svg",
            "Phase plane",
            "θ [rad]",
            "θ′ [rad/s]",
            of(|s| (s.rotation, s.angular_velocity)),
        ),
    ];
    for (name, title, x, y, points) in charts {
        let points: Vec<(f64, f64)> = points;
        let mut y_axis = Axis::new(y);
        let mut x_axis = Axis::new(x);
        // A block at rest is a line at zero, which has no range of its own.
        if points.iter().all(|p| p.1 == 0.0) {
            y_axis = y_axis.range(-1.0, 1.0);
            if name == "phase.svg" {
                x_axis = x_axis.range(-1.0, 1.0);
            }
        }
        let chart = LineChart::new(title, x_axis, y_axis).with(Series::line("", points));
        session.picture(name, &chart.svg()?, title)?;
    }
    Ok(())
}
