//! The study judges itself: the paper's statements as tests that can fail.
//!
//! A statement is met, not met, or not tested when the shots it needs are missing. Where our result and the paper
//! differ, the reason is what the paper leaves open (mass, density, damping, packing, walls, number of samples), and it
//! is said with the result.

use crate::study::{RunSummary, Variation};

/// How a statement came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Met,
    /// It does not.
    NotMet,
    /// The shots it needs are missing.
    NotTested,
}

/// A statement with what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// Short name.
    pub id: &'static str,
    /// What the paper says, in our words.
    pub claim: &'static str,
    /// What counts as agreement.
    pub accepted: &'static str,
    /// What was found.
    pub found: String,
    /// The outcome.
    pub judgement: Judgement,
}

/// All statements, on the shots of a study.
#[must_use]
pub fn judge(runs: &[RunSummary]) -> Vec<Statement> {
    let base: Vec<&RunSummary> = runs
        .iter()
        .filter(|r| r.run.variation == Variation::Base)
        .collect();
    let sizes = by_size(&base);
    vec![
        one_mass(runs),
        residuals(&sizes),
        largest_faster(&sizes),
        rank(&sizes),
        deflections(&base),
        strike(&base),
        exit(&base),
        zone(&sizes),
        fluctuations(&sizes),
        restitution(runs),
        energy(runs),
        momentum(runs),
        step(runs),
        minor("stiffness", runs, |v| matches!(v, Variation::Stiffness(_))),
        minor("friction", runs, |v| matches!(v, Variation::Friction(_))),
    ]
}

type BySize<'a> = Vec<(f64, Vec<&'a RunSummary>)>;

fn by_size<'a>(base: &[&'a RunSummary]) -> BySize<'a> {
    let mut sizes: BySize = Vec::new();
    for run in base {
        match sizes.iter_mut().find(|(d, _)| *d == run.run.size) {
            Some((_, list)) => list.push(run),
            None => sizes.push((run.run.size, vec![run])),
        }
    }
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    sizes
}

fn mean(runs: &[&RunSummary], value: impl Fn(&RunSummary) -> f64) -> f64 {
    runs.iter().map(|r| value(r)).sum::<f64>() / runs.len().max(1) as f64
}

fn state(
    id: &'static str,
    claim: &'static str,
    accepted: &'static str,
    verdict: Option<bool>,
    found: String,
) -> Statement {
    Statement {
        id,
        claim,
        accepted,
        found,
        judgement: match verdict {
            Some(true) => Judgement::Met,
            Some(false) => Judgement::NotMet,
            None => Judgement::NotTested,
        },
    }
}

fn one_mass(runs: &[RunSummary]) -> Statement {
    let masses: Vec<f64> = runs.iter().map(|r| r.mass).collect();
    let verdict = masses.first().map(|m| masses.iter().all(|x| x == m));
    let found = masses
        .first()
        .map_or(String::new(), |m| format!("{m:.2} kg"));
    state(
        "one-mass",
        "one projectile against all layers",
        "the same mass in every shot",
        verdict,
        found,
    )
}

fn residuals(sizes: &BySize) -> Statement {
    let fine: Vec<(f64, f64)> = sizes
        .iter()
        .filter(|(d, _)| *d <= 0.2)
        .map(|(d, runs)| (*d, mean(runs, |r| r.residual)))
        .collect();
    let found = fine
        .iter()
        .map(|(d, v)| format!("{:.0} mm: {v:.0}", d * 1e3))
        .collect::<Vec<_>>()
        .join(", ");
    let verdict =
        (!fine.is_empty()).then(|| fine.iter().all(|(_, v)| (950.0..=1100.0).contains(v)));
    state(
        "residual",
        "residual velocity 1000 to 1025 m/s for 100 to 200 mm",
        "mean over seeds 950 to 1100 m/s for each size",
        verdict,
        found,
    )
}

fn largest_faster(sizes: &BySize) -> Statement {
    let fine: Vec<&RunSummary> = sizes
        .iter()
        .filter(|(d, _)| *d <= 0.2)
        .flat_map(|(_, runs)| runs.iter().copied())
        .collect();
    let coarse = sizes.iter().find(|(d, _)| (*d - 0.29).abs() < 1e-9);
    let gain = coarse
        .filter(|_| !fine.is_empty())
        .map(|(_, runs)| mean(runs, |r| r.residual) - mean(&fine, |r| r.residual));
    state(
        "largest-faster",
        "1100 m/s for 290 mm, much more than the others",
        "at least 40 m/s over the mean of the others",
        gain.map(|g| g >= 40.0),
        gain.map_or(String::new(), |g| format!("{g:+.0} m/s")),
    )
}

