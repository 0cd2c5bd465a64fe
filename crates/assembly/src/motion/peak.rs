//! The largest velocity that a basin reaches, where bounds are too coarse.

use std::convert::Infallible;
use std::f64::consts::TAU;

use klast_numerics::roots::golden_section;

use super::kinematics::Wave;
use super::law::BasinMotion;

/// Largest denominator of a ratio of frequencies, and largest number of turns in a common period.
const DENOMINATOR: u32 = 64;
const TURNS: u32 = 1000;

impl BasinMotion {
    /// Peak velocity of the basin in the laboratory, m/s: max |dx_b/dt|, of a harmonic motion once its lead-in is over.
    ///
    /// Waves with a common period of up to 1000 turns are searched for it; the peaks of waves without one add, since
    /// such waves come as near to being at their peaks together as one likes.
    #[must_use]
    pub fn peak_velocity(&self) -> f64 {
        match self {
            Self::Harmonic {
                amplitude, omega, ..
            } => amplitude * omega,
            Self::Waves(waves) => {
                let (up, down) = classes(waves)
                    .iter()
                    .map(|class| (class.largest(1.0), class.largest(-1.0)))
                    .fold((0.0, 0.0), |sum, peak| (sum.0 + peak.0, sum.1 + peak.1));
                f64::max(up, down)
            }
            Self::Ground(component) => component.peak_velocity(),
        }
    }
}

/// Waves with a common period.
struct Class {
    /// Frequency of the first, rad/s, which turns `turns` times in the period.
    omega: f64,
    turns: u32,
    /// Turns in the period, amplitude of the velocity (m/s) and phase.
    waves: Vec<(u32, f64, f64)>,
}

fn classes(waves: &[Wave]) -> Vec<Class> {
    let mut all: Vec<Class> = Vec::new();
    for wave in waves {
        if !all.iter_mut().any(|class| class.take(wave)) {
            all.push(Class {
                omega: wave.omega,
                turns: 1,
                waves: vec![(1, wave.amplitude * wave.omega, wave.phase)],
            });
        }
    }
    all
}

impl Class {
    /// Whether the wave shares a period with the class, to which it then belongs.
    fn take(&mut self, wave: &Wave) -> bool {
        let turns = wave.omega / self.omega * f64::from(self.turns);
        // The class has to repeat `by` times until the wave has made whole turns; frequencies are products, known to
        // roundings.
        let whole = |by: &u32| {
            let x = turns * f64::from(*by);
            (x - x.round()).abs() <= 1e-12 * x
        };
        let Some(by) = (1..=DENOMINATOR).find(whole) else {
            return false;
        };
        let own = (turns * f64::from(by)).round();
        let most = self.waves.iter().map(|w| w.0).max().unwrap_or(0);
        if own > f64::from(TURNS) || most * by > TURNS {
            return false;
        }
        self.turns *= by;
        self.waves.iter_mut().for_each(|w| w.0 *= by);
        let speed = wave.amplitude * wave.omega;
        self.waves.push((own as u32, speed, wave.phase));
        true
    }

    /// Largest `sign` times velocity in a period.
    fn largest(&self, sign: f64) -> f64 {
        const STEPS: u32 = 64;
        let velocity = |angle: f64| {
            let parts = self
                .waves
                .iter()
                .map(|(k, speed, phase)| speed * libm::cos(f64::from(*k) * angle + phase));
            sign * parts.sum::<f64>()
        };
        let most = self.waves.iter().map(|w| w.0).max().unwrap_or(1);
        let step = TAU / f64::from(STEPS * most);
        let seen: Vec<f64> = (0..STEPS * most)
            .map(|i| velocity(f64::from(i) * step))
            .collect();
        let best = seen.iter().fold(0.0_f64, |m, v| m.max(*v));
        // From the nearest step to a peak the velocity falls by (step/2)²/2 of the sum, with 64 steps in the fastest
        // turn.
        let slack = 2e-3 * self.waves.iter().map(|w| w.1.abs()).sum::<f64>();
        let near = (0_u32..).zip(&seen).filter(|(_, v)| **v >= best - slack);
        // The step before and the one after a peak bracket it alone.
        let highest = |at: f64| {
            let Ok(found) = golden_section((at - step, at + step), 1e-8 * step, |angle| {
                Ok::<_, Infallible>(-velocity(angle))
            });
            -found.value
        };
        near.map(|(i, _)| highest(f64::from(i) * step))
            .fold(best, f64::max)
    }
}
