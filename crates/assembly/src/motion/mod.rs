//! Prescribed motion of the basin: walls and floor move as one body.

mod frame;
mod ground;
mod harmonic;
mod kinematics;
mod law;
mod peak;
mod position;
mod precise_sine;
mod ramp;
mod scan;
mod waves;

pub(crate) use frame::Frame;
pub(crate) use kinematics::Bounds;
pub use kinematics::{Kinematics, Wave};
pub use law::BasinMotion;
pub(crate) use law::Onward;