fn rank(sizes: &BySize) -> Statement {
    let values: Vec<f64> = sizes
        .iter()
        .map(|(_, runs)| mean(runs, |r| r.residual))
        .collect();
    // Spearman's ρ, sizes ascending.
    let n = values.len() as f64;
    let square: f64 = values
        .iter()
        .enumerate()
        .map(|(i, v)| {
            let place = values.iter().filter(|w| *w < v).count() as f64;
            (place - i as f64).powi(2)
        })
        .sum();
    let rho = 1.0 - 6.0 * square / (n * (n * n - 1.0));
    let tested = values.len() >= 2;
    state(
        "rank",
        "the residual velocity grows with the size",
        "rank correlation over 0",
        tested.then_some(rho > 0.0),
        if tested {
            format!("{rho:.2}")
        } else {
            String::new()
        },
    )
}

fn deflections(base: &[&RunSummary]) -> Statement {
    let velocity = mean(base, |r| r.velocity_deflection.to_degrees());
    let axis = mean(base, |r| r.axis_deflection.to_degrees());
    let largest = base
        .iter()
        .map(|r| r.axis_deflection.max(r.velocity_deflection).to_degrees())
        .fold(0.0, f64::max);
    state(
        "deflection",
        "10 to 20 degrees for all layers",
        "velocity and axis both reported, every shot within 0 to 25 degrees",
        (!base.is_empty()).then_some(largest <= 25.0),
        format!("mean velocity {velocity:.1}, axis {axis:.1}, largest {largest:.1} degrees"),
    )
}

fn strike(base: &[&RunSummary]) -> Statement {
    let miss = base
        .iter()
        .map(|r| (r.strike - 5e-4).abs())
        .fold(0.0, f64::max);
    state(
        "strike",
        "strikes at 0.5 ms",
        "exactly, from 0.6 m",
        (!base.is_empty()).then_some(miss < 1e-9),
        format!("{miss:.1e} s off"),
    )
}

fn exit(base: &[&RunSummary]) -> Statement {
    let times: Vec<f64> = base.iter().filter_map(|r| r.exit).collect();
    let all = !base.is_empty() && times.len() == base.len();
    let agree = base.iter().all(|r| {
        r.exit
            .is_some_and(|t| (t - r.exit_by_integral).abs() <= r.step)
    });
    let (low, high) = times
        .iter()
        .fold((f64::MAX, 0.0f64), |(a, b), t| (a.min(*t), b.max(*t)));
    state(
        "exit",
        "through at 3.5 ms",
        "tip at the far face at 3.45 to 3.80 ms, within one step of 0.5 ms and the integral of dx/v",
        (!base.is_empty()).then_some(all && agree && low >= 3.45e-3 && high <= 3.80e-3),
        format!("{:.3} to {:.3} ms", low * 1e3, high * 1e3),
    )
}

fn zone(sizes: &BySize) -> Statement {
    let wide: Vec<(f64, f64)> = sizes
        .iter()
        // A narrower layer cannot show a zone of 4 to 9 sizes.
        .filter(|(d, runs)| runs.iter().all(|r| r.run.layer.y >= 15.0 * d))
        .map(|(d, runs)| (*d, mean(runs, |r| r.affected_radius) / d))
        .collect();
    let found = wide
        .iter()
        .map(|(d, z)| format!("{:.0} mm: {z:.1}", d * 1e3))
        .collect::<Vec<_>>()
        .join(", ");
    // The paper reads it off its Figure 7, which shows 100 mm; of the other sizes it says nothing.
    let of_the_figure = wide.iter().find(|(d, _)| (*d - 0.1).abs() < 1e-9);
    state(
        "zone",
        "rocks within 6 to 7 sizes are affected (100 mm)",
        "95 % of the rocks of 100 mm displaced by over 0.05 d are within 4 to 9 d, in a layer at least 15 d wide",
        of_the_figure.map(|(_, z)| (4.0..=9.0).contains(z)),
        found,
    )
}

