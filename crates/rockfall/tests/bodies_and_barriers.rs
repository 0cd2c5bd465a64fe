//! What barriers meet is the body of a rock: along their line, and up to its highest point as it is turned.

use crate::scenes;

use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_dynamics::single::Flight;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::{Grid, Slope};
use klast_geometry::{Plane, Pose, Solid};
use klast_rockfall::rigid::RigidOptions;
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};
use scenes::{LUMPED, ground, thrower};

fn barrier(height: f64) -> Option<Barrier> {
    Some(Barrier::new(height, 1e12))
}

fn net(line: &[(f64, f64)], height: f64) -> Collector {
    Collector {
        name: "net".into(),
        line: line.iter().map(|p| DVec2::new(p.0, p.1)).collect(),
        barrier: barrier(height),
    }
}

fn flat(seeder: Seeder, engine: Engine, collectors: Vec<Collector>) -> Simulation {
    let grid = Grid::new(41, 41, 2.0, DVec2::ZERO, vec![0.0; 41 * 41]).unwrap();
    Simulation::new(Scene {
        raster: None,
        terrain: Box::new(grid),
        ground: ground(0.4, 0.9, 0.4),
        seeders: vec![seeder],
        engine,
        stop: StopConditions {
            maximum_time: 2.5,
            ..StopConditions::default()
        },
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors,
        seed: 11,
    })
    .unwrap()
}

fn rigid() -> Engine {
    Engine::Rigid(RigidOptions::default())
}

/// A sphere of 8 m³ (radius 1.2407 m) that goes along x past the end of a net at y = 20: its body meets the net where
/// its centre is less than a radius beyond the end.
#[test]
fn a_sphere_beyond_the_end_of_a_net_is_held_by_what_of_it_meets_the_net() {
    let radius = (0.75 * 8.0 / std::f64::consts::PI).cbrt();
    for engine in [rigid(), LUMPED] {
        for (beyond, held) in [
            (0.2, true),
            (0.5, true),
            (0.9, true),
            (radius - 1e-3, true),
            (radius + 1e-3, false),
            (2.0, false),
        ] {
            let mut seeder = thrower(DVec2::new(10.0, 20.0 + beyond));
            seeder.groups[0].size = RockSize::Volume(Distribution::constant(8.0));
            seeder.velocity[0] = Distribution::constant(9.0);
            let net = net(&[(20.0, 5.0), (20.0, 20.0)], 4.0);
            let rock = flat(seeder, engine.clone(), vec![net]).rock(0, &mut |_| {});
            assert_eq!(
                matches!(rock.outcome, Outcome::Caught { barrier: 0 }),
                held,
                "{beyond}: {:?}",
                rock.outcome
            );
            assert_eq!(rock.passages.len(), usize::from(held));
        }
    }
}

/// A sphere that comes to the end of a net and goes back, or along it, never crosses the line with its centre.
#[test]
fn a_sphere_that_goes_along_a_net_is_held_by_it() {
    for (aside, held) in [(0.6, true), (1.2, true), (1.3, false)] {
        let mut seeder = thrower(DVec2::new(20.0 - aside, 8.0));
        seeder.groups[0].size = RockSize::Volume(Distribution::constant(8.0));
        seeder.velocity[1] = Distribution::constant(9.0);
        let net = net(&[(20.0, 15.0), (20.0, 20.0)], 4.0);
        let rock = flat(seeder, rigid(), vec![net]).rock(0, &mut |_| {});
        let caught = matches!(rock.outcome, Outcome::Caught { barrier: 0 });
        assert_eq!(caught, held, "{aside}: {:?}", rock.outcome);
    }
}

/// A rock that lies against a net when it is released and goes away from it does not come to it.
#[test]
fn a_rock_released_at_a_net_is_not_held_by_it() {
    let mut seeder = thrower(DVec2::new(20.6, 17.0));
    seeder.groups[0].size = RockSize::Volume(Distribution::constant(8.0));
    seeder.velocity[0] = Distribution::constant(9.0);
    let net = net(&[(20.0, 5.0), (20.0, 30.0)], 4.0);
    let rock = flat(seeder, rigid(), vec![net]).rock(0, &mut |_| {});
    assert!(rock.passages.is_empty() && !matches!(rock.outcome, Outcome::Caught { .. }));
}

