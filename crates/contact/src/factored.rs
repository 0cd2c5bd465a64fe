//! The same problem in factored form: `W = H M⁻¹ Hᵀ` over nodes of six velocities, never assembled.
//!
//! A pile has many contacts per node, so its assembled `W` holds many more blocks than `H` does. Here a sweep keeps the
//! node velocities up to date instead: the cost is linear in the contacts, and nothing is allocated once the buffers
//! have grown to the size of the scene.

use crate::cone::{de_saxce, project, tangential};
use crate::delassus::Delassus;
use crate::error::{ContactError, finite, within};
use crate::frame::Frame;
use crate::problem::FrictionContactProblem;
use glam::{DMat3, DVec3};

/// Inertia of a node; both inverses zero for one that impulses do not move (its velocity may still be prescribed).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// 1/m in 1/kg.
    pub inverse_mass: f64,
    /// I⁻¹ about the centre of mass in world axes, 1/(kg m²).
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
    /// `η` of [`crate::Residual`], m/s.
    pub eta: f64,
    /// `η / max‖q‖`.
    pub relative: f64,
    /// Whether `relative` met the tolerance asked for.
    pub converged: bool,
}

/// One contact as the sweep wants it.
#[derive(Debug, Clone, Copy)]
struct Row {
    first: u32,
    second: u32,
    frame: Frame,
    arm_first: DVec3,
    arm_second: DVec3,
    bias: DVec3,
    mu: f64,
    w: DMat3,
    normal_gain: f64,
    tangent_gain: f64,
    rho: f64,
    r: DVec3,
}

/// Contacts over nodes, kept between steps so that its buffers are used again.
///
/// Load with [`FactoredProblem::load`], then [`FactoredProblem::sweep`] or [`FactoredProblem::solve`]. Velocities start
/// as those without contact impulses and come back with them.
#[derive(Debug, Clone, Default)]
pub struct FactoredProblem {
    /// Nodes and, past their end, the ground.
    nodes: Vec<Node>,
    velocities: Vec<NodeVelocity>,
    rows: Vec<Row>,
    q_max: f64,
}

impl FactoredProblem {
    /// An empty problem.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes nodes, their velocities without impulses and the contacts; starts from the impulses of the links.
    ///
    /// The sweep goes in the order of `links`, so sort them by (first, second, feature) for an answer that does not
    /// depend on how contacts were found.
    ///
    /// # Errors
    /// When lengths differ, an index points nowhere, a number is not finite, an inverse mass or `mu` is negative, or a
    /// normal is not of unit length. The problem is then empty.
    pub fn load(
        &mut self,
        nodes: &[Node],
        velocities: &[NodeVelocity],
        links: &[Link],
    ) -> Result<(), ContactError> {
        self.nodes.clear();
        self.velocities.clear();
        self.rows.clear();
        self.q_max = 0.0;
        if velocities.len() != nodes.len() {
            return Err(ContactError::Length {
                field: "velocities",
                found: velocities.len(),
                expected: nodes.len(),
            });
        }
        for (node, v) in nodes.iter().zip(velocities) {
            within(
                "inverse mass",
                node.inverse_mass,
                |m| m >= 0.0,
                "a finite number, 0 or more",
            )?;
            if !(v.linear.is_finite() && v.angular.is_finite() && node.inverse_inertia.is_finite())
            {
                return Err(ContactError::NotFinite {
                    field: "node velocity or inertia",
                    found: f64::NAN,
                });
            }
        }
        self.nodes.extend_from_slice(nodes);
        self.nodes.push(Node::FIXED);
        self.velocities.extend_from_slice(velocities);
        self.velocities.push(NodeVelocity::default());
        for link in links {
            match self.row(link, nodes.len()) {
                Ok(row) => {
                    self.q_max = self.q_max.max(self.relative_velocity(&row).length());
                    self.rows.push(row);
                }
                Err(error) => {
                    self.rows.clear();
                    return Err(error);
                }
            }
        }
        for i in 0..self.rows.len() {
            let (row, r) = (self.rows[i], self.rows[i].r);
            self.apply(&row, r);
        }
        Ok(())
    }

