//! The first touch of a tumbling body with the ground: one plane, or facets with their edges and corners.

mod facets;
mod one_facet;
mod plane;

pub use facets::{FirstTouch, first_touch};
pub(crate) use facets::{Search, touch_of};
pub(crate) use plane::PlaneSearch;
pub use plane::{FirstContact, first_contact};
