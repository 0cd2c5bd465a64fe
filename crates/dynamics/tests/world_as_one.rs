//! Bodies that press on each other and turn as one.

use glam::DVec3;
use klast_dynamics::{Body, Effort, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Pose, Solid};

/// Two cubes of 1 m on each other overturn about an edge. Points go along tangents, so what is d = 1 m apart opens by ½
/// h² ω² d in each step. Two of the four corners of the joint, which bear, are closed in the same step, up to the next
/// order of h ω, 1e-3 here; with the law alone they stay open by that much.
#[test]
fn what_bears_between_bodies_that_turn_as_one_is_closed() {
    let (step, lean) = (1e-3, 0.6f64);
    let surface = Surface {
        friction: 5.0,
        restitution: 0.0,
    };
    let settings = WorldSettings {
        step,
        gravity: 9.81 * DVec3::new(lean.sin(), 0.0, -lean.cos()),
        effort: Effort::Auto { tolerance: 1e-6 },
        ..WorldSettings::default()
    };
    let mut world = World::new(settings).unwrap();
    let bodies = [(8.0, -4.0), (1.0, 0.5), (1.0, 1.5)];
    for (size, z) in bodies {
        let body = Body::uniform(&Solid::Cube.with_size(size).unwrap(), 2700.0).unwrap();
        let start = State::new(Pose::from_translation(DVec3::Z * z), Twist::ZERO).unwrap();
        let role = if z < 0.0 { Role::Fixed } else { Role::Free };
        world.add(body, start, role, surface).unwrap();
    }
    let mut seen = 0;
    for _ in 0..800 {
        world.step().unwrap();
        let speed = world.state(1).unwrap().velocity.angular.length();
        if speed < 0.3 {
            continue;
        }
        let joint = world.contacts().iter();
        let joint = joint.filter(|c| (c.first, c.second) == (1, 2));
        let mut gaps: Vec<f64> = joint.map(|c| c.gap).collect();
        gaps.sort_by(f64::total_cmp);
        let opening = 0.5 * (step * speed).powi(2);
        assert!(gaps[1] < 0.05 * opening, "{gaps:?} {opening}");
        seen += 1;
    }
    assert!(seen > 400, "{seen}");
}
