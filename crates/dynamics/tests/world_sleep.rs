//! Sleep: off by default; accounted for, woken by touch and by moving ground, and no business of those who are awake.

use glam::DVec3;
use klast_dynamics::{
    Body, Drive, DynamicsError, GroundMotion, Role, Sleep, State, Surface, Twist, World,
    WorldSettings,
};
use klast_geometry::{Plane, Pose, Solid};
use klast_ground_motion::Component;
use klast_ground_motion::Law;
use klast_scenarios::{column, cubes, pour_into};

const ROUGH: Surface = Surface {
    friction: 0.5,
    restitution: 0.0,
};

fn settings(sleep: bool) -> WorldSettings {
    WorldSettings {
        sleep: sleep.then_some(Sleep {
            speed: 1e-3,
            after: 0.2,
        }),
        parallel: false,
        ..Default::default()
    }
}

fn cube() -> Body {
    Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap()
}

fn floor(sleep: bool) -> World {
    let mut world = World::new(settings(sleep)).unwrap();
    world
        .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), ROUGH, None)
        .unwrap();
    world
}

fn put(world: &mut World, at: DVec3) -> usize {
    let state = State::at_rest(Pose::from_translation(at));
    world.add(cube(), state, Role::Free, ROUGH).unwrap()
}

fn run(world: &mut World, seconds: f64) {
    let until = world.time() + seconds;
    while world.time() < until {
        let before = world.kinetic_energy() + world.potential_energy();
        let r = world.step().unwrap();
        // Rounding of sums over at most 60 blocks of some 100 kJ each.
        assert!(r.unexplained.abs() < 1e-13 * before.abs().max(1e5), "{r:?}");
    }
}

#[test]
fn nobody_sleeps_unasked() {
    let mut world = floor(false);
    put(&mut world, DVec3::Z * 0.5);
    run(&mut world, 1.0);
    assert!(!world.is_asleep(0));
}

/// A stack sleeps with nothing lost but its last kinetic energy, keeps the forces that hold it, and wakes as a whole
/// when a block falls on it.
#[test]
fn a_stack_sleeps_and_wakes_when_it_is_struck() {
    let mut world = floor(true);
    for k in 0..3 {
        put(&mut world, DVec3::Z * (0.5 + f64::from(k)));
    }
    run(&mut world, 1.0);
    assert!((0..3).all(|i| world.is_asleep(i)));
    assert_eq!(world.kinetic_energy(), 0.0);
    let lifted: f64 = world
        .contacts()
        .iter()
        .filter(|c| c.plane().is_some())
        .map(|c| c.impulse.z)
        .sum();
    // 20 sweeps on a stack at rest, warm started for 400 steps, leave less than a thousandth of the weight.
    assert!(
        (lifted / (3.0 * 2700.0 * 9.81 * 2.5e-3) - 1.0).abs() < 1e-3,
        "{lifted}"
    );
    let still: Vec<State> = world.states().copied().collect();
    run(&mut world, 1.0);
    assert!(world.states().eq(still.iter()), "sleepers do not move");
    put(&mut world, DVec3::new(0.4, 0.0, 5.0));
    assert!(world.is_asleep(2));
    run(&mut world, 0.7);
    assert!((0..4).all(|i| !world.is_asleep(i)));
    let top = world.state(2).unwrap();
    assert!(top.pose.translation != still[2].pose.translation);
}

/// Ground that starts to move after a second carries along what slept on it.
#[test]
fn moving_ground_wakes() {
    let mut world = World::new(settings(true)).unwrap();
    let law = Law::Sine {
        amplitude: 2.0,
        omega: 10.0,
        phase: 0.0,
    };
    // Three waves from 1 s on: the base ends at rest somewhere else.
    let wave = Component::chain(1.0, 0.0, 0.0, &[(0.6 * std::f64::consts::PI, law)]).unwrap();
    let motion = GroundMotion::horizontal(wave);
    let drive = Drive::Ground(Box::new(motion), DVec3::X);
    let slab = Solid::Box {
        edges: DVec3::new(9.0, 4.0, 1.0),
    };
    let slab = Body::uniform(&slab.with_size(9.0).unwrap(), 1000.0).unwrap();
    let state = State::at_rest(Pose::from_translation(DVec3::Z * -0.5));
    let base = world.add(slab, state, Role::Driven(drive), ROUGH).unwrap();
    let block = put(&mut world, DVec3::Z * 0.5);
    run(&mut world, 0.9);
    assert!(world.is_asleep(block), "the ground has not moved");
    run(&mut world, 0.5);
    assert!(!world.is_asleep(block), "the ground moves");
    run(&mut world, 4.0);
    assert!(world.is_asleep(block), "the ground stands");
    let x = |k: usize| world.state(k).unwrap().pose.translation.x;
    assert!(x(base).abs() > 0.1);
    // μ g is above the acceleration: the block has been carried, up to the contact's residual.
    assert!(
        (x(block) - x(base)).abs() < 1e-3,
        "{} {}",
        x(block),
        x(base)
    );
}

