//! The end of a sequence of ever smaller impacts: its sum, and the block flat.

use super::SlideRockEventKind;
use super::contact::{Push, on_corner, resolve};
use super::impact;
use super::run::Driver;
use super::state::{Foot, Mode, State, side_of};
use crate::block::Side;
use klast_ground_motion::Piece;

/// Rate after an impact, over p sin α, from which on the flights are parabolas and their sum is taken.
const PARABOLAS: f64 = 1e-8;

/// Rate, in the same unit, at which a sequence is ended whatever it would do.
const NOTHING: f64 = 1e-13;

impl Driver<'_> {
    /// If the impact just made leaves a rate so small that all that follow can be summed up, lays the block flat.
    pub(super) fn close(&mut self, pieces: (&Piece, &Piece), until: f64) {
        let block = self.setting.block;
        let State::Corner {
            side,
            q,
            rate,
            foot,
            speed,
        } = self.state
        else {
            return;
        };
        let unit = block.corner(side).frequency() * libm::sin(block.corner(side).slenderness);
        if q > 0.0 || rate > PARABOLAS * unit {
            return;
        }
        let push = self.pushed(pieces);
        // A foot that sticks stays; one that slides keeps the momentum along the base, so that no energy is gained.
        let along = self.state.centre(block).3.along;
        let flat = State::Flat {
            foot,
            speed: if speed == 0.0 { 0.0 } else { along },
        };
        let answer = resolve(block, self.setting.foot, &flat, push, &[]);
        if !answer.mode.is_some_and(Mode::is_flat) {
            return;
        }
        let sum = self.sum_of_hops(side, rate, (foot, speed), push);
        let fits = sum.is_some_and(|sum| self.t + sum <= until);
        if !fits && rate > NOTHING * unit {
            return;
        }
        let before = self.state.energy(block);
        self.state = flat;
        self.audit.impact(before, self.state.energy(block));
        let time = self.t + sum.unwrap_or(0.0);
        self.choose(pieces);
        if self.mode == Mode::Rest {
            // What slides goes on sliding from now; what rests may wait.
            self.sample_until(time, |driver, at| driver.still(at));
            self.t = time;
        }
        self.push(time, SlideRockEventKind::Closed);
    }

    /// Sum of the durations of all hops that follow an impact left with `rate` on `side`, T = 2ω (1/a₁ + η₁/a₂)/(1 −
    /// η₁η₂), with the pull a of each side and the ratio η of each impact at the present slip. None if there is no such
    /// sum.
    fn sum_of_hops(
        &self,
        side: Side,
        rate: f64,
        (foot, speed): (f64, f64),
        push: Push,
    ) -> Option<f64> {
        let block = self.setting.block;
        let unit = rate * block.radius();
        if speed != 0.0 && speed.abs() < 1e3 * unit {
            return None;
        }
        let mu = self.setting.foot.sliding();
        let pull = |side: Side| {
            let slip = side_of(speed).map(|to| to.sign() * side.sign() * mu);
            -on_corner(block, side, (0.0, 0.0), slip, push).turning
        };
        // The ratio of the impact that ends a hop on `from`.
        let ratio = |from: Side| {
            let falling = State::Corner {
                side: from,
                q: 0.0,
                rate: -rate,
                foot,
                speed,
            };
            let struck = if self.setting.foot == Foot::Sticks {
                impact::hinged(block, self.restitution, (from, -rate), foot)
            } else {
                let velocity = falling.centre(block).3;
                let landing = Some(from.other());
                impact::flat(block, self.restitution, mu, foot, velocity, landing)
            };
            match struck.state {
                State::Corner { rate: after, .. } => after / rate,
                _ => 0.0,
            }
        };
        let (a1, a2) = (pull(side), pull(side.other()));
        let (eta1, eta2) = (ratio(side), ratio(side.other()));
        let both = eta1 * eta2;
        let closes = a1 > 0.0 && a2 > 0.0 && (0.0..1.0).contains(&both);
        closes.then(|| 2.0 * rate * (1.0 / a1 + eta1 / a2) / (1.0 - both))
    }
}
