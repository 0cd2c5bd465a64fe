//! Towers of planks on edge, as built of Kapla.

use crate::masonry::{Brick, GRAVITY, Masonry, place, rough};
use glam::{DVec2, DVec3};
use klast_dynamics::{Drive, DynamicsError, Role, World, WorldSettings};
use klast_geometry::{Plane, Pose, Solid};

/// Edges of a plank, 15 : 3 : 1 (m).
const LENGTH: f64 = 0.12;
const WIDTH: f64 = 0.024;
const THICKNESS: f64 = 0.008;
/// Friction of wood on wood.
const FRICTION: f64 = 0.5;

/// A tower on a fixed floor: layers of two planks on edge, each layer across the one below; the first lies along x.
pub fn tower(levels: usize, settings: WorldSettings) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(settings)?;
    world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough(FRICTION), None)?;
    build(&mut world, levels)?;
    Ok(Masonry::new(world, None))
}

/// The same on a slab that accelerates along −x with a constant fraction of g.
pub fn shaken_tower(
    levels: usize,
    fraction: f64,
    settings: WorldSettings,
) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(settings)?;
    let edges = DVec3::new(4.0, 4.0, 1.0) * LENGTH;
    let slab = Solid::Box { edges }
        .with_size(edges.max_element())?
        .transformed(&Pose::from_translation(DVec3::Z * (-0.5 * edges.z)))?;
    let drive = Drive::Accelerating(DVec3::new(-fraction * GRAVITY, 0.0, 0.0));
    let base = place(&mut world, &slab, Role::Driven(drive), rough(FRICTION))?;
    build(&mut world, levels)?;
    Ok(Masonry::new(world, Some(base)))
}

fn build(world: &mut World, levels: usize) -> Result<(), DynamicsError> {
    for level in 0..levels {
        let height = WIDTH * (level as f64 + 0.5);
        for side in [-1.0, 1.0] {
            let across = side * 0.5 * (LENGTH - THICKNESS);
            let (edges, at) = if level % 2 == 0 {
                (
                    DVec3::new(LENGTH, THICKNESS, WIDTH),
                    DVec3::new(0.0, across, height),
                )
            } else {
                (
                    DVec3::new(THICKNESS, LENGTH, WIDTH),
                    DVec3::new(across, 0.0, height),
                )
            };
            let shape = Solid::Box { edges }
                .with_size(LENGTH)?
                .transformed(&Pose::from_translation(at))?;
            place(world, &shape, Role::Free, rough(FRICTION))?;
        }
    }
    Ok(())
}

/// The tower seen along y: rectangles in the x–z plane and the depth of wood behind each (m).
pub fn tower_section(levels: usize) -> Vec<(Brick, f64)> {
    let mut section = vec![];
    for level in 0..levels {
        let bottom = WIDTH * level as f64;
        let mut add = |left: f64, width: f64, depth: f64| {
            let low = DVec2::new(left, bottom);
            let high = low + DVec2::new(width, WIDTH);
            section.push((Brick { low, high }, depth));
        };
        if level % 2 == 0 {
            add(-0.5 * LENGTH, LENGTH, 2.0 * THICKNESS);
        } else {
            add(-0.5 * LENGTH, THICKNESS, LENGTH);
            add(0.5 * LENGTH - THICKNESS, THICKNESS, LENGTH);
        }
    }
    section
}
