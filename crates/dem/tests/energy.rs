//! Elastic collisions of two bodies: what the law of the nearest facet costs, and what mending its jumps gains.

use crate::common;

use common::{Draw, polyhedron};
use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, World};
use klast_geometry::Pose;

const STIFFNESS: f64 = 1e4;

/// One random pair just before touching: speeds about 1 m/s, spins 1 rad/s, size about 1 m, density 1.
struct Pair {
    particles: Vec<Particle>,
    motions: Vec<Motion>,
    /// Half period of the linear contact, s.
    contact_time: f64,
}

fn pair(id: u64, stiffness: f64) -> Pair {
    let mut draw = Draw::new(1000 + id);
    let (fa, fb) = ((id % 5) as usize, ((id / 5) % 5) as usize);
    let [a, b] = [fa, fb].map(|f| {
        Particle::solid(&polyhedron(&mut draw, f), 1.0, 0)
            .unwrap()
            .0
    });
    let mut motions = [&a, &b].map(|p| {
        let spin = draw.direction();
        let velocity = draw.direction() * 0.3;
        let mut motion = Motion::at(&Pose::new(draw.turn(), DVec3::ZERO).unwrap());
        motion.velocity = velocity;
        motion.rotation.momentum = spin * p.inertia;
        motion
    });
    let direction = draw.direction();
    motions[1].position = direction * 4.0 + draw.direction() * 0.3;
    motions[1].velocity -= direction;
    // Along the line of approach to 1 mm before the first touch, by bisection on "do they overlap".
    let far = motions[1].position;
    let touches = |s: f64| {
        let mut poses = [motions[0].pose(), motions[1].pose()];
        poses[1].translation = far - direction * s;
        world_of(&[a.clone(), b.clone()], &poses).contacts().count() > 0
    };
    let (mut low, mut high) = (0.0, 0.0);
    while !touches(high) && high < 4.0 {
        low = high;
        high += 0.02;
    }
    let (low, _) = klast_numerics::roots::bisect(low, high, 30, touches);
    motions[1].position = far - direction * (low - 1e-3);
    let reduced = a.mass * b.mass / (a.mass + b.mass);
    Pair {
        contact_time: std::f64::consts::PI * (reduced / stiffness).sqrt(),
        particles: vec![a, b],
        motions: motions.to_vec(),
    }
}

fn world_of(particles: &[Particle], poses: &[Pose]) -> World {
    let laws = LawTable::new(1, PenaltyLaw::elastic(STIFFNESS, 1.0).unwrap()).unwrap();
    let motions = poses.iter().map(Motion::at).collect();
    World::new(
        particles.to_vec(),
        motions,
        vec![],
        laws,
        Settings::new(1e-3),
    )
    .unwrap()
}

struct Outcome {
    drift: f64,
    switches: usize,
    linear: f64,
    angular: f64,
    touched: bool,
}

fn collide(
    pair: &Pair,
    steps_per_contact: f64,
    stiffness: f64,
    exponent: f64,
    mend: bool,
) -> Outcome {
    let laws = LawTable::new(1, PenaltyLaw::elastic(stiffness, exponent).unwrap()).unwrap();
    let mut settings = Settings::new(pair.contact_time / steps_per_contact);
    settings.mend_switches = mend;
    settings.skin = 0.05;
    let mut world = World::new(
        pair.particles.clone(),
        pair.motions.clone(),
        vec![],
        laws,
        settings,
    )
    .unwrap();
    let energy = world.energy().total();
    let (p0, l0) = world.momentum();
    let (mut free, mut last, mut switches, mut touched) = (0.0, None, 0, false);
    for _ in 0..(60.0 * steps_per_contact) as usize {
        world.step().unwrap();
        let contact = world.contacts().next();
        if let Some(c) = contact {
            touched = true;
            free = 0.0;
            switches += usize::from(last.is_some_and(|f| f != c.feature));
            last = Some(c.feature);
        } else if touched {
            free += 1.0;
        }
        if free > 2.0 * steps_per_contact {
            break;
        }
    }
    let (p1, l1) = world.momentum();
    let mass: f64 = world.particles().iter().map(|p| p.mass).sum();
    Outcome {
        drift: (world.energy().total() / energy - 1.0).abs(),
        switches,
        linear: (p1 - p0).length() / mass,
        angular: (l1 - l0).length() / mass,
        touched: touched && free > 2.0 * steps_per_contact,
    }
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * q).round() as usize]
}

