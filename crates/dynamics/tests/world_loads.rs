//! Loads on bodies against closed forms: forces, torques, the pressure of water and earth; their work in the audit.

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Action, Body, Course, Effort, Faces, Load, Pressure, Role, State, StepReport, Surface, Twist,
    World, WorldSettings,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};

const G: f64 = 9.81;
const WATER: f64 = 1000.0;

/// A box of these edges with its centre at a place.
fn add_box(world: &mut World, edges: DVec3, density: f64, pose: Pose, friction: f64) -> usize {
    let half = 0.5 * edges;
    let corners: Vec<DVec3> = (0..8)
        .map(|k| half * DVec3::from_array([0, 1, 2].map(|a| f64::from((k >> a) & 1) * 2.0 - 1.0)))
        .collect();
    let shape = ConvexPolyhedron::from_points(&corners).unwrap();
    let body = Body::uniform(&shape, density).unwrap();
    let start = State::at_rest(body.pose_of(&pose));
    world
        .add(body, start, Role::Free, surface(friction))
        .unwrap()
}

fn surface(friction: f64) -> Surface {
    Surface {
        friction,
        restitution: 0.0,
    }
}

fn world(gravity: f64, theta: f64) -> World {
    World::new(WorldSettings {
        gravity: DVec3::Z * -gravity,
        theta,
        effort: Effort::Residual {
            tolerance: 1e-9,
            sweeps: 100,
        },
        ..WorldSettings::default()
    })
    .unwrap()
}

fn floor(world: &mut World, friction: f64) {
    let plane = Plane::new(DVec3::Z, 0.0).unwrap();
    world.add_plane(plane, surface(friction), None).unwrap();
}

fn load(world: &mut World, body: usize, action: Action) -> usize {
    let course = Course::Constant;
    world
        .add_load(&Load {
            body,
            action,
            course,
        })
        .unwrap()
}

/// Steps, and sees that the audit of each closes: what no term explains is the rounding of the energies in it.
fn step(world: &mut World) -> StepReport {
    let r = world.step().unwrap();
    let handled = r.energy.kinetic.abs()
        + r.energy.potential.abs()
        + r.exchange.load_work.abs()
        + r.exchange.losses().abs()
        + r.energy.tied;
    assert!(r.unexplained.abs() <= 1e-12 * handled, "{r:?}");
    assert_eq!((r.gain, r.exchange.driving_contacts), (0.0, 0), "{r:?}");
    r
}

fn steps(world: &mut World, count: i32) {
    for _ in 0..count {
        step(world);
    }
}

/// Way of a body after half a second.
fn way(world: &mut World, body: usize) -> f64 {
    let start = world.state(body).unwrap().pose;
    while world.time() < 0.5 {
        step(world);
    }
    let end = world.state(body).unwrap().pose;
    (end.translation - start.translation).length()
}

/// v = F t / m and ω = M t / I to rounding; x = F t² / 2m with θ = ½ and F h² n (n + 1) / 2m by the backward rule. A
/// force beside the centre is both, and its work is the kinetic energy, and what the backward rule takes of it.
#[test]
fn a_constant_force_is_exact() {
    for theta in [0.5, 1.0] {
        let mut world = world(0.0, theta);
        let (mass, edge) = (700.0, 0.7f64);
        let density = mass / edge.powi(3);
        let body = add_box(&mut world, DVec3::splat(edge), density, Pose::IDENTITY, 0.3);
        let (force, torque) = (DVec3::new(30.0, -5.0, 8.0), DVec3::new(2.0, 3.0, -1.0));
        load(&mut world, body, Action::Torque(torque));
        let at = DVec3::ZERO;
        load(&mut world, body, Action::Force { force, at });
        let (n, h) = (80, world.settings().step);
        steps(&mut world, n);
        let (t, inertia) = (f64::from(n) * h, mass * edge * edge / 6.0);
        let state = world.state(body).unwrap();
        let more = if theta == 1.0 { t * h } else { 0.0 };
        let x = force * (0.5 * (t * t + more) / mass);
        let (v, w) = (force * (t / mass), torque * (t / inertia));
        assert!((state.velocity.linear - v).length() < 1e-12 * v.length());
        assert!((state.velocity.angular - w).length() < 1e-12 * w.length());
        assert!((state.pose.translation - x).length() < 1e-12 * x.length());
        let ledger = world.ledger();
        let work = ledger.exchange.load_work - ledger.exchange.scheme_loss;
        assert!(
            (world.kinetic_energy() - work).abs() < 1e-12 * work,
            "{ledger:?}"
        );
    }
}

