//! Bodies that bounce several times within a step keep the energy that impacts in order of time leave.

use glam::DVec3;
use klast_dynamics::{
    Body, Impacts, Restitution, Role, State, Surface, World, WorldLedger, WorldSettings,
};
use klast_geometry::{Plane, Pose, Solid};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// All laws, by name.
const LAWS: [(&str, Impacts); 5] = [
    ("newton", Impacts::InTurn(Restitution::Newton)),
    ("sequential", Impacts::InTurn(Restitution::Sequential)),
    ("poisson", Impacts::InTurn(Restitution::Poisson)),
    ("stronge", Impacts::InTurn(Restitution::Stronge)),
    ("together", Impacts::Together),
];

/// A row of equal bodies of 1 kg and 1 m on a line, the first coming in.
#[derive(Debug, Clone, Copy)]
struct Cradle {
    count: usize,
    e: f64,
    /// Room before the first meets the second (m), and between the others.
    phase: f64,
    gap: f64,
    speed: f64,
    step: f64,
    round: bool,
}

impl Cradle {
    fn world(&self, impacts: Impacts) -> World {
        let mut world = World::new(WorldSettings {
            gravity: DVec3::ZERO,
            parallel: false,
            step: self.step,
            bounce_above: 0.0,
            impacts,
            ..WorldSettings::default()
        })
        .unwrap();
        let body = match self.round {
            true => Body::sphere(0.5, 6.0 / std::f64::consts::PI).unwrap(),
            false => Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 1.0).unwrap(),
        };
        let mut x = 0.0;
        for k in 0..self.count {
            let mut state = State::at_rest(Pose::from_translation(DVec3::X * x));
            state.velocity.linear.x = if k == 0 { self.speed } else { 0.0 };
            let surface = Surface {
                friction: 0.0,
                restitution: self.e,
            };
            world.add(body.clone(), state, Role::Free, surface).unwrap();
            x += 1.0 + if k == 0 { self.phase } else { self.gap };
        }
        world
    }

    /// Binary impacts of points in order of time: the times after which each energy holds (s, J).
    fn in_order_of_time(&self) -> Vec<(f64, f64)> {
        let mut v = vec![0.0; self.count];
        v[0] = self.speed;
        let mut gaps = vec![self.gap; self.count - 1];
        gaps[0] = self.phase;
        let energy = |v: &[f64]| 0.5 * v.iter().map(|v| v * v).sum::<f64>();
        let (mut time, mut found) = (0.0, vec![(0.0, energy(&v))]);
        for _ in 0..10_000 {
            let closing = |k: usize, v: &[f64]| v[k] - v[k + 1];
            let next = (0..gaps.len())
                .filter(|&k| closing(k, &v) > 1e-12)
                .map(|k| (gaps[k] / closing(k, &v), k))
                .min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((wait, k)) = next else { break };
            time += wait;
            for (j, gap) in gaps.iter_mut().enumerate() {
                *gap -= closing(j, &v) * wait;
            }
            gaps[k] = 0.0;
            let (mean, half) = (0.5 * (v[k] + v[k + 1]), 0.5 * self.e * closing(k, &v));
            (v[k], v[k + 1]) = (mean - half, mean + half);
            found.push((time, energy(&v)));
        }
        found
    }

    /// Largest difference of energies, in that at the start, at a step that lies well between two impacts.
    fn error(&self, impacts: Impacts) -> (f64, WorldLedger) {
        let want = self.in_order_of_time();
        let most = 3000.0 * self.step;
        let mut at = want.len() - 1;
        // Between impacts that the steps can tell apart: what is found late by less than a step is no error.
        while at > 0
            && (want[at].0 > most
                || want
                    .get(at + 1)
                    .is_some_and(|n| n.0 - want[at].0 < 6.0 * self.step))
        {
            at -= 1;
        }
        let end = want[at].0 + 3.0 * self.step;
        let mut world = self.world(impacts);
        while world.time() < end {
            world.step().unwrap();
        }
        let error = (world.kinetic_energy() - want[at].1).abs() / want[0].1;
        (error, *world.ledger())
    }
}

