//! The first step of a method that knows nothing of the system yet.

use super::Dopri853;
use crate::ode::OdeSystem;

impl Dopri853 {
    /// First step from the sizes of state, slope and second derivative (section II.4).
    pub(super) fn guess_step<S: OdeSystem + ?Sized>(&mut self, system: &S, limit: f64) -> f64 {
        let n = self.n.max(1) as f64;
        let rest = limit - self.time;
        let (mut d0, mut d1) = (0.0, 0.0);
        for i in 0..self.n {
            let scale = self.options.absolute + self.options.relative * self.state[i].abs();
            d0 += (self.state[i] / scale) * (self.state[i] / scale);
            d1 += (self.slopes[i] / scale) * (self.slopes[i] / scale);
        }
        let (d0, d1) = ((d0 / n).sqrt(), (d1 / n).sqrt());
        let h0 = if d0 < 1e-5 || d1 < 1e-5 {
            1e-6
        } else {
            0.01 * d0 / d1
        };
        let h0 = h0.min(rest);
        for i in 0..self.n {
            self.stage_state[i] = self.state[i] + h0 * self.slopes[i];
        }
        self.evaluate(system, self.time + h0, 1, false);
        let mut d2 = 0.0;
        for i in 0..self.n {
            let scale = self.options.absolute + self.options.relative * self.state[i].abs();
            let change = (self.slopes[self.n + i] - self.slopes[i]) / scale;
            d2 += change * change;
        }
        let d2 = (d2 / n).sqrt() / h0;
        let largest = d1.max(d2);
        let h1 = if largest > 1e-15 {
            // (0.01 / largest)^(1/8) by three square roots: no transcendental enters the step choice.
            (0.01 / largest).sqrt().sqrt().sqrt()
        } else {
            h0.max(1e-6)
        };
        let guess = h1.min(100.0 * h0).min(rest);
        if guess.is_finite() && guess > 0.0 {
            guess
        } else {
            rest
        }
    }
}
