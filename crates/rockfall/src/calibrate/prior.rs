//! What may be believed about the ground before a campaign is looked at.

use crate::error::within;
use crate::rigid::Scarring;
use crate::{GroundCoefficients, MaterialPenetration, RockfallError, SlopeMaterial};
use klast_sampling::{Distribution, Family};

/// One set of parameters of the ground and of the rocks' wear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundSet {
    /// Mean normal restitution R_n.
    pub normal_restitution: f64,
    /// Mean friction μ of the fresh contact.
    pub friction: f64,
    /// How far friction grows with slippage: μ_max − μ_min of [`Scarring`]; 0 is Coulomb's law.
    pub scarring: f64,
    /// κ (1/m) of [`Scarring`].
    pub scarring_growth: f64,
    /// Standard deviation of the angle (rad) by which each impact finds the ground turned: the humps that the raster
    /// does not have.
    pub roughness: f64,
    /// Drag near the ground per mass, c_d/m (1/s): grass and soil.
    pub drag: f64,
    /// How sharp the rocks are, see [`super::FieldRock::body`].
    pub sharpness: f64,
    /// How the ground yields to impacts; none of rigid ground.
    pub yielding: Option<Yielding>,
}

/// Ground that yields to impacts with the pressure σ + ρ v², as [`MaterialPenetration`] has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Yielding {
    /// σ (Pa).
    pub pressure: f64,
    /// ρ (kg/m³).
    pub density: f64,
}

impl Yielding {
    /// Names of its parameters, with units, in the order of [`Yielding::values`].
    pub const NAMES: [&'static str; 2] = ["yield_pressure_kpa", "ejected_density_kg_m3"];

    /// The parameters in the units of [`Yielding::NAMES`].
    pub fn values(&self) -> [f64; 2] {
        [1e-3 * self.pressure, self.density]
    }

    /// From parameters in the units of [`Yielding::NAMES`].
    pub fn from_values([pressure, density]: [f64; 2]) -> Self {
        Yielding {
            pressure: 1e3 * pressure,
            density,
        }
    }

    /// Between two of them: σ by shares of the ratio of its ends, which may be decades apart, ρ by shares of their
    /// distance.
    pub(super) fn between((lower, upper): (Self, Self), [first, second]: [f64; 2]) -> Self {
        Yielding {
            pressure: lower.pressure * libm::pow(upper.pressure / lower.pressure, first),
            density: lower.density + (upper.density - lower.density) * second,
        }
    }
}

/// Number of parameters in a set.
const PARAMETERS: usize = 7;
/// Standard deviation of R_n between rocks, RocFall's default.
const RESTITUTION_SPREAD: f64 = 0.04;
/// Standard deviation of μ between rocks, as a share of its mean.
const FRICTION_SPREAD: f64 = 0.1;
/// β of [`Scarring`] (1/s): how soon slippage is forgotten in the air. Leine et al. take 20 in their case; at 100 a
/// rock has lost its scar after a flight of a few hundredths of a second, and larger values change nothing.
const RECOVERY: f64 = 100.0;

impl GroundSet {
    /// Names of the parameters, with units, in the order of [`GroundSet::values`].
    pub const NAMES: [&'static str; PARAMETERS] = [
        "normal_restitution",
        "friction",
        "scarring",
        "scarring_growth_per_m",
        "roughness_deg",
        "drag_per_s",
        "sharpness",
    ];

    /// The parameters of rigid ground in the units of [`GroundSet::NAMES`].
    pub fn values(&self) -> [f64; PARAMETERS] {
        [
            self.normal_restitution,
            self.friction,
            self.scarring,
            self.scarring_growth,
            self.roughness.to_degrees(),
            self.drag,
            self.sharpness,
        ]
    }

    /// A set of rigid ground from parameters in the units of [`GroundSet::NAMES`].
    pub fn from_values(v: [f64; PARAMETERS]) -> Self {
        GroundSet {
            normal_restitution: v[0],
            friction: v[1],
            scarring: v[2],
            scarring_growth: v[3],
            roughness: v[4].to_radians(),
            drag: v[5],
            sharpness: v[6],
            yielding: None,
        }
    }

    /// The material of these parameters.
    pub fn material(&self) -> Result<SlopeMaterial, RockfallError> {
        let make = |field, mean, sd, low, high| {
            Distribution::truncated(Family::Normal { mean, sd }, low, high)
                .map_err(|source| RockfallError::Distribution { field, source })
        };
        let (e, mu) = (self.normal_restitution, self.friction);
        let roughness = match self.roughness > 0.0 {
            true => make("roughness", 0.0, self.roughness, -1.2, 1.2)?,
            false => Distribution::constant(0.0),
        };
        Ok(SlopeMaterial {
            normal_restitution: make("normal_restitution", e, RESTITUTION_SPREAD, 0.0, 1.0)?,
            friction: make("friction", mu, FRICTION_SPREAD * mu, 0.5 * mu, 1.5 * mu)?,
            roughness,
            penetration: self.yielding.map(|own| MaterialPenetration {
                yield_pressure: Distribution::constant(own.pressure),
                ejected_density: Distribution::constant(own.density),
            }),
            ..SlopeMaterial::constant(
                "calibrated",
                GroundCoefficients {
                    normal_restitution: e,
                    tangential_restitution: 0.0,
                    friction: mu,
                },
            )
        })
    }

