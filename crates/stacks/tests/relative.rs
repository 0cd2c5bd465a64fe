//! A share of the base law: the rate of the base law's outcome is scaled, not that of each trial, and shut interfaces
//! open rather than pull.

use klast_stacks::{InterfaceRestitution, Pivot, Stack, StackBlock, StackState};

/// Blocks (width, height, mass) of a stack, base first.
fn stack(blocks: &[(f64, f64, f64)]) -> Stack {
    let blocks: Vec<_> = blocks
        .iter()
        .map(|&(b, h, m)| StackBlock::new(b, h, m).unwrap())
        .collect();
    Stack::new(&blocks, 9.81).unwrap()
}

/// A tilted stack, all shut but the base, about to land.
fn landing(blocks: usize) -> StackState {
    let (mut angle, mut rate) = (vec![0.0; blocks], vec![0.0; blocks]);
    (angle[0], rate[0]) = (-1e-3, 0.4);
    StackState::from_relative(0.0, &angle, &rate)
        .unwrap()
        .landing(0)
}

fn opening(
    stack: &Stack,
    state: &StackState,
    law: InterfaceRestitution,
) -> (f64, String, bool, bool) {
    let impact = stack.impact(state, 0, law).unwrap();
    let name = impact.after.configuration().to_string();
    let most = impact
        .impulses
        .iter()
        .fold(0.0f64, |most, force| most.max(force.normal.abs()));
    // Shut faces push at both corners: the moment about the middle stays within the half width.
    let pushes = (1..stack.len()).all(|k| {
        let force = impact.impulses[k];
        impact.after.configuration().pivot(k) != Pivot::Full
            || force.normal * stack.half_width(k) - force.moment.abs() >= -1e-10 * most
    });
    (
        impact.after.relative_rate(0),
        name,
        impact.admissible,
        pushes,
    )
}

/// The lower block of 45 x 202.5 mm and the upper of half the height land as one on the base. With Housner's rate the
/// interface stays shut; a share under 0.96035 moves its impulse beyond the corner of the upper face, so it opens: from
/// the balance of the two momenta with the rates free. At 0.95 the rate is 0.95 of the base law's all the same.
#[test]
fn five_per_cent_of_loss_open_the_interface_above() {
    let two = stack(&[(0.045, 0.2025, 1.0896), (0.045, 0.10125, 0.5444)]);
    let state = landing(2);
    let base = opening(&two, &state, InterfaceRestitution::Housner);
    assert_eq!((base.1.as_str(), base.2), ("3b", true));
    let at = |ratio| opening(&two, &state, InterfaceRestitution::Relative { ratio });
    let (rate, name, admissible, pushes) = at(0.95);
    assert!(admissible && pushes);
    assert!((rate / base.0 - 0.95).abs() < 1e-12, "{}", rate / base.0);
    assert_eq!(name, "1b");
    let (mut shut, mut open) = (1.0, 0.9);
    for _ in 0..40 {
        let middle = 0.5 * (shut + open);
        if at(middle).1 == "3b" {
            shut = middle;
        } else {
            open = middle;
        }
    }
    assert!((shut - 0.96035).abs() < 1e-5, "{shut}");
}

