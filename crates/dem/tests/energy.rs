//! Elastic collisions of two bodies: what the law of the nearest facet costs, and what mending its jumps gains.

mod common;

use common::{Draw, polyhedron};
use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Rotation, Settings, World, gap_along};
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
    let mut draw = Draw(1000 + id);
    let (fa, fb) = ((id % 5) as usize, ((id / 5) % 5) as usize);
    let [a, b] = [fa, fb].map(|f| {
        Particle::solid(&polyhedron(&mut draw, f), 1.0, 0)
            .unwrap()
            .0
    });
    let turns = [draw.turn(), draw.turn()];
    let direction = draw.direction();
    let aside = draw.direction() * 0.3;
    let far = [
        Pose::new(turns[0], DVec3::ZERO).unwrap(),
        Pose::new(turns[1], direction * 6.0 + aside).unwrap(),
    ];
    // March along the line of approach until the gap in every direction that matters is about 1 mm.
    let mut pose_b = far[1];
    for _ in 0..10_000 {
        let world = world_of(&[a.clone(), b.clone()], &[far[0], pose_b]);
        if world.contacts().count() > 0 {
            break;
        }
        let line = (pose_b.translation - far[0].translation).normalize();
        let gap = gap_along(&a.shape, &far[0], &b.shape, &pose_b, line);
        pose_b.translation -= direction * gap.clamp(1e-3, 0.5);
    }
    pose_b.translation += direction * 2e-3;
    let motions = [(&a, far[0]), (&b, pose_b)].map(|(p, pose)| {
        let spin = draw.direction();
        let mut motion = Motion::at(&pose);
        motion.rotation = Rotation::from_angular_velocity(pose.rotation, spin, p.inertia);
        motion.velocity = draw.direction() * 0.3;
        motion
    });
    let mut motions = motions.to_vec();
    motions[1].velocity -= direction;
    let reduced = a.mass * b.mass / (a.mass + b.mass);
    Pair {
        contact_time: std::f64::consts::PI * (reduced / stiffness).sqrt(),
        particles: vec![a, b],
        motions,
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

#[test]
fn a_hundred_elastic_collisions() {
    let pairs: Vec<Pair> = (0..100).map(|id| pair(id, STIFFNESS)).collect();
    for mend in [false, true] {
        let outcomes: Vec<Outcome> = pairs
            .iter()
            .map(|p| collide(p, 100.0, STIFFNESS, 1.0, mend))
            .filter(|o| o.touched)
            .collect();
        let mut drifts: Vec<f64> = outcomes.iter().map(|o| o.drift).collect();
        drifts.sort_by(f64::total_cmp);
        println!(
            "mend {mend}: {} pairs, drift 50% {:.2e} 90% {:.2e} max {:.2e}, switches {}, momentum {:.1e} {:.1e}",
            drifts.len(),
            quantile(&drifts, 0.5),
            quantile(&drifts, 0.9),
            drifts[drifts.len() - 1],
            outcomes.iter().map(|o| o.switches).sum::<usize>(),
            outcomes.iter().map(|o| o.linear).fold(0.0, f64::max),
            outcomes.iter().map(|o| o.angular).fold(0.0, f64::max),
        );
    }
    for steps in [100.0, 200.0, 400.0, 800.0, 1600.0] {
        for mend in [false, true] {
            let mut d: Vec<f64> = pairs
                .iter()
                .map(|p| collide(p, steps, STIFFNESS, 1.0, mend))
                .filter(|o| o.touched && o.switches > 0)
                .map(|o| o.drift)
                .collect();
            d.sort_by(f64::total_cmp);
            println!(
                "{steps} {mend} n {} 50% {:.2e} 90% {:.2e} max {:.2e}",
                d.len(),
                quantile(&d, 0.5),
                quantile(&d, 0.9),
                d[d.len() - 1]
            );
        }
    }
}
