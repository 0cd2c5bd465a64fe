//! While a hold lasts, the facet it belongs to gives what a search gives, bit for bit; and bodies found apart are
//! apart.

use crate::common;

use common::{Dice, FAMILIES, random_polyhedron};
use glam::{DQuat, DVec3};
use klast_geometry::{
    AxisFeature, Hold, Manifold, NarrowPhase, PairMemory, Placed, Pose, Proximity,
};

/// Bodies wander about each other by steps of all sizes, up to those that change the facet each time.
#[test]
fn a_held_facet_is_the_one_a_search_finds() {
    let mut dice = Dice::new(21);
    let mut work = NarrowPhase::default();
    let (mut held, mut switched, mut apart) = (0, 0, 0);
    for i in 0..400 {
        let a = random_polyhedron(&mut dice, i % FAMILIES);
        let b = random_polyhedron(&mut dice, i / FAMILIES % FAMILIES);
        let step = [1e-5, 1e-4, 1e-3, 1e-2][i % 4];
        let pose_a = Pose {
            rotation: dice.rotation(),
            translation: dice.direction(),
        };
        let mut pose_b = Pose {
            rotation: dice.rotation(),
            translation: pose_a.translation + dice.direction() * dice.between(0.1, 1.6),
        };
        let mut known: Option<(Option<AxisFeature>, Hold)> = None;
        for _ in 0..150 {
            let turn = DQuat::from_scaled_axis(dice.direction() * step);
            pose_b.rotation = (turn * pose_b.rotation).normalize();
            pose_b.translation += dice.direction() * step;
            let place = |shape, pose| Placed { shape, pose };
            let (pa, pb) = (place(&a, &pose_a), place(&b, &pose_b));
            let searched = work.overlap(pa, pb, None);
            match known {
                Some((None, hold)) if hold.lasts(pa, pb) => {
                    apart += 1;
                    assert_eq!(searched, None, "pair {i}");
                }
                Some((Some(axis), hold)) => {
                    if let Some(found) = work.held(pa, pb, axis, &hold) {
                        held += 1;
                        assert_eq!(Some(found), searched, "pair {i}");
                        continue;
                    }
                    switched += usize::from(searched.is_some_and(|s| s.axis != axis));
                }
                _ => {}
            }
            let slack = 0.05 * (a.radius() + b.radius());
            known = Some(match work.proximity(pa, pb, None, slack) {
                Proximity::Touching { overlap, hold } => {
                    assert_eq!(Some(overlap), searched, "pair {i}");
                    (Some(overlap.axis), hold)
                }
                Proximity::Apart { gap, hold, .. } => {
                    assert!(searched.is_none() && gap >= 0.0, "pair {i}");
                    (None, hold)
                }
            });
        }
    }
    assert!(
        held > 15_000 && switched > 500 && apart > 5_000,
        "{held} {switched} {apart}"
    );
}

/// A rock that trembles in place holds; one that leaves does not.
#[test]
fn what_counts_is_where_the_body_stands() {
    let mut dice = Dice::new(4);
    let mut work = NarrowPhase::default();
    let body = random_polyhedron(&mut dice, 4);
    let at = |z: f64| Pose::from_translation(DVec3::Z * z);
    let place = |pose| Placed { shape: &body, pose };
    let (here, there) = (at(0.0), at(10.0));
    let Proximity::Apart { hold, gap, .. } = work.proximity(place(&here), place(&there), None, 0.0)
    else {
        panic!("ten sizes apart");
    };
    let near = at(10.0 - 0.9 * gap);
    for _ in 0..100 {
        // A hundred such steps add up to more than the gap.
        assert!(hold.lasts(place(&here), place(&near)));
        assert!(hold.lasts(place(&here), place(&there)));
    }
    let through = at(10.0 - 1.1 * gap);
    assert!(!hold.lasts(place(&here), place(&through)));
}

/// Pairs that overlap, touch and part while they wander, by steps from 1e-9 to 1e-1 of their size: what a query leaves
/// to the next one never changes its answer, to the bit.
#[test]
fn what_a_manifold_remembers_changes_no_answer() {
    let mut dice = Dice::new(33);
    let (mut narrow, mut plain, mut remembered) = (
        NarrowPhase::default(),
        Manifold::default(),
        Manifold::default(),
    );
    let (mut touching, mut apart, mut left_out) = (0, 0, 0);
    for i in 0..400 {
        let a = random_polyhedron(&mut dice, i % FAMILIES);
        let b = random_polyhedron(&mut dice, i / FAMILIES % FAMILIES);
        let fixed = Pose::from_rotation(dice.rotation());
        let mut pose = Pose {
            rotation: dice.rotation(),
            translation: dice.direction() * dice.between(0.3, 1.6),
        };
        let mut memory = PairMemory::default();
        for k in 0..60 {
            // Long stretches of small steps, with a larger one in between.
            let step = 10f64.powf(dice.between(-9.0, if k % 20 == 0 { -1.0 } else { -3.0 }));
            let turn = dice.direction() * step;
            pose.translation += dice.direction() * step;
            pose.rotation = (DQuat::from_scaled_axis(turn) * pose.rotation).normalize();
            let (pa, pb) = (
                Placed {
                    shape: &a,
                    pose: &fixed,
                },
                Placed {
                    shape: &b,
                    pose: &pose,
                },
            );
            // One memory serves queries with several margins, as a world asks them.
            let margin = [0.0, 0.01, 0.1][k % 3];
            let before = memory;
            narrow.manifold(pa, pb, margin, None, &mut plain);
            narrow.next_manifold(pa, pb, margin, &mut memory, &mut remembered);
            // A search writes anew how the pair stands.
            left_out += usize::from(before == memory);
            assert_eq!(plain, remembered, "{i} {k}");
            touching += usize::from(plain.points.iter().any(|p| p.gap < 0.0));
            apart += usize::from(plain.points.is_empty());
        }
    }
    assert!(touching > 5000 && apart > 2000, "{touching} {apart}");
    assert!(left_out > 5000, "{left_out}");
}
