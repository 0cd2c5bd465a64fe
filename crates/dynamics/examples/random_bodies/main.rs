//! Throws random bodies on planes, rasters and triangulations and sums up what their ledgers show:
//! `cargo run --release -p klast-dynamics --example random_bodies [BODIES] [plane] [raster] [boxes] [hulls]`, by
//! default 2000 on each ground, and half as many boxes and a twentieth as many hulls on triangulations.

mod campaign;

use campaign::{Ground, ended, survey, survey_body, survey_run, throw};
use klast_dynamics::single::{StopReason, Workspace};
use rayon::prelude::*;
use std::time::Instant;

fn main() {
    let bodies = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(2000);
    let named: Vec<String> = std::env::args().skip(2).collect();
    let wanted = |name: &str| named.is_empty() || named.iter().any(|n| n == name);
    for (name, ground) in [("plane", Ground::Plane), ("raster", Ground::Raster)] {
        if !wanted(name) {
            continue;
        }
        let clock = Instant::now();
        let seen: Vec<_> = (0..bodies)
            .into_par_iter()
            .map_init(Workspace::default, |w, seed| {
                throw(seed, ground, w).map(|s| (seed, s))
            })
            .flatten()
            .collect();
        let most = |f: fn(&campaign::Seen) -> f64| {
            let worst = seen.iter().max_by(|a, b| f(&a.1).total_cmp(&f(&b.1)));
            worst.map_or((0, 0.0), |(seed, s)| (*seed, f(s)))
        };
        let count = |f: fn(&campaign::Seen) -> usize| seen.iter().map(|s| f(&s.1)).sum::<usize>();
        println!(
            "{ground:?}: {} bodies in {:.1} s; at rest {}, not ended by themselves {}, unconverged {}, forced {}, impacts with a gain {}, rises {}",
            seen.len(),
            clock.elapsed().as_secs_f64(),
            count(|s| usize::from(s.run.reason == StopReason::AtRest)),
            count(|s| usize::from(!ended(s.run.reason))),
            count(|s| s.run.tally.unconverged),
            count(|s| s.run.tally.forced),
            count(|s| s.run.tally.energy.gains),
            count(|s| s.run.tally.energy.rises),
        );
        println!(
            "  (seed, worst): unseen {:?}, shown {:?}, depth {:?}, steps {:?}",
            most(|s| s.unseen),
            most(|s| s.shown),
            most(|s| s.depth),
            most(|s| s.run.tally.steps as f64),
        );
    }
    for noise in [0.05, 0.2, 0.5] {
        let mesh = survey(1, noise);
        for (scanned, count) in [(false, bodies / 2), (true, bodies / 20)] {
            if !wanted(if scanned { "hulls" } else { "boxes" }) {
                continue;
            }
            let bodies = (0..count).filter_map(|seed| Some((seed, survey_body(seed, scanned)?)));
            let bodies: Vec<_> = bodies.collect();
            let clock = Instant::now();
            let mut workspace = Workspace::default();
            let runs = bodies
                .iter()
                .filter_map(|(seed, body)| survey_run(*seed, body, &mesh, &mut workspace));
            let runs: Vec<_> = runs.collect();
            let sum = |f: fn(&klast_dynamics::single::Tally) -> usize| {
                runs.iter().map(|(r, _)| f(&r.tally)).sum::<usize>()
            };
            println!(
                "survey with {noise} m of noise, {}: {} runs, {:.2} ms each, {} steps each; unconverged {}, forced {}, rises {}, swinging {}, not ended {}, deepest overlap {:.1e} of the radius",
                if scanned { "hulls of 500" } else { "boxes" },
                runs.len(),
                1e3 * clock.elapsed().as_secs_f64() / runs.len().max(1) as f64,
                sum(|t| t.steps) / runs.len().max(1),
                sum(|t| t.unconverged),
                sum(|t| t.forced),
                sum(|t| t.energy.rises),
                sum(|t| usize::from(t.swinging)),
                runs.iter().filter(|(r, _)| !ended(r.reason)).count(),
                runs.iter().map(|(_, deepest)| *deepest).fold(0.0, f64::max),
            );
        }
    }
}
