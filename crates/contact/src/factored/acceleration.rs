//! Sweeps accelerated by the nonsmooth nonlinear conjugate gradient method of Silcowitz, Niebe & Erleben (2010): each is
//! followed by a part of the last direction, restarted where the sweep's length grows.

use super::group::Row;
use super::lanes::Impulses;
use super::packs::Packs;
use super::run::Goal;
use super::{FactoredProblem, NodeVelocity, SweepReport};
use glam::DVec3;

/// Sweeps between two looks at the residual.
const LOOK: usize = 10;
/// Sweeps after which an opening ends early if its rate would not bring it there within as many again.
const TRIAL: usize = 20;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    rows: Track<DVec3>,
    lanes: Track<Impulses>,
    /// Node velocities are linear in the impulses and go along.
    velocities: Track<NodeVelocity>,
}

/// What is extrapolated.
trait Linear: Copy {
    /// `self − other`.
    fn less(&self, other: &Self) -> Self;
    /// `self ← self + factor other`.
    fn gain(&mut self, factor: f64, other: &Self);
}

impl Linear for DVec3 {
    #[inline(always)]
    fn less(&self, other: &Self) -> Self {
        *self - *other
    }

    #[inline(always)]
    fn gain(&mut self, factor: f64, other: &Self) {
        *self += *other * factor;
    }
}

impl Linear for NodeVelocity {
    #[inline(always)]
    fn less(&self, other: &Self) -> Self {
        Self {
            linear: self.linear - other.linear,
            angular: self.angular - other.angular,
        }
    }

    #[inline(always)]
    fn gain(&mut self, factor: f64, other: &Self) {
        self.linear += other.linear * factor;
        self.angular += other.angular * factor;
    }
}

impl Linear for Impulses {
    #[inline(always)]
    fn less(&self, other: &Self) -> Self {
        let mut step = *self;
        step.gain(-1.0, other);
        step
    }

    #[inline(always)]
    fn gain(&mut self, factor: f64, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            for (x, y) in own.iter_mut().zip(other) {
                *x += factor * y;
            }
        }
    }
}

/// What a list was before a sweep, and the direction in which it goes.
#[derive(Debug, Clone)]
struct Track<T> {
    before: Vec<T>,
    direction: Vec<T>,
}

impl<T> Default for Track<T> {
    fn default() -> Self {
        Self {
            before: Vec::new(),
            direction: Vec::new(),
        }
    }
}

impl<T: Linear> Track<T> {
    fn remember<'a>(&mut self, now: impl Iterator<Item = &'a mut T>)
    where
        T: 'a,
    {
        self.before.clear();
        self.before.extend(now.map(|x| *x));
    }

    /// Adds `β` times the direction, which goes on by the last step. With a `β` of 0 it starts anew.
    fn extend<'a>(&mut self, now: impl Iterator<Item = &'a mut T>, beta: f64)
    where
        T: 'a,
    {
        if beta == 0.0 {
            self.direction.clear();
            let step = |(x, before): (&mut T, &T)| x.less(before);
            self.direction.extend(now.zip(&self.before).map(step));
            return;
        }
        for ((x, before), d) in now.zip(&self.before).zip(&mut self.direction) {
            let mut next = x.less(before);
            x.gain(beta, d);
            next.gain(beta, d);
            *d = next;
        }
    }
}

/// How sweeps are done, and where the impulses are meanwhile.
trait Sweeps {
    type Impulse: Linear;
    fn sweep(&mut self, problem: &mut FactoredProblem);
    fn impulses<'a>(
        &'a mut self,
        rows: &'a mut [Row],
    ) -> impl Iterator<Item = &'a mut Self::Impulse>;
    /// `Σ ‖r − r₀‖² / ρ` since the impulses `before`.
    fn length(&self, rows: &[Row], before: &[Self::Impulse]) -> f64;
    /// Gives the impulses to the rows of the problem.
    fn hand_over(&self, problem: &mut FactoredProblem);
}

struct InTurn;

