//! The step of eight flights at once, dispatched to the widest vectors of the machine.

// Loops run over lanes by index on several arrays at a time: the form the compiler turns into vectors.
#![allow(clippy::needless_range_loop)]

use crate::equation::Equation;
use crate::kernel::{self, Flight, ORDER, Series};
use pulp::{Arch, Simd, WithSimd};

/// Number of blocks stepped together.
pub(crate) const LANES: usize = 8;

/// Looks per step for a sign change; a suspicious step is looked at again, one block at a time.
const SAMPLES_PER_STEP: usize = 4;

/// Instruction set for the lanes. The results do not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Instructions {
    /// The widest the machine has.
    #[default]
    Widest,
    /// The baseline of the target.
    Baseline,
    /// AVX2 where present, else the baseline.
    Avx2,
}

impl Instructions {
    pub(crate) fn arch(self) -> Arch {
        match self {
            Self::Widest => Arch::new(),
            Self::Baseline => Arch::Scalar,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().map_or(Arch::Scalar, Arch::V3),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 => Arch::Scalar,
        }
    }
}

/// A step of all lanes.
pub(crate) struct LaneStep {
    pub(crate) series: Series<LANES>,
    pub(crate) length: [f64; LANES],
    pub(crate) rotation: [f64; LANES],
    pub(crate) rate: [f64; LANES],
    /// Largest of the looks.
    pub(crate) largest: [f64; LANES],
    /// Whether the block may meet the base or the limit within the step.
    pub(crate) suspicious: [bool; LANES],
}

impl LaneStep {
    pub(crate) fn new() -> Self {
        Self {
            series: [[0.0; LANES]; ORDER + 1],
            length: [0.0; LANES],
            rotation: [0.0; LANES],
            rate: [0.0; LANES],
            largest: [0.0; LANES],
            suspicious: [false; LANES],
        }
    }

    /// The series of one lane.
    pub(crate) fn lane(&self, lane: usize) -> Series<1> {
        std::array::from_fn(|k| [self.series[k][lane]])
    }
}

/// Steps all lanes, each by at most its `rest`; `limit` is the rotation of overturning.
pub(crate) fn step(
    arch: Arch,
    flight: &Flight<LANES>,
    equation: Equation,
    rest: &[f64; LANES],
    limit: f64,
    out: &mut LaneStep,
) {
    arch.dispatch(Stepper {
        flight,
        equation,
        rest,
        limit,
        out,
    });
}

struct Stepper<'a> {
    flight: &'a Flight<LANES>,
    equation: Equation,
    rest: &'a [f64; LANES],
    limit: f64,
    out: &'a mut LaneStep,
}

impl WithSimd for Stepper<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) {
        let out = self.out;
        let flight = self.flight;
        kernel::series(flight, self.equation, false, &mut out.series);
        let mut length = kernel::step(&out.series);
        for l in 0..LANES {
            let (q, v, pull) = (flight.q[l], flight.v[l], -out.series[2][l]);
            let hop = 1.5 * v / pull;
            let hops = q == 0.0 && v > 0.0 && pull > 0.0;
            length[l] = length[l].min(if hops { hop } else { f64::INFINITY });
            length[l] = length[l].min(self.rest[l]);
        }
        let (mut lowest, mut largest) = ([f64::INFINITY; LANES], flight.q);
        let mut last = [0.0; LANES];
        for look in 1..=SAMPLES_PER_STEP {
            let mut tau = length;
            for l in 0..LANES {
                tau[l] *= look as f64 / SAMPLES_PER_STEP as f64;
            }
            last = kernel::value(&out.series, &tau);
            for l in 0..LANES {
                lowest[l] = lowest[l].min(last[l]);
                largest[l] = largest[l].max(last[l]);
            }
        }
        out.rotation = last;
        out.rate = kernel::rate(&out.series, &length);
        out.length = length;
        out.largest = largest;
        for l in 0..LANES {
            let turns = flight.v[l] < 0.0 && out.rate[l] > 0.0;
            out.suspicious[l] = lowest[l] < 0.0 || largest[l] >= self.limit || turns;
        }
    }
}
