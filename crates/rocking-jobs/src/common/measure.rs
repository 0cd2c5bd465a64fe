//! Measures of intensity and states of damage, as scenes name them.

use klast_rocking::fragility::{DamageState, IntensityMeasure};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::faults::{Fault, Faults};
use klast_runs::{bail, ensure};

/// Measure of the intensity of a motion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Peak acceleration (m/s²).
    #[default]
    Pga,
    /// Peak velocity (m/s).
    Pgv,
    /// Pseudo-acceleration (m/s²) of an oscillator of the given period and damping.
    SpectralAcceleration {
        /// Period of the oscillator (s), above 0.
        period_s: f64,
        /// Damping ratio of the oscillator, above 0 and below 1; 0.05 is 5 %.
        damping: f64,
    },
    /// Geometric mean of the pseudo-accelerations (m/s²) of ten oscillators with equally spaced periods.
    SpectralAverage {
        /// Least period (s), above 0.
        from_s: f64,
        /// Largest period (s), above `from_s`.
        to_s: f64,
        /// Damping ratio of the oscillators, above 0 and below 1.
        damping: f64,
    },
    /// Cumulative absolute velocity: integral of the absolute value of the acceleration over the motion (m/s).
    Cav,
    /// Uniform duration: time for which the base acceleration is above g tan α, at which the block lifts off (s). It is
    /// computed for each scaled motion.
    UniformDuration,
    /// PGA over g tan α, the acceleration at which the block lifts off.
    PgaOverLiftOff,
    /// PGV times p over g tan α, with the frequency parameter p of the block.
    PgvOverLiftOff,
    /// The measure with the least dispersion among those that need no period (`pga`, `pgv`, `pga_over_lift_off`,
    /// `pgv_over_lift_off`, `cav`, `uniform_duration`) and those of `compared_intensities`.
    MostEfficient,
}

impl Measure {
    /// The measure, or none where it is to be chosen.
    pub fn chosen(self) -> Option<IntensityMeasure> {
        Some(match self {
            Self::Pga => IntensityMeasure::Pga,
            Self::Pgv => IntensityMeasure::Pgv,
            Self::SpectralAcceleration { period_s, damping } => {
                IntensityMeasure::SpectralAcceleration {
                    period: period_s,
                    damping,
                }
            }
            Self::SpectralAverage {
                from_s,
                to_s,
                damping,
            } => IntensityMeasure::SpectralAverage {
                from: from_s,
                to: to_s,
                damping,
            },
            Self::Cav => IntensityMeasure::Cav,
            Self::UniformDuration => IntensityMeasure::UniformDuration,
            Self::PgaOverLiftOff => IntensityMeasure::PgaOverLiftOff,
            Self::PgvOverLiftOff => IntensityMeasure::PgvOverLiftOff,
            Self::MostEfficient => return None,
        })
    }
}

/// A damage state. A block that overturns has reached every state but those of restrainers.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// First uplift: a corner leaves the base.
    Uplift,
    /// Peak rotation over the slenderness, 0 to 10: 0 is uplift.
    Rotation(f64),
    /// Largest slip of the foot from where it stood (m), above 0. It requires `friction`.
    SlipM(f64),
    /// Impact velocity: largest velocity with which a corner lands on the base (m/s), above 0. It requires a rigid
    /// base.
    ImpactVelocityMS(f64),
    /// Gap to a neighbour (m), above 0: the block moves that far to either side, at the height `neighbour_height_m`.
    GapM(f64),
    /// Force of a restrainer over its strength, above 0 and at most 1: 1 is yield, or rupture without ductility.
    RestrainerForce(f64),
    /// Rupture of a restrainer.
    RestrainerRupture,
    /// Overturning.
    Overturning,
}

/// What a scene has for its states.
#[derive(Debug, Clone, Copy, Default)]
pub struct Setting {
    /// Whether the block may slide.
    pub slides: bool,
    /// Whether it stands on springs.
    pub compliant: bool,
    /// Whether it has restrainers.
    pub restrained: bool,
    /// Whether the structure is planar and one block; a stack or a body in space has rotations, slip and overturning.
    pub one_block: bool,
    /// Height at which a gap is measured (m).
    pub neighbour_height: Option<f64>,
}

