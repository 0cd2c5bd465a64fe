//! Contacts that would drive what they touch are made to yield.
//!
//! Coulomb's law has `r·u = −μ r_n ‖u_T‖ ≤ 0` at the velocities that a solution ends with, whatever `e` is, so each
//! contact takes energy. Impulses that are not a solution can break this: `r·u > 0`, a contact that drives. Such an
//! impulse is shortened. That can make others drive, and they are shortened in turn; impulses only ever get shorter, so
//! this comes to an end, where no contact drives and every impulse is in its cone and in its direction. It is a descent
//! on the kinetic energy over all lengths between zero and the present ones.

use super::group::{Group, Relative};
use super::{FactoredProblem, Node, NodeVelocity};
use glam::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// Passes at most. Poured blocks after 15 sweeps take up to 150, nearly all of them over few contacts; a block that is wedged
/// between rough ones has taken 26,000 over its own.
const PASSES: usize = 100_000;
/// Part of `r_n max‖q‖` under which `r·u` is the rounding of its three products.
const ROUNDING: f64 = 1e-15;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    contacts: Vec<Contact>,
    pressed: Vec<Pressed>,
    /// Those of each node that moves, node after node, and where a node's end.
    of_nodes: Vec<u32>,
    ends: Vec<u32>,
    /// A bit for each of the pressed: whether a velocity has changed since it was looked at.
    changed: Vec<u64>,
    /// Biases of the normals while contacts may close.
    pub(super) own_bias: Vec<f64>,
}

/// A contact with an impulse; the others drive nothing.
#[derive(Debug, Clone, Copy)]
struct Contact {
    offset: DVec3,
    bias: DVec3,
    r: DVec3,
    /// Speed at which it is left to take energy, 0 until it drives for the first time.
    margin: f64,
    row: u32,
}

/// A group with such contacts.
#[derive(Debug, Clone, Copy)]
struct Pressed {
    group: u32,
    nodes: [u32; 2],
    start: u32,
    end: u32,
}

impl FactoredProblem {
    /// Shortens impulses until no contact drives: `r·u ≤ 0` beyond rounding at each, with what an open gap adds to `u`
    /// left out. Gives the number of passes, 0 if there was nothing to do. Velocities stay those of the impulses. Springs may
    /// give back what they hold: of them `r·u′ ≤ 0` is asked.
    ///
    /// A contact that drives at a speed `r·u / r_n` is left to take energy at the `margin` part of it, the same each time that it
    /// is shortened. Without one the end is approached as slowly as by Gauss and Seidel, and never quite reached; the more there
    /// is, the more it moves what was solved: 0.5 suits impulses after few sweeps, where a tower at rest comes out 100 times less
    /// quiet with 1, and 0.1 what is nearly a solution.
    pub fn yield_where_driving(&mut self, margin: f64) -> usize {
        let mut buffers = std::mem::take(&mut self.yielding);
        buffers.fill(self);
        let passes = Arch::new().dispatch(Passes {
            buffers: &mut buffers,
            groups: &self.groups,
            nodes: &self.nodes,
            velocities: &mut self.velocities,
            limits: Limits {
                margin,
                rounding: ROUNDING * self.q_max,
                compliance: self.compliance,
            },
        });
        if passes > 0 {
            for contact in &buffers.contacts {
                self.rows[contact.row as usize].r = contact.r;
            }
        }
        self.yielding = buffers;
        passes
    }

    /// Lets contacts close at `speed` (m/s, 0 ends it): the law is asked for at `u_n + speed`. A solution then has
    /// `r·u ≤ −speed r_n`, so what a solver leaves open under that speed makes no contact drive.
    pub fn let_close(&mut self, speed: f64) {
        let own = &mut self.yielding.own_bias;
        if own.len() != self.rows.len() {
            own.clear();
            own.extend(self.rows.iter().map(|row| row.bias.x));
        }
        for (row, own) in self.rows.iter_mut().zip(own) {
            row.bias.x = *own + speed;
        }
    }
}

impl Buffers {
    /// Takes what has an impulse; all of it is to be looked at.
    fn fill(&mut self, problem: &FactoredProblem) {
        self.contacts.clear();
        self.pressed.clear();
        for (g, group) in problem.groups.iter().enumerate() {
            let start = self.contacts.len() as u32;
            let own = group.start..group.end;
            for (row, i) in problem.rows[own.start as usize..own.end as usize]
                .iter()
                .zip(own)
            {
                if row.r != DVec3::ZERO {
                    self.contacts.push(Contact {
                        offset: row.offset,
                        bias: row.bias,
                        r: row.r,
                        margin: 0.0,
                        row: i,
                    });
                }
            }
            let end = self.contacts.len() as u32;
            if end > start {
                self.pressed.push(Pressed {
                    group: g as u32,
                    nodes: [group.first, group.second],
                    start,
                    end,
                });
            }
        }
        self.sort_by_node(&problem.nodes);
        self.changed.clear();
        self.changed.resize(self.pressed.len().div_ceil(64), 0);
        for k in 0..self.pressed.len() {
            mark(&mut self.changed, k);
        }
    }

