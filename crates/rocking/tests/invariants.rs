//! Energy, symmetry and accounting of the motion of a block.
use klast_ground_motion::{AccelerationUnit, Component, Frequency, GroundMotion, Record};
use klast_numerics::Found;
use klast_rocking::{
    Equation, Event, Options, Outcome, Restitution, RestitutionModel, RockingBlock, RockingError,
    Run, Side, simulate, simulate_at,
};
use proptest::prelude::*;

fn block_strategy() -> impl Strategy<Value = RockingBlock> {
    (0.03f64..0.9, 0.05f64..5.0)
        .prop_map(|(alpha, radius)| RockingBlock::from_slenderness(alpha, radius, 9.81).unwrap())
}

fn free(block: &RockingBlock, eta: f64, tilt: f64, sample: f64) -> Run {
    let restitution = Restitution::new(RestitutionModel::Given { eta }).unwrap();
    let options = Options {
        sample: Some(sample),
        ..Options::released(6.0 / block.frequency(), tilt * block.slenderness())
    };
    simulate(block, &restitution, &GroundMotion::at_rest(), &options).unwrap()
}

/// The field that was refused, and what was found there.
fn out_of_range(refused: Result<Run, RockingError>) -> (String, Found) {
    match refused {
        Err(RockingError::OutOfRange(out)) => (out.field.into_owned(), out.found),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn energy_is_constant_between_impacts_and_falls_at_each(block in block_strategy(), eta in 0.3f64..1.0, tilt in 0.05f64..0.99) {
        let run = free(&block, eta, tilt, 0.05 / block.frequency());
        let mut impacts: Vec<(f64, f64, f64)> = vec![];
        for event in &run.events {
            if let Event::Impact { time, before, after, .. } = *event {
                impacts.push((time, before, after));
            }
        }
        let mut level = block.energy(tilt * block.slenderness(), 0.0);
        let mut next = 0;
        let rest = run.rest_time().unwrap_or(f64::INFINITY);
        for s in &run.samples {
            while next < impacts.len() && impacts[next].0 < s.time {
                let (_, before, after) = impacts[next];
                // the velocity before the impact carries the energy of the flight
                prop_assert!((block.energy(0.0, before) / level - 1.0).abs() < 1e-13);
                prop_assert!((after / before - eta).abs() < 1e-15);
                level = block.energy(0.0, after);
                next += 1;
            }
            if s.time > rest {
                break;
            }
            let here = block.energy(s.rotation, s.angular_velocity);
            prop_assert!((here / level - 1.0).abs() < 1e-13, "t {} {here} {level}", s.time);
        }
    }

    #[test]
    fn the_mirror_image_moves_as_the_mirror_image(block in block_strategy(), a in 1.1f64..6.0, w in 0.3f64..6.0, tilt in -0.2f64..0.2) {
        let wave = Component::waves(a * block.lift_off_acceleration(), Frequency::rad_per_s(w * block.frequency()), 0.3, 1.5).unwrap();
        let run = |sign: f64| {
            let options = Options::released(20.0 / block.frequency(), sign * tilt * block.slenderness());
            simulate(&block, &Restitution::housner(), &GroundMotion::horizontal(wave.scaled(sign)), &options).unwrap()
        };
        let (one, other) = (run(1.0), run(-1.0));
        prop_assert_eq!(one.events.len(), other.events.len());
        for (x, y) in one.events.iter().zip(&other.events) {
            prop_assert_eq!(x.time(), y.time());
        }
        match (one.outcome, other.outcome) {
            (Outcome::Overturned(x), Outcome::Overturned(y)) => prop_assert_eq!(x.side, y.side.other()),
            (x, y) => prop_assert_eq!(x, y),
        }
    }

    #[test]
    fn time_scales_with_the_square_root_of_the_size(alpha in 0.05f64..0.8, radius in 0.05f64..2.0, factor in 1.5f64..9.0) {
        let small = RockingBlock::from_slenderness(alpha, radius, 9.81).unwrap();
        let large = RockingBlock::from_slenderness(alpha, radius * factor, 9.81).unwrap();
        let first = |b: &RockingBlock| free(b, 0.9, 0.5, 1.0).impact_times()[0] * b.frequency();
        // p t depends on the shape only; rounding of a dozen steps
        prop_assert!((first(&small) - first(&large)).abs() < 1e-13 * first(&small) * 10.0);
    }

    #[test]
    fn a_moving_frame_of_constant_acceleration_is_a_turned_gravity(alpha in 0.05f64..0.5, a in 0.02f64..0.9) {
        // In a base accelerated by a below g tan α the block rocks as under gravity √(g² + a²) turned by atan(a/g):
        // with the slenderness angles α ∓ atan(a/g) seen from the two corners. Its energy is that of the two-sided
        // potential.
        let block = RockingBlock::from_slenderness(alpha, 0.5, 9.81).unwrap();
        let base = a * block.lift_off_acceleration();
        let motion = GroundMotion::horizontal(Component::constant(base, 100.0).unwrap());
        let restitution = Restitution::new(RestitutionModel::Given { eta: 1.0 }).unwrap();
        let options = Options { sample: Some(0.01), ..Options::released(3.0, 0.1 * alpha) };
        let run = simulate(&block, &restitution, &motion, &options).unwrap();
        let energy = |theta: f64, omega: f64| {
            let side = if theta < 0.0 { -1.0 } else { 1.0 };
            let r = block.radius();
            let psi = alpha - theta.abs();
            let x = -side * r * psi.sin();
            0.5 * (4.0 / 3.0) * r * r * omega * omega + 9.81 * r * psi.cos() + base * (x + side * r * alpha.sin())
        };
        let start = energy(0.1 * alpha, 0.0);
        for s in &run.samples {
            if matches!(run.outcome, Outcome::Overturned(_)) { break; }
            // elastic impacts keep it; 1e-12 of the potential for a thousand steps
            prop_assert!((energy(s.rotation, s.angular_velocity) - start).abs() < 1e-12 * start);
        }
    }
}

#[test]
fn unsymmetric_block_reduces_to_the_symmetric_one_and_mirrors() {
    let motion = |sign: f64| {
        GroundMotion::new(
            Component::waves(sign * 3.0, Frequency::rad_per_s(8.0), 0.2, 3.0).unwrap(),
            Component::waves(1.5, Frequency::rad_per_s(13.0), 0.1, 3.0).unwrap(),
        )
    };
    let rectangle = RockingBlock::rectangle(0.3, 1.2, 9.81).unwrap();
    let same = RockingBlock::unsymmetric(0.15, 0.15, 0.6, (0.09 + 1.44) / 12.0, 9.81).unwrap();
    let options = Options::new(8.0);
    let run = |b: &RockingBlock, sign: f64| {
        simulate(b, &Restitution::housner(), &motion(sign), &options).unwrap()
    };
    assert_eq!(run(&rectangle, 1.0), run(&same, 1.0));
    let left = RockingBlock::unsymmetric(0.5, 1.0, 3.0, 3.2, 9.81).unwrap();
    let right = RockingBlock::unsymmetric(1.0, 0.5, 3.0, 3.2, 9.81).unwrap();
    let (a, b) = (run(&left, 1.0), run(&right, -1.0));
    assert_eq!(a.impact_times(), b.impact_times());
    assert!(a.impacts > 3);
    // the weaker side lifts first: its corner is nearer to the centre
    assert!(matches!(
        a.events[0],
        Event::LiftOff {
            side: Side::Left,
            ..
        }
    ));
}

#[test]
fn upward_acceleration_is_more_gravity() {
    // a constant v̈ acts as g + v̈ for as long as it lasts
    let block = RockingBlock::rectangle(0.2, 0.9, 9.81).unwrap();
    let heavy = RockingBlock::rectangle(0.2, 0.9, 9.81 + 4.0).unwrap();
    let lift = GroundMotion::new(
        Component::at_rest(),
        Component::constant(4.0, 50.0).unwrap(),
    );
    let options = Options::released(4.0, 0.1);
    let a = simulate(&block, &Restitution::housner(), &lift, &options).unwrap();
    let b = simulate(
        &heavy,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &options,
    )
    .unwrap();
    assert_eq!(a.impacts, b.impacts);
    for (x, y) in a.impact_times().iter().zip(b.impact_times()) {
        // rounding of p² times G against p² of the heavier gravity
        assert!((x - y).abs() < 1e-12);
    }
}

#[test]
fn below_the_threshold_nothing_moves_and_at_it_the_block_lifts() {
    let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
    let a = block.lift_off_acceleration();
    let run = |a0: f64| {
        let wave = Component::waves(a0, Frequency::rad_per_s(5.0), 0.0, 4.0).unwrap();
        simulate(
            &block,
            &Restitution::housner(),
            &GroundMotion::horizontal(wave),
            &Options::new(6.0),
        )
        .unwrap()
    };
    assert_eq!(run(0.999 * a).outcome, Outcome::Rest);
    let rocking = run(1.5 * a);
    // lift-off when sin ωt = 1/1.5, to rounding of t
    let exact = (1.0f64 / 1.5).asin() / 5.0;
    assert!((rocking.events[0].time() - exact).abs() < 1e-15 * 10.0);
    assert!(matches!(
        rocking.events[0],
        Event::LiftOff {
            side: Side::Left,
            ..
        }
    ));
}

#[test]
fn a_record_gives_the_same_motion_as_its_samples_in_pieces() {
    // a straight ramp sampled at three and at thirty points is the same motion
    let coarse = Record::uniform(
        0.5,
        &[0.0, 4.0, -4.0, 0.0],
        AccelerationUnit::MetrePerSecondSquared,
    )
    .unwrap();
    let fine: Vec<f64> = (0..=30)
        .map(|i| {
            let t = i as f64 * 0.05;
            if t < 0.5 {
                8.0 * t
            } else if t < 1.0 {
                4.0 - 16.0 * (t - 0.5)
            } else {
                -4.0 + 8.0 * (t - 1.0)
            }
        })
        .collect();
    let fine = Record::uniform(0.05, &fine, AccelerationUnit::MetrePerSecondSquared).unwrap();
    let block = RockingBlock::rectangle(1.5, 5.0, 9.81).unwrap();
    let run = |r: &Record| {
        simulate(
            &block,
            &Restitution::housner(),
            &GroundMotion::horizontal(r.component(1.0).unwrap()),
            &Options::new(8.0),
        )
        .unwrap()
    };
    let (a, b) = (run(&coarse), run(&fine));
    assert_eq!(a.impacts, b.impacts);
    assert!(a.impacts > 10);
    for (x, y) in a.impact_times().iter().zip(b.impact_times()) {
        // kinks of 1e-15 from the sampled values
        assert!((x - y).abs() < 1e-12, "{x} {y}");
    }
}

#[test]
fn bad_input_is_refused() {
    assert!(RockingBlock::rectangle(0.0, 1.0, 9.81).is_err());
    assert!(RockingBlock::rectangle(1.0, -1.0, 9.81).is_err());
    assert!(RockingBlock::rectangle(1.0, f64::NAN, 9.81).is_err());
    assert!(RockingBlock::from_slenderness(1.6, 1.0, 9.81).is_err());
    assert!(RockingBlock::from_slenderness(0.0, 1.0, 9.81).is_err());
    assert!(Restitution::new(RestitutionModel::Given { eta: 1.2 }).is_err());
    assert!(Restitution::new(RestitutionModel::Given { eta: -0.1 }).is_err());
    assert!(Restitution::new(RestitutionModel::Improved { k: f64::NAN }).is_err());
    let block = RockingBlock::rectangle(1.0, 1.0, 9.81).unwrap();
    let bad = Options {
        rotation: 2.0,
        ..Options::new(1.0)
    };
    let refused = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &bad,
    );
    assert_eq!(
        out_of_range(refused),
        ("rotation".into(), Found::Number(2.0))
    );
}

