//! A library of ground classes: parameters with their source, usable by name.
//!
//! Only what was read in a source that is named stands here. No class replaces a calibration on the slope itself.

use crate::RockfallError;
use crate::material::{
    GroundCoefficients, MaterialDrag, MaterialPenetration, MaterialScarring, MaximumFriction,
    SlopeMaterial,
};
use klast_sampling::{Distribution, Family};

/// What moves the rocks that a class was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MadeFor {
    /// Points with restitution coefficients: R_n and R_t hold what the shape of a rock does as well.
    LumpedMass,
    /// Bodies with a shape.
    RigidBody,
}

/// A kind of ground as a source has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundClass {
    /// Name in a scene.
    pub name: &'static str,
    /// What the source calls it.
    pub title: &'static str,
    /// Where it comes from.
    pub source: &'static ClassSource,
    /// R_n.
    pub normal_restitution: f64,
    /// R_t; none in the source without it.
    pub tangential_restitution: Option<f64>,
    /// μ.
    pub friction: f64,
    /// μ_max, κ (1/m) and β (1/s).
    pub scarring: Option<[f64; 3]>,
    /// Laws that only fitted grounds have.
    pub fitted: Fitted,
}

/// Laws of a fitted ground beside restitution, friction and scarring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Standard deviation of the roughness angle (°), cut off at three of them.
    pub roughness_deg: f64,
    /// c/m (1/s), and the height over the ground up to which it acts (m).
    pub drag: Option<[f64; 2]>,
    /// Yield pressure σ (kPa) and density ρ of the ejected soil (kg/m³).
    pub penetration: Option<[f64; 2]>,
}

impl Fitted {
    const NONE: Fitted = Fitted {
        roughness_deg: 0.0,
        drag: None,
        penetration: None,
    };
}

/// A source of classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassSource {
    /// Author and year.
    pub author: &'static str,
    /// Title, place, and what of it was read.
    pub document: &'static str,
    /// What the numbers were fitted on.
    pub fitted_on: &'static str,
    /// How far the values scatter, as a part of them; none in the source as 0.
    pub scatter: f64,
    /// How rocks move in it.
    pub made_for: MadeFor,
}

/// Values for rockfall over Italy with a lumped mass.
static STONE: ClassSource = ClassSource {
    author: "Alvioli et al. 2021, after Guzzetti et al. 2002",
    document: "Engineering Geology 293, 106301, after STONE, Computers & Geosciences 28, 1079–1093; the table as the documentation of r.stone (GRASS GIS) gives it",
    fitted_on: "assigned by experience to the lithological classes of Italy for susceptibility along railways; friction is that of rolling; a Gaussian cut off at \
                ±10 %, whose standard deviation is not stated: drawn evenly within it",
    scatter: 0.1,
    made_for: MadeFor::LumpedMass,
};

static LEINE: ClassSource = ClassSource {
    author: "Leine et al. 2014",
    document: "Multibody System Dynamics 32, 241–271, section 5.1",
    fitted_on: "nothing: a numerical example of a block that scars on a plane of 45°",
    scatter: 0.0,
    made_for: MadeFor::RigidBody,
};

static ROCFALL3: ClassSource = ClassSource {
    author: "Rocscience",
    document: "RocFall3 3D Rigid Body Verification Manual, section 4",
    fitted_on: "nothing: a numerical example of cubes on a simple slope",
    scatter: 0.0,
    made_for: MadeFor::RigidBody,
};

static TSCHAMUT: ClassSource = ClassSource {
    author: "klast, on the data of the WSL-SLF (EnviDat, doi 10.16904/envidat.34)",
    document: "Medians of the 24 sets of 240 that a calibration keeps with each of its three rocks as a class; all sets: docs/recipes/tschamut-2014/posterior.json",
    fitted_on: "18 runs of three rocks of 40 to 79 kg (cube, block, plate), runouts of 31 to 110 m on meadow of 26°, level below. Leave-one-out: fair CRPS 11.3 m \
                (nulls 10.7 and 9.7 m), fair energy score 14.9 m (15.1 and 15.2 m): not better than the nulls. It fails on the block, whose runs end alike on \
                level ground, and carries no other shape, size or slope",
    scatter: 0.0,
    made_for: MadeFor::RigidBody,
};

