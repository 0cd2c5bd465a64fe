//! Poisson's and Stronge's hypotheses for several contacts: group, then worst first, then plastic.

use super::newton::{Resolved, largest};
use super::problem::ImpactProblem;
use crate::error::ContactError;
use crate::local::slip_path::{Hypothesis, path};
use crate::problem::FrictionContactProblem;
use crate::solve::{SolveOptions, solve};
use glam::{DMat3, DVec3};
use klast_numerics::OutOfRange;

/// A contact that closes more slowly than this part of the largest velocity is left to the plastic end.
const SLOW: f64 = 1e-9;

pub(super) fn resolve(
    problem: &ImpactProblem,
    hypothesis: Hypothesis,
    options: &SolveOptions,
) -> Result<Resolved, ContactError> {
    let contacts = problem.contacts();
    for c in contacts {
        if c.tangential_restitution != 0.0 {
            let (field, found) = ("tangential restitution", c.tangential_restitution);
            return Err(OutOfRange::new(field, found, "0 under Poisson and Stronge").into());
        }
    }
    let mut cascade = Cascade {
        problem,
        hypothesis,
        u: problem.velocities_before(),
        r: vec![DVec3::ZERO; contacts.len()],
    };
    let scale = largest(&cascade.u);
    let mut groups: Vec<u32> = contacts.iter().filter_map(|c| c.group).collect();
    groups.sort_unstable();
    groups.dedup();
    for group in groups {
        let closing: Vec<usize> = (0..contacts.len())
            .filter(|&i| contacts[i].group == Some(group) && cascade.u[i].x < -SLOW * scale)
            .collect();
        cascade.strike(&closing);
    }
    for _ in 0..100 * contacts.len() {
        let worst = (0..contacts.len()).min_by(|&i, &j| cascade.u[i].x.total_cmp(&cascade.u[j].x));
        match worst {
            Some(i) if cascade.u[i].x < -SLOW * scale => cascade.strike(&[i]),
            _ => break,
        }
    }
    cascade.finish(scale, options)
}

struct Cascade<'a> {
    problem: &'a ImpactProblem,
    hypothesis: Hypothesis,
    u: Vec<DVec3>,
    r: Vec<DVec3>,
}

impl Cascade<'_> {
    /// One impact at the mean point of `set`: its velocity is the mean, its `W` the mean of the blocks, and its impulse
    /// is shared equally, which is the same wrench because the contacts have one normal.
    fn strike(&mut self, set: &[usize]) {
        let Some(share) = (!set.is_empty()).then(|| 1.0 / set.len() as f64) else {
            return;
        };
        let (mut w, mut u, mut mu, mut e) = (DMat3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for &i in set {
            let c = &self.problem.contacts()[i];
            for (j, b) in self.problem.w().row(i) {
                if set.contains(&j) {
                    w += *b * (share * share);
                }
            }
            u += self.u[i] * share;
            mu += c.mu * share;
            e += c.restitution * share;
        }
        let p = path(&w, u, mu, e, self.hypothesis) * share;
        for &i in set {
            self.r[i] += p;
        }
        for (i, u) in self.u.iter_mut().enumerate() {
            for (j, b) in self.problem.w().row(i) {
                if set.contains(&j) {
                    *u += *b * p;
                }
            }
        }
    }

    /// Any velocity of closing that is left ends in a plastic impact of all contacts together, which loses energy.
    fn finish(mut self, scale: f64, options: &SolveOptions) -> Result<Resolved, ContactError> {
        let left = self.u.iter().map(|u| -u.x).fold(0.0, f64::max);
        if left <= 1e-14 * scale {
            return Ok((self.r, left, true));
        }
        let mu = self.problem.contacts().iter().map(|c| c.mu).collect();
        let rest = FrictionContactProblem::new(self.problem.w().clone(), self.u.clone(), mu)?;
        // What is left is small against the impact: its own residual need not be.
        let largest_left = largest(&self.u);
        let tolerance = options.tolerance * scale / largest_left;
        let solution = solve(
            &rest,
            &SolveOptions {
                tolerance,
                ..*options
            },
        );
        for (r, p) in self.r.iter_mut().zip(&solution.impulses) {
            *r += *p;
        }
        let converged = solution.converged();
        Ok((self.r, solution.residual.absolute, converged))
    }
}
