//! Columns of bodies in space: one in a plane of symmetry is a block, two are a stack, and round drums have no
//! preferred direction.

use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::spatial::{
    SpatialBody, SpatialColumn, SpatialColumnRun, SpatialMotion, SpatialOptions, SpatialOutcome,
};
use klast_rocking::{Options, Restitution, RockingBlock, simulate};
use klast_stacks::{Stack, StackBlock, StackOptions, StackState};

const G: f64 = 9.81;

fn along_x(motion: Component) -> SpatialMotion {
    SpatialMotion {
        components: [motion, Component::at_rest(), Component::at_rest()],
    }
}

fn assert_audited(run: &SpatialColumnRun) {
    let energy = run.energy;
    let scale = energy.start.abs().max(energy.end.abs()) + energy.base_work.abs();
    assert!(energy.imbalance.abs() < 1e-9 * scale, "{energy:?}");
}

/// A column of one prism, pushed across its face, is the plane engine's block: its largest rotation, alone and over the
/// critical one, and no fall and no jump.
#[test]
fn a_column_of_one_prism_is_the_plane_block() {
    let (width, height) = (0.5f64, 2.0f64);
    let wave = Component::waves(4.5, Frequency::hertz(2.0), 0.0, 2.0).unwrap();
    let block = RockingBlock::rectangle(width, height, G).unwrap();
    let motion = GroundMotion::horizontal(wave.clone());
    let plane = simulate(&block, &Restitution::housner(), &motion, &Options::new(4.0)).unwrap();
    let prism = SpatialBody::prism(width, 0.9, height, 2500.0).unwrap();
    let column = SpatialColumn::new(vec![prism]).unwrap();
    let options = SpatialOptions::new(4.0, 1.0);
    let run = column.run(&along_x(wave), G, &options).unwrap();
    assert_audited(&run);
    let [only] = run.drums[..] else {
        panic!("{run:?}")
    };
    let near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-3;
    let critical = (width / height).atan();
    assert!(near(only.largest_tilt, plane.largest_rotation), "{only:?}");
    assert!(near(only.largest_ratio, plane.largest_rotation / critical));
    assert!((column.least_critical_tilt(0) - critical).abs() < 1e-12);
    assert_eq!((run.fallen, run.first_jump), (None, None));
}

/// The least critical tilt is that over the nearest edge, α = atan(d/h) with the height h of the mass centre of a drum
/// and all above it. d is half the width of a prism, and the radius of a round drum, whatever its number of points of
/// contact.
#[test]
fn least_critical_tilts_are_those_over_the_nearest_edges() {
    let prism = |width, depth, height| SpatialBody::prism(width, depth, height, 2500.0).unwrap();
    let column = SpatialColumn::new(vec![prism(0.9, 0.7, 1.0), prism(0.5, 0.6, 2.0)]).unwrap();
    let centre = (0.63 * 0.5 + 0.6 * 2.0) / (0.63 + 0.6);
    assert!((column.least_critical_tilt(0) - (0.35f64 / centre).atan()).abs() < 1e-12);
    assert!((column.least_critical_tilt(1) - 0.25f64.atan()).abs() < 1e-12);
    for facets in [7usize, 9, 24, 361] {
        let drum = SpatialBody::cylinder(0.4, 1.2, facets, 2500.0).unwrap();
        let column = SpatialColumn::new(vec![drum; 3]).unwrap();
        for (drum, height) in [1.8f64, 1.2, 0.6].into_iter().enumerate() {
            let exact = (0.4 / height).atan();
            let found = column.least_critical_tilt(drum);
            assert!(
                (found - exact).abs() < 1e-12,
                "{facets} {drum}: {found} {exact}"
            );
        }
    }
    assert_eq!(column.least_critical_tilt(2), 0.0);
    // An upper frustum that is wider than the top below it tilts over the edge of that top.
    let frustum = SpatialBody::frustum(0.5, 0.3, 1.0, 24, 2000.0).unwrap();
    let centre = frustum.centre_height();
    let column = SpatialColumn::new(vec![frustum.clone(), frustum]).unwrap();
    let expected = (0.3 / centre).atan();
    assert!((column.least_critical_tilt(1) - expected).abs() < 1e-12);
    assert!((column.critical_tilt(1, 0.0) - (0.3 / centre).atan()).abs() < 1e-12);
}

