//! Motion of the base: displacement, velocity and acceleration that belong together, in one or two directions.
//!
//! Every motion is a list of smooth [`Piece`]s, so an integrator can stop at each discontinuity and use the law that
//! holds from there on. Before the first piece the base rests; after the last one it moves on without acceleration.
//! Units: m, m/s, m/s², s, rad/s, rad.

mod combined;
mod cumulative;
mod double_pulse;
mod frequency;
mod intensity;
mod piece;
mod record;
mod unit;

pub use double_pulse::DoublePulse;
pub use frequency::Frequency;
pub use intensity::Intensity;
use klast_numerics::check::require;
use klast_numerics::{ModelError, OutOfRange};
pub use piece::{Law, Piece};
pub use record::{Baseline, Record, RecordSummary};
pub use unit::AccelerationUnit;

use thiserror::Error;

/// What can be wrong with a ground motion.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GroundMotionError {
    /// A number outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A record has not as many accelerations as times.
    #[error("{times} times and {accelerations} accelerations; accepted: as many of both")]
    Count {
        /// Number of times.
        times: usize,
        /// Number of accelerations.
        accelerations: usize,
    },
}

impl ModelError for GroundMotionError {
    fn number(&self) -> Option<f64> {
        match self {
            Self::OutOfRange(out) => out.number(),
            _ => None,
        }
    }
}

/// Motion in one direction.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Component {
    pieces: Vec<Piece>,
}

impl Component {
    /// No motion.
    pub fn at_rest() -> Self {
        Self::default()
    }

    /// Constant acceleration `acceleration` (m/s²) for `duration` (s), eq. (3.7) of Čeh (2018).
    pub fn constant(acceleration: f64, duration: f64) -> Result<Self, GroundMotionError> {
        require("acceleration", acceleration, true, "finite")?;
        require("duration", duration, duration > 0.0, "above 0 s")?;
        let law = Law::Linear {
            value: acceleration,
            slope: 0.0,
        };
        Self::chain(0.0, 0.0, 0.0, &[(duration, law)])
    }

    /// a(t) = amplitude · sin(ω t + phase) for `waves` periods, then none; the base starts from rest, eq. (3.8) and
    /// (5.5) of Čeh (2018). A phase of π/2 is the cosine wave of (5.4). `waves` may be infinite and need not be whole.
    pub fn waves(
        amplitude: f64,
        frequency: Frequency,
        phase: f64,
        waves: f64,
    ) -> Result<Self, GroundMotionError> {
        let omega = frequency.circular();
        require("omega", omega, omega > 0.0, "above 0 rad/s")?;
        if waves.is_nan() || waves <= 0.0 {
            require("waves", waves, false, "above 0")?;
        }
        Self::harmonic(
            amplitude,
            frequency,
            phase,
            waves * std::f64::consts::TAU / omega,
        )
    }

    /// As [`Component::waves`], ended after `duration` (s), which may be infinite: a lasting harmonic.
    pub fn harmonic(
        amplitude: f64,
        frequency: Frequency,
        phase: f64,
        duration: f64,
    ) -> Result<Self, GroundMotionError> {
        let omega = frequency.circular();
        require("amplitude", amplitude, true, "finite")?;
        require("omega", omega, omega > 0.0, "above 0 rad/s")?;
        require("phase", phase, true, "finite")?;
        if duration.is_nan() || duration <= 0.0 {
            require("duration", duration, false, "above 0 s")?;
        }
        let law = Law::Sine {
            amplitude,
            omega,
            phase,
        };
        Self::chain(0.0, 0.0, 0.0, &[(duration, law)])
    }

    /// A harmonic displacement u(t) = amplitude · sin(ω t + phase) about a fixed mean: a base that has always moved.
    pub fn harmonic_displacement(
        amplitude: f64,
        frequency: Frequency,
        phase: f64,
    ) -> Result<Self, GroundMotionError> {
        let omega = frequency.circular();
        require("amplitude", amplitude, true, "finite")?;
        require("omega", omega, omega > 0.0, "above 0 rad/s")?;
        require("phase", phase, true, "finite")?;
        let (sin, cos) = libm::sincos(phase);
        let law = Law::Sine {
            amplitude: -amplitude * omega * omega,
            omega,
            phase,
        };
        let (u, v) = (amplitude * sin, amplitude * omega * cos);
        Self::chain(0.0, u, v, &[(f64::INFINITY, law)])
    }

    /// Laws one after the other from `start`, each with its duration; displacement and velocity are carried through.
    pub fn chain(
        start: f64,
        displacement: f64,
        velocity: f64,
        laws: &[(f64, Law)],
    ) -> Result<Self, GroundMotionError> {
        require("start", start, true, "finite")?;
        require("displacement", displacement, true, "finite")?;
        require("velocity", velocity, true, "finite")?;
        let mut pieces = Vec::with_capacity(laws.len());
        let (mut at, mut u, mut v) = (start, displacement, velocity);
        for (duration, law) in laws {
            let piece = Piece {
                start: at,
                end: at + duration,
                displacement: u,
                velocity: v,
                law: *law,
            };
            if piece.end.is_nan() || piece.end <= at {
                require("duration", *duration, false, "above 0 s")?;
            }
            if piece.end.is_finite() {
                (u, v) = (piece.displacement(piece.end), piece.velocity(piece.end));
            }
            at = piece.end;
            pieces.push(piece);
        }
        Ok(Self { pieces })
    }