/// A force at a corner of a long plate turns it by F × arm; after a quarter turn in space the point of the body is
/// elsewhere, and the torque with it: the angular momentum is the integral of it, to second order in the step.
#[test]
fn a_force_moves_with_its_point() {
    let error = |h: f64| {
        let mut world = world(0.0, 1.0);
        let settings = *world.settings();
        world
            .set_settings(WorldSettings {
                step: h,
                ..settings
            })
            .unwrap();
        let body = add_box(
            &mut world,
            DVec3::new(2.0, 0.4, 0.1),
            900.0,
            Pose::IDENTITY,
            0.3,
        );
        let (force, at) = (DVec3::Y * 4.0, DVec3::new(1.0, 0.2, 0.0));
        load(&mut world, body, Action::Force { force, at });
        while world.time() < 2.0 - 0.5 * h {
            step(&mut world);
        }
        // φ'' = F/I_z (cos φ − 0.2 sin φ), by fine steps of the classical rule of Runge and Kutta.
        let mass = 2.0 * 0.4 * 0.1 * 900.0;
        let ratio = 4.0 / (mass * (4.0 + 0.16) / 12.0);
        let slope = |[a, w]: [f64; 2]| [w, ratio * (a.cos() - 0.2 * a.sin())];
        let (mut y, dt) = ([0.0, 0.0], 1e-4);
        let add = |y: [f64; 2], k: [f64; 2], s: f64| [y[0] + s * k[0], y[1] + s * k[1]];
        for _ in 0..20_000 {
            let a = slope(y);
            let b = slope(add(y, a, 0.5 * dt));
            let c = slope(add(y, b, 0.5 * dt));
            let d = slope(add(y, c, dt));
            y = std::array::from_fn(|k| y[k] + dt / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
        }
        (world.state(body).unwrap().velocity.angular.z - y[1]).abs() / y[1]
    };
    // A quarter of the step has a sixteenth of the error.
    let (coarse, fine) = (error(4e-3), error(1e-3));
    assert!(
        coarse < 1e-6 && (14.0..18.0).contains(&(coarse / fine)),
        "{coarse} {fine}"
    );
}

/// A force by the time: a triangle of 1.5 s and 80 N at most has an impulse of 60 N s, whatever the step; nothing acts
/// before and after. What is taken away acts no more.
#[test]
fn a_force_in_time_has_the_impulse_of_its_table() {
    for h in [1e-3, 7e-3] {
        let mut world = world(0.0, 1.0);
        let settings = *world.settings();
        world
            .set_settings(WorldSettings {
                step: h,
                ..settings
            })
            .unwrap();
        let body = add_box(&mut world, DVec3::ONE, 40.0, Pose::IDENTITY, 0.3);
        let course = Course::Table(vec![(0.2, 0.0), (0.9, 1.0), (1.7, 0.0)]);
        let action = Action::Force {
            force: DVec3::X * 80.0,
            at: DVec3::ZERO,
        };
        let number = world
            .add_load(&Load {
                body,
                action,
                course,
            })
            .unwrap();
        while world.time() < 2.0 {
            step(&mut world);
        }
        let v = world.state(body).unwrap().velocity.linear.x;
        assert!((v - 60.0 / 40.0).abs() < 1e-12, "{v}");
        load(&mut world, body, action);
        world.set_load(number, None).unwrap();
        world.set_load(number + 1, None).unwrap();
        step(&mut world);
        assert_eq!(world.state(body).unwrap().velocity.linear.x, v);
    }
}

/// A block on a floor holds a horizontal force up to its friction and slides beyond.
#[test]
fn a_pushed_block_slides_at_its_friction() {
    for (part, slides) in [(0.999, false), (1.001, true)] {
        let mut world = world(G, 1.0);
        floor(&mut world, 0.4);
        let at = Pose::from_translation(DVec3::Z * 0.25);
        let body = add_box(&mut world, DVec3::new(1.0, 1.0, 0.5), 2000.0, at, 0.4);
        let force = DVec3::X * (part * 0.4 * 1000.0 * G);
        let at = DVec3::new(0.0, 0.0, 0.05);
        load(&mut world, body, Action::Force { force, at });
        let way = way(&mut world, body);
        assert_eq!(way > 1e-5, slides, "{part}: {way}");
    }
}

/// A dam: a box of this width and height (m) and a metre thick, with water behind it up to a level; uplift in its joint
/// from full pressure at the heel to none at the toe where it is wet.
fn dam(width: f64, height: f64, friction: f64, level: f64, wet: bool) -> (World, usize) {
    let mut world = world(G, 1.0);
    floor(&mut world, friction);
    let at = Pose::from_translation(DVec3::Z * (0.5 * height));
    let body = add_box(
        &mut world,
        DVec3::new(width, 1.0, height),
        2400.0,
        at,
        friction,
    );
    let action = |faces, pressure| Action::Pressure { faces, pressure };
    let water = Pressure::water(level, WATER, G).unwrap();
    load(&mut world, body, action(Faces::Facing(-DVec3::X), water));
    if wet {
        let (heel, toe) = (DVec3::X * (-0.5 * width), DVec3::X * (0.5 * width));
        let uplift = Pressure::between((heel, WATER * G * level), (toe, 0.0)).unwrap();
        load(&mut world, body, action(Faces::Facing(-DVec3::Z), uplift));
    }
    (world, body)
}

/// Level at which a dam slides, `½ ρ g H² = μ (W − U)`, and at which it overturns about its toe, `ρ g H³/6 + U 2b/3 =
/// W b/2`, with the uplift U = ½ ρ g H b of a joint that is wet: by bisection of those, per metre.
fn limits(width: f64, height: f64, friction: f64, wet: bool) -> (f64, f64) {
    let weight = 2400.0 * G * width * height;
    let uplift = |level: f64| {
        if wet {
            0.5 * WATER * G * level * width
        } else {
            0.0
        }
    };
    let root = |excess: &dyn Fn(f64) -> f64| {
        let (mut low, mut high) = (0.0, 10.0 * height);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 {
                high = middle
            } else {
                low = middle
            }
        }
        low
    };
    let thrust = |level: f64| 0.5 * WATER * G * level * level;
    (
        root(&|l| thrust(l) - friction * (weight - uplift(l))),
        root(&|l| thrust(l) * l / 3.0 + uplift(l) * 2.0 / 3.0 * width - weight * 0.5 * width),
    )
}

