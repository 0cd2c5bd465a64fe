//! Random scenes for both integrations.

use super::{G, Problem, Rod};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::compliant::{Foundation, FoundationKind};
use klast_rocking::{Base, Foot, Friction, Restrainer, Restraint, RockingBlock, SlideRockOptions};

pub const MASS: f64 = 500.0;

/// Numbers from 0 to 1 by a linear congruence.
fn numbers(mut seed: u64) -> impl FnMut(f64, f64) -> f64 {
    move |low, high| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((seed >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// A block with friction, one or two restrainers and a Winkler base.
pub fn random(seed: u64) -> Problem {
    let mut random = numbers(seed);
    for _ in 0..8 {
        random(0.0, 1.0);
    }
    let half_width = random(0.2, 0.35);
    let half_height = half_width * random(2.2, 4.0);
    let settlement = random(3e-4, 2e-3);
    let stiffness = G / settlement / (2.0 * half_width);
    let damping = stiffness * random(1e-3, 4e-3);
    let threshold = G * half_width / half_height;
    let omega = random(4.0, 12.0);
    let strength = random(0.3, 4.0);
    let rod =
        |side: f64, height: f64, away: f64, slack: f64, pretension: f64, ductility: f64, k: f64| {
            Rod {
                block: (side * half_width, height),
                base: (side * (half_width + away), 0.0),
                stiffness: k,
                strength,
                slack,
                pretension,
                ductility,
            }
        };
    let (height, away) = (half_height * random(0.3, 1.9), random(0.05, 1.0));
    let k = random(50.0, 800.0);
    let ductility = if random(0.0, 1.0) < 0.5 {
        1.0
    } else {
        random(1.5, 6.0)
    };
    let rods = match random(0.0, 4.0) {
        x if x < 1.0 => vec![rod(1.0, height, away, 0.0, 0.0, ductility, k)],
        x if x < 2.0 => vec![rod(
            -1.0,
            height,
            away,
            random(0.0, 0.004),
            0.0,
            ductility,
            k,
        )],
        x if x < 3.0 => [1.0, -1.0]
            .map(|side| rod(side, height, away, 0.0, 0.4 * strength, ductility, k))
            .to_vec(),
        _ => vec![
            rod(1.0, height, away, random(0.0, 0.004), 0.0, ductility, k),
            rod(-1.0, 0.5 * height, 0.5 * away, 0.0, 0.0, 1.0, 0.5 * k),
        ],
    };
    Problem {
        half_width,
        half_height,
        bed: (stiffness, damping),
        friction: Some(random(0.15, 0.7)),
        rods,
        horizontal: (threshold * random(1.0, 2.5), omega),
        vertical: (random(0.0, 1.5), random(5.0, 25.0)),
        shaken: (random(1.0, 3.5) * std::f64::consts::TAU / omega).min(2.4),
    }
}

pub fn block_of(problem: &Problem) -> RockingBlock {
    RockingBlock::rectangle(2.0 * problem.half_width, 2.0 * problem.half_height, G).unwrap()
}

pub fn options_of(problem: &Problem) -> SlideRockOptions {
    let rods: Vec<Restrainer> = problem
        .rods
        .iter()
        .map(|rod| Restrainer {
            block_point: rod.block,
            base_point: rod.base,
            stiffness: rod.stiffness * MASS,
            strength: rod.strength * MASS,
            slack: rod.slack,
            pretension: rod.pretension * MASS,
            ductility: rod.ductility,
            pushes: false,
        })
        .collect();
    let (k, c) = (problem.bed.0 * MASS, problem.bed.1 * MASS);
    let foundation = Foundation::new(MASS, FoundationKind::Winkler, k, c).unwrap();
    SlideRockOptions {
        foot: problem
            .friction
            .map_or(Foot::Sticks, |mu| Foot::Slides(Friction::new(mu).unwrap())),
        base: Base::Compliant(foundation),
        restraint: (!rods.is_empty()).then(|| Restraint::new(MASS, &rods).unwrap()),
        sample: Some(0.5),
        ..SlideRockOptions::sticking(5.0)
    }
}

pub fn motion_of(problem: &Problem) -> GroundMotion {
    let sine = |(a, w): (f64, f64)| {
        Component::harmonic(a, Frequency::rad_per_s(w), 0.0, problem.shaken).unwrap()
    };
    GroundMotion::new(sine(problem.horizontal), sine(problem.vertical))
}
