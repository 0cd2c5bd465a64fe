//! `(s + W)⁻¹` by the bodies of a problem, `W = H M⁻¹ Hᵀ` with the scales of the contacts in `H`:
//!
//! > `(s + W)⁻¹ = (1 − H (s M + Hᵀ H)⁻¹ Hᵀ) / s`
//!
//! (Sherman, Morrison, Woodbury). The matrix of the bodies has a block of six rows a body instead of three a contact,
//! and far less fill.

use crate::bodies::block_layout::BlockLayout;
use crate::linear::block_lu::BlockLu;
use crate::linear::block6::{Block6, Vector};
use crate::linear::minimum_degree::MinimumDegree;
use crate::problem::jacobian::{Jacobian, Side};
use glam::DVec3;

/// The scaled `H`, and the factors of `s M + Hᵀ H`.
#[derive(Debug, Clone, Default)]
pub(super) struct BodyFactors {
    jacobian: Jacobian,
    layout: BlockLayout,
    lu: BlockLu<Block6>,
    /// By bodies: `Hᵀ b` and the solution of their matrix.
    load: Vec<Vector>,
    twist: Vec<Vector>,
    shift: f64,
}

impl BodyFactors {
    /// Takes the bodies of another problem, with the scale of each contact. A contact without friction has no
    /// tangential rows.
    pub fn load(
        &mut self,
        jacobian: &Jacobian,
        scale: &[f64],
        mu: &[f64],
        search: &mut MinimumDegree,
    ) {
        self.jacobian.clone_from(jacobian);
        let contacts = self.jacobian.sides.iter_mut().zip(scale.iter().zip(mu));
        for (sides, (scale, mu)) in contacts {
            let tangential = if *mu == 0.0 { 0.0 } else { *scale };
            for side in sides.iter_mut().flatten() {
                for row in [&mut side.linear, &mut side.angular] {
                    row[0] *= *scale;
                    row[1] *= tangential;
                    row[2] *= tangential;
                }
            }
        }
        let body = |side: &Option<Side>| side.map_or(u32::MAX, |side| side.body);
        let pairs = self.jacobian.sides.iter();
        let pairs: Vec<_> = pairs.map(|[a, b]| (body(a), body(b))).collect();
        self.layout
            .arrange(jacobian.mass.len(), &pairs, |_| true, search);
    }

    /// Factors for a shift `s`; false when a pivot block is singular.
    pub fn factor(&mut self, shift: f64) -> bool {
        self.shift = shift;
        self.lu.clear(&self.layout.pattern);
        for (index, (mass, inertia)) in self.layout.own.iter().zip(&self.jacobian.mass) {
            let Some(block) = self.lu.block(*index) else {
                continue;
            };
            let columns = inertia.to_cols_array_2d();
            for i in 0..3 {
                block[i][i] += mass * shift;
                for j in 0..3 {
                    block[3 + i][3 + j] += columns[j][i] * shift;
                }
            }
        }
        for (sides, pair) in self.jacobian.sides.iter().zip(&self.layout.pair) {
            for side in sides.iter().flatten() {
                if let Some(block) = self.lu.block(self.layout.own[side.body as usize]) {
                    add_products(block, side, side);
                }
            }
            if let ([Some(a), Some(b)], Some(index)) = (sides, pair) {
                let (low, high) = if a.body < b.body { (a, b) } else { (b, a) };
                if let Some(block) = self.lu.block(*index) {
                    add_products(block, low, high);
                }
                if let Some(block) = self.lu.block(index.transposed()) {
                    add_products(block, high, low);
                }
            } else if let [Some(a), Some(b)] = sides {
                // A body that touches itself.
                if let Some(block) = self.lu.block(self.layout.own[a.body as usize]) {
                    add_products(block, a, b);
                    add_products(block, b, a);
                }
            }
        }
        self.lu.factor(&self.layout.pattern)
    }

