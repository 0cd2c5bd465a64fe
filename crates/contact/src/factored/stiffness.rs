//! What the contacts of eight groups put against their nodes.

use super::lanes::LANES;
use super::layout::Layout;
use super::octets::{Octet, Slot};
use super::six::Six;
use super::wide::{Matrix as Columns, Wide3, Wide33, ZERO, parts};
use crate::block_lu::BlockLu;
use crate::ordering::Place;
use pulp::Simd;

/// The stiffness of each group against a relative twist `(V, Ω)` at its reference point, local axes: the blocks
/// `VV, VΩ, ΩV, ΩΩ`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stiffness([Columns; 4]);

/// The same in world axes between the velocities of two nodes, by the node of the row, of the column or of both.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Joined {
    vv: Columns,
    vw: [Columns; 2],
    wv: [Columns; 2],
    ww: [[Columns; 2]; 2],
}

/// The matrix that it is added to.
pub(super) struct Matrix<'a> {
    pub lu: &'a mut BlockLu<Six>,
    pub layout: &'a Layout,
}

impl Stiffness {
    pub const ZERO: Self = Self([[ZERO; 3]; 4]);

    /// Adds `−dr/du` of contacts.
    #[inline(always)]
    pub fn gather<S: Simd>(&mut self, simd: S, slot: &Slot, k: &Columns) {
        for part in parts::<S>() {
            let offset = Wide3::load(simd, &slot.offset, part);
            // u = V − [s] Ω.
            let k = Wide33::load(simd, k, part);
            let ks = k.times_skew(offset);
            let [vv, vw, wv, ww] = &mut self.0;
            k.add_to(vv, part);
            ks.take_from(vw, part);
            k.turned_by(offset).add_to(wv, part);
            ks.turned_by(offset).take_from(ww, part);
        }
    }
}

impl Joined {
    pub const ZERO: Self = Self {
        vv: [ZERO; 3],
        vw: [[ZERO; 3]; 2],
        wv: [[ZERO; 3]; 2],
        ww: [[[ZERO; 3]; 2]; 2],
    };

    #[inline(always)]
    pub fn set<S: Simd>(&mut self, simd: S, octet: &Octet, stiffness: &Stiffness) {
        for part in parts::<S>() {
            let f = Wide33::load(simd, &octet.frame, part);
            let turn = f.transpose();
            let [vv, vw, wv, ww] = &stiffness.0;
            let vv = f * Wide33::load(simd, vv, part) * turn;
            let vw = f * Wide33::load(simd, vw, part) * turn;
            let wv = f * Wide33::load(simd, wv, part) * turn;
            let ww = f * Wide33::load(simd, ww, part) * turn;
            vv.store(&mut self.vv, part);
            // V = v + ω × arm = v − [arm] ω, and the moment of a force about the centre is [arm] f.
            for column in 0..2 {
                let arm = Wide3::load(simd, &octet.arms[column], part);
                let upper = vw - vv.times_skew(arm);
                let lower = ww - wv.times_skew(arm);
                upper.store(&mut self.vw[column], part);
                for row in 0..2 {
                    let arm = Wide3::load(simd, &octet.arms[row], part);
                    let moments = lower + upper.turned_by(arm);
                    moments.store(&mut self.ww[row][column], part);
                }
                (wv + vv.turned_by(arm)).store(&mut self.wv[column], part);
            }
        }
    }

    /// Does something with each number of a block and that of a lane which belongs there.
    #[inline(always)]
    fn each(
        &self,
        (row, column): (usize, usize),
        lane: usize,
        block: &mut Six,
        of: impl Fn(&mut f64, f64),
    ) {
        for i in 0..3 {
            for j in 0..3 {
                of(&mut block[i][j], self.vv[j][i][lane]);
                of(&mut block[i][3 + j], self.vw[column][j][i][lane]);
                of(&mut block[3 + i][j], self.wv[row][j][i][lane]);
                of(&mut block[3 + i][3 + j], self.ww[row][column][j][i][lane]);
            }
        }
    }
}

