//! The solutions of the problem of bodies with a smoothed law, for arc-length continuation.
//!
//! > `F(z, τ) = z − r + ρ (H v + b) + ε (r − r_c) = 0`, `r = φ_τ(z)`, `M (v − v₀) = Hᵀ r`
//!
//! `v` is eliminated as in [`super::smoothed_system`]: with `K = (S⁻¹ + ε)⁻¹` the solution of `∂F/∂z x = g` comes from
//! `(M + Hᵀ K ρ H) y = Hᵀ K g`. ε is constant: where it is larger or falls with τ the end is not yet a solution, and
//! Newton's method converges slowly from there.

use super::body::BodyVelocity;
use super::narrowing::Narrowing;
use super::newton_system::NewtonSystem;
use super::problem::Problem;
use super::wide::groups::WideIndex;
use super::wide::lane::{get, put};
use super::wide::smoothed_laws::{Laws, WideSmoothedContact};
use super::wide::smoothed_step::Assembly;
use crate::continuation::arclength::{self, ContactUnknown};
use crate::continuation::homotopy::Smoothing;
use crate::continuation::smoothed_law::SmoothedLaw;
use glam::DVec3;
use pulp::Arch;

/// `ε`, in units of the contact's own `1/ρ`. With 1e-6 and 1e-8 fewer curves are followed to their end.
const SOFTNESS: f64 = 1e-7;
/// Solutions with the same factors, each for what the last has left: near a fold the matrix is nearly singular.
const REFINEMENTS: usize = 3;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct CurveState {
    contacts: Vec<WideSmoothedContact>,
    /// The same laws, contact by contact.
    laws: Vec<SmoothedLaw>,
    /// `r_c`.
    centre: Vec<DVec3>,
    /// Velocities of the bodies that a linear system gives, and none.
    response: Vec<BodyVelocity>,
    none: Vec<BodyVelocity>,
    narrowing: Narrowing,
}

/// A problem with the state of its curve and all that a linearisation needs.
pub(super) struct SmoothedCurve<'a> {
    pub state: &'a mut CurveState,
    pub problem: &'a mut Problem,
    pub system: &'a mut NewtonSystem,
}