    /// Solves `(s + W) x = b`.
    pub fn solve(&mut self, b: &[DVec3], x: &mut [DVec3]) {
        self.load.clear();
        self.load.resize(self.jacobian.mass.len(), [0.0; 6]);
        for (sides, b) in self.jacobian.sides.iter().zip(b) {
            for side in sides.iter().flatten() {
                let load = &mut self.load[side.body as usize];
                for (sum, row) in load.iter_mut().zip(columns(side)) {
                    *sum += row.dot(*b);
                }
            }
        }
        let (load, twist) = (&self.load, &mut self.twist);
        twist.resize(load.len(), [0.0; 6]);
        self.lu
            .solve(&self.layout.pattern, |i| load[i], |i, v| twist[i] = *v);
        for ((x, b), sides) in x.iter_mut().zip(b).zip(&self.jacobian.sides) {
            let mut moved = DVec3::ZERO;
            for side in sides.iter().flatten() {
                let own = &self.twist[side.body as usize];
                for (column, twist) in columns(side).into_iter().zip(own) {
                    moved += column * *twist;
                }
            }
            *x = (*b - moved) / self.shift;
        }
    }
}

/// The columns of three rows of `H` for one body.
#[inline]
fn columns(side: &Side) -> [DVec3; 6] {
    let column = |rows: &[DVec3; 3], i: usize| DVec3::new(rows[0][i], rows[1][i], rows[2][i]);
    std::array::from_fn(|i| match i {
        0..3 => column(&side.linear, i),
        _ => column(&side.angular, i - 3),
    })
}

/// Adds `Hₐᵀ H_b` of a contact.
fn add_products(block: &mut Block6, a: &Side, b: &Side) {
    let (a, b) = (columns(a), columns(b));
    for (row, a) in block.iter_mut().zip(a) {
        for (entry, b) in row.iter_mut().zip(b) {
            *entry += a.dot(b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BodyFactors;
    use crate::bodies::{Assembler, BodyInertia, BodyVelocity, ContactPair, Problem};
    use crate::linear::minimum_degree::MinimumDegree;
    use crate::methods::equilibrated::Equilibrated;
    use glam::{DMat3, DVec3};
    use klast_numerics::SplitMix64;

    /// Random contacts between five bodies, the ground and one another.
    fn problem(chance: &mut SplitMix64) -> Problem {
        let mut any = |low: f64, high: f64| {
            let mut number = || chance.between(low, high);
            DVec3::new(number(), number(), number())
        };
        let bodies: Vec<_> = (0..5)
            .map(|_| BodyInertia {
                inverse_mass: any(0.1, 2.0).x,
                inverse_inertia: DMat3::from_diagonal(any(0.5, 5.0)),
            })
            .collect();
        let pairs: Vec<_> = (0..14)
            .map(|k| ContactPair {
                first: k % 5,
                second: [None, Some((k + 1) % 5), Some((k + 3) % 5)][k % 3],
                normal: any(-1.0, 1.0).normalize(),
                arm_first: any(-1.0, 1.0),
                arm_second: any(-1.0, 1.0),
                bias: any(-1.0, 1.0),
                mu: if k % 4 == 0 { 0.0 } else { 0.5 },
                impulse: DVec3::ZERO,
            })
            .collect();
        let mut made = Problem::new();
        let still = vec![BodyVelocity::default(); bodies.len()];
        made.load(&bodies, &still, &pairs).unwrap();
        made
    }

    #[test]
    fn the_equations_of_the_contacts_hold() {
        let mut chance = SplitMix64::new(61);
        for _ in 0..50 {
            let problem = problem(&mut chance);
            let mut assembler = Assembler::new();
            let assembled = assembler.assemble(&problem).unwrap();
            let jacobian = assembler.jacobian(&problem).unwrap();
            let mut equilibrated = Equilibrated::default();
            equilibrated.load(&assembled);
            let mut factors = BodyFactors::default();
            let search = &mut MinimumDegree::default();
            factors.load(&jacobian, &equilibrated.scale, assembled.mu(), search);
            let shift = 1.0 + chance.unit();
            assert!(factors.factor(shift));
            let count = assembled.contacts();
            let b: Vec<_> = (0..count)
                .map(|_| DVec3::new(chance.unit(), chance.unit(), chance.unit()))
                .collect();
            let (mut x, mut back) = (vec![DVec3::ZERO; count], vec![DVec3::ZERO; count]);
            factors.solve(&b, &mut x);
            equilibrated.times(&x, &mut back);
            for ((x, back), b) in x.iter().zip(&back).zip(&b) {
                // W is some tens in these units.
                assert!((*x * shift + *back - *b).length() < 1e-12, "{b}");
            }
        }
    }
}
