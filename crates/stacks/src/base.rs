//! The base acceleration as a power series of the time since the start of a step.

use super::chain::Vec2;
use klast_ground_motion::{GroundMotion, Law, Piece};

/// Number of coefficients kept of every function.
pub(super) const ORDER: usize = 22;

pub(super) type Series = [f64; ORDER];

/// Series of ü and of g + v̈, which hold until `until`.
pub(super) struct BaseSeries {
    pub horizontal: Series,
    pub vertical: Series,
    /// The next jump of the motion or of one of its slopes (s).
    pub until: f64,
    /// False when neither component changes: the terms after the first vanish.
    pub varies: bool,
    pieces: (Piece, Piece),
    known: bool,
}

impl BaseSeries {
    pub fn new() -> Self {
        let none = Piece {
            start: 0.0,
            end: 0.0,
            displacement: 0.0,
            velocity: 0.0,
            law: Law::Linear {
                value: 0.0,
                slope: 0.0,
            },
        };
        Self {
            horizontal: [0.0; ORDER],
            vertical: [0.0; ORDER],
            until: 0.0,
            varies: false,
            pieces: (none, none),
            known: false,
        }
    }

    /// Expands the motion about `time`; the laws are looked up only when the last ones have ended.
    pub fn expand(&mut self, motion: &GroundMotion, gravity: f64, time: f64) {
        if !self.known || time >= self.until {
            let (horizontal, vertical, until) = motion.pieces_at(time);
            self.pieces = (horizontal, vertical);
            self.until = until;
            self.known = true;
        }
        let first = expand_piece(&self.pieces.0, time, &mut self.horizontal);
        let second = expand_piece(&self.pieces.1, time, &mut self.vertical);
        self.varies = first || second;
        self.vertical[0] += gravity;
    }

    /// The value at the start of the step.
    pub fn now(&self) -> Vec2 {
        Vec2::new(self.horizontal[0], self.vertical[0])
    }

    /// The terms of one power.
    pub fn term(&self, power: usize) -> Vec2 {
        Vec2::new(self.horizontal[power], self.vertical[power])
    }

    /// The value of ü and g + v̈ `tau` after the start.
    pub fn at(&self, gravity: f64, time: f64) -> Vec2 {
        Vec2::new(
            self.pieces.0.acceleration(time),
            gravity + self.pieces.1.acceleration(time),
        )
    }
}

/// Fills the series; false when all terms after the first vanish.
fn expand_piece(piece: &Piece, time: f64, series: &mut Series) -> bool {
    match piece.law {
        Law::Linear { value, slope } => {
            series.fill(0.0);
            series[0] = if slope == 0.0 {
                value
            } else {
                value + slope * (time - piece.start)
            };
            series[1] = slope;
            slope != 0.0
        }
        Law::Sine {
            amplitude,
            omega,
            phase,
        } => {
            let (sin, cos) = libm::sincos(omega * (time - piece.start) + phase);
            series[0] = amplitude * sin;
            series[1] = amplitude * omega * cos;
            // a'' = −ω² a, power by power.
            for k in 2..ORDER {
                series[k] = -omega * omega * series[k - 2] / (k as f64 * (k as f64 - 1.0));
            }
            true
        }
    }
}
