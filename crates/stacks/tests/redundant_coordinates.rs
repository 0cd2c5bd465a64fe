//! Stacks of three and four blocks against a second implementation: redundant coordinates, constraints, another
//! integrator.

use crate::redundant::{Block, Push};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_numerics::SplitMix64;
use klast_stacks::{
    InterfaceRestitution, Stack, StackBlock, StackEventKind, StackOptions, StackState,
};

fn ratio(value: f64) -> InterfaceRestitution {
    if value < 1.0 {
        InterfaceRestitution::Relative { ratio: value }
    } else {
        InterfaceRestitution::Housner
    }
}

#[test]
fn thirty_stacks_of_three_and_four() {
    let mut chance = SplitMix64::new(11);
    let mut compared = 0;
    for case in 0..30 {
        let n = 3 + case % 2;
        let even = case % 3 == 0;
        let b = chance.between(0.2, 1.0);
        let blocks: Vec<Block> = (0..n)
            .map(|_| {
                let b = if even {
                    b
                } else {
                    b * chance.between(0.7, 1.3)
                };
                let h = b * chance.between(1.0, 4.0);
                let m = b * h * chance.between(0.5, 2.0);
                Block { b, h, m }
            })
            .collect();
        let height: f64 = blocks.iter().map(|b| b.h).sum();
        let slender = blocks[0].b / height;
        let p = (0.75 * 9.81 / (0.5 * blocks[0].b.hypot(height))).sqrt();
        let (push, angle) = if case % 5 < 3 {
            let push = Push {
                amplitude: 9.81 * slender * chance.between(1.2, 6.0),
                omega: p * chance.between(1.0, 8.0),
                cycles: 1.0,
            };
            (push, vec![0.0; n])
        } else {
            let push = Push {
                amplitude: 0.0,
                omega: 1.0,
                cycles: 1.0,
            };
            let mut at = 0.0;
            let angle = (0..n)
                .map(|_| {
                    at += slender * chance.between(-0.3, 0.3);
                    at
                })
                .collect();
            (push, angle)
        };
        let loss = if case % 4 == 1 {
            (chance.between(0.9, 1.0), chance.between(0.8, 1.0))
        } else {
            (1.0, 1.0)
        };
        let mut second = crate::redundant::Stack::new(blocks.clone(), push, loss, angle.clone());
        let until = second.run(2.0);

        let made: Vec<StackBlock> = blocks
            .iter()
            .map(|b| StackBlock::new(b.b, b.h, b.m).unwrap())
            .collect();
        let stack = Stack::new(&made, 9.81).unwrap();
        let wave = if push.amplitude > 0.0 {
            Component::waves(
                push.amplitude,
                Frequency::rad_per_s(push.omega),
                0.0,
                push.cycles,
            )
            .unwrap()
        } else {
            Component::at_rest()
        };
        let start = StackState::from_angles(0.0, &angle, &vec![0.0; n]).unwrap();
        let options = StackOptions {
            base: ratio(loss.0),
            between: ratio(loss.1),
            ..StackOptions::until(until)
        };
        let run = stack
            .run(&GroundMotion::horizontal(wave), &start, &options)
            .unwrap();
        let found: Vec<_> = run
            .events
            .iter()
            .filter(|e| e.kind != StackEventKind::Fall && e.state.time < until - 1e-6)
            .collect();
        let expected: Vec<_> = second
            .log
            .iter()
            .filter(|e| e.time > 0.0 && e.time < until - 1e-6)
            .collect();
        println!(
            "case {case}: N = {n}, until {until:.4}, {} {}",
            found.len(),
            expected.len()
        );
        for (e, met) in found.iter().zip(&expected) {
            let pivots: Vec<i8> = (0..n)
                .map(|i| e.state.configuration().pivot(i).sign() as i8)
                .collect();
            let at = format!("case {case}: {e:?} {met:?}");
            // The bar: 1e-8 s.
            assert!((e.state.time - met.time).abs() < 1e-8, "{at}");
            assert_eq!(pivots, met.pivots, "{at}");
            assert_eq!(e.interface, met.interface, "{at}");
            compared += 1;
        }
        assert_eq!(found.len(), expected.len(), "case {case}");
    }
    println!("{compared} events");
    assert!(compared > 150, "{compared}");
}