impl SmoothedCurve<'_> {
    /// Starts beside the curve: at the present point of a homotopy.
    pub fn start(&mut self, contacts: &[WideSmoothedContact]) {
        let (state, problem) = (&mut *self.state, &*self.problem);
        state.contacts.clear();
        state.contacts.extend_from_slice(contacts);
        problem.store_impulses(&mut state.centre);
        for list in [&mut state.response, &mut state.none] {
            list.clear();
            list.resize(problem.velocities.len(), BodyVelocity::default());
        }
        state.narrowing.begin();
    }

    /// The unknowns there.
    pub fn unknowns(&self) -> impl Iterator<Item = ContactUnknown> + '_ {
        let rows = self.system.groups.index.iter().zip(&self.problem.rows);
        rows.map(|(index, row)| {
            let z = get(&self.state.contacts[index.contact].z, index.lane);
            ContactUnknown::new(z, row.mu, row.rho)
        })
    }

    /// Laws at the present point, the velocities that belong to their impulses, and `F` in the place of Newton's step.
    pub fn evaluate(&mut self, log_tau: f64, unknowns: &mut [ContactUnknown]) {
        let (state, problem) = (&mut *self.state, &mut *self.problem);
        let groups = &self.system.groups;
        for (index, unknown) in groups.index.iter().zip(&*unknowns) {
            put(&mut state.contacts[index.contact].z, index.lane, unknown.z);
        }
        Arch::new().dispatch(Laws {
            points: &mut state.contacts,
            contacts: &groups.contacts,
            smoothing: Smoothing {
                tau: libm::exp(log_tau),
                softness: SOFTNESS,
            },
        });
        state.laws.clear();
        let law = |index: &WideIndex| state.contacts[index.contact].law(index.lane);
        state.laws.extend(groups.index.iter().map(law));
        for (row, law) in problem.rows.iter_mut().zip(&state.laws) {
            row.r = law.r;
        }
        problem.update_velocities();
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            for i in group.rows() {
                let (row, r, unknown) = (&problem.rows[i], state.laws[i].r, &mut unknowns[i]);
                let pull = (r - state.centre[i]) * SOFTNESS;
                unknown.newton = unknown.z - r + v.at(row) * row.rho + pull;
            }
        }
    }

    /// The right-hand side `∂F/∂ln τ = ρ H M⁻¹ Hᵀ φ′ − (1 − ε) φ′`, `φ′ = ∂φ/∂ln τ`, in the place of the slope.
    fn slopes(&mut self, tau: f64, unknowns: &mut [ContactUnknown]) {
        let (state, problem) = (&mut *self.state, &*self.problem);
        self.system.clear_gradient();
        for group in &problem.groups {
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.rows() {
                let row = &problem.rows[i];
                let r = state.laws[i].rate * (tau * row.rho);
                p += r;
                t += row.offset.cross(r);
            }
            self.system.subtract(group, p, t);
        }
        state.response.fill(BodyVelocity::default());
        self.system.response(&problem.bodies, &mut state.response);
        for group in &problem.groups {
            let v = group.relative(&state.response);
            for i in group.rows() {
                let row = &problem.rows[i];
                let r = state.laws[i].rate * (tau * row.rho);
                unknowns[i].slope = (v.at(row) - row.bias) * row.rho - r * (1.0 - SOFTNESS);
            }
        }
    }

    /// Assembles and factors the matrix; false where it is singular.
    fn factor(&mut self) -> bool {
        self.system.clear();
        // The gradient is another one for each solution.
        let (groups, gradient, matrix) = self.system.parts();
        Arch::new().dispatch(Assembly {
            groups,
            gradient,
            matrix,
            points: &self.state.contacts,
            takes_part: self.state.narrowing.takes_part(),
            fall: 0.0,
        });
        self.system.factor()
    }

    /// `A⁻¹ g` in the place of `g`, with the present factors.
    fn solve(
        &mut self,
        unknowns: &mut [ContactUnknown],
        of: impl Fn(&mut ContactUnknown) -> &mut DVec3,
    ) {
        let (state, problem) = (&mut *self.state, &*self.problem);
        state.response.fill(BodyVelocity::default());
        for _ in 0..REFINEMENTS {
            self.system.momentum(&state.response, &state.none);
            for group in &problem.groups {
                let v = group.relative(&state.response);
                let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
                for i in group.rows() {
                    let row = &problem.rows[i];
                    let left = *of(&mut unknowns[i]) - (v.at(row) - row.bias) * row.rho;
                    let r = state.laws[i].stiffness() * left;
                    p += r;
                    t += row.offset.cross(r);
                }
                self.system.subtract(group, p, t);
            }
            self.system.substitute();
            self.system.advance(&mut state.response, 1.0);
        }
        for group in &problem.groups {
            let v = group.relative(&state.response);
            for i in group.rows() {
                let row = &problem.rows[i];
                let g = of(&mut unknowns[i]);
                let left = *g - (v.at(row) - row.bias) * row.rho;
                *g = left + state.laws[i].stiffness() * left * (1.0 - SOFTNESS);
            }
        }
    }
}

impl arclength::SmoothedCurve for SmoothedCurve<'_> {
    fn linearise(&mut self, log_tau: f64, unknowns: &mut [ContactUnknown]) -> bool {
        let tau = libm::exp(log_tau);
        self.evaluate(log_tau, unknowns);
        self.slopes(tau, unknowns);
        let CurveState {
            narrowing,
            contacts,
            ..
        } = &mut *self.state;
        narrowing.restrict_pattern(self.system, self.problem, contacts, tau);
        if !self.factor() {
            return false;
        }
        self.solve(unknowns, |unknown| &mut unknown.newton);
        self.solve(unknowns, |unknown| &mut unknown.slope);
        let finite = |p: &ContactUnknown| p.newton.is_finite() && p.slope.is_finite();
        unknowns.iter().all(finite)
    }
}
