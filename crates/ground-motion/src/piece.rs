//! One smooth piece of a base motion.

/// Law of the acceleration in a piece; τ is the time from its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// value + slope · τ.
    Linear {
        /// Acceleration at the start (m/s²).
        value: f64,
        /// Rate (m/s³).
        slope: f64,
    },
    /// amplitude · sin(omega τ + phase).
    Sine {
        /// Amplitude (m/s²).
        amplitude: f64,
        /// Circular frequency (rad/s).
        omega: f64,
        /// Phase at the start of the piece (rad).
        phase: f64,
    },
}

impl Law {
    /// The law times a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        match self {
            Self::Linear { value, slope } => Self::Linear {
                value: value * factor,
                slope: slope * factor,
            },
            Self::Sine {
                amplitude,
                omega,
                phase,
            } => Self::Sine {
                amplitude: amplitude * factor,
                omega,
                phase,
            },
        }
    }
}

/// A piece of a base motion: displacement and velocity at its start and the law of its acceleration. The three
/// functions are the exact integrals of one another and may be evaluated beyond the ends, as the stages of an
/// integrator do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// Start (s).
    pub start: f64,
    /// End (s), possibly infinite.
    pub end: f64,
    /// Displacement at the start (m).
    pub displacement: f64,
    /// Velocity at the start (m/s).
    pub velocity: f64,
    /// Law of the acceleration.
    pub law: Law,
}

impl Piece {
    /// Acceleration (m/s²).
    pub fn acceleration(&self, time: f64) -> f64 {
        let tau = time - self.start;
        match self.law {
            // Times without a slope keep a piece that lasts for ever free of 0 · ∞.
            Law::Linear { value, slope: 0.0 } => value,
            Law::Linear { value, slope } => value + slope * tau,
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => amplitude * libm::sin(omega * tau + phase),
        }
    }

    /// Velocity (m/s).
    pub fn velocity(&self, time: f64) -> f64 {
        let tau = time - self.start;
        match self.law {
            Law::Linear { value, slope } if value == 0.0 && slope == 0.0 => self.velocity,
            Law::Linear { value, slope } => self.velocity + tau * (value + 0.5 * slope * tau),
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                let change = libm::cos(phase) - libm::cos(omega * tau + phase);
                self.velocity + amplitude / omega * change
            }
        }
    }

    /// Displacement (m).
    pub fn displacement(&self, time: f64) -> f64 {
        let tau = time - self.start;
        let drift = if self.velocity == 0.0 {
            0.0
        } else {
            self.velocity * tau
        };
        match self.law {
            Law::Linear { value, slope } if value == 0.0 && slope == 0.0 => {
                self.displacement + drift
            }
            Law::Linear { value, slope } => {
                self.displacement + drift + tau * tau * (0.5 * value + slope * tau / 6.0)
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                let (sin, cos) = libm::sincos(phase);
                let swing = sin - libm::sin(omega * tau + phase);
                // Summed so that a motion about a fixed mean has no drift left by rounding.
                let steady = self.velocity + amplitude / omega * cos;
                let way = if steady == 0.0 { 0.0 } else { steady * tau };
                self.displacement + way + amplitude / (omega * omega) * swing
            }
        }
    }

    /// The same piece with all ordinates times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            displacement: self.displacement * factor,
            velocity: self.velocity * factor,
            law: self.law.times(factor),
            ..*self
        }
    }

    /// The law of its acceleration from a time within it on.
    pub(super) fn law_from(&self, time: f64) -> Law {
        let tau = time - self.start;
        match self.law {
            Law::Linear { slope: 0.0, .. } => self.law,
            Law::Linear { value, slope } => Law::Linear {
                value: value + slope * tau,
                slope,
            },
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => Law::Sine {
                amplitude,
                omega,
                phase: phase + omega * tau,
            },
        }
    }

    /// Times within the piece at which the acceleration is zero (`quarter` = 0) or extreme (`quarter` = 1) by the sine
    /// law.
    pub(super) fn sine_times(&self, quarter: f64) -> Vec<f64> {
        let Law::Sine { omega, phase, .. } = self.law else {
            return Vec::new();
        };
        let pi = std::f64::consts::PI;
        let first = ((phase / pi) - 0.5 * quarter).ceil();
        // Two half waves hold every extreme of acceleration and velocity of the piece.
        (0..3)
            .map(|k| self.start + ((first + f64::from(k) + 0.5 * quarter) * pi - phase) / omega)
            .filter(|t| *t >= self.start && *t <= self.end)
            .collect()
    }
}

impl Piece {
    /// Times at which the velocity may be zero: the roots of its quadratic, or of its sine; the caller keeps those
    /// within.
    pub(super) fn turning_times(&self) -> Vec<f64> {
        match self.law {
            Law::Linear { value, slope } => {
                let (a, b, c) = (0.5 * slope, value, self.velocity);
                let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
                // The form without a difference of like numbers.
                let q = -0.5 * (b + root.copysign(b));
                [q / a, c / q]
                    .into_iter()
                    .map(|tau| self.start + tau)
                    .collect()
            }
            Law::Sine {
                amplitude,
                omega,
                phase,
            } => {
                // cos(ωτ + φ) = cos φ + v ω/A
                let cosine = libm::cos(phase) + self.velocity * omega / amplitude;
                let angle = libm::acos(cosine.clamp(-1.0, 1.0));
                let turn = std::f64::consts::TAU;
                let from = (phase / turn).floor();
                let turns = (0..3).map(|k| (from + f64::from(k)) * turn);
                let angles = turns.flat_map(|full| [full + angle, full - angle]);
                angles
                    .map(|angle| self.start + (angle - phase) / omega)
                    .collect()
            }
        }
    }
}
