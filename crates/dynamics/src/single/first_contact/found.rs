//! What a search for the first touch with a plane finds.

/// The first touch of a flight with a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstContact {
    /// Time of the touch on the flight's clock (s).
    pub time: f64,
    /// The vertex that touches (of several at once, one of them).
    pub vertex: usize,
    /// Speed at which that vertex approaches the plane (m/s); zero or nearly so where it grazes.
    pub closing_speed: f64,
}