/// 0.1 % of the level decide whether a dam stands, in sliding and in overturning, with and without uplift.
#[test]
fn a_dam_slides_and_overturns_at_the_levels_of_statics() {
    for (width, height, friction, wet) in [
        (3.0, 4.0, 0.25, false),
        (3.0, 4.0, 0.3, true),
        (1.2, 4.0, 0.9, false),
        (1.5, 4.0, 0.9, true),
    ] {
        let (slides, overturns) = limits(width, height, friction, wet);
        let limit = slides.min(overturns);
        assert!(
            limit < height,
            "water stays behind the dam: {slides} {overturns}"
        );
        for (part, moves) in [(0.999, false), (1.001, true)] {
            let (mut world, body) = dam(width, height, friction, part * limit, wet);
            let way = way(&mut world, body);
            assert_eq!(
                way > 1e-5,
                moves,
                "{width} {wet} {part}: {way} of {slides} {overturns}"
            );
        }
    }
}

/// Under water a body of any attitude has the buoyancy of its volume at its mass centre (Archimedes), and a box that
/// floats upright that of its part under water. Earth has no buoyancy above its surface.
#[test]
fn buoyancy_is_that_of_the_volume_under_water() {
    let edges = DVec3::new(1.3, 0.6, 0.8);
    let accelerates = |pose: Pose, level: f64| {
        let mut world = world(G, 1.0);
        let body = add_box(&mut world, edges, 600.0, pose, 0.3);
        let action = Action::Pressure {
            faces: Faces::All,
            pressure: Pressure::water(level, WATER, G).unwrap(),
        };
        load(&mut world, body, action);
        let h = world.settings().step;
        step(&mut world);
        let v = world.state(body).unwrap().velocity;
        (v.linear / h, v.angular / h)
    };
    let turned = DQuat::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 0.7);
    let deep = Pose::new(turned, DVec3::new(3.0, -1.0, -4.0)).unwrap();
    let (a, w) = accelerates(deep, 1.0);
    let up = G * (WATER / 600.0 - 1.0);
    assert!((a - DVec3::Z * up).length() < 1e-10 * up, "{a}");
    assert!(w.length() < 1e-9, "{w}");
    for part in [0.1, 0.6, 0.93] {
        let (a, w) = accelerates(Pose::IDENTITY, -0.4 + part * 0.8);
        let up = G * (part * WATER / 600.0 - 1.0);
        assert!((a - DVec3::Z * up).length() < 1e-10 * G, "{part}: {a}");
        assert!(w.length() < 1e-10, "{w}");
    }
}

