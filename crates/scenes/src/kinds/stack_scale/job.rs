//! `stack-scale`: outcomes over the scale factor of a motion, and the least factor at which blocks fall.

use anyhow::Result;
use klast_dynamics::ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::stack::{ScaledOutcome, Stack, StackOptions, StackOutcome, StackState};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::gravity;
use crate::common::motion::{Motion, remarks};
use crate::common::stack::{Block, Restitution, outcome, stack};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `stack-scale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `stack-scale`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The blocks, from the base upwards: one to ten.
    blocks: Vec<Block>,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution on the base.
    #[serde(default)]
    base_restitution: Restitution,
    /// Restitution between blocks.
    #[serde(default)]
    restitution: Restitution,
    /// Horizontal motion of the base, positive to the right.
    #[serde(default)]
    horizontal: Motion,
    /// Vertical motion of the base, positive upwards; scaled with the horizontal one.
    #[serde(default)]
    vertical: Motion,
    /// Duration of each run (s).
    duration_s: f64,
    /// Lowest and highest factor.
    factors: [f64; 2],
    /// Number of factors, evenly spaced; the first that overturns is then bisected.
    count: usize,
}

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
    let stack = stack(&scene.blocks, scene.gravity_m_per_s2)?;
    let options = StackOptions {
        base: scene.base_restitution.into(),
        between: scene.restitution.into(),
        ..StackOptions::until(scene.duration_s)
    };
    let still = GroundMotion::at_rest();
    stack.run(&still, &StackState::rest(stack.len()), &options)?;
    let range = scene.factors.into();
    // Two runs on a base at rest check the range and the count.
    stack.outcomes_by_scale(&still, &options, range, scene.count.min(2))?;
    Ok(Box::new(ScaleJob {
        motion: GroundMotion::new(scene.horizontal.build(text)?, scene.vertical.build(text)?),
        stack,
        options,
        range,
        count: scene.count,
        remarks: remarks(text, [&scene.horizontal, &scene.vertical])?,
    }))
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

    fn run(&self, session: &mut Session) -> Result<()> {
        for remark in &self.remarks {
            session.warning(remark);
        }
        let scan =
            self.stack
                .outcomes_by_scale(&self.motion, &self.options, self.range, self.count)?;
        let least =
            self.stack
                .overturning_scale(&self.motion, &self.options, self.range, self.count)?;
        let blocks = self.stack.len();
        let rows = scan.iter().map(|at| {
            [
                at.factor.to_string(),
                at.outcome.mode(blocks),
                outcome(at.outcome).to_owned(),
            ]
        });
        session
            .output
            .csv("scale.csv", &["factor", "mode", "outcome"], rows)?;
        session.count("runs", scan.len());
        let result = serde_json::json!({
            "least_overturning_factor": least.map(|found| found.factor),
            "mode": least.map(|found| found.outcome.mode(blocks)),
        });
        session.result(result)?;
        session.picture(
            "scale.svg",
            &picture(&scan, blocks)?,
            "What becomes of the stack over the scale of the motion.",
        )
    }
}

/// How many blocks fell at each factor.
fn picture(scan: &[ScaledOutcome], blocks: usize) -> Result<String> {
    let fallen = |at: &ScaledOutcome| match at.outcome {
        StackOutcome::Rest | StackOutcome::Rocking => 0,
        StackOutcome::Partial { standing, .. } => blocks.saturating_sub(standing),
        StackOutcome::Total { .. } => blocks,
    };
    let dots = scan.iter().map(|at| (at.factor, fallen(at) as f64));
    let y = Axis::new("blocks that fell")
        .range(-0.25, blocks as f64 + 0.25)
        .whole();
    let chart = LineChart::new(
        "Outcome over the scale of the motion",
        Axis::new("factor [-]"),
        y,
    )
    .with(Series::points("", dots.collect()));
    Ok(chart.svg()?)
}
