//! Laws of the rebound of a lumped mass, by name.
//!
//! [`ReboundLaw::PfeifferBowen`]: Pfeiffer and Bowen, Bull. Assoc. Eng. Geologists 26 (1989) 135–146. The tangential
//! half is (2.1b) of the manual, which is theirs in space; the normal one is v_n' = −v_n R_n/(1 + (v_n/v₀)²) with v₀ =
//! 30 ft/s = 9.144 m/s. The scaling factor SF has R_n without that factor. Read in the manual and in `PlatRock` 0.4.6
//! (Kneib, Bourrier et al. 2024), which states the same constants.
//!
//! [`ReboundLaw::BourrierHungr`]: Bourrier and Hungr, in Rockfall Engineering (2011), as `PlatRock` has it, of which
//! Bourrier is an author. The rock is a sphere, I = 2/5 m r²; velocity along the ground and spin are taken R_t times,
//! and Coulomb's friction then acts on the slip s = R_t (v_t + ω × (−r n)_t):
//!
//! - v_n' = −R_n v_n, with R_n = v½/(v½ + v_n) by the half-speed law of the material;
//! - it sticks where (2/7) |s| ≤ μ (1 + R_n) |v_n|, so that the new slip is 0: Δv_t = −(2/7) s;
//! - else it slides: Δv_t = −μ (1 + R_n) |v_n| s/|s|;
//! - Δω = −(5/(2 r)) n × Δv_t.
//!
//! Signs and factors of sliding are those of the impulse on a sphere: the code of `PlatRock` adds friction to the
//! velocity and leaves μ out of the change of spin. Its scatter is that of the roughness of the material.
//!
//! Rockyfor3D's law (Dorren 2016) is not here: its tangential coefficient was not read in a source.

use super::impact::{LumpedLaw, Rebound, Restitution};
use crate::RockfallError;
use crate::ground::Ground;
use crate::restitution_scaling::SpeedScaling;
use glam::DVec3;

/// A law of the rebound of a lumped mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReboundLaw {
    /// The law of the lumped-mass manual.
    Manual(LumpedLaw),
    /// Pfeiffer and Bowen (1989).
    PfeifferBowen,
    /// Bourrier and Hungr (2011).
    BourrierHungr,
}

impl Default for ReboundLaw {
    fn default() -> Self {
        ReboundLaw::Manual(LumpedLaw::default())
    }
}

/// The ground met at an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Struck {
    /// Its unit normal, upwards.
    pub normal: DVec3,
    /// Restitution.
    pub restitution: Restitution,
    /// μ.
    pub friction: f64,
}

impl ReboundLaw {
    /// Velocity and spin after an impact, from those before it in world axes; `radius` (m) of the sphere of equal
    /// volume.
    pub fn rebound(&self, ground: &Struck, v: DVec3, w: DVec3, radius: f64) -> Rebound {
        let (n, restitution) = (ground.normal, ground.restitution);
        match self {
            ReboundLaw::Manual(law) => law.impact(n, v, w, radius, restitution),
            ReboundLaw::PfeifferBowen => {
                let mut rebound = LumpedLaw::default().impact(n, v, w, radius, restitution);
                let off = rebound.velocity.dot(n);
                let part = v.dot(n) / SpeedScaling::PFEIFFER_BOWEN;
                rebound.velocity += n * (off / (1.0 + part * part) - off);
                rebound
            }
            ReboundLaw::BourrierHungr => stick_or_slide(ground, v, w, radius),
        }
    }

    /// Refuses a ground whose laws do not go with this one: [`ReboundLaw::PfeifferBowen`] has its own fall of R_n with
    /// speed, and [`ReboundLaw::BourrierHungr`] needs the half-speed law.
    pub(crate) fn validate(&self, ground: &Ground) -> Result<(), RockfallError> {
        let by_speed = ground
            .materials()
            .iter()
            .map(|m| m.restitution_scaling.speed);
        let goes = |speed: &Option<SpeedScaling>| match self {
            ReboundLaw::Manual(_) => true,
            ReboundLaw::PfeifferBowen => speed.is_none(),
            ReboundLaw::BourrierHungr => matches!(speed, Some(SpeedScaling::HalfSpeed { .. })),
        };
        let accepted = match self {
            ReboundLaw::PfeifferBowen => "materials without a restitution by speed",
            _ => "materials with a restitution by the half-speed law",
        };
        match by_speed.into_iter().position(|speed| !goes(&speed)) {
            None => Ok(()),
            Some(found) => Err(RockfallError::Count {
                field: "material that the rebound law does not take",
                found,
                accepted: accepted.into(),
            }),
        }
    }
}

/// The rebound of a sphere under Coulomb's friction, with velocity along the ground and spin taken R_t times.
fn stick_or_slide(ground: &Struck, v: DVec3, w: DVec3, radius: f64) -> Rebound {
    let (n, Restitution { normal, tangential }) = (ground.normal, ground.restitution);
    let into = -v.dot(n);
    let along = (v + n * into) * tangential;
    let about = n * w.dot(n);
    let spin = (w - about) * tangential;
    let slip = along - spin.cross(n) * radius;
    let most = ground.friction * (1.0 + normal) * into.abs();
    let sticking = slip * (2.0 / 7.0);
    let change = match sticking.length() <= most {
        true => -sticking,
        false => -slip.normalize_or_zero() * most,
    };
    Rebound {
        velocity: n * (normal * into) + along + change,
        spin: about + spin - n.cross(change) * (2.5 / radius),
    }
}
