//! A shot through a small layer: accounts, threads, step.

use glam::DVec3;
use klast_dem::{Cavity, ContactParameters, Flight, Packing, PackingSpec, Shot};
use std::sync::OnceLock;

/// About ninety rocks, loose: the shape of the run, not of a rockfill.
fn layer() -> &'static Packing {
    static LAYER: OnceLock<Packing> = OnceLock::new();
    LAYER.get_or_init(|| {
        let mut spec = PackingSpec::rockfill(DVec3::new(1.2, 1.0, 1.0), 0.25, 4).unwrap();
        spec.fall_time = 0.08;
        Packing::make(&spec, |_| {}).unwrap()
    })
}

fn elastic() -> Shot {
    let parameters = ContactParameters {
        friction: 0.0,
        rock_restitution: 1.0,
        projectile_restitution: 1.0,
        ..ContactParameters::rockfill()
    };
    Shot {
        walls: false,
        gravity: 0.0,
        ..Shot::rockfill(50.0, &parameters).unwrap()
    }
}

#[test]
fn an_elastic_shot_keeps_energy_and_momentum() {
    let result = Flight::new(layer(), &elastic())
        .unwrap()
        .run(|_| {})
        .unwrap();
    println!(
        "{:?}",
        klast_dem::Penetration {
            samples: vec![],
            ..result.clone()
        }
    );
    assert!(result.residual < 1195.0);
    // The acceptance of the study.
    assert!(result.energy_drift < 0.01, "{}", result.energy_drift);
    // Sums over ninety bodies and a thousand steps.
    assert!(result.momentum_drift < 1e-12, "{}", result.momentum_drift);
}

#[test]
fn the_strike_is_at_half_a_millisecond_and_the_exit_agrees_with_the_speed() {
    let shot = Shot::rockfill(50.0, &ContactParameters::rockfill()).unwrap();
    let result = Flight::new(layer(), &shot).unwrap().run(|_| {}).unwrap();
    // 0.6 m at 1200 m/s.
    assert!((result.strike - 5e-4).abs() < 1e-12);
    let exit = result.exit.unwrap();
    assert!((exit - result.exit_by_integral).abs() < shot.step);
    // Outside, only rocks at the shank still slow it: the length at the residual velocity, within a tenth.
    let behind = (result.through.unwrap() - exit) * result.residual;
    assert!((behind / 0.8 - 1.0).abs() < 0.1, "{behind}");
    let half = Shot {
        step: 0.5 * shot.step,
        ..shot
    };
    let finer = Flight::new(layer(), &half).unwrap().run(|_| {}).unwrap();
    assert!((finer.residual - result.residual).abs() < 1.0);
}

/// How often is recorded decides what can be drawn, not what is measured: moments over every step.
#[test]
fn resistance_does_not_depend_on_what_is_recorded() {
    let parameters = ContactParameters::rockfill();
    let shot = Shot {
        walls: false,
        gravity: 0.0,
        ..Shot::rockfill(50.0, &parameters).unwrap()
    };
    let run = |record_every| {
        let shot = Shot {
            record_every,
            ..shot
        };
        Flight::new(layer(), &shot).unwrap().run(|_| {}).unwrap()
    };
    let often = run(1);
    assert!(often.mean_resistance > 0.0 && often.peak_resistance > often.mean_resistance);
    for every in [7, 1000] {
        let seldom = run(every);
        assert_eq!(seldom.mean_resistance, often.mean_resistance, "{every}");
        assert_eq!(seldom.peak_resistance, often.peak_resistance, "{every}");
        assert_eq!(seldom.fluctuation, often.fluctuation, "{every}");
    }
    let inside = |s: &&klast_dem::Sample| (0.0..=1.2).contains(&s.tip);
    let recorded: Vec<f64> = often
        .samples
        .iter()
        .filter(inside)
        .map(|s| s.resistance)
        .collect();
    let mean = recorded.iter().sum::<f64>() / recorded.len() as f64;
    assert!((often.mean_resistance / mean - 1.0).abs() < 1e-12);
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let shot = Shot::rockfill(50.0, &ContactParameters::rockfill()).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| Flight::new(layer(), &shot).unwrap().run(|_| {}).unwrap())
    };
    let one = run(1);
    for threads in [2, 3, 7] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
    // Golden: changes only with the model.
    assert_eq!(format!("{:016x}", one.hash), "f5f135cd2a27885c");
}

#[test]
fn bad_shots_are_named() {
    let good = elastic();
    for bad in [
        Shot { speed: 0.0, ..good },
        Shot {
            standoff: -0.3,
            ..good
        },
        Shot { step: 0.0, ..good },
        Shot {
            longest: f64::NAN,
            ..good
        },
        Shot {
            cavity: Cavity::Mass { mass: -1.0 },
            ..good
        },
    ] {
        assert!(Flight::new(layer(), &bad).is_err(), "{bad:?}");
    }
}
