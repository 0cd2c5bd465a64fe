//! The fragility of a stack beside that of its block.
use klast_ground_motion::{Component, Frequency};
use klast_rocking::fragility::{Campaign, DamageState};
use klast_rocking::{BatchOptions, Restitution, RockingBlock};
use klast_stacks::{Stack, StackBlock, StackOptions};

fn sines(count: u32) -> Vec<Component> {
    let of = |k| {
        Component::waves(
            1.0,
            Frequency::rad_per_s(5.0 + 2.0 * f64::from(k)),
            0.0,
            1.0,
        )
    };
    (0..count).map(|k| of(k).unwrap()).collect()
}

fn statue() -> RockingBlock {
    RockingBlock::rectangle(0.5, 2.0, 9.81).unwrap()
}

#[test]
fn a_stack_of_one_is_its_block_and_a_stack_falls_in_parts() {
    let block = statue();
    let one = Stack::new(&[StackBlock::new(0.5, 2.0, 1000.0).unwrap()], 9.81).unwrap();
    let records = sines(3);
    let scales: Vec<f64> = (1..=6)
        .flat_map(|k| [2.0 * f64::from(k), -2.0 * f64::from(k)])
        .collect();
    let single = Campaign::run(
        &block,
        &Restitution::housner(),
        &records,
        &scales,
        &BatchOptions::new(30.0),
    )
    .unwrap();
    let stack = one
        .campaign(&StackOptions::until(30.0), &records, &scales)
        .unwrap();
    for record in 0..3 {
        for (a, b) in single.row(record).iter().zip(stack.row(record)) {
            assert_eq!(a.overturned, b.overturned);
            // The two integrators agree on a peak to their tolerances; what overturns is followed to other ends.
            assert!(
                a.overturned || (a.peak - b.peak).abs() < 1e-8,
                "{a:?} {b:?}"
            );
        }
    }
    let two = Stack::uniform(2, StackBlock::new(0.4, 0.8, 300.0).unwrap(), 9.81).unwrap();
    let campaign = two
        .campaign(&StackOptions::until(6.0), &records, &[4.0, 12.0, 20.0])
        .unwrap();
    let count = |state| {
        campaign
            .fractions(state)
            .iter()
            .map(|f| f.reached)
            .sum::<f64>()
    };
    assert!(count(DamageState::Overturning) >= count(DamageState::TotalOverturning));
    assert!(count(DamageState::Rotation(0.0)) >= count(DamageState::Overturning));
}
