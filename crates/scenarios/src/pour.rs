//! Blocks poured into a box.

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, DynamicsError, Role, State, Surface, World, WorldSettings, random_hulls,
};
use klast_geometry::{ConvexPolyhedron, Pose, Solid};
use klast_numerics::OutOfRange;

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
    pour_into(HALF_WIDTH, shapes, poses, settings)
}

/// The same into a box with walls at another distance from the middle (m).
pub fn pour_into(
    half_width: f64,
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
    let corner = DVec3::new(half_width, half_width, 0.0);
    world.add_container(-corner, corner, surface)?;
    Ok(world)
}

/// The cube of 1 m.
pub fn cubes() -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    Ok(vec![Solid::Cube.with_volume(1.0)?])
}

/// Twenty hulls of unit volume on points scattered about a sphere, the same ones at each call.
pub fn ballast() -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    random_hulls(20, 14, 1.0, 20)
}

/// Start poses: turned bodies on a lattice of 10 by 10, layer above layer.
pub fn lattice(count: usize) -> Vec<Pose> {
    column(count, 10)
}

/// The same on a lattice of `across` by `across`.
pub fn column(count: usize, across: usize) -> Vec<Pose> {
    let (across, middle) = (across.max(1), 0.5 * (across.max(1) as f64 - 1.0));
    (0..count)
        .map(|i| {
            let (x, y, z) = (i % across, i / across % across, i / (across * across));
            let at = DVec3::new(x as f64 - middle, y as f64 - middle, 0.6 + z as f64) * 1.75;
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
            return Err(OutOfRange::new(
                "coordinates of a hull",
                tail.len() as f64,
                "three for each vertex",
            )
            .into());
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
            word.parse().map_err(|_| {
                OutOfRange::new("number in the text", f64::NAN, "a decimal number").into()
            })
        })
        .collect()
}
