//! The time steps of Čeh (2018), section 3.2: Newmark's method (β = 1/4, γ = 1/2), Newton–Raphson within the step and a
//! modified last step before each impact. Its error is of second order in the step.
//!
//! The printed "β = 1/2, γ = 1/4" in 3.2.1 is an exchange: (3.58) uses β = 1/4. Likewise the last sign in (3.51) and
//! (3.59) to (3.61) are used here in their corrected form.

use anyhow::{Result, bail};
use klast_ground_motion::GroundMotion;
use klast_numerics::roots::bisect;
use klast_rocking::{Equation, Restitution, RockingBlock, Side};

/// Rate over p below which an impact counts as the last: the fixed step has no sum of infinitely many impacts.
const AT_REST: f64 = 1e-9;

/// Rounds of Newton–Raphson at most: it doubles the digits in each, where the step is short enough for the method.
const MAX_ROUNDS: usize = 50;

/// Residual of the equation of motion divided by the moment of inertia (rad/s²) at which a step is solved.
const TOLERANCE: f64 = 1e-9;

/// A block, its motion and the step of the method.
#[derive(Clone, Copy)]
pub(super) struct Newmark<'a> {
    pub block: &'a RockingBlock,
    pub restitution: &'a Restitution,
    pub motion: &'a GroundMotion,
    pub equation: Equation,
    /// Step (s); 1e-3 in the thesis.
    pub step: f64,
}

/// Rotation away from the base on a side, its rate and acceleration; at rest without a side.
#[derive(Clone, Copy)]
struct State {
    t: f64,
    side: Option<Side>,
    q: f64,
    v: f64,
    a: f64,
}

