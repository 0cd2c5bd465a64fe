//! The scene of many bodies and its conversion into a world.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec3;
use klast_dynamics::{
    Body, Drive, Effort, GroundMotion, Role, Sleep, State, Surface, Twist, World, WorldSettings,
};
use klast_geometry::Plane;
use schemars::JsonSchema;
use serde::Deserialize;

use super::place::{Copies, Placing, Turn};
use super::shape::Shape;
use crate::rocking::Motion;
use crate::scene::SceneText;

/// Bodies, what they stand on, and how long they are watched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `bodies`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// Gravity (m/s²); turned gravity is a tilted table.
    #[serde(default = "gravity")]
    gravity_m_per_s2: [f64; 3],
    /// Materials by name.
    materials: BTreeMap<String, Material>,
    /// The bodies.
    bodies: Vec<BodyEntry>,
    /// Planes that bodies stay above.
    #[serde(default)]
    planes: Vec<PlaneEntry>,
    /// Boxes, open at the top, that bodies stay in.
    #[serde(default)]
    containers: Vec<Container>,
    /// How time is stepped.
    solver: Solver,
    /// Duration (s).
    pub duration_s: f64,
    /// Ends the run early when all is still.
    #[serde(default)]
    pub stop_at_rest: Option<Rest>,
    /// Name of the body (a shaken table) that the way of the others is measured from; the room without it.
    #[serde(default)]
    relative_to: Option<String>,
    /// The verdict is "stands" if no free body's centre has moved farther than this (m).
    #[serde(default)]
    pub stands_within_m: Option<f64>,
    /// Interval of the energy audit's lines (s); 200 lines over the duration without it.
    #[serde(default)]
    sample_s: Option<f64>,
    /// Frames for ParaView and lines of states over the duration; 20 without it.
    #[serde(default = "twenty")]
    pub frames: u32,
    /// Seed of what is left to chance (stones, tumbled bodies); `--seed` overrides it.
    #[serde(default)]
    pub seed: u64,
}

fn gravity() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn twenty() -> u32 {
    20
}

/// What a body or a boundary is made of. A pair takes the geometric mean of both frictions, and of both restitutions.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Coulomb's coefficient.
    friction: f64,
    /// Newton's restitution; 0 unless stated.
    #[serde(default)]
    restitution: f64,
    /// Density; 2700 unless stated. A boundary needs none.
    #[serde(default = "rock")]
    density_kg_per_m3: f64,
}

fn rock() -> f64 {
    2700.0
}

/// One body, or many of one kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name of the entry in the results.
    name: String,
    /// Name of its material.
    material: String,
    /// Shape.
    shape: Shape,
    /// Where the shape's own origin stands (m).
    #[serde(default)]
    at_m: [f64; 3],
    /// How it is turned there.
    #[serde(default)]
    turn: Option<Turn>,
    /// The same as a quaternion w, x, y, z.
    #[serde(default)]
    quaternion_wxyz: Option<[f64; 4]>,
    /// A file with a pose a line, x y z and the quaternion w x y z, in place of the one above.
    #[serde(default)]
    poses_file: Option<String>,
    /// Copies; each list multiplies the bodies of those before it.
    #[serde(default)]
    copies: Vec<Copies>,
    /// Turns every body by chance.
    #[serde(default)]
    tumbled: bool,
    /// Velocity of the centre of mass at the start (m/s).
    #[serde(default)]
    velocity_m_per_s: [f64; 3],
    /// Spin at the start, axes of the room (rad/s).
    #[serde(default)]
    spin_rad_per_s: [f64; 3],
    /// What moves it; free unless stated.
    #[serde(default)]
    moved_by: MovedBy,
}

/// What moves a body or a boundary.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum MovedBy {
    /// Gravity and contacts; a plane stands still.
    #[default]
    Free,
    /// Nothing.
    Fixed,
    /// A constant velocity and spin.
    Steady {
        /// Velocity (m/s).
        velocity_m_per_s: [f64; 3],
        /// Spin about the centre of mass (rad/s); a plane has none.
        #[serde(default)]
        spin_rad_per_s: [f64; 3],
    },
    /// A constant acceleration from rest.
    Accelerating {
        /// Acceleration (m/s²).
        acceleration_m_per_s2: [f64; 3],
    },
    /// A ground motion.
    Shaken {
        /// Direction of the horizontal motion, of any length; x unless stated.
        #[serde(default = "along_x")]
        along: [f64; 3],
        /// Horizontal motion.
        #[serde(default)]
        horizontal: Motion,
        /// Vertical motion.
        #[serde(default)]
        vertical: Motion,
    },
}

