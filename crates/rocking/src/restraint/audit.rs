//! The restrainers of one run: which pull, when they break, and where the energy goes.

use super::{Arm, MOST_RESTRAINERS, Restraint, series};
use crate::block::{RockingBlock, Side};
use crate::flight::{FlightStart, Step, StepEnd};
use crate::kernel;
use klast_numerics::roots::bisect;

/// Looks at a step for the first event of a restrainer.
const LOOKS: usize = 16;

/// Halvings of an interval: to the last digit of the time in a step.
const HALVINGS: u32 = 60;

/// Rotation (rad) of a block on its side, and the pull over the weight that is none but rounding.
const FALLEN: f64 = std::f64::consts::FRAC_PI_2;
const WEAK: f64 = 1e-9;

/// What one restrainer did.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RestrainerReport {
    /// Largest elongation beyond the slack (m).
    pub largest_elongation: f64,
    /// Largest force (N).
    pub largest_force: f64,
    /// When it broke (s).
    pub broke: Option<f64>,
    /// Energy that was stored in it when it broke (J).
    pub dissipated: f64,
}

/// Where the energy went, per mass (J/kg), relative to the base.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RestrainedEnergy {
    /// Of the block and its restrainers at the start.
    pub start: f64,
    /// Of both at the end.
    pub end: f64,
    /// Work of the inertial forces of the moving base.
    pub base_work: f64,
    /// Lost in impacts.
    pub impacts: f64,
    /// Stored in restrainers that broke.
    pub ruptures: f64,
    /// Largest imbalance of one step between events: change of energy less work.
    pub imbalance: f64,
}

/// What the restrainers of a run did.
#[derive(Debug, Clone, PartialEq)]
pub struct RestraintReport {
    /// Each, in the order given.
    pub restrainers: Vec<RestrainerReport>,
    /// Where the energy went.
    pub energy: RestrainedEnergy,
}

/// The restrainers on their way.
pub(crate) struct Held {
    block: RockingBlock,
    restraint: Restraint,
    arms: [[Arm; MOST_RESTRAINERS]; 2],
    side: usize,
    pulls: [bool; MOST_RESTRAINERS],
    report: RestraintReport,
}

fn index(side: Side) -> usize {
    match side {
        Side::Right => 0,
        Side::Left => 1,
    }
}

impl Held {
    pub(crate) fn new(block: &RockingBlock, restraint: &Restraint) -> Self {
        let of = |side| {
            std::array::from_fn(|i| Arm::new(block, side, restraint.mass, &restraint.list[i]))
        };
        Self {
            block: *block,
            restraint: *restraint,
            arms: [of(Side::Right), of(Side::Left)],
            side: 0,
            pulls: [false; MOST_RESTRAINERS],
            report: RestraintReport {
                restrainers: vec![RestrainerReport::default(); restraint.count],
                energy: RestrainedEnergy::default(),
            },
        }
    }

    fn whole(&self, i: usize) -> bool {
        self.report.restrainers[i].broke.is_none()
    }

    /// Whether a whole restrainer pulls at a rotation that the block on `side` may still come to. Its length has one
    /// extreme; one at the corner on which the block turns never pulls.
    pub(crate) fn may_pull(&self, side: Side) -> bool {
        let weak = WEAK * self.block.gravity();
        (0..self.restraint.count).any(|i| {
            let arm = &self.arms[index(side)][i];
            let far = [arm.extreme().min(FALLEN), FALLEN];
            self.whole(i)
                && far
                    .into_iter()
                    .any(|q| arm.stiffness * arm.elongation(q) > weak)
        })
    }

    /// The block turns about the corner of `side` from the rotation `q` on.
    pub(crate) fn pivots(&mut self, side: Side, q: f64) {
        self.side = index(side);
        for i in 0..self.restraint.count {
            let arm = &self.arms[self.side][i];
            let taut = match q {
                0.0 => arm.pulls_from_rest(),
                _ => arm.elongation(q) > 0.0,
            };
            self.pulls[i] = self.whole(i) && taut;
        }
    }

