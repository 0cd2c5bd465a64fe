//! Frusta in a world: they roll on their circles, on a plane and on the face of one another.

use glam::{DQuat, DVec3};
use klast_dynamics::{Body, Effort, Impacts, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{Frustum, Plane, Pose};

const G: f64 = 9.81;

const ROUGH: Surface = Surface {
    friction: 2.0,
    restitution: 0.0,
};

fn world(step: f64) -> World {
    let settings = WorldSettings {
        gravity: DVec3::NEG_Z * G,
        step,
        theta: 1.0,
        effort: Effort::Residual {
            tolerance: 1e-10,
            sweeps: 500,
        },
        impacts: Impacts::Together,
        bounce_above: 0.0,
        margin: 1e-3,
        slop: 1e-8,
        recovery: 0.2,
        arcs: true,
        ..WorldSettings::default()
    };
    World::new(settings).unwrap()
}

/// What a cylinder stands on.
#[derive(Debug, Clone, Copy)]
enum On {
    Plane,
    /// The top of a drum of a radius (m) that stays where it is, with its axis off by a way (m).
    Drum(f64, f64),
}

/// A cylinder of radius a and height 2h tilted by θ rolls on its rim while its centre stays where it is, with the
/// precession Ω² sin θ (I₁ cos θ − I₃ (h/a) sin θ) = m g (a cos θ − h sin θ): by how much the tilt and the angle of
/// precession are off after half a second.
fn off(step: f64, points: usize, on: On) -> [f64; 2] {
    let (a, h, tilt) = (0.25f64, 0.4f64, 0.15f64);
    let (sin, cos) = tilt.sin_cos();
    let (i1, i3) = (a * a / 4.0 + h * h / 3.0, a * a / 2.0);
    let drive = G * (a * cos - h * sin);
    let precession = (drive / (sin * (i1 * cos - i3 * h / a * sin))).sqrt();
    let axis = DVec3::new(sin, 0.0, cos);
    let own = precession * (h * sin - a * cos) / a;
    let mut world = world(step);
    let ground = match on {
        On::Plane => {
            world
                .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), ROUGH, None)
                .unwrap();
            0.0
        }
        On::Drum(radius, way) => {
            let drum = Frustum::new(radius, radius, 0.5).unwrap();
            let drum = Body::frustum(drum, points, 2500.0).unwrap();
            let at = Pose::from_translation(DVec3::new(way, 0.0, 0.25));
            world
                .add(drum, State::at_rest(at), Role::Fixed, ROUGH)
                .unwrap();
            0.5
        }
    };
    let body = Frustum::new(a, a, 2.0 * h).unwrap();
    let body = Body::frustum(body, points, 2500.0).unwrap();
    let place = DVec3::Z * (ground + h * cos + a * sin);
    let pose = Pose::new(DQuat::from_axis_angle(DVec3::Y, tilt), place).unwrap();
    let spin = precession * DVec3::Z + own * axis;
    let velocity = Twist::new(DVec3::ZERO, spin).unwrap();
    let start = State::new(pose, velocity).unwrap();
    let number = world.add(body, start, Role::Free, ROUGH).unwrap();
    let (mut turned, mut last) = (0.0, 0.0);
    while world.time() < 0.5 - 0.5 * step {
        world.step().unwrap();
        let axis = world.state(number).unwrap().pose.rotation * DVec3::Z;
        let azimuth = axis.y.atan2(axis.x);
        let by = azimuth - last;
        turned +=
            (by + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        last = azimuth;
    }
    let axis = world.state(number).unwrap().pose.rotation * DVec3::Z;
    [
        axis.x.hypot(axis.y).asin() / tilt - 1.0,
        turned / (precession * world.time()) - 1.0,
    ]
}

