//! Blocks poured into a box.

use crate::{Body, DynamicsError, Purpose, Role, State, Streams, Surface, World, WorldSettings};
use glam::{DQuat, DVec3};
use klast_geometry::{ConvexPolyhedron, Pose, Solid};

/// Half the width of the box (m).
const HALF_WIDTH: f64 = 9.0;
/// Density of the blocks (kg/m³).
const DENSITY: f64 = 2700.0;

/// Blocks at rest at the given poses over a box with floor z = 0 and walls x, y = ±9 m; friction 0.5, restitution 0,
/// 2700 kg/m³. The shapes are used in turn.
pub fn pour(
    shapes: &[ConvexPolyhedron],
    poses: &[Pose],
    settings: WorldSettings,
) -> Result<World, DynamicsError> {
    let surface = Surface {
        friction: 0.5,
        restitution: 0.0,
    };
    let bodies = shapes
        .iter()
        .map(|s| Body::uniform(s, DENSITY))
        .collect::<Result<Vec<_>, _>>()?;
    let mut world = World::new(settings)?;
    for (pose, body) in poses.iter().zip(bodies.iter().cycle()) {
        world.add(
            body.clone(),
            State::at_rest(body.pose_of(pose)),
            Role::Free,
            surface,
        )?;
    }
    let corner = DVec3::new(HALF_WIDTH, HALF_WIDTH, 0.0);
    world.add_container(-corner, corner, surface)?;
    Ok(world)
}

/// The cube of 1 m.
pub fn cubes() -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    Ok(vec![Solid::Cube.with_volume(1.0)?])
}

/// Twenty hulls of unit volume on points scattered about a sphere, the same ones at each call.
pub fn ballast() -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    let streams = Streams::new(20);
    (0..20)
        .map(|k| {
            let mut dice = streams.rng(Purpose::Shape, k);
            let mut coordinate = || 2.0 * crate::open_uniform(&mut dice) - 1.0;
            let points: Vec<DVec3> = (0..14)
                .map(|_| {
                    DVec3::new(coordinate(), coordinate(), coordinate()).normalize_or(DVec3::Z)
                })
                .collect();
            let hull = ConvexPolyhedron::from_points(&points)?;
            Ok(hull.scaled(libm::cbrt(1.0 / hull.volume()))?.centred()?)
        })
        .collect()
}

/// Start poses: turned bodies on a lattice of 10 by 10, layer above layer.
pub fn lattice(count: usize) -> Vec<Pose> {
    (0..count)
        .map(|i| {
            let (x, y, z) = (i % 10, i / 10 % 10, i / 100);
            let at = DVec3::new(x as f64 - 4.5, y as f64 - 4.5, 0.6 + z as f64) * 1.75;
            let turn = DVec3::new(i as f64 * 0.7, i as f64 * 1.3, i as f64 * 2.1);
            Pose {
                rotation: DQuat::from_rotation_z(turn.x)
                    * DQuat::from_rotation_x(turn.y)
                    * DQuat::from_rotation_z(turn.z),
                translation: at,
            }
        })
        .collect()
}

/// Poses from text: x y z and the quaternion w x y z on each line.
pub fn parse_poses(text: &str) -> Result<Vec<Pose>, DynamicsError> {
    let numbers = numbers(text)?;
    numbers
        .chunks_exact(7)
        .map(|c| {
            Ok(Pose::new(
                DQuat::from_xyzw(c[4], c[5], c[6], c[3]),
                DVec3::new(c[0], c[1], c[2]),
            )?)
        })
        .collect()
}

/// Hulls from text: a vertex count, then that many x y z, repeated.
pub fn parse_hulls(text: &str) -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    let numbers = numbers(text)?;
    let mut rest = numbers.as_slice();
    let mut hulls = vec![];
    while let Some((count, tail)) = rest.split_first() {
        let take = 3 * (*count as usize);
        let Some(points) = tail.get(..take) else {
            return Err(DynamicsError::OutOfRange {
                field: "coordinates of a hull",
                found: tail.len() as f64,
                accepted: "three for each vertex",
            });
        };
        let points: Vec<DVec3> = points.chunks_exact(3).map(DVec3::from_slice).collect();
        hulls.push(ConvexPolyhedron::from_points(&points)?);
        rest = &tail[take..];
    }
    Ok(hulls)
}

fn numbers(text: &str) -> Result<Vec<f64>, DynamicsError> {
    text.split_whitespace()
        .map(|word| {
            word.parse().map_err(|_| DynamicsError::OutOfRange {
                field: "number in the text",
                found: f64::NAN,
                accepted: "a decimal number",
            })
        })
        .collect()
}

/// How a pour went between two times.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PourReport {
    /// Steps in the window.
    pub steps: usize,
    /// Mean overlap over the overlapping contact points and the steps (m).
    pub mean_overlap: f64,
    /// Largest overlap (m).
    pub largest_overlap: f64,
    /// Contact points of all steps.
    pub contacts: usize,
    /// Greatest speed of a centre of mass (m/s).
    pub fastest: f64,
    /// Sweeps of all steps.
    pub sweeps: usize,
    /// Largest relative residual.
    pub residual: f64,
    /// Islands left above the tolerance.
    pub unconverged: usize,
}

/// Steps a world to a time and gathers the overlap at the start of each step.
pub fn pour_report(world: &mut World, until: f64) -> Result<PourReport, DynamicsError> {
    let mut report = PourReport::default();
    let (mut sum, mut overlapping) = (0.0, 0usize);
    while world.time() < until - 0.5 * world.settings().step {
        let step = world.step()?;
        report.steps += 1;
        report.contacts += step.contacts;
        report.sweeps += step.sweeps;
        report.unconverged += step.unconverged;
        report.residual = report.residual.max(step.residual);
        for c in world.contacts().iter().filter(|c| c.gap < 0.0) {
            sum -= c.gap;
            overlapping += 1;
            report.largest_overlap = report.largest_overlap.max(-c.gap);
        }
        for s in world.states() {
            report.fastest = report.fastest.max(s.velocity.linear.length());
        }
    }
    report.mean_overlap = if overlapping > 0 {
        sum / overlapping as f64
    } else {
        0.0
    };
    Ok(report)
}
