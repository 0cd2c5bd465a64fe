//! Equilibration: a problem in units of its own contacts, and its normal map.

use crate::problem::FrictionContactProblem;
use crate::problem::cone::{project, project_disc, residual, tangential};
use glam::{DMat3, DVec3};

/// Mean of a diagonal block's diagonal after scaling: the step length of the splitting, best between 1 and 10 on the
/// problems of the theory chapter.
const MEAN_DIAGONAL: f64 = 3.0;

/// `W ← c_i W_ij c_j`, `q ← c_i q_i`, `r = c_i r̃_i`: one positive number per contact keeps the cones.
#[derive(Debug, Clone, Default)]
pub(super) struct Equilibrated {
    pub row_start: Vec<usize>,
    pub column: Vec<usize>,
    pub block: Vec<DMat3>,
    pub diagonal: Vec<usize>,
    pub q: Vec<DVec3>,
    pub mu: Vec<f64>,
    pub scale: Vec<f64>,
    /// What `q` and impulses are multiplied with, where they are extreme.
    pub unit: f64,
}

impl Equilibrated {
    /// Takes another problem.
    pub fn load(&mut self, problem: &FrictionContactProblem) {
        let (w, n) = (problem.w(), problem.contacts());
        self.mu.clear();
        self.mu.extend_from_slice(problem.mu());
        self.scale.clear();
        self.scale.extend((0..n).map(|i| {
            let d = w.diagonal(i);
            let mean = if problem.mu()[i] == 0.0 {
                d.x_axis.x
            } else {
                1.0 / w.rho(i)
            };
            if mean > 0.0 {
                (MEAN_DIAGONAL / mean).sqrt()
            } else {
                1.0
            }
        }));
        self.unit = crate::problem::residual::scale(problem.q());
        for list in [&mut self.row_start, &mut self.column, &mut self.diagonal] {
            list.clear();
        }
        self.row_start.push(0);
        self.block.clear();
        self.q.clear();
        for i in 0..n {
            for (j, b) in w.row(i) {
                if i == j {
                    self.diagonal.push(self.block.len());
                }
                self.column.push(j);
                self.block
                    .push(keep(&self.mu, i, j, *b) * (self.scale[i] * self.scale[j]));
            }
            self.row_start.push(self.block.len());
            let q = problem.q()[i] * self.unit * self.scale[i];
            self.q.push(if self.mu[i] == 0.0 {
                DVec3::new(q.x, 0.0, 0.0)
            } else {
                q
            });
        }
    }

    /// Friction coefficients, but none above a limit.
    pub fn limit_friction(&mut self, mu: &[f64], limit: f64) {
        self.mu.clear();
        self.mu.extend(mu.iter().map(|mu| mu.min(limit)));
    }

    /// How far impulses are from the law with the friction as limited, relative to max‖q‖.
    pub fn residual(&self, r: &[DVec3]) -> f64 {
        let (mut largest, mut speed) = (0.0_f64, 0.0_f64);
        for (i, (r_i, c)) in r.iter().zip(&self.scale).enumerate() {
            let u = self.row_times(i, r) + self.q[i];
            let left = residual(*r_i, u, 1.0 / MEAN_DIAGONAL, self.mu[i]);
            largest = largest.max(left / c);
            speed = speed.max(self.q[i].length() / c);
        }
        largest / speed
    }

    pub fn contacts(&self) -> usize {
        self.q.len()
    }

    /// max‖q‖ of the problem itself, in the units of `q` that are not extreme.
    pub fn largest_speed(&self) -> f64 {
        let speeds = self.q.iter().zip(&self.scale).map(|(q, c)| q.length() / c);
        speeds.fold(0.0, f64::max)
    }

    /// `(W r)_i`.
    #[inline]
    fn row_times(&self, i: usize, r: &[DVec3]) -> DVec3 {
        let range = self.row_start[i]..self.row_start[i + 1];
        let mut sum = DVec3::ZERO;
        for (j, b) in self.column[range.clone()].iter().zip(&self.block[range]) {
            sum += *b * r[*j];
        }
        sum
    }