impl Sweeps for InTurn {
    type Impulse = DVec3;

    fn sweep(&mut self, problem: &mut FactoredProblem) {
        problem.sweep_in_turn(1);
    }

    fn impulses<'a>(&'a mut self, rows: &'a mut [Row]) -> impl Iterator<Item = &'a mut DVec3> {
        rows.iter_mut().map(|row| &mut row.r)
    }

    fn length(&self, rows: &[Row], before: &[DVec3]) -> f64 {
        let mut square = DVec3::ZERO;
        for (row, old) in rows.iter().zip(before) {
            let step = (row.r - *old) * (1.0 / row.rho);
            square += step * (row.r - *old);
        }
        square.x + square.y + square.z
    }

    fn hand_over(&self, _: &mut FactoredProblem) {}
}

impl Sweeps for Packs {
    type Impulse = Impulses;

    fn sweep(&mut self, problem: &mut FactoredProblem) {
        Packs::sweep(self, &mut problem.velocities, 1);
    }

    fn impulses<'a>(&'a mut self, _: &'a mut [Row]) -> impl Iterator<Item = &'a mut Impulses> {
        self.impulses_mut().iter_mut()
    }

    fn length(&self, _: &[Row], before: &[Impulses]) -> f64 {
        Packs::length(self, before)
    }

    fn hand_over(&self, problem: &mut FactoredProblem) {
        self.give_impulses(problem);
    }
}

impl FactoredProblem {
    /// Accelerated sweeps until the goal. As an opening it ends where it crawls.
    pub(super) fn accelerated(
        &mut self,
        goal: Goal,
        max_sweeps: usize,
        opening: bool,
    ) -> SweepReport {
        let first = self.report(0, goal);
        if first.converged || max_sweeps == 0 {
            return first;
        }
        let mut buffers = std::mem::take(&mut self.acceleration);
        let (asked, velocities) = ((goal, max_sweeps, opening), &mut buffers.velocities);
        let report = if self.lanes_pay() {
            let mut packs = std::mem::take(&mut self.packs);
            packs.take_impulses(self);
            let report =
                self.run_sweeps(&mut packs, (&mut buffers.lanes, velocities), asked, first);
            self.packs = packs;
            report
        } else {
            self.run_sweeps(&mut InTurn, (&mut buffers.rows, velocities), asked, first)
        };
        self.acceleration = buffers;
        report
    }

    fn run_sweeps<S: Sweeps>(
        &mut self,
        sweeps: &mut S,
        (impulses, velocities): (&mut Track<S::Impulse>, &mut Track<NodeVelocity>),
        (goal, max_sweeps, opening): (Goal, usize, bool),
        mut report: SweepReport,
    ) -> SweepReport {
        let mut last = 0.0;
        for done in 1..=max_sweeps {
            impulses.remember(sweeps.impulses(&mut self.rows));
            velocities.remember(self.velocities.iter_mut());
            sweeps.sweep(self);
            // After a sweep and before the extrapolation the impulses lie in their cones.
            if done == max_sweeps || done % LOOK == 0 {
                let before = report.relative;
                sweeps.hand_over(self);
                report = self.report(done, goal);
                let jams = opening && done >= TRIAL && crawls(before, report.relative, goal.aim);
                if report.converged || jams {
                    break;
                }
            }
            if done < max_sweeps {
                let length = sweeps.length(&self.rows, &impulses.before);
                // The growth of the squared length since the last sweep.
                let beta = if last > 0.0 && length < last {
                    length / last
                } else {
                    0.0
                };
                impulses.extend(sweeps.impulses(&mut self.rows), beta);
                velocities.extend(self.velocities.iter_mut(), beta);
                last = length;
            }
        }
        report
    }
}

/// Whether ten more reductions like the last one leave the residual above the tolerance.
fn crawls(before: f64, now: f64, tolerance: f64) -> bool {
    let rate = (now / before).min(1.0);
    let fifth = rate * rate * rate * rate * rate;
    now * fifth * fifth > tolerance
}
