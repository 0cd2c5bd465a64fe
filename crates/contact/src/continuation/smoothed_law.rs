//! The law of contact, smoothed.

use glam::{DMat3, DVec3};

/// Numbers that a law consists of.
pub(crate) const NUMBERS: usize = 12;

/// The law at one contact, smoothed over impulses of size τ.
///
/// With `z = r − ρ u` the law is `r = P(z)`: the normal part on the half line, the tangential one on the disc `μ r_n`
/// (Alart & Curnier 1991). Here `max(z_n, 0)` becomes `(z_n + √(z_n² + 4τ²))/2` (Chen & Harker 1993; Kanzow 1996), so
/// that `r_n ρ u_n = τ²`, and the radial projection becomes `(√((t+R)² + 4τ²) − √((t−R)² + 4τ²))/2`, `t = ‖z_T‖`,
/// `R = μ r_n`. Both are smooth and strictly inside, and end at `P` with τ → 0. All differences are formed without
/// cancellation, since τ falls to 1e-6 of the impulses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SmoothedLaw {
    /// The impulse `φ(z)`.
    pub r: DVec3,
    /// `∂φ/∂τ`.
    pub rate: DVec3,
    /// Unit vector along `z_T`.
    along: [f64; 2],
    /// `(S⁻¹ + ε)⁻¹`, `S = φ′ (1 − φ′)⁻¹`: normal, tangential by normal, tangential along and across `z_T`.
    stiffness: [f64; 4],
}

impl SmoothedLaw {
    /// The law at `z` with smoothing τ; ε softens the stiffness alone.
    #[inline(always)]
    pub fn new(z: DVec3, mu: f64, tau: f64, softness: f64) -> Self {
        let square = 4.0 * tau * tau;
        let root = (z.x * z.x + square).sqrt();
        // φ_n′ is `near` or `1 − near`, whichever side of 0 z_n is on.
        let near = 0.5 * square / (root * (root + z.x.abs()));
        let (slope, rest) = if z.x > 0.0 {
            (1.0 - near, near)
        } else {
            (near, 1.0 - near)
        };
        let normal = if z.x > 0.0 {
            0.5 * (z.x + root)
        } else {
            0.5 * square / (root - z.x)
        };
        let t = (z.y * z.y + z.z * z.z).sqrt();
        let radius = mu * normal;
        let (sum, difference) = (t + radius, t - radius);
        let outer = (sum * sum + square).sqrt();
        let inner = (difference * difference + square).sqrt();
        // 1 − sum/outer and 1 + difference/inner; inner + difference.
        let beyond = square / (outer * (outer + sum));
        let (within, low) = if difference < 0.0 {
            let low = square / (inner - difference);
            (low / inner, low)
        } else {
            (1.0 + difference / inner, inner + difference)
        };
        let (by_length_rest, by_radius) = (0.5 * (beyond + within), 0.5 * (within - beyond));
        let ratio = 2.0 * radius / (outer + inner);
        let ratio_rest = (square / (outer + sum) + low) / (outer + inner);
        let along = if t > 0.0 {
            [z.y / t, z.z / t]
        } else {
            [1.0, 0.0]
        };
        let normal_rate = 2.0 * tau / root;
        let radial_rate = 2.0 * tau * (1.0 / outer - 1.0 / inner) + by_radius * mu * normal_rate;
        Self {
            r: DVec3::new(normal, ratio * z.y, ratio * z.z),
            rate: DVec3::new(normal_rate, radial_rate * along[0], radial_rate * along[1]),
            along,
            stiffness: softened(
                [
                    slope / rest,
                    mu * slope * by_radius / (by_length_rest * rest),
                    (1.0 - by_length_rest) / by_length_rest,
                    ratio / ratio_rest,
                ],
                softness,
            ),
        }
    }

    /// All it consists of, for laws that are stored side by side.
    #[inline(always)]
    pub fn numbers(&self) -> [f64; NUMBERS] {
        let (r, rate, [y, z], [a, b, c, d]) = (self.r, self.rate, self.along, self.stiffness);
        [r.x, r.y, r.z, rate.x, rate.y, rate.z, y, z, a, b, c, d]
    }

    /// The inverse of [`SmoothedLaw::numbers`].
    #[inline(always)]
    pub fn from_numbers(numbers: [f64; NUMBERS]) -> Self {
        let [rx, ry, rz, vx, vy, vz, y, z, a, b, c, d] = numbers;
        Self {
            r: DVec3::new(rx, ry, rz),
            rate: DVec3::new(vx, vy, vz),
            along: [y, z],
            stiffness: [a, b, c, d],
        }
    }

