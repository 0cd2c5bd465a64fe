//! No impact makes energy, whatever the law: one that would is replaced, and counted.

use glam::{DQuat, DVec3};
use klast_dynamics::{
    Body, Effort, Impacts, Restitution, Role, State, Surface, World, WorldSettings,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const LAWS: [Impacts; 5] = [
    Impacts::InTurn(Restitution::Newton),
    Impacts::InTurn(Restitution::Sequential),
    Impacts::InTurn(Restitution::Poisson),
    Impacts::InTurn(Restitution::Stronge),
    Impacts::Together,
];

fn vector(rng: &mut Pcg64Mcg, most: f64) -> DVec3 {
    let mut any = || rng.random_range(-most..=most);
    DVec3::new(any(), any(), any())
}

/// The hull of points on an ellipsoid of random axes about a tenth of a metre.
fn hull(rng: &mut Pcg64Mcg) -> ConvexPolyhedron {
    loop {
        let axes = DVec3::from_array(std::array::from_fn(|_| rng.random_range(0.03..0.3)));
        let count = rng.random_range(6..16);
        let points: Vec<DVec3> = (0..count)
            .map(|_| vector(rng, 1.0).normalize_or(DVec3::X) * axes)
            .collect();
        if let Ok(hull) = ConvexPolyhedron::from_points(&points) {
            return hull;
        }
    }
}

/// Hulls thrown into a box of planes, each with its own friction and restitution.
fn thrown(rng: &mut Pcg64Mcg, impacts: Impacts) -> World {
    let mut world = World::new(WorldSettings {
        parallel: false,
        impacts,
        effort: match rng.random_range(0..3) {
            0 => Effort::Sweeps(20),
            1 => Effort::Residual {
                tolerance: 1e-8,
                sweeps: 60,
            },
            _ => WorldSettings::default().effort,
        },
        ..WorldSettings::default()
    })
    .unwrap();
    let alike = rng.random_bool(0.5);
    let common = (rng.random_range(0.0..1.5), rng.random_range(0.0..=1.0));
    let surface = |rng: &mut Pcg64Mcg| match alike {
        true => Surface {
            friction: common.0,
            restitution: common.1,
        },
        false => Surface {
            friction: rng.random_range(0.0..1.5),
            restitution: rng.random_range(0.0..=1.0),
        },
    };
    let sides = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y];
    for (normal, offset) in sides
        .map(|n| (n, -1.0))
        .into_iter()
        .chain([(DVec3::Z, 0.0)])
    {
        let wall = surface(rng);
        world
            .add_plane(Plane::new(normal, offset).unwrap(), wall, None)
            .unwrap();
    }
    for k in 0..rng.random_range(2..12u32) {
        let at = DVec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4));
        let mut state = State::at_rest(Pose {
            translation: DVec3::new(-0.5, -0.5, 0.6) + at,
            rotation: DQuat::from_axis_angle(
                vector(rng, 1.0).normalize_or(DVec3::Z),
                rng.random_range(0.0..3.0),
            ),
        });
        state.velocity.linear = vector(rng, 20.0);
        state.velocity.angular = vector(rng, 16.0);
        let body = Body::uniform(&hull(rng), rng.random_range(500.0..3000.0)).unwrap();
        let own = surface(rng);
        world.add(body, state, Role::Free, own).unwrap();
    }
    world
}

/// The total of all steps rises by what takes out overlap, and by nothing else: 1e-9 of the energy is the rounding of
/// some hundred impacts.
#[test]
fn hulls_thrown_into_a_box_gain_nothing_under_any_law() {
    let scenes: u64 = std::env::var("N")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(20);
    let (mut refused, mut impacts_of, mut bad) = ([0; 5], [0; 5], vec![]);
    for seed in 0..scenes {
        for (k, impacts) in LAWS.into_iter().enumerate() {
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let mut world = thrown(&mut rng, impacts);
            let energy = |w: &World| w.kinetic_energy() + w.potential_energy();
            let (before, kinetic) = (energy(&world), world.kinetic_energy());
            for _ in 0..60 {
                impacts_of[k] += world.step().unwrap().impacts;
            }
            let ledger = world.ledger();
            let rise = (energy(&world) - before - ledger.stabilisation) / kinetic;
            if rise > 1e-9 || ledger.gains > 0 || ledger.driving_contacts > 0 {
                bad.push(format!(
                    "{seed} {impacts:?}: {rise:.2e} of {kinetic:.2e} J, {ledger:?}"
                ));
            }
            refused[k] += ledger.refused_impacts;
        }
    }
    println!("refused {refused:?} of {impacts_of:?}");
    assert!(bad.is_empty(), "{}\n{}", bad.len(), bad.join("\n"));
    // Newton's law with friction makes energy (Kane 1984): the scenes try what they are to.
    assert!(refused[0] > 0 && refused[4] > 0, "{refused:?}");
}
