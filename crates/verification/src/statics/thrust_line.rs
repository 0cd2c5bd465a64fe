//! The least thickness of an arch: independent of the time stepping, on a plane model of the same geometry.

use glam::DVec2;
use klast_numerics::roots::bisect;
use klast_scenarios::voussoirs;

/// Least thickness (in mean radii) of a semicircular arch of `count` (odd) voussoirs that holds a line of thrust.
pub(super) fn arch_thickness(count: usize) -> f64 {
    let (falls, stands) = bisect(0.02, 0.5, 40, |middle| holds_thrust_line(count, middle));
    0.5 * (falls + stands)
}

/// Whether some horizontal thrust H at some height y of the crown leads through every joint.
///
/// For the part of the arch between crown and joint, with weight W and first moment S about the axis of symmetry, the
/// line passes outside the inner corner p if p_y H − H y ≤ S − p_x W, and inside the outer corner if the reverse holds.
/// Both are linear in (H, H y), so the joints cut a polygon; it is clipped from a large square.
fn holds_thrust_line(count: usize, thickness: f64) -> bool {
    let blocks = voussoirs(count, thickness);
    let keystone = count / 2;
    let mut polygon = vec![DVec2::ZERO, DVec2::X, DVec2::ONE, DVec2::Y];
    let (mut weight, mut moment) = (0.0, 0.0);
    for k in (0..=keystone).rev() {
        let mut corners = blocks[k];
        if k == keystone {
            // Only its right half: the left corners move to the axis of symmetry along the straight sides.
            for (inner, outer) in [(2, 1), (3, 0)] {
                let (p, q) = (corners[inner], corners[outer]);
                corners[inner] = DVec2::new(0.0, p.y + (q.y - p.y) * p.x / (p.x - q.x));
            }
        }
        let (area, first) = area_and_moment(&corners);
        weight += area;
        moment += first;
        let [inner, outer] = [blocks[k][0], blocks[k][1]];
        clip(
            &mut polygon,
            DVec2::new(inner.y, -1.0),
            moment - inner.x * weight,
        );
        clip(
            &mut polygon,
            DVec2::new(-outer.y, 1.0),
            outer.x * weight - moment,
        );
    }
    !polygon.is_empty()
}

/// Area of a polygon and its first moment about x = 0.
fn area_and_moment(corners: &[DVec2; 4]) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for (i, p) in corners.iter().enumerate() {
        let q = corners[(i + 1) % 4];
        let cross = p.perp_dot(q);
        sums.0 += 0.5 * cross;
        sums.1 += cross * (p.x + q.x) / 6.0;
    }
    sums
}

/// Keeps the part of a polygon with n·x ≤ level.
fn clip(polygon: &mut Vec<DVec2>, n: DVec2, level: f64) {
    let mut kept = vec![];
    for (i, p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let (f, g) = (n.dot(*p) - level, n.dot(q) - level);
        if f <= 0.0 {
            kept.push(*p);
        }
        if (f <= 0.0) != (g <= 0.0) {
            kept.push(*p + (q - *p) * (f / (f - g)));
        }
    }
    *polygon = kept;
}
