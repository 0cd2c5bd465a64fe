//! One contact, in closed form.

use super::mobility::mobility;
use super::problem::ContactProblem;
use glam::{DMat3, DVec3};
use klast_contact::{Frame, project, solve_one_contact};

/// One contact: impulse and residual (m/s).
pub(super) fn single(
    problem: &ContactProblem,
    inertia: &DMat3,
    (frame, arm): &(Frame, DVec3),
    posed: DVec3,
) -> Option<(DVec3, f64)> {
    let w = mobility(problem.body, inertia, (frame, *arm), (frame, *arm));
    let mu = problem.coefficients.first()?.friction();
    let impulse = solve_one_contact(&w, posed, mu).ok()?;
    let u = w * impulse + posed;
    // η of `klast_contact::Residual` with the larger μ left to the projection on half line and disc.
    let rho = 3.0 / (w.x_axis.x + w.y_axis.y + w.z_axis.z);
    let hat = u + DVec3::X * (mu.min(1.0) * (u.y * u.y + u.z * u.z).sqrt());
    let residual = match mu <= 1.0 {
        true => (impulse - project(impulse - rho * hat, mu)).length() / rho,
        false => disc_residual(impulse, u, rho, mu),
    };
    Some((impulse, residual))
}

/// ‖r − P(r − ρ u)‖ / ρ with P on half line and disc.
fn disc_residual(r: DVec3, u: DVec3, rho: f64, mu: f64) -> f64 {
    let z = r - rho * u;
    let normal = z.x.max(0.0);
    let (length, limit) = ((z.y * z.y + z.z * z.z).sqrt(), mu * normal);
    let scale = if length > limit { limit / length } else { 1.0 };
    (r - DVec3::new(normal, scale * z.y, scale * z.z)).length() / rho
}
