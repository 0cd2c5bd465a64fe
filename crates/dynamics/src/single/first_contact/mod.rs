//! The first touch of a tumbling body with the ground: one plane, or facets with their edges and corners.

mod buffers;
mod facets;
mod found;
mod one_facet;
mod plane;
mod sphere;

pub(crate) use buffers::Search;
pub(crate) use facets::touch_of;
pub use facets::{FirstTouch, first_touch};
pub use found::FirstContact;
pub use plane::first_contact;