fn fluctuations(sizes: &BySize) -> Statement {
    let part = |low: f64, high: f64| -> Vec<&RunSummary> {
        sizes
            .iter()
            .filter(|(d, _)| (low..=high).contains(d))
            .flat_map(|(_, runs)| runs.iter().copied())
            .collect()
    };
    let (fine, coarse) = (part(0.0, 0.135), part(0.195, 1.0));
    let tested = !fine.is_empty() && !coarse.is_empty();
    let (a, b) = (
        mean(&fine, |r| r.fluctuation),
        mean(&coarse, |r| r.fluctuation),
    );
    state(
        "fluctuation",
        "the resistance fluctuates more for large rocks",
        "std/mean larger for 200 and 290 mm than for 100 and 130 mm",
        tested.then_some(b > a),
        if tested {
            format!("{a:.2} fine, {b:.2} coarse")
        } else {
            String::new()
        },
    )
}

/// The base shot that a changed shot is to be held against.
fn base_of<'a>(runs: &'a [RunSummary], changed: &RunSummary) -> Option<&'a RunSummary> {
    runs.iter().find(|r| {
        r.run.variation == Variation::Base
            && r.run.size == changed.run.size
            && r.run.seed == changed.run.seed
            && r.run.layer == changed.run.layer
    })
}

fn restitution(runs: &[RunSummary]) -> Statement {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for r in runs {
        if let Variation::ProjectileRestitution(e) = r.run.variation {
            if points.is_empty() {
                points.extend(base_of(runs, r).map(|b| (0.99, b.residual)));
            }
            points.push((e, r.residual));
        }
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    let falls = points.windows(2).all(|w| w[1].1 < w[0].1);
    let found = points
        .iter()
        .map(|(e, v)| format!("{e}: {v:.0}"))
        .collect::<Vec<_>>()
        .join(", ");
    state(
        "restitution",
        "a small restitution between projectile and rock stops the projectile",
        "residual velocity falls over e_b = 0.99, 0.7, 0.4, 0.1",
        (points.len() >= 3).then_some(falls),
        found,
    )
}

fn conservative(runs: &[RunSummary]) -> Option<&RunSummary> {
    runs.iter()
        .find(|r| r.run.variation == Variation::Conservative)
}

fn energy(runs: &[RunSummary]) -> Statement {
    let run = conservative(runs);
    state(
        "energy",
        "the contact law conserves energy",
        "e = 1, no friction: total energy within 1 % all the way",
        run.map(|r| r.energy_drift < 0.01),
        run.map_or(String::new(), |r| format!("{:.1e}", r.energy_drift)),
    )
}

fn momentum(runs: &[RunSummary]) -> Statement {
    let run = conservative(runs);
    state(
        "momentum",
        "action and reaction",
        "without walls and gravity the momentum is kept within 1e-12",
        run.map(|r| r.momentum_drift < 1e-12),
        run.map_or(String::new(), |r| format!("{:.1e}", r.momentum_drift)),
    )
}

fn step(runs: &[RunSummary]) -> Statement {
    let change = runs
        .iter()
        .filter(|r| matches!(r.run.variation, Variation::Step(_)))
        .find_map(|r| base_of(runs, r).map(|b| r.residual - b.residual));
    state(
        "step",
        "the step is short enough",
        "half the step changes the residual velocity by under 1 m/s",
        change.map(|c| c.abs() < 1.0),
        change.map_or(String::new(), |c| format!("{c:+.3} m/s")),
    )
}

fn minor(id: &'static str, runs: &[RunSummary], pick: impl Fn(&Variation) -> bool) -> Statement {
    let changes: Vec<(String, f64)> = runs
        .iter()
        .filter(|r| pick(&r.run.variation))
        .filter_map(|r| {
            let base = base_of(runs, r)?;
            // Change of the velocity loss, relative to the loss.
            let loss = (base.residual - r.residual) / (1200.0 - base.residual);
            Some((r.run.variation.name(), loss))
        })
        .collect();
    let found = changes
        .iter()
        .map(|(name, c)| format!("{name}: {:+.0} %", 100.0 * c))
        .collect::<Vec<_>>()
        .join(", ");
    state(
        id,
        "stiffness and friction are of minor influence",
        "doubled, halved or left out they change the loss of velocity by under 20 %",
        (!changes.is_empty()).then(|| changes.iter().all(|(_, c)| c.abs() < 0.2)),
        found,
    )
}
