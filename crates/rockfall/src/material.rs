//! What the ground is made of: the whole ground law of a material, each parameter a constant or a distribution.

use crate::RockfallError;
use crate::error::within;
use crate::restitution_scaling::RestitutionScaling;
use crate::rigid::Scarring;
use crate::rock_group::is_constant;
use glam::DVec3;
use klast_dynamics::single::Penetration;
use klast_sampling::Distribution;
use rand::Rng;

/// A slope material: each parameter a constant or a distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopeMaterial {
    /// Name in reports.
    pub name: String,
    /// Coefficient of normal restitution R_n, 0 to 1.
    pub normal_restitution: Distribution,
    /// How R_n falls with the speed of the impact and the mass of the rock.
    pub restitution_scaling: RestitutionScaling,
    /// Coefficient of tangential restitution R_t, 0 to 1 (lumped mass).
    pub tangential_restitution: Distribution,
    /// Coefficient of friction μ = tan φ, ≥ 0; of a material that scars, that of the fresh contact.
    pub friction: Distribution,
    /// Roughness: the angle (rad) by which the ground met at an impact is turned, drawn at each impact for the two
    /// tangents.
    pub roughness: Distribution,
    /// Friction that grows as a rock digs in (rigid body).
    pub scarring: Option<MaterialScarring>,
    /// Drag near the ground (rigid body).
    pub drag: Option<MaterialDrag>,
    /// Rolling resistance μ_r = tan β, ≥ 0 (rigid body): while the rock is in contact a force μ_r N against the motion
    /// of its mass centre.
    pub rolling_resistance: Distribution,
    /// Ground that yields to an impact (rigid body).
    pub penetration: Option<MaterialPenetration>,
}

/// Resistance σ + ρ v² of soft ground to a rock that goes in: [`Penetration`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialPenetration {
    /// Yield pressure σ (Pa), above 0.
    pub yield_pressure: Distribution,
    /// Density ρ of the soil that is thrown aside (kg/m³), 0 or more.
    pub ejected_density: Distribution,
}

/// Slippage-dependent friction of a material: [`Scarring`] with the material's friction as minimum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialScarring {
    /// Friction after long sliding.
    pub maximum: MaximumFriction,
    /// κ (1/m).
    pub growth: Distribution,
    /// β (1/s).
    pub recovery: Distribution,
}

/// Friction after long sliding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MaximumFriction {
    /// μ_max itself.
    Value(Distribution),
    /// μ_max − μ_min.
    Rise(Distribution),
}

/// Drag −c v on the mass centre while it is low over the ground, as of shrubs, with c in proportion to the mass: Leine
/// et al. (2014), (10) and (11), whose c_d is c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialDrag {
    /// c/m (1/s).
    pub per_mass: Distribution,
    /// Height over the ground up to which it acts (m).
    pub height: f64,
}

/// Drag for one trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragSample {
    /// c/m (1/s).
    pub per_mass: f64,
    /// Height over the ground up to which it acts (m).
    pub height: f64,
}

/// The parameters of a material for one trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MaterialSample {
    /// R_n at the lowest speed and the reference mass.
    pub normal_restitution: f64,
    /// R_t.
    pub tangential_restitution: f64,
    /// μ.
    pub friction: f64,
    /// How R_n falls with speed and mass.
    pub restitution_scaling: RestitutionScaling,
    /// Friction that grows with slippage.
    pub scarring: Option<Scarring>,
    /// Drag near the ground.
    pub drag: Option<DragSample>,
    /// μ_r.
    pub rolling_resistance: f64,
    /// Resistance to an impact; none of rigid ground.
    pub penetration: Option<Penetration>,
    /// Roughness (rad) in place of the material's, which is drawn from at each impact.
    pub roughness: Option<Distribution>,
}

/// What a ground of constants is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundCoefficients {
    /// R_n.
    pub normal_restitution: f64,
    /// R_t.
    pub tangential_restitution: f64,
    /// μ.
    pub friction: f64,
}

