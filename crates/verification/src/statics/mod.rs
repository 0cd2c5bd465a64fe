//! Statics: blocks, walls and arches stand and fall on the two sides of their limits.

mod springs;
mod thrust_line;

use anyhow::Result;
use glam::{DMat3, DVec3};
use klast_contact::{Delassus, Friction, ImpactContact, ImpactLaw, ImpactProblem, SolveOptions};
use klast_dynamics::{Effort, Impacts, WorldSettings};
use klast_scenarios::{
    Masonry, PourReport, arch, ballast, column, cradle, cubes, horizontal_limit, incline,
    limit_of_section, pour_into, pour_to_rest, pyramid_rows, running_bond, shaken, shaken_tower,
    static_settings, tilting_wall, tower_section,
};

use crate::{Case, Context, Outcome, Table};

/// The cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "statics/incline",
        run: run_incline,
    },
    Case {
        id: "statics/arch",
        run: run_arch,
    },
    Case {
        id: "statics/masonry",
        run: run_masonry,
    },
    Case {
        id: "statics/tower",
        run: run_tower,
    },
    Case {
        id: "statics/tower-20",
        run: run_tower,
    },
    Case {
        id: "statics/rest",
        run: run_rest,
    },
    Case {
        id: "statics/springs",
        run: springs::run,
    },
    Case {
        id: "statics/cradle",
        run: run_cradle,
    },
];

/// Time that a scene is given (s); blocks of about a metre fall within one from twice the distance to the limit.
const SECONDS: f64 = 4.0;
/// A body that has moved this far (m) falls on.
const FALLEN: f64 = 0.05;
/// A scene in which nothing has moved this far (m) stands: the overlap that a settled contact may have is 1e-7 m.
const STANDING: f64 = 1e-4;

/// Runs a scene and says in a word how it ended, and on the way how far something moved.
fn verdict(mut scene: Masonry, name: &str, outcome: &mut Outcome) -> Result<&'static str> {
    let moved = scene.watch(SECONDS, FALLEN)?;
    let word = match moved {
        m if m > FALLEN => "falls",
        m if m < STANDING => "stands",
        _ => "creeps",
    };
    let left = scene.world.ledger().unconverged;
    outcome.note(format!(
        "{name}: moved {moved:.2e} m in {:.2} s, {left} islands above the residual asked for",
        scene.world.time()
    ));
    Ok(word)
}

/// Friction decides on a flat block, the ratio of width to height on a slender one: 1 % to either side.
fn run_incline(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for (row, slope, friction, height) in [
        ("slide below", 0.99 * 0.5, 0.5, 1.0),
        ("slide above", 1.01 * 0.5, 0.5, 1.0),
        ("tip below", 0.99 * 0.4, 0.8, 2.5),
        ("tip above", 1.01 * 0.4, 0.8, 2.5),
    ] {
        let word = verdict(
            incline(1.0, height, libm::atan(slope), friction)?,
            row,
            &mut outcome,
        )?;
        outcome.set(row, "computed", word);
    }
    Ok(outcome)
}

/// The limit of many joints, then 2 % to either side of the limit of 15 and 31 voussoirs.
fn run_arch(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    outcome.set(
        "limit of many joints",
        "computed",
        thrust_line::arch_thickness(1001),
    );
    for count in [15, 31] {
        let least = thrust_line::arch_thickness(count);
        outcome.note(format!(
            "{count} voussoirs: least thickness {least:.6} mean radii"
        ));
        for (side, factor) in [("thinner", 0.98), ("thicker", 1.02)] {
            let row = format!("{count} voussoirs, {side}");
            let word = verdict(arch(count, factor * least, 0.8)?, &row, &mut outcome)?;
            outcome.set(&row, "computed", word);
        }
    }
    Ok(outcome)
}

/// A wall on a tilting table (2 %) and a pyramid of 100 blocks under base acceleration (1 %).
fn run_masonry(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let wall = running_bond(6, 4);
    let angle = libm::atan(horizontal_limit(&wall, 0.6)?);
    outcome.note(format!(
        "wall: limit angle {:.4} degrees",
        angle.to_degrees()
    ));
    let pyramid = pyramid_rows(16, 9);
    let fraction = horizontal_limit(&pyramid, 0.6)?;
    outcome.note(format!(
        "pyramid: {} blocks, limit acceleration {fraction:.6} g",
        pyramid.len()
    ));
    for (side, by) in [("below", -1.0), ("above", 1.0)] {
        let row = format!("wall {side}");
        let word = verdict(
            tilting_wall(&wall, angle * (1.0 + 0.02 * by), 0.6)?,
            &row,
            &mut outcome,
        )?;
        outcome.set(&row, "computed", word);
        let row = format!("pyramid {side}");
        let word = verdict(
            shaken(&pyramid, fraction * (1.0 + 0.01 * by), 0.6)?,
            &row,
            &mut outcome,
        )?;
        outcome.set(&row, "computed", word);
    }
    Ok(outcome)
}

