//! Constant acceleration of finite duration: the durations that just overturn.

use anyhow::{Context as _, Result};
use klast_ground_motion::{Component, GroundMotion};
use klast_rocking::closed_form::{overturning_duration, overturning_duration_linear};
use klast_rocking::{
    Options, Outcome as Fate, Restitution, RestitutionModel, RockingBlock, simulate,
};
use serde::Deserialize;

use crate::{Context, Outcome, Table};

/// p t_a by (5.3) and by the nonlinear equation.
pub(super) fn durations(table: &Table, _: &Context) -> Result<Outcome> {
    #[derive(Deserialize)]
    struct Pulse {
        id: String,
        width_m: f64,
        height_m: f64,
        ratio: f64,
    }
    let gravity = table.input("gravity_m_per_s2")?;
    let mut outcome = Outcome::new();
    let mut conclusion = Conclusion::default();
    for pulse in table.input_as::<Vec<Pulse>>("cases")? {
        let block = RockingBlock::rectangle(pulse.width_m, pulse.height_m, gravity)?;
        let linear = overturning_duration_linear(pulse.ratio).context("a ratio above 1")?;
        outcome.set(&format!("{} linear", pulse.id), "computed", linear);
        let acceleration = pulse.ratio * gravity * block.slenderness();
        if let Some(time) = overturning_duration(&block, acceleration)? {
            let row = format!("{} nonlinear", pulse.id);
            outcome.set(&row, "computed", time * block.frequency());
            conclusion.look(&block, acceleration, time)?;
        }
    }
    let word = |holds: bool| if holds { "yes" } else { "no" };
    outcome.set(
        "restitution: moves the border",
        "computed",
        word(conclusion.moved),
    );
    outcome.set(
        "restitution: falls to the other side",
        "computed",
        word(conclusion.other),
    );
    super::figures::constant_acceleration(&mut outcome)?;
    Ok(outcome)
}

/// Section 5.1.4: restitution has no influence on the border, and no block falls to the other side.
#[derive(Default)]
struct Conclusion {
    moved: bool,
    other: bool,
}

impl Conclusion {
    /// Pushes the block for durations about the border (s) and with coefficients that lose all, half and nothing.
    fn look(&mut self, block: &RockingBlock, acceleration: f64, border: f64) -> Result<()> {
        for eta in [0.0, 0.5, 1.0] {
            let law = Restitution::new(RestitutionModel::Given { eta })?;
            for part in [0.3, 0.6, 0.9, 0.99, 0.999, 1.001, 1.1] {
                let push = Component::constant(acceleration, part * border)?;
                // Below the border by a thousandth, the fall back takes some ten times 1/p.
                let options = Options::new(part * border + 20.0 / block.frequency());
                let run = simulate(block, &law, &GroundMotion::horizontal(push), &options)?;
                let impacts = match run.outcome {
                    Fate::Overturned(mode) => Some(mode.impacts),
                    _ => None,
                };
                self.moved |= impacts.is_some() != (part > 1.0);
                self.other |= impacts.is_some_and(|n| n > 0);
            }
        }
        Ok(())
    }
}
