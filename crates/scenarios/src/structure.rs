//! Structures with the default settings on a table that leans, and the tilt at which statics lets them overturn.

use crate::masonry::{Brick, GRAVITY, place, rough, voussoirs};
use glam::{DVec2, DVec3};
use klast_dynamics::{DynamicsError, Role, World, WorldSettings};
use klast_geometry::{ConvexPolyhedron, Plane};

/// Blocks where they stand, and what their settings are measured by.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Corners of each block (m).
    pub blocks: Vec<Vec<DVec3>>,
    /// Edge that the lengths of the settings and the ways are measured in (m).
    pub block: f64,
    /// Step (s).
    pub step: f64,
    /// Height of all (m).
    pub height: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

fn cuboid(edges: DVec3, at: DVec3) -> Vec<DVec3> {
    let half = 0.5 * edges;
    let signs = [-1.0, 1.0];
    signs
        .iter()
        .flat_map(|x| signs.iter().map(move |y| (x, y)))
        .flat_map(|(x, y)| {
            signs
                .iter()
                .map(move |z| at + half * DVec3::new(*x, *y, *z))
        })
        .collect()
}

/// Cubes of 1 m, one on the other; it overturns at tan = 1/count.
pub fn cubes_in_a_column(count: usize) -> Structure {
    let cube = |k: usize| cuboid(DVec3::ONE, DVec3::Z * (k as f64 + 0.5));
    Structure {
        blocks: (0..count).map(cube).collect(),
        block: 1.0,
        step: 2.5e-3,
        height: count as f64,
        friction: 0.6,
    }
}

/// Layers of two planks of 120 by 8 by 24 mm on edge, crosswise. It overturns at tan = 0.12 m over its height, and its
/// planks tip at a third.
pub fn planks_in_a_tower(planks: usize) -> Structure {
    let mut blocks = vec![];
    for k in 0..planks / 4 {
        let z = 0.048 * k as f64;
        for s in [-0.056, 0.056] {
            let (edges, at) = (
                DVec3::new(0.12, 0.008, 0.024),
                DVec3::new(0.0, s, z + 0.012),
            );
            blocks.push(cuboid(edges, at));
        }
        for s in [-0.056, 0.056] {
            let (edges, at) = (
                DVec3::new(0.008, 0.12, 0.024),
                DVec3::new(s, 0.0, z + 0.036),
            );
            blocks.push(cuboid(edges, at));
        }
    }
    Structure {
        blocks,
        block: 0.008,
        step: 1e-3,
        height: 0.012 * planks as f64,
        friction: 0.6,
    }
}

/// A wall along x in running bond of bricks of 500 by 250 by 200 mm. It overturns along y at tan = 0.25 m over its
/// height.
pub fn bricks_in_a_wall(courses: usize, bricks: usize) -> Structure {
    let edges = DVec3::new(0.5, 0.25, 0.2);
    let (l, h) = (edges.x, edges.z);
    let mut blocks = vec![];
    for course in 0..courses {
        let z = h * (course as f64 + 0.5);
        let odd = course % 2 == 1;
        let (first, whole) = if odd {
            (l, bricks - 1)
        } else {
            (0.5 * l, bricks)
        };
        for k in 0..whole {
            blocks.push(cuboid(edges, DVec3::new(first + l * k as f64, 0.0, z)));
        }
        if odd {
            for x in [0.25 * l, (bricks as f64 - 0.25) * l] {
                blocks.push(cuboid(
                    edges * DVec3::new(0.5, 1.0, 1.0),
                    DVec3::new(x, 0.0, z),
                ));
            }
        }
    }
    Structure {
        blocks,
        block: h,
        step: 2.5e-3,
        height: h * courses as f64,
        friction: 0.6,
    }
}

/// A semicircular arch of mean radius 1 m and depth 1 m in the plane of x and z.
pub fn stones_in_an_arch(count: usize, thickness: f64) -> Structure {
    let stones = voussoirs(count, thickness);
    let block = stones.first().map_or(1.0, |s| s[0].distance(s[3]).min(1.0));
    let deep = |c: &glam::DVec2| [-0.5, 0.5].map(|y| DVec3::new(c.x, y, c.y));
    Structure {
        blocks: stones
            .iter()
            .map(|s| s.iter().flat_map(deep).collect())
            .collect(),
        block,
        step: 2.5e-3,
        height: 1.0 + 0.5 * thickness,
        friction: 0.8,
    }
}

impl Structure {
    /// The same at another scale of length; the step goes with the root of it.
    #[must_use]
    pub fn scaled(&self, scale: f64) -> Self {
        let blocks = self.blocks.iter();
        Self {
            blocks: blocks
                .map(|b| b.iter().map(|c| *c * scale).collect())
                .collect(),
            block: self.block * scale,
            step: self.step * scale.sqrt(),
            height: self.height * scale,
            friction: self.friction,
        }
    }

    /// The boxes about the blocks in the plane of x and z, for limit analysis in that plane.
    #[must_use]
    pub fn section(&self) -> Vec<Brick> {
        let in_plane = |c: &DVec3| DVec2::new(c.x, c.z);
        let about = |corners: &Vec<DVec3>| {
            let corners = || corners.iter().map(in_plane);
            Brick {
                low: corners().fold(DVec2::INFINITY, DVec2::min),
                high: corners().fold(DVec2::NEG_INFINITY, DVec2::max),
            }
        };
        self.blocks.iter().map(about).collect()
    }

    /// On a table that leans by an angle of this tangent towards a horizontal direction, with the settings that a
    /// scene has by default.
    ///
    /// # Errors
    /// Where a block is no solid.
    pub fn on_a_table(&self, tan: f64, towards: DVec3) -> Result<World, DynamicsError> {
        self.at(DVec3::ZERO, tan, towards)
    }

    /// The same with its origin elsewhere (m).
    ///
    /// # Errors
    /// Where a block is no solid.
    pub fn at(&self, origin: DVec3, tan: f64, towards: DVec3) -> Result<World, DynamicsError> {
        let default = WorldSettings::default();
        let length = (1.0 + tan * tan).sqrt();
        let settings = WorldSettings {
            gravity: GRAVITY / length * (towards * tan - DVec3::Z),
            step: self.step,
            margin: default.margin * self.block,
            slop: default.slop * self.block,
            parallel: false,
            ..default
        };
        let (mut world, surface) = (World::new(settings)?, rough(self.friction));
        world.add_plane(Plane::new(DVec3::Z, origin.z)?, surface, None)?;
        for corners in &self.blocks {
            let corners: Vec<DVec3> = corners.iter().map(|c| *c + origin).collect();
            let shape = ConvexPolyhedron::from_points(&corners)?;
            place(&mut world, &shape, Role::Free, surface)?;
        }
        Ok(world)
    }
}
