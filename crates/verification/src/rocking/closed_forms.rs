//! Closed forms of chapter 3 against the integration of their own equations, and Figures 3.23 and 3.24.

use std::f64::consts::FRAC_PI_2;

use anyhow::{Context as _, Result};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::closed_form::{AirTrack, Hyperbolic, LinearHarmonic, quarter_period};
use klast_rocking::{Equation, Options, Restitution, RockingBlock, simulate};

use super::motion::released;
use crate::{Context, Outcome, Table};

/// Rotation by the product's integration of one equation at a time.
fn integrated(
    block: &RockingBlock,
    equation: Equation,
    motion: Option<Component>,
    tilt: f64,
    time: f64,
) -> Result<f64> {
    let options = Options {
        equation,
        sample: Some(time / 4.0),
        ..match tilt == 0.0 {
            true => Options::new(1.01 * time),
            false => Options::released(1.01 * time, tilt),
        }
    };
    let motion = motion.map_or_else(GroundMotion::at_rest, GroundMotion::horizontal);
    let run = simulate(block, &Restitution::housner(), &motion, &options)?;
    let near = |t: f64| (t - time).abs();
    let sample = run
        .samples
        .iter()
        .min_by(|a, b| near(a.time).total_cmp(&near(b.time)))
        .context("samples of the run")?;
    Ok(sample.rotation)
}

/// Closed forms evaluated by the product, and the same by integration.
pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let block =
        RockingBlock::rectangle(table.input("width_m")?, table.input("height_m")?, gravity)?;
    let (p, alpha) = (block.frequency(), block.slenderness());
    let time = table.input("time_s")?;
    let mut outcome = Outcome::new();
    let mut set = |row: &str, series: &str, value: f64| outcome.set(row, series, value);
    let tilt = table.input("tilt_rad")?;
    let ratio = table.input("amplitude_over_g")?;
    for (name, equation) in [
        ("linear", Equation::Linearised),
        ("quasi-linear", Equation::QuasiLinear),
    ] {
        for (what, push, start) in [("free", 0.0, tilt), ("constant", ratio, 0.0)] {
            let row = format!("{name} {what}");
            let flight = Hyperbolic::new(equation, (p, alpha), push, (start, 0.0));
            let form = flight.context("a hyperbolic flight")?;
            set(&row, "closed form", form.rotation(time));
            // A base that is pushed to the left lifts the block to the right.
            let motion = match push == 0.0 {
                true => None,
                false => Some(Component::constant(-push * gravity, 10.0)?),
            };
            set(
                &row,
                "integrated",
                integrated(&block, equation, motion, start, time)?,
            );
        }
    }
    // From lift-off: time counts from there, the wave is −a sin(ωt + ψ), ψ the phase of lift-off.
    let omega = table.input("omega_rad_per_s")?;
    let psi = (alpha / ratio).asin();
    let form = LinearHarmonic::new((p, alpha), (ratio, omega, psi), (0.0, 0.0));
    set("linear harmonic", "closed form", form.rotation(time));
    let wave = Component::harmonic(
        -ratio * gravity,
        Frequency::rad_per_s(omega),
        psi,
        f64::INFINITY,
    )?;
    let found = integrated(&block, Equation::Linearised, Some(wave), 0.0, time)?;
    set("linear harmonic", "integrated", found);
    // (3.37) has a periodic coefficient and no closed form; its block lifts off at g tan α.
    let lifted = Component::harmonic(
        -ratio * gravity,
        Frequency::rad_per_s(omega),
        libm::asin(libm::tan(alpha) / ratio),
        f64::INFINITY,
    )?;
    let found = integrated(&block, Equation::QuasiLinear, Some(lifted), 0.0, time)?;
    set("quasi-linear harmonic", "integrated", found);
    set("lift-off phase", "closed form", psi);
    for (name, phase) in [("sine", 0.0), ("cosine", FRAC_PI_2)] {
        let wave = Component::waves(ratio * gravity, Frequency::rad_per_s(omega), phase, 1.0)?;
        let (velocity, position) = (wave.velocity(time), wave.displacement(time));
        set(&format!("{name} wave velocity"), "closed form", velocity);
        set(&format!("{name} wave position"), "closed form", position);
    }
    let track = AirTrack::new(0.120, 0.0955, gravity)?;
    set(
        "air track acceleration",
        "closed form",
        track.acceleration(0.05)?,
    );
    set(
        "air track duration",
        "closed form",
        track.duration(0.05, 0.1)?,
    );
    compared(&block, &mut outcome)?;
    super::figures::one_wave(ratio * gravity, omega, &mut outcome)?;
    Ok(outcome)
}

/// Times until the first impact by three equations.
fn compared(block: &RockingBlock, outcome: &mut Outcome) -> Result<()> {
    let (p, alpha) = (block.frequency(), block.slenderness());
    for (figure, tilt) in [("figure-3.23", 0.5), ("figure-3.24", 0.1)] {
        let linear = quarter_period(p, alpha, tilt).context("a tilt below α")?;
        let quasi = Hyperbolic::new(Equation::QuasiLinear, (p, alpha), 0.0, (tilt, 0.0))
            .and_then(|f| f.time_to_base())
            .context("a flight that turns back")?;
        let run = released(block, tilt, 1.0)?;
        let exact = *run.impact_times().first().context("an impact")?;
        for (name, value) in [
            ("linear", linear),
            ("quasi-linear", quasi),
            ("nonlinear", exact),
        ] {
            outcome.set(&format!("{figure} {name}"), "closed form", value);
        }
        let nearer = match (linear - exact).abs() < (quasi - exact).abs() {
            true => "linear",
            false => "quasi-linear",
        };
        outcome.set(&format!("{figure} nearer"), "closed form", nearer);
        if tilt > 0.3 {
            let shorter = if quasi < exact { "shorter" } else { "longer" };
            outcome.set("quasi-linear shorter", "closed form", shorter);
        }
    }
    Ok(())
}
