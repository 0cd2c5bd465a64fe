//! Along the curve of solutions of the smoothed problem, by arclength.

use super::body::BodyVelocity;
use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::smoothed_curve::{CurveState, SmoothedCurve};
use super::wide::smoothed_laws::WideSmoothedContact;
use crate::continuation::arclength::ArclengthContinuation;
use crate::problem::cone::project_disc;

/// Newton steps to the curve, and factorisations along it: most take 500 to 1,000.
const APPROACH: usize = 20;
const STEPS: usize = 3000;

/// A point that goes along the curve.
#[derive(Debug, Clone, Default)]
pub(super) struct CurveFollower {
    arclength: ArclengthContinuation,
    state: CurveState,
}

impl CurveFollower {
    pub fn is_on_curve(&self) -> bool {
        self.arclength.is_on_curve()
    }

    /// From the end of a homotopy to the curve at the same τ, within so many steps; the factorisations done.
    pub fn approach(
        &mut self,
        problem: &mut Problem,
        system: &mut NewtonSystem,
        (contacts, tau): (&[WideSmoothedContact], f64),
        most: usize,
    ) -> usize {
        let mut curve = SmoothedCurve {
            state: &mut self.state,
            problem,
            system,
        };
        curve.start(contacts);
        self.arclength
            .begin(libm::log(tau), APPROACH, curve.unknowns());
        let mut steps = 0;
        let approaches =
            |a: &ArclengthContinuation| !a.is_on_curve() && a.continues(f64::NEG_INFINITY);
        while steps < most && approaches(&self.arclength) {
            self.arclength.step(&mut curve);
            steps += 1;
        }
        steps
    }

    /// Along the curve until `τ ≤ end max‖q‖`, within so many steps; the factorisations done, and whether the end was
    /// reached. Leaves impulses within their cones and velocities that belong to them, and hands over the velocities of
    /// the curve.
    pub fn follow(
        &mut self,
        problem: &mut Problem,
        system: &mut NewtonSystem,
        end: f64,
        most: usize,
        velocities: &mut Vec<BodyVelocity>,
    ) -> (usize, bool) {
        let end = libm::log(end * problem.q_max);
        let most = STEPS.min(most);
        let mut curve = SmoothedCurve {
            state: &mut self.state,
            problem,
            system,
        };
        let mut steps = 0;
        self.arclength.predict();
        while steps < most && self.arclength.continues(end) {
            self.arclength.step(&mut curve);
            steps += 1;
        }
        self.arclength.restore();
        let log_tau = self.arclength.log_tau;
        curve.evaluate(log_tau, &mut self.arclength.unknowns);
        velocities.clone_from(&problem.velocities);
        for (row, unknown) in problem.rows.iter_mut().zip(&self.arclength.unknowns) {
            row.r = project_disc(unknown.z, row.mu);
        }
        problem.update_velocities();
        (steps, self.arclength.has_reached(end))
    }
}
