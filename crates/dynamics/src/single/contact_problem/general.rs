//! Any number of contacts of one body, solved as an assembled problem.

use super::super::ground_law::Coefficients;
use super::mobility::mobility;
use crate::{Body, DynamicsError};
use glam::{DMat3, DVec3};
use klast_contact::{Delassus, Frame, FrictionContactProblem, SolveOptions, Workspace};

/// The problem and the solver that finds its impulses.
#[derive(Debug, Clone, Default)]
pub(crate) struct GeneralContacts {
    /// `W`, `q` and `μ` of a problem.
    parts: (Delassus, Vec<DVec3>, Vec<f64>),
    workspace: Workspace,
}

impl GeneralContacts {
    /// Solves for the impulses at points with posed velocities q, and the coefficients of each: ũ = W p + q.
    /// Residual (m/s), and whether it met the tolerance.
    pub(crate) fn solve(
        &mut self,
        body: &Body,
        inverse_inertia: &DMat3,
        (points, posed): (&[(Frame, DVec3)], &[DVec3]),
        coefficients: &[Coefficients],
        tolerance: f64,
    ) -> (f64, bool) {
        let (mut w, mut q, mut list) = std::mem::take(&mut self.parts);
        if fill_delassus(&mut w, body, inverse_inertia, points).is_err() {
            return (f64::INFINITY, false);
        }
        q.clear();
        q.extend_from_slice(posed);
        list.clear();
        list.extend(coefficients.iter().map(Coefficients::friction));
        let Ok(problem) = FrictionContactProblem::new(w, q, list) else {
            return (f64::INFINITY, false);
        };
        let options = SolveOptions {
            tolerance,
            ..SolveOptions::default()
        };
        self.workspace.solve(&problem, &options, None);
        self.parts = problem.into_parts();
        let solution = self.workspace.solution();
        (solution.residual.absolute, solution.converged())
    }

    /// The impulses of the last problem in the local frames.
    pub(crate) fn impulses(&self) -> &[DVec3] {
        &self.workspace.solution().impulses
    }
}

/// Fills the Delassus operator of several points of one body.
pub(crate) fn fill_delassus(
    w: &mut Delassus,
    body: &Body,
    inverse_inertia: &DMat3,
    points: &[(Frame, DVec3)],
) -> Result<(), DynamicsError> {
    let block = |k: usize, l: usize| {
        let ((f, r), (g, s)) = (&points[k], &points[l]);
        mobility(body, inverse_inertia, (f, *r), (g, *s))
    };
    // The lower half is the mirror of the upper one, bit for bit: an unsymmetric W makes energy.
    let symmetric = |k, l| match k <= l {
        true => block(k, l),
        false => block(l, k).transpose(),
    };
    Ok(w.fill(points.len(), symmetric)?)
}
