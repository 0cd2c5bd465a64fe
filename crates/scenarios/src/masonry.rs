//! Blocks that stand or fall as statics says: incline, arch, walls, pyramid, tower.

use glam::{DVec2, DVec3};
use klast_dynamics::{
    Body, Drive, DynamicsError, Effort, Impacts, Role, State, Surface, World, WorldSettings,
};
use klast_geometry::{ConvexPolyhedron, Plane, Pose, Solid, extruded};
use std::f64::consts::PI;

/// Standard gravity of the scenes (m/s²).
pub(crate) const GRAVITY: f64 = 9.81;
/// Density of the blocks (kg/m³); no limit depends on it.
const DENSITY: f64 = 2400.0;

/// Bodies that are watched for motion relative to the ground they stand on.
#[derive(Debug, Clone)]
pub struct Masonry {
    /// The world; step it as you like.
    pub world: World,
    /// The body that carries the others and may be driven; none where they stand on a fixed plane.
    base: Option<usize>,
    start: Vec<DVec3>,
}

/// A rectangle in the x–z plane: a block one metre deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Brick {
    /// Lower left corner (m).
    pub low: DVec2,
    /// Upper right corner (m).
    pub high: DVec2,
}

impl Masonry {
    /// Watches all bodies of a world from now on.
    pub fn new(world: World, base: Option<usize>) -> Self {
        let start = world.states().map(|s| s.pose.translation).collect();
        Self { world, base, start }
    }

    /// Largest way of a body's centre relative to the base since the start (m).
    pub fn moved(&self) -> f64 {
        let way = |i: usize| {
            let now = self
                .world
                .state(i)
                .map_or(DVec3::ZERO, |s| s.pose.translation);
            now - self.start.get(i).copied().unwrap_or(now)
        };
        let carried = self.base.map_or(DVec3::ZERO, way);
        (0..self.start.len())
            .map(|i| (way(i) - carried).length())
            .fold(0.0, f64::max)
    }

    /// Runs until some body has moved by `limit` (m) or the time (s) is up; says how far they got.
    pub fn watch(&mut self, seconds: f64, limit: f64) -> Result<f64, DynamicsError> {
        let end = self.world.time() + seconds;
        while self.world.time() < end {
            self.world.step()?;
            if self.moved() > limit {
                break;
            }
        }
        Ok(self.moved())
    }
}

/// Settings for statics of metre-sized blocks: each step solved to 1e-9 of its largest velocity.
pub fn static_settings() -> WorldSettings {
    WorldSettings {
        step: 5e-3,
        effort: Effort::Residual {
            tolerance: 1e-9,
            sweeps: 60,
        },
        margin: 1e-4,
        slop: 1e-7,
        bounce_above: 0.0,
        parallel: false,
        ..Default::default()
    }
}

pub(crate) fn rough(friction: f64) -> Surface {
    Surface {
        friction,
        restitution: 0.0,
    }
}

/// A body from a shape that already stands where it belongs.
pub(crate) fn place(
    world: &mut World,
    shape: &ConvexPolyhedron,
    role: Role,
    surface: Surface,
) -> Result<usize, DynamicsError> {
    let body = Body::uniform(shape, DENSITY)?;
    let pose = body.pose_of(&Pose::IDENTITY);
    world.add(body, State::at_rest(pose), role, surface)
}

/// Gravity seen from a table that is tilted by an angle (rad), its far end along x going down.
fn tilted(angle: f64) -> DVec3 {
    DVec3::new(libm::sin(angle), 0.0, -libm::cos(angle)) * GRAVITY
}

/// A block of width (down the slope), depth 1 m and height on a plane inclined by an angle (rad).
pub fn incline(
    width: f64,
    height: f64,
    angle: f64,
    friction: f64,
) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(static_settings())?;
    let normal = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
    world.add_plane(Plane::new(normal, 0.0)?, rough(friction), None)?;
    let edges = DVec3::new(width, 1.0, height);
    let body = Body::uniform(
        &Solid::Box { edges }.with_size(edges.max_element())?,
        DENSITY,
    )?;
    let turn = glam::DQuat::from_xyzw(0.0, libm::sin(0.5 * angle), 0.0, libm::cos(0.5 * angle));
    let pose = body.pose_of(&Pose::new(turn, normal * (0.5 * height))?);
    world.add(body, State::at_rest(pose), Role::Free, rough(friction))?;
    Ok(Masonry::new(world, None))
}

/// Corners (radius, height) of each voussoir of a semicircular arch of mean radius 1 m, from the right springing to
/// the left one: inner and outer corner of its first joint, outer and inner corner of its second.
pub fn voussoirs(count: usize, thickness: f64) -> Vec<[DVec2; 4]> {
    let joint = |k: usize| {
        let angle = PI * k as f64 / count as f64;
        DVec2::new(libm::cos(angle), libm::sin(angle))
    };
    let (inner, outer) = (1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness);
    (0..count)
        .map(|k| {
            [
                joint(k) * inner,
                joint(k) * outer,
                joint(k + 1) * outer,
                joint(k + 1) * inner,
            ]
        })
        .collect()
}