    /// The run begins at rotation `q` on `side` with rate `v`; what is beyond its strength from the start is broken.
    pub(crate) fn begin(&mut self, side: Side, q: f64, v: f64) {
        self.pivots(side, q);
        for i in 0..self.restraint.count {
            if self.pulls[i] && self.arms[self.side][i].breaks(q) {
                self.report.restrainers[i].broke = Some(0.0);
                self.pulls[i] = false;
            }
        }
        self.report.energy.start = self.energy(side, q, v);
    }

    fn pulling(&self) -> impl Iterator<Item = &Arm> {
        let arms = self.arms[self.side].iter().zip(&self.pulls);
        arms.filter_map(|(arm, pulls)| pulls.then_some(arm))
    }

    /// Force on the block over its weight.
    pub(crate) fn force(&self, q: f64) -> (f64, f64) {
        let g = self.block.gravity();
        let add = |sum: (f64, f64), arm: &Arm| {
            let force = arm.force(q);
            (sum.0 + force.0 / g, sum.1 + force.1 / g)
        };
        self.pulling().fold((0.0, 0.0), add)
    }

    fn energy(&self, side: Side, q: f64, v: f64) -> f64 {
        let sign = side.sign();
        let stored: f64 = self.pulling().map(|arm| arm.stored(q)).sum();
        self.block.energy(sign * q, sign * v) + stored
    }

    /// The step of a flight that the restrainers pull back, up to its first event.
    pub(crate) fn step(&self, start: &FlightStart, rest: f64, limit: f64) -> Step {
        let corner = self.block.corner(start.side);
        let inertia = self.block.gyration_squared() + corner.radius * corner.radius;
        let terms = series::series(&start.flight(), inertia, self.pulling());
        let mut length = kernel::step(&terms)[0];
        let (v, pull) = (terms[1][0], -terms[2][0]);
        if terms[0][0] == 0.0 && v > 0.0 && pull > 0.0 {
            length = length.min(1.5 * v / pull);
        }
        let step = Step::cut(terms, length.min(rest), limit);
        match self.first_event(&step) {
            Some(tau) if tau < step.length => {
                let mut short = Step::cut(terms, tau, limit);
                short.end = StepEnd::Time;
                short
            }
            _ => step,
        }
    }

    /// Whether restrainer `i` no longer is what it was, at rotation `q`.
    fn changes(&self, i: usize, q: f64) -> bool {
        let arm = &self.arms[self.side][i];
        match self.pulls[i] {
            true => arm.elongation(q) < 0.0 || arm.breaks(q),
            false => self.whole(i) && arm.elongation(q) > 0.0,
        }
    }

    /// First time at which a restrainer begins or ceases to pull or breaks, from its far side.
    fn first_event(&self, step: &Step) -> Option<f64> {
        let events = (0..self.restraint.count).filter_map(|i| {
            let mut looks = [0.0; LOOKS + 2];
            for (n, look) in looks.iter_mut().take(LOOKS).enumerate() {
                *look = step.length * (n + 1) as f64 / LOOKS as f64;
            }
            // A maximum of the elongation between looks: where the rotation turns, or where the length does.
            looks[LOOKS] = step.turn().map_or(step.length, |(tau, _)| tau);
            let extreme = self.arms[self.side][i].extreme();
            let passed =
                |tau: f64| (step.rotation(tau) > extreme) != (step.rotation(0.0) > extreme);
            looks[LOOKS + 1] = match passed(step.length) {
                true => bisect(0.0, step.length, HALVINGS, passed).0,
                false => step.length,
            };
            looks.sort_by(f64::total_cmp);
            let mut before = 0.0;
            for look in looks {
                if self.changes(i, step.rotation(look)) {
                    let (_, after) = bisect(before, look, HALVINGS, |tau| {
                        self.changes(i, step.rotation(tau))
                    });
                    return Some(after);
                }
                before = look;
            }
            None
        });
        events.reduce(f64::min)
    }

