//! Friction, modes, and the state of a block in each of them.

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_numerics::check::require;

/// Coulomb friction: a coefficient at rest and one while sliding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    at_rest: f64,
    sliding: f64,
}

impl Friction {
    /// One coefficient for both.
    pub fn new(coefficient: f64) -> Result<Self, RockingError> {
        Self::with_rest(coefficient, coefficient)
    }

    /// Coefficients at rest and while sliding; the first is not below the second.
    pub fn with_rest(at_rest: f64, sliding: f64) -> Result<Self, RockingError> {
        require(
            "friction coefficient",
            sliding,
            sliding >= 0.0,
            "at least 0",
        )?;
        let accepted = "at least the friction coefficient while sliding";
        require(
            "friction coefficient at rest",
            at_rest,
            at_rest >= sliding,
            accepted,
        )?;
        Ok(Self { at_rest, sliding })
    }

    /// Coefficient at rest.
    pub fn at_rest(&self) -> f64 {
        self.at_rest
    }

    /// Coefficient while sliding.
    pub fn sliding(&self) -> f64 {
        self.sliding
    }
}

/// What the foot of a block does on its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Foot {
    /// It neither slides nor leaves the base: the corner is a hinge.
    Sticks,
    /// It slides beyond its friction, and jumps.
    Slides(Friction),
}

impl Foot {
    /// Coefficient while sliding; without bound for a foot that sticks.
    pub(super) fn sliding(self) -> f64 {
        match self {
            Self::Sticks => f64::INFINITY,
            Self::Slides(friction) => friction.sliding,
        }
    }

    /// Coefficient at rest; without bound for a foot that sticks.
    pub(super) fn at_rest(self) -> f64 {
        match self {
            Self::Sticks => f64::INFINITY,
            Self::Slides(friction) => friction.at_rest,
        }
    }
}

/// The modes of a plane block on a base (Shenton 1996). On a compliant base a block is flat while both edges press, and
/// stands on the edge that presses alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Flat on the base, moving with it.
    Rest,
    /// Flat on the base, sliding to the side stated.
    Slide(Side),
    /// On the corner of the side stated, which does not slide.
    Rock(Side),
    /// On the corner of the first side, which slides to the second.
    SlideRock(Side, Side),
    /// In the air.
    Flight,
}

impl Mode {
    /// The side the foot slides to.
    pub fn slides_to(self) -> Option<Side> {
        match self {
            Self::Slide(to) | Self::SlideRock(_, to) => Some(to),
            _ => None,
        }
    }

    /// Whether the block stands on its whole base.
    pub fn is_flat(self) -> bool {
        matches!(self, Self::Rest | Self::Slide(_))
    }
}

/// The side of a signed number; none for zero.
pub(super) fn side_of(x: f64) -> Option<Side> {
    match x {
        x if x > 0.0 => Some(Side::Right),
        x if x < 0.0 => Some(Side::Left),
        _ => None,
    }
}

/// The state between events, in the coordinates in which the contact holds exactly. All lengths are relative to the
/// base, to the right and upwards positive; `foot` is the displacement of the point of contact from where it stood at
/// the start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum State {
    /// On the whole base.
    Flat { foot: f64, speed: f64 },
    /// On one corner, rotated by `q` ≥ 0 away from the base.
    Corner {
        side: Side,
        q: f64,
        rate: f64,
        foot: f64,
        speed: f64,
    },
    /// In the air: the mass centre, which stood at (0, H) at the start, and the rotation. `leaving` tells the corners
    /// that have just left the base.
    Air {
        x: f64,
        z: f64,
        turn: f64,
        velocity: Velocity,
        leaving: [bool; 2],
    },
    /// On a compliant base: height of the base below the mass centre over that of springs without load, rotation,
    /// their rates, and the displacement along the base of the edge it leans to.
    Springs {
        rise: f64,
        turn: f64,
        rising: f64,
        rate: f64,
        foot: f64,
        speed: f64,
    },
}

/// Velocity of the mass centre relative to the base (m/s) and angular velocity, clockwise (rad/s).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Velocity {
    pub along: f64,
    pub up: f64,
    pub turn: f64,
}

/// Vector from the mass centre to the corner of `side` for the clockwise rotation `turn`.
pub(super) fn to_corner(block: &RockingBlock, side: Side, turn: f64) -> (f64, f64) {
    let corner = block.corner(side);
    let sign = side.sign();
    let (sin, cos) = libm::sincos(corner.slenderness - sign * turn);
    (sign * corner.radius * sin, -corner.radius * cos)
}

/// Signed distance from below the mass centre to the edge that a block leans to.
fn lean_of(block: &RockingBlock, turn: f64) -> f64 {
    let side = if turn < 0.0 { Side::Left } else { Side::Right };
    side.sign() * block.corner(side).lever
}