/// A semicircular arch of mean radius 1 m on a fixed floor.
pub fn arch(count: usize, thickness: f64, friction: f64) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(static_settings())?;
    world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough(friction), None)?;
    for corners in voussoirs(count, thickness) {
        let points: Vec<DVec3> = corners
            .iter()
            .flat_map(|c| [-0.5, 0.5].map(|y| DVec3::new(c.x, y, c.y)))
            .collect();
        place(
            &mut world,
            &ConvexPolyhedron::from_points(&points)?,
            Role::Free,
            rough(friction),
        )?;
    }
    Ok(Masonry::new(world, None))
}

/// A wall in running bond: bricks of 1 m by 0.5 m, every second course closed by half bricks.
pub fn running_bond(courses: usize, bricks: usize) -> Vec<Brick> {
    let mut wall = vec![];
    for course in 0..courses {
        let (bottom, length) = (0.5 * course as f64, bricks as f64);
        let mut joints: Vec<f64> = (0..=bricks).map(|k| k as f64).collect();
        if course % 2 == 1 {
            joints = (0..=bricks + 1)
                .map(|k| (k as f64 - 0.5).clamp(0.0, length))
                .collect();
        }
        wall.extend(joints.windows(2).map(|w| Brick {
            low: DVec2::new(w[0], bottom),
            high: DVec2::new(w[1], bottom + 0.5),
        }));
    }
    wall
}

/// Rows of blocks of 0.8 m by 1 m, each 0.2 m from its neighbours and over the middle of the two below: from `base`
/// blocks to `top` blocks. 16 to 9 are 100 blocks.
pub fn pyramid_rows(base: usize, top: usize) -> Vec<Brick> {
    let mut blocks = vec![];
    for (row, count) in (top..=base).rev().enumerate() {
        for k in 0..count {
            let low = DVec2::new(k as f64 + 0.5 * row as f64, row as f64);
            blocks.push(Brick {
                low,
                high: low + DVec2::new(0.8, 1.0),
            });
        }
    }
    blocks
}

fn brick_shape(brick: &Brick) -> Result<ConvexPolyhedron, DynamicsError> {
    let size = brick.high - brick.low;
    let half = 0.5 * size.x;
    let outline =
        [(-half, -0.5), (half, -0.5), (half, 0.5), (-half, 0.5)].map(|(x, y)| DVec2::new(x, y));
    let middle = 0.5 * (brick.low + brick.high);
    Ok(extruded(&outline, size.y)?
        .transformed(&Pose::from_translation(DVec3::new(middle.x, 0.0, middle.y)))?)
}

/// Bricks on a table tilted by an angle (rad) in their plane: gravity is turned, which is the same.
pub fn tilting_wall(bricks: &[Brick], angle: f64, friction: f64) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(WorldSettings {
        gravity: tilted(angle),
        ..static_settings()
    })?;
    world.add_plane(Plane::new(DVec3::Z, 0.0)?, rough(friction), None)?;
    for brick in bricks {
        place(
            &mut world,
            &brick_shape(brick)?,
            Role::Free,
            rough(friction),
        )?;
    }
    Ok(Masonry::new(world, None))
}

/// Bricks on a slab that accelerates along −x with a constant fraction of g.
pub fn shaken(bricks: &[Brick], fraction: f64, friction: f64) -> Result<Masonry, DynamicsError> {
    let mut world = World::new(static_settings())?;
    let drive = Drive::Accelerating(DVec3::new(-fraction * GRAVITY, 0.0, 0.0));
    let ends = bricks.iter().map(|b| b.high.x).fold(0.0, f64::max);
    let slab = Brick {
        low: DVec2::new(-2.0, -1.0),
        high: DVec2::new(ends + 2.0, 0.0),
    };
    let base = place(
        &mut world,
        &brick_shape(&slab)?,
        Role::Driven(drive),
        rough(friction),
    )?;
    for brick in bricks {
        place(
            &mut world,
            &brick_shape(brick)?,
            Role::Free,
            rough(friction),
        )?;
    }
    Ok(Masonry::new(world, Some(base)))
}

/// Cubes of 1 m and 1 kg in a row without gravity or friction, touching; the first comes in with 1 m/s.
pub fn cradle(count: usize, restitution: f64, impacts: Impacts) -> Result<World, DynamicsError> {
    let settings = WorldSettings {
        gravity: DVec3::ZERO,
        impacts,
        ..static_settings()
    };
    let mut world = World::new(settings)?;
    let body = Body::uniform(&Solid::Cube.with_size(1.0)?, 1.0)?;
    for k in 0..count {
        let mut state = State::at_rest(Pose::from_translation(DVec3::X * k as f64));
        state.velocity.linear.x = if k == 0 { 1.0 } else { 0.0 };
        world.add(
            body.clone(),
            state,
            Role::Free,
            Surface {
                friction: 0.0,
                restitution,
            },
        )?;
    }
    Ok(world)
}