/// Least yield pressure (Pa): far below that of any soil.
const PRESSURE: f64 = 1.0;
const UNIT: &str = "0 to 1 over the whole (truncated) distribution";
const BOUNDED: &str = "0 or more, and bounded (truncate the distribution)";

impl SlopeMaterial {
    /// A material of constants without roughness; friction as μ.
    pub fn constant(name: &str, coefficients: GroundCoefficients) -> Self {
        let GroundCoefficients {
            normal_restitution,
            tangential_restitution,
            friction,
        } = coefficients;
        SlopeMaterial {
            name: name.into(),
            normal_restitution: Distribution::constant(normal_restitution),
            restitution_scaling: RestitutionScaling::default(),
            tangential_restitution: Distribution::constant(tangential_restitution),
            friction: Distribution::constant(friction),
            roughness: Distribution::constant(0.0),
            scarring: None,
            drag: None,
            rolling_resistance: Distribution::constant(0.0),
            penetration: None,
        }
    }

    /// Whether all laws of another material are the same, whatever its name.
    pub(crate) fn is_same(&self, other: &SlopeMaterial) -> bool {
        let SlopeMaterial {
            name: _,
            normal_restitution,
            restitution_scaling,
            tangential_restitution,
            friction,
            roughness,
            scarring,
            drag,
            rolling_resistance,
            penetration,
        } = self;
        *normal_restitution == other.normal_restitution
            && *restitution_scaling == other.restitution_scaling
            && *tangential_restitution == other.tangential_restitution
            && *friction == other.friction
            && *roughness == other.roughness
            && *scarring == other.scarring
            && *drag == other.drag
            && *rolling_resistance == other.rolling_resistance
            && *penetration == other.penetration
    }

    /// Refuses parameters that a draw could take outside of their meaning.
    pub fn validate(&self) -> Result<(), RockfallError> {
        inside(
            "normal_restitution",
            &self.normal_restitution,
            (0.0, 1.0),
            UNIT,
        )?;
        self.restitution_scaling.validate()?;
        let tangential = &self.tangential_restitution;
        inside("tangential_restitution", tangential, (0.0, 1.0), UNIT)?;
        inside("friction", &self.friction, (0.0, f64::MAX), BOUNDED)?;
        let angle = "an angle within ±1.5 rad (truncate the distribution)";
        inside("roughness", &self.roughness, (-1.5, 1.5), angle)?;
        if let Some(scarring) = &self.scarring {
            scarring.validate(&self.friction)?;
        }
        if let Some(drag) = &self.drag {
            inside("drag per mass", &drag.per_mass, (0.0, 1e6), BOUNDED)?;
            let height = drag.height;
            within("drag height", height, height >= 0.0, "0 m or more")?;
        }
        if let Some(penetration) = &self.penetration {
            penetration.validate()?;
        }
        let rolling = &self.rolling_resistance;
        inside("rolling_resistance", rolling, (0.0, 100.0), BOUNDED)
    }

    /// Draws restitution and friction for one trajectory: always three numbers.
    pub fn sample(&self, rng: &mut impl Rng) -> MaterialSample {
        MaterialSample {
            normal_restitution: self.normal_restitution.sample(rng),
            tangential_restitution: self.tangential_restitution.sample(rng),
            friction: self.friction.sample(rng),
            restitution_scaling: self.restitution_scaling,
            roughness: Some(self.roughness),
            ..MaterialSample::default()
        }
    }

    /// Whether it has laws beyond restitution, friction and roughness, which rigid bodies alone know.
    pub fn has_further_laws(&self) -> bool {
        let none = Distribution::constant(0.0);
        self.scarring.is_some()
            || self.drag.is_some()
            || self.rolling_resistance != none
            || self.penetration.is_some()
    }

    /// Whether a trajectory may draw other numbers than the one before.
    pub(crate) fn varies(&self) -> bool {
        let laws = [
            &self.normal_restitution,
            &self.tangential_restitution,
            &self.friction,
        ];
        self.has_further_laws() || !laws.into_iter().all(is_constant)
    }

