//! Projected Gauss–Seidel sweeps, accelerated by the nonsmooth nonlinear conjugate gradient method of Silcowitz, Niebe
//! & Erleben (2010): each is followed by a part of the last direction, restarted where the sweep's length grows.

use super::body::{BodyInertia, BodyVelocity};
use super::group::{Group, Row};
use super::problem::Problem;
use super::wide::sweep_groups::{Abreast, WideSweep};
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// Sweeps between two evaluations of the residual.
const INTERVAL: usize = 10;
/// Sweeps after which an opening ends early if its rate would not converge within as many again.
const TRIAL: usize = 20;

/// Sweeps and what they need, kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct AcceleratedSweeps {
    wide: WideSweep,
    tracks: Tracks,
    /// Rows with other biases than those of their problem.
    rows: Vec<Row>,
}

/// The history of the impulses, row by row or wide, and of the velocities.
#[derive(Debug, Clone, Default)]
struct Tracks {
    rows: Track<DVec3>,
    wide: Track<Abreast>,
    /// Body velocities are linear in the impulses and follow them.
    velocities: Track<BodyVelocity>,
}

/// What sweeps are to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// Residual relative to max‖q‖ at which they end.
    pub tolerance: f64,
    pub max_sweeps: usize,
    /// The residual that is worked for in the end, where slow convergence is to end the run early.
    pub opening: Option<f64>,
}

/// Sweeps done, and the residual after them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swept {
    pub sweeps: usize,
    pub residual: f64,
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

impl Linear for BodyVelocity {
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

impl Linear for Abreast {
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

    /// Adds `β` times the direction, which is then extended by the last step. With a `β` of 0 it starts anew.
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
    fn sweep(&mut self, problem: &mut Problem);
    fn impulses<'a>(
        &'a mut self,
        rows: &'a mut [Row],
    ) -> impl Iterator<Item = &'a mut Self::Impulse>;
    /// `Σ ‖r − r₀‖² / ρ` since the impulses `before`.
    fn length(&self, problem: &Problem, before: &[Self::Impulse]) -> f64;
    /// Gives the impulses to the rows of the problem.
    fn hand_over(&self, problem: &mut Problem);
}

/// One group after the other.
struct InTurn;

/// One sweep over one group after the other.
pub(super) fn sweep_in_turn(problem: &mut Problem, count: usize) {
    Arch::new().dispatch(SweepsInTurn {
        groups: &problem.groups,
        rows: &mut problem.rows,
        bodies: &problem.bodies,
        velocities: &mut problem.velocities,
        frictionless: problem.frictionless,
        count,
    });
}

/// Sweeps that are compiled for each vector unit: the same operations, in fewer instructions.
struct SweepsInTurn<'a> {
    groups: &'a [Group],
    rows: &'a mut [Row],
    bodies: &'a [BodyInertia],
    velocities: &'a mut [BodyVelocity],
    frictionless: bool,
    count: usize,
}

impl WithSimd for SweepsInTurn<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for _ in 0..self.count {
            for group in self.groups {
                let rows = &mut self.rows[group.rows()];
                if self.frictionless {
                    group.sweep_normals(rows, self.bodies, self.velocities);
                } else {
                    group.sweep(rows, self.bodies, self.velocities);
                }
            }
        }
    }
}

impl Sweeps for InTurn {
    type Impulse = DVec3;

    fn sweep(&mut self, problem: &mut Problem) {
        sweep_in_turn(problem, 1);
    }

    fn impulses<'a>(&'a mut self, rows: &'a mut [Row]) -> impl Iterator<Item = &'a mut DVec3> {
        rows.iter_mut().map(|row| &mut row.r)
    }

    fn length(&self, problem: &Problem, before: &[DVec3]) -> f64 {
        let mut square = DVec3::ZERO;
        for (row, old) in problem.rows.iter().zip(before) {
            let step = (row.r - *old) * (1.0 / row.rho);
            square += step * (row.r - *old);
        }
        square.x + square.y + square.z
    }

    fn hand_over(&self, _: &mut Problem) {}
}

impl Sweeps for WideSweep {
    type Impulse = Abreast;

