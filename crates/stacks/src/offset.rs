//! How far blocks have moved on what they stand on.

use super::Stack;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::World;

/// Where a block stands on the one below it, or on the base.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Offset {
    /// Of the middle of its lower face from the middle of the face below (m): along the motion and across it.
    pub way: DVec2,
    /// Turn about the vertical against what is below (rad).
    pub twist: f64,
}

/// The offsets of all blocks of `heights` (m) on a base that has moved by `base` (m) along x.
pub(super) fn offsets(
    world: &World,
    heights: impl Iterator<Item = f64>,
    base: f64,
) -> impl Iterator<Item = Offset> {
    let mut below = (DVec3::new(base, 0.0, 0.0), DQuat::IDENTITY);
    let states = world.states().zip(heights);
    states.map(move |(state, height)| {
        let half = state.pose.rotation * DVec3::new(0.0, 0.0, 0.5 * height);
        let (foot, head) = (state.pose.translation - half, state.pose.translation + half);
        let against = below.1.inverse() * state.pose.rotation;
        let offset = Offset {
            way: (below.1.inverse() * (foot - below.0)).truncate(),
            twist: 2.0 * libm::atan2(against.z, against.w),
        };
        below = (head, state.pose.rotation);
        offset
    })
}

/// What has been added to the offsets at the start.
pub(super) fn since(
    start: &[Offset],
    end: impl Iterator<Item = Offset>,
) -> impl Iterator<Item = Offset> {
    let added = |(start, end): (&Offset, Offset)| Offset {
        way: end.way - start.way,
        twist: libm::remainder(end.twist - start.twist, std::f64::consts::TAU),
    };
    start.iter().zip(end).map(added)
}

/// The places (m) of the corners on which blocks stand or turn, less half the widths of their interfaces: what slides,
/// and only that, moves them. A rotation φ about a corner, half a width b from the middle of the lower face, moves the
/// middle by b (1 − cos φ).
pub(super) fn feet(stack: &Stack, world: &World, base: f64) -> impl Iterator<Item = DVec2> {
    let heights = stack.blocks().iter().map(|block| block.height);
    let mut below = 0.0;
    let each = offsets(world, heights, base)
        .zip(world.states())
        .enumerate();
    each.map(move |(j, (offset, state))| {
        let up = state.pose.rotation * DVec3::Z;
        let angle = libm::atan2(up.x, up.z);
        let rotation = angle - below;
        below = angle;
        let turned = stack.half_width(j) * (1.0 - libm::cos(rotation));
        offset.way - DVec2::new(turned.copysign(rotation), 0.0)
    })
}
