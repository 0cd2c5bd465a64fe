//! Free rocking of up to eight blocks from impact to impact by elliptic integrals.

// Loops run over lanes by index on several arrays at a time: the form the compiler turns into vectors.
#![allow(clippy::needless_range_loop)]

use crate::batch::BatchOptions;
use crate::block::{Corner, RockingBlock, Side};
use crate::elliptic::{self, MANY, NEAR_BALANCE, USUAL};
use crate::equation::Equation;
use crate::error::RockingError;
use crate::lanes::LANES;
use crate::restitution::Restitution;
use pulp::{Arch, Simd, WithSimd};

/// A block on a still base, below its barrier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FreeBlock {
    pub(crate) index: usize,
    pub(crate) time: f64,
    pub(crate) impacts: usize,
    /// Steps of the series before the ground came to rest.
    pub(crate) steps: usize,
    pub(crate) largest: f64,
    pub(crate) watched: Option<f64>,
    /// Rate (rad/s) with which it meets the base next.
    landing: f64,
    /// Time to that.
    first: f64,
    /// p², sin²(α/2) and the coefficient of the impact that leads there: on this side and on the other.
    p2: [f64; 2],
    half_sine: [f64; 2],
    eta: [f64; 2],
    /// Velocity under which the durations of all flights to come are summed.
    tail: f64,
    /// T = hop ω + bend ω³ for small ω: 2/(p² sin α) and 2 cos α/(3 p⁴ sin³ α) on both sides.
    hop: [f64; 2],
    bend: [f64; 2],
}

impl FreeBlock {
    /// A block at time t with rotation q away from the base and rate v, below its barrier.
    pub(crate) fn new(
        index: usize,
        block: &RockingBlock,
        restitution: &Restitution,
        (time, side, q, v): (f64, Side, f64, f64),
    ) -> Self {
        let corners = [block.corner(side), block.corner(side.other())];
        let here = corners[0];
        let state = elliptic::time_to_base(here.frequency_squared, here.slenderness, q, v);
        // The caller has checked the barrier; a block exactly on it never lands.
        let (first, landing) = state.unwrap_or((f64::INFINITY, 0.0));
        let half_sine = corners.map(|c| {
            let s = libm::sin(0.5 * c.slenderness);
            s * s
        });
        let sine = corners.map(|c| libm::sin(c.slenderness));
        Self {
            index,
            time,
            impacts: 0,
            steps: 0,
            largest: q,
            watched: None,
            landing,
            first,
            p2: corners.map(|c| c.frequency_squared),
            half_sine,
            eta: [
                restitution.coefficient(block, side).max(0.0),
                restitution.coefficient(block, side.other()).max(0.0),
            ],
            // The next term of the duration is (ω/(p sin α))⁴ = 1e-16 of the first.
            tail: 1e-4 * (here.frequency() * sine[0]).min(corners[1].frequency() * sine[1]),
            hop: corners.map(|c| 2.0 / pull(c)),
            bend: corners.map(|c| {
                let linear = c.frequency_squared * libm::cos(c.slenderness);
                2.0 * linear / (3.0 * pull(c) * pull(c) * pull(c))
            }),
        }
    }
}

impl FreeBlock {
    /// Duration of all flights that follow an impact left with the small `rate` on `side` (0 or 1): the rates are a
    /// geometric series with the two coefficients in turn, and so are their cubes. Infinite when no impact takes
    /// energy.
    fn time_to_rest(&self, rate: f64, side: usize) -> f64 {
        if rate <= 0.0 {
            return 0.0;
        }
        let (here, there) = (side, 1 - side);
        // After a flight on this side the impact leads to the other one.
        let (eta, both) = (self.eta[there], self.eta[0] * self.eta[1]);
        let first = rate * (self.hop[here] + eta * self.hop[there]) / (1.0 - both);
        let cube = |x: f64| x * x * x;
        let third =
            cube(rate) * (self.bend[here] + cube(eta) * self.bend[there]) / (1.0 - cube(both));
        first + third
    }
}

/// Angular acceleration p² sin α towards the base of a block just above it.
fn pull(corner: &Corner) -> f64 {
    corner.frequency_squared * libm::sin(corner.slenderness)
}

/// Largest rotation that a free block will still reach on either side; none when this flight or a later one passes its
/// balance.
///
/// A flight lands with the rate it left the base with and no coefficient exceeds one, so the rates only fall from
/// impact to impact, and the first flight on each side is the largest there. The corners of an unsymmetric block have
/// barriers of their own: being below the one does not mean being below the other.
pub(crate) fn largest_to_come(
    equation: Equation,
    block: &RockingBlock,
    restitution: &Restitution,
    side: Side,
    (q, v): (f64, f64),
) -> Option<f64> {
    let turn = |side: Side, q: f64, v: f64| {
        let corner = block.corner(side);
        equation.turn(corner.slenderness, q, v * v / corner.frequency_squared)
    };
    let here = turn(side, q, v)?;
    let mut largest = if v > 0.0 { here } else { q };
    let corner = block.corner(side);
    let fall = corner.frequency_squared * equation.fall_squared(corner.slenderness, q);
    let mut rate = (v * v + fall).sqrt();
    for next in [side.other(), side] {
        rate *= restitution.coefficient(block, next).max(0.0);
        largest = largest.max(turn(next, 0.0, rate)?);
    }
    Some(largest)
}

