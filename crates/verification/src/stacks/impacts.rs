//! Impacts of two blocks: their constants, what the printed equations make of them, and how often the thesis' rule is
//! what happens.

use anyhow::{Context as _, Result, bail, ensure};
use klast_sampling::{Purpose, Streams, open_uniform};
use klast_stacks::{Configuration, InterfaceRestitution, Pivot, Stack, StackImpact, StackState};
use std::collections::BTreeMap;

use super::inputs::{dual, kounadis_stack, two_parts};
use super::printed::Sizes;
use crate::{Context, Outcome, Table};

/// Settles the impact of `struck` in a named configuration with these rotations of the open interfaces and relative
/// rates.
fn settle(
    stack: &Stack,
    name: &str,
    struck: usize,
    angle: [f64; 2],
    rate: [f64; 2],
) -> Result<(StackState, StackImpact)> {
    let configuration =
        Configuration::from_name(name, 2).with_context(|| format!("configuration '{name}'"))?;
    let mut open = angle;
    open[struck] = 1e-3 * configuration.pivot(struck).sign();
    let state = StackState::from_relative(0.0, &open, &rate)?.landing(struck);
    let impact = stack.impact(&state, struck, InterfaceRestitution::Housner)?;
    Ok((state, impact))
}

/// Constants of the impacts: rows are `stack from-to`.
pub(super) fn constants(table: &Table, _: &Context) -> Result<Outcome> {
    let sizes: BTreeMap<String, [f64; 2]> = table.input_as("equal_blocks_width_height_m")?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (name, event) = two_parts(&row.id)?;
        let [b, h] = *sizes
            .get(name)
            .with_context(|| format!("no stack '{name}'"))?;
        let stack = dual(b, (h, h), (1.0, 1.0), 9.81)?;
        let value = match event {
            // Relative rates after over before, signs dropped.
            "1a-2a" => {
                settle(&stack, "1a", 1, [-0.07, 0.0], [0.3, 0.4])?
                    .1
                    .after
                    .relative_rate(1)
                    / 0.4
            }
            "2a-1a" => {
                settle(&stack, "2a", 1, [-0.07, 0.0], [0.3, -0.4])?
                    .1
                    .after
                    .relative_rate(1)
                    / -0.4
            }
            "1a-2b" => {
                settle(&stack, "1a", 0, [0.0, -1e-13], [0.4, 0.2])?
                    .1
                    .after
                    .rate(0)
                    / 0.4
            }
            "2b-1a" => {
                settle(&stack, "2b", 0, [0.0, -1e-13], [-0.4, 0.2])?
                    .1
                    .after
                    .rate(0)
                    / -0.4
            }
            "4a-1b lower" => settle(&stack, "4a", 1, [0.0, 0.0], [0.0, 1.0])?
                .1
                .after
                .rate(0),
            "4a-1b upper" => settle(&stack, "4a", 1, [0.0, 0.0], [0.0, 1.0])?
                .1
                .after
                .rate(1),
            other => bail!("unknown impact '{other}'"),
        };
        outcome.set(&row.id, "computed", value);
    }
    Ok(outcome)
}

/// A state of the inputs just before an impact.
#[derive(serde::Deserialize)]
struct Before {
    rotations_rad: [f64; 2],
    rates_rad_per_s: [f64; 2],
}

/// Ratios of kinetic energies over impacts from stated states; rows are `from-to printed|corrected`.
pub(super) fn as_printed(table: &Table, _: &Context) -> Result<Outcome> {
    let stack = kounadis_stack(table)?;
    let [lower, upper] = stack.blocks() else {
        bail!("two blocks are needed")
    };
    let sizes = Sizes {
        b: lower.width,
        h: (lower.height, upper.height),
        m: (lower.mass, upper.mass),
    };
    let states: BTreeMap<String, Before> = table.input_as("states")?;
    let mut outcome = Outcome::new();
    for (event, before) in &states {
        let (from, to) = event
            .split_once('-')
            .with_context(|| format!("event '{event}'"))?;
        let ([t1, t2], [w1, w2]) = (before.rotations_rad, before.rates_rad_per_s);
        let struck = usize::from(t1 != 0.0);
        let (_, impact) = settle(&stack, from, struck, [t1, t2 - t1], [w1, w2 - w1])?;
        ensure!(
            impact.after.configuration().to_string() == to,
            "{event} ends in {}",
            impact.after.configuration()
        );
        let corrected = impact.energy.1 / impact.energy.0;
        outcome.set(&format!("{event} corrected"), "computed", corrected);
        let (v1, v2) = sizes
            .after(from, struck, t2, (w1, w2))
            .with_context(|| format!("no printed form of {event}"))?;
        let printed = kinetic(&stack, to, [t1, t2], [v1, v2])? / impact.energy.0;
        outcome.set(&format!("{event} printed"), "computed", printed);
    }
    Ok(outcome)
}