    fn row(&self, link: &Link, count: usize) -> Result<Row, ContactError> {
        let second = link.second.unwrap_or(count);
        for (field, found, limit) in [
            ("first node", link.first, count),
            ("second node", second, count + 1),
        ] {
            if found >= limit {
                return Err(ContactError::Index {
                    field,
                    found,
                    count: limit,
                });
            }
        }
        within("mu", link.mu, |m| m >= 0.0, "a finite number, 0 or more")?;
        for v in [link.arm_first, link.arm_second, link.bias, link.impulse] {
            finite("contact arm, bias or impulse", v.x + v.y + v.z)?;
        }
        let frame = Frame::from_normal(link.normal)?;
        let (a, b) = (&self.nodes[link.first], &self.nodes[second]);
        let w = local_block(a, link.arm_first, &frame) + local_block(b, link.arm_second, &frame);
        let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
        // Largest eigenvalue of the tangential block: the longest step for which the disc projection contracts.
        let (mean, half) = (
            0.5 * (w.y_axis.y + w.z_axis.z),
            0.5 * (w.y_axis.y - w.z_axis.z),
        );
        let largest = mean + (half * half + w.z_axis.y * w.y_axis.z).max(0.0).sqrt();
        let gain = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
        Ok(Row {
            first: link.first as u32,
            second: second as u32,
            frame,
            arm_first: link.arm_first,
            arm_second: if link.second.is_some() {
                link.arm_second
            } else {
                DVec3::ZERO
            },
            bias: link.bias,
            mu: link.mu,
            w,
            normal_gain: gain(w.x_axis.x),
            tangent_gain: gain(largest),
            rho: if trace > 0.0 { 3.0 / trace } else { 1.0 },
            r: project(link.impulse, link.mu),
        })
    }

    #[inline]
    fn relative_velocity(&self, row: &Row) -> DVec3 {
        let (a, b) = (
            &self.velocities[row.first as usize],
            &self.velocities[row.second as usize],
        );
        let v =
            a.linear + a.angular.cross(row.arm_first) - b.linear - b.angular.cross(row.arm_second);
        row.frame.to_local(v) + row.bias
    }

    #[inline]
    fn apply(&mut self, row: &Row, delta: DVec3) {
        let p = row.frame.to_world(delta);
        let node = &self.nodes[row.first as usize];
        let v = &mut self.velocities[row.first as usize];
        v.linear += p * node.inverse_mass;
        v.angular += node.inverse_inertia * row.arm_first.cross(p);
        let node = &self.nodes[row.second as usize];
        let v = &mut self.velocities[row.second as usize];
        v.linear -= p * node.inverse_mass;
        v.angular -= node.inverse_inertia * row.arm_second.cross(p);
    }

    /// `count` projected Gauss–Seidel sweeps: Signorini's normal step, then the tangential step on the disc
    /// `‖r_T‖ ≤ μ r_n`. Its fixed points are the solutions of the problem with the exact cone.
    pub fn sweep(&mut self, count: usize) {
        for _ in 0..count {
            for i in 0..self.rows.len() {
                let row = self.rows[i];
                let u = self.relative_velocity(&row);
                let n = (row.r.x - u.x * row.normal_gain).max(0.0);
                let dn = n - row.r.x;
                let y = row.r.y - row.tangent_gain * (u.y + row.w.x_axis.y * dn);
                let z = row.r.z - row.tangent_gain * (u.z + row.w.x_axis.z * dn);
                let (t, limit) = ((y * y + z * z).sqrt(), row.mu * n);
                let scale = if t > limit { limit / t } else { 1.0 };
                let next = DVec3::new(n, scale * y, scale * z);
                self.apply(&row, next - row.r);
                self.rows[i].r = next;
            }
        }
    }

    /// Sweeps until `η / max‖q‖ ≤ tolerance`, looking at the residual every ten sweeps, at most `max_sweeps`.
    pub fn solve(&mut self, tolerance: f64, max_sweeps: usize) -> SweepReport {
        let mut sweeps = 0;
        loop {
            let eta = self.eta();
            let relative = if self.q_max > 0.0 {
                eta / self.q_max
            } else {
                eta
            };
            let converged = relative <= tolerance;
            if converged || sweeps >= max_sweeps {
                return SweepReport {
                    sweeps,
                    eta,
                    relative,
                    converged,
                };
            }
            let more = (max_sweeps - sweeps).min(10);
            self.sweep(more);
            sweeps += more;
        }
    }

    /// The residual `η` in m/s at the present impulses.
    pub fn eta(&self) -> f64 {
        let mut eta = 0.0_f64;
        for row in &self.rows {
            let u = de_saxce(self.relative_velocity(row), row.mu);
            let gap = (row.r - project(row.r - row.rho * u, row.mu)).length() / row.rho;
            eta = if gap.is_finite() {
                eta.max(gap)
            } else {
                f64::INFINITY
            };
        }
        eta
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
        self.rows.iter().map(|row| row.r)
    }

