//! The scene of many bodies.

use std::collections::BTreeMap;

use glam::DVec3;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Deserialize;

use super::loads::{LoadEntry, Removal, TieEntry};
use super::place::{Copies, Turn};
use super::solver::{EffortEntry, Solver};
use klast_runs::common::motion::Motion;
use klast_runs::common::shape::Shape;
use klast_runs::faults::{Fault, Faults};

/// Bodies, what they stand on, and how long they are watched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Acceleration of gravity along x, y and z (m/s²). An inclined vector models a tilted table.
    #[serde(default = "gravity")]
    pub gravity_m_s2: [f64; 3],
    /// Materials, each with its name as the key.
    pub materials: BTreeMap<String, Material>,
    /// Pairs of materials with their own friction and restitution. All other pairs have the geometric mean of both
    /// frictions and of both restitutions.
    #[serde(default)]
    pub pairs: Vec<PairEntry>,
    /// Bodies, each with its shape, material and position.
    pub bodies: Vec<BodyEntry>,
    /// Planes; bodies stay on the side to which the normal of a plane points.
    #[serde(default)]
    pub planes: Vec<PlaneEntry>,
    /// Boxes, open at the top, in which bodies stay.
    #[serde(default)]
    pub containers: Vec<Container>,
    /// Forces, torques and pressures on bodies, beside gravity.
    #[serde(default)]
    pub loads: Vec<LoadEntry>,
    /// Ties and dowels between bodies.
    #[serde(default)]
    pub ties: Vec<TieEntry>,
    /// Bodies that are taken out during the run.
    #[serde(default)]
    pub removals: Vec<Removal>,
    /// Settings of the solver.
    pub solver: Solver,
    /// Duration of the motion (s), above 0.
    pub duration_s: f64,
    /// Condition on which the run ends before its duration because all bodies are at rest. Unless stated, the run has
    /// its whole duration.
    #[serde(default)]
    pub stop_at_rest: Option<Rest>,
    /// Name of a body, such as a shaken table. The displacements of the other bodies are then measured in the axes of
    /// this body, which move and turn with it; unless stated, they are measured in the laboratory frame.
    #[serde(default)]
    pub relative_to: Option<String>,
    /// Distance (m), above 0. The verdict is "stands" if the mass centre of no free body moves farther than this
    /// distance, nor still moves at the end: in the last tenth of the run it gets farther from its start than ever
    /// before, or goes on in one direction without turning round. Bodies that fall although an equilibrium exists are
    /// computed with half the time step too. Without this key there is no verdict.
    #[serde(default)]
    pub stands_within_m: Option<f64>,
    /// Limit analysis: the load multiplier of a horizontal or other acceleration beside gravity, with the resultants
    /// and centres of pressure of all joints; not with ties, cohesion, removals or loads in time. Without this key
    /// there is none.
    #[serde(default)]
    pub limit_analysis: Option<LimitEntry>,
    /// Time between two rows of the energy balance (s), above 0; 200 rows over the duration unless stated.
    #[serde(default)]
    pub sample_s: Option<f64>,
    /// Number of times at which the state of all bodies is written to `bodies.csv` and to the files for ParaView, up to
    /// 10,000; 20 unless stated.
    #[serde(default = "twenty")]
    pub frames: u32,
    /// Seed of random stones and of random attitudes, a whole number from 0; `--seed` replaces it.
    #[serde(default)]
    pub seed: u64,
}

fn gravity() -> [f64; 3] {
    [0.0, 0.0, -9.81]
}

fn twenty() -> u32 {
    20
}

/// The load that limit analysis increases.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitEntry {
    /// Direction of the acceleration, a vector of any length but 0.
    pub towards: [f64; 3],
}

impl LimitEntry {
    /// The direction of unit length, if it is one.
    #[must_use]
    pub fn direction(&self) -> Option<DVec3> {
        DVec3::from(self.towards).try_normalize()
    }
}

/// Friction and restitution of a pair of materials, or of one material on itself.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PairEntry {
    /// Names of both materials.
    pub materials: [String; 2],
    /// Friction coefficient, 0 or more.
    pub friction: f64,
    /// Coefficient of restitution of the pair, 0 to 1; 0 unless stated.
    #[serde(default)]
    pub restitution: f64,
    /// Cohesion of the joints of this pair that touch at the start (Pa), 0 or more; 0 unless stated. A joint that opens
    /// or slips breaks, and then has friction alone. Not with `stiffness_n_per_m`.
    #[serde(default)]
    pub cohesion_pa: f64,
    /// Tensile strength of these joints (Pa), 0 to cohesion over friction; 0 unless stated.
    #[serde(default)]
    pub tensile_strength_pa: f64,
}

impl PairEntry {
    /// Whether joints of the pair have a cohesion or a tensile strength.
    pub fn is_bonded(&self) -> bool {
        self.cohesion_pa != 0.0 || self.tensile_strength_pa != 0.0
    }
}

