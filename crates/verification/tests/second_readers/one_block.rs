//! A single rocking block by the classical fourth-order Runge-Kutta method with fixed steps; impacts by halving the
//! step.
//!
//! It shares nothing with the product: no adaptive flight, no series, no closed form, no early end past the balance.

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

    /// Acceleration of the base over gravity.
    fn push(&self, t: f64) -> f64 {
        if self.lasting || t * self.omega < TAU {
            self.amplitude / GRAVITY * (self.omega * t + self.phase).sin()
        } else {
            0.0
        }
    }

    /// Acceleration of the rotation q away from the base on the given side.
    fn acceleration(&self, t: f64, side: f64, q: f64) -> f64 {
        let (s, c) = match self.equation {
            Equation::Nonlinear => (self.alpha() - q).sin_cos(),
            Equation::Linearised => (self.alpha() - q, 1.0),
        };
        -self.p().powi(2) * (s + side * self.push(t) * c)
    }

    fn step(&self, t: f64, side: f64, (q, v): (f64, f64), h: f64) -> (f64, f64) {
        let a = |dt: f64, q: f64| self.acceleration(t + dt, side, q);
        let k1 = (v, a(0.0, q));
        let k2 = (v + 0.5 * h * k1.1, a(0.5 * h, q + 0.5 * h * k1.0));
        let k3 = (v + 0.5 * h * k2.1, a(0.5 * h, q + 0.5 * h * k2.0));
        let k4 = (v + h * k3.1, a(h, q + h * k3.0));
        (
            q + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0),
            v + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1),
        )
    }

    /// Whether the block overturns within ten seconds.
    pub fn overturns(&self) -> bool {
        let pulse = if self.lasting {
            f64::INFINITY
        } else {
            TAU / self.omega
        };
        let longest = (2e-3 / self.p() * 7.0).min(0.02 * TAU / self.omega);
        let mut t = 0.0;
        let mut side = if self.tilt < 0.0 { -1.0 } else { 1.0 };
        let (mut q, mut v) = (self.tilt.abs(), 0.0);
        let mut still = self.tilt == 0.0;
        while t < DURATION {
            let mut h = longest.min(DURATION - t);
            if t < pulse && t + h > pulse {
                h = pulse - t;
            }
            if still {
                // It stands until the base pushes it over an edge.
                side = if self.push(t) > 0.0 { -1.0 } else { 1.0 };
                if self.acceleration(t, side, 0.0) <= 0.0 {
                    let later = t + h;
                    let other = if self.push(later) > 0.0 { -1.0 } else { 1.0 };
                    if self.acceleration(later, other, 0.0) <= 0.0 {
                        if t >= pulse {
                            return false;
                        }
                        t = later.max(t + 1e-12);
                        continue;
                    }
                    let (mut low, mut high) = (t, later);
                    for _ in 0..50 {
                        let middle = 0.5 * (low + high);
                        if self.acceleration(middle, other, 0.0) > 0.0 {
                            high = middle;
                        } else {
                            low = middle;
                        }
                    }
                    (t, side) = (high, other);
                }
                still = false;
                (q, v) = (0.0, 0.0);
                continue;
            }
            let next = self.step(t, side, (q, v), h);
            if next.0 >= 0.0 {
                (q, v) = next;
                t += h;
                if q >= FRAC_PI_2 {
                    return true;
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
            (q, v) = (0.0, self.eta * fast);
            side = -side;
            still = v < 1e-7 * self.p();
        }
        false
    }
}
