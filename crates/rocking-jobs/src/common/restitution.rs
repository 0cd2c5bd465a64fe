//! The restitution of a rocking block, its equation of motion, and its model.

use klast_rocking as rocking;
use klast_runs::ensure;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::common::one;
use klast_runs::faults::Fault;

/// Model of the restitution, with a factor `material` for material dissipation.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Restitution {
    /// Housner's coefficient (1963): the impulse acts at the corner about which the block rotates after the impact.
    Housner {
        /// Factor for material dissipation by which the coefficient is multiplied, above 0 and at most 1; 1 unless
        /// stated.
        #[serde(default = "one")]
        material: f64,
    },
    /// Improved coefficient: the impulse acts at the distance k b/2 from the middle of the base, with the width b, and
    /// the block rotates about points at this distance. The formula contains k² (Kalliontzis et al. 2016; Chatzis et
    /// al. 2017).
    Improved {
        /// Position k of the impulse, 0 or more: its distance from the middle of the base, over half of the width. 1 is
        /// the corner.
        k: f64,
        /// Factor for material dissipation by which the coefficient is multiplied, above 0 and at most 1; 1 unless
        /// stated.
        #[serde(default = "one")]
        material: f64,
    },
    /// The position of the impulse is the same as in `improved`, but the block rotates about its corners before and
    /// after the impact. The formula is linear in k.
    ImprovedLinear {
        /// Position k of the impulse, 0 or more: its distance from the middle of the base, over half of the width. 1 is
        /// the corner.
        k: f64,
        /// Factor for material dissipation by which the coefficient is multiplied, above 0 and at most 1; 1 unless
        /// stated.
        #[serde(default = "one")]
        material: f64,
    },
    /// A stated coefficient.
    Given {
        /// Coefficient of restitution, 0 to 1: angular velocity after an impact over the angular velocity before.
        eta: f64,
    },
}

impl Default for Restitution {
    fn default() -> Self {
        Self::Housner { material: 1.0 }
    }
}

impl Restitution {
    /// The validated model of a scene, which a base that gives has no use for.
    pub fn beside(stated: Option<Self>, base: bool) -> Result<rocking::Restitution> {
        ensure!(
            stated.is_none() || !base,
            Fault::new(
                "restitution",
                "beside base: there the dashpots take the energy"
            )
            .accepted("one of the two")
        );
        stated.unwrap_or_default().build()
    }

    /// The validated model.
    pub fn build(&self) -> Result<rocking::Restitution> {
        let (model, material) = match *self {
            Self::Housner { material } => (rocking::RestitutionModel::Housner, material),
            Self::Improved { k, material } => (rocking::RestitutionModel::Improved { k }, material),
            Self::ImprovedLinear { k, material } => {
                (rocking::RestitutionModel::ImprovedLinear { k }, material)
            }
            Self::Given { eta } => (rocking::RestitutionModel::Given { eta }, 1.0),
        };
        Ok(rocking::Restitution::with_material(model, material)?)
    }
}

/// Equation of motion.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Equation {
    /// The exact equation, for any rotation of any block.
    #[default]
    Nonlinear,
    /// The equation for small rotations of any block.
    QuasiLinear,
    /// The equation for small rotations of a slender block.
    Linearised,
}

impl From<Equation> for rocking::Equation {
    fn from(equation: Equation) -> Self {
        match equation {
            Equation::Nonlinear => Self::Nonlinear,
            Equation::QuasiLinear => Self::QuasiLinear,
            Equation::Linearised => Self::Linearised,
        }
    }
}

/// The model of a block: with slip where a friction coefficient is given.
///
/// # Errors
/// A coefficient out of its range.
pub fn engine(friction: Option<f64>) -> Result<rocking::Engine> {
    Ok(match friction {
        Some(friction) => rocking::Engine::SlideRock(rocking::Friction::new(friction)?),
        None => rocking::Engine::NoSlip,
    })
}
