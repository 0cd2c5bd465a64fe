//! What the paper says of the penetration, as values that our own shots give.

use super::plan::{RunSummary, Variation};
use crate::Outcome;

/// The base shots of one mean size.
struct Size<'a> {
    millimetres: f64,
    shots: Vec<&'a RunSummary>,
}

impl Size<'_> {
    fn mean(&self, value: impl Fn(&RunSummary) -> f64) -> f64 {
        mean(self.shots.iter().map(|r| value(r)))
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}

fn by_size<'a>(base: &[&'a RunSummary]) -> Vec<Size<'a>> {
    let mut sizes: Vec<Size> = Vec::new();
    for run in base {
        let millimetres = (run.run.size * 1e3).round();
        match sizes.iter_mut().find(|s| s.millimetres == millimetres) {
            Some(size) => size.shots.push(run),
            None => sizes.push(Size {
                millimetres,
                shots: vec![run],
            }),
        }
    }
    sizes.sort_by(|a, b| a.millimetres.total_cmp(&b.millimetres));
    sizes
}

/// Every value that the shots carry, by the rows that may ask for it.
pub(super) fn state(runs: &[RunSummary], outcome: &mut Outcome) {
    let base: Vec<&RunSummary> = runs
        .iter()
        .filter(|r| r.run.variation == Variation::Base)
        .collect();
    let sizes = by_size(&base);
    velocities(&sizes, outcome);
    deflections(&base, outcome);
    times(&base, outcome);
    of_the_layer(&sizes, outcome);
    sensitivities(runs, outcome);
    accounts(runs, outcome);
    for r in runs {
        let (mm, seed) = ((r.run.size * 1e3).round(), r.run.seed);
        let name = format!("shot {mm} mm {seed} {}", r.run.variation.name());
        outcome.set(&name, "ours", r.residual);
    }
}

fn velocities(sizes: &[Size], outcome: &mut Outcome) {
    let velocity = |s: &Size| s.mean(|r| r.residual);
    for size in sizes {
        let name = format!("residual {} mm", size.millimetres);
        outcome.set(&name, "ours", velocity(size));
    }
    let finer: Vec<&Size> = sizes.iter().filter(|s| s.millimetres <= 200.0).collect();
    let of_finer = || finer.iter().map(|s| velocity(s));
    let spread = of_finer().fold(f64::MIN, f64::max) - of_finer().fold(f64::MAX, f64::min);
    outcome.set("spread of the finer sizes", "ours", spread);
    let coarse = sizes.iter().find(|s| s.millimetres == 290.0);
    if let (Some(coarse), false) = (coarse, finer.is_empty()) {
        let gain = velocity(coarse) - mean(finer.iter().map(|s| velocity(s)));
        outcome.set("290 mm over the mean of the finer sizes", "ours", gain);
    }
    // The size that slows the projectile most.
    let slowest = sizes
        .iter()
        .min_by(|a, b| velocity(a).total_cmp(&velocity(b)));
    if let Some(size) = slowest {
        let name = format!("{} mm", size.millimetres);
        outcome.set("diameter: slowed most by", "ours", name);
    }
}

fn deflections(base: &[&RunSummary], outcome: &mut Outcome) {
    let velocity = mean(base.iter().map(|r| r.velocity_deflection.to_degrees()));
    let axis = mean(base.iter().map(|r| r.axis_deflection.to_degrees()));
    let largest = base
        .iter()
        .map(|r| r.axis_deflection.max(r.velocity_deflection).to_degrees())
        .fold(0.0, f64::max);
    outcome.set("deflection of the velocity", "ours", velocity);
    outcome.set("deflection of the axis", "ours", axis);
    outcome.set("deflection, largest", "ours", largest);
}

fn times(base: &[&RunSummary], outcome: &mut Outcome) {
    let through: Vec<f64> = base.iter().filter_map(|r| r.through).collect();
    if through.len() == base.len() {
        let through = mean(through.into_iter()) * 1e3;
        outcome.set("through", "ours", through);
    }
    let strike = mean(base.iter().map(|r| r.strike)) * 1e3;
    outcome.set("strike", "ours", strike);
    let miss = base
        .iter()
        .map(|r| (r.exit.unwrap_or(f64::INFINITY) - r.exit_by_integral).abs() / r.step)
        .fold(0.0, f64::max);
    outcome.set("exit against the integral of dx/v", "ours", miss);
}