/// Earth behind a smooth wall, with Rankine's coefficient and a surcharge: the thrust `K (½ ρ g H² + q H)` makes it
/// slide and its moment `K (ρ g H³/6 + q H²/2)` overturn; with wall friction the shear along the face holds it down.
#[test]
fn a_wall_holds_the_earth_that_statics_says() {
    let (height, density, phi) = (3.0, 1800.0, 30f64.to_radians());
    let k = (1.0 - phi.sin()) / (1.0 + phi.sin());
    // Friction at the base, and tangent of wall friction: sliding and overturning, smooth and rough.
    for (friction, rough, overturns) in [(0.3, 0.0, false), (0.9, 0.0, true), (0.9, 0.3, true)] {
        let surcharge = 4000.0;
        let weight = density * G;
        let thrust = k * (0.5 * weight * height * height + surcharge * height);
        let moment = k * (weight * height.powi(3) / 6.0 + 0.5 * surcharge * height * height);
        // The width at which it is at its limit, of a wall of 2,300 kg/m³; shear on the back acts at the heel.
        let own = 2300.0 * G * height;
        let width = match overturns {
            false => (thrust / friction - rough * thrust) / own,
            true => {
                let shear = rough * thrust / own;
                -shear + (shear * shear + 2.0 * moment / own).sqrt()
            }
        };
        for (part, moves) in [(1.001, false), (0.999, true)] {
            let mut world = world(G, 1.0);
            floor(&mut world, friction);
            let at = Pose::from_translation(DVec3::Z * (0.5 * height));
            let edges = DVec3::new(part * width, 1.0, height);
            let body = add_box(&mut world, edges, 2300.0, at, friction);
            let earth = Pressure::earth(height, (density, G), k, surcharge).unwrap();
            let pressure = Pressure {
                wall_friction: rough,
                ..earth
            };
            let faces = Faces::Facing(-DVec3::X);
            load(&mut world, body, Action::Pressure { faces, pressure });
            let way = way(&mut world, body);
            assert_eq!(way > 1e-5, moves, "{friction} {rough} {part}: {way}");
        }
    }
}