fn random_cradle(rng: &mut Pcg64Mcg) -> Cradle {
    let count = rng.random_range(2..=9);
    let least = if count > 5 { 0.8 } else { 0.5 };
    let e = if rng.random_bool(0.3) {
        1.0
    } else {
        rng.random_range(least..=1.0)
    };
    let gap = 10f64.powf(rng.random_range(-5.0..=-2.0));
    let step = 10f64.powf(rng.random_range(-4.0..=-2.3));
    let speed = 1.0;
    Cradle {
        count,
        e,
        gap,
        phase: rng.random_range(0.0..1.0) * speed * step + 1e-5,
        speed,
        step,
        round: rng.random_bool(0.5),
    }
}

/// 1e-9 is far above the rounding of some hundred impacts, and far under what one plastic closing takes.
#[test]
fn cradles_keep_the_energy_of_impacts_in_order_of_time() {
    let mut rng = Pcg64Mcg::seed_from_u64(51);
    let mut worst = (0.0, String::new());
    for _ in 0..number("CRADLES", 40.0) as usize {
        let cradle = random_cradle(&mut rng);
        for (name, impacts) in LAWS {
            let (error, ledger) = cradle.error(impacts);
            if error > worst.0 {
                worst = (error, format!("{name} {cradle:?} {ledger:?}"));
            }
        }
    }
    assert!(worst.0 < 1e-9, "{} {}", worst.0, worst.1);
}

/// Of the grid of 2 to 5 cradles with e = 0.5 to 1 and 6 to 9 with e = 0.8 to 1, gaps of 1e-5 to 1e-2 m, steps of 1e-4
/// to 5e-3 s, 20 phases, cubes and spheres, under five laws: every so many. `GRID=1` runs all 115,200, in 15 minutes.
#[test]
fn the_grid_of_cradles_keeps_the_energy_of_impacts_in_order_of_time() {
    let every = number("GRID", 997.0) as usize;
    let (mut worst, mut bad) = ((0.0, String::new()), vec![]);
    let mut run = 0;
    for (cradle, (name, impacts)) in grid().step_by(every) {
        let (error, ledger) = cradle.error(impacts);
        run += 1;
        let told = format!("{error:.1e} {name} {cradle:?} {ledger:?}");
        if error.is_nan() || error >= 1e-9 {
            bad.push(told.clone());
        }
        if error > worst.0 {
            worst = (error, told);
        }
    }
    println!(
        "{run} cradles, {} beyond 1e-9; the worst {}",
        bad.len(),
        worst.1
    );
    assert!(bad.is_empty(), "{} of {run}\n{}", bad.len(), bad.join("\n"));
}

