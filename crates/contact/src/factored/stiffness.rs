//! What the contacts of eight groups put against their nodes.

use super::lanes::LANES;
use super::layout::Layout;
use super::octets::{Octet, Slot};
use super::six::Six;
use super::wide::{Lane, Matrix as Columns, Wide3, Wide33, ZERO, parts};
use crate::block_lu::BlockLu;
use crate::ordering::Place;
use pulp::Simd;

/// By rows.
type Block = [[Lane; 6]; 6];

/// The stiffness of each group against a relative twist `(V, Ω)` at its reference point, local axes: the blocks
/// `VV, VΩ, ΩV, ΩΩ`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stiffness([Columns; 4]);

/// The same in world axes between the velocities of the first and the second node: first-first, second-second,
/// first-second and second-first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joined([Block; 4]);

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
    pub const ZERO: Self = Self([[[[0.0; LANES]; 6]; 6]; 4]);

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
            let [a, b] = &octet.arms;
            let (a, b) = (Wide3::load(simd, a, part), Wide3::load(simd, b, part));
            // V = v + ω × arm = v − [arm] ω, and the moment of a force about the centre is [arm] f.
            let right_a = [vw - vv.times_skew(a), ww - wv.times_skew(a)];
            let right_b = [vw - vv.times_skew(b), ww - wv.times_skew(b)];
            let left_a = wv + vv.turned_by(a);
            let left_b = wv + vv.turned_by(b);
            let [aa, bb, ab, ba] = &mut self.0;
            put(aa, part, (a, vv, left_a, right_a));
            put(bb, part, (b, vv, left_b, right_b));
            put(ab, part, (a, vv, left_a, right_b));
            put(ba, part, (b, vv, left_b, right_a));
        }
    }

    /// Adds one of the blocks of a lane to a block of the matrix.
    #[inline(always)]
    fn add(&self, which: usize, lane: usize, block: &mut Six) {
        for (to, from) in block.iter_mut().zip(&self.0[which]) {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from[lane];
            }
        }
    }

    /// Takes one off.
    #[inline(always)]
    fn subtract(&self, which: usize, lane: usize, block: &mut Six) {
        for (to, from) in block.iter_mut().zip(&self.0[which]) {
            for (to, from) in to.iter_mut().zip(from) {
                *to -= from[lane];
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
            for (which, place) in places.iter().enumerate() {
                let Some(block) = place.and_then(|place| self.lu.block(place)) else {
                    continue;
                };
                if which < 2 {
                    joined.add(which, i, block);
                } else {
                    joined.subtract(which, i, block);
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

/// A node's arm, then the blocks `VV`, `ΩV` and those on the right, of which the lower is still without the arm.
type Parts<S> = (Wide3<S>, Wide33<S>, Wide33<S>, [Wide33<S>; 2]);

#[inline(always)]
fn put<S: Simd>(block: &mut Block, part: usize, (arm, vv, left, [upper, lower]): Parts<S>) {
    let lower = lower + upper.turned_by(arm);
    for j in 0..3 {
        for i in 0..3 {
            vv.0[j].0[i].store(&mut block[i][j], part);
            upper.0[j].0[i].store(&mut block[i][3 + j], part);
            left.0[j].0[i].store(&mut block[3 + i][j], part);
            lower.0[j].0[i].store(&mut block[3 + i][3 + j], part);
        }
    }
}
