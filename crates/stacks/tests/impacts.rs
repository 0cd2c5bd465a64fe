//! One admissible outcome for every impact, and none that gains energy.

use klast_numerics::SplitMix64;
use klast_stacks::{Configuration, InterfaceRestitution, Pivot, Stack, StackBlock, StackState};

/// A stack with a random configuration in which the interface returned is about to land.
fn random_impact(chance: &mut SplitMix64, most: usize) -> (Stack, StackState, usize) {
    let blocks = 1 + (chance.unit() * most as f64) as usize;
    let sizes: Vec<_> = (0..blocks)
        .map(|_| {
            let (b, h) = (chance.between(0.3, 1.5), chance.between(0.3, 4.0));
            StackBlock::new(b, h, b * h * chance.between(0.3, 3.0)).expect("a block")
        })
        .collect();
    let stack = Stack::new(&sizes, 9.81).expect("a stack");
    let struck = (chance.unit() * blocks as f64) as usize;
    let (mut angle, mut rate) = (vec![0.0; blocks], vec![0.0; blocks]);
    for k in 0..blocks {
        let kind = (chance.unit() * 3.0) as usize;
        let side = if chance.unit() < 0.5 { -1.0 } else { 1.0 };
        if k == struck {
            angle[k] = side * 1e-3;
            rate[k] = -side * chance.between(0.001, 2.0);
        } else if kind > 0 {
            angle[k] = side * chance.between(0.001, 0.3);
            rate[k] = chance.between(-2.0, 2.0);
        }
    }
    let state = StackState::from_relative(0.0, &angle, &rate)
        .expect("a state")
        .landing(struck);
    (stack, state, struck)
}

/// Outcomes that differ in more than round-off, and whether each pushes at every interface.
fn distinct(
    stack: &Stack,
    state: &StackState,
    struck: usize,
    law: InterfaceRestitution,
) -> Vec<(StackState, bool)> {
    let mut found: Vec<(StackState, bool)> = Vec::new();
    for outcome in stack
        .admissible_impacts(state, struck, law)
        .expect("outcomes")
    {
        let same = |other: &StackState| {
            (0..state.len()).all(|k| (outcome.after.rate(k) - other.rate(k)).abs() < 1e-9)
        };
        if !found.iter().any(|(other, _)| same(other)) {
            let most = outcome
                .impulses
                .iter()
                .fold(0.0_f64, |most, force| most.max(force.normal.abs()));
            let pushes = outcome
                .impulses
                .iter()
                .all(|force| force.normal >= -1e-9 * most);
            found.push((outcome.after, pushes));
        }
    }
    found
}

#[test]
fn exactly_one_outcome_in_ten_thousand_impacts() {
    let mut chance = SplitMix64::new(11);
    let mut beyond = Vec::new();
    for case in 0..10_000 {
        let (stack, state, struck) = random_impact(&mut chance, 4);
        let outcomes = distinct(&stack, &state, struck, InterfaceRestitution::Housner);
        let taken = stack
            .impact(&state, struck, InterfaceRestitution::Housner)
            .expect("an impact");
        assert!(taken.admissible, "case {case}");
        let taken_among = |(outcome, _): &(StackState, bool)| {
            (0..state.len()).all(|k| (outcome.rate(k) - taken.after.rate(k)).abs() < 1e-9)
        };
        assert!(outcomes.iter().any(taken_among), "case {case}");
        // Within the model, where every interface pushes, the outcome is the only one.
        if outcomes.iter().any(|(_, pushes)| *pushes) {
            assert_eq!(outcomes.len(), 1, "case {case}");
        } else if outcomes.len() > 1 {
            beyond.push(case);
        }
    }
    // Counter-examples exist only where a hinge has to pull and the blocks would jump; these three are resolved below.
    assert_eq!(beyond, [2986, 6166, 7555]);
}

