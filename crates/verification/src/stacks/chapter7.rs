//! Section 7.1: two equal blocks under a constant acceleration of finite duration.

use anyhow::{Result, bail};
use klast_ground_motion::{Component, GroundMotion};
use klast_numerics::roots::try_bisect;
use klast_plot::{Axis, Cells, HeatMap};
use klast_stacks::{Stack, StackOptions, StackOutcome, StackState};

use super::inputs::{dual, two_parts};
use crate::{Context, Outcome, Table};

/// The least acceleration over g, up to 20, at which a stack at rest takes up `name`.
fn threshold(stack: &Stack, name: &str) -> Result<f64> {
    let takes = |ratio: f64| -> Result<bool> {
        let found = stack.openings(&StackState::rest(2), ratio * stack.gravity(), 0.0)?;
        Ok(found.to_string() == name)
    };
    let Some(first) = (1..=20_000)
        .map(|step| f64::from(step) * 1e-3)
        .find(|ratio| takes(*ratio).unwrap_or(false))
    else {
        return Ok(f64::NAN);
    };
    let (_, high) = try_bisect(first - 1e-3, first, 50, takes)?;
    Ok(high)
}

/// Initiation thresholds and the outcomes over amplitude and duration.
pub(super) fn constant_acceleration(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let (b, h, m) = (
        table.input("width_m")?,
        table.input("height_m")?,
        table.input("mass_kg")?,
    );
    let stack = dual(b, (h, h), (m, m), gravity)?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        match two_parts(&row.id)? {
            ("threshold", "3a") => outcome.set(&row.id, "computed", threshold(&stack, "3a")?),
            ("threshold", "4a") => {
                let found = threshold(&stack, "4a")?;
                outcome.set(
                    &row.id,
                    "computed",
                    if found.is_nan() { "never" } else { "met" },
                );
            }
            ("2a-from", ratio) => {
                let height: f64 = ratio.parse()?;
                let equal = dual(1.0, (height, height), (1.0, 1.0), gravity)?;
                outcome.set(&row.id, "computed", threshold(&equal, "2a")?);
            }
            ("overturning", _) => {}
            (other, _) => bail!("unknown row '{other}'"),
        }
    }
    let mode = areas(&stack, &mut outcome)?;
    outcome.set("overturning modes", "computed", mode);
    Ok(outcome)
}

/// Outcomes over 0.1 to 1 g and 0.02 to 0.5 s, drawn as Figure 7.2; which ways of overturning occur.
fn areas(stack: &Stack, outcome: &mut Outcome) -> Result<&'static str> {
    let (columns, rows) = (48, 45);
    let mut index = Vec::with_capacity(columns * rows);
    let (mut partial, mut total) = (false, false);
    for row in 0..rows {
        for column in 0..columns {
            let ratio = 0.1 + 0.9 * (row as f64 + 0.5) / rows as f64;
            let duration = 0.02 + 0.48 * (column as f64 + 0.5) / columns as f64;
            let push = Component::constant(ratio * stack.gravity(), duration)?;
            let options = StackOptions::until(duration + 3.0);
            let run = stack.run(
                &GroundMotion::horizontal(push),
                &StackState::rest(2),
                &options,
            )?;
            index.push(match run.outcome() {
                _ if run.events.is_empty() => 0,
                StackOutcome::Rest | StackOutcome::Rocking => 1,
                StackOutcome::Partial { .. } => 2,
                StackOutcome::Total { .. } => 3,
            });
            partial |= index.last() == Some(&2);
            total |= index.last() == Some(&3);
        }
    }
    let names = [
        "translation",
        "rocking",
        "partial overturning",
        "total overturning",
    ]
    .map(str::to_owned)
    .to_vec();
    let map = HeatMap::new(
        "Two blocks of 0.02 m by 0.09 m under a constant acceleration",
        Axis::new("duration (s)").range(0.02, 0.5),
        Axis::new("a0 / g").range(0.1, 1.0),
        (columns, rows),
        Cells::Classes { names, index },
    );
    outcome.draw(
        "areas",
        "Outcomes over duration and amplitude, the plane of Figure 7.2",
        map.svg()?,
    );
    Ok(match (partial, total) {
        (false, true) => "total",
        (true, true) => "partial and total",
        (true, false) => "partial",
        (false, false) => "none",
    })
}