    /// Takes a step to its end: extremes, energy, and what changes there. The restrainers that break.
    pub(crate) fn pass(
        &mut self,
        start: &FlightStart,
        step: &Step,
    ) -> impl Iterator<Item = usize> + use<> {
        let (side, t, h) = (start.side, start.t, step.length);
        let (q, v) = (step.rotation(h), step.rate(h));
        let before = self.energy(side, step.rotation(0.0), step.rate(0.0));
        let work = base_work(start, step);
        let energy = self.energy(side, q, v);
        let account = &mut self.report.energy;
        account.base_work += work;
        account.imbalance = account.imbalance.max((energy - before - work).abs());
        let most = step.turn().map_or(q, |(_, peak)| peak);
        let mut broken = [false; MOST_RESTRAINERS];
        for (i, broken) in broken.iter_mut().enumerate().take(self.restraint.count) {
            let arm = self.arms[self.side][i];
            if self.pulls[i] {
                let e = arm.elongation(q).max(arm.elongation(most)).min(arm.limit);
                let report = &mut self.report.restrainers[i];
                report.largest_elongation = report.largest_elongation.max(e);
                report.largest_force = self.restraint.list[i].stiffness * report.largest_elongation;
            }
            if step.end == StepEnd::Base || !self.changes(i, q) {
                continue;
            }
            if self.pulls[i] && arm.breaks(q) {
                let stored = arm.stored(q);
                self.report.restrainers[i].broke = Some(t + h);
                self.report.restrainers[i].dissipated = stored * self.restraint.mass;
                self.report.energy.ruptures += stored;
                *broken = true;
                self.pulls[i] = false;
            } else {
                self.pulls[i] = !self.pulls[i];
            }
        }
        (0..self.restraint.count).filter(move |i| broken[*i])
    }

    /// An impact that turns `before` on the corner of `old` into `after` on the other.
    pub(crate) fn impact(&mut self, old: Side, before: f64, after: f64) {
        let lost = self.energy(old, 0.0, before) - self.energy(old.other(), 0.0, after);
        self.report.energy.impacts += lost;
        self.pivots(old.other(), 0.0);
    }

    /// The block is laid flat with the rate `v` left on `side`.
    pub(crate) fn settles(&mut self, side: Side, v: f64) {
        self.report.energy.impacts += self.block.energy(0.0, side.sign() * v);
    }

    /// The report of a run that ends at rotation `q` on `side`, or at rest.
    pub(crate) fn end(mut self, state: Option<(Side, f64, f64)>) -> RestraintReport {
        self.report.energy.end = state.map_or(0.0, |(side, q, v)| self.energy(side, q, v));
        self.report
    }
}

/// Nodes and weights of Gauss and Legendre on (0, 1), exact to degree 19: beyond what a step of order 20 resolves.
const GAUSS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// Work per mass of the inertial forces of the base over a step: −∫ (ü ẋ + v̈ ż) dτ of the mass centre.
fn base_work(start: &FlightStart, step: &Step) -> f64 {
    let (block, side, pieces, t) = (start.block, start.side, start.pieces, start.t);
    let corner = block.corner(side);
    let power = |tau: f64| {
        let (sin, cos) = libm::sincos(corner.slenderness - step.rotation(tau));
        let speed = corner.radius * step.rate(tau);
        let along = pieces.0.acceleration(t + tau) * side.sign() * cos;
        -speed * (along + pieces.1.acceleration(t + tau) * sin)
    };
    let half = 0.5 * step.length;
    let pair =
        |(x, weight): &(f64, f64)| weight * (power(half * (1.0 - x)) + power(half * (1.0 + x)));
    half * GAUSS.iter().map(pair).sum::<f64>()
}