/// Towers of planks under base acceleration, 1 % to either side of the limit load of their section.
fn run_tower(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    // Planks of 8 mm fall through a way of half their thickness; standing, they may settle by their slop.
    let settings = WorldSettings {
        step: 1e-3,
        margin: 1e-5,
        slop: 1e-8,
        ..static_settings()
    };
    for levels in table.input_as::<Vec<usize>>("levels")? {
        let limit = limit_of_section(&tower_section(levels), 0.5)?;
        outcome.set(&format!("{levels} levels"), "computed", limit);
        for (side, factor) in [("below", 0.99), ("above", 1.01)] {
            let row = format!("{levels} levels, {side}");
            let mut scene = shaken_tower(levels, factor * limit, settings)?;
            let moved = scene.watch(3.0, 0.004)?;
            outcome.note(format!(
                "{row}: moved {moved:.2e} m in {:.2} s",
                scene.world.time()
            ));
            let word = match moved {
                m if m > 0.004 => "falls",
                m if m < 1e-5 => "stands",
                _ => "creeps",
            };
            outcome.set(&row, "computed", word);
        }
    }
    Ok(outcome)
}

/// Poured cubes and hulls come to rest: the bars of speed, energy and overlap, at both settings.
fn run_rest(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let residual = Effort::Residual {
        tolerance: 1e-6,
        sweeps: 800,
    };
    // Five layers each, 36 and 16 blocks in one.
    let runs = [
        ("20 sweeps", Effort::Sweeps(20), 180, 6_u32, (1e-3, 1e-2)),
        ("residual 1e-6", residual, 80, 4, (1e-4, 1e-3)),
    ];
    for (shape, shapes) in [("cubes", cubes()?), ("hulls", ballast()?)] {
        for (setting, effort, count, across, bars) in runs {
            let settings = WorldSettings {
                effort,
                parallel: false,
                ..Default::default()
            };
            let mut world = pour_into(
                0.9 * f64::from(across),
                &shapes,
                &column(count, across as usize),
                settings,
            )?;
            let mut all = PourReport::default();
            let rest = pour_to_rest(&mut world, 20.0, 0.25, |w, step| all.enter(w, step))?;
            let rows = ["rest", "speed", "energy"];
            for (row, (name, found, accepted, holds)) in rows.iter().zip(rest.bars()) {
                let word = if holds { "holds" } else { "fails" };
                outcome.set(&format!("{shape}, {setting}, {row}"), "computed", word);
                outcome.note(format!(
                    "{shape}, {setting}: {name} {found:.2e}, accepted {accepted:.2e}"
                ));
            }
            let overlaps = [
                ("mean overlap", all.mean_overlap, bars.0),
                ("largest overlap", all.largest_overlap, bars.1),
            ];
            for (row, found, accepted) in overlaps {
                let word = if found <= accepted { "holds" } else { "fails" };
                outcome.set(&format!("{shape}, {setting}, {row}"), "computed", word);
                outcome.note(format!(
                    "{shape}, {setting}: {row} {found:.1e} m, accepted {accepted:.0e} m"
                ));
            }
            outcome.note(format!(
                "{shape}, {setting}: at rest from {:.2} s, then overlap mean {:.1e} m, max {:.1e} m",
                rest.at_rest_from.unwrap_or(f64::NAN),
                rest.overlap.0,
                rest.overlap.1
            ));
        }
    }
    Ok(outcome)
}

/// Cubes in a row, the first coming in at 1 m/s: the time stepping with Newton's law, all at once and in turn, and each
/// impact law.
fn run_cradle(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let mut enter = |count: usize, name: &str, e: f64, velocities: Vec<f64>| {
        for (k, v) in velocities.into_iter().enumerate() {
            outcome.set(
                &format!("{count} bodies, {name}, e {e}, body {}", k + 1),
                "computed",
                v,
            );
        }
    };
    let laws = [
        ImpactLaw::Newton {
            friction: Friction::MaximumDissipation,
        },
        ImpactLaw::Sequential {
            friction: Friction::MaximumDissipation,
        },
        ImpactLaw::Poisson,
        ImpactLaw::Stronge,
    ];
    for count in [3, 5] {
        for (name, e, impacts) in [
            ("time stepping", 1.0, Impacts::Together),
            ("time stepping", 0.0, Impacts::Together),
            ("time stepping in turn", 1.0, Impacts::default()),
        ] {
            let mut world = cradle(count, e, impacts)?;
            world.step()?;
            enter(
                count,
                name,
                e,
                world.states().map(|s| s.velocity.linear.x).collect(),
            );
        }
        for law in &laws {
            enter(count, law.name(), 1.0, row_of_bodies(count, law)?);
        }
    }
    Ok(outcome)
}

/// Velocities after the impact of bodies of 1 kg in a row, e = 1, no friction.
fn row_of_bodies(count: usize, law: &ImpactLaw) -> Result<Vec<f64>> {
    let joints = count - 1;
    let mut blocks = vec![];
    for k in 0..joints {
        blocks.push((k, k, DMat3::from_diagonal(DVec3::splat(2.0))));
        if k > 0 {
            blocks.push((k, k - 1, -DMat3::IDENTITY));
            blocks.push((k - 1, k, -DMat3::IDENTITY));
        }
    }
    let approach = |k: usize| DVec3::new(if k == 0 { -1.0 } else { 0.0 }, 0.0, 0.0);
    let contacts = (0..joints)
        .map(|k| ImpactContact::new(approach(k)).with_restitution(1.0))
        .collect();
    let problem = ImpactProblem::new(Delassus::from_blocks(joints, blocks)?, contacts)?;
    let options = SolveOptions {
        tolerance: 1e-12,
        ..SolveOptions::default()
    };
    let impact = law.resolve(&problem, &options)?;
    let impulse = |k: Option<usize>| k.and_then(|k| impact.impulses.get(k)).map_or(0.0, |r| r.x);
    Ok((0..count)
        .map(|k| f64::from(u8::from(k == 0)) + impulse(k.checked_sub(1)) - impulse(Some(k)))
        .collect())
}