/// Kinetic energy of two blocks that turn at these rates about the pivots of a named configuration.
fn kinetic(stack: &Stack, name: &str, angle: [f64; 2], rate: [f64; 2]) -> Result<f64> {
    let configuration = Configuration::from_name(name, 2).context("a name")?;
    // A rotation too small to matter keeps the pivot of an interface that is at zero.
    let keep = |k: usize, value: f64| {
        if value == 0.0 {
            1e-300 * configuration.pivot(k).sign()
        } else {
            value
        }
    };
    let phi = [keep(0, angle[0]), keep(1, angle[1] - angle[0])];
    let moving = StackState::from_relative(0.0, &phi, &[rate[0], rate[1] - rate[0]])?;
    let still = StackState::from_relative(0.0, &phi, &[0.0; 2])?;
    Ok(stack.energy(&moving) - stack.energy(&still))
}

/// How often the complementarity outcome is the one the thesis' rule takes, over random states; rows are `event share`.
pub(super) fn rule(table: &Table, _: &Context) -> Result<Outcome> {
    let states: u64 = table.input_as("states_per_event")?;
    let (least, most) = (
        table.input("least_height_over_width")?,
        table.input("most_height_over_width")?,
    );
    let streams = Streams::new(table.input_as("seed")?);
    let mut outcome = Outcome::new();
    let events: [(&str, &str, usize, &str); 5] = [
        ("3a-3b", "3a", 0, "3b"),
        ("1a-2b", "1a", 0, "2b"),
        ("2b-1a", "2b", 0, "1a"),
        ("1a-2a", "1a", 1, "2a"),
        ("4a-4b", "4a", 1, "4b"),
    ];
    for (number, (event, from, struck, to)) in events.into_iter().enumerate() {
        let configuration = Configuration::from_name(from, 2).context("a name")?;
        let (mut agree, mut shut, mut pull) = (0_u64, 0_u64, 0_u64);
        for index in 0..states {
            let mut rng = streams.rng(Purpose::Custom(number as u32), index);
            let mut between = |low: f64, high: f64| low + (high - low) * open_uniform(&mut rng);
            let (h1, h2) = (between(least, most), between(least, most));
            let stack = dual(1.0, (h1, h2), (h1, h2), 9.81)?;
            let (mut angle, mut rate) = ([0.0; 2], [0.0; 2]);
            for k in 0..2 {
                let sign = configuration.pivot(k).sign();
                if k == struck {
                    rate[k] = -sign * between(0.01, 1.0);
                } else if sign != 0.0 {
                    angle[k] = sign * between(0.001, 0.2);
                    rate[k] = between(-1.0, 1.0);
                }
            }
            let (_, impact) = settle(&stack, from, struck, angle, rate)?;
            let name = impact.after.configuration().to_string();
            agree += u64::from(name == to);
            shut += u64::from(impact.after.configuration().pivot(1) == Pivot::Full);
            pull += u64::from(impact.impulses.iter().any(|force| force.normal < 0.0));
        }
        let share = |count: u64| count as f64 / states as f64;
        outcome.set(&format!("{event} agrees"), "computed", share(agree));
        outcome.note(format!(
            "{event}: upper interface shut in {:.4}, a hinge pulls in {:.4} of the states",
            share(shut),
            share(pull)
        ));
    }
    Ok(outcome)
}
