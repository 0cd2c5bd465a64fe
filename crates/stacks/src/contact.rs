//! The same stacks as polyhedra in space with Coulomb friction: sliding and jumping allowed.
//!
//! The blocks stand on a driven plane and on one another; contacts are solved by the Moreau–Jean scheme of
//! `klast_dynamics::World`. Motion stays in the plane x–z, and a rotation θ (clockwise there) is a turn about +y. With
//! a large friction coefficient the run follows the no-slip engine until an interface of that engine would have to
//! pull.

use super::chain::{LeverTable, Vec2};
use super::configuration::Pivot;
use super::history::{Fall, StackOutcome, StackSample};
use super::offset::{Offset, feet, offsets, since};
use super::sincos::sin_cos;
use super::state::StackState;
use super::{Stack, StackBlock};
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::{Body, Drive, Role, State, Surface, Twist, World};
use klast_geometry::{ConvexPolyhedron, Plane, Pose};
use klast_ground_motion::GroundMotion;
use klast_numerics::check::require;
use klast_rocking::RockingError;
use klast_rocking::rigid_world::{Stepping, settings};

/// What a run with friction may be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactOptions {
    /// The run ends at this time (s).
    pub end: f64,
    /// Step (s).
    pub step: f64,
    /// Depth of the blocks across the plane of motion (m).
    pub depth: f64,
    /// Friction coefficient on the base.
    pub base_friction: f64,
    /// Friction coefficient between blocks.
    pub friction: f64,
    /// Newton's restitution on the base.
    pub base_restitution: f64,
    /// Newton's restitution between blocks.
    pub restitution: f64,
    /// Interval of the samples (s); none are kept without it.
    pub sampling: Option<f64>,
    /// Relative residual to which the contacts of a step are solved.
    pub tolerance: f64,
}

impl ContactOptions {
    /// One friction coefficient everywhere, no restitution, steps of 0.1 ms, up to time `end` (s).
    #[must_use]
    pub fn new(end: f64, friction: f64, depth: f64) -> Self {
        Self {
            end,
            step: 1e-4,
            depth,
            base_friction: friction,
            friction,
            base_restitution: 0.0,
            restitution: 0.0,
            sampling: None,
            tolerance: 1e-9,
        }
    }

    /// Says what is wrong with them before anything is run.
    pub fn check(&self) -> Result<(), RockingError> {
        require("end of the run (s)", self.end, self.end > 0.0, "above 0")?;
        require("step (s)", self.step, self.step > 0.0, "above 0")?;
        require("depth (m)", self.depth, self.depth > 0.0, "above 0")?;
        for friction in [self.base_friction, self.friction] {
            require(
                "friction coefficient",
                friction,
                friction >= 0.0,
                "0 or above",
            )?;
        }
        for restitution in [self.base_restitution, self.restitution] {
            require(
                "restitution",
                restitution,
                (0.0..=1.0).contains(&restitution),
                "0 to 1",
            )?;
        }
        if let Some(interval) = self.sampling {
            require("sampling interval (s)", interval, interval > 0.0, "above 0")?;
        }
        Ok(())
    }
}

/// A run with friction.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactRun {
    /// What became of the stack, by the lowest block that passed 60°.
    pub outcome: StackOutcome,
    /// The falls in order of time.
    pub falls: Vec<Fall>,
    /// Samples at the interval asked for; no accelerations.
    pub samples: Vec<StackSample>,
    /// Rotations at the end (rad).
    pub angles: Vec<f64>,
    /// Length of the path that each interface slid along its face, back and forth (m): the sum over steps of the
    /// tangential way of its contacts.
    pub slides: Vec<f64>,
    /// Largest distance (m) over which each block, while it stood, had slid from its first place on what it stands on.
    pub largest_offsets: Vec<f64>,
    /// Largest rotation (rad), in either direction, of each block while it stood.
    pub largest_rotations: Vec<f64>,
    /// Whether a block that stands still slides at the end, at 1 mm/s or more.
    pub sliding: bool,
    /// How far each block that stands has moved at the end on what it stands on.
    pub offsets: Vec<Offset>,
    /// First time (s) at which an interface carried nothing.
    pub first_jump: Option<f64>,
    /// Time reached (s).
    pub time: f64,
    /// Steps whose contacts were not solved to the tolerance.
    pub unconverged: usize,
}

/// Speed (m/s) along an interface from which on it slides at the end of a run; a friction of 0.1 stops it in a
/// millisecond.
pub const SLIDING: f64 = 1e-3;

/// A rotation from which no block comes back: past any slenderness that rocks, short of lying flat.
const FALLEN: f64 = std::f64::consts::FRAC_PI_3;