#[test]
fn samples_that_cannot_be_given_are_refused() {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap();
    let (restitution, still) = (Restitution::housner(), GroundMotion::at_rest());
    let options = Options::released(2.0, 0.1);
    let fine = Options {
        sample: Some(1e-9),
        ..options
    };
    let refused = simulate(&block, &restitution, &still, &fine);
    assert_eq!(out_of_range(refused).0, "samples of a run");
    let at = |times: &[f64]| simulate_at(&block, &restitution, &still, &options, times);
    for bad in [
        &[f64::NAN][..],
        &[-1.0, 0.5, 1.0],
        &[0.5, f64::NAN, 1.0],
        &[1.0, 0.5],
        &[0.5, 2.1],
        &[f64::INFINITY],
    ] {
        assert_eq!(out_of_range(at(bad)).0, "sample time", "{bad:?}");
    }
    let times = [0.0, 0.3, 2.0];
    let given: Vec<f64> = at(&times).unwrap().samples.iter().map(|s| s.time).collect();
    assert_eq!(given, times);
}

#[test]
fn a_bulky_block_stays_after_its_first_impact() {
    // h/b < 1/√2: Housner's balance gives no positive velocity
    let block = RockingBlock::rectangle(0.045, 0.02, 9.81).unwrap();
    let run = simulate(
        &block,
        &Restitution::housner(),
        &GroundMotion::at_rest(),
        &Options::released(2.0, 0.3),
    )
    .unwrap();
    assert_eq!((run.impacts, run.outcome), (1, Outcome::Settled));
}

#[test]
fn linear_equations_have_their_own_closed_forms() {
    let block = RockingBlock::rectangle(0.06, 0.09, 9.81).unwrap();
    let (alpha, p) = (block.slenderness(), block.frequency());
    let first = |equation, theta| {
        let options = Options {
            equation,
            ..Options::released(3.0, theta)
        };
        simulate(
            &block,
            &Restitution::housner(),
            &GroundMotion::at_rest(),
            &options,
        )
        .unwrap()
        .impact_times()[0]
    };
    // (3.25) and the same for (3.32)
    let exact = (1.0 / (1.0 - 0.5 / alpha)).acosh() / p;
    assert!((first(Equation::Linearised, 0.5) - exact).abs() < 1e-14);
    let tan = alpha.tan();
    let exact = (tan / (tan - 0.5)).acosh() / (p * alpha.cos().sqrt());
    assert!((first(Equation::QuasiLinear, 0.5) - exact).abs() < 1e-14);
}
