//! What happens where a body meets the ground.

use crate::DynamicsError;
use klast_contact::ImpactLaw;
use klast_numerics::check::{non_negative, require, within};

/// Impact law and coefficients of a pair of surfaces.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactMaterial {
    law: ImpactLaw,
    restitution: f64,
    tangential_restitution: f64,
    friction: f64,
}

impl ContactMaterial {
    /// Newton's law, normal and tangential together, with restitution e (R_n) in [0, 1] and friction coefficient μ ≥ 0.
    pub fn new(restitution: f64, friction: f64) -> Result<Self, DynamicsError> {
        Self::with_law(ImpactLaw::default(), restitution, 0.0, friction)
    }

    /// A material with another law, or with a tangential restitution e_t in [−1, 1] (Newton and sequential only).
    pub fn with_law(
        law: ImpactLaw,
        restitution: f64,
        tangential_restitution: f64,
        friction: f64,
    ) -> Result<Self, DynamicsError> {
        within("restitution", restitution, (0.0, 1.0), "0 to 1")?;
        within(
            "tangential restitution",
            tangential_restitution,
            (-1.0, 1.0),
            "-1 to 1",
        )?;
        non_negative("friction coefficient", friction)?;
        if matches!(law, ImpactLaw::Poisson | ImpactLaw::Stronge) {
            require(
                "tangential restitution",
                tangential_restitution,
                tangential_restitution == 0.0,
                "0 with the laws of Poisson and Stronge",
            )?;
        }
        Ok(Self {
            law,
            restitution,
            tangential_restitution,
            friction,
        })
    }

    /// The impact law.
    pub fn law(&self) -> &ImpactLaw {
        &self.law
    }

    /// Normal restitution e (R_n).
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// Tangential restitution e_t.
    pub fn tangential_restitution(&self) -> f64 {
        self.tangential_restitution
    }

    /// Friction coefficient μ.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The same surfaces in an impact too slow to rebound.
    pub(crate) fn plastic(&self) -> Self {
        Self {
            law: ImpactLaw::default(),
            restitution: 0.0,
            tangential_restitution: 0.0,
            friction: self.friction,
        }
    }
}
