//! Random convex polyhedra for the tests.
#![allow(dead_code)] // each test file uses a part

use glam::{DQuat, DVec3};
use klast_geometry::ConvexPolyhedron;

/// Test numbers from one seed.
pub struct Draw(rand_pcg::Pcg64Mcg);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(rand::SeedableRng::seed_from_u64(seed))
    }

    pub fn unit(&mut self) -> f64 {
        use rand::RngExt;
        self.0.random::<f64>()
    }

    pub fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.unit())
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

/// Sphere points, ellipsoids to 1:5, duals with n-gon faces, prisms, boxes, plates 50:1; size about 1, turned at
/// random, centre of mass at the origin.
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
        let Ok(body) = ConvexPolyhedron::from_points(&points).and_then(|b| b.centred()) else {
            continue;
        };
        let round = (8..=40).contains(&body.vertices().len()) && body.volume() >= 0.05;
        if family == 5 || round {
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
    let mut angles: Vec<f64> = (0..m)
        .map(|_| draw.unit() * std::f64::consts::TAU)
        .collect();
    angles.sort_by(f64::total_cmp);
    [-h, h]
        .iter()
        .flat_map(|z| {
            angles
                .iter()
                .map(|t| DVec3::new(libm::cos(*t), libm::sin(*t), *z))
        })
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
