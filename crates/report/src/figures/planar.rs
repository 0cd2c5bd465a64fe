//! Blocks that move in a plane, as boxes in a view in space.

use glam::{DQuat, DVec2, DVec3};
use klast_plot::{FIXED, stone_colour};

use crate::view::{Place, View, place, solid};

/// More times than these are thinned: a page stays small.
pub const MOST_TIMES: usize = 600;

/// Numbers of the samples that are shown, the last included.
#[must_use]
pub fn shown(count: usize) -> Vec<usize> {
    let every = count.div_ceil(MOST_TIMES).max(1);
    let mut numbers: Vec<usize> = (0..count).step_by(every).collect();
    if count > 0 && numbers.last() != Some(&(count - 1)) {
        numbers.push(count - 1);
    }
    numbers
}

/// A place in the plane x–z, turned clockwise by an angle.
#[must_use]
pub fn turned(at: DVec2, angle: f64) -> Place {
    // About y, from z towards x: clockwise seen with x to the right and z up.
    place(DVec3::new(at.x, 0.0, at.y), DQuat::from_rotation_y(angle))
}

/// A block: how far it reaches to the left and to the right of its origin, which is on its base, its height and depth.
pub struct Sides {
    /// To the left (m).
    pub left: f64,
    /// To the right (m).
    pub right: f64,
    /// Height (m).
    pub height: f64,
    /// Depth, half of it before the plane and half behind (m).
    pub depth: f64,
}

/// Adds a block.
pub fn block(view: &mut View, name: &str, sides: &Sides, colour: usize, places: Vec<Place>) {
    let (front, back) = (-0.5 * sides.depth, 0.5 * sides.depth);
    let mesh = solid::cuboid([-sides.left, front, 0.0], [sides.right, back, sides.height]);
    view.body(name, mesh, stone_colour(colour), places);
}

/// Adds the base that is shaken: a plate under everything.
pub fn base(view: &mut View, half: f64, depth: f64, thick: f64, displacements: &[f64]) {
    let mesh = solid::cuboid([-half, -0.5 * depth, -thick], [half, 0.5 * depth, 0.0]);
    let places = displacements
        .iter()
        .map(|d| turned(DVec2::new(*d, 0.0), 0.0));
    view.body("base", mesh, FIXED, places.collect());
}

/// Seen from the front, a little from above.
pub const FRONT: (f64, f64) = (-1.35, 0.16);
