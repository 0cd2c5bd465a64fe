//! Chapter 8 at its second scale: blocks twice as large, what similarity says of them, and modes over velocity and gap.

use anyhow::{Context as _, Result, bail};
use klast_plot::{Axis, Cells, HeatMap};
use klast_stacks::{InterfaceRestitution, Stack, StackBlock, StackRun};

use super::chapter8::Experiment;
use crate::{Context, Outcome, Table};

/// Stopper restitution and rise time (s) of the maps and of the first scale.
const STOPPER: f64 = 0.5;
const RISE: f64 = 1e-3;

/// The stack of one or three blocks, `scale` times as large as 10 mm by 45 mm.
fn stack(table: &Table, blocks: usize, scale: f64) -> Result<Stack> {
    let block = StackBlock::new(0.01 * scale, 0.045 * scale / blocks as f64, 1.0)?;
    Ok(Stack::uniform(
        blocks,
        block,
        table.input("gravity_m_per_s2")?,
    )?)
}

/// Lengths grow by `scale`, times and velocities by its root: gravity and friction stay.
fn run(
    table: &Table,
    blocks: usize,
    scale: f64,
    (velocity, gap): (f64, f64),
    rise: f64,
) -> Result<StackRun> {
    let experiment = Experiment {
        stack: stack(table, blocks, scale)?,
        velocity,
        gap,
        friction: table.input("track_friction")?,
    };
    experiment.run(STOPPER, rise, InterfaceRestitution::Housner, None)
}

pub(super) fn second_scale(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for row in table.rows.iter().filter(|row| row.id.ends_with(" mode")) {
        let [blocks, velocity, gap, _] = row.id.split(' ').collect::<Vec<_>>()[..] else {
            bail!("row '{}'; accepted: blocks velocity gap mode", row.id);
        };
        let blocks: usize = blocks.parse()?;
        let (velocity, gap): (f64, f64) = (velocity.parse()?, gap.parse()?);
        let root = 2.0_f64.sqrt();
        let small = run(table, blocks, 1.0, (velocity, gap), RISE)?;
        let similar = run(
            table,
            blocks,
            2.0,
            (root * velocity, 2.0 * gap),
            root * RISE,
        )?;
        let same = run(table, blocks, 2.0, (velocity, gap), RISE)?;
        outcome.set(&row.id, "computed", similar.outcome().mode(blocks));
        let fall = |run: &StackRun| run.falls.first().map(|f| f.time).context("a fall");
        let id = row.id.trim_end_matches(" mode");
        outcome.set(
            &format!("{id} time"),
            "computed",
            fall(&similar)? / fall(&small)?,
        );
        outcome.note(format!(
            "{id}: twice as large under the same pulse {}, largest |T/N| {:.2}; under the similar pulse {}",
            same.outcome().mode(blocks),
            same.diagnostics.friction.value,
            similar.outcome().mode(blocks)
        ));
    }
    for blocks in [1, 3] {
        let maps = [1.0, 2.0].map(|scale| modes(table, blocks, scale));
        let [first, second] = maps;
        outcome.draw(
            &format!("modes-{blocks}"),
            "Modes over peak velocity and gap at both scales, without sliding and jumping (the experiments are Figures 8.6, 8.7, 8.12, 8.13)",
            klast_plot::stack(&[first?, second?], 2),
        );
    }
    Ok(outcome)
}

/// Modes over peak velocity and gap.
fn modes(table: &Table, blocks: usize, scale: f64) -> Result<String> {
    const CELLS: (usize, usize) = (30, 22);
    let (low, high) = ((0.2, 0.005), (1.2, 0.08));
    let names: Vec<String> = if blocks == 1 {
        ["A", "B_L", "B_R"].map(str::to_owned).to_vec()
    } else {
        ["A", "B_L", "B_R", "C_L", "C_R", "D_L", "D_R"]
            .map(str::to_owned)
            .to_vec()
    };
    let mut index = Vec::with_capacity(CELLS.0 * CELLS.1);
    for j in 0..CELLS.1 {
        for i in 0..CELLS.0 {
            let at = |k: usize, count: usize| (k as f64 + 0.5) / count as f64;
            let velocity = low.0 + (high.0 - low.0) * at(i, CELLS.0);
            let gap = low.1 + (high.1 - low.1) * at(j, CELLS.1);
            let mode = run(table, blocks, scale, (velocity, gap), RISE)?
                .outcome()
                .mode(blocks);
            let found = names.iter().position(|n| *n == mode);
            index.push(found.with_context(|| format!("mode {mode}"))? as u8);
        }
    }
    let title = format!("{blocks} block(s), scale {scale}");
    let map = HeatMap::new(
        &title,
        Axis::new("peak velocity (m/s)").range(low.0, high.0),
        Axis::new("gap to the stopper (mm)").range(1e3 * low.1, 1e3 * high.1),
        CELLS,
        Cells::Classes { names, index },
    );
    Ok(map.svg()?)
}