/// Numbers between two ends.
fn numbers(mut chance: u64) -> impl FnMut(f64, f64) -> f64 {
    move |low, high| {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        low + (high - low) * (chance >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Thesis, Table 7.1: the four dual stacks, here with the ratios of width, height and mass that decide the impact.
#[test]
fn the_rate_at_the_base_is_the_share_of_the_base_law() {
    let mut next = numbers(77);
    let mut stacks = vec![
        stack(&[(0.06, 0.135, 1.0), (0.06, 0.135, 1.0)]),
        stack(&[(0.06, 0.27, 1.0), (0.06, 0.27, 1.0)]),
        stack(&[(0.06, 0.27, 2.0), (0.06, 0.135, 1.0)]),
        stack(&[(0.06, 0.135, 1.0), (0.06, 0.27, 2.0)]),
    ];
    for blocks in 1..=5 {
        for _ in 0..30 {
            let sizes: Vec<_> = (0..blocks)
                .map(|_| {
                    let (b, h) = (next(0.3, 1.5), next(0.3, 4.0));
                    (b, h, b * h * next(0.3, 3.0))
                })
                .collect();
            stacks.push(stack(&sizes));
        }
    }
    let mut opened = 0;
    for (case, stack) in stacks.iter().enumerate() {
        let state = landing(stack.len());
        let base = opening(stack, &state, InterfaceRestitution::Housner);
        for step in 0..=20 {
            let ratio = f64::from(step) / 20.0;
            let (rate, name, admissible, pushes) =
                opening(stack, &state, InterfaceRestitution::Relative { ratio });
            assert!(admissible && pushes, "{case} {ratio} {name}");
            assert!(
                (rate - ratio * base.0).abs() < 1e-12 * 0.4,
                "{case} {ratio}: {rate} {}",
                base.0
            );
            opened += usize::from(step > 0 && name != base.1);
        }
    }
    assert!(opened > 100, "{opened}");
}

/// The same from any state: interfaces above the base shut or open to either side, with rates of their own. Blocks of
/// Table 7.1 (widths of 45 and 60 mm) and random ones, one to five in a stack. An impact without an outcome says why;
/// of all others the rate is the share.
#[test]
fn from_any_state_the_rate_at_the_base_is_the_share_of_the_base_law() {
    let mut next = numbers(78);
    let (mut cells, mut none, mut opened, mut stuck) = (0, 0, 0, 0);
    for case in 0..600 {
        let sizes: Vec<_> = if case % 3 == 0 {
            let (b, mass) = [(0.045, 0.5444), (0.06, 1.2843)][case / 3 % 2];
            let once = (b, 2.25 * b, mass);
            let twice = (b, 4.5 * b, 2.0 * mass);
            [[once, once], [twice, twice], [once, twice], [twice, once]][case / 6 % 4].to_vec()
        } else {
            let blocks = 1 + case % 5;
            let random = |_| {
                let (b, h) = (next(0.3, 1.5), next(0.3, 4.0));
                (b, h, b * h * next(0.3, 3.0))
            };
            (0..blocks).map(random).collect()
        };
        let stack = stack(&sizes);
        let (mut angle, mut rate) = (vec![0.0; stack.len()], vec![0.0; stack.len()]);
        (angle[0], rate[0]) = (-1e-3, next(0.05, 1.0));
        for k in 1..stack.len() {
            if next(0.0, 1.0) < 0.6 {
                angle[k] = next(0.001, 0.2) * [1.0, -1.0][usize::from(next(0.0, 1.0) < 0.5)];
                rate[k] = next(-1.0, 1.0);
            }
        }
        let state = StackState::from_relative(0.0, &angle, &rate).unwrap();
        let state = state.landing(0);
        let base = stack
            .impact(&state, 0, InterfaceRestitution::Housner)
            .unwrap();
        // Rates are taken from momenta of the whole stack: rounding is that of its fastest rate.
        let fastest = rate.iter().fold(0.0f64, |most, r| most + r.abs());
        for step in 0..=20 {
            let ratio = f64::from(step) / 20.0;
            let law = InterfaceRestitution::Relative { ratio };
            let impact = stack.impact(&state, 0, law).unwrap();
            if !impact.admissible {
                assert!(impact.refusal.is_some(), "{case} {ratio}");
                none += 1;
                continue;
            }
            let share = ratio * base.after.relative_rate(0);
            let found = impact.after.relative_rate(0);
            assert!(
                (found - share).abs() < 1e-12 * fastest,
                "{case} {ratio}: {found} {share}"
            );
            cells += 1;
            stuck += usize::from(base.after.relative_rate(0) == 0.0);
            opened += usize::from(impact.after.configuration() != base.after.configuration());
        }
    }
    println!(
        "{cells} impacts, {none} without an outcome, {opened} open other interfaces, {stuck} stick in the base law"
    );
    assert!(cells > 10_000 && opened > 500, "{cells} {opened}");
}