    /// Its normal entry: next to nothing where the contact stays open.
    pub fn normal_stiffness(&self) -> f64 {
        self.stiffness[0]
    }

    /// `(S⁻¹ + ε)⁻¹`, which is `−dr / (ρ du)`.
    pub fn stiffness(&self) -> DMat3 {
        let ([y, z], [n, tn, along, across]) = (self.along, self.stiffness);
        let d = along - across;
        DMat3::from_cols(
            DVec3::new(n, tn * y, tn * z),
            DVec3::new(0.0, d * y * y + across, d * y * z),
            DVec3::new(0.0, d * y * z, d * z * z + across),
        )
    }
}

/// `(S⁻¹ + ε)⁻¹` of a stiffness that is lower triangular in the axes (normal, along, across).
#[inline(always)]
fn softened([n, by_normal, along, across]: [f64; 4], softness: f64) -> [f64; 4] {
    let [a, b, c] = [n, along, across].map(|s| 1.0 / (1.0 + softness * s));
    [n * a, by_normal * a * b, along * b, across * c]
}

/// `z = r − u` of an impulse `r` and a velocity `u` (in the units of `r`) made feasible first: without tension, closing
/// under pressure, friction outside its disc, and friction inside it that drives the slip.
#[inline(always)]
pub(crate) fn project_feasible(mut r: DVec3, mut u: DVec3, mu: f64) -> DVec3 {
    if r.x < 0.0 {
        r.x = 0.0;
    } else if u.x < 0.0 {
        u.x = 0.0;
    }
    let radius = mu * r.x;
    let square = r.y * r.y + r.z * r.z;
    let with_slip = r.y * u.y + r.z * u.z;
    if square > radius * radius {
        let scale = radius / square.sqrt();
        r.y *= scale;
        r.z *= scale;
    } else if with_slip > 0.0 {
        u.y -= with_slip / square * r.y;
        u.z -= with_slip / square * r.z;
    }
    r - u
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::cone::project_disc as disc;

    /// Points at which contacts are open, closed, sticking, sliding and in between.
    fn points() -> impl Iterator<Item = DVec3> {
        let values = [-3.0, -0.2, 0.1, 0.7, 2.5];
        values.into_iter().flat_map(move |x| {
            values
                .into_iter()
                .flat_map(move |y| values.map(move |z| DVec3::new(x, y, z)))
        })
    }

    #[test]
    fn derivatives_are_those_of_the_law() {
        let (mu, tau, h) = (0.6, 0.3, 1e-5);
        for z in points() {
            let law = |z, tau| SmoothedLaw::new(z, mu, tau, 0.0).r;
            let slope = DMat3::from_cols_array_2d(
                &[DVec3::X, DVec3::Y, DVec3::Z]
                    .map(|e| ((law(z + e * h, tau) - law(z - e * h, tau)) / (2.0 * h)).to_array()),
            );
            // φ′ = S (1 + S)⁻¹ without softness. Central differences err by h² times a third derivative of order 1/τ².
            let s = SmoothedLaw::new(z, mu, tau, 0.0).stiffness();
            let expected = s * (DMat3::IDENTITY + s).inverse();
            assert!((slope - expected).abs_diff_eq(DMat3::ZERO, 1e-8), "{z}");
            let rate = (law(z, tau + h) - law(z, tau - h)) / (2.0 * h);
            let own = SmoothedLaw::new(z, mu, tau, 0.0).rate;
            assert!((rate - own).length() < 1e-8, "{z} {rate} {own}");
            // The softened stiffness, by general inversion.
            let soft = SmoothedLaw::new(z, mu, tau, 1e-2).stiffness();
            let general = s * (DMat3::IDENTITY + s * 1e-2).inverse();
            assert!((soft - general).abs_diff_eq(DMat3::ZERO, 1e-12 * (1.0 + s.x_axis.x)));
        }
    }

    #[test]
    fn the_law_is_met_as_the_smoothing_goes() {
        for z in points() {
            for tau in [1e-2, 1e-4, 1e-6] {
                let r = SmoothedLaw::new(z, 0.6, tau, 0.0).r;
                // √(x² + 4τ²) is within 2τ of |x|, and the tangential part has two of them and the radius of the
                // normal.
                assert!((r - disc(z, 0.6)).length() < 4.0 * tau, "{z} {tau}");
                let product = r.x * (r.x - z.x);
                // The difference is formed here with the rounding of r.
                let rounding = 4.0 * f64::EPSILON * (r.x * r.x + tau * tau);
                assert!((product - tau * tau).abs() < rounding, "{product} {tau}");
            }
        }
    }
}
