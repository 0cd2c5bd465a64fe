//! Overlaps of polyhedra, and a heap of grains.

use std::hint::black_box;

use anyhow::Result;
use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Release, Settings, Voronoi, World};
use klast_geometry::{ConvexPolyhedron, NarrowPhase, Placed, Pose, Solid};

use super::{part, spread};
use crate::Work;

/// An icosahedron and a dodecahedron in many places, found anew each time.
pub fn overlap(size: usize) -> Result<Work> {
    let (a, b) = (
        Solid::Icosahedron.with_volume(1.0)?,
        Solid::Dodecahedron.with_volume(1.0)?,
    );
    let mut narrow = NarrowPhase::default();
    Ok(Box::new(move || {
        for i in 0..size as u32 {
            let (turn_a, along) = spread(i);
            let pose_a = Pose::from_rotation(turn_a);
            let pose_b = Pose::new(spread(i + 7).0, along.normalize_or(DVec3::X) * 0.95)?;
            let placed = |shape, pose| Placed { shape, pose };
            black_box(narrow.overlap(placed(&a, &pose_a), placed(&b, &pose_b), None));
        }
        Ok(size as u64)
    }))
}

/// Grains times steps of one repetition, about.
const GRAIN_STEPS: usize = 2000;

/// Voronoi cells of a cube, 1 % too large, so that each touches all its neighbours; damped.
pub fn heap(size: usize) -> Result<Work> {
    let side = (size as f64).cbrt();
    let at = |i: u32| {
        DVec3::new(
            part(i, 0.819_172_5),
            part(i, 0.671_043_6),
            part(i, 0.549_700_5),
        )
    };
    let seeds: Vec<DVec3> = (1..=size as u32).map(|i| at(i) * side).collect();
    let cells = Voronoi::new(DVec3::ZERO, DVec3::splat(side), &seeds)?.cells;
    let (mut particles, mut motions) = (Vec::new(), Vec::new());
    for cell in &cells {
        let centre = cell.measure().centroid;
        let grown = cell.vertices.iter().map(|v| centre + (*v - centre) * 1.01);
        let solid = ConvexPolyhedron::from_points(&grown.collect::<Vec<_>>())?;
        let (particle, pose) = Particle::solid(&solid, 1000.0, 0)?;
        particles.push(particle);
        motions.push(Motion::at(&pose));
    }
    let law = PenaltyLaw::elastic(1e6, 1.0)?
        .with_restitution(0.4, Release::NoTension)?
        .with_friction(0.2, 5e5)?;
    let mut settings = Settings::new(1e-4);
    settings.skin = 0.02;
    settings.damping_rate = 200.0;
    let table = LawTable::new(1, law)?;
    let mut world = World::new(particles, motions, vec![], table, settings)?;
    world.step()?;
    let steps = (GRAIN_STEPS / size).max(1);
    Ok(Box::new(move || {
        for _ in 0..steps {
            world.step()?;
        }
        Ok((steps * world.particles().len()) as u64)
    }))
}