impl State {
    /// The state, if the scene has what it needs.
    ///
    /// # Errors
    /// A number out of range; a state of something that the scene has not.
    pub fn damage(self, setting: &Setting) -> Result<DamageState> {
        if let Some((found, accepted)) = self.lacks(setting) {
            bail!(Fault::new(format!("state.{}", self.key()), found).accepted(accepted));
        }
        let (number, most, accepted) = match self {
            Self::Uplift => return Ok(DamageState::Rotation(0.0)),
            Self::RestrainerRupture => return Ok(DamageState::Rupture),
            Self::Overturning => return Ok(DamageState::Overturning),
            Self::Rotation(least) => (least, 10.0, "0 to 10, over the slenderness"),
            Self::SlipM(least) | Self::GapM(least) => (least, f64::MAX, "above 0 m"),
            Self::ImpactVelocityMS(least) => (least, f64::MAX, "above 0 m/s"),
            Self::RestrainerForce(least) => (least, 1.0, "above 0 and at most 1"),
        };
        let above = number > 0.0 || matches!(self, Self::Rotation(0.0));
        ensure!(
            above && number <= most,
            Fault::new(format!("state.{}", self.key()), number).accepted(accepted)
        );
        Ok(match self {
            Self::SlipM(least) => DamageState::Slip(least),
            Self::ImpactVelocityMS(least) => DamageState::Landing(least),
            Self::GapM(least) => DamageState::Gap(least),
            Self::RestrainerForce(least) => DamageState::Pull(least),
            _ => DamageState::Rotation(number),
        })
    }

    /// What a scene has not that the state needs, and what is accepted.
    fn lacks(self, setting: &Setting) -> Option<(&'static str, &'static str)> {
        let one_block = "of a stack or a body in space";
        let states = "rotation, slip_m, overturning";
        match self {
            Self::SlipM(_) if !setting.slides => Some(("no friction", "friction, above 0")),
            Self::ImpactVelocityMS(_) | Self::GapM(_) if !setting.one_block => {
                Some((one_block, states))
            }
            Self::ImpactVelocityMS(_) if setting.compliant => {
                Some(("on springs nothing lands", "a rigid base"))
            }
            Self::GapM(_) if setting.neighbour_height.is_none() => {
                Some(("no neighbour_height_m", "neighbour_height_m"))
            }
            Self::RestrainerForce(_) | Self::RestrainerRupture if !setting.restrained => {
                Some(("no restrainers", "restrainers"))
            }
            _ => None,
        }
    }

    /// Its key in a scene.
    fn key(self) -> &'static str {
        match self {
            Self::Uplift => "uplift",
            Self::Rotation(_) => "rotation",
            Self::SlipM(_) => "slip_m",
            Self::ImpactVelocityMS(_) => "impact_velocity_m_s",
            Self::GapM(_) => "gap_m",
            Self::RestrainerForce(_) => "restrainer_force",
            Self::RestrainerRupture => "restrainer_rupture",
            Self::Overturning => "overturning",
        }
    }
}

/// The states of a scene, or the usual ones; overturning is always among them, at the end.
///
/// # Errors
/// Those of [`State::damage`].
pub fn states(named: Option<&[State]>, setting: &Setting) -> Result<Vec<DamageState>, Faults> {
    let Some(named) = named else {
        return Ok(DamageState::USUAL.to_vec());
    };
    let mut faults = Faults::default();
    let mut states = Vec::new();
    for (k, state) in named.iter().enumerate() {
        let place = format!("damage_states[{k}]");
        let built = faults.take(&place, state.damage(setting));
        states.extend(built.filter(|s| *s != DamageState::Overturning));
    }
    states.push(DamageState::Overturning);
    faults.or_all(|| Some(states))
}

/// The height (m) at which the ways of a block are followed event by event, where one of its states asks for events.
///
/// # Errors
/// A height without such a state, or below 0.
pub fn reach_height(
    neighbour_height_m: Option<f64>,
    states: &[DamageState],
) -> Result<Option<f64>> {
    let gap = states.iter().any(|s| matches!(s, DamageState::Gap(_)));
    if let Some(height) = neighbour_height_m {
        let place = "neighbour_height_m";
        ensure!(
            gap,
            Fault::new(place, format!("{height} without a state gap_m"))
                .accepted("with a state gap_m")
        );
        ensure!(
            height >= 0.0 && height.is_finite(),
            Fault::new(place, height).accepted("0 m or more")
        );
    }
    let events = states.iter().any(|state| state.needs_events());
    Ok(events.then_some(neighbour_height_m.unwrap_or(0.0)))
}