/// A body that touches no sleeper has the same bits whether others sleep or not.
#[test]
fn those_awake_have_the_same_bits() {
    let scene = |sleep: bool| {
        let mut world = floor(sleep);
        for k in 0..4 {
            put(&mut world, DVec3::new(10.0, 0.0, 0.5 + f64::from(k)));
        }
        let roller = put(&mut world, DVec3::new(-10.0, 0.0, 3.0));
        let spin = Twist {
            linear: DVec3::new(-1.0, 0.3, 0.0),
            angular: DVec3::new(1.0, 2.0, -3.0),
        };
        world.set_velocity(roller, spin).unwrap();
        let mut path = Vec::new();
        for _ in 0..500 {
            world.step().unwrap();
            path.push(*world.state(roller).unwrap());
        }
        (path, (0..4).all(|i| world.is_asleep(i)))
    };
    let ((awake, none), (beside, sleeping)) = (scene(false), scene(true));
    assert!(!none && sleeping);
    assert!(awake == beside);
}

/// A poured heap falls asleep, and goes on with the same bits from a snapshot taken while part of it slept.
#[test]
fn a_heap_sleeps_and_a_snapshot_keeps_its_sleep() {
    let scene = || pour_into(3.6, &cubes().unwrap(), &column(60, 4), settings(true)).unwrap();
    let mut world = scene();
    run(&mut world, 3.0);
    let snapshot = world.snapshot();
    run(&mut world, 7.0);
    assert!((0..60).all(|i| world.is_asleep(i)));
    let mut again = scene();
    again.restore(&snapshot).unwrap();
    run(&mut again, 7.0);
    assert!(again.states().eq(world.states()));
    assert!(world.ledger().exchange.sleep_loss > 0.0);
}

/// What is put beside sleepers, and settings without sleep, wake them.
#[test]
fn a_changed_scene_wakes() {
    let asleep = || {
        let mut world = floor(true);
        put(&mut world, DVec3::Z * 0.5);
        run(&mut world, 1.0);
        assert!(world.is_asleep(0));
        world
    };
    // A fixed block over a corner, 1 cm into the sleeper, pushes it out.
    let mut world = asleep();
    let state = State::at_rest(Pose::from_translation(DVec3::new(0.99, 0.0, 0.5)));
    world.add(cube(), state, Role::Fixed, ROUGH).unwrap();
    run(&mut world, 1.0);
    let x = world.state(0).unwrap().pose.translation.x;
    // A part of 0.3 of the overlap a step, down to the slop of 2e-5 m.
    assert!((x + 0.01).abs() < 1e-4, "{x}");

    let mut world = asleep();
    let wall = Plane::new(DVec3::X, -0.49).unwrap();
    world.add_plane(wall, ROUGH, None).unwrap();
    run(&mut world, 1.0);
    let x = world.state(0).unwrap().pose.translation.x;
    assert!((x - 0.01).abs() < 1e-4, "{x}");

    let snapshot = asleep().snapshot();
    let mut restless = floor(false);
    put(&mut restless, DVec3::Z * 0.5);
    restless.restore(&snapshot).unwrap();
    assert!(!restless.is_asleep(0));
}

#[test]
fn bad_bounds_are_refused() {
    for (speed, after) in [(-1.0, 0.1), (f64::NAN, 0.1), (0.1, -1.0)] {
        let sleep = Some(Sleep { speed, after });
        let settings = WorldSettings {
            sleep,
            ..Default::default()
        };
        let error = World::new(settings).unwrap_err();
        let own = ["sleep speed", "sleep after"];
        let named = matches!(&error, DynamicsError::OutOfRange(out) if own.contains(&&*out.field));
        assert!(named, "{error}");
    }
}
