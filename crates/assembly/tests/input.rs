//! Bad input is refused with the field, what was found and what is accepted.

use klast_assembly::analysis::{ContactPoint, FirstCollision, IndexReference, Scenario, history};
use klast_assembly::{
    Assembly, AssemblyError, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule,
    Restitution, Start, StartVelocity, Wave,
};

fn good() -> Scenario {
    Scenario {
        basin: Basin::new(
            0.394,
            BasinMotion::harmonic(0.04, Frequency::hertz(1.0)).unwrap(),
            Restitution::new(0.6, 0.6).unwrap(),
        )
        .unwrap(),
        row: BlockRow::uniform(
            4,
            Block {
                size: 0.04,
                mass: 0.05,
                friction: 0.03,
            },
        )
        .unwrap(),
        start: Start::touching(4, StartVelocity::AtRest),
        rule: ImpactRule::Complementarity,
    }
}

#[test]
fn blocks() {
    let with = |size, mass, friction| {
        BlockRow::uniform(
            2,
            Block {
                size,
                mass,
                friction,
            },
        )
    };
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            with(bad, 1.0, 0.0),
            Err(AssemblyError::OutOfRange(e)) if e.field == "block size (m)"
        ));
        assert!(matches!(
            with(1.0, bad, 0.0),
            Err(AssemblyError::OutOfRange(e)) if e.field == "block mass (kg)"
        ));
    }
    for bad in [-0.1, f64::NAN, f64::INFINITY] {
        assert!(with(1.0, 1.0, bad).is_err());
    }
    assert!(BlockRow::new(Vec::new()).is_err());
}

#[test]
fn restitution_and_gravity() {
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(Restitution::new(bad, 0.5).is_err() && Restitution::new(0.5, bad).is_err());
    }
    assert!(good().basin.with_gravity(f64::NAN).is_err());
}

#[test]
fn rows_that_do_not_fit_and_negative_gaps() {
    let mut wide = good();
    wide.start.gaps[0] = 0.3;
    let error = wide.release().unwrap_err();
    assert!(matches!(
        error,
        AssemblyError::DoNotFit { length: 0.394, .. }
    ));
    let mut negative = good();
    negative.start.gaps[2] = -1e-3;
    assert!(matches!(
        negative.release(),
        Err(AssemblyError::OutOfRange(e)) if e.field == "gap (m)" && e.index == Some(2)
    ));
    let mut few = good();
    few.start.gaps.pop();
    assert!(matches!(
        few.release(),
        Err(AssemblyError::OutOfRange(e)) if e.field == "number of gaps"
    ));
    let mut fast = good();
    fast.start.velocity = StartVelocity::Given(vec![0.0, f64::NAN, 0.0, 0.0]);
    assert!(fast.release().is_err());
}

#[test]
fn motions_with_nan() {
    assert!(BasinMotion::harmonic(f64::NAN, Frequency::hertz(1.0)).is_err());
    assert!(BasinMotion::harmonic(1.0, Frequency::hertz(0.0)).is_err());
    assert!(BasinMotion::harmonic_with_lead_in(1.0, Frequency::hertz(1.0), -1.0).is_err());
    let mut scenario = good();
    for bad in [
        BasinMotion::Waves(vec![Wave {
            amplitude: 1.0,
            omega: 1.0,
            phase: f64::NAN,
        }]),
        BasinMotion::harmonic(1e200, Frequency::hertz(1.0)).unwrap(),
        BasinMotion::Harmonic {
            amplitude: f64::INFINITY,
            omega: 1.0,
            lead_in: 0.0,
        },
    ] {
        scenario.basin.motion = bad;
        assert!(scenario.release().is_err());
    }
}

#[test]
fn times_that_have_passed() {
    let mut run: Assembly = good().release().unwrap();
    run.advance_to(1.0).unwrap();
    assert!(matches!(
        run.advance_to(0.5),
        Err(AssemblyError::TimePassed { .. })
    ));
    assert!(run.advance_to(f64::NAN).is_err());
    assert!(run.advance_to_section(0).is_err());
    let reference = IndexReference::compact(&run);
    assert!(history(&mut run, 2.0, 0.0, &reference).is_err());
    assert!(FirstCollision::new(ContactPoint::Along, 0, -0.1).is_err());
}

#[test]
fn a_row_that_fills_its_basin_moves_with_it() {
    let mut scenario = good();
    scenario.basin = Basin::new(0.16, scenario.basin.motion, scenario.basin.restitution).unwrap();
    for rule in [
        ImpactRule::Complementarity,
        ImpactRule::LowestFirst,
        ImpactRule::SmallGaps,
    ] {
        scenario.rule = rule;
        let mut run = scenario.release().unwrap();
        run.advance_to(3.3).unwrap();
        assert!(run.state().iter().all(|b| b.free == 0.0 && b.slip == 0.0));
        assert!(run.energy().relative_residual().abs() < 1e-12);
    }
}

/// No period has to be counted where nothing moves.
#[test]
fn a_still_basin_of_any_frequency_is_run_at_once() {
    let mut still = good();
    still.basin.motion = BasinMotion::harmonic(0.0, Frequency::hertz(1e12)).unwrap();
    still.start.velocity = StartVelocity::Given(vec![0.3, 0.2, 0.1, 0.0]);
    let mut run = still.release().unwrap();
    run.advance_to(1e3).unwrap();
    assert!(run.state().iter().all(|b| b.velocity == 0.0));
}

#[test]
fn numbers_of_a_basin_that_were_changed_in_place() {
    let refused = |change: fn(&mut Basin, f64), bad: &[f64]| {
        for &value in bad {
            let mut scenario = good();
            change(&mut scenario.basin, value);
            let AssemblyError::OutOfRange(out) = scenario.release().unwrap_err() else {
                panic!("{value}");
            };
            assert_eq!(out.found.to_string(), value.to_string());
        }
    };
    let coefficients = [2.0, -0.1, f64::NAN, f64::INFINITY];
    refused(|b, x| b.restitution.wall = x, &coefficients);
    refused(|b, x| b.restitution.block = x, &coefficients);
    refused(|b, x| b.gravity = x, &[-9.81, f64::NAN, f64::INFINITY]);
    refused(|b, x| b.length = x, &[0.0, -1.0, f64::NAN, f64::INFINITY]);
}

#[test]
fn histories_end() {
    let mut run = good().release().unwrap();
    let reference = IndexReference::compact(&run);
    for until in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = history(&mut run, until, 0.5, &reference).unwrap_err();
        let named = matches!(&error, AssemblyError::OutOfRange(out) if out.field == "end of the history (s)");
        assert!(named, "{error}");
    }
    let error = history(&mut run, 1.0, 1e-300, &reference).unwrap_err();
    let named =
        matches!(&error, AssemblyError::OutOfRange(out) if out.field == "sampling step (s)");
    assert!(named, "{error}");
    assert_eq!(history(&mut run, 1.0, 0.5, &reference).unwrap().len(), 3);
}