    /// The pieces in order of time.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The law that holds from `time` on, with the time at which it ends: the piece whose half-open interval [start,
    /// end) contains `time`, or the rest before and the unaccelerated motion after all pieces.
    pub fn piece_at(&self, time: f64) -> Piece {
        let index = self.first_that_ends_after(time);
        let none = Law::Linear {
            value: 0.0,
            slope: 0.0,
        };
        match (self.pieces.get(index), self.pieces.last()) {
            (Some(piece), _) if piece.start <= time => *piece,
            (Some(piece), _) => Piece {
                start: f64::MIN,
                end: piece.start,
                displacement: 0.0,
                velocity: 0.0,
                law: none,
            },
            (None, Some(last)) => Piece {
                start: last.end,
                end: f64::INFINITY,
                displacement: last.displacement(last.end),
                velocity: last.velocity(last.end),
                law: none,
            },
            (None, None) => Piece {
                start: 0.0,
                end: f64::INFINITY,
                displacement: 0.0,
                velocity: 0.0,
                law: none,
            },
        }
    }

    /// The first piece that ends after `time`; the number of all where none does. Pieces of a record last alike, so
    /// that its place is known but for rounding.
    fn first_that_ends_after(&self, time: f64) -> usize {
        let (count, ends) = (self.pieces.len(), |piece: &Piece| piece.end <= time);
        if let [first, .., last] = self.pieces.as_slice() {
            let share = (time - first.start) / (last.end - first.start);
            let near = (share * count as f64) as usize;
            for k in near.saturating_sub(1)..=near.saturating_add(1).min(count) {
                let before = k == 0 || self.pieces.get(k - 1).is_some_and(ends);
                if before && self.pieces.get(k).is_none_or(|piece| !ends(piece)) {
                    return k;
                }
            }
        }
        self.pieces.partition_point(ends)
    }

    /// Acceleration (m/s²) at `time`, from the right at a jump.
    pub fn acceleration(&self, time: f64) -> f64 {
        self.piece_at(time).acceleration(time)
    }

    /// Velocity (m/s) at `time`.
    pub fn velocity(&self, time: f64) -> f64 {
        self.piece_at(time).velocity(time)
    }

    /// Displacement (m) at `time`.
    pub fn displacement(&self, time: f64) -> f64 {
        self.piece_at(time).displacement(time)
    }

    /// The times (s) at which the acceleration or its slope jumps.
    pub fn discontinuities(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.pieces.iter().map(|piece| piece.start).collect();
        if let Some(last) = self.pieces.last()
            && last.end.is_finite()
        {
            times.push(last.end);
        }
        times
    }

    /// Time (s) after which the base is no longer accelerated; 0 for a base at rest, infinite for a lasting motion.
    pub fn duration(&self) -> f64 {
        self.pieces.last().map_or(0.0, |piece| piece.end)
    }

    /// The same motion with all ordinates times `factor`; a factor of −1 is the other polarity.
    pub fn scaled(&self, factor: f64) -> Self {
        let pieces = self.pieces.iter().map(|piece| piece.scaled(factor));
        Self {
            pieces: pieces.collect(),
        }
    }
}

/// Motion of the base in the plane of rocking: horizontal to the right, vertical upwards.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GroundMotion {
    /// Horizontal component, positive to the right.
    pub horizontal: Component,
    /// Vertical component, positive upwards.
    pub vertical: Component,
}

impl GroundMotion {
    /// A base at rest.
    pub fn at_rest() -> Self {
        Self::default()
    }

    /// Horizontal motion only.
    pub fn horizontal(component: Component) -> Self {
        Self {
            horizontal: component,
            vertical: Component::at_rest(),
        }
    }

    /// Both components.
    pub fn new(horizontal: Component, vertical: Component) -> Self {
        Self {
            horizontal,
            vertical,
        }
    }

    /// The times (s) at which either component jumps, sorted, each once.
    pub fn discontinuities(&self) -> Vec<f64> {
        let mut times = self.horizontal.discontinuities();
        times.extend(self.vertical.discontinuities());
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// The laws of both components that hold from `time` on, and the time until which both hold.
    pub fn pieces_at(&self, time: f64) -> (Piece, Piece, f64) {
        let (h, v) = (self.horizontal.piece_at(time), self.vertical.piece_at(time));
        (h, v, h.end.min(v.end))
    }

    /// Time (s) after which neither component accelerates.
    pub fn duration(&self) -> f64 {
        self.horizontal.duration().max(self.vertical.duration())
    }

    /// Both components times `factor`.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            horizontal: self.horizontal.scaled(factor),
            vertical: self.vertical.scaled(factor),
        }
    }
}
