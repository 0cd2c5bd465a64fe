//! A rock from what is measured in the field: three outer sizes and a mass.

use crate::RockfallError;
use crate::error::within;
use glam::DVec3;
use klast_dynamics::Body;
use klast_geometry::ConvexPolyhedron;

/// A rock of a campaign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldRock {
    /// Outer sizes along its axes (m).
    pub sizes: DVec3,
    /// Mass (kg).
    pub mass: f64,
    /// Density (kg/m³).
    pub density: f64,
    /// Number of its class ([`super::ParameterSet`]); 0 where rocks are of one class.
    pub class: usize,
}

impl FieldRock {
    /// The rock as a box that has lost its corners: |x|/a + |y|/b + |z|/c ≤ `sharpness` with half sizes a, b, c; 3 is
    /// the box, 2 the cuboctahedron (5/6 of the box), 1.5 the truncated octahedron (half of it). Proportions are those
    /// measured, the volume is mass over density: most rocks fill about half of the box of their outer sizes, so a
    /// sharp shape comes out smaller than measured and a worn one as large.
    pub fn body(&self, sharpness: f64) -> Result<Body, RockfallError> {
        let half = 0.5 * self.sizes;
        let positive = [
            ("mass", self.mass, "above 0 kg"),
            ("density", self.density, "above 0 kg/m³"),
            ("size", half.min_element(), "above 0 m"),
            ("size", half.max_element(), "above 0 m, finite"),
        ];
        for (field, value, accepted) in positive {
            within(field, value, value > 0.0, accepted)?;
        }
        within(
            "sharpness",
            sharpness,
            (1.5..=3.0).contains(&sharpness),
            "1.5 (truncated octahedron) to 3 (box)",
        )?;
        let points: Vec<DVec3> = corners(sharpness).into_iter().map(|p| p * half).collect();
        let outline = ConvexPolyhedron::from_points(&points)?;
        let scale = libm::cbrt(self.mass / self.density / outline.volume());
        Ok(Body::uniform(
            &outline.scaled(scale)?.centred()?,
            self.density,
        )?)
    }
}

/// Corners of the cube |x|, |y|, |z| ≤ 1 cut by |x| + |y| + |z| ≤ s.
fn corners(s: f64) -> Vec<DVec3> {
    let signs = [-1.0, 1.0];
    let mut found = Vec::new();
    let mut add = |p: DVec3| {
        if !found.contains(&p) {
            found.push(p);
        }
    };
    for axis in 0..3 {
        for (a, b, c) in [
            (0, 0, 0),
            (0, 0, 1),
            (0, 1, 0),
            (0, 1, 1),
            (1, 0, 0),
            (1, 0, 1),
            (1, 1, 0),
            (1, 1, 1),
        ] {
            let (a, b, c) = (signs[a], signs[b], signs[c]);
            // From 2 on a cut leaves a part of each edge, below it a part of each face's middle lines.
            let points = match s >= 2.0 {
                true => [(a, b, c * (s - 2.0)), (a, b, c * (s - 2.0))],
                false => [(a, b * (s - 1.0), 0.0), (a, 0.0, c * (s - 1.0))],
            };
            for p in points {
                add(match axis {
                    0 => DVec3::new(p.0, p.1, p.2),
                    1 => DVec3::new(p.2, p.0, p.1),
                    _ => DVec3::new(p.1, p.2, p.0),
                });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of its box that a sharpness fills: 1 − (3 − s)³/6 while the cuts do not meet (s ≥ 2), 1/2 for the
    /// truncated octahedron.
    #[test]
    fn corners_fill_the_share_that_the_cuts_leave() {
        for (s, share) in [
            (3.0, 1.0),
            (2.5, 1.0 - 0.125 / 6.0),
            (2.0, 5.0 / 6.0),
            (1.5, 0.5),
        ] {
            let hull = ConvexPolyhedron::from_points(&corners(s)).unwrap();
            // Rounding of a sum of a few dozen tetrahedra.
            assert!((hull.volume() / 8.0 - share).abs() < 1e-12, "{s}");
        }
    }

    #[test]
    fn keeps_mass_and_proportions() {
        let rock = FieldRock {
            sizes: DVec3::new(0.5, 0.3, 0.39),
            mass: 79.0,
            density: 2650.0,
            class: 0,
        };
        for s in [1.5, 1.8, 2.0, 2.6, 3.0] {
            let body = rock.body(s).unwrap();
            assert!((body.mass() / 79.0 - 1.0).abs() < 1e-12, "{s}");
            let reach = |axis: DVec3| {
                body.vertices()
                    .iter()
                    .map(|v| v.dot(axis))
                    .fold(0.0, f64::max)
            };
            let mut found = [DVec3::X, DVec3::Y, DVec3::Z].map(reach);
            found.sort_by(f64::total_cmp);
            let scale = found[0] / 0.3;
            for (found, size) in found.into_iter().zip([0.3, 0.39, 0.5]) {
                assert!((found - scale * size).abs() < 1e-9, "{s}: {found}");
            }
        }
        assert!(rock.body(1.2).is_err());
        for mass in [0.0, -1.0, f64::NAN] {
            assert!(FieldRock { mass, ..rock }.body(2.0).is_err(), "{mass}");
        }
    }
}