impl State {
    /// Mass centre, rotation and velocity.
    pub(super) fn centre(&self, block: &RockingBlock) -> (f64, f64, f64, Velocity) {
        match *self {
            Self::Flat { foot, speed } => {
                let velocity = Velocity {
                    along: speed,
                    ..Velocity::default()
                };
                (foot, block.centre_height(), 0.0, velocity)
            }
            Self::Corner {
                side,
                q,
                rate,
                foot,
                speed,
            } => {
                let sign = side.sign();
                let (rx, rz) = to_corner(block, side, sign * q);
                let (turn, omega) = (sign * q, sign * rate);
                // The contact point moves with (along + ω r_z, up − ω r_x).
                let velocity = Velocity {
                    along: speed - omega * rz,
                    up: omega * rx,
                    turn: omega,
                };
                let x = foot + sign * block.corner(side).lever - rx;
                (x, -rz, turn, velocity)
            }
            Self::Air {
                x,
                z,
                turn,
                velocity,
                ..
            } => (x, z, turn, velocity),
            Self::Springs {
                rise,
                turn,
                rising,
                rate,
                foot,
                speed,
            } => {
                let (sin, cos) = libm::sincos(turn);
                let (b, h) = (lean_of(block, turn), block.centre_height());
                let half = libm::sin(0.5 * turn);
                let velocity = Velocity {
                    along: speed + (b * sin + h * cos) * rate,
                    up: rising - h * sin * rate,
                    turn: rate,
                };
                let x = foot + 2.0 * b * half * half + h * sin;
                (x, rise + h * cos, turn, velocity)
            }
        }
    }

    /// Displacement since the start of the point `at`, as seen from the mass centre of the upright block; exactly none
    /// for a point of the pivot.
    pub(super) fn shift(&self, block: &RockingBlock, at: (f64, f64)) -> (f64, f64) {
        let height = block.centre_height();
        let (origin, arm, turn) = match *self {
            Self::Flat { foot, .. } => return (foot, 0.0),
            Self::Corner { side, q, foot, .. } => {
                let lever = side.sign() * block.corner(side).lever;
                ((foot, 0.0), (at.0 - lever, at.1 + height), side.sign() * q)
            }
            Self::Air { x, z, turn, .. } => ((x, z - height), at, turn),
            Self::Springs {
                rise, turn, foot, ..
            } => {
                let lever = lean_of(block, turn);
                let origin = (foot, rise - lever * libm::sin(turn));
                (origin, (at.0 - lever, at.1 + height), turn)
            }
        };
        let (sin, half) = (libm::sin(turn), libm::sin(0.5 * turn));
        let versed = 2.0 * half * half;
        (
            origin.0 + arm.1 * sin - arm.0 * versed,
            origin.1 - arm.0 * sin - arm.1 * versed,
        )
    }

    /// Vector from the mass centre to the point `at` of the block, turned with it.
    pub(super) fn arm(&self, at: (f64, f64)) -> (f64, f64) {
        let (sin, cos) = libm::sincos(self.rotation().0);
        (at.0 * cos + at.1 * sin, at.1 * cos - at.0 * sin)
    }

    /// Mechanical energy per mass relative to the base, zero at rest on it.
    pub(super) fn energy(&self, block: &RockingBlock) -> f64 {
        let (_, z, _, v) = self.centre(block);
        let kinetic = v.along * v.along + v.up * v.up + block.gyration_squared() * v.turn * v.turn;
        0.5 * kinetic + block.gravity() * (z - block.centre_height())
    }

    /// Rotation and angular velocity, clockwise.
    pub(super) fn rotation(&self) -> (f64, f64) {
        match *self {
            Self::Flat { .. } => (0.0, 0.0),
            Self::Corner { side, q, rate, .. } => (side.sign() * q, side.sign() * rate),
            Self::Air { turn, velocity, .. } => (turn, velocity.turn),
            Self::Springs { turn, rate, .. } => (turn, rate),
        }
    }

    /// Slip of the foot; in the air that of the middle of the base below the mass centre.
    pub(super) fn slip(&self, block: &RockingBlock) -> f64 {
        match *self {
            Self::Flat { foot, .. } | Self::Corner { foot, .. } | Self::Springs { foot, .. } => {
                foot
            }
            Self::Air { x, turn, .. } => x - block.centre_height() * libm::sin(turn),
        }
    }

    /// The same state in the air, the corners that touch the base marked as leaving.
    pub(super) fn released(&self, block: &RockingBlock) -> Self {
        let (x, z, turn, velocity) = self.centre(block);
        let leaving = match *self {
            Self::Flat { .. } => [true, true],
            Self::Corner { q, rate, .. } if q == 0.0 && rate == 0.0 => [true, true],
            Self::Corner { side, .. } => [side == Side::Right, side == Side::Left],
            Self::Air { leaving, .. } => leaving,
            Self::Springs { .. } => [false, false],
        };
        Self::Air {
            x,
            z,
            turn,
            velocity,
            leaving,
        }
    }
}
