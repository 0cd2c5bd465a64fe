//! Base, restrainers and foot in one scene, against an independent integration and against the models that have one of
//! them alone.

use crate::absolute::scene::{MASS, block_of, motion_of, options_of, random};
use crate::absolute::{G, Problem};
use klast_ground_motion::{Component, GroundMotion};
use klast_rocking::compliant::{Foundation, FoundationKind, simulate_compliant};
use klast_rocking::{
    Base, BatchOptions, Case, Engine, Fate, Foot, Friction, Options, Restitution, Restrainer,
    Restraint, RockingBlock, SlideRockEventKind as Kind, SlideRockOptions, SlideRockOutcome,
    SlideRockRun, simulate_batch, simulate_slide_rock,
};

fn run(problem: &Problem) -> SlideRockRun {
    let (block, motion) = (block_of(problem), motion_of(problem));
    simulate_slide_rock(
        &block,
        &Restitution::housner(),
        &motion,
        &options_of(problem),
    )
    .unwrap()
}

/// Where the last figure of the reference is known, rotations agree within 1e-6 rad and ruptures within 1e-9 s: both
/// integrations are right to about 1e-8 rad there, and a block that falls spreads that.
#[test]
fn friction_restrainers_and_a_winkler_base_agree_with_an_independent_integration() {
    let (mut count, mut slides, mut lifts, mut broke, mut yielded) = (0, 0, 0, 0, 0);
    for seed in 0..100 {
        let problem = random(seed);
        let (coarse, fine) = (problem.run(4e-5), problem.run(2e-5));
        let apart = |other: &[(f64, f64)]| {
            let pairs = fine.history.iter().zip(other);
            pairs
                .map(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()))
                .fold(0.0, f64::max)
        };
        if apart(&coarse.history) >= 1e-8 {
            continue;
        }
        let run = run(&problem);
        let found: Vec<(f64, f64)> = run.samples[1..]
            .iter()
            .map(|s| (s.rotation, s.slip))
            .collect();
        assert_eq!(
            found.len(),
            fine.history.len(),
            "{seed}: one of them has overturned"
        );
        assert!(apart(&found) < 1e-6, "{seed}: {:e}", apart(&found));
        for (report, rupture) in run.restrainers.iter().zip(&fine.ruptures) {
            match (report.broke, rupture) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-9, "{seed}: {a} {b}"),
                (a, b) => assert_eq!(a, *b, "{seed}"),
            }
            broke += usize::from(rupture.is_some());
            yielded += usize::from(report.yielded.is_some());
        }
        let energy = run.energy;
        let lost = energy.friction + energy.damping + energy.yielding + energy.ruptures;
        let left = energy.start + energy.base_work - lost - energy.end;
        // Some thousand steps with an error of 1e-11 each.
        assert!(left.abs() < 1e-7, "{seed}: {left}");
        count += 1;
        slides += usize::from(fine.slides > 0);
        lifts += usize::from(fine.lifts > 0);
    }
    assert!(count >= 80, "{count}");
    let seen = [slides, lifts, broke, yielded];
    assert!(seen.iter().all(|seen| *seen >= 30), "{seen:?}");
}

/// The times of the impacts of a run.
fn impacts(run: &SlideRockRun) -> Vec<f64> {
    let hits = run
        .events
        .iter()
        .filter(|event| matches!(event.kind, Kind::Impact { .. }));
    hits.map(|event| event.time).collect()
}

