//! Contacts with a stiffness: weights on springs, and a heap of hulls.

use anyhow::Result;
use glam::DVec3;
use klast_dynamics::{Body, Effort, Role, State, Surface, World, WorldSettings};
use klast_geometry::{Plane, Pose};
use klast_scenarios::{PourReport, ballast, column, cubes, pour_into, pour_to_rest};

use crate::{Context, Outcome, Table};

const SURFACE: Surface = Surface {
    friction: 0.5,
    restitution: 0.0,
};

fn settings(stiffness: f64, tolerance: f64) -> WorldSettings {
    WorldSettings {
        effort: Effort::Residual {
            tolerance,
            sweeps: 800,
        },
        stiffness: Some(stiffness),
        parallel: false,
        ..Default::default()
    }
}

pub(super) fn run(_: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    let column = settled(8, 0.0)?;
    let top = |w: &World| w.states().last().map_or(DVec3::NAN, |s| s.pose.translation);
    outcome.set("column, sink", "computed", 7.5 - top(&column).z);
    outcome.set("column, energy", "computed", column.elastic_energy());
    outcome.set("incline, way", "computed", top(&settled(1, 0.2)?).x);
    heap(&mut outcome)?;
    Ok(outcome)
}

/// Cubes of 1 m on top of each other, two seconds after they were let go on springs of 1e9 N/m, gravity at an angle.
fn settled(count: usize, slope: f64) -> Result<World> {
    let gravity = DVec3::new(libm::sin(slope), 0.0, -libm::cos(slope)) * 9.81;
    let mut world = World::new(WorldSettings {
        gravity,
        ..settings(1e9, 1e-9)
    })?;
    world.add_plane(Plane::new(DVec3::Z, 0.0)?, SURFACE, None)?;
    for shape in &cubes()? {
        let body = Body::uniform(shape, 2700.0)?;
        for i in 0..count {
            let pose = body.pose_of(&Pose::from_translation(DVec3::Z * (i as f64 + 0.5)));
            world.add(body.clone(), State::at_rest(pose), Role::Free, SURFACE)?;
        }
    }
    for _ in 0..800 {
        world.step()?;
    }
    Ok(world)
}

/// Eighty hulls poured on springs of 1e10 N/m, each step to 1e-6.
fn heap(outcome: &mut Outcome) -> Result<()> {
    let (mut world, mut all) = (
        pour_into(3.6, &ballast()?, &column(80, 4), settings(1e10, 1e-6))?,
        PourReport::default(),
    );
    let rest = pour_to_rest(&mut world, 20.0, 0.25, |w, step| all.enter(w, step))?;
    let ledger = world.ledger();
    let mut judge = |row: &str, found: f64, accepted: f64, holds: bool| {
        let word = if holds { "holds" } else { "fails" };
        outcome.set(&format!("hulls, {row}"), "computed", word);
        outcome.note(format!(
            "hulls, {row}: {found:.2e}, accepted {accepted:.2e}"
        ));
    };
    for (row, (_, found, accepted, holds)) in ["rest", "speed", "energy"].iter().zip(rest.bars()) {
        judge(row, found, accepted, holds);
    }
    for (row, found, accepted) in [
        ("residual", ledger.unconverged as f64, 0.0),
        ("contacts", ledger.exchange.driving_contacts as f64, 0.0),
        ("mean overlap", all.mean_overlap, 1e-4),
        ("largest overlap", all.largest_overlap, 1e-3),
    ] {
        judge(row, found, accepted, found <= accepted);
    }
    Ok(())
}