    /// Relative velocities `u`, bias included, in the order of the links.
    pub fn relative_velocities(&self) -> impl ExactSizeIterator<Item = DVec3> + '_ {
        self.rows.iter().map(|row| self.relative_velocity(row))
    }

    /// The local frames in the order of the links.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = Frame> + '_ {
        self.rows.iter().map(|row| row.frame)
    }

    /// Velocities of the nodes with the impulses applied.
    pub fn velocities(&self) -> &[NodeVelocity] {
        self.velocities
            .get(..self.nodes.len().saturating_sub(1))
            .unwrap_or(&[])
    }

    /// Largest slip excess `‖r_T‖ − μ r_n`, N s: zero up to rounding, a check on the cone.
    pub fn cone_violation(&self) -> f64 {
        self.rows
            .iter()
            .map(|row| tangential(row.r) - row.mu * row.r.x)
            .fold(0.0, f64::max)
    }

    /// Replaces the impulses, and with them the node velocities.
    ///
    /// # Errors
    /// When the count differs or an impulse is not finite.
    pub fn set_impulses(&mut self, impulses: &[DVec3]) -> Result<(), ContactError> {
        if impulses.len() != self.rows.len() {
            let (found, expected) = (impulses.len(), self.rows.len());
            return Err(ContactError::Length {
                field: "impulses",
                found,
                expected,
            });
        }
        for r in impulses {
            finite("impulse", r.x + r.y + r.z)?;
        }
        for (i, &r) in impulses.iter().enumerate() {
            let row = self.rows[i];
            self.apply(&row, r - row.r);
            self.rows[i].r = r;
        }
        Ok(())
    }

    /// The same problem with `W` assembled, for the solvers that want it.
    ///
    /// # Errors
    /// Only where an intermediate sum overflows.
    pub fn assemble(&self) -> Result<FrictionContactProblem, ContactError> {
        let mut of_node: Vec<Vec<(usize, f64, DVec3)>> = vec![Vec::new(); self.nodes.len()];
        for (i, row) in self.rows.iter().enumerate() {
            of_node[row.first as usize].push((i, 1.0, row.arm_first));
            of_node[row.second as usize].push((i, -1.0, row.arm_second));
        }
        let mut blocks = Vec::new();
        for (node, list) in self.nodes.iter().zip(&of_node) {
            if *node == Node::FIXED {
                continue;
            }
            for (k, &(i, si, ai)) in list.iter().enumerate() {
                for &(j, sj, aj) in &list[..=k] {
                    let b = coupling(node, (ai, &self.rows[i].frame), (aj, &self.rows[j].frame))
                        * (si * sj);
                    blocks.push((i, j, b));
                    if i != j {
                        blocks.push((j, i, b.transpose()));
                    }
                }
            }
        }
        let w = Delassus::from_blocks(self.rows.len(), blocks)?;
        let r: Vec<DVec3> = self.impulses().collect();
        let q = self
            .relative_velocities()
            .enumerate()
            .map(|(i, u)| u - w.row_times(i, &r))
            .collect();
        FrictionContactProblem::new(w, q, self.rows.iter().map(|row| row.mu).collect())
    }
}

/// Contribution of one node to its own diagonal block, symmetric by construction.
#[inline]
fn local_block(node: &Node, arm: DVec3, frame: &Frame) -> DMat3 {
    let b = coupling(node, (arm, frame), (arm, frame));
    (b + b.transpose()) * 0.5
}

/// `Fᵢᵀ (1/m + [aᵢ]ᵀ I⁻¹ [aⱼ]) Fⱼ`: how an impulse at j moves the point of i through a node they share.
#[inline]
fn coupling(node: &Node, i: (DVec3, &Frame), j: (DVec3, &Frame)) -> DMat3 {
    let (fi, fj) = (i.1.matrix(), j.1.matrix());
    let turn = |arm: DVec3, f: &DMat3| {
        DMat3::from_cols(
            arm.cross(f.x_axis),
            arm.cross(f.y_axis),
            arm.cross(f.z_axis),
        )
    };
    fi.transpose() * fj * node.inverse_mass
        + turn(i.0, &fi).transpose() * (node.inverse_inertia * turn(j.0, &fj))
}
