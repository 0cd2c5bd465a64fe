//! Hulls that differ, the same ones at each call.

use crate::DynamicsError;
use glam::DVec3;
use klast_geometry::ConvexPolyhedron;
use klast_numerics::check::positive;
use klast_sampling::{Purpose, Streams, open_uniform};

/// Hulls of one volume (m³) on a number of points scattered about a sphere.
pub fn random_hulls(
    count: u32,
    corners: u32,
    volume: f64,
    seed: u64,
) -> Result<Vec<ConvexPolyhedron>, DynamicsError> {
    positive("volume", volume)?;
    let streams = Streams::new(seed);
    (0..u64::from(count))
        .map(|k| {
            let mut dice = streams.rng(Purpose::Shape, k);
            let mut coordinate = || 2.0 * open_uniform(&mut dice) - 1.0;
            let mut point = || DVec3::from([(); 3].map(|()| coordinate())).normalize_or(DVec3::Z);
            let points: Vec<DVec3> = (0..corners).map(|_| point()).collect();
            let hull = ConvexPolyhedron::from_points(&points)?;
            Ok(hull.scaled(libm::cbrt(volume / hull.volume()))?.centred()?)
        })
        .collect()
}
