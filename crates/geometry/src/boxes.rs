//! Pairs of boxes with edges along the axes that overlap: sort and sweep along one axis.

use glam::DVec3;

/// The box about a member of a scene.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Least coordinates (m).
    pub low: DVec3,
    /// Greatest coordinates (m).
    pub high: DVec3,
    /// Number of the member.
    pub member: u32,
    /// Whether it may move: pairs of others are not looked for.
    pub movable: bool,
}

/// The boxes of all members, and room for the sweep: nothing is allocated once it has grown.
#[derive(Debug, Clone, Default)]
pub struct Boxes {
    list: Vec<Extent>,
    /// Along the axis of the sweep, where each box begins.
    starts: Vec<f64>,
    across: Vec<Across>,
    /// Boxes that one overlaps, counted from it.
    found: Vec<u32>,
}

/// Bounds of a box along the two other axes: the lower ones, and the upper ones with their signs changed.
type Across = [f64; 4];

impl Boxes {
    /// Forgets all boxes.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// Adds a box.
    pub fn push(&mut self, extent: Extent) {
        self.list.push(extent);
    }

    /// Replaces `pairs` by the members whose boxes overlap, the lower number first, at least one of them movable.
    pub fn find_pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        pairs.clear();
        let axis = self.sort();
        self.found.clear();
        self.found.resize(self.list.len(), 0);
        for (i, a) in self.list.iter().enumerate() {
            let from = i + 1;
            let count = self.starts[from..].partition_point(|start| *start <= a.high[axis]);
            let others = &self.across[from..from + count];
            let found = overlapping(limits(&self.across[i]), others, &mut self.found);
            for &k in &self.found[..found] {
                let b = &self.list[from + k as usize];
                if a.movable | b.movable {
                    pairs.push((a.member.min(b.member), a.member.max(b.member)));
                }
            }
        }
    }

    /// Sorts the boxes by where they begin along the axis in which they spread most. The axis.
    fn sort(&mut self) -> usize {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for b in &self.list {
            (low, high) = (low.min(b.low), high.max(b.high));
        }
        let spread = high - low;
        let axis = (0..3)
            .max_by(|&a, &b| spread[a].total_cmp(&spread[b]))
            .unwrap_or(0);
        self.list.sort_unstable_by(|a, b| {
            a.low[axis]
                .total_cmp(&b.low[axis])
                .then(a.member.cmp(&b.member))
        });
        let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
        self.starts.clear();
        self.starts.extend(self.list.iter().map(|b| b.low[axis]));
        self.across.clear();
        let across = |b: &Extent| [b.low[y], b.low[z], -b.high[y], -b.high[z]];
        self.across.extend(self.list.iter().map(across));
        axis
    }
}

/// What the numbers of another box are at most where it overlaps this one.
fn limits(own: &Across) -> Across {
    [-own[2], -own[3], -own[0], -own[1]]
}

/// Writes the places of the boxes within limits to `found`, which has room for all; how many they are. Nothing branches
/// on a box: what is true of one says little about the next.
fn overlapping(limits: Across, boxes: &[Across], found: &mut [u32]) -> usize {
    let mut count = 0;
    for (b, k) in boxes.iter().zip(0..) {
        let apart =
            (b[0] > limits[0]) | (b[1] > limits[1]) | (b[2] > limits[2]) | (b[3] > limits[3]);
        if let Some(next) = found.get_mut(count) {
            *next = k;
        }
        count += usize::from(!apart);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    /// Boxes of random sizes, some of which only touch, give the pairs of the definition.
    #[test]
    fn pairs_are_those_whose_boxes_meet_in_all_three_coordinates() {
        let mut rng = Pcg64::seed_from_u64(33);
        for count in [0, 1, 2, 7, 60, 200] {
            // Whole numbers: many bounds are equal.
            let mut whole = |most: i32| {
                DVec3::from_array(std::array::from_fn(|_| {
                    f64::from(rng.random_range(0..=most))
                }))
            };
            let list: Vec<Extent> = (0..count)
                .map(|member| {
                    let low = whole(9) - 5.0;
                    Extent {
                        low,
                        high: low + whole(3),
                        member,
                        movable: member % 5 != 0,
                    }
                })
                .collect();
            let mut boxes = Boxes::default();
            list.iter().for_each(|b| boxes.push(*b));
            let mut pairs = vec![(9, 9)];
            boxes.find_pairs(&mut pairs);
            pairs.sort_unstable();
            let mut expected = vec![];
            for (i, a) in list.iter().enumerate() {
                for b in &list[i + 1..] {
                    let meets = (0..3).all(|k| a.low[k] <= b.high[k] && b.low[k] <= a.high[k]);
                    if meets && (a.movable || b.movable) {
                        expected.push((a.member, b.member));
                    }
                }
            }
            assert_eq!(pairs, expected, "{count}");
        }
    }
}