impl Matrix<'_> {
    /// Adds the stiffness of the groups that take part. All their blocks are opened first: memory then comes for many at
    /// once.
    #[inline(always)]
    pub fn add(&mut self, octet: &Octet, joined: &Joined, takes_part: impl Fn(usize) -> bool) {
        let mut places = [[None; 4]; LANES];
        for (i, places) in places.iter_mut().enumerate().take(octet.count) {
            let g = octet.groups[i] as usize;
            if takes_part(g) {
                *places = self.places(g, [octet.moved[0][i], octet.moved[1][i]]);
                for place in places.iter().flatten() {
                    self.lu.block(*place);
                }
            }
        }
        for (i, places) in places.iter().enumerate() {
            for (nodes, place) in [(0, 0), (1, 1), (0, 1), (1, 0)].into_iter().zip(places) {
                let Some(block) = place.and_then(|place| self.lu.block(place)) else {
                    continue;
                };
                if nodes.0 == nodes.1 {
                    joined.each(nodes, i, block, |to, x| *to += x);
                } else {
                    joined.each(nodes, i, block, |to, x| *to -= x);
                }
            }
        }
    }

    /// Where the blocks of a group between these nodes are.
    #[inline(always)]
    fn places(&self, g: usize, [a, b]: [u32; 2]) -> [Option<Place>; 4] {
        let own = |k: u32| self.layout.own.get(k as usize).copied();
        let upper = self.layout.pair[g];
        let lower = upper.map(Place::transposed);
        let (ab, ba) = if a < b {
            (upper, lower)
        } else {
            (lower, upper)
        };
        [own(a), own(b), ab, ba]
    }
}

#[cfg(test)]
mod tests {
    use super::super::jacobian::tests::{any, octets, problem};
    use super::super::lanes::{get, put};
    use super::super::octets::Octets;
    use super::*;
    use crate::NodeVelocity;
    use glam::DVec3;
    use pulp::{Arch, Scalar, WithSimd};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// Blocks of the groups of an octet: by lane, row and column.
    struct Blocks<'a>(&'a Octets, &'a Octet, &'a [Columns]);

    impl WithSimd for Blocks<'_> {
        type Output = Vec<[[Six; 2]; 2]>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let Self(octets, octet, k) = self;
            let (mut stiffness, mut joined) = (Stiffness::ZERO, Joined::ZERO);
            for s in octet.slots() {
                stiffness.gather(simd, &octets.slots[s], &k[s]);
            }
            joined.set(simd, octet, &stiffness);
            let mut blocks = vec![[[[[0.0; 6]; 6]; 2]; 2]; octet.count];
            for (lane, blocks) in blocks.iter_mut().enumerate() {
                for nodes in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    joined.each(nodes, lane, &mut blocks[nodes.0][nodes.1], |to, x| *to = x);
                }
            }
            blocks
        }
    }

    /// The moments that they give at any velocities are those of the contacts' own impulses.
    #[test]
    fn blocks_give_the_momenta_of_the_contacts() {
        let problem = problem(2);
        let octets = octets(&problem);
        let mut rng = Pcg64::seed_from_u64(3);
        let mut k = vec![[ZERO; 3]; octets.slots.len()];
        for place in &octets.places {
            for column in &mut k[place.slot] {
                put(column, place.lane, any(&mut rng));
            }
        }
        for octet in &octets.all {
            let blocks = Arch::new().dispatch(Blocks(&octets, octet, &k));
            assert!(blocks == Blocks(&octets, octet, &k).with_simd(Scalar::new()));
            for (lane, blocks) in blocks.iter().enumerate() {
                let group = &problem.groups[octet.groups[lane] as usize];
                let v = [0, 1].map(|_| NodeVelocity {
                    linear: any(&mut rng),
                    angular: any(&mut rng),
                });
                let twist = group.relative_of(&v[0], &v[1]);
                let mut expected = [DVec3::ZERO; 4];
                for i in group.start as usize..group.end as usize {
                    let (row, place) = (&problem.rows[i], octets.places[i]);
                    let columns = &k[place.slot].map(|column| get(&column, place.lane));
                    let u = twist.at(row) - row.bias;
                    let r = columns[0] * u.x + columns[1] * u.y + columns[2] * u.z;
                    let (r, s) = (group.frame.to_world(r), group.frame.to_world(row.offset));
                    for (n, arm) in [group.arm_first, group.arm_second].into_iter().enumerate() {
                        expected[2 * n] += r;
                        expected[2 * n + 1] += (arm + s).cross(r);
                    }
                }
                for (n, row) in blocks.iter().enumerate() {
                    let mut own = [0.0; 6];
                    // The second node's velocity counts negative.
                    for ((block, v), sign) in row.iter().zip(&v).zip([1.0, -1.0]) {
                        let v = [v.linear.to_array(), v.angular.to_array()].concat();
                        for (own, block) in own.iter_mut().zip(block) {
                            *own += sign * block.iter().zip(&v).map(|(b, v)| b * v).sum::<f64>();
                        }
                    }
                    let own = [DVec3::from_slice(&own), DVec3::from_slice(&own[3..])];
                    // A few hundred products of numbers up to 3 each.
                    for (own, expected) in own.into_iter().zip(&expected[2 * n..]) {
                        assert!((own - *expected).length() < 1e-12, "{own} {expected}");
                    }
                }
            }
        }
    }
}
