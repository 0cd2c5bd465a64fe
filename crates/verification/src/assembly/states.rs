//! States and histories of series A and B, and the first impact of the touching row.

use std::f64::consts::TAU;

use anyhow::Result;
use klast_assembly::analysis::{AssemblyIndices, IndexReference, horizon};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, Restitution, Start, StartVelocity,
};

use super::pictures;
use super::scene::{Run, rule};
use crate::{Context, Outcome, Table};

const SERIES: &str = "computed";

pub fn first_impact(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for n in [2_usize, 4, 8] {
        for (wall, block) in [(0.3, 0.6), (0.6, 0.6), (0.6, 0.3), (1.0, 1.0), (0.8, 0.8)] {
            for name in ["lcp", "seqL", "seqM", "seqG"] {
                let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU))?;
                let basin = Basin::new(n as f64 + 5.0, motion, Restitution::new(wall, block)?)?;
                let row = BlockRow::uniform(
                    n,
                    Block {
                        size: 1.0,
                        mass: 1.0,
                        friction: 0.0,
                    },
                )?;
                let start = Start::touching(n, StartVelocity::AtRest);
                let run = Assembly::new(basin, &row, &start, rule(name)?)?;
                let key = format!("N={n} e_wall={wall} e_block={block} {name}");
                for (j, b) in run.state().iter().enumerate() {
                    outcome.set(&format!("{key}/v{}", j + 1), SERIES, b.velocity);
                }
                outcome.set(&format!("{key}/loss"), SERIES, run.energy().impacts);
            }
        }
    }
    Ok(outcome)
}

pub fn reference_states(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Run>>("runs")? {
        let mut run = case.scenario(table)?.release()?;
        let reference = IndexReference::present(&run);
        let watched = horizon(&mut run.clone(), case.time_s, 64)?;
        run.advance_to(case.time_s)?;
        for (j, b) in run.state().iter().enumerate() {
            outcome.set(&format!("{}/left {}", case.id, j + 1), SERIES, b.left);
            outcome.set(
                &format!("{}/velocity {}", case.id, j + 1),
                SERIES,
                b.velocity,
            );
        }
        let i = AssemblyIndices::of(&run, &reference);
        outcome.set(&format!("{}/centroid", case.id), SERIES, i.centroid);
        outcome.set(&format!("{}/inertia", case.id), SERIES, i.inertia);
        outcome.set(
            &format!("{}/inertia index", case.id),
            SERIES,
            i.inertia_index,
        );
        outcome.set(
            &format!("{}/kinetic index", case.id),
            SERIES,
            i.kinetic_index,
        );
        let until = watched
            .time
            .map_or_else(|| "not reached".to_owned(), |t| format!("{t:.3} s"));
        outcome.note(format!(
            "{}: horizon of predictability {until}; energy balance {:.1e} of the turnover",
            case.id,
            run.energy().relative_residual()
        ));
    }
    Ok(outcome)
}

pub fn histories(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Run>>("runs")? {
        let mut run = case.scenario(table)?.release()?;
        let reference = IndexReference::present(&run);
        for &time in &case.times_s {
            run.advance_to(time)?;
            let i = AssemblyIndices::of(&run, &reference);
            let key = format!("{}/t={time} s", case.id);
            outcome.set(&format!("{key}/centroid"), SERIES, i.centroid);
            outcome.set(&format!("{key}/inertia index"), SERIES, i.inertia_index);
            outcome.set(&format!("{key}/kinetic index"), SERIES, i.kinetic_index);
        }
        if case.rule == "seqL" && case.restitution_wall == 0.6 {
            pictures::row(&mut outcome, table, &case)?;
        }
    }
    Ok(outcome)
}