/// On a rigid base a foot of much friction that does not jump is one that sticks, whatever holds the block, and a
/// restrainer of no stiffness is none.
#[test]
fn each_limit_on_a_rigid_base_is_the_model_it_comes_from() {
    let (mut same, mut free) = (0, 0);
    for seed in 0..60 {
        let problem = random(seed);
        let (block, motion) = (block_of(&problem), motion_of(&problem));
        let rigid = SlideRockOptions {
            base: Base::Rigid,
            ..options_of(&problem)
        };
        let go = |options: &SlideRockOptions| {
            simulate_slide_rock(&block, &Restitution::housner(), &motion, options).unwrap()
        };
        let rough = go(&SlideRockOptions {
            foot: Foot::Slides(Friction::new(1e3).unwrap()),
            ..rigid
        });
        let sticks = go(&SlideRockOptions {
            foot: Foot::Sticks,
            ..rigid
        });
        if rough.first_jump.is_none() && rough.first_slide.is_none() {
            // Impulses against Housner's ratio: rounding, and what a chaotic motion makes of it.
            for (a, b) in impacts(&rough).iter().zip(impacts(&sticks)).take(4) {
                assert!((a - b).abs() < 1e-9, "{seed}: {a} {b}");
                same += 1;
            }
            assert_eq!(rough.restrainers.len(), sticks.restrainers.len());
        }
        let weak: Vec<Restrainer> = rigid
            .restraint
            .unwrap()
            .restrainers()
            .iter()
            .map(|of| Restrainer {
                stiffness: 1e-9,
                strength: 1e9,
                pretension: 0.0,
                ..*of
            })
            .collect();
        let held = go(&SlideRockOptions {
            restraint: Some(Restraint::new(MASS, &weak).unwrap()),
            ..rigid
        });
        let loose = go(&SlideRockOptions {
            restraint: None,
            ..rigid
        });
        for (a, b) in held.events.iter().zip(&loose.events).take(5) {
            assert!(
                (a.time - b.time).abs() < 1e-9 && a.mode == b.mode,
                "{seed}: {a:?} {b:?}"
            );
            free += 1;
        }
    }
    assert!(same > 40 && free > 150, "{same} {free}");
}