    /// The pressed groups of each node that moves.
    fn sort_by_node(&mut self, nodes: &[Node]) {
        let moves = |n: &u32| nodes[*n as usize] != Node::FIXED;
        self.ends.clear();
        self.ends.resize(nodes.len(), 0);
        for n in self.pressed.iter().flat_map(|p| p.nodes).filter(moves) {
            self.ends[n as usize] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends {
            total += *end;
            *end = total;
        }
        self.of_nodes.clear();
        self.of_nodes.resize(total as usize, 0);
        // Filled from the back, ends become starts; one more number ends the last.
        for (k, p) in self.pressed.iter().enumerate().rev() {
            for n in p.nodes.iter().filter(|n| moves(n)) {
                let place = &mut self.ends[*n as usize];
                *place -= 1;
                self.of_nodes[*place as usize] = k as u32;
            }
        }
        self.ends.push(total);
    }

    /// The first from `k` on that is to be looked at.
    #[inline(always)]
    fn next(&self, k: usize) -> Option<usize> {
        let mut word = k / 64;
        let mut bits = self.changed.get(word)? & (u64::MAX << (k % 64));
        while bits == 0 {
            word += 1;
            bits = *self.changed.get(word)?;
        }
        Some(64 * word + bits.trailing_zeros() as usize)
    }
}

#[inline(always)]
fn mark(bits: &mut [u64], k: usize) {
    bits[k / 64] |= 1 << (k % 64);
}

/// Passes over the groups whose nodes have changed.
struct Passes<'a> {
    buffers: &'a mut Buffers,
    groups: &'a [Group],
    nodes: &'a [Node],
    velocities: &'a mut [NodeVelocity],
    limits: Limits,
}

/// When and how far an impulse is shortened.
#[derive(Debug, Clone, Copy)]
struct Limits {
    margin: f64,
    /// Speed that is the rounding of `r·u / r_n`.
    rounding: f64,
    /// Of springs.
    compliance: f64,
}

impl WithSimd for Passes<'_> {
    type Output = usize;

    /// The passes in which a contact drove.
    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) -> usize {
        let mut passes = 0;
        while passes < PASSES && self.pass() {
            passes += 1;
        }
        passes
    }
}

impl Passes<'_> {
    /// One pass; whether a contact drove.
    #[inline(always)]
    fn pass(&mut self) -> bool {
        let (mut any, mut from) = (false, 0);
        while let Some(k) = self.buffers.next(from) {
            let b = &mut *self.buffers;
            b.changed[k / 64] ^= 1 << (k % 64);
            let pressed = b.pressed[k];
            let contacts = &mut b.contacts[pressed.start as usize..pressed.end as usize];
            let group = &self.groups[pressed.group as usize];
            if group.shorten(contacts, self.limits, (self.nodes, self.velocities)) {
                any = true;
                for n in pressed.nodes {
                    let own = b.ends[n as usize] as usize..b.ends[n as usize + 1] as usize;
                    for other in &b.of_nodes[own] {
                        mark(&mut b.changed, *other as usize);
                    }
                }
            }
            from = k + 1;
        }
        any
    }
}

impl Contact {
    /// `r·u` without the part of a gap that is still open: what the contact gives to the bodies. The return of a bounce
    /// is part of its law and left in `u`, where it makes the product smaller.
    #[inline(always)]
    fn given(&self, u: DVec3) -> f64 {
        self.r.dot(u) - self.r.x * self.bias.x.max(0.0)
    }

    /// Shortens the impulse where it drives at the relative twist `v`; its change, and that of the angular impulse about the
    /// reference point.
    #[inline(always)]
    fn shorten(&mut self, group: &Group, v: &Relative, limits: Limits) -> Option<(DVec3, DVec3)> {
        let yields = self.r * limits.compliance;
        let given = self.given(v.at_offset(self.offset) + self.bias + yields);
        let drives = given > limits.rounding * self.r.x;
        if !drives {
            return None;
        }
        if self.margin == 0.0 {
            self.margin = limits.margin * given / self.r.x;
        }
        let answer = group.answer(self.r, self.offset) + yields;
        let part = (given + self.margin * self.r.x) / self.r.dot(answer);
        // A contact at which no impulse acts cannot be helped by a shorter one.
        let p = if part < 1.0 && part > 0.0 {
            self.r * -part
        } else {
            -self.r
        };
        self.r += p;
        Some((p, self.offset.cross(p)))
    }
}

impl Group {
    /// Shortens the impulses of the contacts that drive; whether there was one.
    #[inline(always)]
    fn shorten(
        &self,
        contacts: &mut [Contact],
        limits: Limits,
        (nodes, velocities): (&[Node], &mut [NodeVelocity]),
    ) -> bool {
        let Some((last, contacts)) = contacts.split_last_mut() else {
            return false;
        };
        let mut v = self.relative(velocities);
        let (mut impulse, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        let mut any = false;
        for contact in contacts {
            if let Some((p, t)) = contact.shorten(self, &v, limits) {
                v = self.changed(v, p, t);
                impulse += p;
                angular += t;
                any = true;
            }
        }
        if let Some((p, t)) = last.shorten(self, &v, limits) {
            impulse += p;
            angular += t;
            any = true;
        }
        if any {
            self.apply(impulse, angular, nodes, velocities);
        }
        any
    }
}