impl Stack {
    /// Runs the stack from `start` with friction. The narrower body of an interface should not be exactly as wide as
    /// the other, or its corner stands on an edge; equal widths are therefore narrowed by 10⁻⁴ a block upwards.
    pub fn run_contact(
        &self,
        motion: &GroundMotion,
        start: &StackState,
        options: &ContactOptions,
    ) -> Result<ContactRun, RockingError> {
        options.check()?;
        self.check_start(start)?;
        let mut world = self.world(motion, start, options)?;
        let mut run = ContactRun {
            outcome: StackOutcome::Rest,
            falls: Vec::new(),
            samples: Vec::new(),
            angles: vec![0.0; self.len()],
            slides: vec![0.0; self.len()],
            largest_offsets: vec![0.0; self.len()],
            largest_rotations: vec![0.0; self.len()],
            sliding: false,
            offsets: Vec::new(),
            first_jump: None,
            time: 0.0,
            unconverged: 0,
        };
        let heights = || self.blocks().iter().map(|block| block.height);
        let base = motion.horizontal.displacement(0.0);
        let placed: Vec<Offset> = offsets(&world, heights(), base).collect();
        let stood: Vec<DVec2> = feet(self, &world, base).collect();
        let mut next = 0.0;
        loop {
            if let Some(interval) = options.sampling
                && world.time() >= next - 0.5 * options.step
            {
                run.samples.push(sample(&world));
                next += interval;
            }
            if world.time() >= options.end {
                break;
            }
            world.step()?;
            run.note(&world, options.step);
            let base = motion.horizontal.displacement(world.time());
            run.widen(&world, &stood, feet(self, &world, base));
            if run.falls.last().is_some_and(|fall| fall.block == 0) {
                break;
            }
        }
        // A base that moves is half a step ahead of what it carries; no block is farther away than its path is long.
        for (offset, path) in run.largest_offsets.iter_mut().zip(&run.slides) {
            *offset = offset.min(*path);
        }
        run.time = world.time();
        run.unconverged = world.ledger().unconverged as usize;
        run.angles = angles(&world);
        let base = motion.horizontal.displacement(run.time);
        run.offsets = since(&placed, offsets(&world, heights(), base)).collect();
        let standing = run.falls.last().map_or(self.len(), |fall| fall.block);
        run.offsets.truncate(standing);
        run.outcome = run.settle(&world);
        Ok(run)
    }

    fn world(
        &self,
        motion: &GroundMotion,
        start: &StackState,
        options: &ContactOptions,
    ) -> Result<World, RockingError> {
        let narrow = self.narrowed()?;
        let size = self.blocks().iter().fold(f64::INFINITY, |least, block| {
            least.min(block.width).min(block.height)
        });
        let mut world = World::new(settings(Stepping {
            gravity: self.gravity(),
            step: options.step,
            theta: 0.5,
            arcs: false,
            effort: (options.tolerance, 200),
            size,
        }))?;
        let [plane, even, odd] = surfaces(options);
        let drive = Drive::Ground(Box::new(motion.clone()), DVec3::X);
        world.add_plane(Plane::new(DVec3::Z, 0.0)?, plane, Some(drive))?;
        for (j, (body, state)) in narrow.bodies(start, options.depth)?.into_iter().enumerate() {
            world.add(body, state, Role::Free, if j % 2 == 0 { even } else { odd })?;
        }
        Ok(world)
    }

    /// Widths with no two neighbours equal.
    fn narrowed(&self) -> Result<Self, RockingError> {
        let mut blocks: Vec<StackBlock> = self.blocks().to_vec();
        for j in 1..blocks.len() {
            if blocks[j].width >= self.blocks()[j - 1].width
                && blocks[j].width <= self.blocks()[j - 1].width
            {
                blocks[j].width = blocks[j - 1].width * (1.0 - 1e-4);
            }
        }
        Self::new(&blocks, self.gravity())
    }

    /// Bodies and their states for a state of the stack.
    fn bodies(&self, start: &StackState, depth: f64) -> Result<Vec<(Body, State)>, RockingError> {
        let table = LeverTable::new(self, &start.configuration);
        let first = start.configuration.pivot(0).sign() * self.half_width(0);
        let (mut pivot, mut velocity) = (Vec2::new(first, 0.0), Vec2::default());
        let mut made = Vec::with_capacity(self.len());
        for (j, block) in self.blocks().iter().enumerate() {
            let (sin, cos) = sin_cos(start.angle(j));
            let rate = start.rate(j);
            let centre = table.levers()[j].centre.turned(cos, sin);
            let speed = velocity + centre.turn_rate() * rate;
            let pose = Pose::new(
                DQuat::from_rotation_y(start.angle(j)),
                DVec3::new(pivot.x + centre.x, 0.0, pivot.z + centre.z),
            )?;
            let twist = Twist::new(
                DVec3::new(speed.x, 0.0, speed.z),
                DVec3::new(0.0, rate, 0.0),
            )?;
            made.push((body(block, depth)?, State::new(pose, twist)?));
            let lever = table.levers()[j].arm.turned(cos, sin);
            pivot = pivot + lever;
            velocity = velocity + lever.turn_rate() * rate;
        }
        Ok(made)
    }
}

