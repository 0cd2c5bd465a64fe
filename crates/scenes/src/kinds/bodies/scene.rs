//! The scene of many bodies.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::Deserialize;

use super::place::{Copies, Turn};
use super::shape::Shape;
use super::solver::{EffortEntry, Solver};
use crate::common::motion::Motion;

/// Bodies, what they stand on, and how long they are watched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Gravity (m/s²); turned gravity is a tilted table.
    #[serde(default = "gravity")]
    pub gravity_m_s2: [f64; 3],
    /// Materials by name.
    pub materials: BTreeMap<String, Material>,
    /// Pairs of materials that do not take the mean of both.
    #[serde(default)]
    pub pairs: Vec<PairEntry>,
    /// The bodies.
    pub bodies: Vec<BodyEntry>,
    /// Planes that bodies stay above.
    #[serde(default)]
    pub planes: Vec<PlaneEntry>,
    /// Boxes, open at the top, that bodies stay in.
    #[serde(default)]
    pub containers: Vec<Container>,
    /// How time is stepped.
    pub solver: Solver,
    /// Duration (s).
    pub duration_s: f64,
    /// Ends the run early when all is still.
    #[serde(default)]
    pub stop_at_rest: Option<Rest>,
    /// Name of the body (a shaken table) that the displacement of the others is measured from; the laboratory without
    /// it.
    #[serde(default)]
    pub relative_to: Option<String>,
    /// The verdict is "stands" if no free body's centre has moved farther than this (m).
    #[serde(default)]
    pub stands_within_m: Option<f64>,
    /// Interval of the energy audit's lines (s); 200 lines over the duration without it.
    #[serde(default)]
    pub sample_s: Option<f64>,
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

/// Friction and restitution of a pair of materials, or of one material on itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    /// Names of both materials.
    pub materials: [String; 2],
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Restitution; 0 unless stated.
    #[serde(default)]
    pub restitution: f64,
}

/// What a body or a boundary is made of. A pair takes the geometric mean of both frictions, and of both restitutions,
/// unless it is among the `pairs`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Coulomb's coefficient.
    pub friction: f64,
    /// Newton's restitution; 0 unless stated.
    #[serde(default)]
    pub restitution: f64,
    /// Density; 2700 unless stated. A boundary needs none.
    #[serde(default = "rock")]
    pub density_kg_m3: f64,
}

fn rock() -> f64 {
    2700.0
}

/// One body, or many of one kind.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name of the entry in the results.
    pub name: String,
    /// Name of its material.
    pub material: String,
    /// Shape of the body.
    pub shape: Shape,
    /// Where the shape's own origin stands (m).
    #[serde(default)]
    pub at_m: [f64; 3],
    /// How it is turned there.
    #[serde(default)]
    pub turn: Option<Turn>,
    /// The same as a quaternion w, x, y, z.
    #[serde(default)]
    pub quaternion_wxyz: Option<[f64; 4]>,
    /// A file with a pose a line, x y z and the quaternion w x y z, in place of the one above.
    #[serde(default)]
    pub poses_file: Option<String>,
    /// Copies; each list multiplies the bodies of those before it.
    #[serde(default)]
    pub copies: Vec<Copies>,
    /// Turns every body by chance.
    #[serde(default)]
    pub tumbled: bool,
    /// Velocity of the centre of mass at the start (m/s).
    #[serde(default)]
    pub velocity_m_s: [f64; 3],
    /// Spin at the start, laboratory frame (rad/s).
    #[serde(default)]
    pub spin_rad_s: [f64; 3],
    /// What moves it; free unless stated.
    #[serde(default)]
    pub moved_by: MovedBy,
}

/// What moves a body or a boundary.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MovedBy {
    /// Gravity and contacts; a plane stands still.
    #[default]
    Free,
    /// Nothing.
    Fixed,
    /// A constant velocity and spin.
    Steady {
        /// Velocity (m/s).
        velocity_m_s: [f64; 3],
        /// Spin about the centre of mass (rad/s); a plane has none.
        #[serde(default)]
        spin_rad_s: [f64; 3],
    },
    /// A constant acceleration from rest.
    Accelerating {
        /// Acceleration (m/s²).
        acceleration_m_s2: [f64; 3],
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
    pub material: String,
    /// Normal, of any length.
    pub normal: [f64; 3],
    /// Distance from the origin along the normal (m).
    #[serde(default)]
    pub offset_m: f64,
    /// What moves it; nothing unless stated.
    #[serde(default)]
    pub moved_by: MovedBy,
}

/// A box that is open at the top: a floor and four walls.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// Name of its material.
    pub material: String,
    /// Inner corner with the least coordinates (m).
    pub low_m: [f64; 3],
    /// Inner corner with the largest coordinates (m).
    pub high_m: [f64; 3],
}

/// When all is still.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// No point of a free body is faster than this (m/s).
    pub speed_m_s: f64,
    /// For this long (s).
    pub for_s: f64,
    /// And not before this time (s), so that a late motion is not missed; 0 unless stated.
    #[serde(default)]
    pub not_before_s: f64,
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

    /// Refuses numbers that are out of range.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [
            ("duration_s", self.duration_s),
            ("sample_s", self.sample()),
            ("solver.step_s", self.solver.step_s),
            (
                "solver.stiffness_n_per_m",
                self.solver.stiffness_n_per_m.unwrap_or(1.0),
            ),
            ("stands_within_m", self.stands_within_m.unwrap_or(1.0)),
        ] {
            ensure!(
                value.is_finite() && value > 0.0,
                "{name} {value}; accepted: finite and above 0"
            );
        }
        ensure!(
            self.solver.stiffness_n_per_m.is_none()
                || !matches!(self.solver.effort, EffortEntry::Sweeps { .. }),
            "solver.effort sweeps; accepted with solver.stiffness_n_per_m: auto or residual"
        );
        ensure!(
            self.solver.step_s <= self.duration_s,
            "solver.step_s {}; accepted: up to duration_s, {}",
            self.solver.step_s,
            self.duration_s
        );
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
                ("speed_m_s", rest.speed_m_s),
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
}
