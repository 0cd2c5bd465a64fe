//! The rigid block: what its shape and mass distribution contribute to rocking about either corner.

use crate::error::RockingError;
use klast_numerics::check::require;

/// A side of the block: the corner it pivots on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The right corner: rotation clockwise, θ > 0.
    Right,
    /// The left corner: rotation anticlockwise, θ < 0.
    Left,
}

impl Side {
    /// +1 for right, −1 for left: the sign of θ.
    pub fn sign(self) -> f64 {
        match self {
            Self::Right => 1.0,
            Self::Left => -1.0,
        }
    }

    /// The other corner.
    pub fn other(self) -> Self {
        match self {
            Self::Right => Self::Left,
            Self::Left => Self::Right,
        }
    }
}

/// Geometry of the block seen from one corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// Horizontal distance from the mass centre to the corner (m).
    pub lever: f64,
    /// Distance R from the corner to the mass centre (m).
    pub radius: f64,
    /// Slenderness angle α = atan(lever / height of the centre) (rad).
    pub slenderness: f64,
    /// Square of the frequency parameter p² = m g R / I_corner (1/s²), eq. (3.10) of Čeh (2018).
    pub frequency_squared: f64,
}

impl Corner {
    /// Frequency parameter p (rad/s).
    pub fn frequency(&self) -> f64 {
        self.frequency_squared.sqrt()
    }
}

/// A rigid block on a rigid base that neither slides nor jumps.
///
/// Axes: x to the right, z up; θ is clockwise positive, θ > 0 pivots on the right corner. All results depend on the
/// mass only through the ratio of the moment of inertia to it, so the block carries the square of its radius of
/// gyration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RockingBlock {
    right: Corner,
    left: Corner,
    centre_height: f64,
    gyration_squared: f64,
    gravity: f64,
}

impl RockingBlock {
    /// A homogeneous rectangle of `width` b and `height` h (m) under `gravity` (m/s²): tan α = b/h, R = √(b² + h²)/2,
    /// p² = 3g/(4R).
    pub fn rectangle(width: f64, height: f64, gravity: f64) -> Result<Self, RockingError> {
        require("width", width, width > 0.0, "above 0 m")?;
        require("height", height, height > 0.0, "above 0 m")?;
        let gyration_squared = (width * width + height * height) / 12.0;
        Self::unsymmetric(
            0.5 * width,
            0.5 * width,
            0.5 * height,
            gyration_squared,
            gravity,
        )
    }

    /// A homogeneous rectangle from its slenderness angle (rad) and half diagonal R (m).
    pub fn from_slenderness(
        slenderness: f64,
        radius: f64,
        gravity: f64,
    ) -> Result<Self, RockingError> {
        let sharp = slenderness > 0.0 && slenderness < std::f64::consts::FRAC_PI_2;
        require("slenderness", slenderness, sharp, "between 0 and π/2 rad")?;
        require("radius", radius, radius > 0.0, "above 0 m")?;
        let (sin, cos) = libm::sincos(slenderness);
        Self::unsymmetric(
            radius * sin,
            radius * sin,
            radius * cos,
            radius * radius / 3.0,
            gravity,
        )
    }

    /// A block of any shape with a flat base: horizontal distances from the mass centre to the left and the right
    /// corner (m), height of the mass centre (m) and square of the radius of gyration I_C/m (m²).
    pub fn unsymmetric(
        to_left: f64,
        to_right: f64,
        centre_height: f64,
        gyration_squared: f64,
        gravity: f64,
    ) -> Result<Self, RockingError> {
        require(
            "distance to the left corner",
            to_left,
            to_left > 0.0,
            "above 0 m",
        )?;
        require(
            "distance to the right corner",
            to_right,
            to_right > 0.0,
            "above 0 m",
        )?;
        require(
            "centre height",
            centre_height,
            centre_height > 0.0,
            "above 0 m",
        )?;
        let gyration = gyration_squared;
        require(
            "squared radius of gyration",
            gyration,
            gyration > 0.0,
            "above 0 m²",
        )?;
        require("gravity", gravity, gravity > 0.0, "above 0 m/s²")?;
        let corner = |lever: f64| {
            let radius_squared = lever * lever + centre_height * centre_height;
            let radius = radius_squared.sqrt();
            Corner {
                lever,
                radius,
                slenderness: libm::atan2(lever, centre_height),
                frequency_squared: gravity * radius / (gyration_squared + radius_squared),
            }
        };
        let block = Self {
            right: corner(to_right),
            left: corner(to_left),
            centre_height,
            gyration_squared,
            gravity,
        };
        for side in [Side::Right, Side::Left] {
            let corner = block.corner(side);
            let alpha = corner.slenderness;
            let sharp = alpha > 0.0 && alpha < std::f64::consts::FRAC_PI_2;
            require("slenderness", alpha, sharp, "between 0 and π/2 rad")?;
            let p2 = corner.frequency_squared;
            require("squared frequency parameter", p2, p2 > 0.0, "above 0 1/s²")?;
        }
        Ok(block)
    }