/// A material of bodies and boundaries. A pair of materials has the geometric mean of both frictions, and of both
/// restitutions, unless it is among the `pairs`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Friction coefficient, 0 or more.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1; 0 unless stated.
    #[serde(default)]
    pub restitution: f64,
    /// Density (kg/m³), above 0; 2700 unless stated. It has no effect on boundaries.
    #[serde(default = "rock")]
    pub density_kg_m3: f64,
}

fn rock() -> f64 {
    2700.0
}

/// One body, or several bodies of the same shape and material.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodyEntry {
    /// Name of the entry in the results.
    pub name: String,
    /// Name of the material.
    pub material: String,
    /// Shape of the body.
    pub shape: Shape,
    /// Position of the origin of the shape (m).
    #[serde(default)]
    pub at_m: [f64; 3],
    /// Attitude at the start: a turn about the origin of the shape. Without this key the shape is not turned.
    #[serde(default)]
    pub turn: Option<Turn>,
    /// Attitude at the start as a quaternion w, x, y, z. It replaces `turn`.
    #[serde(default)]
    pub quaternion_wxyz: Option<[f64; 4]>,
    /// Path of a file with one pose in each line: x, y, z and the quaternion w, x, y, z. It replaces `at_m` and `turn`;
    /// each line makes one body.
    #[serde(default)]
    pub poses_file: Option<String>,
    /// Copies of the body. Each entry copies all bodies that the entries before it made. Without this key there is one
    /// body.
    #[serde(default)]
    pub copies: Vec<Copies>,
    /// Whether each body of this entry has a random attitude at the start.
    #[serde(default)]
    pub tumbled: bool,
    /// Velocity of the mass centre of a free body at the start (m/s); 0 unless stated.
    #[serde(default)]
    pub velocity_m_s: [f64; 3],
    /// Spin of a free body at the start in the laboratory frame (rad/s); 0 unless stated.
    #[serde(default)]
    pub spin_rad_s: [f64; 3],
    /// Length c of the rolling resistance of a sphere (m), 0 to its radius: the moment at a contact is at most c times
    /// the normal force. 0 unless stated. If the shape is `in_turn`, only its spheres have rolling resistance.
    #[serde(default)]
    pub rolling_resistance_m: f64,
    /// Cause of the motion of the body; free unless stated.
    #[serde(default)]
    pub moved_by: MovedBy,
}

/// Cause of the motion of a body or a boundary.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::large_enum_variant, reason = "a scene has a few of them")]
pub enum MovedBy {
    /// Gravity and contacts move the body; a plane stands still.
    #[default]
    Free,
    /// The body or plane does not move.
    Fixed,
    /// A constant velocity and spin.
    Steady {
        /// Velocity along x, y and z (m/s).
        velocity_m_s: [f64; 3],
        /// Spin about the mass centre (rad/s); not for a plane.
        #[serde(default)]
        spin_rad_s: [f64; 3],
    },
    /// A constant acceleration from rest.
    Accelerating {
        /// Constant acceleration (m/s²), up to 1e8 in size; negative for the other direction.
        acceleration_m_s2: [f64; 3],
    },
    /// Horizontal and vertical shaking: a record, waves or another motion.
    Shaken {
        /// Direction of the horizontal motion, as a vector of any length but 0; along x unless stated.
        #[serde(default = "along_x")]
        along: [f64; 3],
        /// Horizontal motion; no motion unless stated.
        #[serde(default)]
        horizontal: Motion,
        /// Vertical motion, positive upwards; no motion unless stated.
        #[serde(default)]
        vertical: Motion,
    },
}

fn along_x() -> [f64; 3] {
    [1.0, 0.0, 0.0]
}

/// A plane; bodies stay on the side to which its normal points.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneEntry {
    /// Name of the material.
    pub material: String,
    /// Normal of the plane, a vector of any length but 0; it points to the side of the bodies.
    pub normal: [f64; 3],
    /// Distance of the plane from the origin along the normal (m).
    #[serde(default)]
    pub offset_m: f64,
    /// Cause of the motion of the plane; fixed unless stated.
    #[serde(default)]
    pub moved_by: MovedBy,
}

/// A box that is open at the top: a floor and four walls.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Container {
    /// Name of the material.
    pub material: String,
    /// Inner corner with the smallest coordinates (m).
    pub low_m: [f64; 3],
    /// Inner corner with the largest coordinates (m), each above that of `low_m`.
    pub high_m: [f64; 3],
}

/// Condition on which all bodies count as being at rest.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rest {
    /// Speed (m/s), 0 or more, below which every point of every free body must stay for the time `for_s`.
    pub speed_m_s: f64,
    /// Time (s), 0 or more, for which all points must stay slower than `speed_m_s`.
    pub for_s: f64,
    /// Earliest time at which the run may end because all bodies are at rest (s); 0 unless stated. State it if a motion
    /// begins late.
    #[serde(default)]
    pub not_before_s: f64,
}