/// The first counter-example: four blocks, the base struck, the top interface shut. Two sets of pivots are admissible,
/// and in both some hinge pulls; the engine takes the one that changes the motion least and reports the pull.
#[test]
fn two_outcomes_where_a_hinge_pulls() {
    let blocks = [
        (1.0285793768063876, 0.6066329209011831, 1.506513076531943),
        (0.8029149439543866, 1.2130734023688015, 2.490505608868844),
        (0.7704310654833423, 0.5129174847799903, 1.091799914468078),
        (0.9462455799335254, 0.7406064246320785, 2.0824635838576913),
    ]
    .map(|(b, h, m)| StackBlock::new(b, h, m).expect("a block"));
    let stack = Stack::new(&blocks, 9.81).expect("a stack");
    let mut chance = SplitMix64::new(11);
    let mut case = random_impact(&mut chance, 4);
    for _ in 0..2986 {
        case = random_impact(&mut chance, 4);
    }
    let (same, state, struck) = case;
    assert_eq!(same, stack);
    assert_eq!(
        (state.configuration().to_string().as_str(), struck),
        ("RRLF", 0)
    );
    let law = InterfaceRestitution::Housner;
    let all = stack
        .admissible_impacts(&state, struck, law)
        .expect("outcomes");
    let names: Vec<_> = all
        .iter()
        .map(|outcome| outcome.after.configuration().to_string())
        .collect();
    assert_eq!(names, ["LRLL", "LRLR"]);
    assert!(
        all.iter()
            .all(|outcome| outcome.impulses.iter().any(|force| force.normal < 0.0))
    );
    let taken = stack.impact(&state, struck, law).expect("an impact");
    let most = all
        .iter()
        .map(|outcome| outcome.energy.1)
        .fold(0.0, f64::max);
    assert_eq!(taken.energy.1, most);
}

#[test]
fn no_impact_gains_energy() {
    let mut chance = SplitMix64::new(12);
    for law in [
        InterfaceRestitution::Housner,
        InterfaceRestitution::Relative { ratio: 0.5 },
        InterfaceRestitution::Relative { ratio: 0.95 },
        InterfaceRestitution::AllRates { factor: 0.95 },
    ] {
        for case in 0..1500 {
            let (stack, state, struck) = random_impact(&mut chance, 5);
            let (before, after) = stack.impact(&state, struck, law).expect("an impact").energy;
            assert!(
                after <= before * (1.0 + 1e-12),
                "{law:?} case {case}: {before} to {after}"
            );
        }
    }
}

#[test]
fn the_struck_interface_opens_or_stays_shut_and_open_hinges_stay() {
    let mut chance = SplitMix64::new(13);
    for case in 0..1500 {
        let (stack, state, struck) = random_impact(&mut chance, 5);
        let after = stack
            .impact(&state, struck, InterfaceRestitution::Housner)
            .expect("an impact")
            .after;
        let (old, new) = (state.configuration(), after.configuration());
        assert_ne!(new.pivot(struck), old.pivot(struck), "case {case}");
        for k in (0..old.len()).filter(|k| *k != struck && old.pivot(*k) != Pivot::Full) {
            assert_eq!(new.pivot(k), old.pivot(k), "case {case}");
        }
        for k in
            (0..old.len()).filter(|k| new.pivot(*k) != Pivot::Full && state.relative(*k) == 0.0)
        {
            assert!(
                after.relative_rate(k) * new.pivot(k).sign() > -1e-12,
                "case {case} interface {k}"
            );
        }
    }
}

/// Relative rate after over before of interface 2 in a configuration with both blocks turned.
fn upper_ratio(stack: &Stack, name: &str) -> f64 {
    let pivots = Configuration::from_name(name, 2).expect("a name");
    let (lower, upper) = (pivots.pivot(0).sign(), pivots.pivot(1).sign());
    let state = StackState::from_relative(0.0, &[0.07 * lower, 1e-3 * upper], &[0.3, -0.4 * upper])
        .expect("a state");
    let after = stack
        .impact(&state.landing(1), 1, InterfaceRestitution::Housner)
        .expect("an impact")
        .after;
    after.relative_rate(1) / (-0.4 * upper)
}

