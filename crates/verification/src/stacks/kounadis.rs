//! The stack of Kounadis, Papadopoulos and Cotsovos (2012): events, figures 6.19 to 6.22, the scheme of the thesis,
//! first overturning.

use anyhow::{Context as _, Result, bail};
use klast_plot::{Axis, LineChart, Series};
use klast_stacks::{InterfaceRestitution, StackOptions, StackOutcome, StackRun, StackState};

use super::inputs::{kounadis_motion, kounadis_stack, two_parts};
use super::newmark;
use crate::{Context, Outcome, Table};

/// Table 6.1.
pub(super) fn excitation(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (case, quantity) = two_parts(&row.id)?;
        let ratio = table.input(&format!("amplitude_over_g_alpha_star/{case}"))?;
        let motion = kounadis_motion(table, ratio)?;
        let unit = table.input("gravity_m_per_s2")? * 0.125;
        let value = match quantity {
            "amplitude" => motion.horizontal.peak_acceleration() / unit,
            "frequency" => std::f64::consts::TAU / motion.duration(),
            other => bail!("unknown quantity '{other}'"),
        };
        outcome.set(&row.id, "computed", value);
    }
    Ok(outcome)
}

/// Laws of the base and of the interface between the blocks, by their names in the tables.
fn laws(name: &str) -> Result<(InterfaceRestitution, InterfaceRestitution)> {
    let housner = InterfaceRestitution::Housner;
    let all = InterfaceRestitution::AllRates { factor: 0.95 };
    Ok(match name {
        "housner" => (housner, housner),
        "relative" => (housner, InterfaceRestitution::Relative { ratio: 0.95 }),
        "all-between" => (housner, all),
        "all" => (all, all),
        other => bail!("unknown restitution '{other}'"),
    })
}

fn options(name: &str, end: f64) -> Result<StackOptions> {
    let (base, between) = laws(name)?;
    Ok(StackOptions {
        base,
        between,
        ..StackOptions::until(end)
    })
}

/// Event times and configurations; rows are `law number time|configuration`.
pub(super) fn events(table: &Table, _: &Context) -> Result<Outcome> {
    let stack = kounadis_stack(table)?;
    let ratio = table.input("amplitude_over_g_alpha_star")?;
    let motion = kounadis_motion(table, ratio)?;
    let mut outcome = Outcome::new();
    for law in ["housner", "relative", "all-between", "all"] {
        let run = stack.run(&motion, &StackState::rest(2), &options(law, 3.0)?)?;
        for (index, event) in run.events.iter().enumerate() {
            let row = format!("{law} {:02}", index + 1);
            outcome.set(&format!("{row} time"), "computed", event.state.time);
            outcome.set(
                &format!("{row} configuration"),
                "computed",
                event.state.configuration().to_string(),
            );
        }
        outcome.set(
            &format!("{law} events"),
            "computed",
            run.events.len() as f64,
        );
        let marks = run.diagnostics;
        outcome.note(format!(
            "{law}: largest |T/N| {:.3} at {:.3} s, least N/W {:.3} at {:.3} s",
            marks.friction.value, marks.friction.time, marks.normal.value, marks.normal.time
        ));
        let longer = stack.run(&motion, &StackState::rest(2), &options(law, 12.0)?)?;
        outcome.set(
            &format!("outcome {law}"),
            "computed",
            longer.outcome().mode(2),
        );
    }
    let drawn = StackOptions {
        sampling: Some(0.005),
        ..options("housner", 6.0)?
    };
    let run = stack.run(&motion, &StackState::rest(2), &drawn)?;
    draw(&mut outcome, &run, ratio)?;
    Ok(outcome)
}

/// The histories of Figures 6.19 to 6.22.
fn draw(outcome: &mut Outcome, run: &StackRun, ratio: f64) -> Result<()> {
    let line = |name: &str,
                block: usize,
                end: f64,
                pick: &dyn Fn(&klast_stacks::StackSample) -> Option<f64>| {
        let points = run
            .samples
            .iter()
            .filter(|s| s.time <= end)
            .filter_map(|s| Some((s.time, pick(s)?)));
        Series::line(&format!("{name} {}", block + 1), points.collect())
    };
    let chart =
        |title: &str, label: &str, end: f64, pick: fn(&klast_stacks::StackSample) -> &[f64]| {
            let mut chart = LineChart::new(title, Axis::new("t (s)"), Axis::new(label));
            for block in 0..2 {
                chart = chart.with(line("block", block, end, &|sample| {
                    pick(sample).get(block).copied()
                }));
            }
            chart.svg()
        };
    let title = format!("a0 = {ratio} g α*");
    outcome.draw(
        "rotation",
        "Rotations, as Figures 6.19, 6.20 and 6.21 (top)",
        chart(&title, "θ (rad)", 6.0, |s| &s.angles)?,
    );
    outcome.draw(
        "rate",
        "Angular velocities, as Figure 6.21 (middle)",
        chart(&title, "θ' (rad/s)", 6.0, |s| &s.rates)?,
    );
    let early = chart(&title, "θ'' (rad/s²)", 0.45, |s| &s.accelerations)?;
    outcome.draw(
        "acceleration",
        "Angular accelerations to 0.45 s, as Figure 6.22: the two blocks turn as one until 0.285 s, without the switching of the figure",
        early,
    );
    Ok(())
}

/// Largest error of an event time of the scheme of the thesis; rows are `ratio step`.
pub(super) fn fixed_step(table: &Table, _: &Context) -> Result<Outcome> {
    let stack = kounadis_stack(table)?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (ratio, step) = two_parts(&row.id)?;
        let (ratio, step): (f64, f64) = (ratio.parse()?, step.parse()?);
        let motion = kounadis_motion(table, ratio)?;
        let options = StackOptions::until(3.0);
        let exact = stack.run(&motion, &StackState::rest(2), &options)?;
        let scheme = newmark::events(&stack, &motion, &StackState::rest(2), (3.0, step))?;
        let same = exact.events.len() == scheme.len();
        let worst = exact
            .events
            .iter()
            .zip(&scheme)
            .fold(0.0_f64, |worst, (a, (time, _))| {
                worst.max((a.state.time - time).abs())
            });
        outcome.set(&row.id, "computed", if same { worst } else { f64::NAN });
    }
    Ok(outcome)
}

/// The least amplitude at which blocks fall; rows are `law amplitude|mode`.
pub(super) fn first_overturning(table: &Table, _: &Context) -> Result<Outcome> {
    let stack = kounadis_stack(table)?;
    let motion = kounadis_motion(table, 1.0)?;
    let mut outcome = Outcome::new();
    for law in ["housner", "relative", "all-between"] {
        let found = stack
            .overturning_scale(&motion, &options(law, 12.0)?, (11.0, 12.0), 101)?
            .with_context(|| format!("{law}: nothing falls"))?;
        outcome.set(&format!("{law} amplitude"), "computed", found.factor);
        outcome.set(&format!("{law} mode"), "computed", found.outcome.mode(2));
    }
    let scan = stack.outcomes_by_scale(&motion, &options("housner", 12.0)?, (11.0, 14.0), 301)?;
    let first = |wanted: fn(StackOutcome) -> bool| {
        scan.iter()
            .find(|at| wanted(at.outcome))
            .map(|at| at.factor)
    };
    let partial = first(|found| matches!(found, StackOutcome::Partial { .. }))
        .context("no partial overturning")?;
    outcome.set("housner partial", "computed", partial);
    let right =
        first(|found| found.mode(2) == "C_R").context("no total overturning to the right")?;
    outcome.set("housner total-right", "computed", right);
    Ok(outcome)
}
