//! Indices, periods and long-time responses: known values.

use std::f64::consts::TAU;

use klast_assembly::analysis::{
    AssemblyIndices, ContactPoint, FirstCollision, IndexReference, Pattern, PeriodSearch, Scenario,
    Survey, find_period, horizon, largest_lyapunov,
};
use klast_assembly::{
    Assembly, AssemblyError, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule,
    Restitution, Start, StartVelocity,
};
use klast_numerics::Digest;

fn series_a(rule: ImpactRule) -> Scenario {
    Scenario {
        basin: Basin::new(
            0.394,
            BasinMotion::harmonic(0.04, Frequency::hertz(2.0)).unwrap(),
            Restitution::new(0.6, 0.6).unwrap(),
        )
        .unwrap(),
        row: BlockRow::uniform(
            4,
            Block {
                size: 0.04,
                mass: 0.05224,
                friction: 0.03,
            },
        )
        .unwrap(),
        start: Start::touching(4, StartVelocity::AtRest),
        rule,
    }
}

#[test]
fn inertia_of_the_compact_row() {
    for n in [2_usize, 4, 8, 64] {
        let row = BlockRow::uniform(
            n,
            Block {
                size: 0.04,
                mass: 0.05224,
                friction: 0.03,
            },
        )
        .unwrap();
        let mut scenario = series_a(ImpactRule::Complementarity);
        scenario.basin.length = 4.0;
        scenario.start = Start::touching(n, StartVelocity::AtRest);
        scenario.row = row;
        let run = scenario.release().unwrap();
        let nf = n as f64;
        let closed = 0.05224 * 0.04 * 0.04 * nf * (nf * nf - 1.0) / 12.0;
        let reference = IndexReference::compact(&run);
        // Sums of at most 64 terms.
        assert!((reference.inertia / closed - 1.0).abs() < 1e-13);
        let now = AssemblyIndices::of(&run, &IndexReference::present(&run));
        assert!((now.inertia_index - 1.0).abs() < 1e-13);
        // Right after the kick every block of the rigid row has (1 + e) u0 Ω.
        assert!((now.kinetic_index - 1.0).abs() < 1e-13, "{now:?}");
    }
}

#[test]
fn phase_of_the_first_collision_inverts_the_basin_size() {
    for e in [0.0, 0.3, 0.55, 1.0] {
        for turns in 0..4 {
            for point in ContactPoint::ALL {
                let c = FirstCollision::new(point, turns, e).unwrap();
                let phase = FirstCollision::phase_of(c.ratio(), e).unwrap();
                // At e = 0 and whole turns the root is triple: cube root of rounding.
                let tolerance = if e == 0.0 && point == ContactPoint::Along {
                    1e-4
                } else {
                    1e-12 * c.phase()
                };
                assert!((phase - c.phase()).abs() < tolerance, "{c:?} {phase}");
            }
        }
    }
}

/// A chaotic elastic block has a positive exponent, a locked one the logarithm of its multiplier's modulus.
#[test]
fn lyapunov_exponents() {
    let single = |e: f64| -> Assembly {
        let ratio = FirstCollision::new(ContactPoint::Against, 0, e)
            .unwrap()
            .ratio();
        let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / TAU)).unwrap();
        let basin = Basin::new(1.0 + ratio, motion, Restitution::new(e, e).unwrap()).unwrap();
        let row = BlockRow::uniform(
            1,
            Block {
                size: 1.0,
                mass: 1.0,
                friction: 0.0,
            },
        )
        .unwrap();
        Assembly::new(
            basin,
            &row,
            &Start::touching(1, StartVelocity::AtRest),
            ImpactRule::Complementarity,
        )
        .unwrap()
    };
    let mut locked = single(0.8);
    locked.advance_to_section(100).unwrap();
    let rate = largest_lyapunov(&mut locked, 400).unwrap().per_period;
    // ln 0.64 per period; the running mean of a rotating pair converges as 1/periods.
    assert!((rate - 0.64_f64.ln()).abs() < 0.01, "{rate}");
    let chaos = largest_lyapunov(&mut single(1.0), 300).unwrap().per_period;
    assert!(chaos > 0.5, "{chaos}");
    let limit = horizon(&mut single(1.0), 60.0 * TAU, 600).unwrap();
    // ln(1e4)/rate is some ten periods.
    assert!(
        limit.time.is_some_and(|t| t > TAU && t < 40.0 * TAU),
        "{limit:?}"
    );
}

#[test]
fn period_of_the_second_excitation() {
    let mut run = series_a(ImpactRule::LowestFirst).release().unwrap();
    let found = find_period(
        &mut run,
        &PeriodSearch {
            sections: 60,
            ..PeriodSearch::default()
        },
    )
    .unwrap();
    assert_eq!(found.period, Some(3));
    assert!(found.residual < 1e-7 && found.settled.is_some());
}

/// The state of a run, bit by bit: it depends on no thread, platform or build.
#[test]
fn golden_run() {
    let mut hash = Vec::new();
    for rule in [
        ImpactRule::Complementarity,
        ImpactRule::LowestFirst,
        ImpactRule::FastestFirst,
        ImpactRule::SmallGaps,
    ] {
        let mut run = series_a(rule).release().unwrap();
        run.advance_to(5.0).unwrap();
        hash.extend(
            run.state()
                .iter()
                .flat_map(|b| [b.free.to_bits(), b.velocity.to_bits()]),
        );
    }
    // If a change was meant to alter the arithmetic, put the new value here and say why in the commit.
    assert_eq!(
        Digest::of_words(hash),
        GOLDEN,
        "the bits of the reference runs have changed"
    );
}

const GOLDEN: u64 = 12_431_844_181_856_462_405;

#[test]
fn patterns() {
    let plan = Survey::default();
    let mut scenario = series_a(ImpactRule::Complementarity);
    let together =
        klast_assembly::analysis::survey::<AssemblyError>(&scenario, &plan, || Ok(())).unwrap();
    assert_eq!(together.pattern, Pattern::Densified);
    assert_eq!(together.clusters, (1, 1));
    scenario.rule = ImpactRule::LowestFirst;
    scenario.basin.motion = BasinMotion::harmonic(0.075, Frequency::hertz(0.5)).unwrap();
    scenario.start = Start {
        gaps: vec![0.02, 0.06, 0.06, 0.06],
        velocity: StartVelocity::WithBasin,
    };
    scenario.basin.motion = BasinMotion::harmonic(0.001, Frequency::hertz(0.5)).unwrap();
    // Too weak a drive to move anything: the spread row stays spread.
    let spread =
        klast_assembly::analysis::survey::<AssemblyError>(&scenario, &plan, || Ok(())).unwrap();
    assert_eq!(spread.pattern, Pattern::Rarified);
    assert_eq!(spread.impacts, (0.0, 0.0));
    assert_eq!(spread.period, Some(1));
}
