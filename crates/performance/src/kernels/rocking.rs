//! Rocking blocks and stacks.

use std::f64::consts::TAU;
use std::hint::black_box;

use anyhow::Result;
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_rocking::{BatchOptions, BatchWorkspace, Case, Instructions, Restitution, RockingBlock};
use klast_stacks::{Stack, StackBlock, StackOptions, StackState, StackWorkspace};

use crate::Work;

/// Blocks of 0.5 m by 2 m on a sine of 2 Hz, ten seconds, in lanes of the instructions every machine has.
pub fn lanes(size: usize) -> Result<Work> {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
    let case = |i: usize| -> Result<Case> {
        let share = (i % 64) as f64 / 100.0;
        let amplitude = (1.5 + share) * block.slenderness() * 9.81;
        Ok(Case {
            block,
            restitution: Restitution::housner(),
            motion: Component::waves(amplitude, Frequency::rad_per_s(2.0 * TAU), 0.0, 1.0)?,
            rotation: 0.0,
        })
    };
    let cases = (0..size).map(case).collect::<Result<Vec<_>>>()?;
    let options = BatchOptions {
        instructions: Instructions::Baseline,
        ..BatchOptions::new(10.0)
    };
    let mut workspace = BatchWorkspace::default();
    Ok(Box::new(move || {
        black_box(workspace.simulate(&cases, &options)?);
        Ok(cases.len() as u64)
    }))
}

/// The first two thousand steps of the same stack, counted by its events.
pub fn tall_stack(size: usize) -> Result<Work> {
    let (stack, motion) = slender(size)?;
    let options = StackOptions {
        most_steps: 2000,
        ..StackOptions::until(10.0)
    };
    let mut workspace = StackWorkspace::default();
    Ok(Box::new(move || {
        let run = workspace.run(&stack, &motion, &StackState::rest(size), &options)?;
        Ok(black_box(run).events.len() as u64)
    }))
}

/// Equal slender blocks, and a short sine.
fn slender(size: usize) -> Result<(Stack, GroundMotion)> {
    let block = StackBlock::new(3.212 * 0.25f64.sin(), 3.212 * 0.25f64.cos(), 1.0)?;
    let stack = Stack::uniform(size, block, 9.81)?;
    let wave = Component::waves(10.8696 * 9.81 * 0.125, Frequency::rad_per_s(12.0), 0.0, 1.0)?;
    Ok((stack, GroundMotion::horizontal(wave)))
}

/// A stack of equal slender blocks under a short sine, ten seconds.
pub fn stack(size: usize) -> Result<Work> {
    let (stack, motion) = slender(size)?;
    let options = StackOptions::until(10.0);
    let mut workspace = StackWorkspace::default();
    Ok(Box::new(move || {
        for _ in 0..10 {
            let start = StackState::rest(size);
            black_box(workspace.run(&stack, &motion, &start, &options)?);
        }
        Ok(10)
    }))
}
