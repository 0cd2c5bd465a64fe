//! Several contacts side by side in the lanes of a vector unit, with the same bits on each unit and as one by one.

pub(super) mod groups;
pub(super) mod jacobian;
pub(super) mod lane;
pub(super) mod math;
mod motion;
pub(super) mod residual;
pub(super) mod smoothed_laws;
pub(super) mod smoothed_step;
mod sweep;
pub(super) mod sweep_groups;
pub(super) mod sweep_lanes;
pub(super) mod tangent_stiffness;
