//! Constant acceleration of finite duration: the durations that just overturn.

use anyhow::{Context as _, Result};
use klast_rocking::RockingBlock;
use klast_rocking::closed_form::{overturning_duration, overturning_duration_linear};
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
    for pulse in table.input_as::<Vec<Pulse>>("cases")? {
        let block = RockingBlock::rectangle(pulse.width_m, pulse.height_m, gravity)?;
        let linear = overturning_duration_linear(pulse.ratio).context("a ratio above 1")?;
        outcome.set(&format!("{} linear", pulse.id), "computed", linear);
        let acceleration = pulse.ratio * gravity * block.slenderness();
        if let Some(time) = overturning_duration(&block, acceleration)? {
            let row = format!("{} nonlinear", pulse.id);
            outcome.set(&row, "computed", time * block.frequency());
        }
    }
    super::figures::constant_acceleration(&mut outcome)?;
    Ok(outcome)
}
