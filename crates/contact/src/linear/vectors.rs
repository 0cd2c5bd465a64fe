//! Lists of vectors, one per contact, as one long vector.

use glam::DVec3;

pub(crate) fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    let mut sum = DVec3::ZERO;
    for (x, y) in a.iter().zip(b) {
        sum += *x * *y;
    }
    sum.x + sum.y + sum.z
}

pub(crate) fn norm(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}

/// Replaces a list by `count` zeros; asks for no memory unless it is longer than any before.
pub(crate) fn zeros(list: &mut Vec<DVec3>, count: usize) {
    list.clear();
    list.resize(count, DVec3::ZERO);
}