impl Newmark<'_> {
    /// Times of the impacts of a block that is released at `rotation` (rad, 0 or to the right).
    pub fn impact_times(&self, rotation: f64, duration: f64) -> Result<Vec<f64>> {
        let side = (rotation > 0.0).then_some(Side::Right);
        let a = side.map_or(0.0, |side| self.acceleration(side, 0.0, rotation).0);
        let (t, q, v) = (0.0, rotation, 0.0);
        let mut state = State { t, side, q, v, a };
        let mut times = Vec::new();
        while state.t < duration - 1e-9 * self.step {
            let Some(side) = state.side else {
                state = self.rest_or_lift_off(state);
                continue;
            };
            let State { t, q, v, a, .. } = state;
            let h = self.step;
            let next = self.end_of_step(state, side)?;
            if next < 0.0 {
                state = self.strike(state, side, &mut times);
                continue;
            }
            let end = 4.0 / (h * h) * (next - q - h * v) - a;
            state = State {
                t: t + h,
                side: Some(side),
                q: next,
                v: v + 0.5 * h * (a + end),
                a: end,
            };
        }
        Ok(times)
    }

    /// q″ on `side` at time t, and its derivative with respect to q.
    fn acceleration(&self, side: Side, t: f64, q: f64) -> (f64, f64) {
        let corner = self.block.corner(side);
        let g = self.block.gravity();
        let u = side.sign() * self.motion.horizontal.acceleration(t) / g;
        let w = 1.0 + self.motion.vertical.acceleration(t) / g;
        let (s, c) = self.equation.levers(corner.slenderness, q);
        let (ds, dc) = self.equation.lever_slopes(corner.slenderness, q);
        let p2 = corner.frequency_squared;
        (-p2 * (w * s + u * c), -p2 * (w * ds + u * dc))
    }

    /// Starts the rocking on the side on which the base acceleration lifts the block, or waits for a step.
    fn rest_or_lift_off(&self, state: State) -> State {
        for side in [Side::Right, Side::Left] {
            let a = self.acceleration(side, state.t, 0.0).0;
            if a > 0.0 {
                let side = Some(side);
                return State { side, a, ..state };
            }
        }
        State {
            t: state.t + self.step,
            ..state
        }
    }

    /// (3.47) in the equation of motion: the rotation that holds it at the end of the step, to the tolerance or to the
    /// rounding of the rotation itself, which (3.47) divides by the square of the step.
    fn end_of_step(&self, state: State, side: Side) -> Result<f64> {
        let State { t, q, v, a, .. } = state;
        let h = self.step;
        let mut next = q;
        for _ in 0..MAX_ROUNDS {
            let newmark = 4.0 / (h * h) * (next - q - h * v) - a;
            let (acceleration, slope) = self.acceleration(side, t + h, next);
            let residual = newmark - acceleration;
            if residual.abs() <= TOLERANCE {
                return Ok(next);
            }
            let change = residual / (4.0 / (h * h) - slope);
            let rounding = 4.0 * f64::EPSILON * (q + next.abs() + (h * v).abs());
            next -= change;
            if change.abs() <= rounding {
                return Ok(next);
            }
        }
        bail!("a step of {h} s at {t} s is not solved in {MAX_ROUNDS} rounds")
    }

    /// The modified step Δt′ with q = 0 at its end, from 4(q + Δt′ v) + Δt′² (a + q″(t + Δt′)) = 0, and the impact.
    fn strike(&self, state: State, side: Side, times: &mut Vec<f64>) -> State {
        let State { t, q, v, a, .. } = state;
        // Divided by the step where the flight starts on the base, whose trivial root is not meant.
        let f = |x: f64| {
            let end = self.acceleration(side, t + x, 0.0).0;
            let rest = 4.0 * v + x * (a + end);
            if q == 0.0 { rest } else { 4.0 * q + x * rest }
        };
        let (_, x) = bisect(0.0, self.step, 200, |x| f(x) <= 0.0);
        let rate = if x > 0.0 { -2.0 * q / x - v } else { v };
        let new = side.other();
        let eta = self.restitution.coefficient(self.block, new).max(0.0);
        let after = -rate * eta;
        if rate < 0.0 {
            times.push(t + x);
        }
        let rests = after <= AT_REST * self.block.corner(new).frequency();
        State {
            t: t + x,
            side: (!rests).then_some(new),
            q: 0.0,
            v: if rests { 0.0 } else { after },
            a: if rests {
                0.0
            } else {
                self.acceleration(new, t + x, 0.0).0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_ground_motion::{Component, Frequency};
    use klast_rocking::{Options, simulate};

    #[test]
    fn the_scheme_agrees_with_exact_events_under_a_wave() {
        let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
        let restitution = Restitution::housner();
        let amplitude = 1.4 * block.lift_off_acceleration();
        let wave = Component::waves(amplitude, Frequency::rad_per_s(14.0), 0.0, 1.0).unwrap();
        let motion = GroundMotion::horizontal(wave);
        for equation in [
            Equation::Nonlinear,
            Equation::QuasiLinear,
            Equation::Linearised,
        ] {
            let options = Options {
                equation,
                ..Options::new(6.0)
            };
            let exact = simulate(&block, &restitution, &motion, &options).unwrap();
            let exact = exact.impact_times();
            let method = Newmark {
                block: &block,
                restitution: &restitution,
                motion: &motion,
                equation,
                step: 1e-4,
            };
            let found = method.impact_times(0.0, 6.0).unwrap();
            // An overturned block strikes no more; the scheme alone would let it turn on.
            let count = exact.len().min(5);
            assert!(count > 0 && found.len() >= count, "{equation:?} {count}");
            for (a, b) in exact.iter().zip(&found).take(count) {
                // Second order with a constant of about 10/s under a load.
                assert!((a - b).abs() < 2e-6, "{equation:?}: {a} {b}");
            }
        }
    }

    /// The square of the step is below the least number, so the equation of the step holds for no rotation.
    #[test]
    fn a_step_that_is_not_solved_is_an_error() {
        let block = RockingBlock::rectangle(0.06, 0.27, 9.81).unwrap();
        let method = Newmark {
            block: &block,
            restitution: &Restitution::housner(),
            motion: &GroundMotion::at_rest(),
            equation: Equation::Nonlinear,
            step: 1e-170,
        };
        assert!(method.impact_times(0.15, 1.0).is_err());
    }
}
