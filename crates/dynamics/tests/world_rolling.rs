//! Spheres among many bodies: they roll as closed forms say, with and without rolling resistance.

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, DynamicsError, Role, State, StepReport, Surface, Twist, World, WorldSettings,
};
use klast_geometry::{Plane, Pose, Solid};

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.5;
const ROUGH: Surface = Surface {
    friction: 0.6,
    restitution: 0.0,
};

/// A sphere that rolls along a direction in the plane at a speed (m/s), on a plane that falls in +x by this tangent.
fn rolling(tan: f64, towards: DVec3, speed: f64, length: f64) -> World {
    let angle = tan.atan();
    let settings = WorldSettings {
        gravity: GRAVITY * (DVec3::X * angle.sin() - DVec3::Z * angle.cos()),
        step: 1e-3,
        ..WorldSettings::default()
    };
    let mut world = World::new(settings).unwrap();
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(plane, ROUGH, None).unwrap();
    add_sphere(&mut world, DVec3::Z * RADIUS, towards * speed, length);
    world
}

fn add_sphere(world: &mut World, at: DVec3, velocity: DVec3, length: f64) -> usize {
    let state = State {
        pose: Pose::from_translation(at),
        velocity: Twist {
            linear: velocity,
            angular: DVec3::Z.cross(velocity) / RADIUS,
        },
    };
    let body = Body::sphere(RADIUS, 2700.0).unwrap();
    let sphere = world.add(body, state, Role::Free, ROUGH).unwrap();
    world.set_rolling_resistance(sphere, length).unwrap();
    sphere
}

/// A step that is solved, and in which no energy is made.
fn step(world: &mut World) -> StepReport {
    let report = world.step().unwrap();
    assert_eq!(
        (
            report.solver.unconverged as u64 + report.events.unsettled_rolling,
            report.exchange.driving_contacts
        ),
        (0, 0),
        "{report:?}"
    );
    let energy = report.energy.kinetic + report.energy.potential.abs();
    assert!(report.gain <= 1e-12 * energy.max(1.0), "{report:?}");
    report
}

fn velocity(world: &World, body: usize) -> DVec3 {
    world.state(body).unwrap().velocity.linear
}

/// Without resistance a sphere rolls down with 5/7 g sin θ, and on level ground for ever.
#[test]
fn a_sphere_without_resistance_rolls_as_a_sphere() {
    for tan in [0.0, 0.1, 0.5] {
        let mut world = rolling(tan, DVec3::X, 1.0, 0.0);
        for _ in 0..500 {
            step(&mut world);
        }
        let expected = 1.0 + 0.5 * 5.0 / 7.0 * GRAVITY * libm::sin(libm::atan(tan));
        let found = velocity(&world, 0);
        assert!(
            (found.x - expected).abs() < 1e-6 * expected,
            "{tan}: {found}"
        );
        assert!(found.z.abs() < 1e-6, "{tan}: {found}");
    }
}

/// With the moment M = c N about the contact, m a = m g sin θ − F and I a/R = F R − c N: the acceleration is
/// (g sin θ − c/R g cos θ)/(1 + 2/5), in every direction on level ground.
#[test]
fn resistance_brakes_as_its_moment_says() {
    for (tan, towards, length) in [
        (0.0, DVec3::X, 0.01),
        (0.0, DVec3::new(0.6, 0.8, 0.0), 0.02),
        (0.0, DVec3::new(-0.28, 0.96, 0.0), 0.1),
        (0.3, DVec3::X, 0.05),
        (0.05, DVec3::X, 0.05),
    ] {
        let mut world = rolling(tan, towards, 2.0, length);
        let steps = 400;
        for _ in 0..steps {
            step(&mut world);
        }
        let angle = libm::atan(tan);
        let along = libm::sin(angle) - length / RADIUS * libm::cos(angle);
        let speed = 2.0 + GRAVITY * along / 1.4 * 1e-3 * f64::from(steps);
        let found = velocity(&world, 0);
        let expected = towards * speed;
        assert!(
            found.distance(expected) < 1e-5 * speed,
            "{tan} {towards} {length}: {found}, {expected}"
        );
        // What rolls goes neither up nor down.
        let height = world.state(0).unwrap().pose.translation.z;
        assert!((height - RADIUS).abs() < 1e-6, "{height}");
    }
}

/// The same on springs, which the weight of 13.9 kN presses in by 14 µm: 3e-5 of the radius.
#[test]
fn resistance_brakes_on_springs_too() {
    let mut world = rolling(0.0, DVec3::X, 2.0, 0.05);
    let settings = WorldSettings {
        stiffness: Some(1e9),
        ..*world.settings()
    };
    world.set_settings(settings).unwrap();
    for _ in 0..400 {
        step(&mut world);
    }
    let speed = 2.0 - GRAVITY * 0.05 / RADIUS / 1.4 * 0.4;
    let found = velocity(&world, 0);
    assert!(
        found.distance(DVec3::X * speed) < 1e-3 * speed,
        "{found} {speed}"
    );
}

