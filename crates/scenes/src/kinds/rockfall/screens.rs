//! Barriers and collectors of a scene.

use super::land::Land;
use super::scene::Scene;
use super::sources::points;
use super::{design, vectors};
use crate::text::SceneText;
use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec2;
use klast_rockfall::{Barrier, Collector, FlexibleBarrier};

/// Barriers, then collectors.
pub fn screens(scene: &Scene, text: &SceneText, land: &Land) -> Result<Vec<Collector>> {
    let collector = |name: &str, line: &[[f64; 2]]| Collector {
        name: name.to_owned(),
        line: points(line),
        barrier: None,
    };
    let mut screens = Vec::new();
    for b in &scene.barriers {
        design::check(b)?;
        let mut made = barrier(&b.name, b.height_m, b.capacity_kj)?;
        made.flexible = b.flexible.map(|net| FlexibleBarrier {
            service_energy: 1e3 * net.service_energy_kj,
            elongation: net.elongation_m,
            residual_height: net.residual_height_fraction,
        });
        screens.push(Collector {
            barrier: Some(made),
            ..collector(&b.name, &b.line_m)
        });
    }
    if let Some(file) = &scene.barriers_file {
        for line in vectors::lines(file, text, land, &["height_m", "capacity_kj"])? {
            let [height, capacity] = ["height_m", "capacity_kj"].map(|key| {
                let number = line.shape.number(&[key]).transpose();
                number.unwrap_or_else(|| bail!("{}: no attribute '{key}'", line.shape.name))
            });
            let limits = barrier(
                &line.name,
                height.with_context(|| file.clone())?,
                capacity.with_context(|| file.clone())?,
            );
            screens.push(Collector {
                barrier: Some(limits?),
                name: line.name,
                line: line.points,
            });
        }
    }
    let collectors = scene.collectors.iter();
    screens.extend(collectors.map(|c| collector(&c.name, &c.line_m)));
    for sweep in &scene.sweeps {
        ensure!(
            (2..=200).contains(&sweep.places),
            "sweep '{}': places is {}; accepted: 2 to 200",
            sweep.name,
            sweep.places
        );
        for place in 1..=sweep.places {
            let moved = DVec2::from_array(sweep.shift_m) * f64::from(place - 1);
            let line = points(&sweep.line_m).into_iter().map(|p| p + moved);
            screens.push(Collector {
                name: place_name(&sweep.name, place),
                line: line.collect(),
                barrier: None,
            });
        }
    }
    if let Some(file) = &scene.collectors_file {
        for line in vectors::lines(file, text, land, &[])? {
            screens.push(Collector {
                barrier: None,
                name: line.name,
                line: line.points,
            });
        }
    }
    for old in &scene.gates {
        let barrier = match (old.height_m, old.capacity_kj) {
            (Some(height), Some(capacity)) => Some(barrier(&old.name, height, capacity)?),
            (None, None) => None,
            _ => bail!(
                "gate '{}': accepted: both height_m and capacity_kj (a barrier) or neither (a collector)",
                old.name
            ),
        };
        screens.push(Collector {
            barrier,
            ..collector(&old.name, &old.line_m)
        });
    }
    Ok(screens)
}

fn barrier(name: &str, height: f64, capacity_kj: f64) -> Result<Barrier> {
    let refuse = |key, found: f64, accepted| {
        format!("barrier '{name}': {key} is {found}; accepted: {accepted}")
    };
    ensure!(height > 0.0, refuse("height_m", height, "above 0"));
    // In J it must still be a number.
    ensure!(
        (0.0..=1e300).contains(&capacity_kj),
        refuse("capacity_kj", capacity_kj, "0 to 1e300")
    );
    Ok(Barrier {
        height,
        capacity: 1e3 * capacity_kj,
        flexible: None,
    })
}

/// The name of a place of a sweep, as its collector has it.
#[must_use]
pub fn place_name(sweep: &str, place: u32) -> String {
    format!("{sweep} {place}")
}
