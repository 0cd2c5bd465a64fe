//! The first touch of a tumbling rock with rough ground, against the separation of rock and ground looked at again and
//! again.

use crate::apart;

use apart::separation;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::{FirstTouch, Flight, Workspace, first_touch};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Terrain};
use klast_geometry::{Pose, Solid};
use klast_rockfall::lumped::LumpedState;
use klast_rockfall::{
    Ground, GroundCoefficients, LumpedMass, LumpedRock, MaterialSample, SlopeMaterial,
    StopConditions,
};
use klast_sampling::{Purpose, Streams};
use rand::RngExt;
use std::ops::ControlFlow;

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

#[test]
fn no_touch_is_missed_and_none_is_early() {
    let streams = Streams::new(3);
    let shapes = [
        Solid::Cube,
        Solid::Box {
            edges: DVec3::new(5.0, 4.0, 0.3),
        },
        Solid::Tetrahedron,
        Solid::Octahedron,
    ];
    let mut workspace = Workspace::default();
    let (mut touches, mut edges) = (0, 0);
    for index in 0..900u64 {
        let mut rng = streams.rng(Purpose::Attitude, index);
        let cell = [0.3, 1.0, 4.0][index as usize % 3];
        let n = 24;
        let rough = 0.4 * cell;
        let heights = (0..n * n)
            .map(|k| rough * rng.random::<f64>() - 0.5 * cell * (k % n) as f64)
            .collect();
        let grid = Grid::new(n, n, cell, DVec2::ZERO, heights).unwrap();
        let volume = 0.05 + rng.random::<f64>();
        let body = Body::uniform(
            &shapes[index as usize % 4].with_volume(volume).unwrap(),
            2700.0,
        )
        .unwrap();
        let radius = body.shape().radius();
        let mut draw = |size: f64| size * (rng.random::<f64>() - 0.5);
        let middle = 0.5 * cell * (n - 1) as f64;
        // Over the ground, or down in its hollows.
        let low = if index % 2 == 0 { 0.8 } else { 0.4 };
        let start = State {
            pose: Pose {
                rotation: DQuat::from_xyzw(draw(1.0), draw(1.0), draw(1.0), draw(1.0)).normalize(),
                translation: DVec3::new(
                    middle + draw(cell),
                    middle + draw(cell),
                    low * radius - 0.5 * middle + draw(cell),
                ),
            },
            velocity: Twist {
                linear: DVec3::new(draw(10.0), draw(10.0), draw(6.0)),
                angular: DVec3::new(draw(12.0), draw(12.0), draw(12.0)),
            },
        };
        if separation(&grid, &body, &start.pose) <= 1e-3 {
            continue;
        }
        let flight = Flight::new(&body, start, GRAVITY);
        let limit = 1.0;
        let touch = first_touch(&body, &flight, &grid, limit, &mut workspace);
        let (end, touched) = match touch {
            FirstTouch::Ground { time } => (time, true),
            FirstTouch::Nothing { time } => (time, false),
            FirstTouch::Air => (limit, false),
        };
        // No look before the touch finds an overlap; a graze of 1e-9 to 1e-5 of the radius may be passed over.
        let looks = 400;
        for k in 0..looks {
            let time = end * f64::from(k) / f64::from(looks);
            let gap = separation(&grid, &body, &flight.state(time).pose);
            assert!(
                gap > -1e-5 * radius,
                "rock {index}: {gap} m at {time} s of {end} s"
            );
        }
        if touched {
            let gap = separation(&grid, &body, &flight.state(end).pose);
            // The touch itself: 1e-12 of the radius, and rounding of a position of some 50 m.
            assert!(
                gap.abs() < 1e-11 * radius + 1e-13 * middle,
                "rock {index}: {gap} m at the touch"
            );
            touches += 1;
            let vertex = body.vertices().iter().any(|v| {
                let p = flight.state(end).pose.transform_point(*v);
                grid.surface(p.x, p.y)
                    .is_some_and(|s| (p.z - s.height).abs() < 1e-9)
            });
            edges += u32::from(!vertex);
        }
    }
    println!("{touches} touches, {edges} of them on edges and corners of the ground");
    assert!(touches > 60 && edges > 10, "{touches} {edges}");
}

#[test]
fn a_spinning_edge_over_a_ridge_is_looked_at_a_bounded_number_of_times() {
    // A cube on its edge that turns about the vertical, the edge a hair over a ridge: nothing ever closes, and nothing
    // opens.
    let heights = (0..41 * 41)
        .map(|k| -0.5 * ((k % 41) as f64 - 20.0).abs())
        .collect();
    let grid = Grid::new(41, 41, 1.0, DVec2::ZERO, heights).unwrap();
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let half = 0.5f64.sqrt();
    let start = State {
        pose: Pose {
            rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4),
            translation: DVec3::new(20.0, 20.0, half + 1e-10),
        },
        velocity: Twist {
            linear: DVec3::ZERO,
            angular: DVec3::new(0.0, 0.0, 8.0),
        },
    };
    let flight = Flight::new(&body, start, DVec3::new(0.0, 0.0, -1e-12));
    let clock = std::time::Instant::now();
    let touch = first_touch(&body, &flight, &grid, 3.0, &mut Workspace::default());
    assert_eq!(touch, FirstTouch::Air);
    // Some 2,000 looks of a microsecond each for every quarter of a second; 1e5 without a bound. A hundredfold is left
    // to a slow machine.
    assert!(clock.elapsed().as_secs_f64() < 3.0, "{:?}", clock.elapsed());
}

