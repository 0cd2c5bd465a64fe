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
    assert!(
        pushing > 1000 && missed == 0,
        "{pushing} {pulling} {missed}"
    );
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

/// Place (x, z) and velocity of the centre, rotation rate, and the corner (or the middle of a flush face) below.
#[derive(Clone, Copy)]
struct Moving {
    centre: [f64; 2],
    velocity: [f64; 2],
    rate: f64,
    below: [f64; 2],
}

/// From the pivots, rotations and rates of a state, by the geometry of rectangles alone.
fn places(stack: &Stack, state: &StackState) -> Vec<Moving> {
    let add = |a: [f64; 2], b: [f64; 2], f: f64| [a[0] + f * b[0], a[1] + f * b[1]];
    let (mut top, mut top_velocity) = ([0.0; 2], [0.0; 2]);
    let (mut along_below, mut rate_below) = ([1.0, 0.0], 0.0);
    (0..state.len())
        .map(|k| {
            let (theta, rate) = (state.angle(k), state.rate(k));
            let (along, up) = ([theta.cos(), -theta.sin()], [theta.sin(), theta.cos()]);
            let up_below = [-along_below[1], along_below[0]];
            // A turn moves the direction along a face against its normal, and the normal along the face.
            let reach = state.configuration().pivot(k).sign() * stack.half_width(k);
            let below = add(top, along_below, reach);
            let below_velocity = add(top_velocity, up_below, -reach * rate_below);
            let foot = add(below, along, -reach);
            let foot_velocity = add(below_velocity, up, reach * rate);
            let height = stack.blocks()[k].height;
            top = add(foot, up, height);
            top_velocity = add(foot_velocity, along, height * rate);
            (along_below, rate_below) = (along, rate);
            Moving {
                centre: add(foot, up, 0.5 * height),
                velocity: add(foot_velocity, along, 0.5 * height * rate),
                rate,
                below,
            }
        })
        .collect()
}

#[test]
fn impacts_of_a_hundred_blocks_keep_the_laws_of_mechanics() {
    let mut chance = SplitMix64::new(573);
    let (mut held, mut refused) = (0, 0);
    for case in 0..240 {
        let stack = random_stack(&mut chance, [10, 20, 50, 100][case % 4]);
        let (state, struck) = random_impact(&mut chance, &stack, 0.03);
        let impact = stack
            .impact(&state, struck, InterfaceRestitution::Housner)
            .expect("an impact");
        let (was, is) = impact.energy;
        assert!(is <= was * (1.0 + 1e-12), "case {case}");
        if !impact.admissible {
            refused += 1;
            continue;
        }
        held += 1;
        let after = &impact.after;
        let (old, new) = (places(&stack, &state), places(&stack, after));
        let mut momentum = [0.0; 2];
        let largest = impact
            .impulses
            .iter()
            .fold(0.0_f64, |m, f| m.max(f.normal.hypot(f.tangent)));
        let fastest = (0..state.len()).fold(0.0_f64, |m, k| m.max(state.rate(k).abs()));
        for j in (0..state.len()).rev() {
            let gained = |i: usize| {
                let m = stack.blocks()[i].mass;
                [0, 1].map(|x| m * (new[i].velocity[x] - old[i].velocity[x]))
            };
            momentum = [0, 1].map(|x| momentum[x] + gained(j)[x]);
            let force = &impact.impulses[j];
            // Sums of a hundred terms over some tens of metres.
            let near = 1e-9 * largest;
            let size = force.normal.hypot(force.tangent);
            assert!(
                (momentum[0].hypot(momentum[1]) - size).abs() < near,
                "case {case} {j}"
            );
            let about = new[j].below;
            let moment: f64 = (j..state.len())
                .map(|i| {
                    let arm = [0, 1].map(|x| new[i].centre[x] - about[x]);
                    let p = gained(i);
                    let spin = stack.blocks()[i].inertia() * (new[i].rate - old[i].rate);
                    arm[1] * p[0] - arm[0] * p[1] + spin
                })
                .sum();
            let near = near * stack.total_height();
            let pivot = after.configuration().pivot(j);
            if pivot == Pivot::Full {
                assert!((moment - force.moment).abs() < near, "case {case} {j}");
                let pushes = force.normal * stack.half_width(j) - moment.abs();
                assert!(pushes > -near, "case {case} {j}");
            } else {
                assert!(moment.abs() < near, "case {case} {j}: {moment}");
                let opens = after.relative_rate(j) * pivot.sign();
                let free = state.relative(j) == 0.0;
                assert!(!free || opens > -1e-12 * fastest, "case {case} {j}");
            }
        }
    }
    println!("{held} {refused}");
    // Where blocks would jump no set of pivots needs to be admissible.
    assert!(held > 200, "{held} {refused}");
}

#[test]
fn openings_of_a_hundred_blocks_push_and_open() {
    let mut chance = SplitMix64::new(574);
    let (mut held, mut refused) = (0, 0);
    for case in 0..120 {
        let blocks = [10, 20, 50, 100][case % 4];
        let stack = random_stack(&mut chance, blocks);
        let base = (chance.between(-8.0, 8.0), chance.between(-2.0, 2.0));
        let state = StackState::rest(blocks);
        let found = stack.openings(&state, base.0, base.1).expect("openings");
        let trial = state.clone().in_configuration(found);
        let acceleration = stack.accelerations(&trial, base.0, base.1).expect("rates");
        let forces = stack.forces(&trial, base.0, base.1).expect("forces");
        let unit = stack.gravity() / stack.total_height();
        let admissible = (0..blocks).all(|k| {
            let below = if k == 0 { 0.0 } else { acceleration[k - 1] };
            let opening = (acceleration[k] - below) * found.pivot(k).sign();
            let couple = (forces[k].moment / stack.half_width(k)).abs();
            let weight = stack.mass_above(k) * stack.gravity();
            match found.pivot(k) {
                Pivot::Full => 0.5 * (forces[k].normal - couple) >= -1e-12 * weight,
                _ => opening >= -1e-12 * unit,
            }
        });
        held += usize::from(admissible);
        refused += usize::from(!admissible);
    }
    println!("{held} {refused}");
    assert_eq!(refused, 0, "{held}");
}
