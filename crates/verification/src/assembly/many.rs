//! Many blocks in one basin.

use std::f64::consts::TAU;

use anyhow::Result;
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};
use serde::Deserialize;

use crate::{Context, Outcome, Table};

#[derive(Deserialize)]
struct Span {
    count: usize,
    periods: f64,
}

/// `n` equal blocks, of size 1 together, at equal distances in the basin of the table; unit amplitude and angular
/// frequency.
fn released(table: &Table, n: usize) -> Result<Assembly> {
    let free = table.input("free_travel")?;
    let block = Block {
        size: 1.0 / n as f64,
        mass: 1.0,
        friction: table.input("friction_level")? / 9.81,
    };
    let restitution = Restitution::new(
        table.input("restitution_wall")?,
        table.input("restitution_block")?,
    )?;
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU))?;
    let basin = Basin::new(free + 1.0, motion, restitution)?;
    let start = Start::spread(n, free, StartVelocity::WithBasin);
    let row = BlockRow::uniform(n, block)?;
    Ok(Assembly::new(
        basin,
        &row,
        &start,
        ImpactRule::Complementarity,
    )?)
}

#[derive(Deserialize)]
struct Million {
    count: usize,
    periods_between_looks: f64,
}

/// What must be zero over a given number of impacts.
pub fn balances(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let impacts = table.input("impacts")?;
    for million in table.input_as::<Vec<Million>>("runs")? {
        let n = million.count;
        let mut run = released(table, n)?;
        let (mut looks, mut between, mut swapped) = (0_u32, 0.0_f64, 0);
        while (run.counts().impacts as f64) < impacts {
            looks += 1;
            run.advance_to(f64::from(looks) * million.periods_between_looks * TAU)?;
            between = between.max(run.overlap());
            let state = run.state();
            swapped += state.windows(2).filter(|w| w[1].free < w[0].free).count();
        }
        for (name, value) in [
            ("overlap at impacts", run.worst_overlap() * n as f64),
            ("overlap between impacts", between * n as f64),
            ("order", swapped as f64),
            ("momentum", run.worst_momentum_residual()),
            ("energy", run.energy().relative_residual()),
        ] {
            outcome.set(&format!("N={n}/{name}"), "computed", value);
        }
        outcome.note(format!("N = {n}: {looks} looks, {:?}", run.counts()));
    }
    Ok(outcome)
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for span in table.input_as::<Vec<Span>>("runs")? {
        let n = span.count;
        let mut run = released(table, n)?;
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
