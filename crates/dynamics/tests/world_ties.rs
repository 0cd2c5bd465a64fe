//! Ties, dowels, hinges and bonded joints against closed forms; their energy in the audit.

use glam::DVec3;
use klast_dynamics::{
    Action, Body, Bond, Course, Effort, End, Failure, Form, Load, Role, State, StepReport, Surface,
    Tie, World, WorldSettings,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use std::f64::consts::PI;

const G: f64 = 9.81;

fn surface(friction: f64) -> Surface {
    Surface {
        friction,
        restitution: 0.0,
    }
}

/// A box of these edges and mass with its centre at a place.
fn add_box(world: &mut World, edges: DVec3, mass: f64, at: DVec3, friction: f64) -> usize {
    let corners: Vec<DVec3> = (0..8)
        .map(|k| edges * DVec3::from_array([0, 1, 2].map(|a| f64::from((k >> a) & 1) - 0.5)))
        .collect();
    let shape = ConvexPolyhedron::from_points(&corners).unwrap();
    let body = Body::uniform(&shape, mass / edges.element_product()).unwrap();
    let pose = Pose::from_translation(at);
    let start = State::at_rest(body.pose_of(&pose));
    world
        .add(body, start, Role::Free, surface(friction))
        .unwrap()
}

fn world(gravity: f64, step: f64) -> World {
    World::new(WorldSettings {
        gravity: DVec3::Z * -gravity,
        step,
        effort: Effort::Residual {
            tolerance: 1e-10,
            sweeps: 100,
        },
        ..WorldSettings::default()
    })
    .unwrap()
}

fn floor(world: &mut World, friction: f64) -> usize {
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(plane, surface(friction), None).unwrap()
}

/// Steps, and sees that the audit closes and nothing makes energy.
fn step(world: &mut World) -> StepReport {
    let r = world.step().unwrap();
    let turned =
        r.exchange.losses().abs() + r.exchange.load_work.abs() + r.exchange.boundary_work.abs();
    let handled = r.energy.kinetic.abs() + r.energy.potential.abs() + r.energy.tied + turned;
    assert!(r.unexplained.abs() <= 1e-11 * handled, "{r:?}");
    assert_eq!(
        (r.gain, r.exchange.driving_contacts, r.solver.unconverged),
        (0.0, 0, 0),
        "{r:?}"
    );
    assert!(r.exchange.tie_loss >= -1e-12 * handled, "{r:?}");
    r
}

fn run(world: &mut World, until: f64) {
    while world.time() < until - 0.5 * world.settings().step {
        step(world);
    }
}

fn bar(body: usize, at: DVec3, to: DVec3, stiffness: f64) -> Tie {
    Tie {
        ends: [End::Body { body, at }, End::Fixed(to)],
        form: Form::Bar,
        stiffness,
        pretension: 0.0,
        strength: None,
        failure: Failure::Brittle,
    }
}

fn push(world: &mut World, body: usize, force: DVec3, course: Course) -> usize {
    let at = world.state(body).unwrap().pose.translation;
    let action = Action::Force { force, at };
    world
        .add_load(&Load {
            body,
            action,
            course,
        })
        .unwrap()
}

/// A mass on a rod that is tightened to its weight hangs still; one without pretension comes to rest W/k below, since
/// the rule of the step damps. Whatever the stiffness: h²k/m is 6e-5 to 6e5.
#[test]
fn a_mass_hangs_by_its_weight_over_the_stiffness() {
    for stiffness in [1e3, 1e7, 1e13] {
        let (mass, top) = (100.0, DVec3::Z * 3.0);
        let hangs = |pretension: f64, seconds: f64| {
            let mut world = world(G, 2.5e-3);
            let body = add_box(&mut world, DVec3::splat(0.4), mass, DVec3::ZERO, 0.5);
            let tie = Tie {
                pretension,
                ..bar(body, DVec3::Z * 0.2, top, stiffness)
            };
            let number = world.add_tie(&tie).unwrap();
            let start = world.tie(number).unwrap();
            run(&mut world, seconds);
            let (now, state) = (world.tie(number).unwrap(), *world.state(body).unwrap());
            (start, now, state)
        };
        let weight = mass * G;
        let (start, now, state) = hangs(weight, 0.1);
        assert!((start.force - DVec3::Z * weight).length() < 1e-9 * stiffness.sqrt());
        // The length of the rod is known to its rounding, and with it its force.
        let known = 1e-9 * weight + 1e-15 * stiffness;
        assert!((now.force.z - weight).abs() < known, "{stiffness}: {now:?}");
        assert!(state.velocity.linear.length() < 1e-9);
        // What is stiff for the step is damped at once, a soft spring over minutes.
        if stiffness > 1e6 {
            let (_, now, state) = hangs(0.0, 5.0);
            assert!(
                (now.force.z - weight).abs() < 1e-6 * weight + known,
                "{now:?}"
            );
            let down = weight / stiffness;
            assert!((state.pose.translation.z + down).abs() < 1e-6 * down + 1e-14);
        }
    }
}

/// Free oscillation on a spring, x = x₀ cos √(k/m) t: the backward rule meets it to first order.
#[test]
fn a_mass_on_a_spring_swings_as_the_closed_form() {
    let error = |h: f64| {
        let mut world = world(0.0, h);
        let body = add_box(&mut world, DVec3::splat(0.4), 50.0, DVec3::ZERO, 0.5);
        // Two rods with a pretension that neither loses: k/m = 2 · 800/50.
        for side in [-1.0, 1.0] {
            let tie = Tie {
                pretension: 400.0,
                ..bar(
                    body,
                    DVec3::X * (0.2 * side),
                    DVec3::X * (2.2 * side),
                    800.0,
                )
            };
            world.add_tie(&tie).unwrap();
        }
        let (speed, rate) = (0.5, (2.0f64 * 800.0 / 50.0).sqrt());
        let mut state = *world.state(body).unwrap();
        state.velocity.linear.x = speed;
        world.set_velocity(body, state.velocity).unwrap();
        run(&mut world, 1.0);
        let x = world.state(body).unwrap().pose.translation.x;
        (x - speed / rate * rate.sin()).abs() / (speed / rate)
    };
    let (coarse, fine) = (error(2e-3), error(5e-4));
    assert!(
        coarse < 4e-2 && (3.6..4.4).contains(&(coarse / fine)),
        "{coarse} {fine}"
    );
}

/// A rod breaks in the step in which the force passes its strength, and never carries more; its energy is lost. A
/// yielding one keeps its strength and becomes longer by what the force does beyond; unloaded, that length stays.
#[test]
fn a_tie_breaks_and_yields_at_its_strength() {
    let (mass, stiffness, strength, rate) = (20.0, 1e6, 500.0, 200.0);
    for failure in [Failure::Brittle, Failure::Plastic] {
        let mut world = world(0.0, 1e-3);
        let body = add_box(&mut world, DVec3::splat(0.3), mass, DVec3::ZERO, 0.5);
        let tie = Tie {
            strength: Some(strength),
            failure,
            ..bar(body, DVec3::ZERO, DVec3::X * -2.0, stiffness)
        };
        let number = world.add_tie(&tie).unwrap();
        let course = Course::Table(vec![(0.0, 0.0), (3.0, 3.0), (3.001, 0.0)]);
        push(&mut world, body, DVec3::X * rate, course);
        let mut broke = None;
        while world.time() < 4.0 {
            let report = step(&mut world);
            let force = world.tie(number).unwrap().force.length();
            assert!(force <= strength * (1.0 + 1e-9), "{force}");
            if report.events.broken_ties > 0 {
                broke = Some(report.time);
            }
        }
        let (state, tie) = (*world.state(body).unwrap(), world.tie(number).unwrap());
        match failure {
            Failure::Brittle => {
                assert!(tie.broken);
                // The force grows by 0.2 N a step, and lags by what accelerates the mass, m rate / k.
                let time = broke.unwrap();
                assert!((time - strength / rate).abs() < 2e-3, "{time}");
                // From then on the body is free: ½ rate (3² − 2.5²) is its momentum, to a step.
                let momentum = 0.5 * rate * (9.0 - 6.25);
                let left = (mass * state.velocity.linear.x - momentum).abs();
                assert!(left < 2.0 * strength * 2e-3, "{left}");
            }
            Failure::Plastic => {
                // From 2.5 s to 3 s m x'' = rate (t − 2.5), then −strength until it stands still: the momentum of the
                // first is half a second's triangle, 25 N s, and its way rate s³/6; it stops over p²/2 m F.
                let (momentum, s): (f64, f64) = (0.5 * rate * 0.25, 0.5);
                let way =
                    rate * s.powi(3) / 6.0 / mass + momentum.powi(2) / (2.0 * mass * strength);
                assert!(
                    !tie.broken && (tie.plastic - way).abs() < 2e-2 * way,
                    "{tie:?} {way}"
                );
                // Yielding took its strength times the way; the rest is damping.
                let took = world.ledger().exchange.tie_loss;
                assert!(
                    (took - strength * tie.plastic).abs() < 2e-2 * took,
                    "{took}"
                );
                assert!(tie.force.length() < strength);
            }
        }
    }
}

/// A block on a smooth slope is held by a dowel, down the slope by W sin α/k, and pressed on it by nothing else.
#[test]
fn a_dowel_holds_in_all_directions() {
    for side in [-1.0, 1.0] {
        let angle = 0.3f64;
        let mut world = world(0.0, 2.5e-3);
        floor(&mut world, 0.0);
        let settings = WorldSettings {
            gravity: DVec3::new(side * G * angle.sin(), 0.0, -G * angle.cos()),
            ..*world.settings()
        };
        world.set_settings(settings).unwrap();
        let body = add_box(&mut world, DVec3::splat(0.4), 80.0, DVec3::Z * 0.2, 0.0);
        let at = DVec3::ZERO;
        let dowel = Tie {
            form: Form::Dowel,
            ..bar(body, at, at, 2e6)
        };
        let number = world.add_tie(&dowel).unwrap();
        run(&mut world, 4.0);
        let tie = world.tie(number).unwrap();
        let shear = 80.0 * G * angle.sin();
        assert!((tie.force.x + side * shear).abs() < 1e-5 * shear, "{tie:?}");
        // What of the weight it carries beside the floor equilibrium leaves free, but the floor is rigid.
        assert!(
            (tie.elongation - shear / 2e6).abs() < 1e-4 * shear / 2e6,
            "{tie:?}"
        );
    }
}

/// A rod on a hinge, two dowels on an axis: a compound pendulum with T = 2π √(I/(m g d)), I about the hinge, to what
/// the amplitude (θ²/16) and the step leave; the other spins stay 0.
#[test]
fn a_hinge_makes_a_pendulum() {
    let (mass, length, h) = (12.0, 1.5, 5e-4);
    let mut world = world(G, h);
    let edges = DVec3::new(0.1, 0.2, length);
    let body = add_box(&mut world, edges, mass, DVec3::ZERO, 0.5);
    for y in [-0.1, 0.1] {
        let at = DVec3::new(0.0, y, 0.5 * length);
        let dowel = Tie {
            form: Form::Dowel,
            ..bar(body, at, at, 1e9)
        };
        world.add_tie(&dowel).unwrap();
    }
    let about = mass * ((length * length + 0.01) / 12.0 + 0.25 * length * length);
    let period = 2.0 * PI * (about / (mass * G * 0.5 * length)).sqrt();
    let mut velocity = world.state(body).unwrap().velocity;
    velocity.angular.y = 0.1;
    velocity.linear.x = -0.05 * length;
    world.set_velocity(body, velocity).unwrap();
    let mut turns = vec![];
    let mut last = world.state(body).unwrap().velocity.angular.y;
    while turns.len() < 3 {
        step(&mut world);
        let now = world.state(body).unwrap().velocity.angular;
        assert!(now.x.abs() + now.z.abs() < 1e-9);
        if now.y * last < 0.0 {
            turns.push(world.time() - h * now.y / (now.y - last));
        }
        last = now.y;
    }
    let found = turns[2] - turns[0];
    assert!((found - period).abs() < 1e-3 * period, "{found} {period}");
}

/// A block that a tightened rod presses on the floor holds μ (W + P): 0.1 % decide.
#[test]
fn pretension_adds_to_friction() {
    let (mass, pretension, friction) = (300.0, 2500.0, 0.5);
    for (part, moves) in [(0.999, false), (1.001, true)] {
        let mut world = world(G, 2.5e-3);
        floor(&mut world, friction);
        let body = add_box(
            &mut world,
            DVec3::new(1.0, 1.0, 0.5),
            mass,
            DVec3::Z * 0.25,
            friction,
        );
        let tie = Tie {
            pretension,
            ..bar(body, DVec3::Z * 0.25, DVec3::Z * -4.0, 1e5)
        };
        world.add_tie(&tie).unwrap();
        let force = DVec3::X * (part * friction * (mass * G + pretension));
        let action = Action::Force {
            force,
            at: DVec3::Z * 0.05,
        };
        let course = Course::Constant;
        world
            .add_load(&Load {
                body,
                action,
                course,
            })
            .unwrap();
        let start = world.state(body).unwrap().pose.translation;
        run(&mut world, 0.4);
        let way = (world.state(body).unwrap().pose.translation - start).length();
        assert_eq!(way > 1e-5, moves, "{part}: {way}");
    }
}

/// Two blocks, one on the other, tied by a rod between them and pulled apart: the rod carries what is beyond the weight
/// of the upper one. The same bits on one thread and on all, and from a snapshot on.
#[test]
fn a_tie_between_bodies_has_the_same_bits_anyhow() {
    let mut ends = vec![];
    for (parallel, stop) in [(true, false), (false, false), (false, true)] {
        let mut world = world(G, 2.5e-3);
        let settings = WorldSettings {
            parallel,
            ..*world.settings()
        };
        world.set_settings(settings).unwrap();
        floor(&mut world, 0.6);
        for k in 0..3 {
            let x = 3.0 * f64::from(k);
            let edges = DVec3::splat(0.5);
            let at = DVec3::new(x, 0.0, 0.25);
            let low = add_box(&mut world, edges, 400.0, at, 0.6);
            let high = add_box(&mut world, edges, 100.0, at + DVec3::Z * 0.5, 0.6);
            let tie = Tie {
                ends: [
                    End::Body { body: low, at },
                    End::Body {
                        body: high,
                        at: at + DVec3::Z * 0.5,
                    },
                ],
                strength: (k == 2).then_some(800.0),
                ..bar(low, at, at, 1e8)
            };
            world.add_tie(&tie).unwrap();
            let force = DVec3::Z * (100.0 * G + 600.0 + 300.0 * f64::from(k));
            push(&mut world, high, force, Course::Constant);
        }
        run(&mut world, 0.4);
        if stop {
            let mut again = world.clone();
            let snapshot = world.snapshot();
            run(&mut again, 0.5);
            again.restore(&snapshot).unwrap();
            world = again;
        }
        run(&mut world, 0.8);
        let force = |k: usize| world.tie(k).unwrap().force.z;
        assert!((force(0) - 600.0).abs() < 1e-4 && (force(1) - 900.0).abs() < 1e-4);
        assert!(world.tie(2).unwrap().broken && world.ledger().events.broken_ties == 1);
        ends.push(format!(
            "{:?} {:?}",
            world.states().collect::<Vec<_>>(),
            world.ledger()
        ));
    }
    assert!(ends[0] == ends[1] && ends[1] == ends[2]);
}

/// A block hangs from a ceiling by the tensile strength of the joint, and is sheared along a floor by cohesion and
/// friction: 1 % decide, whatever is left of the tension when the shear strength governs.
#[test]
fn a_bonded_joint_carries_tension_and_shear() {
    let (mass, area, friction) = (200.0, 0.25, 0.5);
    let bonded = |tension: f64, cohesion: f64, force: DVec3| {
        let mut world = world(G, 2.5e-3);
        let plane = floor(&mut world, friction);
        let edges = DVec3::new(0.5, 0.5, 0.4);
        let body = add_box(&mut world, edges, mass, DVec3::Z * 0.2, friction);
        world
            .bond_to_plane(body, plane, Bond { cohesion, tension })
            .unwrap();
        let action = Action::Force {
            force,
            at: if force.x == 0.0 {
                DVec3::Z * 0.2
            } else {
                DVec3::ZERO
            },
        };
        let course = Course::Constant;
        world
            .add_load(&Load {
                body,
                action,
                course,
            })
            .unwrap();
        run(&mut world, 0.3);
        let way = (world.state(body).unwrap().pose.translation - DVec3::Z * 0.2).length();
        (way, world.ledger().events.broken_joints)
    };
    let weight = mass * G;
    for (tension, cohesion) in [(1e4, 2e4), (1e4, 5e3), (0.0, 8e3)] {
        let up = DVec3::Z * (weight + tension * area);
        let along = DVec3::X * (cohesion * area + friction * weight);
        for limit in [up, along] {
            let (way, broken) = bonded(tension, cohesion, limit * 0.99);
            assert!(
                way < 1e-7 && broken == 0,
                "{tension} {cohesion} {limit}: {way}"
            );
            let (way, broken) = bonded(tension, cohesion, limit * 1.01);
            assert!(
                way > 1e-3 && broken == 1,
                "{tension} {cohesion} {limit}: {way}"
            );
        }
    }
}

/// A bonded block overturns where the tension at its heel reaches the strength: with corners that carry a quarter each,
/// M = W b/2 + f_t A b/2.
#[test]
fn a_bonded_joint_holds_a_moment() {
    let (mass, tension, friction) = (100.0, 4e4, 0.9);
    for (part, moves) in [(0.98, false), (1.02, true)] {
        let mut world = world(G, 2.5e-3);
        let plane = floor(&mut world, friction);
        let body = add_box(
            &mut world,
            DVec3::new(0.4, 0.5, 2.0),
            mass,
            DVec3::Z,
            friction,
        );
        let bond = Bond {
            cohesion: 1e5,
            tension,
        };
        world.bond_to_plane(body, plane, bond).unwrap();
        let moment = (mass * G + tension * 0.2) * 0.2;
        let action = Action::Force {
            force: DVec3::X * (part * moment / 2.0),
            at: DVec3::Z * 2.0,
        };
        let course = Course::Constant;
        world
            .add_load(&Load {
                body,
                action,
                course,
            })
            .unwrap();
        run(&mut world, 0.5);
        let way = (world.state(body).unwrap().pose.translation - DVec3::Z).length();
        assert_eq!(way > 1e-3, moves, "{part}: {way}");
    }
}

/// What is refused: no stiffness, a pretension over the strength, ends at one body or at none that is free, tension
/// beyond the apex of the cone.
#[test]
fn ties_that_mean_nothing_are_refused() {
    let mut world = world(G, 2.5e-3);
    let plane = floor(&mut world, 0.5);
    let body = add_box(&mut world, DVec3::ONE, 100.0, DVec3::Z * 0.5, 0.5);
    let good = bar(body, DVec3::Z, DVec3::Z * 3.0, 1e6);
    let both = End::Body {
        body,
        at: DVec3::ZERO,
    };
    let nobody = End::Body {
        body: 5,
        at: DVec3::ZERO,
    };
    let fixed = End::Fixed(DVec3::X);
    let bad = [
        Tie {
            stiffness: 0.0,
            ..good
        },
        Tie {
            stiffness: f64::NAN,
            ..good
        },
        Tie {
            pretension: -1.0,
            ..good
        },
        Tie {
            pretension: 2.0,
            strength: Some(1.0),
            ..good
        },
        Tie {
            pretension: 1e9,
            ..good
        },
        Tie {
            strength: Some(0.0),
            ..good
        },
        Tie {
            form: Form::Dowel,
            pretension: 1.0,
            ..good
        },
        Tie {
            ends: [good.ends[0], both],
            ..good
        },
        Tie {
            ends: [good.ends[0], nobody],
            ..good
        },
        Tie {
            ends: [fixed, good.ends[1]],
            ..good
        },
        Tie {
            ends: [good.ends[1], good.ends[1]],
            ..good
        },
    ];
    for tie in bad {
        assert!(world.add_tie(&tie).is_err(), "{tie:?}");
    }
    assert!(world.cut_tie(0).is_err() && world.tie(0).is_none());
    let bond = |cohesion, tension| Bond { cohesion, tension };
    assert!(world.bond_to_plane(body, plane, bond(1.0, 2.1)).is_err());
    assert!(
        world
            .bond_to_plane(body, plane + 1, bond(1.0, 1.0))
            .is_err()
    );
    assert!(world.bond(body, body, bond(1.0, 1.0)).is_err());
    world.bond_to_plane(body, plane, bond(1.0, 1.0)).unwrap();
    let springs = WorldSettings {
        stiffness: Some(1e8),
        effort: Effort::Auto { tolerance: 1e-6 },
        ..*world.settings()
    };
    assert!(world.set_settings(springs).is_err());
    assert!(world.bond(body, 8, bond(1.0, 1.0)).is_err());
    assert!(
        world
            .bond_to_plane(body, plane, bond(f64::NAN, 0.0))
            .is_err()
    );
}
