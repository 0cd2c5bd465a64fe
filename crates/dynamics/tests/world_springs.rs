//! Contacts with a stiffness.

use glam::DVec3;
use klast_dynamics::{
    Body, Drive, DynamicsError, Effort, Role, State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::{Plane, Pose, Solid};
use klast_numerics::Found;
use klast_scenarios::{ballast, column, cubes, lattice, pour, pour_into};

fn springs(stiffness: f64, tolerance: f64) -> WorldSettings {
    WorldSettings {
        effort: Effort::Residual {
            tolerance,
            sweeps: 400,
        },
        stiffness: Some(stiffness),
        ..Default::default()
    }
}

/// A cube of 1 m and 2700 kg with its base on the floor, gravity at an angle to the vertical.
fn block(tilt: f64, settings: WorldSettings) -> World {
    above(0.0, 0.0, tilt, settings)
}

/// The same with its base at a height.
fn above(height: f64, restitution: f64, tilt: f64, settings: WorldSettings) -> World {
    let surface = Surface {
        friction: 0.5,
        restitution,
    };
    let mut world = World::new(WorldSettings {
        gravity: DVec3::new(tilt.sin(), 0.0, -tilt.cos()) * 9.81,
        ..settings
    })
    .unwrap();
    world
        .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), surface, None)
        .unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let pose = body.pose_of(&Pose::from_translation(DVec3::Z * (0.5 + height)));
    world
        .add(body, State::at_rest(pose), Role::Free, surface)
        .unwrap();
    world
}

/// A mass let go on four springs by the backward Euler rule, `m (v − v₀) = h (F − m g)`, `F = F₀ − 4 k h v`, to the
/// last digit; and its end, `m g / 4 k` lower.
#[test]
fn a_block_let_go_on_its_corners_is_an_oscillator() {
    let (m, g, h) = (2700.0, 9.81, 2.5e-3);
    for k in [1e7, 1e9] {
        let settings = WorldSettings {
            // Overlap stays where it is.
            recovery: 0.0,
            ..springs(k, 1e-12)
        };
        let mut world = block(0.0, settings);
        let (mut v, mut force, mut z) = (0.0, 0.0_f64, 0.5);
        for step in 0..800 {
            let free = v - h * g;
            let whole = (free + h * force / m) / (1.0 + 4.0 * k * h * h / m);
            // A corner that would pull lets go.
            if force - 4.0 * k * h * whole > 0.0 {
                (v, force) = (whole, force - 4.0 * k * h * whole);
            } else {
                (v, force) = (free, 0.0);
            }
            z += h * v;
            world.step().unwrap();
            let state = world.states().next().unwrap();
            // The tolerance leaves 1e-12 of g h in each velocity and 1/c of it in an impulse.
            assert!((state.velocity.linear.z - v).abs() < 1e-11, "{k} {step}");
            assert!((state.pose.translation.z - z).abs() < 1e-12, "{k} {step}");
        }
        if k == 1e9 {
            assert!((0.5 - z - m * g / (4.0 * k)).abs() < 1e-12, "{z}");
            let energy = (m * g) * (m * g) / (8.0 * k);
            assert!((world.elastic_energy() / energy - 1.0).abs() < 1e-8);
        }
    }
}

/// What springs are shortened by is no overlap to take out: springs that keep their force while it goes throw the
/// block, and it never rests (0.1 m/s for ever at 1e7 N/m).
#[test]
fn a_block_rests_as_deep_as_its_springs_let_it() {
    let (m, g) = (2700.0, 9.81);
    for k in [1e7, 1e8, 1e10] {
        let mut world = block(0.0, springs(k, 1e-10));
        for _ in 0..2000 {
            let r = world.step().unwrap();
            assert_eq!(r.exchange.stabilisation, 0.0, "{k} {r:?}");
        }
        let state = world.states().next().unwrap();
        // The tolerance leaves 1e-10 of g h in the velocity.
        assert!(state.velocity.linear.length() < 1e-10, "{k}");
        let depth = 0.5 - state.pose.translation.z;
        assert!((depth / (m * g / (4.0 * k)) - 1.0).abs() < 1e-5, "{depth}");
    }
    // Overlap that no spring holds is taken out, down to the slop (2e-5 m); a step takes 0.3 of it.
    let mut world = above(-1e-3, 0.0, 0.0, springs(1e9, 1e-10));
    for _ in 0..400 {
        world.step().unwrap();
    }
    let depth = 0.5 - world.states().next().unwrap().pose.translation.z;
    assert!((depth - m * g / 4e9 - 2e-5).abs() < 1e-8, "{depth}");
}