/// Coulomb's wedge as a rigid body between a plane that is inclined by α and a smooth wall: it presses the wall with
/// `W tan(α − φ)`. A force on the wall from outside of a part more holds it, of a part less does not.
#[test]
fn a_rigid_wedge_presses_as_coulombs_does() {
    let (height, alpha, friction) = (2.0, 60f64.to_radians(), 0.5f64);
    let base = height / alpha.tan();
    let outline = [
        DVec3::ZERO,
        DVec3::new(base, 0.0, height),
        DVec3::new(0.0, 0.0, height),
    ];
    let corners: Vec<DVec3> = outline
        .iter()
        .flat_map(|c| [*c - 0.5 * DVec3::Y, *c + 0.5 * DVec3::Y])
        .collect();
    let shape = ConvexPolyhedron::from_points(&corners).unwrap();
    let body = Body::uniform(&shape, 1900.0).unwrap();
    let thrust = body.mass() * G * (alpha - friction.atan()).tan();
    for (part, moves) in [(1.001, false), (0.999, true)] {
        let mut world = world(G, 1.0);
        // The plane under the wedge, and the smooth floor of a smooth wall.
        let slope = DVec3::new(-alpha.sin(), 0.0, alpha.cos());
        world
            .add_plane(Plane::new(slope, 0.0).unwrap(), surface(friction), None)
            .unwrap();
        let start = State::at_rest(body.pose_of(&Pose::IDENTITY));
        let wedge = world
            .add(body.clone(), start, Role::Free, surface(friction))
            .unwrap();
        let at = Pose::from_translation(DVec3::new(-0.5, 0.0, 0.5 * height));
        let wall = add_box(&mut world, DVec3::new(1.0, 3.0, height), 2300.0, at, 0.0);
        // The floor holds the wall alone.
        let at = Pose::from_translation(DVec3::new(-0.51, 0.0, -0.5));
        let footing = add_box(&mut world, DVec3::new(1.0, 3.0, 1.0), 2300.0, at, 0.0);
        world.set_role(footing, Role::Fixed).unwrap();
        let force = DVec3::X * (part * thrust);
        // The wedge's forces meet at the height at which that of the wall has no moment about its centre.
        let at = DVec3::new(-1.0, 0.0, 2.0 / 3.0 * height);
        load(&mut world, wall, Action::Force { force, at });
        let (way, down) = (
            way(&mut world, wedge),
            world.state(wall).unwrap().pose.translation.x,
        );
        assert_eq!(way > 1e-5, moves, "{part}: {way}, wall at {down}");
    }
}

/// What is refused: bodies that are not there or not free, tables that go back, spheres under pressure, faces without a
/// direction.
#[test]
fn loads_that_mean_nothing_are_refused() {
    let mut world = world(G, 1.0);
    let body = add_box(&mut world, DVec3::ONE, 1000.0, Pose::IDENTITY, 0.3);
    let ball = Body::sphere(0.5, 1000.0).unwrap();
    let place = State::at_rest(Pose::from_translation(DVec3::X * 3.0));
    let ball = world.add(ball, place, Role::Free, surface(0.3)).unwrap();
    let place = State::at_rest(Pose::from_translation(DVec3::X * 6.0));
    let still = Body::sphere(0.5, 1000.0).unwrap();
    let still = world.add(still, place, Role::Fixed, surface(0.3)).unwrap();
    let force = Action::Torque(DVec3::X);
    let water = Pressure::water(0.0, WATER, G).unwrap();
    let wet = |faces| Action::Pressure {
        faces,
        pressure: water,
    };
    for (body, action, course) in [
        (7, force, Course::Constant),
        (still, force, Course::Constant),
        (body, force, Course::Table(vec![])),
        (body, force, Course::Table(vec![(1.0, 0.0), (1.0, 1.0)])),
        (body, force, Course::Table(vec![(1.0, f64::NAN)])),
        (body, Action::Torque(DVec3::NAN), Course::Constant),
        (ball, wet(Faces::All), Course::Constant),
        (body, wet(Faces::Facing(DVec3::ZERO)), Course::Constant),
    ] {
        let refused = world.add_load(&Load {
            body,
            action,
            course,
        });
        assert!(refused.is_err(), "{body} {action:?}");
    }
    assert!(world.set_load(0, None).is_err());
    assert!(Pressure::water(0.0, -1.0, G).is_err());
    assert!(Pressure::between((DVec3::X, 1.0), (DVec3::X, 2.0)).is_err());
    assert!(world.set_velocity(9, Twist::ZERO).is_err());
    assert!(world.set_attitude(9, DQuat::IDENTITY).is_err());
}
