//! Chapter 8: one block and three blocks on a base that is hit twice, without sliding and jumping and with both.

use anyhow::{Result, bail};
use klast_ground_motion::{DoublePulse, GroundMotion};
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series};
use klast_stacks::{
    ContactOptions, ContactRun, InterfaceRestitution, Stack, StackBlock, StackOptions, StackRun,
    StackState,
};

use crate::{Context, Outcome, Table};

/// One experiment and its model.
pub(super) struct Experiment {
    pub(super) stack: Stack,
    /// Peak velocity of the base, m/s.
    pub(super) velocity: f64,
    /// Way to the stopper, m.
    pub(super) gap: f64,
    /// Friction of the base on its track.
    pub(super) friction: f64,
}

impl Experiment {
    pub(super) fn run(
        &self,
        restitution: f64,
        rise_time: f64,
        law: InterfaceRestitution,
        sampling: Option<f64>,
    ) -> Result<StackRun> {
        let pulse = DoublePulse {
            peak_velocity: self.velocity,
            rise_time,
            gap: self.gap,
            restitution,
            friction: self.friction,
            gravity: self.stack.gravity(),
        };
        let options = StackOptions {
            base: law,
            between: law,
            sampling,
            ..StackOptions::until(3.0)
        };
        let motion = GroundMotion::horizontal(pulse.component()?);
        Ok(self
            .stack
            .run(&motion, &StackState::rest(self.stack.len()), &options)?)
    }
}

/// Modes over all restitutions and rise times of the inputs: the mode if it is always the same.
pub(super) fn double_pulse(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let friction = table.input("track_friction")?;
    let restitutions: Vec<f64> = table.input_as("stopper_restitution")?;
    let rises: Vec<f64> = table.input_as("rise_time_s")?;
    let mut outcome = Outcome::new();
    for row in table.rows.iter().filter(|row| row.id.ends_with(" mode")) {
        let [blocks, velocity, gap, _] = row.id.split(' ').collect::<Vec<_>>()[..] else {
            bail!("row '{}'; accepted: blocks velocity gap mode", row.id);
        };
        let block = StackBlock::new(0.01, 0.045 / blocks.parse::<f64>()?, 1.0)?;
        let stack = Stack::uniform(blocks.parse()?, block, gravity)?;
        let experiment = Experiment {
            stack,
            velocity: velocity.parse()?,
            gap: gap.parse()?,
            friction,
        };
        let (mut modes, mut needed) = (std::collections::BTreeSet::new(), (f64::INFINITY, 0.0_f64));
        let mut least = f64::INFINITY;
        for (&restitution, &rise) in restitutions
            .iter()
            .flat_map(|e| rises.iter().map(move |rise| (e, rise)))
        {
            let run = experiment.run(restitution, rise, InterfaceRestitution::Housner, None)?;
            modes.insert(run.outcome().mode(experiment.stack.len()));
            let friction = run.diagnostics.friction.value;
            needed = (needed.0.min(friction), needed.1.max(friction));
            least = least.min(run.diagnostics.normal.value);
        }
        let modes: Vec<String> = modes.into_iter().collect();
        outcome.set(&row.id, "computed", modes.join(" "));
        let experiment_id = row.id.trim_end_matches(" mode");
        outcome.set(
            &format!("{experiment_id} slides"),
            "computed",
            if needed.0 > 0.54 { "yes" } else { "no" },
        );
        outcome.set(
            &format!("{experiment_id} jumps"),
            "computed",
            if least < 0.0 { "yes" } else { "no" },
        );
        outcome.note(format!(
            "{experiment_id}: largest |T/N| between {:.2} and {:.2} over all restitutions and rise times, least N/W {least:.2}",
            needed.0, needed.1
        ));
        draw(&mut outcome, &experiment, experiment_id)?;
    }
    section_8_3(gravity, friction, &mut outcome)?;
    Ok(outcome)
}

/// Section 8.3, of one block: a short way to the stopper keeps it standing, and a block twice as large needs more
/// velocity. Stopper and rise time are those of the drawings.
fn section_8_3(gravity: f64, friction: f64, outcome: &mut Outcome) -> Result<()> {
    let fallen = |size: f64, velocity: f64, gap: f64| -> Result<bool> {
        let block = StackBlock::new(0.01 * size, 0.045 * size, 1.0)?;
        let experiment = Experiment {
            stack: Stack::uniform(1, block, gravity)?,
            velocity,
            gap,
            friction,
        };
        let run = experiment.run(0.5, 1e-3, InterfaceRestitution::Housner, None)?;
        Ok(run.outcome().mode(1) != "A")
    };
    let least = |size: f64, gap: f64| -> Result<f64> {
        for velocity in (1..=200).map(|k| 0.01 * f64::from(k)) {
            if fallen(size, velocity, gap)? {
                return Ok(velocity);
            }
        }
        Ok(f64::INFINITY)
    };
    let word = |holds: bool| if holds { "yes" } else { "no" };
    let (long, short) = (0.1, 0.002);
    let (small, large) = (least(1.0, long)?, least(2.0, long)?);
    outcome.set(
        "8.3 larger block needs more velocity",
        "computed",
        word(large > small),
    );
    // A fifth above the least velocity that overturns it where the stopper is far.
    let stands = !fallen(1.0, 1.2 * small, short)?;
    outcome.set(
        "8.3 short way to the stopper stabilises",
        "computed",
        word(stands),
    );
    outcome.note(format!(
        "section 8.3: with the stopper at {long} m, {small:.2} m/s overturn the smaller block and {large:.2} m/s the larger one"
    ));
    Ok(())
}

