//! Newton's law: one frictional contact problem.

use super::friction::Friction;
use super::problem::ImpactProblem;
use crate::error::ContactError;
use crate::lcp::{LcpOptions, LcpStatus};
use crate::linearised_cone::{FacetDirections, FacetProblem};
use crate::problem::FrictionContactProblem;
use crate::problem::cone::tangential;
use crate::solve::{SolveOptions, solve};
use glam::{DVec2, DVec3};

/// Impulses, residual in m/s, and whether it met the tolerance.
pub(super) type Resolved = (Vec<DVec3>, f64, bool);

pub(super) fn resolve(
    problem: &ImpactProblem,
    friction: &Friction,
    options: &SolveOptions,
) -> Result<Resolved, ContactError> {
    let posed = problem.newton()?;
    match friction {
        Friction::MaximumDissipation => {
            let solution = solve(&posed, options);
            let converged = solution.converged();
            Ok((solution.impulses, solution.residual.absolute, converged))
        }
        Friction::Facets(facets) => linearised(&posed, facets, None, options),
        Friction::OpposeIncoming => {
            linearised(&posed, &incoming(problem, &posed, options)?, None, options)
        }
    }
}

/// The LCP of given facets, whose tolerance is relative as that of the exact cone is.
pub(super) fn linearised(
    posed: &FrictionContactProblem,
    facets: &[FacetDirections],
    normal: Option<&[f64]>,
    options: &SolveOptions,
) -> Result<Resolved, ContactError> {
    let lcp = LcpOptions {
        tolerance: options.tolerance,
        ..Default::default()
    };
    let (r, solution) = FacetProblem::new(posed, facets, normal)?.solve(&lcp)?;
    Ok((r, solution.residual, solution.status == LcpStatus::Solved))
}

/// The one direction of each contact that is against its incoming slip.
pub(super) fn incoming(
    problem: &ImpactProblem,
    posed: &FrictionContactProblem,
    options: &SolveOptions,
) -> Result<Vec<FacetDirections>, ContactError> {
    let smooth = frictionless(posed, options)?;
    let slid = posed.velocities(&smooth.0);
    problem
        .contacts()
        .iter()
        .zip(&slid)
        .map(|(c, after)| {
            let scale = c.velocity.length().max(after.length());
            let noise = 1e-12 * scale;
            let slip = [c.velocity, *after]
                .into_iter()
                .find(|u| tangential(*u) > noise);
            // No slip before or after: any direction will do, its impulse is zero.
            FacetDirections::new(vec![slip.map_or(DVec2::X, |u| -DVec2::new(u.y, u.z))])
        })
        .collect()
}

/// The normal impulses without friction.
pub(super) fn frictionless(
    posed: &FrictionContactProblem,
    options: &SolveOptions,
) -> Result<Resolved, ContactError> {
    let zero = vec![0.0; posed.contacts()];
    let smooth = FrictionContactProblem::new(posed.w().clone(), posed.q().to_vec(), zero)?;
    let solution = solve(&smooth, options);
    let converged = solution.converged();
    Ok((solution.impulses, solution.residual.absolute, converged))
}

pub(super) fn largest(q: &[DVec3]) -> f64 {
    let q = q.iter().map(|v| v.length()).fold(0.0, f64::max);
    if q > 0.0 { q } else { 1.0 }
}
