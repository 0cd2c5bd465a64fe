//! Many bodies in contact.

use anyhow::Result;
use glam::DVec3;
use klast_dynamics::{Body, Effort, Role, State, Surface, World, WorldSettings};
use klast_geometry::Solid;
use klast_scenarios::lattice;

use crate::Work;

/// Steps of one repetition.
const STEPS: u64 = 20;
/// Steps before the first repetition: 1 s, by when the lowest layers have come to rest on one another.
const POURING: usize = 400;

/// Cubes of 1 m poured ten high into a box as wide as they need, after the first second; 20 sweeps a step.
pub fn poured_cubes(size: usize) -> Result<Work> {
    let surface = Surface {
        friction: 0.5,
        restitution: 0.0,
    };
    let settings = WorldSettings {
        effort: Effort::Sweeps(20),
        parallel: rayon::current_num_threads() > 1,
        ..Default::default()
    };
    let mut world = World::new(settings)?;
    let body = Body::uniform(&Solid::Cube.with_volume(1.0)?, 2700.0)?;
    let across = (size as f64 / 10.0).sqrt().ceil().max(2.0) as usize;
    let half = 0.875 * across as f64;
    for (i, turned) in lattice(size).into_iter().enumerate() {
        let (x, y, z) = (i % across, i / across % across, i / (across * across));
        let place = |k: usize| 1.75 * (k as f64 + 0.5) - half;
        let mut pose = turned;
        pose.translation = DVec3::new(place(x), place(y), 0.9 + 1.75 * z as f64);
        world.add(body.clone(), State::at_rest(pose), Role::Free, surface)?;
    }
    let corner = DVec3::new(half, half, 0.0);
    world.add_container(-corner, corner, surface)?;
    for _ in 0..POURING {
        world.step()?;
    }
    Ok(Box::new(move || {
        for _ in 0..STEPS {
            world.step()?;
        }
        Ok(STEPS * world.len() as u64)
    }))
}
