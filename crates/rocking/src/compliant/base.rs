//! Springs and dashpots under a block, and its equations of motion on them.

use crate::block::{RockingBlock, Side};
use crate::error::RockingError;
use klast_numerics::check::require;

/// How springs stand under the base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FoundationKind {
    /// One at each edge: stiffness (N/m) and damping (N s/m) of each.
    TwoSprings,
    /// Along the whole base: stiffness (N/m²) and damping (N s/m²) per length of it.
    Winkler,
}

/// Springs and dashpots under a block, and the mass they carry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foundation {
    mass: f64,
    kind: FoundationKind,
    stiffness: f64,
    damping: f64,
}

impl Foundation {
    /// A foundation under a block of `mass` (kg); stiffness and damping are those of the kind.
    ///
    /// # Errors
    /// A mass or a stiffness that is not above 0, a damping below 0.
    pub fn new(
        mass: f64,
        kind: FoundationKind,
        stiffness: f64,
        damping: f64,
    ) -> Result<Self, RockingError> {
        require("mass", mass, mass > 0.0, "above 0 kg")?;
        require(
            "stiffness of the base",
            stiffness,
            stiffness > 0.0,
            "above 0",
        )?;
        require("damping of the base", damping, damping >= 0.0, "at least 0")?;
        Ok(Self {
            mass,
            kind,
            stiffness,
            damping,
        })
    }

    /// Mass of the block (kg).
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// How springs stand under the base.
    pub fn kind(&self) -> FoundationKind {
        self.kind
    }

    /// The rotation (rad) at which an edge of a symmetric block lifts off in statics, sin θ = δ₀/b, with the settlement
    /// δ₀ under its weight and half its width b.
    pub fn uplift_rotation(&self, block: &RockingBlock) -> f64 {
        let (right, left) = (
            block.corner(Side::Right).lever,
            block.corner(Side::Left).lever,
        );
        let weight = self.mass * block.gravity();
        let settlement = match self.kind {
            FoundationKind::TwoSprings => weight / (2.0 * self.stiffness),
            FoundationKind::Winkler => weight / (self.stiffness * (right + left)),
        };
        libm::asin((settlement / right.min(left)).min(1.0))
    }

    /// Base acceleration (m/s²) that lifts an edge in statics, a = g (b − h tan θ)/(h + b tan θ) with the rotation θ of
    /// uplift; below g tan α, which is its value on a rigid base.
    pub fn uplift_acceleration(&self, block: &RockingBlock) -> f64 {
        let tan = libm::tan(self.uplift_rotation(block));
        let b = block
            .corner(Side::Right)
            .lever
            .min(block.corner(Side::Left).lever);
        let h = block.centre_height();
        block.gravity() * (b - h * tan) / (h + b * tan)
    }

    /// Moment (N m) with which the base resists a rotation (rad) held in statics under the weight, about the point
    /// below the mass centre.
    pub fn static_moment(&self, block: &RockingBlock, rotation: f64) -> f64 {
        let support = Support::new(block, self);
        let w = support.level(rotation, block.gravity());
        -self.mass * support.forces([w, rotation, 0.0, 0.0]).turning
    }
}

/// Resultants of the base per mass.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Forces {
    /// Upwards (m/s²).
    pub(crate) up: f64,
    /// Generalised force of the rotation (m²/s²).
    pub(crate) turning: f64,
    /// Rate of the energy that dashpots take (m²/s³).
    pub(crate) lost: f64,
    /// Energy that is stored (m²/s²).
    pub(crate) stored: f64,
}

/// Block and base together. A state is [w, θ, ẇ, θ̇]: height of the base below the mass centre over that of the springs
/// without load, and the rotation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Support {
    pub(crate) block: RockingBlock,
    kind: FoundationKind,
    /// Per mass.
    k: f64,
    c: f64,
    pub(crate) ends: [f64; 2],
}

impl Support {
    pub(crate) fn new(block: &RockingBlock, foundation: &Foundation) -> Self {
        Self {
            block: *block,
            kind: foundation.kind,
            k: foundation.stiffness / foundation.mass,
            c: foundation.damping / foundation.mass,
            ends: [
                -block.corner(Side::Left).lever,
                block.corner(Side::Right).lever,
            ],
        }
    }

