//! Stacks and motions of the tables.

use crate::Table;
use anyhow::{Context as _, Result};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_stacks::{Stack, StackBlock};

/// The stack of inputs `half_diagonal_m` and `slenderness_rad`: two equal blocks of 1 kg.
pub(super) fn kounadis_stack(table: &Table) -> Result<Stack> {
    let (r, alpha) = (
        table.input("half_diagonal_m")?,
        table.input("slenderness_rad")?,
    );
    let (sin, cos) = libm::sincos(alpha);
    let block = StackBlock::new(2.0 * r * sin, 2.0 * r * cos, 1.0)?;
    Ok(Stack::uniform(2, block, table.input("gravity_m_per_s2")?)?)
}

/// One sine wave of `ratio` g α*, α* half the slenderness of a block.
pub(super) fn kounadis_motion(table: &Table, ratio: f64) -> Result<GroundMotion> {
    let unit = table.input("gravity_m_per_s2")? * 0.5 * table.input("slenderness_rad")?;
    let wave = Component::waves(
        ratio * unit,
        Frequency::rad_per_s(table.input("omega_rad_per_s")?),
        0.0,
        1.0,
    )?;
    Ok(GroundMotion::horizontal(wave))
}

/// A stack of two blocks of equal width by its sizes (m) and masses (kg).
pub(super) fn dual(
    width: f64,
    heights: (f64, f64),
    masses: (f64, f64),
    gravity: f64,
) -> Result<Stack> {
    let lower = StackBlock::new(width, heights.0, masses.0)?;
    let upper = StackBlock::new(width, heights.1, masses.1)?;
    Ok(Stack::new(&[lower, upper], gravity)?)
}

/// The two parts of a row's name.
pub(super) fn two_parts(row: &str) -> Result<(&str, &str)> {
    row.split_once(' ')
        .with_context(|| format!("row '{row}'; accepted: two words"))
}