    /// The law of friction for a rock that drew `minimum`; `None` for Coulomb's.
    pub fn scarring(&self, minimum: f64) -> Option<Scarring> {
        (self.scarring > 0.0).then_some(Scarring {
            minimum,
            maximum: minimum + self.scarring,
            growth: self.scarring_growth,
            recovery: RECOVERY,
        })
    }
}

/// Least and greatest value of each parameter, all values between alike; of a yield pressure the values between are
/// alike in their logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// Least values.
    pub lower: GroundSet,
    /// Greatest values.
    pub upper: GroundSet,
}

impl Default for Prior {
    /// Ranges for soil, meadow and talus; their sources stand in the book's chapter on calibration.
    fn default() -> Self {
        Prior {
            lower: GroundSet::from_values([0.0, 0.2, 0.0, 0.7, 0.0, 0.0, 1.5]),
            upper: GroundSet::from_values([0.4, 0.8, 1.5, 4.0, 15.0, 0.9, 3.0]),
        }
    }
}

impl Prior {
    /// Refuses ranges outside of the parameters' meaning, or upside down.
    pub fn validate(&self) -> Result<(), RockfallError> {
        let accepted: [(&'static str, f64, f64, &'static str); PARAMETERS] = [
            (
                "prior of normal_restitution",
                0.0,
                1.0,
                "0 to 1, the least value first",
            ),
            (
                "prior of friction",
                1e-3,
                5.0,
                "0.001 to 5, the least value first",
            ),
            (
                "prior of scarring",
                0.0,
                5.0,
                "0 to 5, the least value first",
            ),
            (
                "prior of scarring_growth",
                0.0,
                100.0,
                "0 to 100 1/m, the least value first",
            ),
            (
                "prior of roughness",
                0.0,
                45.0,
                "0 to 45°, the least value first",
            ),
            (
                "prior of drag",
                0.0,
                100.0,
                "0 to 100 1/s, the least value first",
            ),
            (
                "prior of sharpness",
                1.5,
                3.0,
                "1.5 to 3, the least value first",
            ),
        ];
        let ends = self.lower.values().into_iter().zip(self.upper.values());
        for ((field, low, high, text), (a, b)) in accepted.into_iter().zip(ends) {
            within(field, a, a >= low && a <= b, text)?;
            // Degrees have gone through radians and back.
            within(field, b, b <= high * (1.0 + 1e-12), text)?;
        }
        self.yielding().map(|_| ())
    }

    /// The ends of the parameters of ground that yields; none of a prior of rigid ground.
    fn yielding(&self) -> Result<Option<(Yielding, Yielding)>, RockfallError> {
        let ends = match (self.lower.yielding, self.upper.yielding) {
            (None, None) => return Ok(None),
            (Some(lower), Some(upper)) => (lower, upper),
            _ => {
                return Err(RockfallError::Count {
                    field: "ends of the prior of the yield pressure",
                    found: 1,
                    accepted: "2, or none for rigid ground".into(),
                });
            }
        };
        let accepted = [
            (
                "prior of yield_pressure",
                1e-3,
                1e9,
                "0.001 to 1e9 kPa, the least value first",
            ),
            (
                "prior of ejected_density",
                0.0,
                1e4,
                "0 to 10,000 kg/m³, the least value first",
            ),
        ];
        let pairs = ends.0.values().into_iter().zip(ends.1.values());
        for ((field, low, high, text), (a, b)) in accepted.into_iter().zip(pairs) {
            // Kilopascals have gone through pascals and back.
            within(field, a, a >= low * (1.0 - 1e-12) && a <= b, text)?;
            within(field, b, b <= high * (1.0 + 1e-12), text)?;
        }
        Ok(Some(ends))
    }

    /// `count` sets for rocks of one class, spread evenly over the ranges.
    pub fn sets(&self, count: usize) -> Vec<GroundSet> {
        let sets = self.sets_by_class(count, 1);
        sets.iter().filter_map(|set| set.of_class(0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_fill_the_ranges_evenly() {
        let prior = Prior::default();
        prior.validate().unwrap();
        let n = 400;
        let sets = prior.sets(n);
        let (a, b) = (prior.lower.values(), prior.upper.values());
        for d in 0..PARAMETERS {
            for quarter in 0..4 {
                let inside = sets.iter().filter(|s| {
                    let place = (s.values()[d] - a[d]) / (b[d] - a[d]);
                    assert!((0.0..=1.0).contains(&place));
                    (4.0 * place) as usize == quarter
                });
                // Even to a few: random points would differ by √(n · ¼ · ¾) = 9.
                assert!(inside.count().abs_diff(n / 4) <= 9, "parameter {d}");
            }
        }
    }

    #[test]
    fn ranges_upside_down_or_without_meaning_are_refused() {
        let good = Prior::default();
        for k in 0..PARAMETERS {
            let mut lower = good.lower.values();
            lower[k] = good.upper.values()[k] + 0.1;
            let lower = GroundSet::from_values(lower);
            assert!(Prior { lower, ..good }.validate().is_err(), "{k}");
            lower_is_nan(good, k);
        }
    }

    fn lower_is_nan(good: Prior, k: usize) {
        let mut lower = good.lower.values();
        lower[k] = f64::NAN;
        let lower = GroundSet::from_values(lower);
        assert!(Prior { lower, ..good }.validate().is_err(), "{k}");
    }
}
