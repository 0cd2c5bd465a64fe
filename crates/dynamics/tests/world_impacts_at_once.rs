//! Pairs that share a body and meet at the same time are one impact: no order of the bodies decides.

use glam::{DVec2, DVec3};
use klast_dynamics::{
    Body, Impacts, Restitution, Role, State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};

fn surface(friction: f64, restitution: f64) -> Surface {
    Surface {
        friction,
        restitution,
    }
}

fn settings(law: Restitution) -> WorldSettings {
    WorldSettings {
        impacts: Impacts::InTurn(law),
        step: 1e-3,
        parallel: false,
        ..WorldSettings::default()
    }
}

fn block(edges: DVec3) -> Body {
    let corner = |k: u32| {
        let at = |axis: u32| if k >> axis & 1 == 1 { 0.5 } else { -0.5 };
        edges * DVec3::new(at(0), at(1), at(2))
    };
    let corners: Vec<DVec3> = (0..8).map(corner).collect();
    Body::uniform(&ConvexPolyhedron::from_points(&corners).unwrap(), 2400.0).unwrap()
}

/// A lintel falls flat by h on two equal posts, e 0.5. By symmetry it goes straight up again: v = √(2 g h), and a time
/// t after the fall it is e v t − g t²/2 above the posts.
#[test]
fn a_lintel_rebounds_flat_from_two_posts() {
    let (height, e, g, until): (f64, f64, f64, f64) = (0.3, 0.5, 9.81, 0.4);
    for law in [Restitution::Newton, Restitution::Sequential] {
        for side in [1.0, -1.0] {
            let mut world = World::new(settings(law)).unwrap();
            let stone = surface(0.3, e);
            for x in [-1.5 * side, 1.5 * side] {
                let at = State::at_rest(Pose::from_translation(DVec3::new(x, 0.0, 0.5)));
                let post = block(DVec3::new(0.5, 0.5, 1.0));
                world.add(post, at, Role::Fixed, stone).unwrap();
            }
            let at = State::at_rest(Pose::from_translation(DVec3::Z * (1.15 + height)));
            let lintel = block(DVec3::new(4.0, 0.5, 0.3));
            let lintel = world.add(lintel, at, Role::Free, stone).unwrap();
            while world.time() < until - 5e-4 {
                world.step().unwrap();
            }
            let state = world.state(lintel).unwrap();
            let (p, v) = (state.pose.translation, state.velocity);
            // Impulses are solved to 1e-12 of the speeds.
            assert!(v.angular.length() < 1e-9, "{law:?} {side}: {v:?}");
            let aside = (p.x.abs() + p.y.abs(), v.linear.x.abs() + v.linear.y.abs());
            assert!(
                aside.0 < 1e-9 && aside.1 < 1e-9,
                "{law:?} {side}: {p} {v:?}"
            );
            let speed = (2.0 * g * height).sqrt();
            let after = until - speed / g;
            let want = 1.15 + e * speed * after - 0.5 * g * after * after;
            // The rebound begins with the step in which it happens.
            let early = 1e-3 * (1.0 + e) * speed;
            assert!((p.z - want).abs() < early, "{law:?} {side}: {p} {want}");
        }
    }
}

/// A sphere strikes two equal ones that touch, e 1, without friction. The normals lie at 30° to its way, c = cos 30°:
/// an impulse p m along each restores the normal speed, p (1 + 2 c²) = 2 c. The sphere returns with 1 − 2 p c = −0.2,
/// the others leave with p c = 0.6 and ± p/2.
#[test]
fn two_spheres_leave_symmetrically() {
    let c = 0.75f64.sqrt();
    let p = 2.0 * c / (1.0 + 2.0 * c * c);
    let places = [(-c, 0.0, 1.0), (0.0, 0.5, 0.0), (0.0, -0.5, 0.0)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [2, 1, 0]] {
        let mut world = World::new(WorldSettings {
            gravity: DVec3::ZERO,
            ..settings(Restitution::Newton)
        })
        .unwrap();
        for k in order {
            let (x, y, speed) = places[k];
            let state = State {
                pose: Pose::from_translation(DVec3::new(x, y, 0.0)),
                velocity: Twist {
                    linear: DVec3::X * speed,
                    angular: DVec3::ZERO,
                },
            };
            let sphere = Body::sphere(0.5, 2400.0).unwrap();
            world
                .add(sphere, state, Role::Free, surface(0.0, 1.0))
                .unwrap();
        }
        world.step().unwrap();
        let want = [
            DVec3::X * (1.0 - 2.0 * p * c),
            DVec3::new(p * c, 0.5 * p, 0.0),
            DVec3::new(p * c, -0.5 * p, 0.0),
        ];
        for (k, state) in order.iter().zip(world.states()) {
            let v = state.velocity.linear;
            assert!((v - want[*k]).length() < 1e-9, "{order:?} {k}: {v}");
        }
    }
}

