//! Figures 5.2 to 5.11 from our own data.

use std::ops::ControlFlow;

use anyhow::{Context as _, Result};
use glam::DVec2;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::score::{kolmogorov_smirnov, kolmogorov_smirnov_critical};
use rayon::prelude::*;

use super::planar::{Planar, Square};
use super::setting::{Drop, Setting};
use crate::Outcome;

/// What a collector sees of a rock (energies in kJ, height in m), if the rock passes it, and how far it runs (m).
type Seen = (Option<[f64; 4]>, f64);

impl Setting {
    fn seen_in_space(&self, drop: &Drop, collector: f64) -> Result<Seen> {
        let mut passage = None;
        let runout = self.spatial(drop, &mut |arc| {
            if passage.is_none()
                && let Some(t) = arc.crossings(DVec2::X, collector)[0]
            {
                let [e, k, r] = self.parts(arc.velocity_at(t).length(), arc.spin.length());
                passage = Some([e, k, r, arc.position_at(t).z + self.rise * collector]);
            }
            ControlFlow::Continue(())
        })?;
        Ok((passage, runout))
    }

    fn seen_in_the_plane(&self, drop: &Drop, collector: f64) -> Seen {
        let normal = DVec2::new(self.rise, 1.0).normalize();
        let planar = Planar {
            side: self.side,
            gravity: self.gravity,
            normal,
            restitution: drop.restitution,
            friction: drop.friction,
            cutoff: 0.01,
        };
        let start = Square {
            time: 0.0,
            centre: DVec2::new(0.0, self.height),
            velocity: DVec2::ZERO,
            angle: 0.0,
            spin: drop.spin,
        };
        let (mut passage, mut last) = (None, start);
        let end = planar.run(start, 60.0, &mut |square| {
            if passage.is_none() && square.centre.x >= collector {
                // Velocities change linearly within a millisecond, and at impacts no time passes.
                let part = (collector - last.centre.x) / (square.centre.x - last.centre.x);
                let [e, k, r] = self.parts(
                    last.velocity.lerp(square.velocity, part).length(),
                    last.spin + part * (square.spin - last.spin),
                );
                let centre = last.centre.lerp(square.centre, part);
                passage = Some([e, k, r, centre.y + self.rise * centre.x]);
            }
            last = *square;
        });
        (passage, end.centre.x)
    }
}

/// Figures 5.2 to 5.11 from our own data: a collector downhill, the slope without end, runout to rest; in space (even
/// numbers) and in the plane. The manual's inputs are lost: the figures are judged by the agreement of the two codes.
pub(super) fn figures(
    setting: &Setting,
    drops: &[Drop],
    collector: f64,
    outcome: &mut Outcome,
) -> Result<()> {
    let drops = drops.get(..1000.min(drops.len())).unwrap_or_default();
    let spatial: Vec<Seen> = drops
        .par_iter()
        .map(|drop| setting.seen_in_space(drop, collector))
        .collect::<Result<_>>()?;
    let planar: Vec<Seen> = drops
        .par_iter()
        .map(|drop| setting.seen_in_the_plane(drop, collector))
        .collect();
    compare(&planar, &spatial, outcome)?;
    let names = [
        ("Total kinetic energy", "E [kJ]"),
        ("Translational kinetic energy", "E [kJ]"),
        ("Rotational kinetic energy", "E [kJ]"),
        ("Height of the centre over the slope", "h [m]"),
    ];
    for (odd, (code, seen)) in [
        ("general code in space", &spatial),
        ("planar code", &planar),
    ]
    .into_iter()
    .enumerate()
    {
        for (k, (title, label)) in names.into_iter().enumerate() {
            let values: Vec<f64> = seen.iter().filter_map(|m| m.0.map(|p| p[k])).collect();
            outcome.draw(
                &format!("figure-5.{}", 2 + 2 * k + odd),
                &format!("{title} on a collector 2 m downhill of the release (our choice), {code}; 1,000 rocks."),
                histogram(&format!("{title}, {code}"), label, &values)?,
            );
        }
        let runouts: Vec<f64> = seen.iter().map(|m| m.1).collect();
        outcome.draw(
            &format!("figure-5.{}", 10 + odd),
            &format!("Horizontal distance from release to rest, or after 60 s, on a slope without end (our choice), {code}."),
            histogram(&format!("Runout, {code}"), "x [m]", &runouts)?,
        );
        outcome.note(format!(
            "{code}: {} of {} rocks pass the collector, mean runout {:.2} m",
            seen.iter().filter(|m| m.0.is_some()).count(),
            seen.len(),
            runouts.iter().sum::<f64>() / seen.len().max(1) as f64
        ));
    }
    Ok(())
}

/// Two-sample Kolmogorov–Smirnov distances of what the figures show, over their critical values at 1 %. Energies are
/// compared in whole joules and lengths in whole millimetres: cubes that slide past on a face differ in rounding alone,
/// and their order by that is no property of a code.
fn compare(planar: &[Seen], spatial: &[Seen], outcome: &mut Outcome) -> Result<()> {
    type Quantity = fn(&Seen) -> Option<f64>;
    let quantities: [(&str, Quantity); 5] = [
        ("ke", |s| s.0.map(|p| p[0])),
        ("kt", |s| s.0.map(|p| p[1])),
        ("kr", |s| s.0.map(|p| p[2])),
        ("height", |s| s.0.map(|p| p[3])),
        ("runout", |s| Some(s.1)),
    ];
    for (name, of) in quantities {
        let [a, b] = [planar, spatial].map(|seen| {
            seen.iter()
                .filter_map(of)
                .map(|v| (1e3 * v).round())
                .collect::<Vec<_>>()
        });
        let distance = kolmogorov_smirnov(&a, &b).context("no rock")?;
        let critical = kolmogorov_smirnov_critical(0.01, a.len(), b.len());
        outcome.set(&format!("figures/{name}"), "figures", distance / critical);
    }
    let both = planar.iter().zip(spatial);
    let mut pairs: Vec<f64> = both
        .filter_map(|(a, b)| Some((a.0?[0] / b.0?[0] - 1.0).abs()))
        .collect();
    pairs.sort_by(f64::total_cmp);
    let median = pairs.get(pairs.len() / 2).context("no rock in both")?;
    outcome.set("figures/pairs", "figures", *median);
    Ok(())
}

fn histogram(title: &str, label: &str, values: &[f64]) -> Result<String> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bins = 40;
    let width = ((high - low) / f64::from(bins)).max(1e-9);
    let edges: Vec<f64> = (0..=bins).map(|k| low + width * f64::from(k)).collect();
    let mut heights = vec![0.0; bins as usize];
    for v in values {
        heights[(((v - low) / width) as usize).min(bins as usize - 1)] += 1.0;
    }
    Ok(LineChart::new(title, Axis::new(label), Axis::new("rocks"))
        .with(Series::bars("", &edges, &heights))
        .svg()?)
}
