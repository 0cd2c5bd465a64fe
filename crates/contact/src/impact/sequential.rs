//! The sequential law: normal impulses first, friction after.

use super::friction::Friction;
use super::newton::{Resolved, frictionless, incoming, largest, linearised};
use super::problem::ImpactProblem;
use crate::error::ContactError;
use crate::local::minimum_on_disc;
use crate::problem::FrictionContactProblem;
use crate::solve::SolveOptions;
use glam::{DVec2, DVec3};

pub(super) fn resolve(
    problem: &ImpactProblem,
    friction: &Friction,
    options: &SolveOptions,
) -> Result<Resolved, ContactError> {
    let posed = problem.newton()?;
    let (smooth, normal_residual, normal_ok) = frictionless(&posed, options)?;
    let held: Vec<f64> = smooth.iter().map(|r| r.x).collect();
    let (impulses, residual, ok) = match friction {
        Friction::MaximumDissipation => least_energy(&posed, &held, options),
        Friction::Facets(facets) => linearised(&posed, facets, Some(&held), options)?,
        Friction::OpposeIncoming => linearised(
            &posed,
            &incoming(problem, &posed, options)?,
            Some(&held),
            options,
        )?,
    };
    Ok((impulses, residual.max(normal_residual), ok && normal_ok))
}

/// Minimises `½ r_Tᵀ W_TT r_T + r_Tᵀ u_T` over the discs `‖r_T‖ ≤ μ r_n` with `r_n` held: contact after contact, each
/// exactly. The problem is convex, so that ends at the minimum.
fn least_energy(
    posed: &FrictionContactProblem,
    normal: &[f64],
    options: &SolveOptions,
) -> Resolved {
    let mut r: Vec<DVec3> = normal.iter().map(|&n| DVec3::new(n, 0.0, 0.0)).collect();
    let scale = largest(posed.q());
    let mut residual = f64::INFINITY;
    for _ in 0..options.max_iterations {
        residual = 0.0;
        for i in 0..posed.contacts() {
            let radius = posed.mu()[i] * normal[i];
            let u = posed.velocity(i, &r);
            let d = posed.w().diagonal(i);
            let old = DVec2::new(r[i].y, r[i].z);
            let a = [[d.y_axis.y, d.z_axis.y], [d.y_axis.z, d.z_axis.z]];
            let own = DVec2::new(
                a[0][0] * old.x + a[0][1] * old.y,
                a[1][0] * old.x + a[1][1] * old.y,
            );
            let next = minimum_on_disc(a, DVec2::new(u.y, u.z) - own, radius, old);
            let rho = posed.w().rho(i);
            let step = old - DVec2::new(u.y, u.z) * rho;
            let length = step.length();
            let projected = if length > radius {
                step * (radius / length)
            } else {
                step
            };
            residual = f64::max(residual, (old - projected).length() / rho);
            r[i] = DVec3::new(normal[i], next.x, next.y);
        }
        if residual <= options.tolerance * scale {
            return (r, residual, true);
        }
    }
    (r, residual, false)
}
