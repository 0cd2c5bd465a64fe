//! A rock that stays on the ground stays out of it, and comes to an end.

use crate::apart;

use apart::separation;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::Workspace;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Terrain};
use klast_geometry::{Pose, Solid};
use klast_rockfall::rigid::RigidTally;
use klast_rockfall::*;
use klast_sampling::Streams;
use rand::RngExt;
use std::ops::ControlFlow;

struct Ran {
    outcome: Outcome,
    tally: RigidTally,
    end: State,
}

fn run(grid: &Grid, body: &Body, start: State, restitution: f64, friction: f64, time: f64) -> Ran {
    let material = SlopeMaterial::constant(
        "m",
        GroundCoefficients {
            normal_restitution: restitution,
            tangential_restitution: 0.0,
            friction,
        },
    );
    let ground = Ground::uniform(material).unwrap();
    let samples = [MaterialSample {
        normal_restitution: restitution,
        tangential_restitution: 0.0,
        friction,
        ..MaterialSample::default()
    }];
    let stop = StopConditions {
        maximum_time: time,
        ..StopConditions::default()
    };
    let rock = RigidRock {
        stop: &stop,
        ..RigidRock::new(grid, &ground)
    };
    let (outcome, end, tally) = rock.run(
        body,
        &samples,
        start,
        None,
        &mut |_| ControlFlow::Continue(()),
        &mut Workspace::default(),
    );
    Ran {
        outcome,
        tally,
        end,
    }
}

/// A valley along x whose bed curves upwards: a hollow edge every `cell` metres.
fn hollow(cell: f64) -> Grid {
    let (columns, rows) = ((120.0 / cell) as usize + 1, (20.0 / cell) as usize + 1);
    let height = |k: usize| {
        let (x, y) = (
            (k % columns) as f64 * cell,
            (k / columns) as f64 * cell - 10.0,
        );
        0.004 * (120.0 - x) * (120.0 - x) + 0.02 * y * y
    };
    let heights = (0..columns * rows).map(height).collect();
    Grid::new(columns, rows, cell, DVec2::ZERO, heights).unwrap()
}

#[test]
fn a_rock_that_slides_over_hollow_edges_does_not_sink() {
    let grid = hollow(2.0);
    let body = Body::uniform(
        &Solid::Box {
            edges: DVec3::new(3.0, 2.5, 1.0),
        }
        .with_size(1.2)
        .unwrap(),
        2700.0,
    )
    .unwrap();
    let radius = body.shape().radius();
    for k in 0..6 {
        let (x, y) = (4.0 + 0.37 * f64::from(k), 9.0 + 0.31 * f64::from(k));
        let ground = grid.surface(x, y).unwrap();
        let start = State {
            pose: Pose {
                rotation: DQuat::from_rotation_arc(DVec3::Z, ground.normal),
                translation: DVec3::new(x, y, ground.height) + ground.normal * 0.21,
            },
            velocity: Twist::ZERO,
        };
        // Looked at on the way, too: a rock that leaves the ground sheds its depth.
        for time in [3.0, 5.0, 7.0, 9.0, 60.0] {
            let ran = run(&grid, &body, start, 0.0, 0.3, time);
            let depth = -separation(&grid, &body, &ran.end.pose);
            // A hundredth of the radius is what a single step may sink in before it is shortened; several edges may add
            // up while a fifth a step is taken out.
            assert!(depth < 0.03 * radius, "{k}: {depth} m deep after {time} s");
            assert_eq!(ran.tally.forced, 0, "{k}: {:?}", ran.tally);
        }
    }
}

