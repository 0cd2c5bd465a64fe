//! Coefficients of restitution η = ω⁺/ω⁻ of the impact at which a block changes its corner.

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_numerics::check::require;
use klast_numerics::mutant;

/// The rigid-body part of the restitution.
///
/// With d_a and d_b the distances from the mass centre to the old and the new corner, H its height and ρ² = I_C/m, the
/// balance of angular momentum about the point through which the impulse passes gives the ratio of the angular
/// velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RestitutionModel {
    /// Impulse at the new corner (Housner 1963; Čeh 2018, eq. (4.4)): η = (ρ² + H² − d_a d_b)/(ρ² + H² + d_b²), for a
    /// rectangle 1 − 3/2 sin² α. Not positive for h/b ≤ 1/√2: the block does not rock on.
    Housner,
    /// The improved formula as printed (Kalliontzis et al. 2016; Chatzis et al. 2017; Čeh 2018, eq. (4.5)): η = [4 − 3
    /// sin² α (1 + k²)]/[4 − 3 sin² α (1 − k²)]. The k² needs the pivots before and after to be at ±k b/2 as well.
    Improved {
        /// Position of the impulse over half the width, k = 2 b̄/b; 1 is Housner's.
        k: f64,
    },
    /// The balance with the pivots at the corners, as in the equations of motion, and the impulse at k b/2 on the new
    /// side: ω⁻(ρ² + H² − k d_a d_b) = ω⁺(ρ² + H² + k d_b²), for a rectangle η = [4 − 3 sin² α (1 + k)]/[4 − 3 sin² α
    /// (1 − k)].
    ImprovedLinear {
        /// Position of the impulse over half the width; 1 is Housner's.
        k: f64,
    },
    /// A given coefficient, measured or fitted.
    Given {
        /// The coefficient, 0 to 1.
        eta: f64,
    },
}

/// A restitution model with the material dissipation η_mat of Čeh (2018), eq. (4.6): η = η_mat · η_rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restitution {
    model: RestitutionModel,
    material: f64,
}

impl Restitution {
    /// A model without material dissipation.
    pub fn new(model: RestitutionModel) -> Result<Self, RockingError> {
        Self::with_material(model, 1.0)
    }

    /// A model times `material` (0 to 1).
    pub fn with_material(model: RestitutionModel, material: f64) -> Result<Self, RockingError> {
        match model {
            RestitutionModel::Housner => {}
            RestitutionModel::Improved { k } | RestitutionModel::ImprovedLinear { k } => {
                require("k", k, k >= 0.0, "at least 0")?;
            }
            RestitutionModel::Given { eta } => {
                require("eta", eta, (0.0..=1.0).contains(&eta), "from 0 to 1")?;
            }
        }
        let good = material > 0.0 && material <= 1.0;
        require(
            "material restitution",
            material,
            good,
            "above 0 and at most 1",
        )?;
        Ok(Self { model, material })
    }

    /// Housner's model.
    pub fn housner() -> Self {
        Self {
            model: RestitutionModel::Housner,
            material: 1.0,
        }
    }

    /// The model.
    pub fn model(&self) -> RestitutionModel {
        self.model
    }

    /// Factor for material dissipation.
    pub fn material(&self) -> f64 {
        self.material
    }

    /// Ratio ω⁺/ω⁻ for an impact after which `block` pivots on the corner of `side`. Zero or less means that the block
    /// stays on its base.
    pub fn coefficient(&self, block: &RockingBlock, side: Side) -> f64 {
        let new = block.corner(side).lever;
        let old = block.corner(side.other()).lever;
        let height = block.centre_height();
        let core = block.gyration_squared() + height * height;
        let ratio = |factor: f64| (core - factor * old * new) / (core + factor * new * new);
        let rigid = match self.model {
            RestitutionModel::Housner => ratio(1.0),
            RestitutionModel::Improved { k } => ratio(k * k),
            RestitutionModel::ImprovedLinear { k } => ratio(k),
            RestitutionModel::Given { eta } => eta,
        };
        self.material * rigid * mutant::factor("rocking-impact", 0.999)
    }
}

/// k of the printed improved formula from a measured coefficient, Čeh (2018), eq. (4.7) and (4.8): with η_RB =
/// η_e/η_mat, k = √{(1 − η_RB)(4 − 3 sin² α)/[(1 + η_RB) 3 sin² α]}. Values above 1 (impulse outside the base) occur
/// where other losses act.
pub fn impulse_position(
    block: &RockingBlock,
    measured: f64,
    material: f64,
) -> Result<f64, RockingError> {
    require(
        "measured restitution",
        measured,
        measured > 0.0 && measured <= 1.0,
        "above 0 and at most 1",
    )?;
    let good = material > 0.0 && material <= 1.0;
    require(
        "material restitution",
        material,
        good,
        "above 0 and at most 1",
    )?;
    let rigid = measured / material;
    require(
        "measured over material restitution",
        rigid,
        rigid <= 1.0,
        "at most 1",
    )?;
    let lever = block.corner(Side::Right).lever;
    let height = block.centre_height();
    let core = block.gyration_squared() + height * height;
    Ok(((1.0 - rigid) / (1.0 + rigid) * core / (lever * lever)).sqrt())
}

/// k of the linear formula from a measured coefficient: the square of that of [`impulse_position`].
pub fn impulse_position_linear(
    block: &RockingBlock,
    measured: f64,
    material: f64,
) -> Result<f64, RockingError> {
    let k = impulse_position(block, measured, material)?;
    Ok(k * k)
}

/// Positions k₁ and k₂ for a block that touches the base only on strips of length `contact` (m) along its edges, Čeh
/// (2018), table 4.4: impulse at the inner end of the strip and at its middle.
pub fn edge_contact(width: f64, contact: f64) -> Result<(f64, f64), RockingError> {
    require("width", width, width > 0.0, "above 0 m")?;
    let fits = contact >= 0.0 && contact <= 0.5 * width;
    require("contact length", contact, fits, "from 0 to half the width")?;
    Ok((1.0 - 2.0 * contact / width, 1.0 - contact / width))
}
