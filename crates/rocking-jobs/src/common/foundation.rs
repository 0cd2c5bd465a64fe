//! A base that gives.

use klast_rocking as rocking;
use klast_rocking::compliant::{Foundation, FoundationKind};
use klast_runs::error::Result;
use klast_runs::{bail, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::restraint::{Restrainer, restraint};
use klast_runs::faults::Fault;

/// Springs and dashpots under the block, which press on it and never pull.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Base {
    /// A spring and a dashpot at each edge.
    TwoSprings {
        /// Stiffness of each spring (N/m), above 0.
        stiffness_n_per_m: f64,
        /// Damping coefficient of each dashpot (N s/m), 0 or more.
        damping_n_s_per_m: f64,
    },
    /// Springs and dashpots along the whole base.
    Winkler {
        /// Stiffness of the springs for each metre of the base (N/m²), above 0: the modulus of subgrade reaction times
        /// the depth of the base.
        stiffness_n_per_m2: f64,
        /// Damping coefficient of the dashpots for each metre of the base (N s/m²), 0 or more.
        damping_n_s_per_m2: f64,
    },
}

/// What holds a block and what it stands on, beyond a rigid base.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Support {
    /// Restrainers.
    pub restraint: Option<rocking::Restraint>,
    /// A base that gives.
    pub foundation: Option<Foundation>,
}

impl Support {
    /// The support of a scene.
    ///
    /// # Errors
    /// Either without a mass, a mass without either, and numbers out of range.
    pub fn build(
        mass_kg: Option<f64>,
        restrainers: &[Restrainer],
        base: Option<&Base>,
    ) -> Result<Self> {
        let Some(base) = base else {
            ensure!(
                mass_kg.is_none() || !restrainers.is_empty(),
                Fault::new(
                    "mass_kg",
                    "without restrainers and without base: the motion does not depend on it"
                )
                .accepted("none, or one of them")
            );
            return Ok(Self {
                restraint: restraint(mass_kg, restrainers)?,
                foundation: None,
            });
        };
        let Some(mass) = mass_kg else {
            bail!(Fault::new("base", "no mass_kg").accepted("mass_kg, above 0"));
        };
        let (kind, stiffness, damping) = match *base {
            Base::TwoSprings {
                stiffness_n_per_m,
                damping_n_s_per_m,
            } => (
                FoundationKind::TwoSprings,
                stiffness_n_per_m,
                damping_n_s_per_m,
            ),
            Base::Winkler {
                stiffness_n_per_m2,
                damping_n_s_per_m2,
            } => (
                FoundationKind::Winkler,
                stiffness_n_per_m2,
                damping_n_s_per_m2,
            ),
        };
        Ok(Self {
            restraint: restraint(mass_kg, restrainers)?,
            foundation: Some(Foundation::new(mass, kind, stiffness, damping)?),
        })
    }

    /// The key that makes it other than a block on a rigid base.
    #[must_use]
    pub fn key(&self) -> Option<&'static str> {
        match self {
            Self {
                restraint: Some(_), ..
            } => Some("restrainers"),
            Self {
                foundation: Some(_),
                ..
            } => Some("base"),
            _ => None,
        }
    }
}

/// Response of a compliant base.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct CompliantBase {
    /// Time of the first uplift of an edge (s); null if no edge lifts off.
    pub first_uplift_s: Option<f64>,
    /// Number of uplifts of an edge.
    pub uplifts: usize,
    /// Largest settlement of an edge (m), including the settlement under the weight of the block.
    pub max_settlement_m: f64,
    /// Static rotation at which an edge lifts off (rad).
    pub static_uplift_rad: f64,
    /// Static base acceleration at which an edge lifts off (m/s²).
    pub static_uplift_m_s2: f64,
    /// Energy of block, springs and restrainers at the start (J/kg), relative to an upright block on unloaded springs.
    pub start_j_kg: f64,
    /// Energy of block, springs and restrainers at the end (J/kg).
    pub end_j_kg: f64,
    /// Boundary work: work of the moving base (J/kg).
    pub base_work_j_kg: f64,
    /// Energy dissipated by the dashpots (J/kg).
    pub dissipated_damping_j_kg: f64,
    /// Energy residual of the run (J/kg).
    pub energy_residual_j_kg: f64,
}

impl CompliantBase {
    /// Of a run: the time of the first uplift and the number of uplifts, the largest settlement, and the energy.
    #[must_use]
    pub fn of(
        (first_uplift_s, uplifts): (Option<f64>, usize),
        max_settlement_m: f64,
        energy: &rocking::SlideRockEnergy,
        (foundation, block): (&Foundation, &rocking::RockingBlock),
    ) -> Self {
        Self {
            first_uplift_s,
            uplifts,
            max_settlement_m,
            static_uplift_rad: foundation.uplift_rotation(block),
            static_uplift_m_s2: foundation.uplift_acceleration(block),
            start_j_kg: energy.start,
            end_j_kg: energy.end,
            base_work_j_kg: energy.base_work,
            dissipated_damping_j_kg: energy.damping,
            energy_residual_j_kg: energy.residual(),
        }
    }
}
