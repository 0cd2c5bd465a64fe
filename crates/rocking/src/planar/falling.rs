//! Whether a block beyond its balance must overturn, whatever still happens to it.
//!
//! The base does not move vertically, as in all runs of which only the fate is asked (`fate`).
//!
//! With λ = q − α > 0, N and T the forces of the base on the corner, and c, s the cosine and the sine of λ, q″ = (R/ρ²)
//! (N s − T c): what could bring the block back is friction towards the side it leans to. It cannot where
//!
//! * tan λ ≥ μ: no force within the friction cone turns the block back, however the base moves; or
//! * the base is still and the foot sticks or slides to the side the block leans to. A foot that sticks has q″ = p² s,
//!   so N s > T c; it begins to slide the other way only at T = μN, which then is less than N tan λ: the case above.
//!
//! From then on λ and q′ only grow, so the first condition, once met, stays. The corner must also keep pressing, or an
//! impact might follow a jump. N ≤ g, because the mass centre is accelerated downwards. The energy of rotation and
//! height, E = ½ (ρ² + R² s²) q′² + g R c, changes by −T R c dq, so by less than μ g R ds; on a still base all of the
//! energy does not grow. A foot that slides has N = (g − R q′² c)/D with D ≥ 1 in the cases above, so it presses while
//! R q′² c < g, and one that sticks slides before it stops pressing.

use super::run::{Detail, Driver};
use super::state::{Mode, State};
use crate::block::Side;

/// Parts of the fall in which the bound of the centripetal acceleration is looked at.
const PARTS: usize = 8;

/// Room (relative) that the inequalities are asked to have: far above rounding.
const ROOM: f64 = 1e-9;

impl Driver<'_> {
    /// The side to which the block certainly overturns before the end of the time and without another impact, when
    /// nothing but the outcome is wanted; `still` tells whether the base moves no more.
    pub(super) fn certain_fall(&self, still: bool) -> Option<Side> {
        let (Mode::Rock(_) | Mode::SlideRock(..), State::Corner { side, q, rate, .. }) =
            (self.mode, self.state)
        else {
            return None;
        };
        let lean = q - self.setting.block.corner(side).slenderness;
        let left = self.options.duration - self.t;
        let in_time = self.options.overturned_at - q < left * rate * (1.0 - ROOM);
        let free = self.ties.is_empty() && self.setting.is_level();
        let certain = self.detail == Detail::Fate
            && free
            && lean > 0.0
            && in_time
            && self.is_turned_on(side, lean, still)
            && self.presses(side, lean, still);
        certain.then_some(side)
    }

    /// Whether no force turns the block back.
    fn is_turned_on(&self, side: Side, lean: f64, still: bool) -> bool {
        let friction = self.setting.foot;
        let beyond = |mu: f64| libm::tan(lean) >= mu * (1.0 + ROOM);
        if beyond(friction.at_rest()) {
            return true;
        }
        let corner = self.setting.block.corner(side);
        let core = self.setting.block.gyration_squared() / (corner.radius * corner.radius);
        let mu = friction.sliding();
        // Below this no foot that slides jams at any rotation: ρ² + R² s (s − μ c) > 0.
        let jams = mu * mu >= 4.0 * core * (1.0 + core) * (1.0 - ROOM);
        match self.mode {
            Mode::SlideRock(_, to) if to != side => still && beyond(mu) && !jams,
            _ => still && !jams,
        }
    }

    /// Whether the corner presses on the base until the block lies on its side.
    fn presses(&self, side: Side, lean: f64, still: bool) -> bool {
        let block = self.setting.block;
        let (corner, gravity) = (block.corner(side), block.gravity());
        let unit = gravity * corner.radius;
        let core = block.gyration_squared() / (corner.radius * corner.radius);
        let end = self.options.overturned_at - corner.slenderness;
        let (first, mut cosine) = libm::sincos(lean);
        let State::Corner { rate, .. } = self.state else {
            return false;
        };
        let turning = 0.5 * (core + first * first) * rate * rate * corner.radius / gravity + cosine;
        let all = (self.state.energy(block) + gravity * block.centre_height()) / unit;
        // 2c (E/gR − c) < ρ²/R² + s² is R q′² c < g; its left side falls with c, and the energy grows with s.
        (1..=PARTS).all(|part| {
            let next = libm::sincos(lean + (end - lean) * part as f64 / PARTS as f64);
            let grown = turning + self.setting.foot.at_rest() * (next.0 - first);
            let energy = if still { grown.min(all) } else { grown };
            let most = 2.0 * cosine * energy - cosine * cosine;
            cosine = next.1;
            most < (1.0 + core) * (1.0 - ROOM)
        })
    }
}
