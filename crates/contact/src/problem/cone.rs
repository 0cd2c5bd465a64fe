//! Coulomb's cone `K_μ = {r : ‖r_T‖ ≤ μ r_n}` and its dual `K* = {v : v_n ≥ μ‖v_T‖}`.

use glam::DVec3;

/// Euclidean projection of a local vector `(n, t1, t2)` on `K_μ`.
#[inline(always)]
pub fn project(z: DVec3, mu: f64) -> DVec3 {
    let t = tangential(z);
    // Opening comes first: without friction a negative normal part would pass for a point of the cone.
    if mu * t <= -z.x {
        DVec3::ZERO
    } else if t <= mu * z.x {
        z
    } else {
        let n = (z.x + mu * t) / (1.0 + mu * mu);
        let scale = mu * n / t;
        DVec3::new(n, scale * z.y, scale * z.z)
    }
}

/// Alart and Curnier's projection: the normal part on the half line, the tangential one on the disc `μ r_n`; its fixed
/// points `r = P(r − ρ u)` are the solutions with the exact cone.
#[inline(always)]
pub(crate) fn project_disc(y: DVec3, mu: f64) -> DVec3 {
    let n = y.x.max(0.0);
    let (square, limit) = (y.y * y.y + y.z * y.z, mu * n);
    let scale = if square > limit * limit {
        limit / square.sqrt()
    } else {
        1.0
    };
    DVec3::new(n, scale * y.y, scale * y.z)
}

/// μ from which the exact cone's residual alone is no measure, and from which it is none at all.
const STEEP: f64 = 1.0;
const LEVEL: f64 = 1e4;

/// How far an impulse and the relative velocity that it leads to are from the law, as a velocity: `‖r − P_K(r − ρ û)‖ /
/// ρ`.
///
/// The projection on a steep cone divides a normal velocity by `√(1 + μ²)`, and what sinks in at 1 m/s would pass at
/// large μ. There the residual of Alart and Curnier's projection, which does not, counts as well. De Saxcé's term for
/// its part multiplies the rounding of `u_T` by μ; where that would be all there is to see, the other residual stands
/// alone.
#[inline(always)]
pub(crate) fn residual(r: DVec3, u: DVec3, rho: f64, mu: f64) -> f64 {
    let cone = gap(r, u, rho, mu).length() / rho;
    if mu <= STEEP || mu > LEVEL {
        return cone;
    }
    let disc = disc_gap(r, u, rho, mu).length() / rho;
    if disc.is_finite() {
        cone.max(disc)
    } else {
        disc
    }
}

/// `r − P_K(r − ρ û)`, on half line and disc where μ is beyond measure with the cone.
#[inline(always)]
pub(crate) fn gap(r: DVec3, u: DVec3, rho: f64, mu: f64) -> DVec3 {
    if mu > LEVEL {
        return disc_gap(r, u, rho, mu);
    }
    r - project(r - rho * de_saxce(u, mu), mu)
}

/// `r − P(r − ρ u)` on half line and disc.
#[inline(always)]
fn disc_gap(r: DVec3, u: DVec3, rho: f64, mu: f64) -> DVec3 {
    r - project_disc(r - rho * u, mu)
}

/// Whether `r` lies in `K_μ` up to `slack` (in the unit of `r`).
pub fn in_cone(r: DVec3, mu: f64, slack: f64) -> bool {
    tangential(r) <= mu * r.x + slack && r.x >= -slack
}

/// Length of the tangential part.
#[inline(always)]
pub(crate) fn tangential(v: DVec3) -> f64 {
    (v.y * v.y + v.z * v.z).sqrt()
}

/// De Saxcé's velocity `û = u + μ‖u_T‖ n`.
#[inline(always)]
pub(crate) fn de_saxce(u: DVec3, mu: f64) -> DVec3 {
    DVec3::new(u.x + mu * tangential(u), u.y, u.z)
}
