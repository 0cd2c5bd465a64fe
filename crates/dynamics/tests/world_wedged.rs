//! Bodies that do not fit: stabilisation moves nothing by more than a few times the overlap, and says who is wedged.

use glam::DVec3;
use klast_dynamics::{Body, Drive, Effort, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Plane, Pose, Solid};

const STONE: Surface = Surface {
    friction: 0.5,
    restitution: 0.0,
};

fn boxed(x: f64, y: f64, z: f64) -> Body {
    let edges = DVec3::new(x, y, z);
    let shape = Solid::Box { edges }.with_size(edges.max_element()).unwrap();
    Body::uniform(&shape, 1000.0).unwrap()
}

fn at(x: f64, z: f64) -> State {
    State::at_rest(Pose::from_translation(DVec3::new(x, 0.0, z)))
}

fn efforts() -> [Effort; 2] {
    let residual = Effort::Residual {
        tolerance: 1e-8,
        sweeps: 100,
    };
    [Effort::Sweeps(20), residual]
}

/// `count` cubes side by side between two walls that stand `tight` (m) too near, on a plane.
fn slot(effort: Effort, count: usize, tight: f64) -> World {
    let settings = WorldSettings {
        effort,
        parallel: false,
        ..WorldSettings::default()
    };
    let mut world = World::new(settings).unwrap();
    let ground = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(ground, STONE, None).unwrap();
    let width = count as f64 - tight;
    for x in [-0.5, width + 0.5] {
        world
            .add(boxed(1.0, 3.0, 3.0), at(x, 1.5), Role::Fixed, STONE)
            .unwrap();
    }
    let pitch = width / count as f64;
    for k in 0..count {
        let x = pitch * (k as f64 + 0.5);
        world
            .add(boxed(1.0, 1.0, 1.0), at(x, 0.5), Role::Free, STONE)
            .unwrap();
    }
    world
}

/// The greatest way of any body in any one step, and from the start.
fn ways(world: &mut World, steps: usize) -> (f64, f64) {
    let places = |world: &World| {
        world
            .states()
            .map(|s| s.pose.translation)
            .collect::<Vec<_>>()
    };
    let start = places(world);
    let (mut before, mut step, mut all) = (start.clone(), 0f64, 0f64);
    for _ in 0..steps {
        world.step().unwrap();
        let now = places(world);
        for k in 0..now.len() {
            step = step.max(now[k].distance(before[k]));
            all = all.max(now[k].distance(start[k]));
        }
        before = now;
    }
    (step, all)
}

#[test]
fn cubes_in_a_slot_too_narrow_stay_and_are_called_wedged() {
    for effort in efforts() {
        for (count, tight) in [(1, 1e-4), (2, 1e-4), (2, 1e-2), (5, 1e-3)] {
            let mut world = slot(effort, count, tight);
            let (step, all) = ways(&mut world, 200);
            assert!(
                step < tight && all < 3.0 * tight,
                "{effort:?} {count} {tight}: {step} {all}"
            );
            let wedged: Vec<usize> = world.wedged().collect();
            let cubes: Vec<usize> = (2..2 + count).collect();
            assert_eq!(wedged, cubes, "{effort:?} {count} {tight}");
            let added = world.ledger().exchange.stabilisation.abs();
            let weight = 9.81e3 * count as f64;
            assert!(
                added < 3.0 * tight * weight,
                "{effort:?} {count} {tight}: {added} J"
            );
        }
    }
}

/// Cubes that fit exactly, or with the overlap that is left alone, are not wedged.
#[test]
fn cubes_in_a_slot_that_fits_are_not_wedged() {
    for effort in efforts() {
        for tight in [-1e-6, 0.0, 1e-5] {
            let mut world = slot(effort, 3, tight);
            let (_, all) = ways(&mut world, 200);
            assert!(all < 5e-5, "{effort:?} {tight}: {all}");
            assert_eq!(world.wedged().count(), 0, "{effort:?} {tight}");
        }
    }
}

/// Two plates close on a cube at 1 cm/s each: it stays between them, and is called wedged once it cannot give way.
#[test]
fn a_cube_that_plates_close_on_stays_between_them() {
    for effort in efforts() {
        // Walls stand clear of the plates, whose faces are 0.1 mm from the cube.
        let mut world = slot(effort, 0, -1.02);
        for (x, v) in [(0.0049, 0.01), (1.0151, -0.01)] {
            let drive = Drive::Steady(Twist {
                linear: DVec3::X * v,
                angular: DVec3::ZERO,
            });
            world
                .add(
                    boxed(0.01, 2.0, 2.0),
                    at(x, 1.0),
                    Role::Driven(drive),
                    STONE,
                )
                .unwrap();
        }
        let cube = world
            .add(boxed(1.0, 1.0, 1.0), at(0.51, 0.5), Role::Free, STONE)
            .unwrap();
        let (step, all) = ways(&mut world, 24);
        // The plates go 25 µm a step, each 0.5 mm too far in all; stabilisation may do four times the overlap that is
        // new in a step.
        assert!(step < 4e-4 && all < 2e-3, "{effort:?}: {step} {all}");
        assert!(world.wedged().any(|k| k == cube), "{effort:?}");
    }
}
