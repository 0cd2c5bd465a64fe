//! Openings and impacts by the complementarity problem of the corners: against all sets of pivots where those can be
//! tried, and by the laws of mechanics in absolute places up to a hundred blocks.

use klast_numerics::SplitMix64;
use klast_stacks::{
    Configuration, InterfaceForce, InterfaceRestitution, Pivot, Stack, StackBlock, StackState,
};

/// A stack of so many unequal blocks.
fn random_stack(chance: &mut SplitMix64, blocks: usize) -> Stack {
    let sizes: Vec<_> = (0..blocks)
        .map(|_| {
            let (b, h) = (chance.between(0.5, 1.5), chance.between(0.3, 2.0));
            StackBlock::new(b, h, b * h * chance.between(0.5, 2.0)).expect("a block")
        })
        .collect();
    Stack::new(&sizes, 9.81).expect("a stack")
}

/// Mostly shut interfaces; the one returned comes down.
fn random_impact(chance: &mut SplitMix64, stack: &Stack, open: f64) -> (StackState, usize) {
    let blocks = stack.len();
    let struck = (chance.unit() * blocks as f64) as usize;
    let (mut angle, mut rate) = (vec![0.0; blocks], vec![0.0; blocks]);
    for k in 0..blocks {
        let side = if chance.unit() < 0.5 { -1.0 } else { 1.0 };
        if k == struck {
            angle[k] = side * 1e-3;
            rate[k] = -side * chance.between(0.001, 2.0);
        } else if chance.unit() < open {
            angle[k] = side * chance.between(0.001, 0.1);
            rate[k] = chance.between(-1.0, 1.0);
        }
    }
    let state = StackState::from_relative(0.0, &angle, &rate)
        .expect("a state")
        .landing(struck);
    (state, struck)
}

/// What the interfaces that are free carry at their corners is not below a round-off of the largest.
fn pushes_at(stack: &Stack, forces: &[InterfaceForce], free: &[usize]) -> bool {
    let most = forces.iter().fold(0.0_f64, |m, f| m.max(f.normal.abs()));
    free.iter().all(|&k| {
        let couple = forces[k].moment / stack.half_width(k);
        0.5 * (forces[k].normal - couple.abs()) >= -1e-9 * most
    })
}

#[test]
fn impacts_are_those_of_the_enumeration() {
    let mut chance = SplitMix64::new(571);
    let (mut pushing, mut pulling, mut missed) = (0, 0, 0);
    for case in 0..600 {
        let blocks = 1 + case % 7;
        let stack = random_stack(&mut chance, blocks);
        let (state, struck) = random_impact(&mut chance, &stack, 0.25);
        let before = state.configuration();
        let free: Vec<_> = (0..blocks)
            .filter(|&k| k == struck || before.pivot(k) == Pivot::Full)
            .collect();
        for law in [
            InterfaceRestitution::Housner,
            InterfaceRestitution::Relative { ratio: 0.7 },
            InterfaceRestitution::Offset { ratio: 0.8 },
        ] {
            let all = stack
                .admissible_impacts(&state, struck, law)
                .expect("outcomes");
            let taken = stack.impact(&state, struck, law).expect("an impact");
            let same = |other: &StackState| {
                (0..blocks).all(|k| (other.rate(k) - taken.after.rate(k)).abs() < 1e-10)
            };
            // The problem of an impulse off the corner has no symmetric matrix: two outcomes can push at free corners.
            let one = !matches!(law, InterfaceRestitution::Offset { .. });
            let pushes = all
                .iter()
                .find(|outcome| one && pushes_at(&stack, &outcome.impulses, &free));
            match pushes {
                Some(outcome) => {
                    pushing += 1;
                    assert!(taken.admissible, "case {case} {law:?}");
                    assert!(same(&outcome.after), "case {case} {law:?}");
                }
                // The blocks would jump: any admissible set of pivots, or none and the outcome says so.
                // An impulse off the corner that cannot open its interface leaves it shut, which `all` does not list.
                None if taken.admissible => {
                    pulling += usize::from(one);
                    let shut = !one && taken.after.configuration().pivot(struck) == Pivot::Full;
                    let known = shut || all.iter().any(|o| same(&o.after));
                    assert!(known, "case {case} {law:?}");
                }
                None => missed += usize::from(!all.is_empty()),
            }
        }
    }
    println!("{pushing} {pulling} {missed}");
    assert!(pushing > 1000 && missed == 0, "{pushing} {pulling} {missed}");
}

/// All configurations that differ from that of `state` at shut interfaces only and are admissible, by the forces and
/// accelerations in each; with whether all interfaces that were shut push.
fn all_openings(stack: &Stack, state: &StackState, base: (f64, f64)) -> Vec<(Configuration, bool)> {
    let before = state.configuration();
    let blocks = state.len();
    let free: Vec<_> = (0..blocks)
        .filter(|&k| before.pivot(k) == Pivot::Full)
        .collect();
    let unit = stack.gravity() / stack.total_height();
    Configuration::all(blocks)
        .filter(|c| (0..blocks).all(|k| free.contains(&k) || c.pivot(k) == before.pivot(k)))
        .filter_map(|configuration| {
            let trial = state.clone().in_configuration(configuration);
            let acceleration = stack.accelerations(&trial, base.0, base.1).expect("rates");
            let forces = stack.forces(&trial, base.0, base.1).expect("forces");
            let admissible = free.iter().all(|&k| match configuration.pivot(k) {
                Pivot::Full => {
                    let weight = stack.mass_above(k) * stack.gravity();
                    let couple = (forces[k].moment / stack.half_width(k)).abs();
                    0.5 * (forces[k].normal - couple) >= -1e-12 * weight
                }
                pivot => {
                    let below = if k == 0 { 0.0 } else { acceleration[k - 1] };
                    (acceleration[k] - below) * pivot.sign() >= -1e-12 * unit
                }
            });
            admissible.then(|| (configuration, pushes_at(stack, &forces, &free)))
        })
        .collect()
}

#[test]
fn openings_are_those_of_the_enumeration() {
    let mut chance = SplitMix64::new(572);
    let (mut pushing, mut pulling, mut missed) = (0, 0, 0);
    for case in 0..420 {
        let blocks = 1 + case % 7;
        let stack = random_stack(&mut chance, blocks);
        let (mut angle, mut rate) = (vec![0.0; blocks], vec![0.0; blocks]);
        for k in 0..blocks {
            if chance.unit() < 0.2 {
                angle[k] = chance.between(-0.1, 0.1);
                rate[k] = chance.between(-1.0, 1.0);
            }
        }
        let state = StackState::from_relative(0.0, &angle, &rate).expect("a state");
        let base = (chance.between(-15.0, 15.0), chance.between(-3.0, 3.0));
        let taken = stack.openings(&state, base.0, base.1).expect("openings");
        let all = all_openings(&stack, &state, base);
        // Of several admissible sets that all need a pull none is preferred.
        if let Some((configuration, _)) = all.iter().find(|(_, pushes)| *pushes) {
            pushing += 1;
            assert_eq!(taken, *configuration, "case {case}");
        } else if all.iter().any(|(configuration, _)| *configuration == taken) {
            pulling += 1;
        } else {
            missed += usize::from(!all.is_empty());
        }
    }
    println!("{pushing} {pulling} {missed}");
    assert!(pushing > 300 && missed == 0, "{pushing} {pulling} {missed}");
}