/// A base that falls away faster than bodies do: one body and a column leave it at the time at which its acceleration
/// passes -g, A sin(ωt) = -g, and both say so in the step in which nothing is carried any more.
#[test]
fn one_drum_and_several_jump_when_the_base_falls_away() {
    let (amplitude, hertz) = (2.0 * G, 2.0);
    let wave = Component::waves(amplitude, Frequency::hertz(hertz), 0.0, 1.0).unwrap();
    let omega = std::f64::consts::TAU * hertz;
    let leaves = 0.5 / hertz + (G / amplitude).asin() / omega;
    let motion = SpatialMotion {
        components: [Component::at_rest(), Component::at_rest(), wave],
    };
    let prism = SpatialBody::prism(0.5, 0.5, 1.0, 2500.0).unwrap();
    for drums in [1, 2, 3] {
        let column = SpatialColumn::new(vec![prism.clone(); drums]).unwrap();
        let options = SpatialOptions::new(0.4, 0.7);
        let run = column.run(&motion, G, &options).unwrap();
        let jump = run.first_jump.unwrap() - leaves;
        assert!(jump > 0.0 && jump < 2.0 * options.step, "{drums}: {jump}");
        let options = SpatialOptions::new(leaves - 1e-3, 0.7);
        assert_eq!(column.run(&motion, G, &options).unwrap().first_jump, None);
    }
}

/// Two prisms pushed across their faces follow the stack without slip up to its first impact: within 0.01 % of the
/// largest rotation at a step of 1 ms, and within a third of that at half of it: the error is of second order.
#[test]
fn two_drums_in_a_plane_of_symmetry_are_a_stack() {
    let (width, height) = (0.1, 0.3);
    let stack = Stack::uniform(2, StackBlock::new(width, height, 2.0).unwrap(), G).unwrap();
    let push = Component::constant(0.35 * G, 0.12).unwrap();
    let end = 0.3;
    let exact = stack
        .run(
            &GroundMotion::horizontal(push.clone()),
            &StackState::rest(2),
            &StackOptions {
                sampling: Some(5e-3),
                ..StackOptions::until(end)
            },
        )
        .unwrap();
    assert_eq!(exact.diagnostics.jump_time, None);
    let peak = exact.samples.iter().flat_map(|s| &s.angles);
    let peak = peak.fold(0.0f64, |m, angle| m.max(angle.abs()));
    assert!(peak > 0.01);
    let drum = SpatialBody::prism(width, 0.1, height, 2000.0).unwrap();
    let column = SpatialColumn::new(vec![drum.clone(), drum]).unwrap();
    let off = [1e-3, 5e-4].map(|step| {
        let options = SpatialOptions {
            step,
            sample: Some(5e-3),
            ..SpatialOptions::new(end, 50.0)
        };
        let run = column.run(&along_x(push.clone()), G, &options).unwrap();
        assert_audited(&run);
        assert_eq!(run.unconverged, 0);
        let mut worst = 0.0f64;
        for (ours, theirs) in run.samples.iter().zip(&exact.samples) {
            assert!((ours[0].time - theirs.time).abs() < 1e-6);
            for (drum, angle) in ours.iter().zip(&theirs.angles) {
                worst = worst.max((drum.tilt * drum.azimuth.cos() - angle).abs() / peak);
            }
        }
        worst
    });
    assert!(off[0] < 1e-4 && off[1] < 0.3 * off[0], "{off:?}");
}

/// Released as one from just under the critical tilt of the whole the column comes back, from just above it falls: its
/// mass centre then stands outside of its base.
#[test]
fn a_leaning_column_falls_beyond_its_critical_tilt() {
    let drums = [(0.30, 0.28), (0.28, 0.26), (0.26, 0.24)];
    let drums: Vec<SpatialBody> = drums
        .into_iter()
        .map(|(bottom, top)| SpatialBody::frustum(bottom, top, 0.8, 12, 2500.0).unwrap())
        .collect();
    let column = SpatialColumn::new(drums).unwrap();
    let critical = column.critical_tilt(0, 0.0);
    // Of the frusta by hand: volumes h (a² + ab + b²)/3 and heights h (a² + 2ab + 3b²)/(4 (a² + ab + b²)).
    let (mut volume, mut moment) = (0.0, 0.0);
    for (k, (a, b)) in [(0.30f64, 0.28f64), (0.28, 0.26), (0.26, 0.24)]
        .into_iter()
        .enumerate()
    {
        let sum = a * a + a * b + b * b;
        let centre = 0.8 * (a * a + 2.0 * a * b + 3.0 * b * b) / (4.0 * sum);
        volume += sum;
        moment += sum * (0.8 * k as f64 + centre);
    }
    assert!((critical - (0.30 / (moment / volume)).atan()).abs() < 1e-12);
    let run = |tilt: f64| {
        let options = SpatialOptions {
            step: 1e-3,
            ..SpatialOptions::released(4.0, 0.8, tilt, 0.0)
        };
        column.run(&SpatialMotion::default(), G, &options).unwrap()
    };
    let beyond = run(1.03 * critical);
    assert!(
        matches!(beyond.outcome, SpatialOutcome::Overturned { azimuth, .. } if azimuth.abs() < 1e-3),
        "{beyond:?}"
    );
    assert_audited(&beyond);
    let below = run(0.97 * critical);
    assert!(
        !matches!(below.outcome, SpatialOutcome::Overturned { .. }),
        "{below:?}"
    );
    assert_audited(&below);
    assert!(
        (below.drums[0].largest_ratio - 0.97).abs() < 1e-3,
        "{below:?}"
    );
}

