//! Basin, drive and blocks of a scene, converted into a scenario.

use klast_assembly::analysis::Scenario;
use klast_assembly::{
    Basin, BasinMotion, Block, BlockRow, Frequency, ImpactRule, Restitution, Start, StartVelocity,
    Wave,
};
use klast_runs::ensure;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::common::gravity::gravity;
use klast_runs::common::motion::{Motion, remarks};
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// The row, its basin and its start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Length of the basin, restitutions and gravity.
    basin: BasinScene,
    /// How the basin moves.
    drive: Drive,
    /// Groups of equal blocks from left to right.
    blocks: Vec<Group>,
    /// Gap (m) to the left of each block, 0 or more each, beginning at the left wall. Unless stated, all gaps are 0:
    /// the blocks touch one another and the left wall.
    #[serde(default)]
    gaps_m: Vec<f64>,
    /// Velocity of the blocks at time zero; `at_rest` unless stated.
    #[serde(default)]
    start: StartScene,
    /// Rule for impacts on blocks that touch. Rigid-body mechanics does not determine the result of such impacts, so
    /// the scene must choose a rule.
    rule: Rule,
}

/// A box with two walls and a floor.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BasinScene {
    /// Inside length of the basin (m), above 0. It is at least the sum of all lengths of blocks and all gaps.
    length_m: f64,
    /// Coefficient of restitution between an end block and a wall, 0 to 1.
    restitution_wall: f64,
    /// Coefficient of restitution between two blocks, 0 to 1.
    restitution_block: f64,
    /// Acceleration of gravity (m/s²), 0 or more; 9.81 unless stated.
    #[serde(default = "gravity")]
    gravity_m_s2: f64,
}

/// Prescribed motion of the basin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Drive {
    /// Displacement: `amplitude_m` · sin(2π `frequency_hz` t). During the lead-in, the amplitude grows linearly.
    Harmonic {
        /// Amplitude u₀ of the drive (m), 0 to 1e6 times the length of the basin.
        amplitude_m: f64,
        /// Frequency f of the drive (Hz), above 0.
        frequency_hz: f64,
        /// Duration of the lead-in (s), 0 or more, in which the amplitude grows linearly from 0.
        #[serde(default)]
        lead_in_s: f64,
    },
    /// A sum of sines of displacement.
    Waves(Vec<WaveScene>),
    /// A base motion, such as sine waves, pulses or a record.
    Ground(Motion),
}

/// A sine wave of displacement: `amplitude_m` · sin(2π `frequency_hz` t + `phase_rad`).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WaveScene {
    /// Amplitude (m). The sum of all amplitudes is at most 1e6 times the length of the basin.
    amplitude_m: f64,
    /// Frequency (Hz), above 0.
    frequency_hz: f64,
    /// Phase of the sine at time zero (rad).
    #[serde(default)]
    phase_rad: f64,
}

/// Equal blocks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Group {
    /// Number of equal blocks, 1 or more.
    count: usize,
    /// Length of one block along the row (m), above 0.
    size_m: f64,
    /// Mass of one block (kg), above 0.
    mass_kg: f64,
    /// Friction coefficient between a block and the floor, 0 or more.
    friction: f64,
}

/// Velocity of the blocks at time zero.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StartScene {
    /// The blocks are at rest in the laboratory frame; the basin can already move.
    #[default]
    AtRest,
    /// The blocks move with the velocity of the basin.
    WithBasin,
}

/// Rule for impacts on a chain of blocks that touch.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Rule {
    /// All contacts are solved together as one complementarity problem; blocks that touch stay together.
    Complementarity,
    /// Impacts of pairs, one after the other. The next impact is always at the closing contact that is nearest to the
    /// left wall.
    LowestFirst,
    /// Impacts of pairs, one after the other. The next impact is always at the contact that closes fastest.
    FastestFirst,
    /// Impacts of pairs, in the order in which they would occur if all contacts had the same very small gap (the limit
    /// of a gap that tends to zero).
    SmallGaps,
}

impl Row {
    /// What the reader has to know of a record that drives the basin.
    pub fn remarks(&self, text: &SceneText) -> Result<Vec<String>> {
        match &self.drive {
            Drive::Ground(motion) => remarks(text, [motion]),
            Drive::Harmonic { .. } | Drive::Waves(_) => Ok(Vec::new()),
        }
    }

    /// The scenario, validated by its constructors and by a trial release.
    ///
    /// # Errors
    /// Every part that is refused; blocks that do not fit.
    pub fn build(&self, text: &SceneText) -> Result<Scenario, Faults> {
        let mut faults = Faults::default();
        let motion = faults.take("drive", self.motion(text));
        let b = &self.basin;
        let restitution = Restitution::new(b.restitution_wall, b.restitution_block);
        let restitution = faults.take("basin", restitution);
        let row = faults.take("blocks", self.row());
        let basin = motion.zip(restitution).and_then(|(motion, restitution)| {
            let basin = Basin::new(b.length_m, motion, restitution);
            faults.take(
                "basin",
                basin.and_then(|basin| basin.with_gravity(b.gravity_m_s2)),
            )
        });
        let (basin, row) = faults.or_all(|| basin.zip(row))?;
        let velocity = match self.start {
            StartScene::AtRest => StartVelocity::AtRest,
            StartScene::WithBasin => StartVelocity::WithBasin,
        };
        let start = if self.gaps_m.is_empty() {
            Start::touching(row.blocks().len(), velocity)
        } else {
            Start {
                gaps: self.gaps_m.clone(),
                velocity,
            }
        };
        let rule = match self.rule {
            Rule::Complementarity => ImpactRule::Complementarity,
            Rule::LowestFirst => ImpactRule::LowestFirst,
            Rule::FastestFirst => ImpactRule::FastestFirst,
            Rule::SmallGaps => ImpactRule::SmallGaps,
        };
        let scenario = Scenario {
            basin,
            row,
            start,
            rule,
        };
        let mut faults = Faults::default();
        let released = faults.take("", scenario.release().map(|_| ()));
        faults.or_all(|| released.map(|()| scenario))
    }

    fn motion(&self, text: &SceneText) -> Result<BasinMotion> {
        Ok(match &self.drive {
            Drive::Harmonic {
                amplitude_m,
                frequency_hz,
                lead_in_s,
            } => BasinMotion::harmonic_with_lead_in(
                *amplitude_m,
                Frequency::hertz(*frequency_hz),
                *lead_in_s,
            )?,
            Drive::Waves(waves) => BasinMotion::Waves(waves.iter().map(WaveScene::build).collect()),
            Drive::Ground(motion) => BasinMotion::Ground(motion.build(text)?),
        })
    }

    fn row(&self) -> Result<BlockRow> {
        let mut blocks = Vec::new();
        for (k, group) in self.blocks.iter().enumerate() {
            let fault =
                || Fault::new(format!("[{k}].count"), group.count).accepted("up to 1,000,000");
            ensure!(group.count <= 1_000_000, fault());
            let block = Block {
                size: group.size_m,
                mass: group.mass_kg,
                friction: group.friction,
            };
            blocks.extend(std::iter::repeat_n(block, group.count));
        }
        Ok(BlockRow::new(blocks)?)
    }
}

impl WaveScene {
    fn build(&self) -> Wave {
        Wave {
            amplitude: self.amplitude_m,
            omega: std::f64::consts::TAU * self.frequency_hz,
            phase: self.phase_rad,
        }
    }
}
