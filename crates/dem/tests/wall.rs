//! Elastic bounces off a flat wall: what the jumps from corner to corner cost, and what mending them gains.

use crate::common;

use common::{Draw, polyhedron};
use glam::DVec3;
use klast_dem::{LawTable, Motion, Particle, PenaltyLaw, Settings, Wall, World};
use klast_geometry::{Plane, Pose};

const STIFFNESS: f64 = 1e4;

/// A body of size about 1 m, density 1, just above the plane z = 0 and falling at about 1 m/s with a spin of 3 rad/s.
fn thrown(id: u64) -> (Particle, Motion) {
    let mut draw = Draw::new(300 + id);
    let body = polyhedron(&mut draw, (id % 5) as usize);
    let (particle, _) = Particle::solid(&body, 1.0, 0).unwrap();
    let mut motion = Motion::at(&Pose::new(draw.turn(), DVec3::ZERO).unwrap());
    let down = motion.pose().inverse_transform_vector(DVec3::NEG_Z);
    let reach = particle.shape.vertices().iter().map(|v| v.dot(down));
    motion.position.z = reach.fold(0.0, f64::max) + 1e-3;
    motion.velocity = DVec3::new(0.3 * draw.gauss(), 0.3 * draw.gauss(), -1.0);
    motion.rotation.momentum = draw.direction() * 3.0 * particle.inertia;
    (particle, motion)
}

/// Drift of the energy over a bounce (from a wall that moves at `speed`, in the frame of the wall), and how often the
/// lowest corner changed while in contact.
fn bounce(id: u64, steps_per_contact: f64, mend: bool, speed: f64) -> Option<(f64, usize)> {
    let (particle, mut motion) = thrown(id);
    motion.velocity.z += speed;
    let laws = LawTable::new(1, PenaltyLaw::elastic(STIFFNESS, 1.0).unwrap()).unwrap();
    let contact = std::f64::consts::PI * (particle.mass / STIFFNESS).sqrt();
    let mut settings = Settings::new(contact / steps_per_contact);
    settings.mend_walls = mend;
    let mut wall = Wall::fixed(Plane::new(DVec3::Z, 0.0).unwrap(), 0);
    wall.speed = speed;
    let mass = particle.mass;
    let mut world = World::new(vec![particle], vec![motion], vec![wall], laws, settings).unwrap();
    // Energy as one sees it who moves with the wall.
    let energy = |world: &World| {
        let v = world.motions()[0].velocity.z;
        world.energy().total() + 0.5 * mass * ((v - speed).powi(2) - v * v)
    };
    let start = energy(&world);
    let (mut free, mut last, mut switches, mut touched) = (0.0, None, 0, false);
    for _ in 0..(40.0 * steps_per_contact) as usize {
        world.step().unwrap();
        let (pose, plane) = (world.motions()[0].pose(), world.walls()[0].plane);
        let (height, lowest) =
            klast_geometry::lowest_vertex(&world.particles()[0].shape, &pose, &plane);
        if height <= 0.0 {
            (touched, free) = (true, 0.0);
            switches += usize::from(last.is_some_and(|l| l != lowest));
            last = Some(lowest);
        } else if touched {
            free += 1.0;
            last = None;
        }
        if free > 2.0 * steps_per_contact {
            return Some(((energy(&world) / start - 1.0).abs(), switches));
        }
    }
    None
}

/// Geometric mean of the drifts: single errors pass through zero.
fn mean(ids: &[u64], steps: f64, mend: bool, speed: f64) -> f64 {
    let logs = ids.iter().filter_map(|&id| bounce(id, steps, mend, speed));
    let logs: Vec<f64> = logs.map(|(drift, _)| drift.max(1e-13).ln()).collect();
    (logs.iter().sum::<f64>() / logs.len() as f64).exp()
}

/// The step halved three times, on bodies that roll from corner to corner while they bounce.
#[test]
fn mending_restores_second_order_at_a_wall() {
    let rolling: Vec<u64> = (0..300)
        .filter(|&id| bounce(id, 200.0, true, 0.0).is_some_and(|(_, switches)| switches > 0))
        .collect();
    assert!(rolling.len() >= 30, "{}", rolling.len());
    for speed in [0.0, 0.5] {
        let order = |mend: bool| {
            let (coarse, fine) = (
                mean(&rolling, 100.0, mend, speed),
                mean(&rolling, 800.0, mend, speed),
            );
            println!("speed {speed}, mended {mend}: drift {coarse:.2e} to {fine:.2e}");
            ((coarse / fine).log2() / 3.0, coarse)
        };
        let ((plain, plain_drift), (mended, mended_drift)) = (order(false), order(true));
        println!("order of the energy error: plain {plain:.2}, mended {mended:.2}");
        // Theory: 1 and 2. Errors of random sign over three halvings of some 40 bodies scatter a slope by about 0.2.
        assert!(plain < 1.5, "{plain}");
        assert!(mended > 1.7, "{mended}");
        assert!(mended_drift < 0.3 * plain_drift);
    }
}

/// Mended or not, a bounce off a wall keeps what the wall cannot change: the momentum along it.
#[test]
fn a_smooth_wall_takes_no_tangential_momentum() {
    for id in 0..20 {
        let (particle, motion) = thrown(id);
        let laws = LawTable::new(1, PenaltyLaw::elastic(STIFFNESS, 1.0).unwrap()).unwrap();
        let wall = Wall::fixed(Plane::new(DVec3::Z, 0.0).unwrap(), 0);
        let settings = Settings::new(1e-4);
        let mut world =
            World::new(vec![particle], vec![motion], vec![wall], laws, settings).unwrap();
        world.run_until(0.3).unwrap();
        let (before, now) = (motion.velocity, world.motions()[0].velocity);
        // The force and the correction are multiples of the normal: exact zeros along the wall.
        assert_eq!((before.x, before.y), (now.x, now.y));
    }
}