/// Rate of the lower block after over before when it lands with the upper one at rotation zero relative to the
/// vertical.
fn base_ratio(stack: &Stack, name: &str) -> f64 {
    let pivots = Configuration::from_name(name, 2).expect("a name");
    let (lower, upper) = (pivots.pivot(0).sign(), pivots.pivot(1).sign());
    let state =
        StackState::from_relative(0.0, &[1e-3 * lower, 1e-12 * upper], &[-0.4 * lower, 0.2])
            .expect("a state");
    let after = stack
        .impact(&state.landing(0), 0, InterfaceRestitution::Housner)
        .expect("an impact")
        .after;
    after.rate(0) / (-0.4 * lower)
}

#[test]
fn constants_of_the_impacts() {
    let equal = |b: f64, h: f64| {
        Stack::uniform(2, StackBlock::new(b, h, 1.0).expect("a block"), 9.81).expect("a stack")
    };
    let (r, alpha) = (1.606, 0.25_f64);
    // Reference values to ten digits, for DB3L3L, DB6L6L and the stack of Kounadis.
    let known = [
        (
            equal(0.06, 0.135),
            [0.2538860104, 0.3920215175, 0.6685359806, 1.0322762141],
        ),
        (
            equal(0.06, 0.27),
            [0.6697247706, 0.7944007166, 0.8571313806, 1.0166949363],
        ),
        (
            equal(2.0 * r * alpha.sin(), 2.0 * r * alpha.cos()),
            [0.5970908473, 0.7383618733, 0.8251999915, 1.0204413857],
        ),
    ];
    for (stack, [forth, back, down, up]) in &known {
        for (name, ratio) in [("1a", forth), ("1b", forth), ("2a", back), ("2b", back)] {
            let found = upper_ratio(stack, name).abs();
            assert!((found - ratio).abs() < 1e-10, "{name}: {found} {ratio}");
        }
        for (name, ratio) in [("1a", down), ("1b", down), ("2a", up), ("2b", up)] {
            let found = base_ratio(stack, name).abs();
            assert!(
                (found - ratio).abs() < 1e-10,
                "base {name}: {found} {ratio}"
            );
        }
    }
}

#[test]
fn no_closing_speed_no_impact() {
    let mut chance = SplitMix64::new(14);
    for _ in 0..300 {
        let (stack, state, struck) = random_impact(&mut chance, 4);
        let mut rates: Vec<f64> = (0..state.len()).map(|k| state.relative_rate(k)).collect();
        let angles: Vec<f64> = (0..state.len())
            .map(|k| {
                if k == struck {
                    1e-3 * state.configuration().pivot(k).sign()
                } else {
                    state.relative(k)
                }
            })
            .collect();
        rates[struck] = 0.0;
        let grazing = StackState::from_relative(0.0, &angles, &rates)
            .expect("a state")
            .landing(struck);
        let after = stack
            .impact(&grazing, struck, InterfaceRestitution::Housner)
            .expect("an impact")
            .after;
        for k in 0..state.len() {
            assert!((after.rate(k) - grazing.rate(k)).abs() < 1e-12, "{k}");
        }
    }
}

#[test]
fn every_law_and_ratio_has_one_outcome_or_says_why_it_has_none() {
    let mut chance = SplitMix64::new(15);
    let (mut none, mut several, mut cases) = ([0; 4], [0; 4], 0);
    for _ in 0..1200 {
        let (stack, state, struck) = random_impact(&mut chance, 5);
        let ratio = (11.0 * chance.unit()).floor() / 10.0;
        cases += 1;
        for (k, law) in [
            InterfaceRestitution::Housner,
            InterfaceRestitution::Relative { ratio },
            InterfaceRestitution::Offset { ratio },
            InterfaceRestitution::AllRates { factor: ratio },
        ]
        .into_iter()
        .enumerate()
        {
            let taken = stack.impact(&state, struck, law).expect("an impact");
            none[k] += usize::from(!taken.admissible && taken.refusal.is_none());
            let count = distinct(&stack, &state, struck, law)
                .iter()
                .filter(|(_, pushes)| *pushes)
                .count();
            several[k] += usize::from(count > 1);
        }
    }
    // Two outcomes that both push would be two answers of one law; in 20,000 impacts that of an offset alone has none,
    // twice.
    assert_eq!((none, several), ([0; 4], [0; 4]), "{cases} cases");
}
