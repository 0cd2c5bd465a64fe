//! A single rocking block by the classical fourth-order Runge-Kutta method with fixed steps; impacts by halving the
//! step.
//!
//! It shares nothing with the product: no adaptive flight, no series, no closed form, no early end past the balance.
//! Once the wave has ended, a block with less energy than at its balance stands.

use std::f64::consts::{FRAC_PI_2, TAU};

/// Which equation is integrated.
#[derive(Clone, Copy, PartialEq)]
pub enum Equation {
    Nonlinear,
    Linearised,
}

/// A block of width b and height h under a₀ sin(ωt + phase), for one wave or for ever.
#[derive(Clone, Copy)]
pub struct Case {
    pub equation: Equation,
    pub width: f64,
    pub height: f64,
    pub eta: f64,
    pub amplitude: f64,
    pub omega: f64,
    pub phase: f64,
    pub lasting: bool,
    pub tilt: f64,
}

/// What became of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fate {
    /// It was never lifted.
    Rest,
    Rocked,
    Right,
    Left,
}

const GRAVITY: f64 = 9.81;
const DURATION: f64 = 10.0;

impl Case {
    fn alpha(&self) -> f64 {
        self.width.atan2(self.height)
    }

    fn p(&self) -> f64 {
        let radius = 0.5 * self.width.hypot(self.height);
        (0.75 * GRAVITY / radius).sqrt()
    }

    /// Housner's coefficient.
    pub fn housner(width: f64, height: f64) -> f64 {
        let sine = width.atan2(height).sin();
        1.0 - 1.5 * sine * sine
    }

    /// Moment at which the wave ends.
    fn end(&self) -> f64 {
        match self.lasting {
            true => f64::INFINITY,
            false => TAU / self.omega,
        }
    }

    /// Acceleration of the base over gravity, by the law that holds from `since` on: no step crosses the end of the
    /// wave, and all stages of one see the same law.
    fn push(&self, since: f64, t: f64) -> f64 {
        match since < self.end() {
            true => self.amplitude / GRAVITY * (self.omega * t + self.phase).sin(),
            false => 0.0,
        }
    }

    /// Acceleration of the rotation q away from the base on the given side.
    fn acceleration(&self, (since, t): (f64, f64), side: f64, q: f64) -> f64 {
        let (s, c) = match self.equation {
            Equation::Nonlinear => (self.alpha() - q).sin_cos(),
            Equation::Linearised => (self.alpha() - q, 1.0),
        };
        -self.p().powi(2) * (s + side * self.push(since, t) * c)
    }

    fn step(&self, t: f64, side: f64, (q, v): (f64, f64), h: f64) -> (f64, f64) {
        let a = |dt: f64, q: f64| self.acceleration((t, t + dt), side, q);
        let k1 = (v, a(0.0, q));
        let k2 = (v + 0.5 * h * k1.1, a(0.5 * h, q + 0.5 * h * k1.0));
        let k3 = (v + 0.5 * h * k2.1, a(0.5 * h, q + 0.5 * h * k2.0));
        let k4 = (v + h * k3.1, a(h, q + h * k3.0));
        (
            q + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0),
            v + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1),
        )
    }

    /// Energy under that of the balance, over the moment of inertia.
    fn lacks(&self, q: f64, v: f64) -> f64 {
        let p = self.p();
        let height = match self.equation {
            Equation::Nonlinear => 1.0 - (self.alpha() - q).cos(),
            Equation::Linearised => 0.5 * (self.alpha() - q).powi(2),
        };
        p * p * height - 0.5 * v * v
    }

    /// Whether the block overturns within ten seconds.
    pub fn overturns(&self) -> bool {
        matches!(self.fate(), Fate::Right | Fate::Left)
    }

    /// What becomes of it within ten seconds.
    pub fn fate(&self) -> Fate {
        let longest = (2e-3 / self.p() * 7.0).min(0.02 * TAU / self.omega);
        self.run(longest, true, &mut |_| {})
    }

    /// Times of the impacts within ten seconds, by steps of this length.
    pub fn impacts(&self, longest: f64) -> Vec<f64> {
        let mut times = Vec::new();
        self.run(longest, false, &mut |t| times.push(t));
        times
    }

    /// Without `decided` it is followed to its end.
    fn run(&self, longest: f64, decided: bool, impact: &mut dyn FnMut(f64)) -> Fate {
        let mut fate = Fate::Rest;
        let pulse = self.end();
        let mut t = 0.0;
        let mut side = if self.tilt < 0.0 { -1.0 } else { 1.0 };
        let (mut q, mut v) = (self.tilt.abs(), 0.0);
        let mut still = self.tilt == 0.0;
        if !still {
            fate = Fate::Rocked;
        }
        while t < DURATION {
            let mut h = longest.min(DURATION - t);
            // The end of the wave is met exactly, and not short of it by rounding.
            let ends = t < pulse && t + h >= pulse * (1.0 - 1e-12);
            if ends {
                h = pulse - t;
            }
            let later = if ends { pulse } else { t + h };
            if still {
                // It stands until the base pushes it over an edge.
                side = if self.push(t, t) > 0.0 { -1.0 } else { 1.0 };
                if self.acceleration((t, t), side, 0.0) <= 0.0 {
                    let other = if self.push(t, later) > 0.0 { -1.0 } else { 1.0 };
                    if self.acceleration((t, later), other, 0.0) <= 0.0 {
                        if t >= pulse {
                            return fate;
                        }
                        t = later.max(t + 1e-12);
                        continue;
                    }
                    let (mut low, mut high) = (t, later);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        if self.acceleration((t, middle), other, 0.0) > 0.0 {
                            high = middle;
                        } else {
                            low = middle;
                        }
                    }
                    (t, side) = (high, other);
                }
                still = false;
                fate = Fate::Rocked;
                (q, v) = (0.0, 0.0);
                continue;
            }
            let next = self.step(t, side, (q, v), h);
            if next.0 >= 0.0 {
                (q, v) = next;
                t = later;
                if q >= FRAC_PI_2 {
                    return if side > 0.0 { Fate::Right } else { Fate::Left };
                }
                if decided && t >= pulse && q < self.alpha() && self.lacks(q, v) > 0.0 {
                    return fate;
                }
                continue;
            }
            let (mut low, mut high) = (0.0, h);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if self.step(t, side, (q, v), middle).0 >= 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let fast = self.step(t, side, (q, v), high).1.abs();
            t += high.max(1e-12);
            impact(t);
            (q, v) = (0.0, self.eta * fast);
            side = -side;
            still = v < 1e-7 * self.p();
        }
        fate
    }
}