fn along_x() -> [f64; 3] {
    [1.0, 0.0, 0.0]
}

/// A plane; bodies stay on the side its normal points to.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneEntry {
    /// Name of its material.
    material: String,
    /// Normal, of any length.
    normal: [f64; 3],
    /// Distance from the origin along the normal (m).
    #[serde(default)]
    offset_m: f64,
    /// What moves it; nothing unless stated.
    #[serde(default)]
    moved_by: MovedBy,
}

/// A box that is open at the top: a floor and four walls.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// Name of its material.
    material: String,
    /// Inner corner with the least coordinates (m).
    low_m: [f64; 3],
    /// Inner corner with the largest coordinates (m).
    high_m: [f64; 3],
}

/// How time is stepped. Lengths that are left out follow the smallest free body.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solver {
    /// Step (s).
    step_s: f64,
    /// Work on each step's contact problem; 20 sweeps unless stated.
    #[serde(default)]
    effort: EffortEntry,
    /// Weight of the new velocity in the motion, ½ to 1; 1, which never gains energy, unless stated.
    #[serde(default = "one")]
    theta: f64,
    /// Approach below this speed does not bounce (m/s).
    #[serde(default)]
    bounce_above_m_per_s: Option<f64>,
    /// Distance up to which contacts are tracked (m); 0.002 of the smallest free body unless stated.
    #[serde(default)]
    margin_m: Option<f64>,
    /// Overlap that is left alone (m); 2e-5 of the smallest free body unless stated.
    #[serde(default)]
    slop_m: Option<f64>,
    /// Part of the overlap that a step takes out, 0 to 1; 0.3 unless stated.
    #[serde(default = "recovery")]
    recovery: f64,
    /// Puts groups of bodies that are still to sleep until something comes to them; nobody sleeps without it. What it
    /// takes is a term of the audit.
    #[serde(default)]
    sleep: Option<SleepEntry>,
}

/// When a group of touching bodies falls asleep.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SleepEntry {
    /// No point of them is faster than this (m/s).
    speed_m_per_s: f64,
    /// For this long (s).
    after_s: f64,
}

fn one() -> f64 {
    1.0
}

fn recovery() -> f64 {
    0.3
}

/// Work on each step's contact problem.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum EffortEntry {
    /// A fixed number of sweeps: fast, for pouring.
    Sweeps {
        /// Sweeps.
        count: u32,
    },
    /// As many as it takes to a residual: for what stands or falls.
    Residual {
        /// Largest residual of the contact problem over its largest velocity.
        tolerance: f64,
        /// Sweeps before the solver for over-constrained problems takes over; 60 unless stated.
        #[serde(default = "sixty")]
        sweeps: u32,
    },
}

impl Default for EffortEntry {
    fn default() -> Self {
        Self::Sweeps { count: 20 }
    }
}

fn sixty() -> u32 {
    60
}

/// When all is still.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// No point of a free body is faster than this (m/s).
    pub speed_m_per_s: f64,
    /// For this long (s).
    pub for_s: f64,
    /// And not before this time (s), so that a late motion is not missed; 0 unless stated.
    #[serde(default)]
    pub not_before_s: f64,
}

/// A world and what the results call its bodies.
#[derive(Debug, Clone)]
pub struct Built {
    /// The world at the start.
    pub world: World,
    /// Name of each body.
    pub names: Vec<String>,
    /// Number of the entry of each body, for its colour.
    pub entries: Vec<usize>,
    /// The body that ways are measured from.
    pub base: Option<usize>,
    /// What the user should know of records.
    pub remarks: Vec<String>,
}

impl Scene {
    /// Interval of the audit's lines (s).
    pub fn sample(&self) -> f64 {
        self.sample_s.unwrap_or(self.duration_s / 200.0)
    }

    /// The seed was asked for by some shape or turn.
    pub fn by_chance(&self) -> bool {
        let stones = |b: &BodyEntry| matches!(b.shape, Shape::Stones { .. } | Shape::InTurn { .. });
        self.bodies.iter().any(|b| b.tumbled || stones(b))
    }

