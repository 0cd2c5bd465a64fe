//! The time of flight of a free rocking block: an elliptic integral.
//!
//! With ψ = α − q and κ² = sin²(α/2) − ω²/(4p²) = sin²(ψ_turn/2), a block that leaves the base with rate ω comes back
//! after T = (ω/p²) R_F(κ²(1 − κ²), S(1 − κ²), κ²(1 − S)), S = sin²(α/2), where R_F is Carlson's symmetric integral of
//! the first kind. It follows from q″ = −p² sin(α − q) by the energy integral with y = sin²(ψ/2) − κ² as variable.
//! There is no difference of nearly equal numbers for small ω, where T → 2ω/(p² sin α); κ² ≤ 0 means that the block
//! passes its balance.

use crate::equation::Equation;

/// Carlson's R_F(x, y, z) = ½ ∫₀^∞ dt/√((t + x)(t + y)(t + z)) by duplication (Carlson 1995, Numerical Algorithms 10,
/// 13; DLMF 19.36.1), for positive arguments, on lanes. The number of duplications is fixed, so a lane never depends on
/// another.
#[inline(always)]
pub(crate) fn carlson_rf<const L: usize>(
    mut x: [f64; L],
    mut y: [f64; L],
    mut z: [f64; L],
    duplications: usize,
) -> [f64; L] {
    for _ in 0..duplications {
        for l in 0..L {
            let (rx, ry, rz) = (x[l].sqrt(), y[l].sqrt(), z[l].sqrt());
            let lambda = rx * ry + rx * rz + ry * rz;
            x[l] = 0.25 * (x[l] + lambda);
            y[l] = 0.25 * (y[l] + lambda);
            z[l] = 0.25 * (z[l] + lambda);
        }
    }
    let mut result = [0.0; L];
    for l in 0..L {
        let mean = (x[l] + y[l] + z[l]) * (1.0 / 3.0);
        let inverse = 1.0 / mean;
        let (dx, dy) = (1.0 - x[l] * inverse, 1.0 - y[l] * inverse);
        let dz = -(dx + dy);
        let e2 = dx * dy - dz * dz;
        let e3 = dx * dy * dz;
        let first = e2 * (-0.1 + e2 * (1.0 / 24.0) - e2 * e2 * (5.0 / 208.0));
        let second = e3 * (1.0 / 14.0 - e2 * (3.0 / 44.0) + e2 * e2 * (1.0 / 16.0));
        let third = e3 * e3 * (3.0 / 104.0);
        result[l] = (1.0 + (first + second + third)) / mean.sqrt();
    }
    result
}

/// Duplications after which the rest of the series is under 1e-16 when κ² is at least [`NEAR_BALANCE`] of S.
pub(crate) const USUAL: usize = 5;

/// Ratio κ²/S under which a flight comes so close to the balance that the integral takes more duplications.
pub(crate) const NEAR_BALANCE: f64 = 0.02;

/// Duplications that suffice for any κ² > 1e-300.
pub(crate) const MANY: usize = 40;

/// Flight time from base to base for a rate `v` away from it. `half_sine` is sin²(α/2).
#[inline(always)]
pub(crate) fn flight_time<const L: usize>(
    p2: &[f64; L],
    half_sine: &[f64; L],
    v: &[f64; L],
    duplications: usize,
) -> [f64; L] {
    let (mut x, mut y, mut z) = ([0.0; L], [0.0; L], [0.0; L]);
    for l in 0..L {
        let s = half_sine[l];
        let k2 = s - v[l] * v[l] / (4.0 * p2[l]);
        x[l] = k2 * (1.0 - k2);
        y[l] = s * (1.0 - k2);
        z[l] = k2 * (1.0 - s);
    }
    let mut t = carlson_rf(x, y, z, duplications);
    for l in 0..L {
        t[l] *= v[l] / p2[l];
    }
    t
}

/// Time and rate with which a free block at rotation `q` with rate `v` comes back to the base; none when it passes or
/// has passed its balance.
pub(crate) fn time_to_base(p2: f64, alpha: f64, q: f64, v: f64) -> Option<(f64, f64)> {
    let square = |x: f64| {
        let s = libm::sin(0.5 * x);
        s * s
    };
    let (base, here) = (square(alpha), square(alpha - q));
    let speed = v * v / (4.0 * p2);
    let k2 = here - speed;
    if !(k2 > 0.0 && q < alpha) {
        return None;
    }
    let landing = (v * v + p2 * Equation::Nonlinear.fall_squared(alpha, q)).sqrt();
    let duplications = if k2 >= NEAR_BALANCE * base {
        USUAL
    } else {
        MANY
    };
    let part = |top: f64, rate: f64| {
        let rf = carlson_rf(
            [k2 * (1.0 - k2)],
            [top * (1.0 - k2)],
            [k2 * (1.0 - top)],
            duplications,
        );
        0.5 * rate / p2 * rf[0]
    };
    // From the turn down to the base, plus or minus the way between here and the turn.
    let time = part(base, landing) + v.signum() * part(here, v.abs());
    Some((time, landing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carlson_integral_at_known_arguments() {
        // Carlson (1995), table of check values, 14 digits.
        let rf = |x, y, z| carlson_rf([x], [y], [z], MANY)[0];
        assert!((rf(1.0, 2.0, 1e-300) - 1.311_028_777_146_1).abs() < 1e-12);
        assert!((rf(2.0, 3.0, 4.0) - 0.584_082_841_677_15).abs() < 1e-14);
        assert!((rf(0.25, 0.25, 0.25) - 2.0).abs() < 1e-15);
    }

    #[test]
    fn five_duplications_are_enough_away_from_the_balance() {
        for (alpha, p2) in [(0.1f64, 3.0), (0.5, 50.0), (1.4, 7.0)] {
            let s = (0.5 * alpha).sin().powi(2);
            for k in 1..=99 {
                let v = (4.0 * p2 * s * (1.0 - NEAR_BALANCE) * k as f64 / 99.0).sqrt();
                let few = flight_time(&[p2], &[s], &[v], USUAL)[0];
                let many = flight_time(&[p2], &[s], &[v], MANY)[0];
                // rounding of the last digits only
                assert!(
                    (few / many - 1.0).abs() < 1e-15,
                    "{alpha} {k} {:e}",
                    few / many - 1.0
                );
            }
        }
    }
}