/// Rotations and phase planes at a stopper restitution of 0.5 and a rise time of 1 ms.
fn draw(outcome: &mut Outcome, experiment: &Experiment, id: &str) -> Result<()> {
    let run = experiment.run(0.5, 1e-3, InterfaceRestitution::Housner, Some(5e-4))?;
    let mut history = LineChart::new(id, Axis::new("t (s)"), Axis::new("θ (rad)"));
    let mut plane = LineChart::new(id, Axis::new("θ (rad)"), Axis::new("θ' (rad/s)"));
    for block in 0..experiment.stack.len() {
        let standing = || {
            run.samples
                .iter()
                .filter(|sample| sample.angles.len() > block && sample.time < 1.0)
        };
        let name = format!("block {}", block + 1);
        history = history.with(Series::line(
            &name,
            standing().map(|s| (s.time, s.angles[block])).collect(),
        ));
        plane = plane.with(Series::line(
            &name,
            standing()
                .map(|s| (s.angles[block], s.rates[block]))
                .collect(),
        ));
    }
    let name = id.replace([' ', '.'], "-");
    outcome.draw(
        &format!("history-{name}"),
        "Rotations without sliding and jumping (the experiments are Figures 8.9, 8.10, 8.15, 8.16)",
        history.svg()?,
    );
    outcome.draw(
        &format!("plane-{name}"),
        "Phase planes (Figures 8.9, 8.10, 8.17, 8.18)",
        plane.svg()?,
    );
    Ok(())
}

/// Modes with friction, at a stopper restitution of 0.5; rows are `blocks velocity gap base-friction mode`. The long
/// run maps them over friction and restitution.
pub(super) fn with_friction(table: &Table, context: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let [blocks, velocity, gap, base, _] = row.id.split(' ').collect::<Vec<_>>()[..] else {
            bail!(
                "row '{}'; accepted: blocks velocity gap friction mode",
                row.id
            );
        };
        let experiment = experiment(table, blocks.parse()?, velocity.parse()?, gap.parse()?)?;
        let run = experiment.slide(table, 0.5, base.parse()?)?;
        outcome.set(
            &row.id,
            "computed",
            run.outcome.mode(experiment.stack.len()),
        );
        outcome.note(format!(
            "{}: the lowest block slides {:.1} mm in all",
            row.id,
            1e3 * run.slides[0]
        ));
    }
    if context.full {
        map_friction(table, &mut outcome)?;
    }
    Ok(outcome)
}

/// Modes of the four experiments over base friction and stopper restitution, and how many are those measured.
fn map_friction(table: &Table, outcome: &mut Outcome) -> Result<()> {
    const BASES: [f64; 7] = [0.25, 0.3, 0.33, 0.36, 0.4, 0.54, 0.8];
    const STOPPERS: [f64; 3] = [0.3, 0.5, 0.7];
    let mut index = Vec::new();
    for restitution in STOPPERS {
        for base in BASES {
            let mut modes = Vec::new();
            for (blocks, velocity, gap) in EXPERIMENTS {
                let experiment = experiment(table, blocks, velocity, gap)?;
                let run = experiment.slide(table, restitution, base)?;
                modes.push(run.outcome.mode(blocks));
            }
            outcome.note(format!(
                "base friction {base}, stopper restitution {restitution}: {}",
                modes.join(" ")
            ));
            let met = modes.iter().zip(MEASURED).filter(|(a, b)| *a == b);
            index.push(met.count() as u8);
        }
    }
    let names = (0..=4).map(|k| format!("{k} of 4 modes")).collect();
    let map = HeatMap::new(
        "Modes of chapter 8 met with friction, sliding and jumping",
        Axis::new("base friction: 0.25, 0.30, 0.33, 0.36, 0.40, 0.54, 0.80").range(0.0, 7.0),
        Axis::new("stopper restitution: 0.3, 0.5, 0.7").range(0.0, 3.0),
        (BASES.len(), STOPPERS.len()),
        Cells::Classes { names, index },
    );
    outcome.draw(
        "modes-over-friction",
        "How many of the four measured modes the contact engine gives",
        map.svg()?,
    );
    Ok(())
}

/// Modes measured in the four experiments.
const MEASURED: [&str; 4] = ["B_R", "B_L", "C_L", "D_L"];

/// Blocks, peak velocity (m/s) and gap (m) of Figures 8.9, 8.10, 8.15 and 8.16.
const EXPERIMENTS: [(usize, f64, f64); 4] = [
    (1, 0.59, 0.02),
    (1, 0.56, 0.03),
    (3, 0.54, 0.025),
    (3, 0.54, 0.03),
];

fn experiment(table: &Table, blocks: usize, velocity: f64, gap: f64) -> Result<Experiment> {
    let block = StackBlock::new(0.01, 0.045 / blocks as f64, 0.012 / blocks as f64)?;
    let stack = Stack::uniform(blocks, block, table.input("gravity_m_per_s2")?)?;
    Ok(Experiment {
        stack,
        velocity,
        gap,
        friction: table.input("track_friction")?,
    })
}

impl Experiment {
    fn slide(&self, table: &Table, restitution: f64, base: f64) -> Result<ContactRun> {
        let pulse = DoublePulse {
            peak_velocity: self.velocity,
            rise_time: 1e-3,
            gap: self.gap,
            restitution,
            friction: self.friction,
            gravity: self.stack.gravity(),
        };
        // One block has no interface but the base.
        let between = if self.stack.len() == 1 {
            base
        } else {
            table.input("block_friction")?
        };
        let options = ContactOptions {
            base_friction: base,
            ..ContactOptions::new(0.6, between, 0.01)
        };
        let motion = GroundMotion::horizontal(pulse.component()?);
        Ok(self
            .stack
            .run_contact(&motion, &StackState::rest(self.stack.len()), &options)?)
    }
}