    /// Draws scarring, drag and rolling resistance: always five numbers, and two more where the ground yields.
    pub(crate) fn sample_further(&self, rng: &mut impl Rng, sample: &mut MaterialSample) {
        let none = Distribution::constant(0.0);
        let scarring = self.scarring.unwrap_or(MaterialScarring {
            maximum: MaximumFriction::Rise(none),
            growth: none,
            recovery: none,
        });
        let (minimum, draw) = (sample.friction, |d: &Distribution, rng: &mut _| {
            d.sample(rng)
        });
        let maximum = match &scarring.maximum {
            MaximumFriction::Value(d) => draw(d, rng),
            MaximumFriction::Rise(d) => minimum + draw(d, rng),
        };
        let (growth, recovery) = (draw(&scarring.growth, rng), draw(&scarring.recovery, rng));
        sample.scarring = self.scarring.map(|_| Scarring {
            minimum,
            maximum,
            growth,
            recovery,
        });
        let per_mass = self.drag.map_or(none, |d| d.per_mass).sample(rng);
        sample.drag = self.drag.map(|drag| DragSample {
            per_mass,
            height: drag.height,
        });
        sample.rolling_resistance = self.rolling_resistance.sample(rng);
        sample.penetration = self.penetration.and_then(|law| {
            let (pressure, density) = (
                law.yield_pressure.sample(rng),
                law.ejected_density.sample(rng),
            );
            // Distributions are checked when the material is made.
            Penetration::new(pressure, density).ok()
        });
    }
}

impl MaterialPenetration {
    fn validate(&self) -> Result<(), RockfallError> {
        let (pressure, density) = (&self.yield_pressure, &self.ejected_density);
        let least = (PRESSURE, f64::MAX);
        inside(
            "yield pressure",
            pressure,
            least,
            "1 Pa or more, and bounded (truncate the distribution)",
        )?;
        inside("density of ejected soil", density, (0.0, f64::MAX), BOUNDED)
    }
}

impl MaterialScarring {
    fn validate(&self, minimum: &Distribution) -> Result<(), RockfallError> {
        match &self.maximum {
            MaximumFriction::Rise(d) => inside("scarring rise", d, (0.0, f64::MAX), BOUNDED)?,
            MaximumFriction::Value(d) => {
                let least = (minimum.support().1, f64::MAX);
                let text = "at least the friction of the fresh contact, whatever is drawn";
                inside("scarring maximum", d, least, text)?;
            }
        }
        inside("scarring growth", &self.growth, (0.0, f64::MAX), BOUNDED)?;
        inside(
            "scarring recovery",
            &self.recovery,
            (0.0, f64::MAX),
            BOUNDED,
        )
    }
}

impl MaterialSample {
    /// R_n at an impact with a normal speed (m/s) of a rock of a mass (kg).
    pub fn restitution_at(&self, normal_speed: f64, mass: f64) -> f64 {
        let factor = self.restitution_scaling.factor(normal_speed, mass);
        (self.normal_restitution * factor).min(1.0)
    }
}

/// Refuses a distribution that could leave a range; an unbounded upper tail shows as infinity.
fn inside(
    field: &'static str,
    d: &Distribution,
    (low, high): (f64, f64),
    accepted: &'static str,
) -> Result<(), RockfallError> {
    let (a, b) = d.support();
    within(field, a, a >= low && a <= high, accepted)?;
    within(field, b, b >= low && b <= high, accepted)
}

/// A unit normal turned by angles about two tangents, for roughness.
pub(crate) fn roughened(normal: DVec3, angles: (f64, f64)) -> DVec3 {
    let t1 = (DVec3::Y.cross(normal)).try_normalize().unwrap_or(DVec3::X);
    let t2 = normal.cross(t1);
    (normal + t1 * libm::tan(angles.0) + t2 * libm::tan(angles.1)).normalize()
}
