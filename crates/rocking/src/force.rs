//! Forces at the pivot: whether the model without sliding and jumping may be believed.

use crate::block::{RockingBlock, Side};
use crate::flight::Step;
use klast_dynamics::ground_motion::Piece;

/// Looks at the forces per step.
const LOOKS: usize = 8;

/// What the motion demands of the contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactDemand {
    /// Friction coefficient given.
    pub friction: f64,
    /// Largest |T|/N needed while rocking, over the looked-at times.
    pub needed_friction: f64,
    /// Smallest normal force over the weight while rocking.
    pub least_normal: f64,
    /// First time at which sliding or jumping would start (s).
    pub first_violation: Option<f64>,
}

impl ContactDemand {
    pub(crate) fn new(friction: f64) -> Self {
        Self {
            friction,
            needed_friction: 0.0,
            least_normal: f64::INFINITY,
            first_violation: None,
        }
    }

    /// Whether the motion is possible without sliding and jumping.
    pub fn is_met(&self) -> bool {
        self.first_violation.is_none()
    }

    pub(crate) fn observe(
        &mut self,
        block: &RockingBlock,
        step: &Step,
        side: Side,
        pieces: (&Piece, &Piece),
        t: f64,
    ) {
        let excess = |tau: f64| {
            let base = (
                pieces.0.acceleration(t + tau),
                pieces.1.acceleration(t + tau),
            );
            let motion = (step.rotation(tau), step.rate(tau), step.acceleration(tau));
            let (tangential, normal) = pivot_force(block, side, motion, base);
            (
                tangential,
                normal,
                tangential.abs() - self.friction * normal,
            )
        };
        let mut before = 0.0;
        let (mut needed, mut least, mut first) = (0.0f64, f64::INFINITY, None);
        for look in 0..=LOOKS {
            let tau = step.length * look as f64 / LOOKS as f64;
            let (tangential, normal, over) = excess(tau);
            least = least.min(normal);
            needed = needed.max(if normal > 0.0 {
                tangential.abs() / normal
            } else {
                f64::INFINITY
            });
            if over > 0.0 && first.is_none() {
                let (mut low, mut high) = (before, tau);
                for _ in 0..40 {
                    let middle = 0.5 * (low + high);
                    if excess(middle).2 > 0.0 {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                first = Some(t + high);
            }
            before = tau;
        }
        self.needed_friction = self.needed_friction.max(needed);
        self.least_normal = self.least_normal.min(least);
        if self.first_violation.is_none() {
            self.first_violation = first;
        }
    }
}

/// Tangential and normal force of the base on the block over its weight, for rotation q away from the base on `side`, its rate
/// and acceleration, and the base accelerations (horizontal, vertical).
///
/// With ψ = α − q the mass centre accelerates relative to the base by s R (q″ cos ψ + q′² sin ψ) and R (q″ sin ψ − q′² cos ψ).
pub fn pivot_force(
    block: &RockingBlock,
    side: Side,
    (q, rate, acceleration): (f64, f64, f64),
    (horizontal, vertical): (f64, f64),
) -> (f64, f64) {
    let corner = block.corner(side);
    let (sin, cos) = libm::sincos(corner.slenderness - q);
    let along = side.sign() * corner.radius * (acceleration * cos + rate * rate * sin);
    let up = corner.radius * (acceleration * sin - rate * rate * cos);
    let g = block.gravity();
    ((horizontal + along) / g, 1.0 + (vertical + up) / g)
}

/// What a block at rest on a base does at a peak base acceleration, for a friction coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Moves with the base.
    Rest,
    /// Slides before it could rock: μ < tan α and |ü| > μ g.
    Slide,
    /// Rocks: μ ≥ tan α and |ü| > g tan α.
    Rock,
}

/// Regime at the start of the motion of a block at rest under base acceleration `peak` (m/s²), Shenton (1996): sliding needs
/// |ü| > μ g, rocking |ü| > g tan α, and the smaller threshold wins.
pub fn regime(block: &RockingBlock, friction: f64, peak: f64) -> Regime {
    let threshold = block.lift_off_acceleration();
    let slide = friction * block.gravity();
    if peak.abs() <= threshold.min(slide) {
        Regime::Rest
    } else if slide < threshold {
        Regime::Slide
    } else {
        Regime::Rock
    }
}
