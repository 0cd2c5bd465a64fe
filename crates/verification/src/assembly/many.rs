//! Many blocks in one basin.

use std::f64::consts::TAU;

use anyhow::Result;
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, ImpactRule, Restitution, Start, StartVelocity,
};
use serde::Deserialize;

use crate::{Context, Outcome, Table};

#[derive(Deserialize)]
struct Span {
    count: usize,
    periods: f64,
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let free = table.input("free_travel")?;
    for span in table.input_as::<Vec<Span>>("runs")? {
        let n = span.count;
        let block = Block {
            size: 1.0 / n as f64,
            mass: 1.0,
            friction: table.input("friction_level")? / 9.81,
        };
        let restitution = Restitution::new(
            table.input("restitution_wall")?,
            table.input("restitution_block")?,
        )?;
        let basin = Basin::new(
            free + 1.0,
            BasinMotion::harmonic(1.0, 1.0 / TAU)?,
            restitution,
        )?;
        let start = Start::spread(n, free, StartVelocity::WithBasin);
        let row = BlockRow::uniform(n, block)?;
        let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity)?;
        run.advance_to(span.periods * TAU)?;
        let e = run.energy();
        let state = run.state();
        let mean =
            |f: fn(&klast_assembly::BlockState) -> f64| state.iter().map(f).sum::<f64>() / n as f64;
        for (name, value) in [
            ("kinetic energy", e.kinetic),
            ("drive", e.drive),
            ("impacts", e.impacts),
            ("friction", e.friction),
            ("mean coordinate", mean(|b| b.free)),
            ("mean slip", mean(|b| b.slip)),
        ] {
            outcome.set(&format!("N={n}/{name}"), "computed", value);
        }
        for (name, block) in [
            ("first coordinate", state.first()),
            ("last coordinate", state.last()),
        ] {
            if let Some(b) = block {
                outcome.set(&format!("N={n}/{name}"), "computed", b.free);
            }
        }
        outcome.note(format!(
            "N = {n}: {:?}; momentum {:.1e}, overlap {:.1e}, energy balance {:.1e}",
            run.counts(),
            run.worst_momentum_residual(),
            run.worst_overlap(),
            e.relative_residual()
        ));
    }
    Ok(outcome)
}
