//! The time stepping of Čeh (2018), section 3.2, for comparison: Newmark's method (β = 1/4, γ = 1/2), Newton–Raphson
//! within the step and a modified last step before each impact. Second order in the step; the adaptive method is the
//! better choice.
//!
//! The printed "β = 1/2, γ = 1/4" in 3.2.1 is an exchange: (3.58) uses β = 1/4. Likewise the last sign in (3.51) and
//! (3.59) to (3.61) are used here in their corrected form.

use crate::block::{RockingBlock, Side};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::restitution::Restitution;
use crate::run::{Event, Options, Outcome, OverturningMode, Run, Sample};
use klast_dynamics::ground_motion::GroundMotion;
use klast_numerics::check::require;
use klast_numerics::roots::bisect;

/// Rate over p below which an impact counts as the last: the fixed step has no sum of infinitely many impacts.
const AT_REST: f64 = 1e-9;

/// Rounds of Newton–Raphson at most: it doubles the digits in each, where the step is short enough for the method.
const MOST_ROUNDS: usize = 50;

/// Step and tolerance of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Newmark {
    /// Step (s); 1e-3 in the thesis.
    pub step: f64,
    /// Tolerance on the residual of the equation of motion divided by the moment of inertia (rad/s²).
    pub tolerance: f64,
}

impl Newmark {
    /// The given step and a residual of 1e-9 rad/s².
    pub fn new(step: f64) -> Self {
        Self {
            step,
            tolerance: 1e-9,
        }
    }
}

/// Simulates as [`crate::simulate`] does, with the method of the thesis. A sample interval in `options` gives every
/// step. A step whose equation is not solved, as one far too long or too short, is an error.
pub fn simulate_newmark(
    block: &RockingBlock,
    restitution: &Restitution,
    motion: &GroundMotion,
    options: &Options,
    method: &Newmark,
) -> Result<Run, RockingError> {
    require("step", method.step, method.step > 0.0, "above 0 s")?;
    require(
        "tolerance",
        method.tolerance,
        method.tolerance > 0.0,
        "above 0 rad/s²",
    )?;
    options.check()?;
    if options.restraint.is_some() {
        return Err(RockingError::NotRestrained {
            by: "Newmark's method",
        });
    }
    let mut stepper = Stepper {
        block,
        restitution,
        motion,
        equation: options.equation,
        method: *method,
        state: State::start(options),
        run: Run::begun(options, None),
    };
    stepper.go(options)?;
    Ok(stepper.run)
}

/// Rotation away from the base on a side, its rate and acceleration; at rest without a side.
#[derive(Debug, Clone, Copy)]
struct State {
    t: f64,
    side: Option<Side>,
    q: f64,
    v: f64,
    a: f64,
}

impl State {
    fn start(options: &Options) -> Self {
        let leaning = if options.rotation == 0.0 {
            options.angular_velocity
        } else {
            options.rotation
        };
        let side = match leaning {
            x if x > 0.0 => Some(Side::Right),
            x if x < 0.0 => Some(Side::Left),
            _ => None,
        };
        Self {
            t: 0.0,
            side,
            q: options.rotation.abs(),
            v: side.map_or(0.0, |s| s.sign() * options.angular_velocity),
            a: 0.0,
        }
    }
}

struct Stepper<'a> {
    block: &'a RockingBlock,
    restitution: &'a Restitution,
    motion: &'a GroundMotion,
    equation: Equation,
    method: Newmark,
    state: State,
    run: Run,
}

