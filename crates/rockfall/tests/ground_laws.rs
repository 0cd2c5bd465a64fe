//! Optional ground laws in closed form, and one plane in two guises.

use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Slope, Terrain};
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::rigid::Scarring;
use klast_rockfall::{
    Arc, DragSample, Ground, GroundCoefficients, MaterialSample, Motion, Outcome, RigidRock,
    SlopeMaterial, StopConditions,
};
use std::ops::ControlFlow;

const SCARRING: Scarring = Scarring {
    minimum: 0.2,
    maximum: 1.3,
    growth: 0.7,
    recovery: 20.0,
};

fn sample(friction: f64) -> [MaterialSample; 1] {
    [MaterialSample {
        normal_restitution: 0.3,
        tangential_restitution: 0.0,
        friction,
        ..MaterialSample::default()
    }]
}

fn ground() -> Ground {
    Ground::uniform(SlopeMaterial::constant(
        "g",
        GroundCoefficients {
            normal_restitution: 0.3,
            tangential_restitution: 0.0,
            friction: 0.5,
        },
    ))
    .unwrap()
}

#[test]
fn friction_of_a_scar() {
    // arctan 1 = π/4: half way between minimum and maximum at κ s = 1.
    assert!((SCARRING.friction(1.0 / 0.7) - 0.75).abs() < 1e-15);
    assert_eq!(SCARRING.friction(0.0), 0.2);
    assert!((SCARRING.friction(SCARRING.slippage_at(1.0)) - 1.0).abs() < 1e-14);
    assert!((SCARRING.slid(0.5, 3.0, 2.0) - 6.5).abs() < 1e-15);
    assert!((SCARRING.flown(2.0, 0.1) - 2.0 * (-2.0f64).exp()).abs() < 1e-15);
}

#[test]
fn slippage_is_the_distance_slid() {
    // A cube thrown flat over a level plane slides straight to rest: its slippage is the way of its centre.
    let terrain = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let (ground, stop) = (ground(), StopConditions::default());
    let rock = RigidRock {
        stop: &stop,
        contact_step: Some(1e-3),
        ..RigidRock::new(&terrain, &ground)
    };
    let scarring = MaterialSample {
        scarring: Some(Scarring {
            maximum: 0.6,
            ..SCARRING
        }),
        ..sample(0.5)[0]
    };
    let start = State {
        pose: Pose::from_translation(DVec3::new(0.0, 0.0, 0.5)),
        velocity: Twist::new(DVec3::X * 3.0, DVec3::ZERO).unwrap(),
    };
    let (outcome, end, tally) = rock.run(
        &body,
        &[scarring],
        start,
        None,
        &mut |_| ControlFlow::Continue(()),
        &mut Workspace::default(),
    );
    assert_eq!(outcome, Outcome::Stopped);
    // The way of the last step from the stopped-velocity cutoff (0.1 m/s) to rest is not counted: up to 0.1² / (2 μ g)
    // = 2.5 mm.
    assert!(
        (tally.slippage - end.pose.translation.x).abs() < 3e-3,
        "{} {}",
        tally.slippage,
        end.pose.translation.x
    );
    assert!(tally.slippage > 0.5);
}

/// A sample with a drag per mass (1/s) up to a height (m).
fn dragged(per_mass: f64, height: f64) -> [MaterialSample; 1] {
    [MaterialSample {
        drag: Some(DragSample { per_mass, height }),
        ..sample(0.5)[0]
    }]
}

#[test]
fn drag_alone_decays_exponentially() {
    let terrain = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let ground = ground();
    let stop = StopConditions {
        maximum_time: 2.0,
        ..StopConditions::default()
    };
    let samples = dragged(0.4, 10.0);
    let rock = RigidRock {
        stop: &stop,
        gravity: DVec3::ZERO,
        ..RigidRock::new(&terrain, &ground)
    };
    let start = State {
        pose: Pose::from_translation(DVec3::new(0.0, 0.0, 5.0)),
        velocity: Twist::new(DVec3::X * 3.0, DVec3::ZERO).unwrap(),
    };
    let (_, end, _) = rock.run(
        &body,
        &samples,
        start,
        None,
        &mut |_| ControlFlow::Continue(()),
        &mut Workspace::default(),
    );
    // Ends of stretches are exact for the speed: only rounding of the sum of times is left.
    assert!((end.velocity.linear.x - 3.0 * (-0.8f64).exp()).abs() < 1e-12);
}

