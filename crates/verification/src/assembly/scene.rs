//! The scenes that the tables name.

use anyhow::{Result, bail};
use klast_assembly::analysis::{ContactPoint, FirstCollision, Scenario};
use klast_assembly::{
    Assembly, Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start,
    StartVelocity,
};
use serde::Deserialize;

use crate::Table;

/// One run of a row of equal touching blocks.
#[derive(Debug, Clone, Deserialize)]
pub struct Run {
    pub id: String,
    pub count: usize,
    pub amplitude_m: f64,
    pub frequency_hz: f64,
    pub friction: f64,
    pub restitution_wall: f64,
    pub restitution_block: f64,
    pub rule: String,
    pub start: String,
    /// The last section before the horizon, where the state is judged.
    #[serde(default)]
    pub section: Option<u64>,
    #[serde(default)]
    pub lead_in_s: f64,
    #[serde(default)]
    pub time_s: f64,
    #[serde(default)]
    pub times_s: Vec<f64>,
    /// What the reference's fixed steps gave for the gap at the end: told, not judged.
    #[serde(default)]
    pub stepped_gap_mm: f64,
}

pub fn rule(name: &str) -> Result<ImpactRule> {
    Ok(match name {
        "lcp" => ImpactRule::Complementarity,
        "seqL" => ImpactRule::LowestFirst,
        "seqM" => ImpactRule::FastestFirst,
        "seqG" => ImpactRule::SmallGaps,
        _ => bail!("impact rule '{name}'; accepted: lcp, seqL, seqM, seqG"),
    })
}

impl Run {
    /// The scenario in the basin and with the blocks of the table.
    pub fn scenario(&self, table: &Table) -> Result<Scenario> {
        let block = Block {
            size: table.input("block_size_m")?,
            mass: table.input("block_mass_kg")?,
            friction: self.friction,
        };
        let motion = BasinMotion::harmonic_with_lead_in(
            self.amplitude_m,
            Frequency::hertz(self.frequency_hz),
            self.lead_in_s,
        )?;
        let restitution = Restitution::new(self.restitution_wall, self.restitution_block)?;
        let velocity = match self.start.as_str() {
            "kick" => StartVelocity::AtRest,
            "comove" => StartVelocity::WithBasin,
            other => bail!("start '{other}'; accepted: kick, comove"),
        };
        Ok(Scenario {
            basin: Basin::new(table.input("basin_m")?, motion, restitution)?,
            row: BlockRow::uniform(self.count, block)?,
            start: Start::touching(self.count, velocity),
            rule: rule(&self.rule)?,
        })
    }
}

/// Names of the contact points in the tables.
pub const POINTS: [(ContactPoint, &str); 4] = [
    (ContactPoint::RightTurn, "pi/2"),
    (ContactPoint::Against, "pi"),
    (ContactPoint::LeftTurn, "3pi/2"),
    (ContactPoint::Along, "2pi"),
];

/// One frictionless block at the left wall of a basin of given free travel; u0, Ω, its size and its mass are 1.
pub fn single(free_travel: f64, restitution: f64) -> Result<Assembly> {
    let motion = BasinMotion::harmonic(1.0, Frequency::hertz(1.0 / std::f64::consts::TAU))?;
    let basin = Basin::new(
        1.0 + free_travel,
        motion,
        Restitution::new(restitution, restitution)?,
    )?;
    let row = BlockRow::uniform(
        1,
        Block {
            size: 1.0,
            mass: 1.0,
            friction: 0.0,
        },
    )?;
    let start = Start::touching(1, StartVelocity::AtRest);
    Ok(Assembly::new(
        basin,
        &row,
        &start,
        ImpactRule::Complementarity,
    )?)
}

/// The same in the basin tuned to a first collision.
pub fn tuned(point: ContactPoint, restitution: f64) -> Result<Assembly> {
    single(
        FirstCollision::new(point, 0, restitution)?.ratio(),
        restitution,
    )
}
