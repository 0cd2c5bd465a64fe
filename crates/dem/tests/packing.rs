//! A small layer: graded, full, at rest, kept bit for bit; and what it refuses.

use glam::DVec3;
use klast_dem::{DemError, Grading, Packing, PackingSpec, Release, SizeClass, shrink_fraction};

fn small(seed: u64) -> PackingSpec {
    let mut spec = PackingSpec::rockfill(DVec3::new(1.2, 1.0, 1.0), 0.25, seed).unwrap();
    // Four rocks across: at 0.6 the walls would jam them.
    (spec.solid_fraction, spec.start_fraction) = (0.55, 0.47);
    spec.fall_time = 0.08;
    spec
}

#[test]
fn a_small_layer_is_full_and_at_rest() {
    let spec = small(1);
    let mut last = 0.0;
    let packing = Packing::make(&spec, |p| {
        assert!(p.fraction >= last);
        last = p.fraction;
    })
    .unwrap();
    let report = packing.report(&spec.law).unwrap();
    println!("{report:?}");
    // N is rounded to one rock of about ninety, and ninety random sizes differ from their law.
    assert!((report.porosity - 0.45).abs() < 0.02);
    // Standard deviation 5 % cut at two of it: 4.4 %; ninety samples.
    assert!((report.mean_size / 0.25 - 1.0).abs() < 0.015);
    assert!((report.size_deviation / 0.25 - 0.044).abs() < 0.012);
    for d in packing.sizes() {
        assert!((0.225..=0.275).contains(&d), "{d}");
    }
    // Hard bodies with friction rest on 4 to 6 others.
    assert!((2.5..8.0).contains(&report.coordination));
    // Weight of a rock over the stiffness is 1e-5 m.
    assert!(report.mean_overlap < 1e-3 && report.largest_overlap < 1e-2);
    for (p, m) in packing.particles.iter().zip(&packing.motions) {
        for v in p.shape.vertices() {
            let x = m.pose().transform_point(*v);
            let out = (x - spec.edges).max(-x).max_element();
            assert!(out < 1e-3, "a corner is {out} m outside the layer");
        }
    }

    let bytes = packing.to_bytes();
    let loaded = Packing::from_bytes(&bytes).unwrap();
    assert_eq!(loaded.spec_hash, spec.hash());
    assert_eq!(loaded.motions, packing.motions);
    assert_eq!(loaded.report(&spec.law).unwrap(), report);
    assert_eq!(loaded.to_bytes(), bytes);
    for (a, b) in loaded.particles.iter().zip(&packing.particles) {
        assert_eq!(a.shape, b.shape);
        assert_eq!((a.mass, a.inertia), (b.mass, b.inertia));
    }
    let again = Packing::make(&spec, |_| {}).unwrap();
    assert_eq!(again.to_bytes(), bytes);

    for cut in [0, 7, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(matches!(
            Packing::from_bytes(&bytes[..cut]),
            Err(DemError::Saved { .. })
        ));
    }
    let mut changed = bytes.clone();
    changed[bytes.len() / 3] ^= 1;
    assert!(matches!(
        Packing::from_bytes(&changed),
        Err(DemError::Saved { .. })
    ));
}

#[test]
fn names_tell_specifications_apart() {
    let spec = small(1);
    assert_eq!(spec.hash(), small(1).hash());
    let mut others = vec![small(2)];
    others.resize(5, spec.clone());
    others[1].edges.x += 1e-12;
    others[2].tumble = 0.0;
    others[3].grading = Grading::Classes(vec![SizeClass {
        low: 0.2,
        high: 0.3,
        share: 1.0,
    }]);
    // The same numbers, let go elsewhere: another force at the end of every contact.
    others[4].law = spec
        .law
        .with_restitution(spec.law.restitution(), Release::ZeroOverlap)
        .unwrap();
    for other in others {
        assert_ne!(other.hash(), spec.hash());
    }
}

