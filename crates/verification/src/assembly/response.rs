//! Long-time response: periods, multipliers, and the largest indices.

use anyhow::{Context as _, Result};
use klast_assembly::analysis::{
    AssemblyIndices, IndexReference, PeriodSearch, find_period, floquet, horizon, periodic_orbit,
};
use klast_assembly::{Assembly, Event};

use super::scene::Run;
use crate::{Context, Outcome, Table};

const SERIES: &str = "computed";

/// Periods beyond this one are held to be orbits only if Newton's method closes them.
const LONG: u64 = 20;

/// Time of the last impact in which a wall took part.
fn last_wall_impact(run: &mut Assembly) -> Option<f64> {
    let n = run.len();
    run.take_events().into_iter().rev().find_map(|e| match e {
        Event::Impact(c) if touches_wall(&c, n) => Some(c.time),
        _ => None,
    })
}

pub(super) fn touches_wall(c: &klast_assembly::Collision, n: usize) -> bool {
    c.interface == 0 || c.interface == n
}

/// Largest kinetic-energy and inertia index of so many samples a drive period, the start included; the former
/// also up to the last section before the horizon of a run that is chaotic for longer than doubles can follow.
fn largest_indices(
    outcome: &mut Outcome,
    run: &mut Assembly,
    case: &Run,
    samples: u64,
    periods: u64,
) -> Result<()> {
    let reference = IndexReference::present(run);
    let (mut kinetic, mut inertia) = (0.0_f64, 0.0_f64);
    for k in 0..=samples * periods {
        let time = k as f64 / samples as f64 / case.frequency_hz;
        run.advance_to(time.max(run.time()))?;
        let index = AssemblyIndices::of(run, &reference);
        kinetic = kinetic.max(index.kinetic_index);
        inertia = inertia.max(index.inertia_index);
        if let Some(section) = case.section.filter(|s| k == samples * s) {
            let key = format!("{}/section {section}/kinetic index", case.id);
            outcome.set(&key, SERIES, kinetic);
        }
    }
    outcome.set(&format!("{}/kinetic index", case.id), SERIES, kinetic);
    outcome.set(&format!("{}/inertia index", case.id), SERIES, inertia);
    Ok(())
}

pub fn series(table: &Table, _: &Context) -> Result<Outcome> {
    let periods = table.input("periods")? as u64;
    let samples = table.input("samples_per_period")? as u64;
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Run>>("runs")? {
        let mut run = case.scenario(table)?.release()?;
        let until = periods as f64 / case.frequency_hz;
        largest_indices(&mut outcome, &mut run.clone(), &case, samples, periods)?;
        run.record_events();
        let search = PeriodSearch {
            sections: periods,
            // As long as can be seen three times after it is first complete.
            longest: periods / 4,
            ..PeriodSearch::default()
        };
        let found = find_period(&mut run, &search)?;
        let word = found
            .period
            .map_or_else(|| "none".to_owned(), |p| p.to_string());
        // Where states are compared: up to the horizon they are known.
        if let Some(section) = case.section {
            let mut run = case.scenario(table)?.release()?;
            let watched = horizon(&mut run.clone(), until, 4 * periods)?;
            if let Some(time) = watched.time {
                outcome.note(format!(
                    "{}: horizon of predictability {:.2} T, period {word}",
                    case.id,
                    time * case.frequency_hz
                ));
            }
            at_section(&mut outcome, &mut run, &case, section)?;
        }
        outcome.set(&format!("{}/period", case.id), SERIES, word);
        if let Some(period) = found.period.filter(|p| *p > LONG) {
            let orbit = periodic_orbit(&run, period)?;
            let verdict = match (orbit.exists(1e-6), orbit.is_stable()) {
                (true, true) => "closes and attracts",
                (true, false) => "closes",
                (false, _) => "does not close",
            };
            outcome.set(&format!("{}/orbit", case.id), SERIES, verdict);
            outcome.note(format!(
                "{}: orbit of {period} T {verdict}: residual {:.1e}, moved {:.1e}, largest multiplier {:.3}",
                case.id,
                orbit.floquet.residual,
                orbit.moved,
                orbit.floquet.spectral_radius()
            ));
        }
        // A row kicked off at time zero met the wall then.
        let last = last_wall_impact(&mut run).or((case.start == "kick").then_some(0.0));
        if let Some(last) = last {
            outcome.set(
                &format!("{}/last wall impact", case.id),
                SERIES,
                last * case.frequency_hz,
            );
        }
    }
    Ok(outcome)
}

/// Coordinates and slips at the end of a drive period, within the horizon of the run.
fn at_section(outcome: &mut Outcome, run: &mut Assembly, case: &Run, section: u64) -> Result<()> {
    run.advance_to_section(section)?;
    let speed = case.amplitude_m * std::f64::consts::TAU * case.frequency_hz;
    for (j, b) in run.state().iter().enumerate() {
        let key = format!("{}/section {section}/block {}", case.id, j + 1);
        outcome.set(
            &format!("{key}/coordinate"),
            SERIES,
            b.free / case.amplitude_m,
        );
        outcome.set(&format!("{key}/slip"), SERIES, b.slip / speed);
    }
    Ok(())
}

pub fn multipliers(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for case in table.input_as::<Vec<Run>>("runs")? {
        let mut run = case.scenario(table)?.release()?;
        // Moduli are at most 0.36: 150 periods bring the orbit to rounding.
        run.advance_to_section(150)?;
        let omega = std::f64::consts::TAU * case.frequency_hz;
        let first = *run.state().first().context("a block")?;
        outcome.set(
            &format!("{}/coordinate", case.id),
            SERIES,
            first.free / case.amplitude_m,
        );
        outcome.set(
            &format!("{}/slip", case.id),
            SERIES,
            first.slip / (case.amplitude_m * omega),
        );
        let found = floquet(&run, 1)?;
        let [a, b] = found.multipliers.as_slice() else {
            anyhow::bail!(
                "{}: {} multipliers; accepted: 2",
                case.id,
                found.multipliers.len()
            );
        };
        outcome.set(&format!("{}/re", case.id), SERIES, a.re);
        outcome.set(&format!("{}/im", case.id), SERIES, a.im.abs());
        outcome.set(
            &format!("{}/det", case.id),
            SERIES,
            a.re * b.re - a.im * b.im,
        );
    }
    Ok(outcome)
}
