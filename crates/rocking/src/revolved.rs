//! Blocks from the outline of a body of revolution: drums, frusta, columns with entasis, vases.

use crate::block::RockingBlock;
use crate::error::RockingError;
use klast_numerics::OutOfRange;
use klast_numerics::check::require;

impl RockingBlock {
    /// A homogeneous body of revolution about a vertical axis, from the points (radius, height) (m) of its outline from
    /// the base upwards, straight between them: each piece is a frustum. It rocks on the edge of its base in one plane;
    /// that it may roll along that edge is not covered.
    ///
    /// With the radius r(z), V = π ∫ r² dz, the centre is at π ∫ r² z dz / V, and about a horizontal axis through the
    /// height 0 the moment is ρ π ∫ (r⁴/4 + r² z²) dz. On a frustum these are polynomials of degree 4 or less: three
    /// points of Gauss are exact.
    ///
    /// # Errors
    /// Fewer than two points, a radius under 0 or a base of radius 0, heights that fall, and what a block refuses.
    pub fn revolved(outline: &[(f64, f64)], gravity: f64) -> Result<Self, RockingError> {
        if outline.len() < 2 {
            return Err(OutOfRange::new("points of an outline", outline.len(), "2 or more").into());
        }
        let (base, foot) = outline[0];
        require("radius of the base", base, base > 0.0, "above 0 m")?;
        let (mut volume, mut first, mut second) = (0.0, 0.0, 0.0);
        for pair in outline.windows(2) {
            let ((r0, z0), (r1, z1)) = (pair[0], pair[1]);
            require("radius of an outline", r1, r1 >= 0.0, "at least 0 m")?;
            require(
                "height of an outline",
                z1,
                z1 >= z0 && z0.is_finite(),
                "at least that of the point below",
            )?;
            for (at, weight) in [(-NODE, 5.0 / 18.0), (0.0, 8.0 / 18.0), (NODE, 5.0 / 18.0)] {
                let part = 0.5 * (1.0 + at);
                let (r, z) = (r0 + part * (r1 - r0), z0 + part * (z1 - z0) - foot);
                let share = weight * (z1 - z0) * r * r;
                volume += share;
                first += share * z;
                second += share * (0.25 * r * r + z * z);
            }
        }
        require("volume of an outline", volume, volume > 0.0, "above 0 m³")?;
        let centre = first / volume;
        Self::unsymmetric(
            base,
            base,
            centre,
            second / volume - centre * centre,
            gravity,
        )
    }
}

/// √(3/5), the outer points of Gauss's rule of three.
const NODE: f64 = 0.774_596_669_241_483_4;

#[cfg(test)]
mod tests {
    use super::*;

    /// A cylinder: I/m = r²/4 + h²/12; a cone on its base: centre h/4, I/m about it 3 (4 r² + h²)/80.
    #[test]
    fn cylinders_and_cones_have_the_moments_of_handbooks() {
        let (r, h) = (0.4, 1.8);
        let cylinder = RockingBlock::revolved(&[(r, 1.0), (r, 1.7), (r, 1.0 + h)], 9.81).unwrap();
        assert!((cylinder.centre_height() - 0.5 * h).abs() < 1e-14);
        assert!((cylinder.gyration_squared() - (r * r / 4.0 + h * h / 12.0)).abs() < 1e-14);
        assert!((cylinder.slenderness() - (r / (0.5 * h)).atan()).abs() < 1e-14);
        let cone = RockingBlock::revolved(&[(r, 0.0), (0.0, h)], 9.81).unwrap();
        assert!((cone.centre_height() - 0.25 * h).abs() < 1e-14);
        assert!((cone.gyration_squared() - 3.0 * (4.0 * r * r + h * h) / 80.0).abs() < 1e-14);
        for outline in [
            &[(r, 0.0)][..],
            &[(0.0, 0.0), (r, 1.0)],
            &[(r, 0.0), (-r, 1.0)],
            &[(r, 1.0), (r, 0.0)],
            &[(r, 0.0), (r, 0.0)],
        ] {
            assert!(
                RockingBlock::revolved(outline, 9.81).is_err(),
                "{outline:?}"
            );
        }
    }
}