static CHANT_SURA: ClassSource = ClassSource {
    author: "klast, on the data of Caviezel et al. 2020 (EnviDat, doi 10.16904/envidat.174)",
    document: "Medians of the 40 sets of 400 that forecast the velocities after contacts best: example chant_sura_impacts of klast-rockfall",
    fitted_on: "ten contacts of plates of 210 and 780 kg and a cube of 250 kg at 4 to 10 m/s on meadow of 29° to 56°. Leave-one-run-out: fair energy score 2.9 m/s \
                (nulls 1.9 and 1.7 m/s; rigid ground 2.7): worse than the nulls. It carries plates better than rigid ground does, and the cube not at all; \
                neither runouts nor depths were fitted",
    scatter: 0.0,
    made_for: MadeFor::RigidBody,
};

const fn stone(name: &'static str, title: &'static str, [mu, n, t]: [f64; 3]) -> GroundClass {
    GroundClass {
        name,
        title,
        source: &STONE,
        normal_restitution: n,
        tangential_restitution: Some(t),
        friction: mu,
        scarring: None,
        fitted: Fitted::NONE,
    }
}

/// All classes.
pub static CLASSES: [GroundClass; 23] = [
    stone(
        "stone_anthropic_deposits",
        "Anthropic deposits",
        [0.65, 0.35, 0.55],
    ),
    stone(
        "stone_alluvial_colluvial_deposits",
        "Alluvial, lacustrine, marine, eluvial and colluvial deposits",
        [0.80, 0.15, 0.40],
    ),
    stone(
        "stone_coastal_deposits",
        "Coastal deposits, not fluvial",
        [0.65, 0.35, 0.55],
    ),
    stone("stone_landslides", "Landslides", [0.65, 0.35, 0.55]),
    stone(
        "stone_glacial_deposits",
        "Glacial deposits",
        [0.65, 0.35, 0.55],
    ),
    stone(
        "stone_loose_clastic_deposits",
        "Loosely packed clastic deposits",
        [0.35, 0.45, 0.55],
    ),
    stone(
        "stone_consolidated_clastic_deposits",
        "Consolidated clastic deposits",
        [0.40, 0.55, 0.65],
    ),
    stone("stone_marl", "Marl", [0.40, 0.55, 0.65]),
    stone(
        "stone_carbonates_siliciclastic_marl",
        "Carbonates-siliciclastic and marl sequence",
        [0.35, 0.60, 0.70],
    ),
    stone(
        "stone_chaotic_rocks",
        "Chaotic rocks, mélange",
        [0.35, 0.45, 0.55],
    ),
    stone("stone_flysch", "Flysch", [0.40, 0.55, 0.65]),
    stone(
        "stone_carbonate_rocks",
        "Carbonate rocks",
        [0.30, 0.65, 0.75],
    ),
    stone("stone_evaporites", "Evaporites", [0.35, 0.45, 0.55]),
    stone(
        "stone_pyroclastic_rocks",
        "Pyroclastic rocks and ignimbrites",
        [0.40, 0.55, 0.65],
    ),
    stone("stone_lava_basalt", "Lava and basalts", [0.30, 0.65, 0.75]),
    stone(
        "stone_intrusive_rocks",
        "Intrusive igneous rocks",
        [0.30, 0.65, 0.75],
    ),
    stone("stone_schists", "Schists", [0.35, 0.60, 0.70]),
    stone("stone_non_schists", "Non-schists", [0.30, 0.65, 0.75]),
    stone(
        "stone_lakes_glaciers",
        "Lakes, glaciers",
        [0.95, 0.10, 0.10],
    ),
    GroundClass {
        name: "leine_2014_scarring_soil",
        title: "Soil in which a sliding rock digs in",
        source: &LEINE,
        normal_restitution: 0.0,
        tangential_restitution: None,
        friction: 0.2,
        scarring: Some([1.3, 0.7, 20.0]),
        fitted: Fitted::NONE,
    },
    GroundClass {
        name: "rocfall3_manual_slope",
        title: "Simple slope of the verification manual",
        source: &ROCFALL3,
        normal_restitution: 0.35,
        tangential_restitution: None,
        friction: 0.6,
        scarring: None,
        fitted: Fitted::NONE,
    },
    GroundClass {
        name: "tschamut_2014_meadow",
        title: "Alpine meadow of the Tschamut campaign",
        source: &TSCHAMUT,
        normal_restitution: 0.29,
        tangential_restitution: None,
        friction: 0.62,
        scarring: Some([1.72, 2.3, 100.0]),
        fitted: Fitted {
            roughness_deg: 9.0,
            drag: Some([0.37, 0.5]),
            penetration: None,
        },
    },
    GroundClass {
        name: "chant_sura_2020_meadow",
        title: "Alpine meadow of the Chant Sura campaign, yielding to impacts",
        source: &CHANT_SURA,
        normal_restitution: 0.34,
        tangential_restitution: None,
        friction: 1.05,
        scarring: None,
        fitted: Fitted {
            roughness_deg: 0.0,
            drag: None,
            penetration: Some([1950.0, 1580.0]),
        },
    },
];

