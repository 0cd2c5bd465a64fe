//! The same problem in factored form: `W = H M⁻¹ Hᵀ` over nodes of six velocities, never assembled.
//!
//! A pile has many contacts per node, so its assembled `W` holds many more blocks than `H` does. Here a sweep keeps the
//! node velocities up to date instead: the cost is linear in the contacts, and nothing is allocated once the buffers
//! have grown to the size of the scene.

mod acceleration;
mod assemble;
mod colour;
mod curve;
mod eta;
mod group;
mod jacobian;
mod lanes;
mod laws;
mod layout;
mod load;
mod newton;
mod nodal;
mod octets;
mod packs;
mod path;
mod path_step;
mod run;
mod six;
mod springs;
mod stiffness;
mod wide;
mod yielding;

use crate::frame::Frame;
pub use assemble::AssemblyRoom;
use glam::{DMat3, DVec3};
use group::{Group, Row};

/// Inertia of a node; both inverses zero for one that impulses do not move (its velocity may still be prescribed).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// 1/m in 1/kg.
    pub inverse_mass: f64,
    /// I⁻¹ about the centre of mass in world axes, 1/(kg m²), symmetric.
    pub inverse_inertia: DMat3,
}

impl Node {
    /// A node that no impulse moves.
    pub const FIXED: Self = Self {
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
    };
}

/// Velocity of a node in world axes, m/s and rad/s.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NodeVelocity {
    /// Velocity of the centre of mass.
    pub linear: DVec3,
    /// Angular velocity.
    pub angular: DVec3,
}

/// A contact between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The node that the normal points to.
    pub first: usize,
    /// The other node; `None` is the ground at rest.
    pub second: Option<usize>,
    /// Unit normal, from the second node to the first, world axes.
    pub normal: DVec3,
    /// Contact point minus centre of the first node, m, world axes.
    pub arm_first: DVec3,
    /// Contact point minus centre of the second node (unused without one).
    pub arm_second: DVec3,
    /// Added to the relative velocity `(n, t1, t2)`, m/s: restitution, drift, a gap divided by the step.
    pub bias: DVec3,
    /// Friction coefficient.
    pub mu: f64,
    /// Impulse to start from, `(n, t1, t2)` in N s.
    pub impulse: DVec3,
}

/// What a run of sweeps did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepReport {
    /// Sweeps done.
    pub sweeps: usize,
    /// Newton steps done.
    pub newton_steps: usize,
    /// `η` of [`crate::Residual`], m/s.
    pub eta: f64,
    /// [`FactoredProblem::relative`], `η / max‖q‖`.
    pub relative: f64,
    /// Whether `relative` met the tolerance asked for.
    pub converged: bool,
}

/// Contacts over nodes, kept between steps so that its buffers are used again.
///
/// Load with [`FactoredProblem::load`], then [`FactoredProblem::sweep`] or [`FactoredProblem::solve`]. Velocities start
/// as those without contact impulses and come back with them.
///
/// Consecutive links of one pair of nodes with one normal form a group, which a sweep treats together; keep the points of
/// a manifold next to each other. Groups are coloured so that those of one colour share no node that can move: a sweep
/// goes colour by colour, and its bits depend on the order of the links alone.
#[derive(Debug, Clone, Default)]
pub struct FactoredProblem {
    /// Nodes and, past their end, the ground.
    nodes: Vec<Node>,
    velocities: Vec<NodeVelocity>,
    /// Velocities without contact impulses.
    free: Vec<NodeVelocity>,
    groups: Vec<Group>,
    rows: Vec<Row>,
    /// Row of each link.
    row_of_link: Vec<u32>,
    q_max: f64,
    /// Residual under which there is nothing left but the rounding of the velocities (m/s).
    rounding: f64,
    /// Of contacts that are springs (1/kg); 0 for rigid ones.
    compliance: f64,
    /// Times that Newton's method was called upon since the problem was loaded.
    turn: usize,
    load: load::Buffers,
    acceleration: acceleration::Buffers,
    /// Impulses to come back to where sweeps or the curve led nowhere, and where all of a run did.
    start: Vec<DVec3>,
    before: Vec<DVec3>,
    packs: packs::Packs,
    nodal: nodal::Nodal,
    path: path::Path,
    curve: curve::Curve,
    newton: newton::Newton,
    yielding: yielding::Buffers,
}

impl FactoredProblem {
    /// An empty problem.
    pub fn new() -> Self {
        Self::default()
    }

    /// Largest `‖q‖`, m/s: the relative velocity that the contacts start with.
    pub fn q_max(&self) -> f64 {
        self.q_max
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.rows.len()
    }

    /// Impulses `(n, t1, t2)` in the order of the links.
    pub fn impulses(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.row_of_link.iter().map(|&i| self.rows[i as usize].r)
    }

    /// Relative velocities `u`, bias included, in the order of the links; `u′` where contacts are springs.
    pub fn relative_velocities(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.row_of_link.iter().map(|&i| {
            let row = &self.rows[i as usize];
            let group = &self.groups[row.group as usize];
            group.relative(&self.velocities).at(row) + row.r * self.compliance
        })
    }

    /// The local frames in the order of the links.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame> + '_ {
        self.row_of_link
            .iter()
            .map(|&i| self.groups[self.rows[i as usize].group as usize].frame)
    }

    /// Velocities of the nodes with the impulses applied.
    pub fn velocities(&self) -> &[NodeVelocity] {
        self.velocities
            .get(..self.nodes.len().saturating_sub(1))
            .unwrap_or(&[])
    }
}
