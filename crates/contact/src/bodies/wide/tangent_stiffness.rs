//! Tangent stiffness `Hᵀ K H` of eight groups, vectorised.

use super::groups::{WideContact, WideGroup};
use super::lane::{LANES, Matrix as Columns, ZERO};
use super::math::{Wide3, Wide33, parts};
use crate::bodies::block_layout::BlockLayout;
use crate::linear::block_lu::BlockLu;
use crate::linear::block6::Block6;
use crate::linear::ordering::BlockIndex;
use pulp::Simd;

/// The stiffness of each group against a relative twist `(V, Ω)` at its reference point, local axes: the blocks
/// `VV, VΩ, ΩV, ΩΩ`.
#[derive(Debug, Clone, Copy)]
pub(in crate::bodies) struct Stiffness([Columns; 4]);

/// The same in world axes between the velocities of two bodies, by the body of the row, of the column or of both.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(in crate::bodies) struct BodyStiffness {
    vv: Columns,
    vw: [Columns; 2],
    wv: [Columns; 2],
    ww: [[Columns; 2]; 2],
}

/// The matrix that it is added to.
pub(in crate::bodies) struct Matrix<'a> {
    pub lu: &'a mut BlockLu<Block6>,
    pub layout: &'a BlockLayout,
}

impl Stiffness {
    pub const ZERO: Self = Self([[ZERO; 3]; 4]);

    /// Adds `−dr/du` of contacts.
    #[inline(always)]
    pub fn gather<S: Simd>(&mut self, simd: S, contact: &WideContact, k: &Columns) {
        for part in parts::<S>() {
            let offset = Wide3::load(simd, &contact.offset, part);
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

impl BodyStiffness {
    pub const ZERO: Self = Self {
        vv: [ZERO; 3],
        vw: [[ZERO; 3]; 2],
        wv: [[ZERO; 3]; 2],
        ww: [[[ZERO; 3]; 2]; 2],
    };

    #[inline(always)]
    pub fn set<S: Simd>(&mut self, simd: S, wide: &WideGroup, stiffness: &Stiffness) {
        for part in parts::<S>() {
            let f = Wide33::load(simd, &wide.frame, part);
            let turn = f.transpose();
            let [vv, vw, wv, ww] = &stiffness.0;
            let vv = f * Wide33::load(simd, vv, part) * turn;
            let vw = f * Wide33::load(simd, vw, part) * turn;
            let wv = f * Wide33::load(simd, wv, part) * turn;
            let ww = f * Wide33::load(simd, ww, part) * turn;
            vv.store(&mut self.vv, part);
            // V = v + ω × arm = v − [arm] ω, and the moment of a force about the centre is [arm] f.
            for column in 0..2 {
                let arm = Wide3::load(simd, &wide.arms[column], part);
                let upper = vw - vv.times_skew(arm);
                let lower = ww - wv.times_skew(arm);
                upper.store(&mut self.vw[column], part);
                for row in 0..2 {
                    let arm = Wide3::load(simd, &wide.arms[row], part);
                    let moments = lower + upper.turned_by(arm);
                    moments.store(&mut self.ww[row][column], part);
                }
                (wv + vv.turned_by(arm)).store(&mut self.wv[column], part);
            }
        }
    }

    /// Calls `of` with each number of a block and the one of a lane that belongs there.
    #[inline(always)]
    fn each(
        &self,
        (row, column): (usize, usize),
        lane: usize,
        block: &mut Block6,
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
    /// Adds the stiffness of the groups that take part. All their blocks are opened first: memory is then fetched for
    /// many at once.
    #[inline(always)]
    pub fn add(
        &mut self,
        wide: &WideGroup,
        body_stiffness: &BodyStiffness,
        takes_part: impl Fn(usize) -> bool,
    ) {
        let mut indices = [[None; 4]; LANES];
        for (i, own) in indices.iter_mut().enumerate().take(wide.count) {
            let g = wide.groups[i] as usize;
            if takes_part(g) {
                *own = self.indices(g, [wide.moved[0][i], wide.moved[1][i]]);
                for index in own.iter().flatten() {
                    self.lu.block(*index);
                }
            }
        }
        for (i, own) in indices.iter().enumerate() {
            for (bodies, index) in [(0, 0), (1, 1), (0, 1), (1, 0)].into_iter().zip(own) {
                let Some(block) = index.and_then(|index| self.lu.block(index)) else {
                    continue;
                };
                if bodies.0 == bodies.1 {
                    body_stiffness.each(bodies, i, block, |to, x| *to += x);
                } else {
                    body_stiffness.each(bodies, i, block, |to, x| *to -= x);
                }
            }
        }
    }

    /// Where the blocks of a group between these bodies are.
    #[inline(always)]
    fn indices(&self, g: usize, [a, b]: [u32; 2]) -> [Option<BlockIndex>; 4] {
        let own = |k: u32| self.layout.own.get(k as usize).copied();
        let upper = self.layout.pair[g];
        let lower = upper.map(BlockIndex::transposed);
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
    use super::super::groups::WideGroups;
    use super::super::jacobian::tests::{any, groups, problem};
    use super::super::lane::{get, put};
    use super::*;
    use crate::bodies::BodyVelocity;
    use glam::DVec3;
    use pulp::{Arch, Scalar, WithSimd};
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    /// Blocks of eight groups: by lane, row and column.
    struct Blocks<'a>(&'a WideGroups, &'a WideGroup, &'a [Columns]);

    impl WithSimd for Blocks<'_> {
        type Output = Vec<[[Block6; 2]; 2]>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let Self(groups, wide, k) = self;
            let (mut stiffness, mut body_stiffness) = (Stiffness::ZERO, BodyStiffness::ZERO);
            for s in wide.contacts() {
                stiffness.gather(simd, &groups.contacts[s], &k[s]);
            }
            body_stiffness.set(simd, wide, &stiffness);
            let mut blocks = vec![[[[[0.0; 6]; 6]; 2]; 2]; wide.count];
            for (lane, blocks) in blocks.iter_mut().enumerate() {
                for bodies in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    body_stiffness.each(bodies, lane, &mut blocks[bodies.0][bodies.1], |to, x| {
                        *to = x
                    });
                }
            }
            blocks
        }
    }

    /// The moments that they give at any velocities are those of the contacts' own impulses.
    #[test]
    fn blocks_give_the_momenta_of_the_contacts() {
        let problem = problem(2);
        let groups = groups(&problem);
        let mut rng = Pcg64::seed_from_u64(3);
        let mut k = vec![[ZERO; 3]; groups.contacts.len()];
        for index in &groups.index {
            for column in &mut k[index.contact] {
                put(column, index.lane, any(&mut rng));
            }
        }
        for wide in &groups.groups {
            let blocks = Arch::new().dispatch(Blocks(&groups, wide, &k));
            assert!(blocks == Blocks(&groups, wide, &k).with_simd(Scalar::new()));
            for (lane, blocks) in blocks.iter().enumerate() {
                let group = &problem.groups[wide.groups[lane] as usize];
                let v = [0, 1].map(|_| BodyVelocity {
                    linear: any(&mut rng),
                    angular: any(&mut rng),
                });
                let twist = group.relative_of(&v[0], &v[1]);
                let mut expected = [DVec3::ZERO; 4];
                for i in group.start as usize..group.end as usize {
                    let (row, index) = (&problem.rows[i], groups.index[i]);
                    let columns = &k[index.contact].map(|column| get(&column, index.lane));
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
                    // The second body's velocity counts negative.
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