#[test]
fn rocks_in_a_narrow_hollow_come_to_an_end() {
    // A groove with walls of 50° in which many rocks hang on two corners: a hinge, on which a rigid body swings for
    // ever.
    let (columns, rows) = (40, 21);
    let height = |k: usize| 1.2 * ((k / columns) as f64 - 10.0).abs() + 0.01 * (k % columns) as f64;
    let grid = Grid::new(
        columns,
        rows,
        1.0,
        DVec2::ZERO,
        (0..columns * rows).map(height).collect(),
    )
    .unwrap();
    let streams = Streams::new(5);
    let shapes = [
        Solid::Cube,
        Solid::Box {
            edges: DVec3::new(3.0, 2.0, 1.0),
        },
        Solid::Octahedron,
    ];
    let (mut swinging, mut most) = (0, 0);
    for index in 0..60 {
        let mut rng = streams.rng(klast_sampling::Purpose::Attitude, index);
        let body = Body::uniform(
            &shapes[index as usize % 3].with_volume(0.5).unwrap(),
            2700.0,
        )
        .unwrap();
        let mut draw = || rng.random::<f64>() - 0.5;
        let start = State {
            pose: Pose {
                rotation: DQuat::from_xyzw(draw(), draw(), draw(), draw()).normalize(),
                translation: DVec3::new(20.0 + 4.0 * draw(), 10.0 + 6.0 * draw(), 8.0),
            },
            velocity: Twist::ZERO,
        };
        let ran = run(&grid, &body, start, 0.3, 0.9, 300.0);
        assert_eq!(
            ran.outcome,
            Outcome::Stopped,
            "rock {index}: {:?}",
            ran.tally
        );
        let depth = -separation(&grid, &body, &ran.end.pose);
        assert!(
            depth < 0.03 * body.shape().radius(),
            "rock {index}: {depth} m deep, {:?}",
            ran.tally
        );
        swinging += u32::from(ran.tally.swinging);
        most = most.max(ran.tally.contact_steps + ran.tally.impacts);
    }
    println!("{swinging} of 60 swing in place; at most {most} steps and impacts");
    // Ten seconds in place are 1,000 steps; what goes before is a fall of 8 m and a slide of a few metres.
    assert!(most < 6_000, "{most}");
}

/// An octahedron on a corner in a valley, held by its two sides without friction: each carries m g / (2 cos α) along
/// its normal, so both of the loads at one corner are there, and add up to the weight.
#[test]
fn a_corner_in_a_hollow_is_carried_from_both_sides() {
    let (alpha, cell) = (40f64.to_radians(), 4.0);
    let heights = (0..15)
        .map(|k| alpha.tan() * cell * f64::from((k / 5 - 1i32).abs()))
        .collect();
    let grid = Grid::new(5, 3, cell, DVec2::ZERO, heights).unwrap();
    let body = Body::uniform(&Solid::Octahedron.with_volume(1.0).unwrap(), 2700.0).unwrap();
    let lowest = body.vertices().iter().fold(0.0f64, |low, v| low.min(v.z));
    let pose = Pose::from_translation(DVec3::new(7.3, 4.0, -lowest));
    let ground = Ground::uniform(SlopeMaterial::constant(
        "m",
        GroundCoefficients {
            normal_restitution: 0.0,
            tangential_restitution: 0.0,
            friction: 0.0,
        },
    ))
    .unwrap();
    let samples = [MaterialSample {
        normal_restitution: 0.0,
        tangential_restitution: 0.0,
        friction: 0.0,
        ..MaterialSample::default()
    }];
    let rock = RigidRock::new(&grid, &ground);
    let loads = rock.loads(&body, &samples, State::at_rest(pose), 0.0);
    let weight = 9.81 * body.mass();
    assert!(loads.len() >= 2, "{loads:?}");
    for (point, _) in &loads {
        assert!(
            (*point - DVec3::new(7.3, 4.0, 0.0)).length() < 1e-9,
            "{point}"
        );
    }
    let sum: DVec3 = loads.iter().map(|l| l.1).sum();
    // A step on the ground is solved to 1e-10.
    assert!((sum - DVec3::Z * weight).length() < 1e-6 * weight, "{sum}");
    let across = loads.iter().map(|l| l.1.y.abs()).sum::<f64>();
    assert!(
        (across - weight * alpha.tan()).abs() < 1e-6 * weight,
        "{across}"
    );
}
