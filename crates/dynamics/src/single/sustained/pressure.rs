//! Pressures under the corners of a face: of all that balance the loads and pull nowhere, those with the least sum of
//! squares.
//!
//! Rigid bodies leave the pressures of more than three corners open. min ½ |p|² with Σ a_i p_i = b, p ≥ 0 has the
//! answer p_i = max(0, a_i·λ) with Σ a_i max(0, a_i·λ) = b; λ is the maximum of a concave function of three variables,
//! found by Newton's method with its active corners changing (the cost is linear in the corners). Where no pressures
//! balance the loads the maximum is at infinity: the body tips.

use crate::single::contact_problem::SINGULAR;
use glam::{DVec2, DVec3};
use klast_numerics::dense::solve_rank_revealing;

/// Most steps of Newton's method; it needs as many as the active corners change.
const STEPS: usize = 60;
/// Part of the load that may be left: rounding of arms that cancel.
const BALANCED: f64 = 1e-11;

/// Fills `pressures` for patterns a_i (of order 1) and loads b; whether they balance the loads.
pub(super) fn least_pressures(patterns: &[DVec3], loads: DVec3, pressures: &mut [f64]) -> bool {
    let residual = |lambda: DVec3| {
        let push = |a: &DVec3| *a * a.dot(lambda).max(0.0);
        loads - patterns.iter().map(push).sum::<DVec3>()
    };
    let value = |lambda: DVec3| {
        let square = |a: &DVec3| a.dot(lambda).max(0.0).powi(2);
        loads.dot(lambda) - 0.5 * patterns.iter().map(square).sum::<f64>()
    };
    let most = BALANCED * loads.length();
    // All corners at work.
    let mut lambda = newton(patterns, loads, |_| true);
    let mut best = value(lambda);
    let mut balanced = false;
    for _ in 0..STEPS {
        let left = residual(lambda);
        if left.length() <= most {
            balanced = true;
            break;
        }
        let at = lambda;
        let step = newton(patterns, left, |a| a.dot(at) > 0.0);
        let mut part = 1.0;
        let mut next = lambda + step;
        while value(next).is_nan() || value(next) < best {
            part *= 0.5;
            if part < 1e-9 {
                break;
            }
            next = lambda + step * part;
        }
        if part < 1e-9 {
            break;
        }
        (lambda, best) = (next, value(next));
    }
    for (p, a) in pressures.iter_mut().zip(patterns) {
        *p = a.dot(lambda).max(0.0);
    }
    balanced
}

/// The step of Newton's method over some corners.
fn newton(patterns: &[DVec3], loads: DVec3, active: impl Fn(&DVec3) -> bool) -> DVec3 {
    let mut h = [[0.0; 3]; 3];
    for a in patterns.iter().filter(|a| active(a)) {
        let a = a.to_array();
        for (row, x) in h.iter_mut().zip(a) {
            for (entry, y) in row.iter_mut().zip(a) {
                *entry += x * y;
            }
        }
    }
    DVec3::from_array(solve_rank_revealing(h, loads.to_array(), 3, SINGULAR))
}

/// A corner in contact, along the two tangents from below the mass centre (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner(pub(super) DVec2);

/// Patterns of the corners and their pressures.
pub(super) type Pressures = (Vec<DVec3>, Vec<f64>);

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> [DVec3; 4] {
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| DVec3::new(1.0, x, y))
    }

    #[test]
    fn a_load_in_the_middle_is_shared() {
        let mut p = [0.0; 4];
        assert!(least_pressures(&square(), DVec3::X, &mut p));
        assert!(p.iter().all(|p| (p - 0.25).abs() < 1e-15), "{p:?}");
    }

    /// Over a corner's own quarter beyond the line between its neighbours the far corner would pull.
    #[test]
    fn a_load_near_a_corner_leaves_the_far_one_without_pressure() {
        let mut p = [0.0; 4];
        let load = DVec3::new(1.0, 0.8, 0.8);
        assert!(least_pressures(&square(), load, &mut p));
        assert!((p[0] - 0.8).abs() < 1e-14 && p[2] == 0.0, "{p:?}");
        assert!((p[1] - 0.1).abs() < 1e-14 && (p[3] - 0.1).abs() < 1e-14);
    }

    #[test]
    fn a_load_beyond_the_face_has_none() {
        let mut p = [0.0; 4];
        assert!(!least_pressures(
            &square(),
            DVec3::new(1.0, 1.001, 0.0),
            &mut p
        ));
        assert!(least_pressures(
            &square(),
            DVec3::new(1.0, 1.0, 0.3),
            &mut p
        ));
    }

    /// An edge carries what lies on it and nothing beside it.
    #[test]
    fn an_edge_carries_what_lies_on_it() {
        let edge = [DVec3::new(1.0, 1.0, 0.2), DVec3::new(1.0, -1.0, 0.2)];
        let mut p = [0.0; 2];
        assert!(least_pressures(&edge, DVec3::new(1.0, 0.5, 0.2), &mut p));
        assert!(
            (p[0] - 0.75).abs() < 1e-14 && (p[1] - 0.25).abs() < 1e-14,
            "{p:?}"
        );
        assert!(!least_pressures(&edge, DVec3::new(1.0, 0.5, 0.201), &mut p));
    }
}
