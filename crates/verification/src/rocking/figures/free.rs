//! Free rocking: figures 3.4, 3.8 to 3.10, 3.16 to 3.18, 3.23, 3.24, 4.10 to 4.12 and 4.15.

use anyhow::Result;
use klast_ground_motion::GroundMotion;
use klast_plot::{Axis, LineChart, Series, stack};
use klast_rocking::closed_form::{Hyperbolic, quarter_period};
use klast_rocking::{
    Equation, Options, Restitution, RestitutionModel, RockingBlock, Sample, simulate,
};

use crate::Outcome;

/// History of a released block.
fn history(
    block: &RockingBlock,
    equation: Equation,
    restitution: RestitutionModel,
    tilt: f64,
    duration: f64,
) -> Result<Vec<Sample>> {
    let options = Options {
        equation,
        sample: Some(duration / 800.0),
        ..Options::released(duration, tilt)
    };
    let restitution = Restitution::new(restitution)?;
    Ok(simulate(block, &restitution, &GroundMotion::at_rest(), &options)?.samples)
}

fn rotations(samples: &[Sample]) -> Vec<(f64, f64)> {
    samples.iter().map(|s| (s.time, s.rotation)).collect()
}

fn chart(title: &str) -> LineChart {
    LineChart::new(title, Axis::new("t [s]"), Axis::new("θ [rad]"))
}

/// Until the first impact: (title, tilt) with the equations that the figure compares.
fn until_impact(
    block: &RockingBlock,
    title: &str,
    tilt: f64,
    equations: &[(Equation, &str)],
) -> Result<String> {
    let run = simulate(
        block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &Options::released(2.0, tilt),
    )?;
    let end = run.impact_times().first().copied().unwrap_or(1.0);
    let mut picture = chart(title);
    for (equation, label) in equations {
        let points = match Hyperbolic::new(
            *equation,
            (block.frequency(), block.slenderness()),
            0.0,
            (tilt, 0.0),
        ) {
            Some(flight) => (0..=200)
                .map(|k| f64::from(k) * end / 200.0)
                .map(|t| (t, flight.rotation(t)))
                .filter(|p| p.1 >= 0.0)
                .collect(),
            None => rotations(&history(
                block,
                *equation,
                RestitutionModel::Housner,
                tilt,
                end,
            )?),
        };
        picture = picture.with(Series::line(label, points));
    }
    Ok(picture.svg()?)
}

/// Linearised and nonlinear motion to rest, and the phase plane of the nonlinear one.
fn to_rest(
    block: &RockingBlock,
    title: &str,
    tilt: f64,
    duration: f64,
) -> Result<(String, String)> {
    let housner = RestitutionModel::Housner;
    let linear = history(block, Equation::Linearised, housner, tilt, duration)?;
    let nonlinear = history(block, Equation::Nonlinear, housner, tilt, duration)?;
    let both = chart(title)
        .with(Series::line("linearised", rotations(&linear)))
        .with(Series::dashed("nonlinear", rotations(&nonlinear)));
    let plane = nonlinear
        .iter()
        .map(|s| (s.rotation, s.angular_velocity))
        .collect();
    let phase = LineChart::new("Phase plane", Axis::new("θ [rad]"), Axis::new("θ′ [rad/s]"))
        .with(Series::line("", plane));
    Ok((both.svg()?, phase.svg()?))
}

/// Figures of the slender block.
pub(in crate::rocking) fn slender(
    outcome: &mut Outcome,
    block: &RockingBlock,
    tilt: f64,
) -> Result<()> {
    let period: Vec<(f64, f64)> = (0..200)
        .map(|k| f64::from(k) / 200.0)
        .filter_map(|x| Some((x, 4.0 * quarter_period(1.0, 1.0, x)?)))
        .collect();
    let figure = LineChart::new(
        "Period of free rocking",
        Axis::new("θ₀/α"),
        Axis::new("p T"),
    )
    .with(Series::line("(3.25)", period));
    outcome.draw(
        "figure-3.4",
        "Figure 3.4: period over amplitude",
        figure.svg()?,
    );
    let two = [
        (Equation::Linearised, "linearised"),
        (Equation::Nonlinear, "nonlinear"),
    ];
    let picture = until_impact(block, "Slender block to its first impact", tilt, &two)?;
    outcome.draw(
        "figure-3.8",
        "Figure 3.8: rotation until the first impact",
        picture,
    );
    let (both, phase) = to_rest(block, "Slender block to rest", tilt, 4.5)?;
    outcome.draw(
        "figure-3.9",
        "Figure 3.9: rotation, linearised and nonlinear",
        both,
    );
    outcome.draw("figure-3.10", "Figure 3.10: phase plane, nonlinear", phase);
    Ok(())
}