impl Stepper<'_> {
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

    fn go(&mut self, options: &Options) -> Result<(), RockingError> {
        let mut rocked = self.state.side.is_some();
        if let Some(side) = self.state.side {
            self.state.a = self.acceleration(side, 0.0, self.state.q).0;
        }
        self.sample(options);
        for _ in 0..options.max_steps {
            if self.state.t >= options.duration - 1e-9 * self.method.step {
                self.run.outcome = match (self.state.side, rocked) {
                    (Some(_), _) => Outcome::Rocking,
                    (None, true) => Outcome::Settled,
                    (None, false) => Outcome::Rest,
                };
                self.set_end();
                return Ok(());
            }
            match self.state.side {
                None => {
                    rocked |= self.try_lift_off();
                    if self.state.side.is_none() {
                        self.state.t += self.method.step;
                    }
                }
                Some(side) => {
                    self.advance(side)?;
                    if self.state.q >= options.overturned_at {
                        self.overturn(side);
                        return Ok(());
                    }
                }
            }
            self.sample(options);
        }
        Err(RockingError::TooManySteps {
            time: self.state.t,
            limit: options.max_steps,
        })
    }

    /// Starts the rocking on the side on which the base acceleration lifts the block; true when it does.
    fn try_lift_off(&mut self) -> bool {
        let t = self.state.t;
        for side in [Side::Right, Side::Left] {
            let a = self.acceleration(side, t, 0.0).0;
            if a > 0.0 {
                self.run.events.push(Event::LiftOff { time: t, side });
                self.state = State {
                    t,
                    side: Some(side),
                    q: 0.0,
                    v: 0.0,
                    a,
                };
                return true;
            }
        }
        false
    }

    /// One step: (3.47) in the equation of motion, solved by Newton–Raphson; a modified step when the block would pass
    /// the base.
    fn advance(&mut self, side: Side) -> Result<(), RockingError> {
        let State { t, q, v, a, .. } = self.state;
        let h = self.method.step;
        let next = self.end_of_step(side)?;
        if next < 0.0 {
            self.strike(side);
            return Ok(());
        }
        let acceleration = 4.0 / (h * h) * (next - q - h * v) - a;
        self.state = State {
            t: t + h,
            side: Some(side),
            q: next,
            v: v + 0.5 * h * (a + acceleration),
            a: acceleration,
        };
        self.run.largest_rotation = self.run.largest_rotation.max(next);
        self.run.largest_velocity = self.run.largest_velocity.max(self.state.v.abs());
        Ok(())
    }

    /// The rotation that holds the equation of motion at the end of the step, to the tolerance or to the rounding of
    /// the rotation itself, which (3.47) divides by the square of the step.
    fn end_of_step(&self, side: Side) -> Result<f64, RockingError> {
        let State { t, q, v, a, .. } = self.state;
        let h = self.method.step;
        let mut next = q;
        for _ in 0..MOST_ROUNDS {
            let newmark = 4.0 / (h * h) * (next - q - h * v) - a;
            let (acceleration, slope) = self.acceleration(side, t + h, next);
            let residual = newmark - acceleration;
            if residual.abs() <= self.method.tolerance {
                return Ok(next);
            }
            let change = residual / (4.0 / (h * h) - slope);
            let rounding = 4.0 * f64::EPSILON * (q + next.abs() + (h * v).abs());
            next -= change;
            if change.abs() <= rounding {
                return Ok(next);
            }
        }
        Err(RockingError::NoConvergence {
            of: "rotation at the end of a step of Newmark's method",
            rounds: MOST_ROUNDS,
        })
    }

    /// The modified step Δt′ with q = 0 at its end, from 4(q + Δt′ v) + Δt′² (a + q″(t + Δt′)) = 0, and the impact.
    fn strike(&mut self, side: Side) {
        let State { t, q, v, a, .. } = self.state;
        let h = self.method.step;
        // Divided by the step where the flight starts on the base, whose trivial root is not meant.
        let f = |x: f64| {
            let end = self.acceleration(side, t + x, 0.0).0;
            let rest = 4.0 * v + x * (a + end);
            if q == 0.0 { rest } else { 4.0 * q + x * rest }
        };
        let (_, x) = bisect(0.0, h, 200, |x| f(x) <= 0.0);
        let rate = if x > 0.0 { -2.0 * q / x - v } else { v };
        let time = t + x;
        let new = side.other();
        let eta = self.restitution.coefficient(self.block, new).max(0.0);
        let after = -rate * eta;
        if rate < 0.0 {
            self.run.impacts += 1;
            self.run.events.push(Event::Impact {
                time,
                side: new,
                before: -new.sign() * rate,
                after: new.sign() * after,
            });
        }
        let rests = after <= AT_REST * self.block.corner(new).frequency();
        let a = self.acceleration(new, time, 0.0).0;
        if rests {
            self.run.events.push(Event::Rest { time });
        }
        self.state = State {
            t: time,
            side: (!rests).then_some(new),
            q: 0.0,
            v: if rests { 0.0 } else { after },
            a: if rests { 0.0 } else { a },
        };
    }

    fn overturn(&mut self, side: Side) {
        let time = self.state.t;
        self.run.events.push(Event::Overturned { time, side });
        self.run.outcome = Outcome::Overturned(OverturningMode {
            side,
            impacts: self.run.impacts,
        });
        self.set_end();
    }

    fn set_end(&mut self) {
        let sign = self.state.side.map_or(1.0, Side::sign);
        self.run.end = (self.state.t, sign * self.state.q, sign * self.state.v);
    }

    fn sample(&mut self, options: &Options) {
        if options.sample.is_some() {
            let sign = self.state.side.map_or(1.0, Side::sign);
            self.run.samples.push(Sample {
                time: self.state.t,
                rotation: sign * self.state.q,
                angular_velocity: sign * self.state.v,
                angular_acceleration: sign * self.state.a,
            });
        }
    }
}