/// The class with a name.
pub fn class(name: &str) -> Option<&'static GroundClass> {
    CLASSES.iter().find(|c| c.name == name)
}

impl GroundClass {
    /// The material of this class.
    ///
    /// # Errors
    /// None for the classes of the library.
    pub fn material(&self) -> Result<SlopeMaterial, RockfallError> {
        let scatter = self.source.scatter;
        let spread = |field, value: f64| match scatter > 0.0 && value > 0.0 {
            true => Distribution::new(Family::Uniform {
                lower: value * (1.0 - scatter),
                upper: value * (1.0 + scatter),
            })
            .map_err(|source| RockfallError::Distribution { field, source }),
            false => Ok(Distribution::constant(value)),
        };
        let constant = Distribution::constant;
        let tangential = self.tangential_restitution.unwrap_or(1.0);
        Ok(SlopeMaterial {
            normal_restitution: spread("normal_restitution", self.normal_restitution)?,
            tangential_restitution: spread("tangential_restitution", tangential)?,
            friction: spread("friction", self.friction)?,
            scarring: self
                .scarring
                .map(|[maximum, growth, recovery]| MaterialScarring {
                    maximum: MaximumFriction::Value(constant(maximum)),
                    growth: constant(growth),
                    recovery: constant(recovery),
                }),
            roughness: self.fitted.roughness()?,
            drag: self.fitted.drag.map(|[per_mass, height]| MaterialDrag {
                per_mass: constant(per_mass),
                height,
            }),
            penetration: self
                .fitted
                .penetration
                .map(|[pressure, density]| MaterialPenetration {
                    yield_pressure: constant(1e3 * pressure),
                    ejected_density: constant(density),
                }),
            ..SlopeMaterial::constant(
                self.name,
                GroundCoefficients {
                    normal_restitution: 0.0,
                    tangential_restitution: 1.0,
                    friction: 0.0,
                },
            )
        })
    }
}

impl Fitted {
    fn roughness(&self) -> Result<Distribution, RockfallError> {
        if self.roughness_deg == 0.0 {
            return Ok(Distribution::constant(0.0));
        }
        let sd = self.roughness_deg.to_radians();
        Distribution::truncated(Family::Normal { mean: 0.0, sd }, -3.0 * sd, 3.0 * sd).map_err(
            |source| RockfallError::Distribution {
                field: "roughness",
                source,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_a_material_with_a_source_and_a_name_of_its_own() {
        for (k, one) in CLASSES.iter().enumerate() {
            one.material().unwrap().validate().unwrap();
            assert_eq!(class(one.name), Some(one));
            assert!(CLASSES[..k].iter().all(|c| c.name != one.name));
            let source = one.source;
            assert!(source.author.len() > 5 && source.document.len() > 20);
            assert!(source.fitted_on.len() > 20);
        }
        assert_eq!(class("granite of the moon"), None);
    }

    #[test]
    fn scatter_is_that_of_the_source() {
        let material = class("stone_marl").unwrap().material().unwrap();
        // 0.55 ± 10 %: one rounding of each end.
        let (low, high) = material.normal_restitution.support();
        assert!((low - 0.495).abs() < 1e-15 && (high - 0.605).abs() < 1e-15);
    }
}