    /// The block with all its lengths times `factor`.
    pub fn scaled(&self, factor: f64) -> Result<Self, RockingError> {
        require("factor of a block", factor, factor > 0.0, "above 0")?;
        Self::unsymmetric(
            self.left.lever * factor,
            self.right.lever * factor,
            self.centre_height * factor,
            self.gyration_squared * factor * factor,
            self.gravity,
        )
    }

    /// The block under another gravity (m/s²).
    pub(crate) fn under(&self, gravity: f64) -> Result<Self, RockingError> {
        let (left, right) = (self.left.lever, self.right.lever);
        Self::unsymmetric(
            left,
            right,
            self.centre_height,
            self.gyration_squared,
            gravity,
        )
    }

    /// The block seen from the corner on `side`.
    pub fn corner(&self, side: Side) -> &Corner {
        match side {
            Side::Right => &self.right,
            Side::Left => &self.left,
        }
    }

    /// Slenderness angle α of the right corner (rad): the only one of a symmetric block.
    pub fn slenderness(&self) -> f64 {
        self.right.slenderness
    }

    /// Distance R from the right corner to the mass centre (m).
    pub fn radius(&self) -> f64 {
        self.right.radius
    }

    /// Frequency parameter p about the right corner (rad/s).
    pub fn frequency(&self) -> f64 {
        self.right.frequency()
    }

    /// Whether the mass centre lies over the middle of the base.
    pub fn is_symmetric(&self) -> bool {
        self.right.lever == self.left.lever
    }

    /// Height of the mass centre (m).
    pub fn centre_height(&self) -> f64 {
        self.centre_height
    }

    /// I_C/m (m²).
    pub fn gyration_squared(&self) -> f64 {
        self.gyration_squared
    }

    /// Gravity (m/s²).
    pub fn gravity(&self) -> f64 {
        self.gravity
    }

    /// Base acceleration (m/s²) above which the block leaves the base, g tan α of the weaker side, eq. (3.3) of Čeh
    /// (2018).
    pub fn lift_off_acceleration(&self) -> f64 {
        let lever = self.right.lever.min(self.left.lever);
        self.gravity * lever / self.centre_height
    }

    /// Mechanical energy per mass (J/kg) at rotation `theta` and angular velocity `omega`, zero at rest on the base at
    /// rest.
    pub fn energy(&self, theta: f64, omega: f64) -> f64 {
        let side = if theta < 0.0 { Side::Left } else { Side::Right };
        let c = self.corner(side);
        let inertia = self.gyration_squared + c.radius * c.radius;
        // cos(α − q) − cos α by the product form: no cancellation at small rotations.
        let q = theta.abs();
        let rise = 2.0 * c.radius * libm::sin(c.slenderness - 0.5 * q) * libm::sin(0.5 * q);
        0.5 * inertia * omega * omega + self.gravity * rise
    }

    /// Whether a block at a rotation on a still base, with an energy per mass (J/kg) that does not grow, turns neither
    /// beyond its balance nor to the rotation that counts as overturned: it is not there, and has less energy than it
    /// would have at the nearer of the two on either corner.
    #[cfg_attr(
        not(feature = "batch"),
        allow(dead_code, reason = "batches ask for it")
    )]
    pub(crate) fn cannot_overturn(&self, rotation: f64, energy: f64, overturned_at: f64) -> bool {
        [Side::Right, Side::Left].into_iter().all(|side| {
            let top = self.corner(side).slenderness.min(overturned_at);
            rotation.abs() < top && energy < self.energy(side.sign() * top, 0.0)
        })
    }

    /// Energy per mass (J/kg) of the block balanced on the corner of `side`: above it free rocking overturns.
    pub fn barrier(&self, side: Side) -> f64 {
        self.energy(side.sign() * self.corner(side).slenderness, 0.0)
    }
}