fn grid() -> impl Iterator<Item = (Cradle, (&'static str, Impacts))> {
    let few = (2..=5).flat_map(|n| [0.5, 0.6, 0.7, 0.8, 0.9, 1.0].map(|e| (n, e)));
    let many = (6..=9).flat_map(|n| [0.8, 0.9, 1.0].map(|e| (n, e)));
    let rows = few.chain(many);
    let gaps = move |row| [1e-5, 1e-4, 1e-3, 1e-2].map(|gap| (row, gap));
    let steps = move |all| [1e-4, 5e-4, 2.5e-3, 5e-3].map(|step| (all, step));
    rows.flat_map(gaps)
        .flat_map(steps)
        .flat_map(|all| [false, true].map(|round| (all, round)))
        .flat_map(|all| (0..20).map(move |k| (all, f64::from(k))))
        .map(|(((((count, e), gap), step), round), k)| Cradle {
            count,
            e,
            gap,
            step,
            round,
            phase: 1e-5 + k / 20.0 * step,
            speed: 1.0,
        })
        .flat_map(|cradle| LAWS.map(|law| (cradle, law)))
}

/// Spheres between six walls without gravity: with e = 1 all energy stays, at any step. 1e-9 of it is the rounding of
/// some thousand impacts; 10 s were run too.
#[test]
fn a_gas_of_spheres_keeps_its_energy() {
    let seconds = number("GAS_SECONDS", 0.5);
    let mut rng = Pcg64Mcg::seed_from_u64(64);
    for (step, speed) in [(2.5e-3, 10.0), (5e-3, 2.0)] {
        let mut world = World::new(WorldSettings {
            gravity: DVec3::ZERO,
            parallel: false,
            step,
            bounce_above: 0.0,
            ..WorldSettings::default()
        })
        .unwrap();
        let surface = Surface {
            friction: 0.0,
            restitution: 1.0,
        };
        for axis in DVec3::AXES {
            for (normal, offset) in [(axis, 0.0), (-axis, -2.0)] {
                let plane = Plane::new(normal, offset).unwrap();
                world.add_plane(plane, surface, None).unwrap();
            }
        }
        let body = Body::sphere(0.15, 1000.0).unwrap();
        for k in 0..64 {
            let at = DVec3::new(f64::from(k % 4), f64::from(k / 4 % 4), f64::from(k / 16));
            let mut state = State::at_rest(Pose::from_translation(0.25 + 0.5 * at));
            let mut any = || rng.random_range(-speed..speed);
            state.velocity.linear = DVec3::new(any(), any(), any());
            world.add(body.clone(), state, Role::Free, surface).unwrap();
        }
        let before = world.kinetic_energy();
        while world.time() < seconds {
            world.step().unwrap();
        }
        let lost = 1.0 - world.kinetic_energy() / before;
        let ledger = world.ledger();
        assert!(lost.abs() < 1e-9, "{step} {speed}: {lost:.2e} {ledger:?}");
        assert_eq!((ledger.gains, ledger.events.refused_impacts), (0, 0));
    }
}

/// A ball and a cube between floor and ceiling under gravity. With θ = ½ flight keeps the energy and with e = 1 bounces
/// do, so that all is kept to rounding; with θ = 1 flight takes ½ m (h g)² in each step, and bounces nothing.
#[test]
fn bounces_under_gravity_keep_what_flight_keeps() {
    let mut rng = Pcg64Mcg::seed_from_u64(9);
    for (theta, round) in [(0.5, true), (0.5, false), (1.0, true), (1.0, false)] {
        let mut world = World::new(WorldSettings {
            theta,
            step: rng.random_range(1e-3..5e-3),
            parallel: false,
            ..WorldSettings::default()
        })
        .unwrap();
        let surface = Surface {
            friction: 0.0,
            restitution: 1.0,
        };
        for (normal, offset) in [(DVec3::Z, 0.0), (-DVec3::Z, -2.0)] {
            let plane = Plane::new(normal, offset).unwrap();
            world.add_plane(plane, surface, None).unwrap();
        }
        let body = match round {
            true => Body::sphere(0.5, 6.0 / std::f64::consts::PI).unwrap(),
            false => Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 1.0).unwrap(),
        };
        let mut state = State::at_rest(Pose::from_translation(DVec3::Z));
        state.velocity.linear.z = rng.random_range(6.0..9.0);
        world.add(body, state, Role::Free, surface).unwrap();
        let energy = |w: &World| w.kinetic_energy() + w.potential_energy();
        let (settings, before) = (*world.settings(), energy(&world));
        for steps in 1..=800 {
            let report = world.step().unwrap();
            let square = (settings.step * settings.gravity.z).powi(2);
            let taken = (theta - 0.5) * square * f64::from(steps);
            let off = energy(&world) - before + taken;
            assert!(
                off.abs() < 1e-10 * before,
                "{theta} {round} {steps}: {off:.2e} {report:?}"
            );
            assert!(report.unexplained.abs() < 1e-12 * before, "{report:?}");
        }
        let ledger = world.ledger();
        assert_eq!(
            (
                ledger.gains,
                ledger.exchange.driving_contacts,
                ledger.exchange.unreturned
            ),
            (0, 0, 0.0)
        );
        assert!(ledger.exchange.returned > 20.0 * before, "{ledger:?}");
    }
}

fn number(name: &str, otherwise: f64) -> f64 {
    std::env::var(name)
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(otherwise)
}
