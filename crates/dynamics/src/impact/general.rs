//! Any number of contacts of one body, solved in general, in lists that are used again from problem to problem.

use super::mobility;
use crate::{Body, DynamicsError};
use glam::{DMat3, DVec3};
use klast_contact::{Delassus, Frame, FrictionContactProblem, Solution, SolveOptions, Workspace};

/// The contacts, and the problem and the solver that find their impulses.
#[derive(Debug, Clone, Default)]
pub(crate) struct GeneralContacts {
    /// Local frame of each contact, and its arm in world axes.
    pub points: Vec<(Frame, DVec3)>,
    /// `W`, `q` and `μ` of a problem.
    parts: (Delassus, Vec<DVec3>, Vec<f64>),
    workspace: Workspace,
}

impl GeneralContacts {
    /// Solves for the impulses at the points with friction `mu` for all: ũ = W p + q with q in the local frames by `posed`.
    pub fn solve(
        &mut self,
        body: &Body,
        inverse_inertia: &DMat3,
        posed: impl Fn(&Frame, DVec3) -> DVec3,
        mu: f64,
        tolerance: f64,
    ) -> Result<(), DynamicsError> {
        let (mut w, mut q, mut list) = std::mem::take(&mut self.parts);
        fill_delassus(&mut w, body, inverse_inertia, &self.points)?;
        q.clear();
        q.extend(self.points.iter().map(|(frame, arm)| posed(frame, *arm)));
        list.clear();
        list.resize(self.points.len(), mu);
        let problem = FrictionContactProblem::new(w, q, list)?;
        let options = SolveOptions {
            tolerance,
            ..SolveOptions::default()
        };
        self.workspace.solve(&problem, &options, None);
        self.parts = problem.into_parts();
        Ok(())
    }

    /// The last solution: impulses in the local frames.
    pub fn solution(&self) -> &Solution {
        self.workspace.solution()
    }

    /// Arms and impulses of the last solution, in world axes.
    pub fn impulses(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        let local = &self.solution().impulses;
        let both = self.points.iter().zip(local);
        both.map(|((frame, arm), p)| (*arm, frame.to_world(*p)))
    }
}

/// Fills the Delassus operator of several points of one body.
pub(super) fn fill_delassus(
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