#[test]
fn a_fall_with_drag_reaches_the_terminal_speed_and_never_passes_it() {
    let terrain = Slope::new(Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let ground = ground();
    let (g, c, start) = (9.81, 5.0, 50.0);
    for time in [0.1, 0.5, 10.0] {
        let stop = StopConditions {
            maximum_time: time,
            ..StopConditions::default()
        };
        let rock = RigidRock {
            stop: &stop,
            gravity: DVec3::NEG_Z * g,
            ..RigidRock::new(&terrain, &ground)
        };
        let at = State {
            pose: Pose::from_translation(DVec3::Z * start),
            velocity: Twist::new(DVec3::ZERO, DVec3::ZERO).unwrap(),
        };
        let mut greatest = 0.0f64;
        let (_, end, _) = rock.run(
            &body,
            &dragged(c, 100.0),
            at,
            None,
            &mut |arc| {
                let ends = [arc.velocity, arc.velocity_at(arc.duration)];
                greatest = ends.iter().fold(greatest, |v, e| v.max(e.length()));
                ControlFlow::Continue(())
            },
            &mut Workspace::default(),
        );
        // dv/dt = g − c v from rest. The speed is exact but for rounding of a thousand steps, in what is shown too.
        let gone = 1.0 - (-c * time).exp();
        let speed = g / c * gone;
        assert!((greatest / speed - 1.0).abs() < 1e-12, "{greatest} {speed}");
        assert!((-end.velocity.linear.z / speed - 1.0).abs() < 1e-12);
        // A chord of the speed over a step h misses h³ |v̈|/12 of the way: over the fall at most h² g/12, h = 0.01/c.
        let way = g / c * (time - gone / c);
        let missed = start - end.pose.translation.z - way;
        assert!(missed.abs() < (0.01 / c).powi(2) * g / 12.0, "{missed}");
    }
}

#[test]
fn a_raster_of_a_plane_is_the_plane() {
    // The first flights and impacts of a tumbling cube on a slope of 30° and on a 1 m raster of it.
    let slope = Slope::downhill_x(30f64.to_radians()).unwrap();
    let fall = 30f64.to_radians().tan();
    let n = 60;
    let heights = (0..n * n).map(|k| -fall * (k % n) as f64).collect();
    let grid = Grid::new(n, n, 1.0, DVec2::ZERO, heights).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(0.2).unwrap(), 2700.0).unwrap();
    let (ground, stop) = (ground(), StopConditions::default());
    let flights = |terrain: &dyn Terrain| {
        let rock = RigidRock {
            stop: &stop,
            ..RigidRock::new(terrain, &ground)
        };
        let attitude = DQuat::from_xyzw(0.3, -0.4, 0.2, 0.8).normalize();
        let start = State {
            pose: Pose::new(attitude, DVec3::new(10.3, 30.2, 2.0 - 10.3 * fall)).unwrap(),
            velocity: Twist::new(DVec3::X, DVec3::new(1.0, 2.0, -0.5)).unwrap(),
        };
        let mut arcs: Vec<Arc> = Vec::new();
        rock.run(
            &body,
            &sample(0.6),
            start,
            None,
            &mut |arc| {
                arcs.push(*arc);
                if arcs.len() < 4 {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(Outcome::Stopped)
                }
            },
            &mut Workspace::default(),
        );
        arcs
    };
    let (a, b) = (flights(&slope), flights(&grid));
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.motion, b.motion), (Motion::Flight, Motion::Flight));
        // Three impacts amplify rounding of the contact time (1e-15 s) by at most a few powers of ten.
        assert!((a.time - b.time).abs() < 1e-10, "{} {}", a.time, b.time);
        assert!((a.velocity - b.velocity).length() < 1e-8);
    }
    assert_eq!(a.len(), 4);
}

/// A plane that falls towards +x, without friction.
fn slide(angle: f64, sample: MaterialSample, speed: f64, time: f64) -> (Outcome, State, f64) {
    let cube = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    slide_of(&cube, angle, sample, speed, time)
}

