//! Runs to a residual by Newton's method on the node velocities.
//!
//! Proximal point on the impulses, as an augmented Lagrangian: around a centre `r_c` find the velocities `v` with
//! `M (v − v₀) = Hᵀ r`, `r = P(r_c − u/ε)`, where `P` takes the normal part to the half line and the tangential one to the
//! disc `μ r_n` (Alart & Curnier 1991; the solutions of the problem with the exact cone are its fixed points). The
//! Jacobian `M + Hᵀ (dP/ε) H` has one 6x6 block per node and two per touching pair, far fewer than `W` has blocks. Then
//! `r_c ← r`, so ε leaves no bias and impulses that are not unique do no harm.

use super::group::Group;
use super::sparse_lu::{Block, Six, SparseLu, ZERO};
use super::{FactoredProblem, Node, NodeVelocity};
use crate::ordering::Pattern;
use glam::{DMat3, DVec3};

/// `ε ρ` at the start.
const START: f64 = 1e-2;
/// Newton steps per outer iteration.
const INNER: usize = 12;
/// Newton steps up to which an outer iteration was easy.
const EASY: usize = 3;
/// Part to which the gradient must fall before the centre moves.
const ENOUGH: f64 = 1e-2;

/// Kept between runs; the order of elimination as long as the same nodes touch.
#[derive(Debug, Clone, Default)]
pub(super) struct Newton {
    pairs: Vec<(u32, u32)>,
    /// Movable nodes: index among them, or `u32::MAX`.
    index: Vec<u32>,
    movable: Vec<u32>,
    /// Entry of each group's pair in the matrix, `u32::MAX` where only one node moves.
    entry: Vec<u32>,
    /// Start of each node's row in the matrix, which is its diagonal entry.
    starts: Vec<usize>,
    pattern: Pattern,
    matrix: Vec<(Block, Block)>,
    lu: SparseLu,
    /// Mass and inertia of movable nodes.
    mass: Vec<(f64, DMat3)>,
    gradient: Vec<Six>,
    direction: Vec<Six>,
    /// Velocities at which the last inner iteration ended; the problem's own are those of the impulses.
    kept: Vec<NodeVelocity>,
    best: Vec<DVec3>,
    wait: usize,
    /// `ε ρ`, the softness of the regularisation against the contact's own.
    softness: f64,
    centre: Vec<DVec3>,
    /// `r_c − u/ε`.
    argument: Vec<DVec3>,
}

impl FactoredProblem {
    /// Newton steps until `η / max‖q‖ ≤ tolerance`, at most `max_steps`; the steps done. Never leaves a worse state.
    pub(super) fn newton(&mut self, tolerance: f64, max_steps: usize) -> usize {
        let mut n = std::mem::take(&mut self.newton);
        let mut steps = 0;
        if n.prepare(self) {
            n.kept.clone_from(&self.velocities);
            n.softness = START;
            n.wait = 0;
            let mut best = self.eta();
            n.best.clear();
            n.best.extend(self.rows.iter().map(|row| row.r));
            while steps < max_steps && best > tolerance * self.q_max {
                let (done, converged) = n.outer(self, max_steps - steps);
                steps += done.max(1);
                n.adapt(done, converged);
                if !converged {
                    n.retreat(self);
                    continue;
                }
                let eta = self.eta();
                if eta < best {
                    best = eta;
                    for (kept, row) in n.best.iter_mut().zip(&self.rows) {
                        *kept = row.r;
                    }
                }
            }
            for (row, r) in self.rows.iter_mut().zip(&n.best) {
                row.r = *r;
            }
            self.consistent();
        }
        self.newton = n;
        steps
    }

    /// Velocities that belong to the impulses of the rows.
    fn consistent(&mut self) {
        self.velocities.copy_from_slice(&self.free);
        self.apply_all();
    }
}

impl Newton {
    /// Indices, masses and the pattern; false when a node moves but has no inertia to invert.
    fn prepare(&mut self, problem: &FactoredProblem) -> bool {
        self.index.clear();
        self.movable.clear();
        self.mass.clear();
        for (i, node) in problem.nodes.iter().enumerate() {
            if *node == Node::FIXED {
                self.index.push(u32::MAX);
                continue;
            }
            let inertia = node.inverse_inertia.inverse();
            if node.inverse_mass <= 0.0 || !inertia.is_finite() {
                return false;
            }
            self.index.push(self.movable.len() as u32);
            self.movable.push(i as u32);
            self.mass.push((1.0 / node.inverse_mass, inertia));
        }
        let index = &self.index;
        let pairs = problem
            .groups
            .iter()
            .map(|g| (index[g.first as usize], index[g.second as usize]));
        let same = pairs.clone().eq(self.pairs.iter().copied())
            && self.pattern.order.len() == self.movable.len();
        if !same {
            self.pairs.clear();
            self.pairs.extend(pairs);
            self.arrange();
        }
        true
    }