/// A spring that is being pressed has its own way back: it bounces once. A bounce in each of the steps that press it
/// would store (1 + e) times the work.
#[test]
fn a_bounce_on_springs_makes_no_energy() {
    for k in [1e6, 1e7, 1e8, 1e10] {
        for restitution in [0.0, 0.5, 0.8] {
            let mut world = above(0.2, restitution, 0.0, springs(k, 1e-10));
            let start = world.potential_energy();
            for _ in 0..800 {
                let r = world.step().unwrap();
                // The rounding of the sums.
                assert!(r.gain < 1e-13 * start, "{k} {restitution} {r:?}");
            }
        }
    }
}

/// A force is an impulse over the step: with another step the impulses change, not the forces.
#[test]
fn springs_keep_their_forces_when_the_step_changes() {
    let mut world = block(0.2, springs(1e9, 1e-10));
    for _ in 0..800 {
        world.step().unwrap();
    }
    let energy = world.elastic_energy();
    let place = |world: &World| world.states().next().unwrap().pose.translation;
    let there = place(&world);
    for step in [1e-3, 5e-3] {
        let settings = WorldSettings {
            step,
            ..*world.settings()
        };
        world.set_settings(settings).unwrap();
        assert!((world.elastic_energy() / energy - 1.0).abs() < 1e-8);
        for _ in 0..100 {
            world.step().unwrap();
        }
        // The tolerance leaves 1e-10 of g h for half a second, 2.5e-12; other forces moved it by 3e-6.
        assert!((place(&world) - there).length() < 1e-11, "{step}");
    }
}

/// Friction holds a block on a turning table: its direction turns with the table, and so do the forces in the springs.
/// Forces that stood still in space let it creep by ω F/k, here 34 µm/s, and turn.
#[test]
fn a_block_on_a_turning_table_does_not_creep() {
    let spin = DVec3::Z * 1.5;
    let surface = Surface {
        friction: 0.8,
        restitution: 0.0,
    };
    let along = |stiffness| {
        let settings = WorldSettings {
            stiffness,
            ..springs(1e8, 1e-10)
        };
        let mut world = World::new(settings).unwrap();
        let mut add = |solid: Solid, size: f64, at: DVec3, role: Role| {
            let body = Body::uniform(&solid.with_size(size).unwrap(), 2700.0).unwrap();
            let velocity = Twist::new(spin.cross(at), spin).unwrap();
            let pose = body.pose_of(&Pose::from_translation(at));
            let state = State::new(pose, velocity).unwrap();
            world.add(body, state, role, surface).unwrap();
        };
        let table = Solid::Box {
            edges: DVec3::new(6.0, 6.0, 1.0),
        };
        let turning = Twist::new(DVec3::ZERO, spin).unwrap();
        let driven = Role::Driven(Drive::Steady(turning));
        add(table, 6.0, DVec3::Z * -0.5, driven);
        add(Solid::Cube, 1.0, DVec3::new(1.5, 0.0, 0.5), Role::Free);
        // Where it is on the table, and how it is turned there.
        let place = |world: &World| {
            let [table, block] = [0, 1].map(|i| world.state(i).unwrap().pose);
            let back = table.rotation.inverse();
            let turn = (back * block.rotation).to_scaled_axis();
            (back * block.translation, turn)
        };
        let mut run = |steps| {
            for _ in 0..steps {
                world.step().unwrap();
            }
            place(&world)
        };
        let ((from, turned), (to, turns)) = (run(400), run(800));
        (to.y - from.y, turns.z - turned.z)
    };
    // The step's own drift, 11 µm/s.
    let (own, (creep, turn)) = (along(None).0, along(Some(1e8)));
    assert!((creep - own).abs() < 1e-6, "{creep} {own}");
    assert!(turn.abs() < 1e-8, "{turn}");
}

