//! Event times, settling, order and energy of the motion.

use super::inputs::eta;
use anyhow::{Context as _, Result};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::closed_form::{Hyperbolic, quarter_period as housner_period};
use klast_rocking::{
    Equation, Event, Options, Restitution, RestitutionModel, RockingBlock, Run, simulate,
};

use super::figures;
use super::newmark::Newmark;
use crate::{Context, Outcome, Table};

/// Free rocking from `tilt` (rad) with Housner's coefficient.
pub(super) fn released(block: &RockingBlock, tilt: f64, duration: f64) -> Result<Run> {
    let options = Options::released(duration, tilt);
    let still = GroundMotion::at_rest();
    Ok(simulate(block, &Restitution::housner(), &still, &options)?)
}

/// Times of the impacts of the same motion by the scheme of the thesis.
fn newmark(block: &RockingBlock, tilt: f64, duration: f64, step: f64) -> Result<Vec<f64>> {
    let method = Newmark {
        block,
        restitution: &Restitution::housner(),
        motion: &GroundMotion::at_rest(),
        equation: Equation::Nonlinear,
        step,
    };
    method.impact_times(tilt, duration)
}

fn impact(run: &Run, number: usize) -> Result<f64> {
    numbered(&run.impact_times(), number)
}

fn numbered(times: &[f64], number: usize) -> Result<f64> {
    let time = times.get(number - 1).copied();
    time.with_context(|| format!("impact {number} of {}", times.len()))
}

/// Tables 3.1 and 3.2 with the text beside them.
pub(super) fn quarter_period(table: &Table, _: &Context) -> Result<Outcome> {
    let (width, height) = (table.input("width_m")?, table.input("height_m")?);
    let (tilt, step) = (table.input("tilt_rad")?, table.input("step_s")?);
    let block = RockingBlock::rectangle(width, height, table.input("gravity_m_per_s2")?)?;
    let (p, alpha) = (block.frequency(), block.slenderness());
    let mut outcome = Outcome::new();
    let mut set = |row: &str, value: f64| outcome.set(row, "computed", value);
    set(
        "housner",
        housner_period(p, alpha, tilt).context("a tilt below α")?,
    );
    set("nonlinear", impact(&released(&block, tilt, 1.0)?, 1)?);
    let stepped = numbered(&newmark(&block, tilt, 1.0, step)?, 1)?;
    set("newmark", stepped);
    set("newmark_step", (stepped / step).ceil() * step);
    let quasi = Hyperbolic::new(Equation::QuasiLinear, (p, alpha), 0.0, (tilt, 0.0));
    let quasi = quasi.and_then(|flight| flight.time_to_base());
    set("quasi_linear", quasi.context("a flight that turns back")?);
    set("eta_h", eta(&block, RestitutionModel::Housner)?);
    set("alpha", alpha);
    set("r", block.radius());
    set("p", p);
    if table.id.ends_with("3.1") {
        figures::slender(&mut outcome, &block, tilt)?;
    } else {
        figures::bulky(&mut outcome, &block, tilt)?;
    }
    Ok(outcome)
}

/// Settling times, the reference case, Newmark's constants, energy.
pub(super) fn motion(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let slender = RockingBlock::rectangle(0.06, 0.27, gravity)?;
    let bulky = RockingBlock::rectangle(0.06, 0.09, gravity)?;
    let mut outcome = Outcome::new();
    let settled = released(&slender, 0.15, 6.0)?;
    let rest = |run: &Run| run.rest_time().context("rest");
    outcome.set("settling-B6L", "computed", rest(&settled)?);
    outcome.set(
        "settling-B2L",
        "computed",
        rest(&released(&bulky, 0.5, 6.0)?)?,
    );
    outcome.set(
        "reference-20",
        "computed",
        impact(&reference_case(gravity)?, 20)?,
    );
    let error = |number: usize, step: f64| -> Result<f64> {
        let stepped = newmark(&slender, 0.15, 2.5, step)?;
        Ok((numbered(&stepped, number)? - impact(&settled, number)?).abs())
    };
    outcome.set("newmark-1", "computed", error(1, 1e-3)?);
    outcome.set("newmark-6", "computed", error(6, 1e-3)?);
    let order = (error(6, 2e-3)? / error(6, 2.5e-4)?).log2() / 3.0;
    outcome.set("newmark-order", "computed", order);
    let drift = energy_drift(&slender, 0.15)?;
    outcome.set("energy", "computed", drift.max(1e-16).log10());
    outcome.note(format!(
        "largest relative change of energy between impacts: {drift:.1e}"
    ));
    Ok(outcome)
}

/// Block 0.5 m x 2 m under one sine wave of 2αg at 2 Hz for 10 s.
fn reference_case(gravity: f64) -> Result<Run> {
    let block = RockingBlock::rectangle(0.5, 2.0, gravity)?;
    let amplitude = 2.0 * block.slenderness() * gravity;
    let wave = Component::waves(
        amplitude,
        Frequency::rad_per_s(2.0 * std::f64::consts::TAU),
        0.0,
        1.0,
    )?;
    let motion = GroundMotion::horizontal(wave);
    let options = Options::new(10.0);
    Ok(simulate(
        &block,
        &Restitution::housner(),
        &motion,
        &options,
    )?)
}

/// Largest relative change of energy within the flights of the first two seconds.
fn energy_drift(block: &RockingBlock, tilt: f64) -> Result<f64> {
    let options = Options {
        sample: Some(1e-3),
        ..Options::released(2.0, tilt)
    };
    let still = GroundMotion::at_rest();
    let run = simulate(block, &Restitution::housner(), &still, &options)?;
    let mut level = block.energy(tilt, 0.0);
    let mut drift = 0.0f64;
    let mut impacts = run.events.iter().filter_map(|event| match *event {
        Event::Impact { time, after, .. } => Some((time, after)),
        _ => None,
    });
    let mut next = impacts.next();
    for sample in &run.samples {
        while let Some((time, after)) = next.filter(|i| i.0 < sample.time) {
            level = block.energy(0.0, after);
            next = impacts.next().filter(|i| i.0 > time);
        }
        let here = block.energy(sample.rotation, sample.angular_velocity);
        drift = drift.max((here / level - 1.0).abs());
    }
    Ok(drift)
}
