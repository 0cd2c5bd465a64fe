//! The direction in which a standing body is least stable: over the edge of its base that is nearest to the mass centre
//! in plan.

use glam::{DVec2, DVec3};
use klast_geometry::MassProperties;

/// Part of a distance within which two edges are equally near.
const EQUAL: f64 = 1e-9;

/// Where a body overturns first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeastStable {
    /// Horizontal direction (degrees, from x towards y), at least 0 and below 360.
    pub azimuth_deg: f64,
    /// Slenderness in this direction (rad); not above 0 where the mass centre is not within the base.
    pub slenderness_rad: f64,
}

/// The least stable direction of a body whose base is made of the points within `tolerance` (m) of the lowest; of
/// several the first from x towards y. None for a base without an area.
#[must_use]
pub fn least_stable(
    points: &[DVec3],
    mass: &MassProperties,
    tolerance: f64,
) -> Option<LeastStable> {
    let lowest = points.iter().fold(f64::INFINITY, |m, p| m.min(p.z));
    let base = points.iter().filter(|p| p.z <= lowest + tolerance);
    let corners = hull(base.map(|p| (*p - mass.centre).truncate()).collect());
    if corners.len() < 3 {
        return None;
    }
    let next = corners.iter().cycle().skip(1);
    let edges = corners.iter().zip(next).map(|(a, b)| {
        // The corners go round anticlockwise, so what lies outside is to the right of an edge.
        let outwards = DVec2::new(b.y - a.y, a.x - b.x).normalize();
        let azimuth = libm::atan2(outwards.y, outwards.x).to_degrees();
        // A direction a rounding below x is x.
        let azimuth = (azimuth + EQUAL).rem_euclid(360.0) - EQUAL;
        (outwards.dot(*a), azimuth.max(0.0))
    });
    let (distance, azimuth_deg) = edges.reduce(|least, edge| {
        let room = EQUAL * least.0.abs();
        let nearer = edge.0 < least.0 - room;
        let equal = (edge.0 - least.0).abs() <= room;
        if nearer || (equal && edge.1 < least.1) {
            edge
        } else {
            least
        }
    })?;
    Some(LeastStable {
        azimuth_deg,
        slenderness_rad: libm::atan2(distance, mass.centre.z - lowest),
    })
}

/// Corners of the convex hull, anticlockwise (Andrew 1979, Information Processing Letters 9, 216).
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(*p - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(*p);
        }
        chain.pop();
        chain
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_geometry::{MeshFill, mesh_mass};

    /// A prism of 0.4 m x 0.3 m x 1.2 m turned by 20 degrees about z: its nearer edges are 0.15 m from the mass centre,
    /// towards 110 and 290 degrees. One of 0.4 m x 0.4 m has four such edges.
    #[test]
    fn a_turned_prism_is_least_stable_over_its_longer_edges() {
        for (depth, turned, azimuth) in [(0.3, 20.0f64, 110.0), (0.4, 20.0, 20.0), (0.4, 0.0, 0.0)]
        {
            let (sin, cos) = turned.to_radians().sin_cos();
            let points: Vec<DVec3> = (0..8)
                .map(|k| {
                    let x = 0.4 * (k & 1) as f64 - 7.0;
                    let y = depth * (k >> 1 & 1) as f64 + 3.0;
                    DVec3::new(x * cos - y * sin, x * sin + y * cos, 1.2 * (k >> 2) as f64)
                })
                .collect();
            let quads = [
                [0u32, 2, 3, 1],
                [4, 5, 7, 6],
                [0, 1, 5, 4],
                [2, 6, 7, 3],
                [0, 4, 6, 2],
                [1, 3, 7, 5],
            ];
            let triangles: Vec<[u32; 3]> = quads
                .iter()
                .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
                .collect();
            let mass = mesh_mass(&points, &triangles, MeshFill::Solid { density: 2600.0 }).unwrap();
            let found = least_stable(&points, &mass, 1e-3).unwrap();
            let slenderness = (0.5 * depth / 0.6).atan();
            assert!((found.azimuth_deg - azimuth).abs() < 1e-6, "{found:?}");
            assert!(
                (found.slenderness_rad - slenderness).abs() < 1e-12,
                "{found:?}"
            );
        }
    }
}