/// It comes to rest after v²/(2 a) with a = c g/(R (1 + 2/5)), and stays there.
#[test]
fn it_comes_to_rest_and_stays() {
    for towards in [DVec3::X, DVec3::new(0.6, 0.8, 0.0)] {
        let mut world = rolling(0.0, towards, 0.5, 0.1);
        let a = 0.1 * GRAVITY / (RADIUS * 1.4);
        let time = 0.5 / a;
        while world.time() < time + 0.1 {
            step(&mut world);
        }
        let at = world.state(0).unwrap().pose.translation;
        let way = 0.125 / a;
        // Backward differences: half a step of the first speed.
        assert!(
            (at.dot(towards) - way).abs() < 2.0 * 0.5e-3 * 0.5,
            "{at}, {way}"
        );
        for _ in 0..200 {
            step(&mut world);
        }
        let after = world.state(0).unwrap().pose.translation;
        assert!(after.distance(at) < 1e-8, "{at} {after}");
    }
}

/// On an incline it stays where tan θ < c/R, and rolls where it is more.
#[test]
fn it_stays_on_an_incline_up_to_c_over_r() {
    let length = 0.05;
    for (factor, stays) in [(0.98, true), (1.02, false)] {
        let tan = factor * length / RADIUS;
        let mut world = rolling(tan, DVec3::X, 0.0, length);
        for _ in 0..1000 {
            step(&mut world);
        }
        let angle = libm::atan(tan);
        let a = GRAVITY * (libm::sin(angle) - length / RADIUS * libm::cos(angle)) / 1.4;
        let x = world.state(0).unwrap().pose.translation.x;
        match stays {
            true => assert!(x.abs() < 1e-8, "{x}"),
            false => assert!((x - 0.5 * a).abs() < 2e-3 * x, "{x}, {}", 0.5 * a),
        }
    }
}

/// The work of the moment, c N times the angle of rolling, is what the sphere loses on level ground.
#[test]
fn the_audit_has_the_work_of_the_moment() {
    let mut world = rolling(0.0, DVec3::X, 2.0, 0.02);
    let before = world.kinetic_energy();
    for _ in 0..500 {
        step(&mut world);
    }
    let (ledger, state) = (world.ledger(), world.state(0).unwrap());
    let angle = state.pose.translation.x / RADIUS;
    let mass = world.body(0).unwrap().mass();
    let work = 0.02 * mass * GRAVITY * angle;
    assert!(
        (ledger.exchange.contact_loss - work).abs() < 1e-4 * work,
        "{ledger:?} {work}"
    );
    let lost = before - world.kinetic_energy();
    assert!((lost - work).abs() < 1e-3 * work, "{lost} {work}");
    assert_eq!(ledger.gains, 0);
}

/// A flush joint of two boxes is a plane for a sphere too.
#[test]
fn a_flush_joint_does_not_trip_a_sphere() {
    for length in [0.0, 0.02] {
        let mut world = rolling(0.0, DVec3::X, 3.0, length);
        let mut joined = World::new(*world.settings()).unwrap();
        let edges = DVec3::new(2.0, 2.0, 1.0);
        let shape = Solid::Box { edges }.with_size(2.0).unwrap();
        let body = Body::uniform(&shape, 2400.0).unwrap();
        for x in [0.0, 2.0] {
            let pose = Pose::from_translation(DVec3::new(x, 0.0, -0.5));
            joined
                .add(body.clone(), State::at_rest(pose), Role::Fixed, ROUGH)
                .unwrap();
        }
        add_sphere(&mut joined, DVec3::Z * RADIUS, DVec3::X * 3.0, length);
        for _ in 0..600 {
            step(&mut world);
            step(&mut joined);
        }
        let (plane, joint) = (velocity(&world, 0), velocity(&joined, 2));
        // The tolerance is 1e-6 of the largest velocity that a contact may close with, here 2 m/s for the edge of the
        // second box, which is within the margin of 2 mm for 30 steps.
        assert!(plane.distance(joint) < 6e-5, "{plane} {joint}");
    }
}

/// A ball that falls on a plane bounces as its restitution says, with resistance as without; then it rests.
#[test]
fn a_ball_bounces_and_comes_to_rest() {
    for length in [0.0, 0.02] {
        let mut world = World::new(WorldSettings::default()).unwrap();
        let elastic = Surface {
            friction: 0.5,
            restitution: 0.5,
        };
        let plane = Plane::new(DVec3::Z, 0.0).unwrap();
        world.add_plane(plane, elastic, None).unwrap();
        let state = State::at_rest(Pose::from_translation(DVec3::Z * (RADIUS + 1.0)));
        let body = Body::sphere(RADIUS, 2700.0).unwrap();
        world.add(body, state, Role::Free, elastic).unwrap();
        world.set_rolling_resistance(0, length).unwrap();
        let mut highest = 0.0f64;
        let mut bounced = false;
        while world.time() < 4.0 {
            let report = step(&mut world);
            bounced |= report.events.impacts > 0;
            if bounced {
                highest = highest.max(world.state(0).unwrap().pose.translation.z - RADIUS);
            }
        }
        // e² of the height, to the way of one step at the speed of the impact.
        let way = libm::sqrt(2.0 * GRAVITY) * 2.5e-3;
        assert!((highest - 0.25).abs() < way, "{highest}");
        let end = world.state(0).unwrap();
        assert!(end.velocity.linear.length() < 1e-6, "{end:?}");
        assert!((end.pose.translation.z - RADIUS).abs() < 1e-4, "{end:?}");
    }
}