    /// The forces while the edges (left, right) that are `closed` press.
    pub(crate) fn pressing(&self, y: [f64; 4], closed: [bool; 2]) -> Forces {
        match self.kind {
            FoundationKind::TwoSprings => self.springs(y, closed),
            FoundationKind::Winkler => self.bed(y),
        }
    }

    /// Depth of the point `s` of the base and its rate.
    pub(crate) fn depth(&self, s: f64, [w, theta, wd, rate]: [f64; 4]) -> (f64, f64) {
        let (sin, cos) = libm::sincos(theta);
        (s * sin - w, s * cos * rate - wd)
    }

    /// What is above 0 where the point `s` is pressed.
    pub(crate) fn pressed(&self, s: f64, y: [f64; 4]) -> f64 {
        let (depth, speed) = self.depth(s, y);
        depth.min(depth + self.c / self.k * speed)
    }

    pub(crate) fn forces(&self, y: [f64; 4]) -> Forces {
        match self.kind {
            FoundationKind::TwoSprings => {
                let closed = self.ends.map(|s| self.pressed(s, y) > 0.0);
                self.springs(y, closed)
            }
            FoundationKind::Winkler => self.bed(y),
        }
    }

    /// Two springs of which those `closed` press.
    fn springs(&self, y: [f64; 4], closed: [bool; 2]) -> Forces {
        let cos = libm::cos(y[1]);
        let mut sum = Forces::default();
        for (s, closed) in self.ends.into_iter().zip(closed) {
            let (depth, speed) = self.depth(s, y);
            let force = if closed {
                self.k * depth + self.c * speed
            } else {
                0.0
            };
            sum.up += force;
            sum.turning -= force * s * cos;
            if depth > 0.0 {
                sum.stored += 0.5 * self.k * depth * depth;
                sum.lost += (force - self.k * depth) * speed;
            } else {
                // A spring that is closed a rounding before it is loaded.
                sum.lost += force * speed;
            }
        }
        sum
    }

    /// The bed, where depth and pressure are linear along the base.
    fn bed(&self, y: [f64; 4]) -> Forces {
        let (sin, cos) = libm::sincos(y[1]);
        let depth = Line(-y[0], sin);
        let speed = Line(-y[2], cos * y[3]);
        let pressure = Line(
            self.k * depth.0 + self.c * speed.0,
            self.k * depth.1 + self.c * speed.1,
        );
        let base = (self.ends[0], self.ends[1]);
        let Some(loaded) = depth.positive(base) else {
            return Forces::default();
        };
        let elastic = Line(self.k * depth.0, self.k * depth.1);
        let mut sum = Forces {
            stored: 0.5 * elastic.product(&depth, loaded),
            lost: -elastic.product(&speed, loaded),
            ..Forces::default()
        };
        if let Some(pressed) = pressure.positive(loaded) {
            sum.up = pressure.product(&Line(1.0, 0.0), pressed);
            sum.turning = -cos * pressure.product(&Line(0.0, 1.0), pressed);
            sum.lost += pressure.product(&speed, pressed);
        }
        sum
    }

    /// Rate of the mass centre's horizontal position with the rotation, and of that rate; `lean` is the edge that does
    /// not slide.
    pub(crate) fn swing(&self, theta: f64, lean: Side) -> (f64, f64) {
        let (sin, cos) = libm::sincos(theta);
        let b = lean.sign() * self.block.corner(lean).lever;
        let h = self.block.centre_height();
        (b * sin + h * cos, b * cos - h * sin)
    }

    /// Potential energy per mass.
    pub(crate) fn potential(&self, w: f64, theta: f64) -> f64 {
        let half = libm::sin(0.5 * theta);
        let height = w - 2.0 * self.block.centre_height() * half * half;
        self.block.gravity() * height + self.stored([w, theta, 0.0, 0.0])
    }

    /// Energy per mass that the springs hold.
    pub(crate) fn stored(&self, y: [f64; 4]) -> f64 {
        self.forces(y).stored
    }