    /// `W x`.
    pub fn times(&self, x: &[DVec3], out: &mut [DVec3]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.row_times(i, x);
        }
    }

    /// `W r + q`.
    pub fn velocities(&self, r: &[DVec3], out: &mut [DVec3]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.row_times(i, r) + self.q[i];
        }
    }

    /// Sweeps of block Gauss–Seidel: at each contact a step against its velocity, then Alart and Curnier's projection.
    pub fn sweep(&self, sweeps: usize, r: &mut [DVec3]) {
        for _ in 0..sweeps {
            for (i, &at) in self.diagonal.iter().enumerate() {
                let d = self.block[at];
                let u = self.row_times(i, r) + self.q[i];
                // The trace bounds the larger of the two tangential eigenvalues.
                let (n, t) = (d.x_axis.x, d.y_axis.y + d.z_axis.z);
                let part = |d: f64| if d > 0.0 { 1.0 / d } else { 0.0 };
                let step = DVec3::new(u.x * part(n), u.y * part(t), u.z * part(t));
                r[i] = project_disc(r[i] - step, self.mu[i]);
            }
        }
    }

    /// `r = P_K(z)` and `G = W r + q + μ‖ũ_T‖ n − ũ`, `ũ = r − z`; with a centre `c`, `ε (r − c)` is added.
    ///
    /// Robinson's normal map: by Moreau's decomposition `r` and `ũ` are complementary for any `z`, so `G = 0` is all
    /// that a solution needs, and in the stick regime `ũ` vanishes with its kink.
    pub fn normal_map(
        &self,
        z: &[DVec3],
        pull: Option<(&[DVec3], f64)>,
        g: &mut [DVec3],
        r: &mut [DVec3],
    ) {
        for ((r, z), mu) in r.iter_mut().zip(z).zip(&self.mu) {
            *r = project(*z, *mu);
        }
        for i in 0..self.contacts() {
            let u = r[i] - z[i];
            let mut sum = self.row_times(i, r) + self.q[i] - u;
            sum.x += self.mu[i] * tangential(u);
            if let Some((centre, eps)) = pull {
                sum += (r[i] - centre[i]) * eps;
            }
            g[i] = sum;
        }
    }

    /// `r = P_K(z)`, and what `G` is beside `(s + W) r`: `q + z + μ‖ũ_T‖ n − (1 + s) r`.
    pub fn splitting_map(&self, z: &[DVec3], shift: f64, g: &mut [DVec3], r: &mut [DVec3]) {
        for i in 0..self.contacts() {
            r[i] = project(z[i], self.mu[i]);
            g[i] = self.q[i] + z[i] - r[i] * (1.0 + shift);
            g[i].x += self.mu[i] * tangential(r[i] - z[i]);
        }
    }

    /// Equilibrated impulses.
    pub fn scaled(&self, physical: &[DVec3], r: &mut [DVec3]) {
        for ((r, physical), c) in r.iter_mut().zip(physical).zip(&self.scale) {
            *r = *physical * self.unit / *c;
        }
    }

    /// A `z` whose projection is the scaled impulse `r`: `r − û`, exact at a solution.
    pub fn start(&self, r: &[DVec3], z: &mut [DVec3]) {
        for i in 0..self.contacts() {
            let mut u = self.row_times(i, r) + self.q[i];
            u.x += self.mu[i] * tangential(u);
            z[i] = r[i] - u;
        }
    }

    /// Back to newton seconds.
    pub fn physical(&self, r: &[DVec3], out: &mut [DVec3]) {
        for ((out, r), c) in out.iter_mut().zip(r).zip(&self.scale) {
            *out = *r * *c / self.unit;
        }
    }
}

/// Without friction a contact has no tangential impulse, so what couples to it can go: the problem is then the LCP in
/// the normals, and the splitting does not chase tangential velocities that nothing answers.
fn keep(mu: &[f64], i: usize, j: usize, mut b: DMat3) -> DMat3 {
    if mu[i] == 0.0 {
        for column in [&mut b.x_axis, &mut b.y_axis, &mut b.z_axis] {
            (column.y, column.z) = (0.0, 0.0);
        }
    }
    if mu[j] == 0.0 {
        (b.y_axis, b.z_axis) = (DVec3::ZERO, DVec3::ZERO);
    }
    b
}
