//! The one residual that grades every solver.

use super::cone;
use super::friction_problem::FrictionContactProblem;
use glam::DVec3;

/// How far impulses are from solving a problem, in three measures of the same projection equation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// `max_α ‖r − P_K(r − ρ_α û)‖ / ρ_α` in m/s, `ρ_α = 3 / tr W_αα`: independent of units and of mass. Contacts with
    /// `μ > 1` count with the larger of this and `‖r − P(r − ρ_α u)‖ / ρ_α`, `P` on half line and disc, which does not
    /// divide a normal velocity by `√(1 + μ²)`, and with `μ > 1e4` with that alone: `û` has the rounding of `u_T` times
    /// μ.
    pub absolute: f64,
    /// `absolute / max_α ‖q_α‖` (`absolute` itself when q = 0).
    pub relative: f64,
    /// `‖r − P_K(r − û)‖ / ‖q‖` with ρ = 1, with `μ > 1e4` as above: depends on the units; kept to compare with other
    /// codes.
    pub natural_map: f64,
    /// What rounding alone leaves in `natural_map`: a few ulps of the impulses, `4 ε ‖r‖ / ‖q‖`. Large where the masses
    /// are, because the map subtracts a velocity from an impulse.
    pub natural_map_rounding: f64,
}

impl Residual {
    /// Infinite in all measures.
    pub(crate) const WORST: Self = Self {
        absolute: f64::INFINITY,
        relative: f64::INFINITY,
        natural_map: f64::INFINITY,
        natural_map_rounding: 0.0,
    };

    /// The residual of `r`; infinite in all measures when an impulse is not finite or the lengths differ.
    pub fn of(problem: &FrictionContactProblem, r: &[DVec3]) -> Self {
        if r.len() != problem.contacts() {
            return Self::WORST;
        }
        let scale = scale(problem.q());
        if scale == 1.0 {
            return Self::in_units(problem, problem.q(), r).unwrap_or(Self::WORST);
        }
        // The law is homogeneous: in other units of q and r the same, with squares that neither overflow nor vanish.
        let [q, r] = [problem.q(), r].map(|v| v.iter().map(|v| *v * scale).collect::<Vec<_>>());
        Self::in_units(problem, &q, &r).map_or(Self::WORST, |found| Self {
            absolute: found.absolute / scale,
            ..found
        })
    }

    /// The residual with `q` for the problem's; none where something is not finite.
    fn in_units(problem: &FrictionContactProblem, q: &[DVec3], r: &[DVec3]) -> Option<Self> {
        let (mut largest, mut natural, mut q_max, mut q_norm) = (0.0_f64, 0.0, 0.0_f64, 0.0);
        let mut size = 0.0;
        for (i, (&ri, (&mu, &q))) in r.iter().zip(problem.mu().iter().zip(q)).enumerate() {
            let u = problem.w().row_times(i, r) + q;
            largest = largest.max(cone::residual(ri, u, problem.w().rho(i), mu));
            let gap = cone::gap(ri, u, 1.0, mu).length_squared();
            if !gap.is_finite() || !u.is_finite() {
                return None;
            }
            natural += gap;
            size += ri.length_squared();
            q_max = q_max.max(q.length());
            q_norm += q.length_squared();
        }
        let unit = |x: f64| if x > 0.0 { x } else { 1.0 };
        Some(Self {
            absolute: largest,
            relative: largest / unit(q_max),
            natural_map: natural.sqrt() / unit(q_norm.sqrt()),
            natural_map_rounding: 4.0 * f64::EPSILON * size.sqrt() / unit(q_norm.sqrt()),
        })
    }

    /// The larger of `relative` and `natural_map`, the latter left out where it is at its rounding: what a tolerance is
    /// held against.
    pub fn worst(&self) -> f64 {
        if self.natural_map <= self.natural_map_rounding {
            self.relative
        } else {
            self.relative.max(self.natural_map)
        }
    }
}

/// 1 where the squares of `q` neither overflow nor vanish, else the power of two that takes the largest entry near 1.
pub(crate) fn scale(q: &[DVec3]) -> f64 {
    let largest = q.iter().fold(0.0_f64, |m, v| m.max(v.abs().max_element()));
    if largest == 0.0 || (1e-100..1e100).contains(&largest) {
        return 1.0;
    }
    // The smallest numbers would need a factor that overflows; what is left of them then is small, not zero.
    libm::ldexp(1.0, (-libm::ilogb(largest)).clamp(-1000, 1000))
}
