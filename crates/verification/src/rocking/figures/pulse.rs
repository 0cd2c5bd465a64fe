//! Constant acceleration and double pulses: figures 5.2, 5.3 and the scaling of 8.3.3.

use std::f64::consts::{FRAC_PI_2, TAU};

use anyhow::Result;
use klast_ground_motion::{Component, DoublePulse, Frequency};
use klast_plot::{Axis, LineChart, Series};
use klast_rocking::closed_form::{overturning_duration, overturning_duration_linear};
use klast_rocking::{BatchOptions, Case, MapTask, Restitution, RockingBlock, linspace};

use crate::Outcome;

/// Borders between overturning, rocking and translation over a₀/(gα).
pub(in crate::rocking) fn constant_acceleration(outcome: &mut Outcome) -> Result<()> {
    let ratios: Vec<f64> = (1..=300).map(|k| f64::from(k) * 0.008 + 0.1).collect();
    let linear: Vec<(f64, f64)> = ratios
        .iter()
        .filter_map(|r| Some((*r, overturning_duration_linear(*r)?)))
        .filter(|p| p.1 <= 5.0)
        .collect();
    let axes = || {
        (
            Axis::new("a₀/(gα)").range(0.0, 2.5),
            Axis::new("p t_a").range(0.0, 5.0),
        )
    };
    let wall = |x: f64| vec![(x, 0.0), (x, 5.0)];
    let (x, y) = axes();
    let figure = LineChart::new("Constant acceleration, linearised", x, y)
        .with(Series::line("overturning, (5.3)", linear.clone()))
        .with(Series::line("rocking, a₀ = gα", wall(1.0)));
    outcome.draw(
        "figure-5.2",
        "Figure 5.2: analytical borders",
        figure.svg()?,
    );
    let block = RockingBlock::rectangle(0.02, 0.09, 9.81)?;
    let alpha = block.slenderness();
    let mut nonlinear = Vec::new();
    for ratio in &ratios {
        if let Some(time) = overturning_duration(&block, ratio * 9.81 * alpha)? {
            let scaled = time * block.frequency();
            if scaled <= 5.0 {
                nonlinear.push((*ratio, scaled));
            }
        }
    }
    let (x, y) = axes();
    let figure = LineChart::new("Constant acceleration, nonlinear", x, y)
        .with(Series::line("overturning, nonlinear", nonlinear))
        .with(Series::line(
            "rocking, a₀ = g tan α",
            wall(alpha.tan() / alpha),
        ))
        .with(Series::dashed("overturning, (5.3)", linear));
    outcome.draw("figure-5.3", "Figure 5.3: numerical borders", figure.svg()?);
    Ok(())
}

/// Acceleration, velocity and position of one cosine wave and one sine wave from rest: (5.4) and (5.5).
pub(in crate::rocking) fn one_wave(
    amplitude: f64,
    omega: f64,
    outcome: &mut Outcome,
) -> Result<()> {
    let mut charts = Vec::new();
    for (name, phase) in [("cosine", FRAC_PI_2), ("sine", 0.0)] {
        let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), phase, 1.0)?;
        let times = || (0..=200).map(|k| TAU / omega * f64::from(k) / 200.0);
        let of = |value: &dyn Fn(f64) -> f64| times().map(|t| (omega * t, value(t))).collect();
        let y = Axis::new("ü/a₀, u̇ω/a₀, uω²/a₀");
        let chart = LineChart::new(&format!("One {name} wave"), Axis::new("ωt"), y)
            .with(Series::line(
                "acceleration",
                of(&|t| wave.acceleration(t) / amplitude),
            ))
            .with(Series::line(
                "velocity",
                of(&|t| wave.velocity(t) * omega / amplitude),
            ))
            .with(Series::line(
                "position",
                of(&|t| wave.displacement(t) * omega * omega / amplitude),
            ));
        charts.push(chart);
    }
    let caption = "Figure 5.13: acceleration, velocity and position of one wave from rest";
    outcome.draw("figure-5.13", caption, LineChart::panels(&charts)?);
    Ok(())
}

/// Way of the first impact and of the free travel of a double pulse, with the restitution of the stopper and the
/// friction of the device of chapter 8 (middle values of what its text gives).
fn double_pulse(peak_velocity: f64, gap: f64) -> DoublePulse {
    DoublePulse {
        peak_velocity,
        rise_time: 2e-3,
        gap,
        restitution: 0.5,
        friction: 0.23,
        gravity: 9.81,
    }
}

/// Figure 8.8 from the model without sliding: overturning of two similar blocks over the kinetic energy of the base per
/// mass and g R, and p times the duration of the first pulse and the free travel.
pub(in crate::rocking) fn scaling(outcome: &mut Outcome) -> Result<()> {
    let x = Axis::new("p T_d");
    let y = Axis::new("v²/(2 g R)");
    let mut chart = LineChart::new("Scaling of the double pulse", x, y);
    for (label, size) in [("scale 1", 1.0), ("scale 2", 2.0)] {
        let block = RockingBlock::rectangle(0.01 * size, 0.045 * size, 9.81)?;
        // Similar velocities and gaps: √size and size.
        let velocities = linspace(0.2 * size.sqrt(), 1.0 * size.sqrt(), 24);
        let gaps = linspace(0.005 * size, 0.05 * size, 24);
        let task = MapTask {
            rows: &velocities,
            columns: &gaps,
            case: |velocity: f64, gap: f64| {
                Ok(Case {
                    block,
                    restitution: Restitution::housner(),
                    motion: double_pulse(velocity, gap).component()?,
                    rotation: 0.0,
                })
            },
            options: BatchOptions::new(5.0),
        };
        let map = task.full(&|_| {})?;
        let mut fallen = Vec::new();
        for (r, velocity) in velocities.iter().enumerate() {
            for (c, gap) in gaps.iter().enumerate() {
                if map.class(r, c).is_some_and(|class| class.is_overturned()) {
                    let duration = 2e-3 + gap / velocity;
                    let energy = velocity * velocity / (2.0 * 9.81 * block.radius());
                    fallen.push((block.frequency() * duration, energy));
                }
            }
        }
        chart = chart.with(Series::points(&format!("overturned, {label}"), fallen));
    }
    let caption = "Section 8.3.3: overturning of two similar blocks in scaled axes";
    outcome.draw("scaling-8.3.3", caption, chart.svg()?);
    Ok(())
}
