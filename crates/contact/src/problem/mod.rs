//! The frictional contact problem: its data, the cone and the frame they are stated in, and the one residual.

pub(crate) mod cone;
pub(crate) mod delassus;
mod frame;
mod friction_problem;
pub(crate) mod jacobian;
pub(crate) mod residual;
mod status;

pub use cone::{in_cone, project};
pub use delassus::Delassus;
pub use frame::Frame;
pub use friction_problem::FrictionContactProblem;
pub use residual::Residual;
pub use status::Status;
