//! What the lead-in of the shaking table does.

use anyhow::{Context as _, Result};
use klast_assembly::analysis::{AssemblyIndices, IndexReference};
use klast_assembly::{Assembly, Event};

use super::pictures;
use super::response::touches_wall;
use super::scene::Run;
use crate::{Context, Outcome, Table};

const SERIES: &str = "computed";

/// Steps in which the largest inertia index of a run is looked for.
const SAMPLES: u32 = 1400;

/// Events at one instant are passed together: the clock of a run rounds.
const INSTANT: f64 = 1e-12;

/// Whether a block rests against a wall.
fn is_held(run: &Assembly) -> bool {
    let far = run.free_travel();
    run.state()
        .iter()
        .any(|b| b.slip == 0.0 && (b.free == 0.0 || b.free == far))
}

/// Until when a wall was touched: the last impact there, or the end of the last rest against it.
fn last_contact(start: &Assembly, until: f64) -> Result<f64> {
    let mut first = start.clone();
    first.record_events();
    first.advance_to(until)?;
    let mut again = start.clone();
    let (mut last, mut held) = (0.0, is_held(start));
    for event in first.take_events() {
        let time = event.time();
        let hit = matches!(event, Event::Impact(c) if touches_wall(&c, first.len()));
        if held || hit {
            last = time;
        }
        again.advance_to((time + INSTANT).max(again.time()))?;
        held = is_held(&again);
    }
    Ok(if held { until } else { last })
}

pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Run>>("runs")? {
        let mut run = case.scenario(table)?.release()?;
        let reference = IndexReference::present(&run);
        let contact = last_contact(&run, case.time_s)?;
        let mut top = 0.0_f64;
        for k in 0..=SAMPLES {
            run.advance_to(case.time_s * f64::from(k) / f64::from(SAMPLES))?;
            top = top.max(AssemblyIndices::of(&run, &reference).inertia_index);
        }
        let end = AssemblyIndices::of(&run, &reference).inertia_index;
        let gap = run.state().first().context("a block")?.free * 1e3;
        outcome.set(&format!("{}/last contact", case.id), SERIES, contact);
        outcome.set(
            &format!("{}/inertia index at the end", case.id),
            SERIES,
            end,
        );
        outcome.set(&format!("{}/gap", case.id), SERIES, gap);
        outcome.note(format!(
            "{}: gap {gap:.6} mm (the reference's steps: {:.6}), largest inertia index seen {top:.9} (there 1)",
            case.id, case.stepped_gap_mm
        ));
        if case.restitution_wall == 0.6 {
            pictures::row(&mut outcome, table, &case)?;
        }
    }
    Ok(outcome)
}