/// Printed in the reference: sizes 90 to 100 mm, largest 110 mm.
#[test]
fn the_shrink_fraction_shortens_by_itself() {
    for (omega, q, size) in [
        (0.0, 0.090_909_090_909_090_83, 0.1),
        (0.25, 0.113_636_363_636_363_62, 0.0975),
        (0.5, 0.136_363_636_363_636_35, 0.095),
        (1.0, 0.181_818_181_818_181_82, 0.09),
    ] {
        let found = shrink_fraction(0.09, 0.1, 0.11, omega).unwrap();
        // A sum of three ratios near one: some ulp.
        assert!((found - q).abs() < 1e-15);
        assert!((0.11 * (1.0 - found) - size).abs() < 1e-15);
    }
}

#[test]
fn classes_keep_their_shares_and_ranges() {
    use klast_sampling::{Purpose, Streams};
    let grading = Grading::Classes(vec![
        SizeClass {
            low: 0.1,
            high: 0.12,
            share: 3.0,
        },
        SizeClass {
            low: 0.2,
            high: 0.25,
            share: 1.0,
        },
    ]);
    let sizes = grading
        .sizes(4000, &mut Streams::new(5).rng(Purpose::Shape, 0))
        .unwrap();
    let small = sizes.iter().filter(|d| **d < 0.15).count();
    assert!(
        sizes
            .iter()
            .all(|d| (0.1..=0.12).contains(d) || (0.2..=0.25).contains(d))
    );
    // 3000 ± 4 standard deviations of a binomial count.
    assert!((2890..3110).contains(&small), "{small}");
}

#[test]
fn bad_specifications_are_named() {
    let too_small = PackingSpec::rockfill(DVec3::splat(0.1), 0.25, 1).unwrap();
    assert!(matches!(
        too_small.count(),
        Err(DemError::ContainerTooSmall { .. })
    ));
    let huge = PackingSpec::rockfill(DVec3::splat(1e6), 0.25, 1).unwrap();
    assert!(matches!(huge.count(), Err(DemError::OutOfRange(_))));
    let mut thin = small(1);
    thin.edges.y = 0.2;
    assert!(matches!(
        Packing::make(&thin, |_| {}),
        Err(DemError::ContainerTooSmall { .. })
    ));
    // One rock in a hundred is wider than the layer; the mean size is a third of it.
    let class = |low, high, share| SizeClass { low, high, share };
    let mut coarse = small(1);
    coarse.grading = Grading::Classes(vec![class(0.3, 0.31, 99.0)]);
    assert!(coarse.count().is_ok());
    coarse.grading = Grading::Classes(vec![class(0.3, 0.31, 99.0), class(1.1, 1.2, 1.0)]);
    match coarse.count() {
        Err(DemError::ContainerTooSmall { needed, .. }) => {
            assert!((1.1..=1.2).contains(&needed[0]));
        }
        other => panic!("{other:?}"),
    }
    let edits: [fn(&mut PackingSpec); 9] = [
        |s| s.solid_fraction = 0.9,
        |s| s.start_fraction = 0.7,
        |s| s.density = -1.0,
        |s| s.edges.x = f64::NAN,
        |s| s.step_ratio = 2.0,
        |s| s.wall_speed = 0.0,
        |s| s.fall_time = 1.1e3,
        |s| s.rest_time = 1e6,
        |s| s.grading = Grading::Classes(vec![]),
    ];
    for edit in edits {
        let mut spec = small(1);
        edit(&mut spec);
        let made = Packing::make(&spec, |_| panic!("a step was made"));
        assert!(made.is_err());
    }
}

/// Some 0.2 m of way at 1e-9 m/s are years, in steps of some µs.
#[test]
fn a_layer_of_more_than_a_milliard_steps_is_refused_before_the_first() {
    let mut slow = small(1);
    slow.wall_speed = 1e-9;
    match Packing::make(&slow, |_| panic!("a step was made")) {
        Err(DemError::OutOfRange(refused)) => {
            assert_eq!(refused.field, "steps of the making of a layer");
            let klast_numerics::Found::Number(found) = refused.found else {
                panic!("{refused}");
            };
            assert!(found > 1e9, "{found}");
        }
        other => panic!("{:?}", other.map(|layer| layer.edges)),
    }
}
