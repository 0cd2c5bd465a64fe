//! The world that bodies stand in: a driven plane, the bodies on one another, and the energy of all.

use super::{SpatialBody, SpatialMotion, SpatialOptions};
use crate::error::RockingError;
use crate::rigid_world::{Stepping, settings};
use glam::DVec3;
use klast_dynamics::{Drive, Role, State, Surface, Twist, World};
use klast_geometry::{Plane, Pose};

/// The bodies at the start, from the base upwards, on a base with `motion` under `gravity` (m/s²).
pub(super) fn world(
    bodies: &[SpatialBody],
    motion: &SpatialMotion,
    gravity: f64,
    options: &SpatialOptions,
) -> Result<World, RockingError> {
    let size = bodies
        .iter()
        .fold(f64::INFINITY, |least, b| least.min(b.centre_height()));
    let mut world = World::new(settings(Stepping {
        gravity,
        step: options.step,
        theta: 1.0,
        arcs: true,
        effort: (options.tolerance, 500),
        size,
    }))?;
    let drive = Drive::Components(Box::new(motion.components.clone()));
    world.add_plane(Plane::new(DVec3::Z, 0.0)?, surface(options), Some(drive))?;
    for (body, state) in bodies.iter().zip(starts(bodies, options)?) {
        world.add(body.body().clone(), state, Role::Free, surface(options))?;
    }
    Ok(world)
}

fn surface(options: &SpatialOptions) -> Surface {
    Surface {
        friction: options.friction,
        restitution: 0.0,
    }
}

/// The states at the start: all bodies turned as one, the lowest point on the base and at rest, the mass centre of the
/// lowest body above the origin.
fn starts(bodies: &[SpatialBody], options: &SpatialOptions) -> Result<Vec<State>, RockingError> {
    let first = bodies.first().map_or(0.0, SpatialBody::centre_height);
    let mut under = 0.0;
    let mut placed = Vec::with_capacity(bodies.len());
    let mut lowest = DVec3::splat(f64::INFINITY);
    for body in bodies {
        let rotation = options.attitude * body.body().frame().rotation;
        let up = under + body.centre_height() - first;
        let centre = options.attitude * DVec3::new(0.0, 0.0, up);
        for vertex in body.deepest(rotation) {
            let point = centre + rotation * vertex;
            if point.z < lowest.z {
                lowest = point;
            }
        }
        under += body.height();
        placed.push((rotation, centre));
    }
    let spin = options.angular_velocity;
    let state = |(rotation, centre): (_, DVec3)| {
        let pose = Pose::new(rotation, centre - DVec3::new(0.0, 0.0, lowest.z))?;
        Ok(State::new(
            pose,
            Twist::new(spin.cross(centre - lowest), spin)?,
        )?)
    };
    placed.into_iter().map(state).collect()
}

/// Kinetic and potential energy (J).
pub(super) fn energy(world: &World) -> f64 {
    world.kinetic_energy() + world.potential_energy()
}
