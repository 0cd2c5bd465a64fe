//! Fixed pieces of work whose instructions are counted: `kernels NAME`.
//!
//! `cargo xtask instructions` runs each under a counter and compares with the pinned counts, so that a slow-down fails
//! without a clock. `kernels start` does nothing: its count is taken off the others. Inputs are made here, from a fixed
//! seed; one thread.

use std::hint::black_box;

use anyhow::{Result, bail};
use glam::{DQuat, DVec3};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, ImpactRule, Start, StartVelocity,
};
use klast_dynamics::ground_motion::{Component, GroundMotion};
use klast_dynamics::scenes::{cubes, lattice, pour};
use klast_dynamics::{
    Body, ContactMaterial, Effort, EventDriven, Limits, State, Twist, WorldSettings,
};
use klast_geometry::{NarrowPhase, Placed, Plane, Pose, Solid};
use klast_rocking::stack::{Stack, StackBlock, StackOptions, StackState};
use klast_rocking::{BatchOptions, Case, Instructions, Restitution, RockingBlock, simulate_batch};

type Kernel = (&'static str, fn() -> Result<()>);

/// Every kernel by name.
const KERNELS: [Kernel; 7] = [
    ("start", || Ok(())),
    ("falling-cubes", falling_cubes),
    ("poured-cubes", poured_cubes),
    ("rocking-lanes", rocking_lanes),
    ("kounadis-stack", kounadis_stack),
    ("basin-8", basin),
    ("overlap", overlap),
];

fn main() -> Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()?;
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "list" {
        KERNELS.iter().for_each(|(name, _)| println!("{name}"));
        return Ok(());
    }
    match KERNELS.iter().find(|k| k.0 == name) {
        Some((_, run)) => run(),
        None => bail!(
            "no kernel '{name}'; accepted: list, {}",
            KERNELS.map(|k| k.0).join(", ")
        ),
    }
}

/// Attitudes and spins that fill their spaces evenly enough and need no generator (Kronecker sequence).
fn spread(i: u32) -> (DQuat, DVec3) {
    let part = |k: f64| (f64::from(i) * k).fract();
    let axis = DVec3::new(part(0.618) - 0.5, part(0.414) - 0.5, part(0.732) - 0.45);
    let turn = DQuat::from_axis_angle(axis.normalize_or(DVec3::Z), 6.0 * part(0.236));
    (
        turn,
        4.0 * DVec3::new(part(0.302) - 0.5, part(0.541) - 0.5, part(0.193) - 0.5),
    )
}

fn falling_cubes() -> Result<()> {
    let body = Body::uniform(&Solid::Cube.with_volume(1.0)?, 2700.0)?;
    let slope = Plane::new(DVec3::new(0.5, 0.0, 0.75f64.sqrt()), 0.0)?;
    let ground = ContactMaterial::new(0.35, 0.6)?;
    let limits = Limits {
        time: 4.0,
        ..Limits::default()
    };
    let run = EventDriven::new(DVec3::new(0.0, 0.0, -9.81), slope, ground, limits)?;
    for i in 0..20 {
        let (turn, spin) = spread(i);
        let pose = Pose::new(turn, DVec3::new(0.0, 0.0, 5.0))?;
        let start = State {
            pose,
            velocity: Twist::new(DVec3::ZERO, spin)?,
        };
        black_box(run.run(&body, start, &mut ())?);
    }
    Ok(())
}

fn poured_cubes() -> Result<()> {
    let settings = WorldSettings {
        effort: Effort::Sweeps(20),
        parallel: false,
        ..Default::default()
    };
    let mut world = pour(&cubes()?, &lattice(64), settings)?;
    for _ in 0..250 {
        world.step()?;
    }
    Ok(())
}

fn rocking_lanes() -> Result<()> {
    let block = RockingBlock::rectangle(0.5, 2.0, 9.81)?;
    let case = |i: u32| -> Result<Case> {
        let amplitude = (1.5 + 0.01 * f64::from(i)) * block.slenderness() * 9.81;
        Ok(Case {
            block,
            restitution: Restitution::housner(),
            motion: Component::waves(amplitude, 2.0 * std::f64::consts::TAU, 0.0, 1.0)?,
            rotation: 0.0,
        })
    };
    let cases = (0..64).map(case).collect::<Result<Vec<_>>>()?;
    let options = BatchOptions {
        instructions: Instructions::Baseline,
        ..BatchOptions::new(10.0)
    };
    black_box(simulate_batch(&cases, &options)?);
    Ok(())
}

fn kounadis_stack() -> Result<()> {
    let block = StackBlock::new(3.212 * 0.25f64.sin(), 3.212 * 0.25f64.cos(), 1.0)?;
    let stack = Stack::uniform(2, block, 9.81)?;
    let wave = Component::waves(10.8696 * 9.81 * 0.125, 12.0, 0.0, 1.0)?;
    let motion = GroundMotion::horizontal(wave);
    for _ in 0..10 {
        black_box(stack.run(&motion, &StackState::rest(2), &StackOptions::until(10.0))?);
    }
    Ok(())
}

fn basin() -> Result<()> {
    let block = Block {
        size: 0.125,
        mass: 1.0,
        friction: 0.02 / 9.81,
    };
    let row = BlockRow::uniform(8, block)?;
    let motion = BasinMotion::harmonic(1.0, 1.0 / std::f64::consts::TAU)?;
    let basin = Basin::new(9.0, motion, klast_assembly::Restitution::new(0.9, 0.9999)?)?;
    let start = Start::spread(8, 8.0, StartVelocity::WithBasin);
    let mut run = Assembly::new(basin, &row, &start, ImpactRule::Complementarity)?;
    run.advance_to(200.0 * std::f64::consts::TAU)?;
    black_box(run.counts());
    Ok(())
}

fn overlap() -> Result<()> {
    let (a, b) = (
        Solid::Icosahedron.with_volume(1.0)?,
        Solid::Dodecahedron.with_volume(1.0)?,
    );
    let mut narrow = NarrowPhase::default();
    for i in 0..2000 {
        let (turn_a, along) = spread(i);
        let pose_a = Pose::from_rotation(turn_a);
        let pose_b = Pose::new(spread(i + 7).0, along.normalize_or(DVec3::X) * 0.95)?;
        let placed = |shape, pose| Placed { shape, pose };
        black_box(narrow.overlap(placed(&a, &pose_a), placed(&b, &pose_b), None));
    }
    Ok(())
}