    /// The world of the scene.
    ///
    /// # Errors
    /// A value that is out of range, a name that is not known, a file that cannot be read.
    pub fn build(&self, text: &SceneText, seed: u64) -> Result<Built> {
        self.check()?;
        let mut built = Built {
            world: World::new(self.settings(f64::INFINITY)?)?,
            names: Vec::new(),
            entries: Vec::new(),
            base: None,
            remarks: Vec::new(),
        };
        for (k, entry) in self.bodies.iter().enumerate() {
            self.add(entry, k, text, seed, &mut built)
                .with_context(|| format!("bodies[{k}] ({})", entry.name))?;
        }
        for (k, entry) in self.planes.iter().enumerate() {
            self.add_plane(entry, text, &mut built)
                .with_context(|| format!("planes[{k}]"))?;
        }
        for (k, entry) in self.containers.iter().enumerate() {
            let (low, high) = (DVec3::from(entry.low_m), DVec3::from(entry.high_m));
            ensure!(
                low.cmplt(high).all(),
                "containers[{k}]: low_m {low}, high_m {high}; accepted: each coordinate below its other"
            );
            let surface = self.material(&entry.material)?.surface();
            built
                .world
                .add_container(low, high, surface)
                .with_context(|| format!("containers[{k}]"))?;
        }
        let smallest = smallest(&built.world);
        ensure!(
            smallest.is_finite(),
            "no body is free; accepted: one or more"
        );
        built.world.set_settings(self.settings(smallest)?)?;
        if let Some(name) = &self.relative_to {
            built.base = built.names.iter().position(|n| n == name);
            ensure!(
                built.base.is_some(),
                "relative_to '{name}': no such body; accepted: {}",
                self.single_names()
            );
        }
        Ok(built)
    }

    fn single_names(&self) -> String {
        let names: Vec<&str> = self.bodies.iter().map(|b| b.name.as_str()).collect();
        format!(
            "the name of an entry that is one body ({})",
            names.join(", ")
        )
    }

    fn check(&self) -> Result<()> {
        for (name, value) in [
            ("duration_s", self.duration_s),
            ("sample_s", self.sample()),
            ("solver.step_s", self.solver.step_s),
            ("stands_within_m", self.stands_within_m.unwrap_or(1.0)),
        ] {
            ensure!(
                value.is_finite() && value > 0.0,
                "{name} {value}; accepted: finite and above 0"
            );
        }
        let steps = self.duration_s / self.solver.step_s;
        ensure!(
            steps <= 1e9,
            "{steps:.0} steps; accepted: up to a thousand million"
        );
        let lines = self.duration_s / self.sample();
        ensure!(
            lines <= 1e6,
            "sample_s {}: {lines:.0} lines; accepted: up to a million",
            self.sample()
        );
        ensure!(
            self.frames <= 10_000,
            "frames {}; accepted: up to 10000",
            self.frames
        );
        if let Some(rest) = &self.stop_at_rest {
            for (name, value) in [
                ("speed_m_per_s", rest.speed_m_per_s),
                ("for_s", rest.for_s),
                ("not_before_s", rest.not_before_s),
            ] {
                ensure!(
                    value.is_finite() && value >= 0.0,
                    "stop_at_rest.{name} {value}; accepted: finite and 0 or more"
                );
            }
        }
        ensure!(
            !self.bodies.is_empty(),
            "bodies: none; accepted: one or more"
        );
        Ok(())
    }

    /// Settings for a smallest free body of a size (m); the defaults are those of a body of 1 m.
    fn settings(&self, smallest: f64) -> Result<WorldSettings> {
        let size = if smallest.is_finite() { smallest } else { 1.0 };
        let (s, default) = (&self.solver, WorldSettings::default());
        let effort = match s.effort {
            EffortEntry::Sweeps { count } => {
                ensure!(
                    (1..=100_000).contains(&count),
                    "solver.effort.count {count}; accepted: 1 to 100000"
                );
                Effort::Sweeps(count as usize)
            }
            EffortEntry::Residual { tolerance, sweeps } => Effort::Residual {
                tolerance,
                sweeps: sweeps as usize,
            },
        };
        Ok(WorldSettings {
            gravity: DVec3::from(self.gravity_m_per_s2),
            step: s.step_s,
            theta: s.theta,
            effort,
            bounce_above: s
                .bounce_above_m_per_s
                .unwrap_or(default.bounce_above * size.sqrt()),
            margin: s.margin_m.unwrap_or(default.margin * size),
            slop: s.slop_m.unwrap_or(default.slop * size),
            recovery: s.recovery,
            sleep: s.sleep.map(|sleep| Sleep {
                speed: sleep.speed_m_per_s,
                after: sleep.after_s,
            }),
            parallel: true,
        })
    }