/// Figures of the bulky block.
pub(in crate::rocking) fn bulky(
    outcome: &mut Outcome,
    block: &RockingBlock,
    tilt: f64,
) -> Result<()> {
    let two = [
        (Equation::Linearised, "linearised"),
        (Equation::Nonlinear, "nonlinear"),
    ];
    let picture = until_impact(block, "Bulky block to its first impact", tilt, &two)?;
    outcome.draw(
        "figure-3.16",
        "Figure 3.16: rotation until the first impact",
        picture,
    );
    let (both, phase) = to_rest(block, "Bulky block to rest", tilt, 0.5)?;
    outcome.draw(
        "figure-3.17",
        "Figure 3.17: rotation, linearised and nonlinear",
        both,
    );
    outcome.draw("figure-3.18", "Figure 3.18: phase plane, nonlinear", phase);
    let three = [
        (Equation::Nonlinear, "nonlinear"),
        (Equation::Linearised, "linearised"),
        (Equation::QuasiLinear, "quasi-linear"),
    ];
    for (figure, tilt) in [("3.23", 0.5), ("3.24", 0.1)] {
        let title = format!("Three equations, θ₀ = {tilt} rad");
        let caption = format!("Figure {figure}: until the first impact from {tilt} rad");
        let picture = until_impact(block, &title, tilt, &three)?;
        outcome.draw(&format!("figure-{figure}"), &caption, picture);
    }
    Ok(())
}

/// Computed curves of figures 4.10 to 4.12 and 4.15. The measured release angles are not printed: 0.8 α stands for
/// them.
pub(in crate::rocking) fn released_blocks(outcome: &mut Outcome) -> Result<()> {
    let block = |height: f64| RockingBlock::rectangle(0.045, height, 9.81);
    let curve = |height: f64, model: RestitutionModel, duration: f64| -> Result<Vec<(f64, f64)>> {
        let block = block(height)?;
        let tilt = 0.8 * block.slenderness();
        let samples = history(&block, Equation::Nonlinear, model, tilt, duration)?;
        Ok(samples
            .iter()
            .map(|s| (s.time, s.rotation / tilt))
            .collect())
    };
    let housner = RestitutionModel::Housner;
    let mut pictures = Vec::new();
    for (name, height, duration) in [
        ("B0M", 0.02, 0.4),
        ("B2M", 0.0675, 0.6),
        ("B6M", 0.2025, 3.0),
        ("B10M", 0.43875, 8.0),
    ] {
        let figure = LineChart::new(name, Axis::new("t [s]"), Axis::new("θ/θ₀"))
            .with(Series::line("η_H", curve(height, housner, duration)?));
        pictures.push(figure.svg()?);
    }
    outcome.draw(
        "figure-4.10",
        "Figure 4.10: four blocks with η_H",
        stack(&pictures, 2),
    );
    let given = |eta| RestitutionModel::Given { eta };
    let (bulky, slender) = ((0.0675, 0.6), (0.43875, 8.0));
    let strip = RestitutionModel::Improved { k: 14.0 / 15.0 };
    let fitted = ("η_e = 0.67", given(0.67));
    let mut figure =
        |name: &str, (height, duration): (f64, f64), models: &[(&str, RestitutionModel)]| {
            let mut picture = LineChart::new("Free rocking", Axis::new("t [s]"), Axis::new("θ/θ₀"));
            for (label, model) in models {
                picture = picture.with(Series::line(label, curve(height, *model, duration)?));
            }
            let caption = format!("Figure {name}: computed curves");
            outcome.draw(&format!("figure-{name}"), &caption, picture.svg()?);
            anyhow::Ok(())
        };
    figure("4.11", bulky, &[("η_H", housner), fitted])?;
    figure(
        "4.12",
        slender,
        &[("η_H", housner), ("η_e = 0.974", given(0.974))],
    )?;
    figure(
        "4.15",
        bulky,
        &[("η_H", housner), ("edge contact, k₁", strip), fitted],
    )?;
    Ok(())
}