/// The same of a body whose mass centre is 0.5 m above the ground.
fn slide_of(
    body: &Body,
    angle: f64,
    sample: MaterialSample,
    speed: f64,
    time: f64,
) -> (Outcome, State, f64) {
    let terrain = Slope::downhill_x(angle).unwrap();
    let material = SlopeMaterial::constant(
        "soft",
        GroundCoefficients {
            normal_restitution: 0.0,
            tangential_restitution: 0.0,
            friction: sample.friction,
        },
    );
    let ground = Ground::uniform(material).unwrap();
    let stop = StopConditions {
        maximum_time: time,
        ..StopConditions::default()
    };
    let rock = RigidRock {
        stop: &stop,
        ..RigidRock::new(&terrain, &ground)
    };
    let along = DVec3::new(angle.cos(), 0.0, -angle.sin());
    let normal = DVec3::new(angle.sin(), 0.0, angle.cos());
    let start = State {
        pose: Pose {
            rotation: DQuat::from_rotation_y(angle),
            translation: normal * 0.5,
        },
        velocity: Twist::new(along * speed, DVec3::ZERO).unwrap(),
    };
    let (outcome, end, _) = rock.run(
        body,
        &[sample],
        start,
        None,
        &mut |_| ControlFlow::Continue(()),
        &mut Workspace::default(),
    );
    (
        outcome,
        end,
        along.dot(end.pose.translation - start.pose.translation),
    )
}

#[test]
fn rolling_resistance_is_a_force_in_proportion_to_the_load() {
    // Without friction a cube on 20° moves as a point: a = g (sin θ − μ_r cos θ), 2 s from 4 m/s.
    let angle = 20f64.to_radians();
    let sample = MaterialSample {
        rolling_resistance: 0.5,
        ..MaterialSample::default()
    };
    let (outcome, end, way) = slide(angle, sample, 4.0, 2.0);
    let a = 9.81 * (angle.sin() - 0.5 * angle.cos());
    assert_eq!(outcome, Outcome::TimedOut);
    let speed = end.velocity.linear.length();
    // A constant force is followed to the tolerance of the contact solver.
    let (last, right) = (4.0 + 2.0 * a, 8.0 + 2.0 * a);
    assert!((speed - last).abs() < 1e-7, "{speed} {last}");
    assert!((way - right).abs() < 1e-7, "{way} {right}");
}

#[test]
fn soft_ground_holds_what_it_is_steep_enough_for() {
    let sample = |rolling_resistance| MaterialSample {
        rolling_resistance,
        ..MaterialSample::default()
    };
    // tan 20° = 0.364: 0.4 stops a cube without friction after v²/(2 g (μ_r cos θ − sin θ)), 0.3 does not.
    let angle = 20f64.to_radians();
    let (outcome, _, way) = slide(angle, sample(0.4), 2.0, 60.0);
    let expected = 4.0 / (2.0 * 9.81 * (0.4 * angle.cos() - angle.sin()));
    assert_eq!(outcome, Outcome::Stopped);
    // The end below the stopped-velocity cutoff of 0.1 m/s is cut off: 0.1²/2² of the way at most.
    assert!(
        (0.0..2.5e-3).contains(&(1.0 - way / expected)),
        "{way} {expected}"
    );
    assert_eq!(slide(angle, sample(0.3), 2.0, 5.0).0, Outcome::TimedOut);
    // A sphere stands off by its radius along the normal, which is more along the vertical.
    let sphere = Body::sphere(0.5, 2700.0).unwrap();
    for (degrees, rolling) in [(0.0f64, 0.3), (10.0, 0.3), (30.0, 0.7), (35.0, 0.9)] {
        let angle = degrees.to_radians();
        let (outcome, _, way) = slide_of(&sphere, angle, sample(rolling), 2.0, 60.0);
        let expected = 4.0 / (2.0 * 9.81 * (rolling * angle.cos() - angle.sin()));
        assert_eq!(outcome, Outcome::Stopped, "{degrees}");
        assert!(
            (0.0..2.5e-3).contains(&(1.0 - way / expected)),
            "{degrees}: {way} {expected}"
        );
    }
}

#[test]
fn drag_of_a_material_is_exponential() {
    // No friction, level ground: v = v₀ exp(−(c/m) t).
    let sample = MaterialSample {
        drag: Some(DragSample {
            per_mass: 0.7,
            height: 2.0,
        }),
        ..MaterialSample::default()
    };
    let (_, end, _) = slide(0.0, sample, 5.0, 1.5);
    let speed = end.velocity.linear.length();
    // Exact but for rounding of a few hundred steps.
    assert!(
        (speed / (5.0 * (-1.05f64).exp()) - 1.0).abs() < 1e-9,
        "{speed}"
    );
}
