//! What is shot at a layer: projectile, speed, laws, step.

use crate::error::DemError;
use crate::law::{PenaltyLaw, Release};
use crate::projectile::{Cavity, Ogive};
use crate::settings::steps_within;
use klast_numerics::check::{require, within};

/// What is shot at a layer and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Shape.
    pub ogive: Ogive,
    /// Filling.
    pub cavity: Cavity,
    /// m/s, along +x at the middle of the face x = 0.
    pub speed: f64,
    /// Distance of the tip before the face at the start, m.
    pub standoff: f64,
    /// Between rocks, and at the side walls.
    pub rock_law: PenaltyLaw,
    /// Between the projectile and rocks.
    pub projectile_law: PenaltyLaw,
    /// s.
    pub step: f64,
    /// Steps between records.
    pub record_every: u32,
    /// Whether floor and side walls stand; the two faces and the top are open. Without walls momentum is conserved.
    pub walls: bool,
    /// m/s².
    pub gravity: f64,
    /// Mend kinks and jumps of the law inside a step.
    pub mend_switches: bool,
    /// Give up at this time, s.
    pub longest: f64,
}

/// Parameters of Table 1 of the rockfill paper that the sensitivity study varies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// N/m.
    pub normal_stiffness: f64,
    /// N/m.
    pub tangential_stiffness: f64,
    /// f.
    pub friction: f64,
    /// e_r.
    pub rock_restitution: f64,
    /// e_b.
    pub projectile_restitution: f64,
}

impl ContactParameters {
    /// `k_n` = 2e7, `k_s` = 1e7 N/m, f = 0.2, e_r = 0.4, e_b = 0.99.
    #[must_use]
    pub fn rockfill() -> Self {
        Self {
            normal_stiffness: 2e7,
            tangential_stiffness: 1e7,
            friction: 0.2,
            rock_restitution: 0.4,
            projectile_restitution: 0.99,
        }
    }

    /// The laws between rocks and between projectile and rock.
    ///
    /// # Errors
    /// A parameter outside its range.
    pub fn laws(&self) -> Result<(PenaltyLaw, PenaltyLaw), DemError> {
        let base = PenaltyLaw::elastic(self.normal_stiffness, 1.0)?
            .with_friction(self.friction, self.tangential_stiffness)?;
        Ok((
            base.with_restitution(self.rock_restitution, Release::NoTension)?,
            base.with_restitution(self.projectile_restitution, Release::NoTension)?,
        ))
    }
}

impl Shot {
    /// The shot of the rockfill paper with a projectile of `mass` kg: 1,200 m/s from 0.6 m, steps of 5 µs.
    ///
    /// # Errors
    /// A parameter outside its range.
    pub fn rockfill(mass: f64, parameters: &ContactParameters) -> Result<Self, DemError> {
        let (rock_law, projectile_law) = parameters.laws()?;
        Ok(Self {
            ogive: Ogive::rockfill(),
            cavity: Cavity::Mass { mass },
            speed: 1200.0,
            standoff: 0.6,
            rock_law,
            projectile_law,
            step: 5e-6,
            record_every: 4,
            walls: true,
            gravity: 9.81,
            mend_switches: true,
            longest: 8e-3,
        })
    }

    /// Refuses numbers that describe no shot.
    ///
    /// # Errors
    /// [`DemError::OutOfRange`] with the field.
    pub fn check(&self) -> Result<(), DemError> {
        require("speed", self.speed, self.speed > 0.0, "> 0 m/s")?;
        require("standoff", self.standoff, self.standoff > 0.0, "> 0 m")?;
        require("step", self.step, self.step > 0.0, "> 0 s")?;
        within("gravity", self.gravity, (0.0, 1e6), ">= 0 m/s²")?;
        within("longest", self.longest, (self.step, 1e3), ">= one step, s")?;
        steps_within("steps of the longest shot", self.longest, self.step)
    }
}
