//! The residual of a problem's answer, by a natural map that is written here and shares nothing with the solvers.

use anyhow::Result;
use glam::{DMat3, DVec2, DVec3};
use klast_contact::{Delassus, FrictionContactProblem, SolveOptions, solve};

/// A frictional contact problem: local frames `(n, t1, t2)`, blocks of the Delassus operator by row and column.
#[derive(Debug, Clone)]
pub struct Posed {
    /// Friction coefficient of each contact.
    pub mu: Vec<f64>,
    /// Velocity of each contact without impulses, m/s.
    pub q: Vec<DVec3>,
    /// Blocks of the Delassus operator, 1/kg.
    pub blocks: Vec<(usize, usize, DMat3)>,
}

impl Posed {
    /// Solves it to a tolerance with the default options and gives the natural map `‖r − P_K(r − û)‖ / ‖q‖` of the
    /// answer, less what two evaluations of it differ by.
    pub(super) fn residual(&self, tolerance: f64) -> Result<f64> {
        let w = Delassus::from_blocks(self.q.len(), self.blocks.iter().copied())?;
        let problem = FrictionContactProblem::new(w, self.q.clone(), self.mu.clone())?;
        let options = SolveOptions {
            tolerance,
            ..SolveOptions::default()
        };
        let r = solve(&problem, &options).impulses;
        let mut u = self.q.clone();
        for (i, j, block) in &self.blocks {
            u[*i] += *block * r[*j];
        }
        let mut square = 0.0;
        for ((r, u), mu) in r.iter().zip(&u).zip(&self.mu) {
            let slip = DVec2::new(u.y, u.z).length();
            let y = *r - (*u + DVec3::X * (mu * slip));
            square += (*r - on_cone(y, *mu)).length_squared();
        }
        let size = |v: &[DVec3]| v.iter().map(|v| v.length_squared()).sum::<f64>().sqrt();
        // The impulses are large where the masses are: they round by themselves.
        let rounding = 8.0 * f64::EPSILON * size(&r) / size(&self.q);
        let residual = square.sqrt() / size(&self.q) - rounding;
        // What is not a number solves nothing.
        Ok(if residual.is_nan() {
            f64::INFINITY
        } else {
            residual.max(0.0)
        })
    }
}

/// The nearest point of the cone `‖r_T‖ ≤ μ r_N`.
fn on_cone(y: DVec3, mu: f64) -> DVec3 {
    let tangent = DVec2::new(y.y, y.z);
    let t = tangent.length();
    if t <= mu * y.x {
        return y;
    }
    if mu * t <= -y.x {
        return DVec3::ZERO;
    }
    let n = (y.x + mu * t) / (1.0 + mu * mu);
    let part = tangent * (mu * n / t);
    DVec3::new(n, part.x, part.y)
}