/// A rock is off the map when its centre is, and in a hole when its centre is below the ground around it: thrown level
/// at 13 m/s from 5 m before the rim, after 5/13 s; over a hole of 20 m, on whose near edge at 4 m the ground stands 20
/// m below, when it has fallen so far.
#[test]
fn a_rock_leaves_the_map_where_it_leaves_it() {
    let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let radius = body.shape().radius();
    let mut heights = vec![0.0; 100];
    let thrown = |x: f64, v: DVec3| {
        let state = State {
            pose: Pose::from_translation(DVec3::new(x, 22.0, 20.0)),
            velocity: Twist {
                linear: v,
                angular: DVec3::ZERO,
            },
        };
        Flight::new(&body, state, GRAVITY)
    };
    let mut workspace = Workspace::default();
    let mut leaves = |heights: &[f64], flight: Flight| {
        let grid = Grid::new(10, 10, 5.0, DVec2::ZERO, heights.to_vec()).unwrap();
        match first_touch(&body, &flight, &grid, 10.0, &mut workspace) {
            FirstTouch::Nothing { time } => time,
            other => panic!("{other:?}"),
        }
    };
    // Bisected to rounding of a time.
    let time = leaves(&heights, thrown(40.0, DVec3::X * 13.0));
    assert!((time - 5.0 / 13.0).abs() < 1e-14, "{time}");
    for row in 0..10 {
        heights[row * 10 + 4] = f64::NAN;
        heights[row * 10 + 5] = f64::NAN;
    }
    let time = leaves(&heights, thrown(16.0, DVec3::X * 2.0));
    let fall = (2.0 * (20.0 + radius) / 9.81).sqrt();
    assert!((time - fall).abs() < 1e-14 * fall, "{time} {fall}");
}

/// Thrown over a hole of missing data on a slope, a rock lands where it lands without the hole: of 4 × 2 nodes, of a
/// width in which no ground is near, on slopes so steep that the ground above stands higher than the flight. From 1 to
/// 3 m over the ground, along a slope of tan α, a throw of v₀ level lands at least 2 v₀² tan α / g down the slope,
/// which is beyond the far edge.
#[test]
fn a_rock_in_the_air_flies_over_missing_data() {
    for (slope, wide) in [(0.5, 2), (0.5, 6), (1.5, 2), (1.5, 6)] {
        let n = 60;
        let intact: Vec<f64> = (0..n * n)
            .map(|k| 400.0 - slope * 5.0 * f64::from(k % n))
            .collect();
        let mut holed = intact.clone();
        for row in 28..32 {
            for column in 12..12 + wide {
                holed[(row * n + column) as usize] = f64::NAN;
            }
        }
        let side = n as usize;
        let [intact, holed] = [intact, holed]
            .map(|heights| Grid::new(side, side, 5.0, DVec2::ZERO, heights).unwrap());
        let far = 5.0 * f64::from(12 + wide) + 5.0;
        let body = Body::uniform(&Solid::Cube.with_volume(1.0).unwrap(), 2700.0).unwrap();
        for k in 0..20 {
            let k = f64::from(k);
            let ground = intact.surface(50.0, 147.0).unwrap().height;
            let place = DVec3::new(50.0, 147.0, ground + 1.0 + 0.1 * k);
            // Two metres more than the centre of a cube of 1 m comes early.
            let way = far + 2.0 - place.x;
            let speed = (9.81 * way / (2.0 * slope)).sqrt() + 0.3 * k;
            let state = State {
                pose: Pose::from_translation(place),
                velocity: Twist {
                    linear: DVec3::X * speed,
                    angular: DVec3::Y,
                },
            };
            let flight = Flight::new(&body, state, GRAVITY);
            let touch =
                |grid: &Grid| first_touch(&body, &flight, grid, 20.0, &mut Workspace::default());
            let found = touch(&holed);
            let FirstTouch::Ground { time } = found else {
                panic!("{slope} {wide} {k}: {found:?}");
            };
            assert!(flight.centre(time).x > far);
            assert_eq!(found, touch(&intact), "{slope} {wide} {k}");
            let start = LumpedState {
                position: place,
                velocity: DVec3::X * speed,
                spin: DVec3::ZERO,
            };
            assert_eq!(first_arc(&holed, start), first_arc(&intact, start));
        }
    }
}

/// How long the first flight of a lumped mass takes, and where it ends.
fn first_arc(terrain: &Grid, start: LumpedState) -> Option<(f64, DVec3)> {
    let coefficients = GroundCoefficients {
        normal_restitution: 0.3,
        tangential_restitution: 0.8,
        friction: 0.6,
    };
    let ground = Ground::uniform(SlopeMaterial::constant("m", coefficients)).unwrap();
    let stop = StopConditions::default();
    let rock = LumpedMass::of_volume(1.0).unwrap();
    let samples = [MaterialSample::default()];
    let mut first = None;
    LumpedRock::new(terrain, &ground, &stop).run(&rock, &samples, start, None, &mut |arc| {
        first.get_or_insert((arc.duration, arc.end()));
        ControlFlow::Continue(())
    });
    first
}
