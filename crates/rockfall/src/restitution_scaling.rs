//! How R_n falls with the speed of an impact and with the mass of a rock.

use crate::RockfallError;
use crate::error::within;

/// Factors on R_n: by speed, by mass, or by both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RestitutionScaling {
    /// By the normal speed of the impact.
    pub speed: Option<SpeedScaling>,
    /// By the mass of the rock.
    pub mass: Option<MassScaling>,
}

/// A factor that falls with the normal speed v of the mass centre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpeedScaling {
    /// 1/(1 + (v/v₀)²): Pfeiffer and Bowen (1989), Bulletin of the Association of Engineering Geologists 26, 135–146,
    /// with v₀ = 30 ft/s = 9.144 m/s, for lumped masses.
    PfeifferBowen {
        /// v₀ (m/s).
        speed: f64,
    },
    /// v½/(v½ + v): the half-speed law of Bourrier and Hungr (2011), whose R_n is this factor (that of the material is
    /// then 1); v½ is fitted on site.
    HalfSpeed {
        /// v½ (m/s).
        speed: f64,
    },
}

/// (m₀/m)^p: a power law, both numbers stated by the user; no published pair was read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassScaling {
    /// m₀ (kg): the mass at which R_n is that of the material.
    pub reference: f64,
    /// p.
    pub exponent: f64,
}

impl SpeedScaling {
    /// v₀ of Pfeiffer and Bowen (m/s): 30 ft/s.
    pub const PFEIFFER_BOWEN: f64 = 9.144;

    fn factor(self, v: f64) -> f64 {
        match self {
            SpeedScaling::PfeifferBowen { speed } => 1.0 / (1.0 + (v / speed) * (v / speed)),
            SpeedScaling::HalfSpeed { speed } => speed / (speed + v),
        }
    }

    fn speed(self) -> f64 {
        match self {
            SpeedScaling::PfeifferBowen { speed } | SpeedScaling::HalfSpeed { speed } => speed,
        }
    }
}

impl RestitutionScaling {
    /// The factor at an impact with a normal speed (m/s) of a rock of a mass (kg).
    pub fn factor(&self, normal_speed: f64, mass: f64) -> f64 {
        let speed = self.speed.map_or(1.0, |s| s.factor(normal_speed.max(0.0)));
        let mass = self
            .mass
            .map_or(1.0, |m| libm::pow(m.reference / mass, m.exponent));
        speed * mass
    }

    /// Refuses numbers without meaning.
    pub fn validate(&self) -> Result<(), RockfallError> {
        if let Some(scaling) = self.speed {
            let speed = scaling.speed();
            within(
                "speed of a restitution scaling",
                speed,
                speed > 0.0,
                "above 0 m/s",
            )?;
        }
        if let Some(MassScaling {
            reference,
            exponent,
        }) = self.mass
        {
            let field = "reference mass of a restitution scaling";
            within(field, reference, reference > 0.0, "above 0 kg")?;
            let field = "exponent of a restitution scaling";
            within(field, exponent, (0.0..=2.0).contains(&exponent), "0 to 2")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_by_hand() {
        let speed = |speed| RestitutionScaling {
            speed: Some(speed),
            mass: None,
        };
        let pfeiffer = speed(SpeedScaling::PfeifferBowen {
            speed: SpeedScaling::PFEIFFER_BOWEN,
        });
        // At v₀ the factor is a half, at twice v₀ a fifth: powers of two times v₀ lose nothing.
        assert_eq!(pfeiffer.factor(9.144, 1.0), 0.5);
        assert_eq!(pfeiffer.factor(18.288, 1.0), 0.2);
        assert_eq!(pfeiffer.factor(0.0, 1.0), 1.0);
        let half = speed(SpeedScaling::HalfSpeed { speed: 10.0 });
        assert_eq!(half.factor(10.0, 1.0), 0.5);
        assert_eq!(half.factor(30.0, 1.0), 0.25);
        let mass = Some(MassScaling {
            reference: 100.0,
            exponent: 0.5,
        });
        let by_mass = RestitutionScaling { speed: None, mass };
        assert_eq!(by_mass.factor(5.0, 400.0), 0.5);
        assert_eq!(RestitutionScaling::default().factor(50.0, 1e6), 1.0);
    }

    #[test]
    fn numbers_without_meaning_are_refused() {
        for speed in [0.0, -1.0, f64::NAN] {
            let speed = Some(SpeedScaling::HalfSpeed { speed });
            assert!(RestitutionScaling { speed, mass: None }.validate().is_err());
        }
        for (reference, exponent) in [(0.0, 0.5), (1.0, -0.1), (1.0, f64::NAN)] {
            let mass = Some(MassScaling {
                reference,
                exponent,
            });
            assert!(RestitutionScaling { speed: None, mass }.validate().is_err());
        }
    }
}
