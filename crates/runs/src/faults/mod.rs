//! What is wrong with a scene: every fault with the path of the value at which it was found.

mod fault;
mod of_part;

pub(crate) use fault::Mend;
pub use fault::{Fault, Faults};
pub use of_part::At;
