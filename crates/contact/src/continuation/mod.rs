//! Continuation through smoothed contact problems: the law smoothed over a velocity τ, the homotopy along which τ
//! falls, and the arc-length continuation past the folds at which a homotopy ends.
//!
//! Written once for both forms of the problem: the assembled one and the one in the velocities of bodies each implement
//! [`homotopy::SmoothedSystem`] and [`arclength::SmoothedCurve`].

pub(crate) mod arclength;
pub(crate) mod homotopy;
pub(crate) mod smoothed_law;
mod step_control;