    fn material(&self, name: &str) -> Result<Material> {
        let known = || {
            let names: Vec<&str> = self.materials.keys().map(String::as_str).collect();
            names.join(", ")
        };
        match self.materials.get(name) {
            Some(material) => Ok(*material),
            None => bail!(
                "material '{name}': not among materials; accepted: {}",
                known()
            ),
        }
    }

    fn add(
        &self,
        entry: &BodyEntry,
        number: usize,
        text: &SceneText,
        seed: u64,
        built: &mut Built,
    ) -> Result<()> {
        let material = self.material(&entry.material)?;
        let poses = Placing {
            at: entry.at_m,
            turn: entry.turn,
            quaternion: entry.quaternion_wxyz,
            copies: &entry.copies,
            file: entry.poses_file.as_deref(),
            tumbled: entry.tumbled,
        }
        .poses(text, seed, built.names.len())?;
        let shapes = entry.shape.build(text, seed)?;
        let bodies = shapes
            .iter()
            .map(|shape| Ok(Body::uniform(shape, material.density_kg_per_m3)?))
            .collect::<Result<Vec<_>>>()?;
        let role = match entry.moved_by.drive(text, &mut built.remarks)? {
            Moved::Free => Role::Free,
            Moved::Fixed => Role::Fixed,
            Moved::Driven(drive) => Role::Driven(drive),
        };
        let velocity = Twist::new(
            DVec3::from(entry.velocity_m_per_s),
            DVec3::from(entry.spin_rad_per_s),
        )?;
        let many = poses.len() > 1;
        for (k, (pose, body)) in poses.iter().zip(bodies.iter().cycle()).enumerate() {
            let state = State::new(body.pose_of(pose), velocity)?;
            built
                .world
                .add(body.clone(), state, role.clone(), material.surface())?;
            built.names.push(if many {
                format!("{} {}", entry.name, k + 1)
            } else {
                entry.name.clone()
            });
            built.entries.push(number);
        }
        Ok(())
    }

    fn add_plane(&self, entry: &PlaneEntry, text: &SceneText, built: &mut Built) -> Result<()> {
        let normal = DVec3::from(entry.normal);
        let length = normal.length();
        ensure!(
            length.is_finite() && length > 0.0,
            "normal {normal}; accepted: finite and not zero"
        );
        let drive = match entry.moved_by.drive(text, &mut built.remarks)? {
            Moved::Driven(drive) => Some(drive),
            Moved::Free | Moved::Fixed => None,
        };
        let plane = Plane::new(normal / length, entry.offset_m)?;
        let surface = self.material(&entry.material)?.surface();
        built.world.add_plane(plane, surface, drive)?;
        Ok(())
    }
}

impl Material {
    fn surface(&self) -> Surface {
        Surface {
            friction: self.friction,
            restitution: self.restitution,
        }
    }
}

enum Moved {
    Free,
    Fixed,
    Driven(Drive),
}

impl MovedBy {
    fn drive(&self, text: &SceneText, remarks: &mut Vec<String>) -> Result<Moved> {
        Ok(match self {
            Self::Free => Moved::Free,
            Self::Fixed => Moved::Fixed,
            Self::Steady {
                velocity_m_per_s,
                spin_rad_per_s,
            } => Moved::Driven(Drive::Steady(Twist::new(
                DVec3::from(*velocity_m_per_s),
                DVec3::from(*spin_rad_per_s),
            )?)),
            Self::Accelerating {
                acceleration_m_per_s2,
            } => Moved::Driven(Drive::Accelerating(DVec3::from(*acceleration_m_per_s2))),
            Self::Shaken {
                along,
                horizontal,
                vertical,
            } => {
                let direction = DVec3::from(*along);
                let length = direction.length();
                ensure!(
                    length.is_finite() && length > 0.0,
                    "along {along:?}; accepted: finite and not zero"
                );
                remarks.extend(horizontal.remark(text)?);
                remarks.extend(vertical.remark(text)?);
                let motion = GroundMotion::new(horizontal.build(text)?, vertical.build(text)?);
                Moved::Driven(Drive::Ground(Box::new(motion), direction / length))
            }
        })
    }
}

/// Size of the smallest free body: the cube root of its volume (m).
fn smallest(world: &World) -> f64 {
    (0..world.len())
        .filter(|&i| world.is_free(i))
        .filter_map(|i| world.body(i))
        .map(|b| libm::cbrt(b.shape().volume()))
        .fold(f64::INFINITY, f64::min)
}