fn sorted_drifts(outcomes: &[Outcome]) -> Vec<f64> {
    let mut drifts: Vec<f64> = outcomes.iter().map(|o| o.drift).collect();
    drifts.sort_by(f64::total_cmp);
    drifts
}

/// 100 steps a contact, k = 1e4. The bounds are the acceptance numbers; an independent code with the plain law on pairs
/// drawn the same way has median 1.1e-5, 90 % 9.6e-5, maximum 2.3e-3.
#[test]
fn a_hundred_elastic_collisions() {
    let pairs: Vec<Pair> = (0..100).map(|id| pair(id, STIFFNESS)).collect();
    let run = |mend: bool| -> Vec<Outcome> {
        pairs
            .iter()
            .map(|p| collide(p, 100.0, STIFFNESS, 1.0, mend))
            .filter(|o| o.touched)
            .collect()
    };
    let (plain, mended) = (run(false), run(true));
    assert!(plain.len() >= 95 && mended.len() == plain.len());
    let (p, m) = (sorted_drifts(&plain), sorted_drifts(&mended));
    println!(
        "plain: 50% {:.2e} 90% {:.2e} max {:.2e}; mended: 50% {:.2e} 90% {:.2e} max {:.2e}",
        quantile(&p, 0.5),
        quantile(&p, 0.9),
        quantile(&p, 1.0),
        quantile(&m, 0.5),
        quantile(&m, 0.9),
        quantile(&m, 1.0),
    );
    assert!(quantile(&p, 0.5) <= 1.5e-5);
    assert!(quantile(&m, 0.9) <= 3e-5);
    assert!(quantile(&m, 1.0) <= 1e-4);
    for o in plain.iter().chain(&mended) {
        // The contact acts on both bodies at one point: rounding only.
        assert!(o.linear <= 1e-12 && o.angular <= 1e-10);
    }
}

/// Pairs whose facet switches, step halved three times: the plain law is first order with errors of random sign, the
/// mended one second order.
#[test]
fn mending_restores_second_order() {
    let pairs: Vec<Pair> = (0..100).map(|id| pair(id, STIFFNESS)).collect();
    let switching: Vec<&Pair> = pairs
        .iter()
        .filter(|p| collide(p, 200.0, STIFFNESS, 1.0, false).switches > 0)
        .collect();
    assert!(switching.len() >= 8, "{}", switching.len());
    // Geometric mean over the pairs: single errors pass through zero.
    let mean = |steps: f64, mend: bool| -> f64 {
        let logs: Vec<f64> = switching
            .iter()
            .map(|p| {
                collide(p, steps, STIFFNESS, 1.0, mend)
                    .drift
                    .max(1e-13)
                    .ln()
            })
            .collect();
        (logs.iter().sum::<f64>() / logs.len() as f64).exp()
    };
    let order = |mend: bool| (mean(100.0, mend) / mean(800.0, mend)).log2() / 3.0;
    let (plain, mended) = (order(false), order(true));
    println!("order of the energy error: plain {plain:.2}, mended {mended:.2}");
    // The random sign of the plain error scatters its slope; 14 pairs with one decade each: ±0.3.
    assert!(plain < 1.5, "{plain}");
    assert!(mended > 1.7, "{mended}");
}

/// A Hertz-type law: its force starts smoothly, so only the switches matter.
#[test]
fn a_hertz_law_keeps_its_energy_too() {
    let pairs: Vec<Pair> = (0..40).map(|id| pair(id, STIFFNESS)).collect();
    let outcomes: Vec<Outcome> = pairs
        .iter()
        .map(|p| collide(p, 400.0, 4.0 * STIFFNESS, 1.5, true))
        .filter(|o| o.touched)
        .collect();
    let drifts = sorted_drifts(&outcomes);
    // Contacts last about three times the linear half period here: 1000 steps, error (π/1000)²/12 ≈ 1e-6 and its tail.
    assert!(quantile(&drifts, 0.5) < 2e-6, "{}", quantile(&drifts, 0.5));
    assert!(quantile(&drifts, 1.0) < 1e-4, "{}", quantile(&drifts, 1.0));
}
