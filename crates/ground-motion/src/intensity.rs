//! Intensity measures of a base motion: PGA, PGV, PGV/PGA and the pseudo-acceleration of an oscillator.

use super::{Component, GroundMotionError, Law, Piece};
use klast_numerics::check::require;
use klast_numerics::roots::bisect;

/// Peak values of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intensity {
    /// Peak ground acceleration (m/s²).
    pub pga: f64,
    /// Peak ground velocity (m/s).
    pub pgv: f64,
}

impl Intensity {
    /// PGV/PGA (s): the time scale of the strongest pulse.
    pub fn pulse_time(&self) -> f64 {
        self.pgv / self.pga
    }
}

impl Component {
    /// Peak of |acceleration| (m/s²).
    pub fn peak_acceleration(&self) -> f64 {
        self.peak(|piece| piece.sine_times(1.0), Piece::acceleration)
    }

    /// Peak of |velocity| (m/s).
    pub fn peak_velocity(&self) -> f64 {
        let zeros = |piece: &Piece| match piece.law {
            Law::Linear { value, slope } => vec![piece.start - value / slope],
            Law::Sine { .. } => piece.sine_times(0.0),
        };
        self.peak(zeros, Piece::velocity)
    }

    /// PGA and PGV.
    pub fn intensity(&self) -> Intensity {
        Intensity {
            pga: self.peak_acceleration(),
            pgv: self.peak_velocity(),
        }
    }

    /// Largest |f| over the ends of the pieces and the inner times where it may be extreme.
    fn peak(&self, inner: impl Fn(&Piece) -> Vec<f64>, f: impl Fn(&Piece, f64) -> f64) -> f64 {
        let mut largest = 0.0f64;
        for piece in &self.pieces {
            let mut times = inner(piece);
            times.extend([piece.start, piece.end]);
            for time in times {
                if time.is_finite() && time >= piece.start && time <= piece.end {
                    largest = largest.max(f(piece, time).abs());
                }
            }
        }
        largest
    }

    /// Pseudo-acceleration Sa = ω² max|x| (m/s²) of a linear oscillator x″ + 2ζω x′ + ω² x = −a(t) that starts at rest,
    /// up to one period after the end of the motion (Chopra, *Dynamics of Structures*, ch. 6). Each piece is solved in
    /// closed form; between samples of 1/100 of the shorter period the peak is located on x′ = 0. A lasting harmonic is
    /// followed for 20/(ζω), when what it started with has decayed by e⁻²⁰, and one wave more.
    pub fn spectral_acceleration(
        &self,
        period: f64,
        damping: f64,
    ) -> Result<f64, GroundMotionError> {
        require("period", period, period > 0.0, "above 0 s")?;
        let inside = damping > 0.0 && damping < 1.0;
        require("damping", damping, inside, "between 0 and 1")?;
        let oscillator = Oscillator::new(std::f64::consts::TAU / period, damping);
        let mut x = (0.0, 0.0);
        let mut largest = 0.0f64;
        for piece in &self.pieces {
            let wave = match piece.law {
                Law::Sine { omega, .. } => std::f64::consts::TAU / omega,
                Law::Linear { .. } => 0.0,
            };
            let steady = 20.0 / (damping * oscillator.omega) + wave;
            let duration = piece.end - piece.start;
            let followed = if duration.is_finite() {
                duration
            } else {
                steady
            };
            x = oscillator.sweep(piece, followed, x, &mut largest);
        }
        if self.duration().is_finite() {
            let rest = self.piece_at(self.duration());
            oscillator.sweep(&rest, period, x, &mut largest);
        }
        Ok(oscillator.omega * oscillator.omega * largest)
    }
}

/// A damped oscillator.
struct Oscillator {
    omega: f64,
    damping: f64,
    damped: f64,
}

impl Oscillator {
    fn new(omega: f64, damping: f64) -> Self {
        Self {
            omega,
            damping,
            damped: omega * (1.0 - damping * damping).sqrt(),
        }
    }

    /// Particular solution (x, x′) at time `tau` of a piece.
    fn particular(&self, law: &Law, tau: f64) -> (f64, f64) {
        let w2 = self.omega * self.omega;
        let c = 2.0 * self.damping * self.omega;
        match *law {
            Law::Linear { value, slope } => {
                let rate = -slope / w2;
                let at_start = (-value - c * rate) / w2;
                (at_start + rate * tau, rate)
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                let stiff = w2 - omega * omega;
                let size = -amplitude / (stiff * stiff + (c * omega) * (c * omega));
                let (sin, cos) = libm::sincos(omega * tau + phase);
                (
                    size * (stiff * sin - c * omega * cos),
                    size * omega * (stiff * cos + c * omega * sin),
                )
            }
        }
    }

    /// State at `tau` from the state `x0` at the start of the piece.
    fn state(&self, law: &Law, x0: (f64, f64), tau: f64) -> (f64, f64) {
        let p0 = self.particular(law, 0.0);
        let (a, v) = (x0.0 - p0.0, x0.1 - p0.1);
        let decay = self.damping * self.omega;
        let b = (v + decay * a) / self.damped;
        let (sin, cos) = libm::sincos(self.damped * tau);
        let e = libm::exp(-decay * tau);
        let free = e * (a * cos + b * sin);
        let rate = e * self.damped * (b * cos - a * sin) - decay * free;
        let p = self.particular(law, tau);
        (free + p.0, rate + p.1)
    }

    /// Follows a piece for `duration`, raising `largest` to max|x|; returns the state at its end.
    fn sweep(&self, piece: &Piece, duration: f64, x0: (f64, f64), largest: &mut f64) -> (f64, f64) {
        let fastest = match piece.law {
            Law::Sine { omega, .. } => omega.max(self.omega),
            Law::Linear { .. } => self.omega,
        };
        let look = std::f64::consts::TAU / fastest / 100.0;
        let looks = (duration / look).ceil().clamp(1.0, 1e7) as usize;
        let mut before = (0.0, x0);
        for k in 1..=looks {
            let tau = duration * k as f64 / looks as f64;
            let now = self.state(&piece.law, x0, tau);
            *largest = largest.max(now.0.abs());
            if before.1.1 * now.1 < 0.0 {
                *largest = largest.max(self.extreme(piece, x0, before.0, tau));
            }
            before = (tau, now);
        }
        before.1
    }

    /// |x| where x′ = 0 between `low` and `high`, by bisection.
    fn extreme(&self, piece: &Piece, x0: (f64, f64), low: f64, high: f64) -> f64 {
        let rising = |tau: f64| self.state(&piece.law, x0, tau).1 > 0.0;
        let first = rising(low);
        // x is stationary there: 30 halvings leave an error far below rounding.
        let (low, _) = bisect(low, high, 30, |tau| rising(tau) != first);
        self.state(&piece.law, x0, low).0.abs()
    }
}