/// Below the angle of friction it moves as far as the springs give way and stands: no creep. Above it slides as a rigid
/// one.
#[test]
fn a_block_on_an_incline_gives_way_and_stands_or_slides() {
    let (m, g, k) = (2700.0, 9.81, 1e9);
    let place = |world: &World| world.states().next().unwrap().pose.translation.x;
    // At 0.2 no corner slips, at 0.99 of the angle those uphill do until the others hold.
    for tilt in [0.2, 0.99 * 0.5_f64.atan()] {
        let mut world = block(tilt, springs(k, 1e-10));
        for _ in 0..400 {
            world.step().unwrap();
        }
        let there = place(&world);
        if tilt == 0.2 {
            // The base shifts by F/4k and turns by F (1/2) / (4k (1/2)²), the centre is half a side above it.
            let force = m * g * tilt.sin();
            let way = force / (4.0 * k) + 0.5 * (0.5 * force / k);
            // The overlap that is taken out at the start turns it by a millionth.
            assert!((there / way - 1.0).abs() < 1e-5, "{there} {way}");
        }
        for _ in 0..400 {
            world.step().unwrap();
        }
        assert!((place(&world) - there).abs() < 1e-10);
    }
    let tilt = 1.1 * 0.5_f64.atan();
    let mut world = block(tilt, springs(k, 1e-10));
    for _ in 0..400 {
        world.step().unwrap();
    }
    // ½ a t² with a = g (sin − μ cos); it slips by some 0.5 mm/s more before the springs bear its weight.
    let way = 0.5 * g * (tilt.sin() - 0.5 * tilt.cos());
    assert!(
        (place(&world) / way - 1.0).abs() < 0.005,
        "{}",
        place(&world)
    );
}

/// Every term of the audit in every step of a small pour, until it rests.
#[test]
fn every_step_of_a_pour_on_springs_is_accounted_for() {
    for shapes in [cubes().unwrap(), ballast().unwrap()] {
        let mut world = pour_into(3.0, &shapes, &column(30, 3), springs(1e10, 1e-8)).unwrap();
        let start = world.potential_energy();
        let energy = |w: &World| w.kinetic_energy() + w.potential_energy() + w.elastic_energy();
        let mut stored = 0.0_f64;
        for _ in 0..2000 {
            let before = energy(&world);
            let r = world.step().unwrap();
            // The rounding of sums over 30 bodies.
            assert!(r.unexplained.abs() < 1e-13 * start, "{r:?}");
            let given = r.exchange.stabilisation + r.exchange.boundary_work - r.exchange.losses();
            assert!((energy(&world) - before - given).abs() < 1e-13 * start);
            assert!(r.gain < 1e-13 * start, "{r:?}");
            assert_eq!(
                (r.exchange.driving_contacts, r.solver.unconverged),
                (0, 0),
                "{r:?}"
            );
            assert!(r.exchange.spring_loss > -1e-13 * start, "{r:?}");
            stored = stored.max(r.energy.elastic);
        }
        assert!(stored > 1e-8 * start, "{stored}");
        assert!(
            world.kinetic_energy() < 1e-12 * start,
            "{}",
            world.kinetic_energy() / start
        );
    }
}

#[test]
fn springs_go_on_with_the_same_bits_on_any_number_of_threads() {
    let scene = |parallel| {
        let settings = WorldSettings {
            parallel,
            ..springs(1e10, 1e-6)
        };
        pour(&ballast().unwrap(), &lattice(60), settings).unwrap()
    };
    let run = |mut world: World, steps: usize| {
        for _ in 0..steps {
            world.step().unwrap();
        }
        world
    };
    let middle = run(scene(false), 300);
    let mut fresh = scene(true);
    fresh.restore(&middle.snapshot()).unwrap();
    let end = run(middle, 100).snapshot();
    assert_eq!(end, run(fresh, 100).snapshot());
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let found = pool.build().unwrap().install(|| run(scene(true), 400));
        assert_eq!(end, found.snapshot(), "{threads}");
    }
}

#[test]
fn settings_that_springs_cannot_have_are_named() {
    let refused = |settings| match World::new(settings) {
        Err(DynamicsError::OutOfRange(out)) => (out.field.into_owned(), out.found),
        other => panic!("{other:?}"),
    };
    for bad in [0.0, -1e9, f64::NAN, f64::INFINITY] {
        assert_eq!(refused(springs(bad, 1e-6)).0, "stiffness");
    }
    let (field, found) = refused(WorldSettings {
        effort: Effort::Sweeps(20),
        ..springs(1e9, 1e-6)
    });
    assert_eq!(
        (field.as_str(), found),
        ("sweeps of contacts with a stiffness", Found::Number(20.0))
    );
}
