//! Random convex polyhedra for the tests.
#![allow(dead_code)] // each test file uses a part

use glam::{DQuat, DVec3};
use klast_geometry::ConvexPolyhedron;

/// SplitMix64: test numbers only.
pub struct Draw(pub u64);

impl Draw {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn gauss(&mut self) -> f64 {
        (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos()
    }

    pub fn direction(&mut self) -> DVec3 {
        DVec3::new(self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    pub fn turn(&mut self) -> DQuat {
        DQuat::from_xyzw(self.gauss(), self.gauss(), self.gauss(), self.gauss()).normalize()
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

pub const FAMILIES: usize = 6;

/// Sphere points, ellipsoids to 1:5, duals with n-gon faces, prisms, boxes, plates 50:1; size about 1, turned at random,
/// centre of mass at the origin.
pub fn polyhedron(draw: &mut Draw, family: usize) -> ConvexPolyhedron {
    loop {
        let n = 8 + (draw.unit() * 33.0) as usize;
        let points: Vec<DVec3> = match family {
            0 => (0..n).map(|_| draw.direction()).collect(),
            1 => {
                let axes = DVec3::new(1.0, draw.between(0.2, 1.0), draw.between(0.2, 1.0));
                (0..n).map(|_| draw.direction() * axes).collect()
            }
            2 => match dual(draw) {
                Some(points) => points,
                None => continue,
            },
            3 => prism(draw),
            4 => {
                let half = DVec3::new(
                    draw.between(0.3, 1.0),
                    draw.between(0.3, 1.0),
                    draw.between(0.3, 1.0),
                );
                box_corners(half)
            }
            _ => box_corners(DVec3::new(1.0, draw.between(0.5, 1.0), 0.02)),
        };
        let turn = draw.turn();
        let points: Vec<DVec3> = points.iter().map(|p| turn * *p).collect();
        if let Ok(body) = ConvexPolyhedron::from_points(&points).and_then(|b| b.centred()) {
            return body;
        }
    }
}

fn box_corners(half: DVec3) -> Vec<DVec3> {
    (0..8)
        .map(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            half * DVec3::new(sign(0), sign(1), sign(2))
        })
        .collect()
}

fn prism(draw: &mut Draw) -> Vec<DVec3> {
    let m = 4 + (draw.unit() * 9.0) as usize;
    let h = draw.between(0.2, 0.8);
    let angles: Vec<f64> = (0..m)
        .map(|_| draw.unit() * std::f64::consts::TAU)
        .collect();
    [-h, h]
        .iter()
        .flat_map(|z| angles.iter().map(|t| DVec3::new(t.cos(), t.sin(), *z)))
        .collect()
}

fn dual(draw: &mut Draw) -> Option<Vec<DVec3>> {
    let m = 6 + (draw.unit() * 16.0) as usize;
    let points: Vec<DVec3> = (0..m)
        .map(|_| draw.direction() * draw.between(0.8, 1.2))
        .collect();
    let body = ConvexPolyhedron::from_points(&points).ok()?;
    body.facets()
        .iter()
        .map(|f| (f.offset > 0.25).then(|| f.normal / f.offset * 0.7))
        .collect()
}