/// The error is of first order in the step, 1.3 % of the tilt and 0.14 % of the precession at a millisecond, whatever
/// the number of points, and the same on a plane and on the face of a drum, an equal one and one that it hangs over
/// too.
#[test]
fn a_rim_rolls_on_a_plane_and_on_a_face() {
    let near = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    let plane = [1e-3, 5e-4].map(|step| off(step, 24, On::Plane));
    for k in 0..2 {
        let [whole, half] = plane.map(|off| off[k]);
        assert!((half / whole - 0.5).abs() < 0.01, "{plane:?}");
    }
    assert!(
        plane[0][0].abs() < 0.015 && plane[0][1].abs() < 0.002,
        "{plane:?}"
    );
    for points in [8, 24, 240] {
        for on in [
            On::Plane,
            On::Drum(0.5, 0.0),
            On::Drum(0.25, 0.0),
            On::Drum(0.26, 0.005),
        ] {
            let found = off(1e-3, points, on);
            assert!(near(found, plane[0]), "{points} {on:?}: {found:?}");
        }
    }
}

/// Three equal drums on one another stand without motion, with all of their weight on each face.
#[test]
fn equal_drums_stand_on_one_another() {
    let mut world = world(1e-3);
    world
        .add_plane(Plane::new(DVec3::Z, 0.0).unwrap(), ROUGH, None)
        .unwrap();
    let drum = Frustum::new(0.3, 0.3, 0.8).unwrap();
    for k in 0..3 {
        let body = Body::frustum(drum, 24, 2500.0).unwrap();
        let turned = DQuat::from_rotation_z(0.3 * f64::from(k));
        let pose = Pose::new(turned, DVec3::Z * (0.4 + 0.8 * f64::from(k))).unwrap();
        world
            .add(body, State::at_rest(pose), Role::Free, ROUGH)
            .unwrap();
    }
    for _ in 0..500 {
        world.step().unwrap();
    }
    let weight = drum.volume() * 2500.0 * G;
    for (k, state) in world.states().enumerate() {
        let place = state.pose.translation;
        let off = place - DVec3::Z * (0.4 + 0.8 * k as f64);
        assert!(off.length() < 1e-8, "{k}: {off}");
        assert!(state.velocity.linear.length() < 1e-8);
        let under = |c: &&klast_dynamics::WorldContact| match c.plane() {
            Some(_) => k == 0,
            None => c.second as usize == k && c.first as usize + 1 == k,
        };
        let carried = world.contacts().iter().filter(under);
        let carried: f64 = carried.map(|c| c.impulse.z.abs()).sum();
        let expected = (3 - k) as f64 * weight * 1e-3;
        assert!(
            (carried / expected - 1.0).abs() < 1e-6,
            "{k}: {carried} {expected}"
        );
    }
}

/// A cylinder on its side rolls down a slope on both of its circles, without slip at (2/3) g sin β: by how much its
/// speed is off after a second.
fn slow(step: f64, points: usize) -> f64 {
    let slope = 0.2f64;
    let (sin, cos) = slope.sin_cos();
    let mut world = world(step);
    let plane = Plane::new(DVec3::new(sin, 0.0, cos), 0.0).unwrap();
    world.add_plane(plane, ROUGH, None).unwrap();
    let solid = Frustum::new(0.3, 0.3, 0.8).unwrap();
    let body = Body::frustum(solid, points, 2500.0).unwrap();
    let turned = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let pose = Pose::new(turned, 0.3 * plane.normal).unwrap();
    let number = world
        .add(body, State::at_rest(pose), Role::Free, ROUGH)
        .unwrap();
    while world.time() < 1.0 - 0.5 * step {
        world.step().unwrap();
    }
    let state = world.state(number).unwrap();
    let speed = state.velocity.linear.dot(DVec3::new(cos, 0.0, -sin));
    assert!((state.velocity.angular.y * 0.3 / speed - 1.0).abs() < 1e-2);
    speed / (2.0 / 3.0 * G * sin) - 1.0
}

/// The error is of first order in the step, 0.5 % at a millisecond.
#[test]
fn a_cylinder_on_its_side_rolls_down_a_slope() {
    for points in [3, 24, 240] {
        let [whole, half] = [1e-3, 5e-4].map(|step| slow(step, points));
        assert!(
            whole.abs() < 0.01 && half.abs() < 0.6 * whole.abs(),
            "{points}: {whole} {half}"
        );
    }
}