/// A sphere that lies on a fixed one, off its top by an angle φ: it stays where tan φ < c/R, as on an incline.
#[test]
fn it_stays_on_a_sphere_up_to_c_over_r() {
    let length = 0.05;
    for (factor, stays) in [(0.98, true), (1.02, false)] {
        let angle = libm::atan(factor * length / RADIUS);
        let mut world = World::new(WorldSettings::default()).unwrap();
        let body = Body::sphere(RADIUS, 2700.0).unwrap();
        let state = State::at_rest(Pose::IDENTITY);
        world.add(body, state, Role::Fixed, ROUGH).unwrap();
        let at = 2.0 * RADIUS * DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
        add_sphere(&mut world, at, DVec3::ZERO, length);
        for _ in 0..400 {
            step(&mut world);
        }
        let moved = world.state(1).unwrap().pose.translation.distance(at);
        // Beyond, it leaves at least as fast as on an incline of that angle.
        let a = GRAVITY * (libm::sin(angle) - length / RADIUS * libm::cos(angle)) / 1.4;
        match stays {
            true => assert!(moved < 1e-8, "{moved}"),
            false => assert!(moved > 0.5 * a, "{moved}"),
        }
    }
}

/// A ring of points has no favoured side.
#[test]
fn opposite_directions_are_mirror_images() {
    let run = |towards: DVec3| {
        let mut world = rolling(0.0, towards, 1.0, 0.03);
        for _ in 0..300 {
            step(&mut world);
        }
        world.state(0).unwrap().pose.translation
    };
    let (there, back) = (run(DVec3::X), run(-DVec3::X));
    let turned = DQuat::from_rotation_z(std::f64::consts::PI) * back;
    assert!(there.distance(turned) < 1e-9, "{there} {back}");
}

/// Of three equal spheres in a row, struck at 1 m/s with restitution 1, the last alone flies off: each impact is
/// central, so that rolling resistance has no part in it.
#[test]
fn impacts_pass_through_a_row_of_spheres_with_resistance() {
    let elastic = Surface {
        friction: 0.5,
        restitution: 1.0,
    };
    for length in [0.0, 0.01] {
        let mut world = World::new(WorldSettings {
            gravity: DVec3::ZERO,
            ..WorldSettings::default()
        })
        .unwrap();
        for k in 0..3 {
            let at = DVec3::X * (2.0 * RADIUS * f64::from(k));
            let mut state = State::at_rest(Pose::from_translation(at));
            state.velocity.linear = DVec3::X * f64::from(u8::from(k == 0));
            let body = Body::sphere(RADIUS, 2700.0).unwrap();
            let sphere = world.add(body, state, Role::Free, elastic).unwrap();
            world.set_rolling_resistance(sphere, length).unwrap();
        }
        for _ in 0..10 {
            step(&mut world);
        }
        for (body, expected) in [(0, 0.0), (1, 0.0), (2, 1.0)] {
            let found = velocity(&world, body);
            let apart = found.distance(DVec3::X * expected);
            assert!(apart < 1e-9, "{length}: body {body} has {found}");
        }
    }
}

/// From the first step on the moment is that of the law, also where c is near R and the added
/// speed converges slowly; what brakes is less than friction can. A braked sphere loses h g (c/R)/(1 + 2/5) in each
/// step.
#[test]
fn a_large_resistance_is_followed_to_its_law() {
    for length in [0.5 * RADIUS, 0.8 * RADIUS] {
        let mut world = rolling(0.0, DVec3::X, 2.0, length);
        let loss = 1e-3 * GRAVITY * (length / RADIUS) / 1.4;
        for k in 1..=20 {
            step(&mut world);
            let expected = 2.0 - loss * f64::from(k);
            let found = velocity(&world, 0);
            // The added speed may be off by 1e-6 of itself, c ω = 1 to 2 m/s, in a step.
            let apart = found.distance(DVec3::X * expected);
            assert!(
                apart < 4e-6 * f64::from(k),
                "{length} {k}: {found} {expected}"
            );
        }
    }
}

/// The normal force cannot act beside the sphere.
#[test]
fn a_resistance_longer_than_the_radius_is_refused() {
    let mut world = rolling(0.0, DVec3::X, 2.0, RADIUS);
    let error = world.set_rolling_resistance(0, 1.01 * RADIUS).unwrap_err();
    let named = matches!(&error, DynamicsError::OutOfRange(out) if out.field == "length of rolling resistance");
    assert!(named, "{error}");
}