fn of_the_layer(sizes: &[Size], outcome: &mut Outcome) {
    if let Some(size) = sizes.iter().find(|s| s.millimetres == 100.0) {
        let zone = size.mean(|r| r.affected_radius) / (1e-3 * size.millimetres);
        outcome.set("zone 100 mm", "ours", zone);
    }
    let part = |low: f64, high: f64| {
        let shots = sizes
            .iter()
            .filter(|s| (low..=high).contains(&s.millimetres));
        let values: Vec<f64> = shots
            .flat_map(|s| s.shots.iter().map(|r| r.fluctuation))
            .collect();
        (!values.is_empty()).then(|| mean(values.into_iter()))
    };
    if let (Some(fine), Some(coarse)) = (part(0.0, 135.0), part(195.0, 1e3)) {
        let word = if coarse > fine { "larger" } else { "smaller" };
        outcome.set("fluctuation of large over small rocks", "ours", word);
        outcome.note(format!(
            "standard deviation over mean of the resistance: {fine:.2} fine, {coarse:.2} coarse"
        ));
    }
}

/// The base shot that a changed shot is to be held against.
fn base_of<'a>(runs: &'a [RunSummary], changed: &RunSummary) -> Option<&'a RunSummary> {
    runs.iter().find(|r| {
        r.run.variation == Variation::Base
            && (r.run.size, r.run.seed) == (changed.run.size, changed.run.seed)
            && r.run.layer == changed.run.layer
    })
}

/// The largest change of the loss of velocity under the variations that `pick` takes, over the loss.
fn influence(runs: &[RunSummary], pick: impl Fn(&Variation) -> bool) -> Option<f64> {
    let change = |r: &RunSummary| {
        let base = base_of(runs, r)?;
        Some(((base.residual - r.residual) / (1200.0 - base.residual)).abs())
    };
    let changed = runs.iter().filter(|r| pick(&r.run.variation));
    changed.filter_map(change).reduce(f64::max)
}

fn sensitivities(runs: &[RunSummary], outcome: &mut Outcome) {
    // Minor: doubled, halved or left out it changes the loss of velocity by under a fifth.
    let word = |influence: f64| if influence < 0.2 { "minor" } else { "major" };
    for (name, found) in [
        (
            "stiffness",
            influence(runs, |v| matches!(v, Variation::Stiffness(_))),
        ),
        (
            "friction",
            influence(runs, |v| matches!(v, Variation::Friction(_))),
        ),
    ] {
        if let Some(found) = found {
            outcome.set(name, "ours", word(found));
            outcome.note(format!(
                "{name}: the loss of velocity changes by up to {:.0} %",
                100.0 * found
            ));
        }
    }
    let mut points: Vec<(f64, &RunSummary)> = Vec::new();
    for r in runs {
        if let Variation::ProjectileRestitution(e) = r.run.variation {
            if points.is_empty() {
                points.extend(base_of(runs, r).map(|b| (0.99, b)));
            }
            points.push((e, r));
        }
    }
    points.sort_by(|a, b| b.0.total_cmp(&a.0));
    if points.len() >= 3 {
        let falls = points.windows(2).all(|w| w[1].1.residual < w[0].1.residual);
        let word = if falls { "major" } else { "minor" };
        outcome.set("restitution", "ours", word);
        // A hundredth of the speed is as good as none.
        let stopped = points.last().is_some_and(|(_, r)| r.residual < 12.0);
        let word = if stopped { "stopped" } else { "moving" };
        outcome.set("restitution of 0.1", "ours", word);
    }
}

fn accounts(runs: &[RunSummary], outcome: &mut Outcome) {
    let conservative = runs
        .iter()
        .find(|r| r.run.variation == Variation::Conservative);
    if let Some(r) = conservative {
        outcome.set("energy", "ours", r.energy_drift);
        outcome.set("momentum", "ours", r.momentum_drift);
    }
    let change = runs
        .iter()
        .filter(|r| matches!(r.run.variation, Variation::Step(_)))
        .find_map(|r| base_of(runs, r).map(|b| r.residual - b.residual));
    if let Some(change) = change {
        outcome.set("step", "ours", change);
    }
    let masses = || runs.iter().map(|r| r.mass);
    let one = masses().all(|m| Some(m) == masses().next());
    outcome.set("one mass", "ours", if one { "yes" } else { "no" });
    outcome.set("mass", "ours", masses().next().unwrap_or(f64::NAN));
}
