//! Vectors laid out by coordinate, four abreast: the compiler then finds four dot products at once, and each of them
//! has the bits of the plain one. What is always inlined is compiled for the vector unit of its caller.

use glam::DVec3;

/// Vectors abreast.
pub(crate) const ABREAST: usize = 4;

/// Four vectors: all x, all y, all z.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Block {
    pub x: [f64; ABREAST],
    pub y: [f64; ABREAST],
    pub z: [f64; ABREAST],
}

impl Block {
    /// The dot products with one vector, summed in the order of [`DVec3::dot`].
    #[inline(always)]
    pub fn dot(&self, n: DVec3) -> [f64; ABREAST] {
        std::array::from_fn(|k| self.x[k] * n.x + self.y[k] * n.y + self.z[k] * n.z)
    }

    /// Puts a vector into a lane.
    pub fn set(&mut self, lane: usize, v: DVec3) {
        if lane < ABREAST {
            (self.x[lane], self.y[lane], self.z[lane]) = (v.x, v.y, v.z);
        }
    }
}

/// Largest n·v.
#[inline(always)]
fn highest<'a>(blocks: impl Iterator<Item = &'a Block>, n: DVec3) -> f64 {
    let mut best = [f64::NEG_INFINITY; ABREAST];
    for block in blocks {
        let h = block.dot(n);
        for k in 0..ABREAST {
            best[k] = if h[k] > best[k] { h[k] } else { best[k] };
        }
    }
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    best.into_iter().fold(f64::NEG_INFINITY, larger)
}

/// The first vector with the largest n·v; 0 where none has.
#[inline(always)]
fn foremost<'a>(blocks: impl Iterator<Item = &'a Block> + Clone, n: DVec3) -> usize {
    let highest = highest(blocks.clone(), n);
    for (block, start) in blocks.zip((0..).step_by(ABREAST)) {
        if let Some(lane) = Bits::of(block.dot(n).map(|h| h == highest)).next() {
            return start + lane;
        }
    }
    0
}

/// The numbers of the bits that are set, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bits(pub u64);

impl Bits {
    /// One bit for each lane.
    #[inline(always)]
    pub fn of(lanes: [bool; ABREAST]) -> Self {
        let mut bits = 0;
        for (k, lane) in lanes.into_iter().enumerate() {
            bits |= u64::from(lane) << k;
        }
        Self(bits)
    }
}

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

/// A list of vectors; the last one fills the lanes that are left over.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Columns(pub(super) Vec<Block>);

impl Columns {
    /// Replaces the list, in its own room.
    pub fn fill(&mut self, vectors: impl Iterator<Item = DVec3>) {
        self.0.clear();
        for (i, v) in vectors.enumerate() {
            if i % ABREAST == 0 {
                self.0.push(Block::default());
            }
            if let Some(block) = self.0.last_mut() {
                (i % ABREAST..ABREAST).for_each(|lane| block.set(lane, v));
            }
        }
    }

    /// Largest n·v.
    #[inline(always)]
    pub fn highest(&self, n: DVec3) -> f64 {
        highest(self.0.iter(), n)
    }

    /// The vector with the largest n·v, the first of them where several have it.
    #[inline(always)]
    pub fn foremost(&self, n: DVec3) -> usize {
        foremost(self.0.iter(), n)
    }
}

/// Planes n·p = offset abreast; the last one fills the lanes that are left over.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Planes(pub(super) Vec<(Block, [f64; ABREAST])>);

impl Planes {
    /// Replaces the list, in its own room.
    pub fn fill(&mut self, planes: impl Iterator<Item = (DVec3, f64)>) {
        self.0.clear();
        for (i, (normal, offset)) in planes.enumerate() {
            if i % ABREAST == 0 {
                self.0.push(Default::default());
            }
            if let Some((block, offsets)) = self.0.last_mut() {
                (i % ABREAST..ABREAST).for_each(|lane| block.set(lane, normal));
                offsets[i % ABREAST] = offset;
            }
        }
    }

    /// Height of each plane above a point; and of what fills the last lanes.
    #[inline(always)]
    pub fn heights_above(&self, point: DVec3, out: &mut Vec<[f64; ABREAST]>) {
        out.resize(self.0.len(), [0.0; ABREAST]);
        for ((normals, offsets), heights) in self.0.iter().zip(out) {
            let along = normals.dot(point);
            for k in 0..ABREAST {
                heights[k] = offsets[k] - along[k];
            }
        }
    }

    /// The plane whose normal looks most along a direction, the first of them where several do.
    #[inline(always)]
    pub fn facing(&self, direction: DVec3) -> usize {
        foremost(self.0.iter().map(|(normals, _)| normals), direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_abreast_are_the_plain_dot_products() {
        // Any numbers that do not add up exactly.
        let vector = |i: i32| {
            let at = |k: i32| (f64::from(17 * i + k) * 0.739).sin() * 3.0;
            DVec3::new(at(1), at(2), at(3))
        };
        for count in 1..12 {
            let vectors: Vec<DVec3> = (0..count).map(vector).collect();
            let mut columns = Columns::default();
            columns.fill(vectors.iter().copied());
            for i in 20..40 {
                let n = vector(i).normalize();
                let plain: Vec<f64> = vectors.iter().map(|v| v.dot(n)).collect();
                let highest = plain.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(columns.highest(n), highest);
                assert_eq!(
                    Some(columns.foremost(n)),
                    plain.iter().position(|x| *x == highest)
                );
            }
        }
        assert_eq!(Columns::default().highest(DVec3::X), f64::NEG_INFINITY);
    }

    #[test]
    fn planes_abreast_are_the_plain_ones() {
        let normals = [
            DVec3::X,
            DVec3::Y,
            DVec3::Z,
            -DVec3::X,
            -DVec3::Y,
            -DVec3::Z,
        ];
        let list = normals.map(|n| (n, 0.5 + n.x));
        for count in 1..=6 {
            let mut planes = Planes::default();
            planes.fill(list[..count].iter().copied());
            let point = DVec3::new(0.1, 0.2, -0.3);
            let mut heights = Vec::new();
            planes.heights_above(point, &mut heights);
            for (i, (n, offset)) in list[..count].iter().enumerate() {
                assert_eq!(heights.as_flattened()[i], offset - n.dot(point));
                assert_eq!(planes.facing(*n + DVec3::splat(0.1)), i);
            }
        }
    }
}