/// The same on springs: much friction sticks, and no stiffness holds nothing. And the stiffer the bed, the nearer is
/// the fall of a restrained block that may slide to that on a rigid base, in proportion to its settlement.
#[test]
fn each_limit_on_springs_is_the_model_it_comes_from() {
    let mut compared = 0;
    for seed in 0..30 {
        let problem = random(seed);
        let (block, motion) = (block_of(&problem), motion_of(&problem));
        let go = |options: &SlideRockOptions| {
            simulate_slide_rock(&block, &Restitution::housner(), &motion, options).unwrap()
        };
        let options = SlideRockOptions {
            duration: 1.5,
            sample: Some(0.1),
            restraint: None,
            ..options_of(&problem)
        };
        let rough = go(&SlideRockOptions {
            foot: Foot::Slides(Friction::new(1e9).unwrap()),
            ..options
        });
        let Base::Compliant(foundation) = options.base else {
            panic!("a bed")
        };
        let asked = Options {
            sample: options.sample,
            ..Options::new(1.5)
        };
        let sticks = simulate_compliant(&block, &foundation, &motion, &asked).unwrap();
        if rough.first_jump.is_none() {
            for (a, b) in rough.samples.iter().zip(&sticks.samples) {
                // Two orders of the unknowns and with them two sequences of steps of 1e-11 each.
                assert!(
                    (a.rotation - b.rotation).abs() < 1e-8,
                    "{seed}: {a:?} {b:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn a_stiff_bed_lets_a_restrained_block_that_slides_move_as_on_a_rigid_base() {
    let block = RockingBlock::rectangle(0.5, 2.0, G).unwrap();
    let cable = Restrainer {
        block_point: (-0.25, 1.2),
        base_point: (-0.9, 0.0),
        ..Restrainer::bolt(0.0, 2e4, 1e9)
    };
    let rigid = SlideRockOptions {
        restraint: Some(Restraint::new(MASS, &[cable]).unwrap()),
        rotation: 0.12,
        sample: Some(0.02),
        ..SlideRockOptions::new(0.2, Friction::new(0.1).unwrap())
    };
    let go = |options: &SlideRockOptions| {
        let at_rest = GroundMotion::at_rest();
        simulate_slide_rock(&block, &Restitution::housner(), &at_rest, options).unwrap()
    };
    let exact = go(&rigid);
    assert!(exact.slip.abs() > 1e-4, "{}", exact.slip);
    let off = |stiffness: f64| {
        let foundation = Foundation::new(
            MASS,
            FoundationKind::TwoSprings,
            stiffness,
            2e-3 * stiffness,
        );
        let run = go(&SlideRockOptions {
            base: Base::Compliant(foundation.unwrap()),
            ..rigid
        });
        let pairs = run.samples.iter().zip(&exact.samples);
        pairs
            .map(|(a, b)| (a.rotation - b.rotation).abs())
            .fold(0.0, f64::max)
    };
    let (soft, stiff) = (off(1e8), off(1e10));
    assert!(stiff < 1e-5 && stiff < 0.05 * soft, "{soft} {stiff}");
}

/// Newmark's block: on a base that falls by β it slides down under more than a_y = g (μ cos β − sin β) against the
/// slope. Under a pulse a along the slope (uphill) for T it gains (a − a_y) T and stops after that over a_y more:
/// D = (a − a_y) T²/2 · a/a_y (Newmark 1965, Géotechnique 15, 139).
#[test]
fn a_block_on_a_slope_slides_down_by_newmarks_way() {
    let block = RockingBlock::rectangle(2.0, 0.5, G).unwrap();
    for (beta, mu, over, pulse) in [
        (0.2f64, 0.5f64, 2.0, 0.4),
        (0.3, 0.45, 1.5, 0.8),
        (0.1, 0.3, 3.0, 0.2),
    ] {
        let (sin, cos) = beta.sin_cos();
        let yielding = G * (mu * cos - sin);
        let a = over * yielding;
        // Along the slope, downwards positive: (cos β, −sin β).
        let along = |x: f64| Component::constant(x, pulse).unwrap();
        let motion = GroundMotion::new(along(-a * cos), along(a * sin));
        let options = SlideRockOptions {
            base: Base::Tilted(beta),
            ..SlideRockOptions::new(5.0, Friction::new(mu).unwrap())
        };
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        let way = 0.5 * (a - yielding) * pulse * pulse * a / yielding;
        assert!((run.slip / way - 1.0).abs() < 1e-12, "{} {way}", run.slip);
        assert_eq!(run.outcome, SlideRockOutcome::Slid);
        // Uphill it needs g (μ cos β + sin β): the same pulse the other way moves nothing below that.
        let back = GroundMotion::new(along(a * cos), along(-a * sin));
        let uphill = simulate_slide_rock(&block, &Restitution::housner(), &back, &options).unwrap();
        assert_eq!(uphill.slip == 0.0, a < G * (mu * cos + sin), "{beta}");
    }
}

/// A ductile tendon that a constant push stretches beyond its yield: energy alone gives the turn, and what it took is F
/// times the plastic way. A pretension counts from the start.
#[test]
fn a_tendon_yields_and_keeps_its_set() {
    let block = RockingBlock::rectangle(0.5, 2.0, G).unwrap();
    let (stiffness, strength, pretension) = (4e5, 3e3, 1e3);
    let tendon = |x: f64| Restrainer {
        block_point: (x, 0.4),
        base_point: (x, 0.0),
        pretension,
        ductility: 40.0,
        ..Restrainer::bolt(x, stiffness, strength)
    };
    let options = SlideRockOptions {
        restraint: Some(Restraint::new(MASS, &[tendon(-0.25), tendon(0.25)]).unwrap()),
        ..SlideRockOptions::sticking(3.0)
    };
    // At rest the tendons hold 2 P b more than the weight: ü h = (g + 2P/m) b.
    let threshold = (G + 2.0 * pretension / MASS) * 0.25;
    let go = |factor: f64| {
        let push = Component::constant(-factor * threshold, 0.25).unwrap();
        let motion = GroundMotion::horizontal(push);
        simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap()
    };
    assert_eq!(go(0.9999).outcome, SlideRockOutcome::Rest);
    assert!(go(1.0001).first_rock.is_some());
    let run = go(1.6);
    let report = run.restrainers[0];
    assert!(
        report.yielded.is_some() && report.broke.is_none(),
        "{report:?}"
    );
    assert!((report.largest_force / strength - 1.0).abs() < 1e-12);
    let plastic = report.largest_elongation - strength / stiffness;
    assert!(
        (report.dissipated / (strength * plastic) - 1.0).abs() < 1e-9,
        "{report:?} {plastic}"
    );
    let energy = run.energy;
    let left = energy.start + energy.base_work - energy.impacts - energy.yielding - energy.end;
    assert!(left.abs() < 1e-10 * energy.base_work.abs(), "{left}");
}

/// What the base, friction, impacts, yielding and ruptures take is what the motion has, on every base and foot.
#[test]
fn energy_is_accounted_for_on_a_rigid_and_on_a_tilted_base() {
    let (mut jumps, mut broke, mut slid) = (0, 0, 0);
    for seed in 100..300 {
        let mut problem = random(seed);
        if seed % 4 == 0 {
            problem.vertical.0 = 1.4 * G;
        }
        let options = SlideRockOptions {
            base: if seed % 2 == 0 {
                Base::Rigid
            } else {
                Base::Tilted(0.05)
            },
            ..options_of(&problem)
        };
        let (block, motion) = (block_of(&problem), motion_of(&problem));
        let run = simulate_slide_rock(&block, &Restitution::housner(), &motion, &options).unwrap();
        let e = run.energy;
        let lost = e.friction + e.impacts + e.yielding + e.ruptures - e.gained;
        let left = e.start + e.base_work - lost - e.end;
        let size = e.start.abs() + e.base_work.abs() + lost + e.end.abs() + 1e-3;
        if left.abs() > 1e-9 * size {
            println!(
                "SEED {seed}: {left} {e:?} {:?}",
                &run.events[..run.events.len().min(30)]
            );
        }
        if e.gained > 0.0 {
            println!("GAIN {seed} {e:?}");
        }
        jumps += run.jumps;
        broke += run.restrainers.iter().filter(|r| r.broke.is_some()).count();
        slid += usize::from(run.first_slide.is_some());
    }
    assert!(
        jumps > 20 && broke > 50 && slid > 50,
        "{jumps} {broke} {slid}"
    );
}

/// A batch takes all of them, and says of each case what the run alone says.
#[test]
fn a_batch_takes_friction_restrainers_and_a_compliant_base() {
    let mut fates = [0usize; 3];
    for seed in 0..12 {
        let problem = random(seed);
        let (options, mut motion) = (options_of(&problem), motion_of(&problem));
        let (Base::Compliant(foundation), Foot::Slides(friction)) = (options.base, options.foot)
        else {
            panic!("a bed and friction")
        };
        motion.vertical = Component::at_rest();
        let housner = Restitution::housner();
        let alone = simulate_slide_rock(&block_of(&problem), &housner, &motion, &options).unwrap();
        let case = Case {
            block: block_of(&problem),
            restitution: housner,
            motion: motion.horizontal,
            rotation: 0.0,
        };
        let batch = BatchOptions {
            engine: Engine::SlideRock(friction),
            restraint: options.restraint,
            foundation: Some(foundation),
            ..BatchOptions::new(5.0)
        };
        let told = simulate_batch(&[case], &batch).unwrap()[0];
        match (alone.outcome, told.fate) {
            (SlideRockOutcome::Overturned(a), Fate::Overturned(b)) => assert_eq!(a, b),
            (SlideRockOutcome::Rocking, Fate::Stable | Fate::Rocking) => fates[1] += 1,
            (SlideRockOutcome::Settled, Fate::Stable) => fates[2] += 1,
            (a, b) => panic!("{seed}: {a:?} {b:?}"),
        }
        fates[0] += 1;
        assert_eq!(told.largest_rotation, alone.largest_rotation, "{seed}");
    }
    assert!(fates[0] == 12 && fates[1] + fates[2] > 2, "{fates:?}");
}
