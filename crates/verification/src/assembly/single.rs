//! Tables 9.1 and 9.2: one block and its first collision.

use anyhow::{Context as _, Result};
use klast_assembly::Event;
use klast_assembly::analysis::FirstCollision;

use super::scene::{POINTS, single};
use crate::{Context, Outcome, Table};

/// Time of the first impact after the kick at the start, and the velocity after it.
fn first_collision(free_travel: f64, restitution: f64) -> Result<(f64, f64)> {
    let mut run = single(free_travel, restitution)?;
    run.record_events();
    let mut time = 0.0;
    loop {
        time += 0.1;
        run.advance_to(time)?;
        let impact = run.take_events().into_iter().find_map(|e| match e {
            Event::Impact(c) if c.time > 0.0 => Some(c),
            _ => None,
        });
        if let Some(c) = impact {
            // By now the block may have met the wall again: run anew up to this impact, which the end includes.
            let mut again = single(free_travel, restitution)?;
            again.advance_to(c.time)?;
            let after = again.state().first().context("one block")?.velocity;
            return Ok((c.time, after));
        }
        anyhow::ensure!(time < 100.0, "no collision before t = 100");
    }
}

pub fn table_9_1(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let turns: Vec<u32> = table.input_as("turns")?;
    for e in table.input_as::<Vec<f64>>("restitution")? {
        for &n in &turns {
            for (point, name) in POINTS {
                let row = format!("e={e} n={n} {name}");
                let collision = FirstCollision::new(point, n, e)?;
                let basin = collision.basin(1.0, 1.0)?.basin;
                outcome.set(&row, "basin", basin - 1.0);
                outcome.set(&row, "amplitude", collision.amplitude(2.0, 1.0)?.amplitude);
                let (phase, rebound) = first_collision(basin - 1.0, e)?;
                outcome.set(&row, "phase", phase);
                outcome.set(&row, "rebound", rebound);
            }
        }
    }
    Ok(outcome)
}

pub fn table_9_2(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for e in table.input_as::<Vec<f64>>("restitution")? {
        for (point, name) in POINTS {
            let row = format!("e={e} {name}");
            let collision = FirstCollision::new(point, 0, e)?;
            let (_, rebound) = first_collision(collision.ratio(), e)?;
            outcome.set(&row, "simulated", rebound);
            outcome.set(&row, "formula", collision.rebound());
        }
    }
    Ok(outcome)
}
