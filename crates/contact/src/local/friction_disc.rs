//! Friction of one contact whose normal impulse is given: least energy on the disc `‖r_T‖ ≤ μ r_n`.

use glam::DVec2;
use klast_numerics::roots::bisect;

/// `argmin ½ xᵀ A x + bᵀ x` on the disc of the given radius, `A` symmetric positive semidefinite; `x` stays where `A`
/// and `b` leave it free. Inside: Newton's step. On the rim: `(A + λ) x = −b` with the `λ > 0` that gives the radius.
pub(crate) fn minimum_on_disc(a: [[f64; 2]; 2], b: DVec2, radius: f64, x: DVec2) -> DVec2 {
    let solve = |shift: f64| {
        let (p, q, s) = (a[0][0] + shift, 0.5 * (a[0][1] + a[1][0]), a[1][1] + shift);
        let det = p * s - q * q;
        DVec2::new(-(s * b.x - q * b.y) / det, -(p * b.y - q * b.x) / det)
    };
    if radius <= 0.0 {
        return DVec2::ZERO;
    }
    let trace = a[0][0] + a[1][1];
    if trace <= 0.0 {
        return if b.length() > 0.0 {
            -b * (radius / b.length())
        } else {
            x.clamp_length_max(radius)
        };
    }
    // A shift at rounding level makes a singular block (planar motion) solvable without moving the answer.
    let floor = 1e-15 * trace;
    let inside = solve(floor);
    if inside.is_finite() && inside.length() <= radius {
        return inside;
    }
    // ‖x(λ)‖ falls with λ; at λ = ‖b‖ / radius it is at or under the radius.
    let outside = |shift: f64| solve(shift).length() > radius;
    let (_, high) = bisect(floor, b.length() / radius, 200, |shift| !outside(shift));
    solve(high)
}