    /// Rows of the matrix with one entry per node and one per touching pair, in the row of the smaller index.
    fn arrange(&mut self) {
        let n = self.movable.len();
        let mut lists: Vec<Vec<usize>> = (0..n).map(|i| vec![i]).collect();
        let ordered = |(a, b): (u32, u32)| {
            (a != u32::MAX && b != u32::MAX && a != b)
                .then(|| (a.min(b) as usize, a.max(b) as usize))
        };
        for (a, b) in self.pairs.iter().filter_map(|p| ordered(*p)) {
            lists[a].push(b);
        }
        let (mut row_start, mut column) = (vec![0], Vec::new());
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
            column.extend_from_slice(list);
            row_start.push(column.len());
        }
        self.entry.clear();
        for p in &self.pairs {
            let place =
                ordered(*p).map(|(a, b)| row_start[a] + lists[a].partition_point(|&j| j < b));
            self.entry.push(place.map_or(u32::MAX, |e| e as u32));
        }
        self.pattern = Pattern::new(&row_start, &column);
        self.matrix.resize(column.len(), (ZERO, ZERO));
        self.starts = row_start;
    }

    /// One outer iteration; the Newton steps it took.
    fn outer(&mut self, problem: &mut FactoredProblem, max_steps: usize) -> (usize, bool) {
        problem.velocities.clone_from(&self.kept);
        self.centre.clear();
        self.centre.extend(problem.rows.iter().map(|row| row.r));
        self.evaluate(problem);
        let first = self.gradient_size(problem);
        let mut size = first;
        let (mut steps, mut refused) = (0, 0);
        while refused < 2 && steps < INNER.min(max_steps) && (steps == 0 || size > ENOUGH * first) {
            self.assemble(problem);
            if !self.lu.factor(&self.pattern, &self.matrix) {
                break;
            }
            self.direction.clear();
            self.direction
                .extend(self.gradient.iter().map(|g| g.map(|x| -x)));
            self.lu.solve(&self.pattern, &mut self.direction);
            steps += 1;
            let mut part = 1.0;
            self.advance(problem, part);
            loop {
                self.evaluate(problem);
                let now = self.gradient_size(problem);
                if now <= (1.0 - 0.1 * part) * size || part < 0.02 {
                    refused += usize::from(part < 0.02);
                    size = now;
                    break;
                }
                self.advance(problem, -0.5 * part);
                part *= 0.5;
            }
        }
        let converged = size <= ENOUGH * first;
        if converged {
            for (row, y) in problem.rows.iter_mut().zip(&self.argument) {
                row.r = disc(*y, row.mu);
            }
            self.kept.clone_from(&problem.velocities);
        }
        problem.consistent();
        (steps, converged)
    }

    /// ε falls where a centre was easily reached and grows where it was not reached.
    fn adapt(&mut self, steps: usize, converged: bool) {
        if !converged {
            self.softness = (self.softness / 0.3).min(1.0);
            self.wait = 3;
        } else if steps <= EASY {
            if self.wait == 0 {
                self.softness = (self.softness * 0.3).max(1e-8);
            } else {
                self.wait -= 1;
            }
        }
    }

    /// Starts again from the centre: velocities of the impulses.
    fn retreat(&mut self, problem: &FactoredProblem) {
        self.kept.clone_from(&problem.velocities);
    }

    /// Arguments of the projections and the gradient `M (v − v₀) − Hᵀ r`.
    fn evaluate(&mut self, problem: &FactoredProblem) {
        self.argument.clear();
        self.gradient.clear();
        for (&i, (mass, inertia)) in self.movable.iter().zip(&self.mass) {
            let (v, free) = (&problem.velocities[i as usize], &problem.free[i as usize]);
            let (p, l) = (
                (v.linear - free.linear) * *mass,
                *inertia * (v.angular - free.angular),
            );
            self.gradient.push([p.x, p.y, p.z, l.x, l.y, l.z]);
        }
        for group in &problem.groups {
            let v = group.relative(&problem.velocities);
            let (mut p, mut t) = (DVec3::ZERO, DVec3::ZERO);
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                let u = v.at(row);
                let y = self.centre[i] - u * (row.rho / self.softness);
                self.argument.push(y);
                let r = disc(y, row.mu);
                p += r;
                t += row.offset.cross(r);
            }
            self.subtract(group, p, t);
        }
    }

    /// Takes `Hᵀ r` of a group off the gradient.
    fn subtract(&mut self, group: &Group, p: DVec3, t: DVec3) {
        let (p, t) = (group.frame.to_world(p), group.frame.to_world(t));
        for (node, arm, sign) in [
            (group.first, group.arm_first, -1.0),
            (group.second, group.arm_second, 1.0),
        ] {
            let k = self.index[node as usize];
            if k != u32::MAX {
                let l = (arm.cross(p) + t) * sign;
                let p = p * sign;
                for (g, x) in self.gradient[k as usize]
                    .iter_mut()
                    .zip([p.x, p.y, p.z, l.x, l.y, l.z])
                {
                    *g += x;
                }
            }
        }
    }

    /// `gᵀ M⁻¹ g`, a kinetic energy.
    fn gradient_size(&self, problem: &FactoredProblem) -> f64 {
        let energy = |(&i, g): (&u32, &Six)| {
            let node = &problem.nodes[i as usize];
            let (p, l) = (DVec3::new(g[0], g[1], g[2]), DVec3::new(g[3], g[4], g[5]));
            p.length_squared() * node.inverse_mass + l.dot(node.inverse_inertia * l)
        };
        self.movable
            .iter()
            .zip(&self.gradient)
            .map(energy)
            .sum::<f64>()
            .sqrt()
    }

    /// `M + Hᵀ (dP/ε) H`.
    fn assemble(&mut self, problem: &FactoredProblem) {
        for b in &mut self.matrix {
            *b = (ZERO, ZERO);
        }
        for (k, (mass, inertia)) in self.mass.iter().enumerate() {
            let b = &mut self.matrix[self.starts[k]].0;
            let columns = inertia.to_cols_array_2d();
            for i in 0..3 {
                b[i][i] = *mass;
                for j in 0..3 {
                    b[3 + i][3 + j] = columns[j][i];
                }
            }
        }
        for (g, group) in problem.groups.iter().enumerate() {
            let mut q = [DMat3::ZERO; 4];
            for i in group.start as usize..group.end as usize {
                let row = &problem.rows[i];
                if self.argument[i].x <= 0.0 {
                    continue;
                }
                let e = disc_derivative(self.argument[i], row.mu) * (row.rho / self.softness);
                // u = V − [s] Ω.
                let s = skew(row.offset);
                let es = e * s;
                q[0] += e;
                q[1] -= es;
                q[2] += s * e;
                q[3] -= s * es;
            }
            if q[0] != DMat3::ZERO {
                let f = group.frame.matrix();
                self.add(g, group, q.map(|m| f * m * f.transpose()));
            }
        }
    }

    /// Adds a group's stiffness (world axes, at the reference point) to the blocks of its nodes.
    fn add(&mut self, g: usize, group: &Group, [vv, vw, wv, ww]: [DMat3; 4]) {
        let (a, b) = (skew(group.arm_first), skew(group.arm_second));
        let (i, j) = (
            self.index[group.first as usize],
            self.index[group.second as usize],
        );
        // V = v + ω × arm = v − [arm] ω, and the moment of a force about the centre is [arm] f.
        let joined = |left: &DMat3, right: &DMat3| {
            let upper = vw - vv * *right;
            (vv, upper, wv + *left * vv, ww - wv * *right + *left * upper)
        };
        for (k, arm) in [(i, &a), (j, &b)] {
            if k != u32::MAX {
                accumulate(
                    &mut self.matrix[self.starts[k as usize]].0,
                    joined(arm, arm),
                    1.0,
                );
            }
        }
        let e = self.entry[g];
        if e != u32::MAX {
            let (low, high) = if i < j { (&a, &b) } else { (&b, &a) };
            let entry = &mut self.matrix[e as usize];
            accumulate(&mut entry.0, joined(low, high), -1.0);
            accumulate(&mut entry.1, joined(high, low), -1.0);
        }
    }

    fn advance(&self, problem: &mut FactoredProblem, part: f64) {
        for (&i, d) in self.movable.iter().zip(&self.direction) {
            let v = &mut problem.velocities[i as usize];
            v.linear += DVec3::new(d[0], d[1], d[2]) * part;
            v.angular += DVec3::new(d[3], d[4], d[5]) * part;
        }
    }
}

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