/// Two equal posts with a lintel on them all meet the ground at 1 m/s, e 0.5. The scene is its own mirror image in the
/// plane x = 0: the lintel goes neither aside nor turns, and the posts go and turn as mirror images. The posts, of mass
/// p together, rebound with e; then they meet the lintel, of mass l, which changes the velocities by the impulse
/// (1 + e) w p l/(p + l), w the speed at which they meet; then they meet the ground and the lintel once more.
#[test]
fn posts_with_a_lintel_rebound_from_the_ground_as_mirror_images() {
    // Impulses are solved to 1e-12 of the speeds, in tens of impacts.
    const SOLVED: f64 = 1e-10;
    let e = 0.5;
    let stone = surface(0.3, e);
    let (posts, beam) = (2.0 * 0.5 * 0.5 * 1.0, 4.0 * 0.5 * 0.3);
    let mut want = DVec2::new(-1.0, -1.0);
    for _ in 0..2 {
        want.x *= -e;
        let impulse = (1.0 + e) * (want.x - want.y) * posts * beam / (posts + beam);
        want += DVec2::new(-impulse / posts, impulse / beam);
    }
    let bodies = [
        (DVec3::new(0.5, 0.5, 1.0), DVec3::new(-1.5, 0.0, 0.5)),
        (DVec3::new(0.5, 0.5, 1.0), DVec3::new(1.5, 0.0, 0.5)),
        (DVec3::new(4.0, 0.5, 0.3), DVec3::new(0.0, 0.0, 1.15)),
    ];
    for law in [Restitution::Newton, Restitution::Sequential] {
        for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0]] {
            let mut world = World::new(settings(law)).unwrap();
            let ground = Plane::new(DVec3::Z, 0.0).unwrap();
            world.add_plane(ground, stone, None).unwrap();
            for k in order {
                let (edges, at) = bodies[k];
                let state = State {
                    pose: Pose::from_translation(at),
                    velocity: Twist {
                        linear: -DVec3::Z,
                        angular: DVec3::ZERO,
                    },
                };
                world.add(block(edges), state, Role::Free, stone).unwrap();
            }
            let report = world.step().unwrap();
            assert!(report.events.impacts >= 4, "{law:?} {order:?}: {report:?}");
            let mut of = [Twist::default(); 3];
            for (k, state) in order.iter().zip(world.states()) {
                of[*k] = state.velocity;
            }
            let [left, right, lintel] = of;
            let told = format!("{law:?} {order:?}: {left:?} {right:?} {lintel:?}");
            let upright = DVec3::Z * lintel.linear.z;
            assert!((lintel.linear - upright).length() < SOLVED, "{told}");
            assert!(lintel.angular.length() < SOLVED, "{told}");
            let mirrored = right.linear * DVec3::new(-1.0, 1.0, 1.0);
            assert!((left.linear - mirrored).length() < SOLVED, "{told}");
            // A spin is an axial vector: its part along the normal of the mirror stays.
            let mirrored = right.angular * DVec3::new(1.0, -1.0, -1.0);
            assert!((left.angular - mirrored).length() < SOLVED, "{told}");
            let want = want - DVec2::splat(9.81 * 1e-3);
            let rises = DVec2::new(left.linear.z, lintel.linear.z);
            assert!((rises - want).length() < SOLVED, "{told}: {want}");
        }
    }
}

/// Equal spheres touch in a row, the outer ones with 1 and −1 m/s, e 0.5. An impact of two gives (v + w)/2 ∓ e (v −
/// w)/2. Both outer pairs are struck at once, then the inner one, and again until none meets:
/// 1, 0, 0, −1 → 1/4, 3/4, −3/4, −1/4 → 1/4, −3/8, 3/8, −1/4 → −7/32, 3/32, −3/32, 7/32 → −7/32, −3/64, 3/64, 7/32. The
/// momentum stays 0.
#[test]
fn spheres_in_a_row_rebound_as_mirror_images() {
    let speeds = [1.0, 0.0, 0.0, -1.0];
    let want = [-7.0 / 32.0, -3.0 / 64.0, 3.0 / 64.0, 7.0 / 32.0];
    for law in [Restitution::Newton, Restitution::Sequential] {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            let mut world = World::new(WorldSettings {
                gravity: DVec3::ZERO,
                ..settings(law)
            })
            .unwrap();
            for k in order {
                let state = State {
                    pose: Pose::from_translation(DVec3::X * k as f64),
                    velocity: Twist {
                        linear: DVec3::X * speeds[k],
                        angular: DVec3::ZERO,
                    },
                };
                let sphere = Body::sphere(0.5, 2400.0).unwrap();
                let stone = surface(0.0, 0.5);
                world.add(sphere, state, Role::Free, stone).unwrap();
            }
            world.step().unwrap();
            for (k, state) in order.iter().zip(world.states()) {
                let v = state.velocity.linear;
                // Five rounds of impacts, solved to 1e-12 of the speeds.
                let off = (v - DVec3::X * want[*k]).length();
                assert!(off < 1e-10, "{law:?} {order:?} {k}: {v}");
            }
        }
    }
}