fn body(block: &StackBlock, depth: f64) -> Result<Body, RockingError> {
    let half = DVec3::new(0.5 * block.width, 0.5 * depth, 0.5 * block.height);
    let corners: Vec<DVec3> = (0..8)
        .map(|k| {
            let sign = |bit: u32| if k & bit == 0 { -1.0 } else { 1.0 };
            DVec3::new(sign(1), sign(2), sign(4)) * half
        })
        .collect();
    let shape = ConvexPolyhedron::from_points(&corners)?;
    let squares = 4.0 * half * half;
    let inertia = DVec3::new(
        squares.y + squares.z,
        squares.x + squares.z,
        squares.x + squares.y,
    ) * (block.mass / 12.0);
    Ok(Body::new(block.mass, inertia, shape)?)
}

/// Surfaces of the base and of the blocks in turn. A pair of surfaces takes the geometric mean, so that with x the
/// larger of the two wanted values the base has (base)²/x, every other block x and those between (between)²/x.
fn surfaces(options: &ContactOptions) -> [Surface; 3] {
    let split = |base: f64, between: f64| {
        let larger = base.max(between);
        if larger == 0.0 {
            [0.0; 3]
        } else {
            [base * base / larger, larger, between * between / larger]
        }
    };
    let friction = split(options.base_friction, options.friction);
    let restitution = split(options.base_restitution, options.restitution);
    std::array::from_fn(|k| Surface {
        friction: friction[k],
        restitution: restitution[k],
    })
}

fn angle(state: &State) -> f64 {
    let up = state.pose.rotation * DVec3::Z;
    libm::atan2(up.x, up.z)
}

fn angles(world: &World) -> Vec<f64> {
    world.states().map(angle).collect()
}

fn sample(world: &World) -> StackSample {
    StackSample {
        time: world.time(),
        angles: angles(world),
        rates: world
            .states()
            .map(|state| state.velocity.angular.y)
            .collect(),
        accelerations: Vec::new(),
    }
}

impl ContactRun {
    /// Marks slides, jumps and falls of the step just made.
    fn note(&mut self, world: &World, step: f64) {
        let lowest = self
            .falls
            .last()
            .map_or(self.angles.len(), |fall| fall.block);
        self.sliding = false;
        for interface in 0..lowest {
            let (mut carried, mut way) = (0.0, 0.0_f64);
            for contact in world.contacts() {
                let pair = match contact.plane() {
                    Some(_) => (contact.first as usize, None),
                    None => (
                        contact.first.max(contact.second) as usize,
                        Some(contact.first.min(contact.second) as usize),
                    ),
                };
                if pair != (interface, interface.checked_sub(1))
                    || contact.impulse.length_squared() == 0.0
                {
                    continue;
                }
                carried += contact.impulse.dot(contact.normal);
                let along =
                    contact.velocity - contact.normal * contact.velocity.dot(contact.normal);
                way = way.max(along.length() * step);
            }
            self.sliding |= way > SLIDING * step;
            self.slides[interface] += way;
            if carried <= 0.0 {
                self.first_jump.get_or_insert(world.time());
            }
        }
        if let Some(block) = world
            .states()
            .take(lowest)
            .position(|state| angle(state).abs() >= FALLEN)
        {
            let side = world
                .state(block)
                .map_or(Pivot::Full, |state| Pivot::of_sign(angle(state)));
            self.falls.push(Fall {
                time: world.time(),
                block,
                side,
            });
        }
    }

    /// Marks the largest slides, from feet at the start to feet now, and rotations of the blocks that stand.
    fn widen(&mut self, world: &World, start: &[DVec2], now: impl Iterator<Item = DVec2>) {
        let lowest = self
            .falls
            .last()
            .map_or(self.angles.len(), |fall| fall.block);
        let feet = start.iter().zip(now);
        for (j, ((start, now), state)) in feet.zip(world.states()).enumerate().take(lowest) {
            self.largest_offsets[j] = self.largest_offsets[j].max((now - *start).length());
            self.largest_rotations[j] = self.largest_rotations[j].max(angle(state).abs());
        }
    }

    fn settle(&self, world: &World) -> StackOutcome {
        match self.falls.last() {
            Some(fall) if fall.block == 0 => StackOutcome::Total { side: fall.side },
            Some(fall) => StackOutcome::Partial {
                standing: fall.block,
                side: fall.side,
            },
            None if world
                .states()
                .all(|state| state.velocity.angular.length() < 1e-3) =>
            {
                StackOutcome::Rest
            }
            None => StackOutcome::Rocking,
        }
    }
}