/// Follows the blocks to rest or beyond the end of the time; none may take more flights than the steps of a simulation.
pub(crate) fn follow(
    arch: Arch,
    blocks: &mut [FreeBlock],
    options: &BatchOptions,
) -> Result<(), RockingError> {
    for group in blocks.chunks_mut(LANES) {
        arch.dispatch(Follow {
            blocks: group,
            options,
        })?;
    }
    Ok(())
}

struct Follow<'a> {
    blocks: &'a mut [FreeBlock],
    options: &'a BatchOptions,
}

/// The blocks of a group, one array per quantity; the two sides alternate, `[0]` being the one of the next impact's
/// flight.
struct Group {
    time: [f64; LANES],
    /// Rate after the last impact.
    rate: [f64; LANES],
    impacts: [usize; LANES],
    watched: [Option<f64>; LANES],
    alive: [bool; LANES],
}

impl WithSimd for Follow<'_> {
    type Output = Result<(), RockingError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> Self::Output {
        let (mut p2, mut half_sine) = ([[1.0; LANES]; 2], [[0.1; LANES]; 2]);
        let mut eta = [[0.0; LANES]; 2];
        let mut group = Group {
            time: [0.0; LANES],
            rate: [0.1; LANES],
            impacts: [0; LANES],
            watched: [None; LANES],
            alive: [false; LANES],
        };
        let (duration, watch) = (self.options.duration, self.options.watched_impact);
        for (l, block) in self.blocks.iter().enumerate() {
            for side in 0..2 {
                p2[side][l] = block.p2[side];
                half_sine[side][l] = block.half_sine[side];
                eta[side][l] = block.eta[side];
            }
            group.impacts[l] = block.impacts;
            group.watched[l] = block.watched;
            group.time[l] = block.time + block.first;
            group.alive[l] = group.time[l] < duration;
            // The first impact leads to the other side.
            group.rate[l] = block.landing;
            group.strike(l, eta[1][l], watch);
        }
        // 1: the blocks fly on the side opposite to the one they came from, 0: on that one.
        let mut side = 1;
        let mut flights = 0;
        while let Some(flying) = group.alive.iter().position(|alive| *alive) {
            flights += 1;
            if flights > self.options.max_steps {
                return Err(RockingError::TooManySteps {
                    time: group.time[flying],
                    limit: self.options.max_steps,
                });
            }
            for (l, block) in self.blocks.iter().enumerate() {
                if group.alive[l] && group.rate[l] <= block.tail {
                    let rest = group.time[l] + block.time_to_rest(group.rate[l], side);
                    // A block that still hops at the end of the time is followed there: its impacts count.
                    if rest <= duration {
                        group.time[l] = rest;
                        group.alive[l] = false;
                    }
                }
            }
            let mut t = elliptic::flight_time(&p2[side], &half_sine[side], &group.rate, USUAL);
            for l in 0..LANES {
                let k2 = half_sine[side][l] - group.rate[l] * group.rate[l] / (4.0 * p2[side][l]);
                if k2 < NEAR_BALANCE * half_sine[side][l] && group.alive[l] {
                    let one = |x: &[[f64; LANES]; 2]| [x[side][l]];
                    let rate = [group.rate[l]];
                    t[l] = elliptic::flight_time(&one(&p2), &one(&half_sine), &rate, MANY)[0];
                }
            }
            for l in 0..LANES {
                if group.alive[l] {
                    group.time[l] += t[l];
                    group.alive[l] = group.time[l] < duration;
                    group.strike(l, eta[1 - side][l], watch);
                }
            }
            side = 1 - side;
        }
        for (l, block) in self.blocks.iter_mut().enumerate() {
            block.time = group.time[l];
            block.impacts = group.impacts[l];
            block.watched = group.watched[l];
        }
        Ok(())
    }
}

impl Group {
    /// Counts the impact of lane `l` and applies its coefficient, if it comes before the end of the time.
    #[inline(always)]
    fn strike(&mut self, l: usize, eta: f64, watch: usize) {
        if self.alive[l] {
            self.impacts[l] += 1;
            if self.impacts[l] == watch {
                self.watched[l] = Some(self.time[l]);
            }
            self.rate[l] *= eta;
        }
    }
}