impl Scene {
    /// Interval of the audit's lines (s).
    pub fn sample(&self) -> f64 {
        self.sample_s.unwrap_or(self.duration_s / 200.0)
    }

    /// The first key by which there is more than gravity, constant loads and friction: loads in time, ties, cohesion or
    /// removals. Statics then does not know the bodies.
    pub fn beyond_statics(&self) -> Option<&'static str> {
        let bonded = self.pairs.iter().any(PairEntry::is_bonded);
        let in_time = self.loads.iter().any(|load| load.factors.is_some());
        let keys = [
            ("loads.factors", in_time),
            ("ties", !self.ties.is_empty()),
            ("pairs.cohesion_pa", bonded),
            ("removals", !self.removals.is_empty()),
        ];
        keys.into_iter().find(|(_, used)| *used).map(|(key, _)| key)
    }

    /// The seed was asked for by some shape or turn.
    pub fn by_chance(&self) -> bool {
        let stones = |b: &BodyEntry| matches!(b.shape, Shape::Stones { .. } | Shape::InTurn { .. });
        self.bodies.iter().any(|b| b.tumbled || stones(b))
    }

    /// Refuses numbers of materials that are out of range.
    ///
    /// # Errors
    /// Those numbers.
    pub fn check_materials(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for (name, material) in &self.materials {
            let path = |key: &str| format!("materials.{name}.{key}");
            let density = material.density_kg_m3;
            faults.check(density.is_finite() && density > 0.0, || {
                Fault::new(path("density_kg_m3"), density).accepted("finite and above 0")
            });
            let friction = material.friction;
            faults.check(friction.is_finite() && friction >= 0.0, || {
                Fault::new(path("friction"), friction).accepted("finite and 0 or more")
            });
            let restitution = material.restitution;
            faults.check((0.0..=1.0).contains(&restitution), || {
                Fault::new(path("restitution"), restitution).accepted("0 to 1")
            });
        }
        faults.or_all(|| Some(()))
    }

    /// Refuses numbers that are out of range, all at once.
    ///
    /// # Errors
    /// Those numbers.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let (solver, end) = (&self.solver, self.duration_s);
        for (name, value) in [
            ("duration_s", end),
            ("sample_s", self.sample_s.unwrap_or(1.0)),
            ("solver.step_s", solver.step_s),
            (
                "solver.stiffness_n_per_m",
                solver.stiffness_n_per_m.unwrap_or(1.0),
            ),
            ("stands_within_m", self.stands_within_m.unwrap_or(1.0)),
        ] {
            faults.check(value.is_finite() && value > 0.0, || {
                Fault::new(name, value).accepted("finite and above 0")
            });
        }
        let sweeps = matches!(solver.effort, EffortEntry::Sweeps { .. });
        faults.check(solver.stiffness_n_per_m.is_none() || !sweeps, || {
            Fault::new("solver.effort", "sweeps beside stiffness_n_per_m")
                .accepted("auto or residual")
        });
        if faults.list.is_empty() {
            faults.check(solver.step_s <= end, || {
                Fault::new("solver.step_s", solver.step_s)
                    .accepted(format!("up to duration_s, {end}"))
            });
            let (steps, lines) = (end / solver.step_s, end / self.sample());
            faults.check(steps <= 1e9, || {
                Fault::new("solver.step_s", format!("{steps:.0} steps"))
                    .accepted("up to a thousand million")
            });
            faults.check(lines <= 1e6, || {
                Fault::new("sample_s", format!("{}: {lines:.0} lines", self.sample()))
                    .accepted("up to a million")
            });
        }
        faults.check(self.frames <= 10_000, || {
            Fault::new("frames", self.frames).accepted("up to 10000")
        });
        let rest = self.stop_at_rest.iter().flat_map(|rest| {
            [
                ("speed_m_s", rest.speed_m_s),
                ("for_s", rest.for_s),
                ("not_before_s", rest.not_before_s),
            ]
        });
        for (name, value) in rest {
            faults.check(value.is_finite() && value >= 0.0, || {
                Fault::new(format!("stop_at_rest.{name}"), value).accepted("finite and 0 or more")
            });
        }
        if let Some(key) = self
            .beyond_statics()
            .filter(|_| self.limit_analysis.is_some())
        {
            let fault = Fault::new("limit_analysis", format!("beside `{key}`"));
            let accepted = "constant loads, without ties, cohesion or removals";
            faults.list.push(fault.accepted(accepted));
        }
        let limit = self.limit_analysis.iter();
        for entry in limit.filter(|entry| entry.direction().is_none()) {
            let found = format!("{:?}", entry.towards);
            faults
                .list
                .push(Fault::new("limit_analysis.towards", found).accepted("finite and not zero"));
        }
        faults.check(!self.bodies.is_empty(), || {
            Fault::new("bodies", "none").accepted("one or more")
        });
        faults.or_all(|| Some(()))
    }
}
