//! Contacts that would drive what they touch are made to yield.
//!
//! Coulomb's law has `r·u = −μ r_n ‖u_T‖ ≤ 0` at the velocities that a solution ends with, whatever `e` is, so each
//! contact takes energy. Impulses that are not a solution can break this: `r·u > 0`, a contact that drives. Such an
//! impulse is shortened. That can make others drive, and they are shortened in turn; impulses only ever get shorter, so
//! this comes to an end, where no contact drives and every impulse is in its cone and in its direction. It is a descent
//! on the kinetic energy over all lengths between zero and the present ones.

use super::group::{Group, Row};
use super::{FactoredProblem, Node, NodeVelocity};
use glam::DVec3;

/// A contact that drives at a speed `r·u / r_n` is left to take energy at this part of it, the same each time that it is
/// shortened. Without such a margin the end is approached as slowly as by Gauss and Seidel, and never quite reached. With
/// 1 a tower at rest comes out 100 times less quiet; with a new margin each time the changes can grow until it falls.
const MARGIN: f64 = 0.5;
/// Passes at most. Poured blocks after 15 sweeps take up to 150, nearly all of them over few contacts.
const PASSES: usize = 1000;
/// Part of `r_n max‖q‖` under which `r·u` is the rounding of its three products.
const ROUNDING: f64 = 1e-15;

/// Kept between runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Buffers {
    /// Whether the velocity of a node has changed in the pass before, and whether it changes in this one.
    touched: Vec<bool>,
    next: Vec<bool>,
    /// Groups with an impulse, the others drive nothing, and their nodes, close together: most passes look at many groups
    /// and change few.
    loaded: Vec<(u32, [u32; 2])>,
    /// Speed at which a row is left to take energy, 0 until it drives for the first time.
    margin: Vec<f64>,
    /// Biases of the normals while contacts may close.
    pub(super) own_bias: Vec<f64>,
}

impl FactoredProblem {
    /// Shortens impulses until no contact drives: `r·u ≤ 0` beyond rounding at each, with what an open gap adds to `u`
    /// left out. Gives the number of passes, 0 if there was nothing to do. Velocities stay those of the impulses. Springs may
    /// give back what they hold: of them `r·u′ ≤ 0` is asked.
    pub fn yield_where_driving(&mut self) -> usize {
        let mut b = std::mem::take(&mut self.yielding);
        b.touched.clear();
        b.touched.resize(self.nodes.len(), true);
        b.margin.clear();
        b.margin.resize(self.rows.len(), 0.0);
        b.loaded.clear();
        for (g, group) in self.groups.iter().enumerate() {
            let rows = &self.rows[group.start as usize..group.end as usize];
            if rows.iter().any(|row| row.r != DVec3::ZERO) {
                b.loaded.push((g as u32, [group.first, group.second]));
            }
        }
        let mut passes = 0;
        while passes < PASSES && self.pass(&mut b) {
            std::mem::swap(&mut b.touched, &mut b.next);
            passes += 1;
        }
        self.yielding = b;
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

    /// One pass over the groups whose nodes have changed; whether a contact drove.
    fn pass(&mut self, b: &mut Buffers) -> bool {
        let rounding = ROUNDING * self.q_max;
        b.next.clear();
        b.next.resize(self.nodes.len(), false);
        let mut any = false;
        for &(g, nodes) in &b.loaded {
            let [first, second] = nodes.map(|n| n as usize);
            let seen = |list: &[bool]| list[first] || list[second];
            if !seen(&b.touched) && !seen(&b.next) {
                continue;
            }
            let group = &self.groups[g as usize];
            let own = group.start as usize..group.end as usize;
            let (rows, margin) = (&mut self.rows[own.clone()], &mut b.margin[own]);
            if group.shorten(
                (rows, margin),
                rounding,
                self.compliance,
                (&self.nodes, &mut self.velocities),
            ) {
                any = true;
                for n in [first, second] {
                    b.next[n] |= self.nodes[n] != Node::FIXED;
                }
            }
        }
        any
    }
}

impl Row {
    /// `r·u` without the part of a gap that is still open: what the contact gives to the bodies. The return of a bounce
    /// is part of its law and left in `u`, where it makes the product smaller.
    #[inline(always)]
    fn given(&self, u: DVec3) -> f64 {
        self.r.dot(u) - self.r.x * self.bias.x.max(0.0)
    }
}

impl Group {
    /// Shortens the impulses of the contacts that drive; whether there was one.
    #[inline(always)]
    fn shorten(
        &self,
        (rows, margins): (&mut [Row], &mut [f64]),
        rounding: f64,
        compliance: f64,
        (nodes, velocities): (&[Node], &mut [NodeVelocity]),
    ) -> bool {
        let mut v = self.relative(velocities);
        let (mut impulse, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        let mut any = false;
        for (row, margin) in rows.iter_mut().zip(margins) {
            let given = row.given(v.at(row) + row.r * compliance);
            if given > rounding * row.r.x {
                any = true;
                if *margin == 0.0 {
                    *margin = MARGIN * given / row.r.x;
                }
                let own = row
                    .r
                    .dot(self.answer(row.r, row.offset) + row.r * compliance);
                let part = (given + *margin * row.r.x) / own;
                // A contact at which no impulse acts cannot be helped by a shorter one.
                let p = if part < 1.0 && part > 0.0 {
                    row.r * -part
                } else {
                    -row.r
                };
                let t = row.offset.cross(p);
                v = self.changed(v, p, t);
                impulse += p;
                angular += t;
                row.r += p;
            }
        }
        if any {
            self.apply(impulse, angular, nodes, velocities);
        }
        any
    }
}