    /// The w at which the springs carry a weight per mass (m/s²) at a rotation: their force falls with w throughout.
    pub(crate) fn level(&self, theta: f64, weight: f64) -> f64 {
        let sin = libm::sin(theta);
        // Above the highest end nothing presses.
        let mut high = (self.ends[0] * sin).max(self.ends[1] * sin);
        let carried = |w: f64| self.forces([w, theta, 0.0, 0.0]).up >= weight;
        let mut step = weight / self.k / (self.ends[1] - self.ends[0]).min(1.0);
        let mut low = high - step;
        while !carried(low) && step < 1e12 {
            step *= 2.0;
            high = low;
            low -= step;
        }
        klast_numerics::roots::bisect(low, high, 200, |w| !carried(w)).0
    }

    /// Height and rotation at which block and springs rest under a force (along, up) in the frame of the block and a
    /// clockwise moment about the mass centre, per mass: least potential between the balances.
    pub(crate) fn rest(&self, force: (f64, f64), moment: f64) -> (f64, f64) {
        let turned = |theta: f64| {
            let (sin, cos) = libm::sincos(theta);
            (force.0 * cos + force.1 * sin, force.1 * cos - force.0 * sin)
        };
        let level = |theta: f64| self.level(theta, self.block.gravity() - turned(theta).1);
        if self.block.is_symmetric() && force.0 == 0.0 && moment == 0.0 {
            return (level(0.0), 0.0);
        }
        let (left, right) = (
            -self.block.corner(Side::Left).slenderness,
            self.block.corner(Side::Right).slenderness,
        );
        // The slope of the least potential over the rotation: what turns the block from there.
        let turning = |theta: f64| {
            let forces = self.forces([level(theta), theta, 0.0, 0.0]);
            let lean = if theta < 0.0 { Side::Left } else { Side::Right };
            let (swing, _) = self.swing(theta, lean);
            let push = swing * turned(theta).0 + moment;
            forces.turning + self.block.centre_height() * libm::sin(theta) * forces.up + push
        };
        let (low, high) = (0.5 * left, 0.5 * right);
        let theta = klast_numerics::roots::bisect(low, high, 200, |theta| turning(theta) < 0.0).0;
        (level(theta), theta)
    }

    /// Least energy per mass from which the block can overturn: the highest of the least potentials on a way to either
    /// side.
    pub(crate) fn barrier(&self) -> f64 {
        const SAMPLES: usize = 400;
        let side = |side: Side| {
            let most = 1.2 * self.block.corner(side).slenderness;
            let least = |i: usize| {
                let theta = side.sign() * most * i as f64 / SAMPLES as f64;
                self.potential(self.level(theta, self.block.gravity()), theta)
            };
            (0..=SAMPLES).map(least).fold(f64::NEG_INFINITY, f64::max)
        };
        side(Side::Right).min(side(Side::Left))
    }

    /// Least energy per mass of a state in which an edge is lifted.
    pub(crate) fn lifting(&self) -> f64 {
        const SAMPLES: i32 = 400;
        let most = self
            .block
            .corner(Side::Right)
            .slenderness
            .max(self.block.corner(Side::Left).slenderness);
        let one = |s: f64| {
            // Towards the other edge, closer together near 0 where stiff bases lift.
            let least = |i: i32| {
                let theta = -s.signum() * most * (f64::from(i) / f64::from(SAMPLES)).powi(3);
                let w = s * libm::sin(theta);
                self.potential(w.max(self.level(theta, self.block.gravity())), theta)
            };
            (0..=SAMPLES).map(least).fold(f64::INFINITY, f64::min)
        };
        one(self.ends[0]).min(one(self.ends[1]))
    }
}

/// a + b s along the base.
#[derive(Debug, Clone, Copy)]
struct Line(f64, f64);

impl Line {
    /// The part of an interval in which it is above 0.
    fn positive(&self, (from, to): (f64, f64)) -> Option<(f64, f64)> {
        let at = |s: f64| self.0 + self.1 * s;
        let zero = -self.0 / self.1;
        match (at(from) > 0.0, at(to) > 0.0) {
            (true, true) => Some((from, to)),
            (true, false) => Some((from, zero.clamp(from, to))),
            (false, true) => Some((zero.clamp(from, to), to)),
            (false, false) => None,
        }
    }

    /// ∫ of the product with another line.
    fn product(&self, other: &Self, (from, to): (f64, f64)) -> f64 {
        // About the middle: exact, and without the cancellation of cubes.
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let value = (self.0 + self.1 * middle) * (other.0 + other.1 * middle);
        2.0 * half * (value + self.1 * other.1 * half * half / 3.0)
    }
}
