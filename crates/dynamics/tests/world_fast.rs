//! Fast bodies: what meets within a step does not pass through, and a spinning rod does not sink into what it strikes.

use glam::DVec3;
use klast_dynamics::{Body, Effort, Role, State, Surface, Twist, World, WorldSettings};
use klast_geometry::{NarrowPhase, Placed, Pose, Solid};
use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::common;
use common::{attitude, direction, uniform};

const SMOOTH: Surface = Surface {
    friction: 0.0,
    restitution: 0.0,
};

fn efforts() -> [Effort; 2] {
    let residual = Effort::Residual {
        tolerance: 1e-8,
        sweeps: 60,
    };
    [Effort::Sweeps(20), residual]
}

fn weightless(effort: Effort) -> World {
    let settings = WorldSettings {
        gravity: DVec3::ZERO,
        effort,
        parallel: false,
        ..WorldSettings::default()
    };
    World::new(settings).unwrap()
}

/// The deepest overlap on a straight path, by 2,000 places along it (m): the reference that knows no time stepping.
fn deepest(body: &Body, start: &Pose, way: DVec3, fixed: &Pose) -> f64 {
    let mut narrow = NarrowPhase::default();
    let depth = |k: i32| {
        let pose = Pose {
            translation: start.translation + way * (f64::from(k) / 2000.0),
            ..*start
        };
        let placed = |pose| Placed {
            shape: body.shape(),
            pose,
        };
        let found = narrow.overlap(placed(&pose), placed(fixed), None);
        found.map_or(0.0, |o| o.depth)
    };
    (0..=2000).map(depth).fold(0.0, f64::max)
}

/// Turned cubes that fly at a fixed one, at 0.05 to 1.5 edges a step: those whose straight path goes 0.02 edges deep or
/// more are held up before they are a tenth of their radius deep, which is what they go at most between two looks at
/// their contacts; those whose path stays clear are not deflected.
#[test]
fn turned_cubes_do_not_pass_through_one_another() {
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 2700.0).unwrap();
    let mut rng = Pcg64::seed_from_u64(33);
    let (mut hits, mut passes, mut bad) = (0, 0, vec![]);
    for case in 0..300 {
        let a_step = 0.05 * 30f64.powf(uniform(&mut rng, 0.0, 1.0));
        let fixed = Pose::from_rotation(attitude(&mut rng));
        let along = direction(&mut rng);
        let across = along.any_orthonormal_vector() * uniform(&mut rng, 0.0, 1.6);
        let start = Pose::new(
            attitude(&mut rng),
            across - along * (2.0 + uniform(&mut rng, 0.0, a_step)),
        )
        .unwrap();
        let way = along * 4.0;
        let depth = deepest(&body, &start, way, &fixed);
        let clear = depth == 0.0 && {
            // Also by the margin that contacts are tracked from.
            let near = |s: f64| {
                deepest(
                    &body,
                    &Pose {
                        translation: start.translation - across * s,
                        ..start
                    },
                    way,
                    &fixed,
                )
            };
            near(0.01) == 0.0
        };
        if !clear && depth < 0.02 {
            continue;
        }
        for effort in efforts() {
            let mut world = weightless(effort);
            world
                .add(body.clone(), State::at_rest(fixed), Role::Fixed, SMOOTH)
                .unwrap();
            let speed = a_step / 2.5e-3;
            let flying = State::new(
                start,
                Twist {
                    linear: along * speed,
                    angular: DVec3::ZERO,
                },
            )
            .unwrap();
            let number = world.add(body.clone(), flying, Role::Free, SMOOTH).unwrap();
            let steps = (4.0 / a_step).ceil() as usize;
            let mut sunk = 0f64;
            for _ in 0..steps {
                world.step().unwrap();
                let pose = world.state(number).unwrap().pose;
                sunk = sunk.max(deepest(&body, &pose, DVec3::ZERO, &fixed));
            }
            let changed = world.state(number).unwrap().velocity.linear != flying.velocity.linear;
            if depth > 0.0 {
                hits += 1;
                if !changed || sunk > 0.087 {
                    bad.push(format!("{case} {effort:?} {a_step:.2} a step, path {depth:.3} deep: changed {changed}, sunk {sunk:.4}"));
                }
            } else {
                passes += 1;
                if changed {
                    bad.push(format!(
                        "{case} {effort:?} {a_step:.2} a step, path clear: changed"
                    ));
                }
            }
        }
    }
    assert!(
        bad.is_empty(),
        "{} of {hits} hits, {passes} passes:\n{}",
        bad.len(),
        bad.join("\n")
    );
    assert!(hits > 100 && passes > 50, "{hits} {passes}");
}

/// A rod of 1 m that turns at up to 300 rad/s, 0.75 rad a step, comes down on a post.
#[test]
fn a_spinning_rod_does_not_sink_into_a_post() {
    let rod = Solid::Box {
        edges: DVec3::new(1.0, 0.05, 0.05),
    }
    .with_size(1.0)
    .unwrap();
    let rod = Body::uniform(&rod, 2700.0).unwrap();
    let post = Solid::Box {
        edges: DVec3::new(0.1, 0.1, 1.0),
    }
    .with_size(1.0)
    .unwrap();
    let post = Body::uniform(&post, 2700.0).unwrap();
    let mut bad = vec![];
    for effort in efforts() {
        for spin in [10.0, 50.0, 100.0, 300.0] {
            for reach in [0.2, 0.35, 0.45] {
                let mut world = weightless(effort);
                let foot = Pose::from_translation(DVec3::new(reach, 0.0, -0.5));
                world
                    .add(post.clone(), State::at_rest(foot), Role::Fixed, SMOOTH)
                    .unwrap();
                let twist = Twist {
                    linear: DVec3::Z * -0.5,
                    angular: DVec3::Y * spin,
                };
                let above =
                    Pose::from_translation(DVec3::new(0.0, 0.0, 0.03 + 0.5 * 2.5e-3 * spin * 0.1));
                let number = world
                    .add(
                        rod.clone(),
                        State::new(above, twist).unwrap(),
                        Role::Free,
                        SMOOTH,
                    )
                    .unwrap();
                let mut sunk = 0f64;
                let mut narrow = NarrowPhase::default();
                for _ in 0..60 {
                    world.step().unwrap();
                    let pose = world.state(number).unwrap().pose;
                    let a = Placed {
                        shape: rod.shape(),
                        pose: &pose,
                    };
                    let b = Placed {
                        shape: post.shape(),
                        pose: &foot,
                    };
                    sunk = sunk.max(narrow.overlap(a, b, None).map_or(0.0, |o| o.depth));
                }
                if sunk > 5e-3 {
                    bad.push(format!("{effort:?} {spin} rad/s at {reach} m: {sunk:.4} m"));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}:\n{}", bad.len(), bad.join("\n"));
}
