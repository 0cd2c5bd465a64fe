//! What a calibration leaves open: the sets that it keeps, each with a weight, as a ground that rocks can run on.

use super::GroundSet;
use crate::error::within;
use crate::ground::Alternative;
use crate::material::{MaterialDrag, MaterialScarring, MaximumFriction};
use crate::{RockfallError, SlopeMaterial};
use klast_sampling::Distribution;

/// The sets that a calibration keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    /// Sets with their weights.
    pub sets: Vec<(f64, GroundSet)>,
    /// Height over the ground up to which drag acts on the mass centre (m).
    pub drag_height: f64,
}

impl Posterior {
    /// The sets as alternatives of one material. Their sharpness is one of the rocks of the campaign, and has no part
    /// in them.
    ///
    /// # Errors
    /// No set, or one outside of the parameters' meaning.
    pub fn alternatives(&self, name: &str) -> Result<Vec<Alternative>, RockfallError> {
        if self.sets.is_empty() {
            return Err(RockfallError::Count {
                field: "sets of a posterior",
                found: 0,
                accepted: "1 or more".into(),
            });
        }
        let of = |(weight, set): &(f64, GroundSet)| {
            let field = "weight of a set";
            within(
                field,
                *weight,
                *weight > 0.0 && *weight <= 1e6,
                "above 0, up to 1e6",
            )?;
            let material = set.ground(name, self.drag_height)?;
            material.validate()?;
            Ok(Alternative {
                weight: *weight,
                material,
            })
        };
        self.sets.iter().map(of).collect()
    }
}

impl GroundSet {
    /// The whole ground law of these parameters, with drag up to a height over the ground (m).
    ///
    /// # Errors
    /// Parameters outside of their meaning.
    pub fn ground(&self, name: &str, drag_height: f64) -> Result<SlopeMaterial, RockfallError> {
        let constant = Distribution::constant;
        let scarring = self.scarring(0.0).map(|law| MaterialScarring {
            maximum: MaximumFriction::Rise(constant(law.maximum)),
            growth: constant(law.growth),
            recovery: constant(law.recovery),
        });
        let drag = (self.drag > 0.0).then_some(MaterialDrag {
            per_mass: constant(self.drag),
            height: drag_height,
        });
        Ok(SlopeMaterial {
            name: name.to_owned(),
            scarring,
            drag,
            ..self.material()?
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Yielding;
    use super::*;

    #[test]
    fn a_set_becomes_the_ground_it_was_fitted_as() {
        let set = GroundSet::from_values([0.2, 0.6, 0.5, 2.0, 6.0, 0.45, 2.0]);
        let ground = set.ground("meadow", 0.5).unwrap();
        assert_eq!(ground.name, "meadow");
        // R_n and μ are drawn about their means; R_n is cut off at 0, five standard deviations of 0.04 below, which
        // moves its median by 1e-8.
        assert!((ground.normal_restitution.quantile(0.5) - 0.2).abs() < 1e-7);
        assert!((ground.friction.quantile(0.5) - 0.6).abs() < 1e-12);
        let scarring = ground.scarring.unwrap();
        assert_eq!(
            scarring.maximum,
            MaximumFriction::Rise(Distribution::constant(0.5))
        );
        assert_eq!(scarring.growth, Distribution::constant(2.0));
        let drag = ground.drag.unwrap();
        assert_eq!((drag.per_mass.quantile(0.5), drag.height), (0.45, 0.5));
        assert_eq!(ground.penetration, None);
        let soft = GroundSet {
            yielding: Some(Yielding::from_values([300.0, 1700.0])),
            ..set
        };
        let soft = soft.ground("meadow", 0.5).unwrap().penetration.unwrap();
        let numbers = [soft.yield_pressure, soft.ejected_density].map(|d| d.quantile(0.5));
        assert_eq!(numbers, [3e5, 1700.0]);
        let none = Posterior {
            sets: Vec::new(),
            drag_height: 0.5,
        };
        assert!(none.alternatives("meadow").is_err());
    }
}