fn accumulate(b: &mut Block, (vv, vw, wv, ww): (DMat3, DMat3, DMat3, DMat3), sign: f64) {
    for (m, (row, column)) in [(vv, (0, 0)), (vw, (0, 3)), (wv, (3, 0)), (ww, (3, 3))] {
        let columns = m.to_cols_array_2d();
        for i in 0..3 {
            for j in 0..3 {
                b[row + i][column + j] += sign * columns[j][i];
            }
        }
    }
}

/// Alart and Curnier's projection: the normal part on the half line, the tangential one on the disc `μ r_n`.
fn disc(y: DVec3, mu: f64) -> DVec3 {
    let n = y.x.max(0.0);
    let (square, limit) = (y.y * y.y + y.z * y.z, mu * n);
    let scale = if square > limit * limit {
        limit / square.sqrt()
    } else {
        1.0
    };
    DVec3::new(n, scale * y.y, scale * y.z)
}

/// Its derivative where the normal part is positive.
fn disc_derivative(y: DVec3, mu: f64) -> DMat3 {
    let t = (y.y * y.y + y.z * y.z).sqrt();
    if t <= mu * y.x {
        return DMat3::IDENTITY;
    }
    let (hy, hz, k) = (y.y / t, y.z / t, mu * y.x / t);
    DMat3::from_cols(
        DVec3::new(1.0, mu * hy, mu * hz),
        DVec3::new(0.0, k * (1.0 - hy * hy), -k * hy * hz),
        DVec3::new(0.0, -k * hy * hz, k * (1.0 - hz * hz)),
    )
}
