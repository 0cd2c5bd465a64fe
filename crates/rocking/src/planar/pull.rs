//! The series of what restrainers do to a block over an arc.

use super::poly::{Poly, TERMS, term};
use crate::restraint::{Stage, Tie};

/// The point of a restrainer on the block and the force at it, as series.
pub(super) struct Pull {
    tie: Tie,
    /// From the point that `Swing::origin` follows to that of the restrainer.
    arm: (f64, f64),
    /// From the anchor to the point.
    along: Poly,
    up: Poly,
    /// Square of the length over that at rest, and 1/ℓ.
    pub grown: Poly,
    inverse: Poly,
    /// From the mass centre to the point.
    lever_along: Poly,
    lever_up: Poly,
    force_along: Poly,
    force_up: Poly,
}

/// One term of the motion of the block: of a point of it, and of sine, cosine and 1 − cosine of its rotation.
#[derive(Debug, Clone, Copy, Default)]
struct Swing {
    origin: (f64, f64),
    sin: f64,
    cos: f64,
    versed: f64,
}

/// All restrainers over an arc, with sine and cosine of the rotation.
pub(super) struct Pulls {
    pub list: Vec<Pull>,
    sin: Poly,
    cos: Poly,
}

impl Pulls {
    /// `from` leads from the mass centre to the point that is followed.
    pub fn new(ties: &[Tie], from: (f64, f64)) -> Self {
        Self {
            list: ties.iter().map(|tie| Pull::new(tie, from)).collect(),
            sin: [0.0; TERMS],
            cos: [0.0; TERMS],
        }
    }

    /// Terms `k` of force (along, up) and clockwise moment about the mass centre, from those of the point that is
    /// followed and of the rotation `turn` in a frame of `sign`. By recurrence what is none stays exactly none.
    pub fn term(
        &mut self,
        k: usize,
        origin: (f64, f64),
        turn: &Poly,
        sign: f64,
    ) -> (f64, f64, f64) {
        let mut swing = Swing {
            origin,
            ..Swing::default()
        };
        if k == 0 {
            let half = libm::sin(0.5 * turn[0]);
            (self.sin[0], self.cos[0]) = libm::sincos(turn[0]);
            swing.versed = 2.0 * half * half;
        } else {
            let of =
                |x: &Poly| (1..=k).map(|j| j as f64 * turn[j] * x[k - j]).sum::<f64>() / k as f64;
            (self.sin[k], self.cos[k]) = (of(&self.cos), -of(&self.sin));
            swing.versed = -self.cos[k];
        }
        (swing.sin, swing.cos) = (sign * self.sin[k], self.cos[k]);
        self.list.iter_mut().fold((0.0, 0.0, 0.0), |sum, pull| {
            let (along, up, moment) = pull.term(k, &swing);
            (sum.0 + along, sum.1 + up, sum.2 + moment)
        })
    }
}

impl Pull {
    fn new(tie: &Tie, from: (f64, f64)) -> Self {
        let none = [0.0; TERMS];
        Self {
            tie: *tie,
            arm: (tie.at.0 - from.0, tie.at.1 - from.1),
            along: none,
            up: none,
            grown: none,
            inverse: none,
            lever_along: none,
            lever_up: none,
            force_along: none,
            force_up: none,
        }
    }

    /// Terms `k` of the force (along, up) on the block and of its clockwise moment about the mass centre.
    fn term(&mut self, k: usize, swing: &Swing) -> (f64, f64, f64) {
        let (arm, at, tie) = (self.arm, self.tie.at, self.tie);
        let u = (
            swing.origin.0 + arm.1 * swing.sin - arm.0 * swing.versed,
            swing.origin.1 - arm.0 * swing.sin - arm.1 * swing.versed,
        );
        (self.along[k], self.up[k]) = u;
        self.lever_along[k] = at.0 * swing.cos + at.1 * swing.sin;
        self.lever_up[k] = at.1 * swing.cos - at.0 * swing.sin;
        // Here still the displacements: d² − d₀² = 2 d₀ u + u².
        let square = term(k, &self.along, &self.along) + term(k, &self.up, &self.up);
        self.grown[k] = 2.0 * (tie.span.0 * u.0 + tie.span.1 * u.1) + square;
        let Some((pull, free)) = self.law() else {
            return (0.0, 0.0, 0.0);
        };
        if free != 0.0 {
            self.invert(k);
        }
        let force = |x: &Poly, span: f64| {
            let mut sum = pull * (x[k] + if k == 0 { span } else { 0.0 });
            if free != 0.0 {
                sum -= free * (term(k, x, &self.inverse) + span * self.inverse[k]);
            }
            -sum
        };
        (self.force_along[k], self.force_up[k]) =
            (force(&self.along, tie.span.0), force(&self.up, tie.span.1));
        let moment =
            term(k, &self.lever_up, &self.force_along) - term(k, &self.lever_along, &self.force_up);
        (self.force_along[k], self.force_up[k], moment)
    }

    /// The pull as a + b/ℓ per length, (a, −b): κ (1 − L/ℓ), or ±F/ℓ.
    fn law(&self) -> Option<(f64, f64)> {
        let tie = &self.tie;
        match tie.stage {
            Stage::Slack | Stage::Broken => None,
            Stage::Elastic => Some((tie.stiffness, tie.stiffness * (tie.length + tie.set))),
            Stage::Yields(sign) => Some((0.0, -sign * tie.strength)),
        }
    }

    /// Term `k` of w = y^(−1/2), y the square of the length, from y w′ = −w y′/2.
    fn invert(&mut self, k: usize) {
        let first = self.tie.length * self.tie.length + self.grown[0];
        if k == 0 {
            self.inverse[0] = 1.0 / first.sqrt();
            return;
        }
        let sum: f64 = (1..=k)
            .map(|j| {
                let weight = -0.5 * j as f64 - (k - j) as f64;
                weight * self.grown[j] * self.inverse[k - j]
            })
            .sum();
        self.inverse[k] = sum / (k as f64 * first);
    }
}