/// The same push along y moves a column of round drums along y as along x, where the facets have that symmetry.
#[test]
fn a_round_column_has_no_preferred_direction() {
    let drum = SpatialBody::cylinder(0.25, 0.6, 8, 2500.0).unwrap();
    let column = SpatialColumn::new(vec![drum; 3]).unwrap();
    let push = Component::constant(0.45 * G, 0.15).unwrap();
    let options = SpatialOptions {
        step: 5e-4,
        ..SpatialOptions::new(0.4, 0.7)
    };
    let along = column.run(&along_x(push.clone()), G, &options).unwrap();
    let motion = SpatialMotion {
        components: [Component::at_rest(), push, Component::at_rest()],
    };
    let across = column.run(&motion, G, &options).unwrap();
    for (a, b) in along.drums.iter().zip(&across.drums) {
        // Contacts are solved to 1e-8, and what is left is not turned with the push.
        assert!(
            (a.largest_tilt - b.largest_tilt).abs() < 1e-5,
            "{a:?} {b:?}"
        );
        assert!(
            (a.residual_offset.x - b.residual_offset.y).abs() < 1e-5,
            "{a:?} {b:?}"
        );
        assert!(a.residual_offset.y.abs() < 1e-5, "{a:?}");
    }
    assert!(along.drums[0].largest_tilt > 1e-3);
}

/// Three frusta that waves along two directions let wobble from corner to corner, with many impacts of small gaps:
/// every step is solved, and half of it moves the largest tilt by less than 5 %, since they also slide.
#[test]
fn a_column_that_wobbles_is_solved_from_impact_to_impact() {
    let radii = [(0.34, 0.32), (0.32, 0.30), (0.30, 0.28)];
    let drum = |(bottom, top)| SpatialBody::frustum(bottom, top, 1.1, 12, 2600.0).unwrap();
    let column = SpatialColumn::new(radii.map(drum).to_vec()).unwrap();
    let wave = |amplitude, phase| {
        Component::waves(amplitude, Frequency::hertz(1.25), phase, f64::INFINITY).unwrap()
    };
    let motion = SpatialMotion {
        components: [wave(2.4, 0.0), wave(1.6, 1.2), Component::at_rest()],
    };
    let [whole, half] = [1e-3, 5e-4].map(|step| {
        let options = SpatialOptions {
            step,
            ..SpatialOptions::new(1.5, 0.7)
        };
        let run = column.run(&motion, G, &options).unwrap();
        assert_audited(&run);
        assert_eq!(run.unconverged, 0);
        run.drums[0].largest_tilt
    });
    assert!(
        whole > 0.01 && (half / whole - 1.0).abs() < 0.05,
        "{whole} {half}"
    );
}

/// Columns that cannot be are refused.
#[test]
fn a_column_has_one_to_forty_bodies() {
    assert!(SpatialColumn::new(Vec::new()).is_err());
    let drum = SpatialBody::cylinder(0.3, 0.6, 8, 2500.0).unwrap();
    assert!(SpatialColumn::new(vec![drum; 41]).is_err());
}

/// A low column released from a lean below its critical tilt comes back upright, and its lower mass centre with it:
/// from 0.5 sin 0.3 + 0.1 cos 0.3 = 0.243 m to 0.1 m, more than half of the height of a body and no fall.
#[test]
fn a_low_column_that_comes_back_upright_has_not_fallen() {
    let prism = SpatialBody::prism(1.0, 1.0, 0.2, 2500.0).unwrap();
    let column = SpatialColumn::new(vec![prism.clone(), prism]).unwrap();
    assert!((column.critical_tilt(0, 0.0) - (0.5f64 / 0.2).atan()).abs() < 1e-12);
    let options = SpatialOptions {
        step: 1e-3,
        ..SpatialOptions::released(2.0, 0.8, 0.3, 0.0)
    };
    let run = column.run(&SpatialMotion::default(), G, &options).unwrap();
    assert_eq!(run.outcome, SpatialOutcome::Settled);
    assert!(run.drums.iter().all(|drum| drum.residual_tilt < 0.01));
    assert_audited(&run);
}