    fn sweep(&mut self, problem: &mut Problem) {
        WideSweep::sweep(self, problem, 1);
    }

    fn impulses<'a>(&'a mut self, _: &'a mut [Row]) -> impl Iterator<Item = &'a mut Abreast> {
        self.impulses_mut().iter_mut()
    }

    fn length(&self, problem: &Problem, before: &[Abreast]) -> f64 {
        WideSweep::length(self, problem, before)
    }

    fn hand_over(&self, problem: &mut Problem) {
        self.give_impulses(problem);
    }
}

impl AcceleratedSweeps {
    /// `count` sweeps without acceleration.
    pub fn plain(&mut self, problem: &mut Problem, count: usize) {
        if count > 0 && problem.lanes.in_use() {
            self.wide.run(problem, count);
        } else {
            sweep_in_turn(problem, count);
        }
    }

    /// `count` sweeps of the normals from rest, with other biases; see [`super::Solver::sweep_from_rest`].
    pub fn sweep_from_rest(
        &mut self,
        problem: &Problem,
        biases: &[f64],
        count: usize,
        velocities: &mut Vec<BodyVelocity>,
    ) {
        velocities.clear();
        velocities.resize(problem.bodies.len(), BodyVelocity::default());
        if problem.lanes.in_use() {
            return self
                .wide
                .sweep_from_rest(problem, biases, count, velocities);
        }
        self.rows.clone_from(&problem.rows);
        for row in &mut self.rows {
            let bias = biases.get(row.pair as usize).copied().unwrap_or_default();
            (row.bias, row.r) = (DVec3::X * bias, DVec3::ZERO);
        }
        Arch::new().dispatch(SweepsInTurn {
            groups: &problem.groups,
            rows: &mut self.rows,
            bodies: &problem.bodies,
            velocities,
            frictionless: true,
            count,
        });
    }

    /// Accelerated sweeps.
    pub fn run(&mut self, problem: &mut Problem, run: Run) -> Swept {
        let first = Swept {
            sweeps: 0,
            residual: problem.residual(),
        };
        if problem.relative(first.residual) <= run.tolerance || run.max_sweeps == 0 {
            return first;
        }
        let Tracks {
            rows,
            wide,
            velocities,
        } = &mut self.tracks;
        if problem.lanes.in_use() {
            self.wide.take_impulses(problem);
            accelerate(problem, &mut self.wide, (wide, velocities), run, first)
        } else {
            accelerate(problem, &mut InTurn, (rows, velocities), run, first)
        }
    }
}

fn accelerate<S: Sweeps>(
    problem: &mut Problem,
    sweeps: &mut S,
    (impulses, velocities): (&mut Track<S::Impulse>, &mut Track<BodyVelocity>),
    run: Run,
    mut swept: Swept,
) -> Swept {
    let mut last = 0.0;
    for done in 1..=run.max_sweeps {
        impulses.remember(sweeps.impulses(&mut problem.rows));
        velocities.remember(problem.velocities.iter_mut());
        sweeps.sweep(problem);
        // After a sweep and before the extrapolation the impulses lie in their cones.
        if done == run.max_sweeps || done % INTERVAL == 0 {
            let before = problem.relative(swept.residual);
            sweeps.hand_over(problem);
            swept = Swept {
                sweeps: done,
                residual: problem.residual(),
            };
            let now = problem.relative(swept.residual);
            let slow = |target| done >= TRIAL && is_slow(before, now, target);
            if now <= run.tolerance || run.opening.is_some_and(slow) {
                break;
            }
        }
        if done < run.max_sweeps {
            let length = sweeps.length(problem, &impulses.before);
            // The growth of the squared length since the last sweep.
            let beta = if last > 0.0 && length < last {
                length / last
            } else {
                0.0
            };
            impulses.extend(sweeps.impulses(&mut problem.rows), beta);
            velocities.extend(problem.velocities.iter_mut(), beta);
            last = length;
        }
    }
    swept
}

/// Whether ten more reductions like the last one leave the residual above the tolerance.
fn is_slow(before: f64, now: f64, tolerance: f64) -> bool {
    let rate = (now / before).min(1.0);
    let fifth = rate * rate * rate * rate * rate;
    now * fifth * fifth > tolerance
}