/// A plate of 1.587 × 1.587 × 0.397 m that slides flat down 20°: its highest point is the upper edge of its top, which
/// stands (0.397 cos 20° + 1.587 sin 20°)/2 = 0.458 m over its centre, and this 0.397/(2 cos 20°) = 0.211 m over the
/// ground: 0.669 m.
#[test]
fn a_plate_that_slides_flat_passes_as_high_as_its_upper_edge() {
    let slope = 20f64.to_radians();
    let (sin, cos) = slope.sin_cos();
    let edges = DVec3::new(4.0, 4.0, 1.0);
    let side = (1.0f64 / 16.0).cbrt();
    let (long, thick) = (4.0 * side, side);
    let plate = RockGroup {
        share: 1.0,
        shape: RockShape::Solid(Solid::Box { edges }),
        size: RockSize::Volume(Distribution::constant(1.0)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let mut seeder = Seeder::new("plate", Release::Point(DVec2::ZERO), 1, plate);
    seeder.attitude = Attitude::Fixed(DQuat::from_rotation_y(slope));
    seeder.velocity = [5.0 * cos, 0.0, -5.0 * sin].map(Distribution::constant);
    let right = 0.5 * (thick * cos + long * sin) + 0.5 * thick / cos;
    for (height, held) in [(1.2, true), (right + 1e-6, true), (right - 1e-6, false)] {
        let plane = Plane::new(DVec3::new(sin, 0.0, cos), 0.0).unwrap();
        let simulation = Simulation::new(Scene {
            raster: None,
            terrain: Box::new(Slope::new(plane).unwrap()),
            ground: ground(0.3, 1.0, 0.3),
            seeders: vec![seeder.clone()],
            engine: rigid(),
            stop: StopConditions {
                maximum_time: 20.0,
                ..StopConditions::default()
            },
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: vec![net(&[(20.0, -10.0), (20.0, 10.0)], height)],
            seed: 1,
        })
        .unwrap();
        let rock = simulation.rock(0, &mut |_| {});
        let p = rock.passages[0];
        assert!((p.top - right).abs() < 1e-7, "{} {right}", p.top);
        assert_eq!(p.held, held, "{height}");
    }
}

/// Outline in plan of points, by Andrew's monotone chain.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut out: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = out[..]
                && (b - a).perp_dot(p - a) <= 0.0
            {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut outline = chain(&mut points.iter().copied());
    outline.extend(chain(&mut points.iter().rev().copied()));
    outline
}

/// Whether a segment has a part within a convex outline, by clipping (Cyrus and Beck 1978).
fn cuts(outline: &[DVec2], (a, b): (DVec2, DVec2)) -> bool {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (k, p) in outline.iter().enumerate() {
        let side = outline[(k + 1) % outline.len()] - *p;
        let (at, rate) = (side.perp_dot(a - *p), side.perp_dot(b - a));
        if rate.abs() < 1e-300 {
            if at < 0.0 {
                return false;
            }
        } else if rate > 0.0 {
            from = from.max(-at / rate);
        } else {
            to = to.min(-at / rate);
        }
    }
    from <= to
}

/// Whether a body, drawn larger or smaller, meets one of some pieces on an arc: looked at densely.
fn swept(body: &Body, arc: &Arc, pieces: &[(DVec2, DVec2)], sizes: [f64; 2]) -> [bool; 2] {
    let radius = sizes[1] * body.shape().radius();
    let centre = |t: f64| arc.position_at(t).truncate();
    let way = arc
        .velocity
        .truncate()
        .length()
        .max(arc.velocity_at(arc.duration).truncate().length())
        * arc.duration;
    let away = |c: DVec2, far: f64| {
        let is_away = |p: &(DVec2, DVec2)| {
            let along = (p.1 - p.0).normalize();
            let s = (c - p.0).dot(along).clamp(0.0, p.0.distance(p.1));
            (p.0 + along * s).distance(c) > far
        };
        pieces.iter().all(is_away)
    };
    let mut found = [false; 2];
    if away(centre(0.0), radius + way) {
        return found;
    }
    let state = State {
        pose: Pose {
            rotation: arc.attitude[0],
            translation: arc.position,
        },
        velocity: Twist {
            linear: arc.velocity,
            angular: arc.spin,
        },
    };
    let flight = Flight::new(body, state, arc.acceleration);
    let mut flight = flight.followed();
    let turn = arc.spin.length() * body.shape().radius() * arc.duration;
    let looks = ((way + turn) / (0.02 * radius)).ceil().max(1.0) as usize;
    for k in 0..=looks {
        let part = k as f64 / looks as f64;
        let t = part * arc.duration;
        if away(centre(t), radius) {
            continue;
        }
        let rotation = match arc.motion {
            Motion::Flight => flight.state(t).pose.rotation,
            Motion::Contact => arc.attitude[0].slerp(arc.attitude[1], part),
        };
        let turn = DMat3::from_quat(rotation);
        let outline = hull(
            body.vertices()
                .iter()
                .map(|v| (turn * *v).truncate())
                .collect(),
        );
        for (found, size) in found.iter_mut().zip(sizes) {
            let sized: Vec<_> = outline.iter().map(|p| *p * size + centre(t)).collect();
            *found = *found || pieces.iter().any(|piece| cuts(&sized, *piece));
        }
        if found == [true; 2] {
            break;
        }
    }
    found
}

/// 10,000 rocks of four shapes thrown about nets that are straight, bent and short: held if and only if what their body
/// sweeps meets the net. Rocks whose answer changes with 2 % of their size are left open.
#[test]
fn a_rock_is_held_if_and_only_if_its_body_meets_the_net() {
    let line = [(22.0, 18.0), (23.0, 20.5), (22.5, 22.0)];
    let pieces: Vec<_> = line
        .windows(2)
        .map(|w| (DVec2::from(w[0]), DVec2::from(w[1])))
        .collect();
    let uniform = |lower, upper| Distribution::new(Family::Uniform { lower, upper }).unwrap();
    let (mut met, mut missed, mut open, mut not_by_the_centre) = (0, 0, 0, 0);
    for edges in [
        [1.0, 1.0, 1.0],
        [3.0, 2.0, 1.0],
        [5.0, 1.0, 1.0],
        [4.0, 4.0, 1.0],
    ] {
        let solid = Solid::Box {
            edges: DVec3::from(edges),
        };
        let group = RockGroup {
            share: 1.0,
            shape: RockShape::Solid(solid),
            size: RockSize::Volume(Distribution::constant(1.0)),
            density: Distribution::constant(2700.0),
            class: 0,
        };
        let ring = [(15.0, 14.0), (18.0, 14.0), (18.0, 26.0), (15.0, 26.0)];
        let area = Polygon::new(vec![ring.map(DVec2::from).to_vec()]).unwrap();
        let count = 2500;
        let mut seeder = Seeder::new("about", Release::Area(area), count, group);
        seeder.velocity = [uniform(2.0, 8.0), uniform(-4.0, 4.0), uniform(-1.0, 3.0)];
        seeder.spin = [uniform(-3.0, 3.0), uniform(-3.0, 3.0), uniform(-3.0, 3.0)];
        seeder.height = uniform(0.0, 2.0);
        let with = flat(seeder.clone(), rigid(), vec![net(&line, 1e3)]);
        let without = flat(seeder, rigid(), vec![]);
        let body = Body::uniform(&solid.with_volume(1.0).unwrap(), 2700.0).unwrap();
        for index in 0..count {
            let held = matches!(
                with.rock(index, &mut |_| {}).outcome,
                Outcome::Caught { .. }
            );
            let (mut small, mut large, mut centre) = (false, false, false);
            without.rock(index, &mut |arc| {
                if !small {
                    let [s, l] = swept(&body, arc, &pieces, [0.98, 1.02]);
                    (small, large) = (small || s, large || l);
                }
                let crosses = |(a, b): &(DVec2, DVec2)| {
                    let (from, to) = (arc.position.truncate(), arc.end().truncate());
                    let side = |p: DVec2| (*b - *a).perp_dot(p - *a) > 0.0;
                    let other = |p: DVec2| (to - from).perp_dot(p - from) > 0.0;
                    side(from) != side(to) && other(*a) != other(*b)
                };
                centre = centre || pieces.iter().any(crosses);
            });
            match (small, large) {
                (true, _) => {
                    met += 1;
                    not_by_the_centre += u32::from(!centre);
                    assert!(
                        held,
                        "{edges:?}, rock {index} meets the net and is not held"
                    );
                }
                (false, false) => {
                    missed += 1;
                    assert!(
                        !held,
                        "{edges:?}, rock {index} is held without meeting the net"
                    );
                }
                (false, true) => open += 1,
            }
        }
    }
    println!("{met} met, {missed} missed, {open} open, {not_by_the_centre} not by the centre");
    assert!(met > 1500 && missed > 1500 && open < 200 && not_by_the_centre > 300);
}
