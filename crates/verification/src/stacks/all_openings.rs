//! Every opening condition of chapter 6, (6.106) to (6.115): the base acceleration at which the complementarity problem
//! changes the configuration, for a stated state of motion.

use anyhow::{Context as _, Result, bail};
use klast_stacks::{Stack, StackState};

use super::inputs::dual;
use crate::{Context, Outcome, Table};

/// The base acceleration (m/s²) at which `from` turns into `to`, by scanning and halving.
fn critical(stack: &Stack, state: &StackState, from: &str, to: &str, near: f64) -> Result<f64> {
    let name = |a: f64| -> Result<String> { Ok(stack.openings(state, a, 0.0)?.to_string()) };
    let (mut last, width) = (near - 30.0, 0.05);
    for k in 1..=1200 {
        let here = near - 30.0 + width * f64::from(k);
        let (a, b) = (name(last)?, name(here)?);
        let rising = a == from && b == to;
        if rising || (a == to && b == from) {
            let (mut low, mut high) = (last, here);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if (name(middle)? == from) == rising {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return Ok(high);
        }
        last = here;
    }
    bail!("{from} never turns into {to} within 30 m/s2 of {near}")
}

pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let input = |key: &str| table.input(&format!("cases/{}/{key}", row.id));
        let [b, h1, h2, m1, m2] = table.input_as(&format!("cases/{}/stack", row.id))?;
        let stack = dual(b, (h1, h2), (m1, m2), gravity)?;
        let names: [String; 2] = table.input_as(&format!("cases/{}/names", row.id))?;
        let (angle, rate) = (input("angle_rad")?, input("rate_rad_per_s")?);
        let state = match names[0].as_str() {
            "3a" | "3b" => StackState::from_angles(0.0, &[angle; 2], &[rate; 2])?,
            "4a" | "4b" => StackState::from_angles(0.0, &[0.0, angle], &[0.0, rate])?,
            _ => StackState::rest(2),
        };
        let from = stack_name(&stack, &state, &names[0])?;
        let found = critical(&stack, &state, &from, &names[1], input("near_m_per_s2")?)
            .with_context(|| row.id.clone())?;
        outcome.set(&row.id, "computed", found);
    }
    Ok(outcome)
}

/// The name of a stack that stands is that of the product; the others are given.
fn stack_name(stack: &Stack, state: &StackState, given: &str) -> Result<String> {
    Ok(match given {
        "rest" => stack.openings(state, 0.0, 0.0)?.to_string(),
        other => other.to_owned(),
    })
}
