//! Groups of contacts and the order in which they are swept.

use super::body::BodyInertia;
use super::colour::{LAST, colour};
use super::contact_pair::ContactPair;
use std::ops::Range;

/// Part of the arms within which the distance of two centres is the same: rounding of points far from the origin.
const SAME_PLACE: f64 = 1e-9;

/// Groups of consecutive contacts with the same bodies and normal, by colour.
#[derive(Debug, Clone, Default)]
pub(super) struct Grouping {
    /// The range of contacts of each group, in the order of the contacts, and its colour.
    found: Vec<(u32, u32)>,
    colours: Vec<u8>,
    used: Vec<u64>,
    /// Groups by colour, in the order of the contacts within a colour.
    order: Vec<u32>,
}

impl Grouping {
    /// Finds the groups, colours them and sorts them by colour. The last of the bodies is the ground.
    pub fn arrange(&mut self, bodies: &[BodyInertia], pairs: &[ContactPair]) {
        let ground = bodies.len() - 1;
        self.found.clear();
        for (i, pair) in pairs.iter().enumerate() {
            let same = i > 0 && {
                let before = &pairs[i - 1];
                (before.first, before.second, before.normal)
                    == (pair.first, pair.second, pair.normal)
                    && one_placement(before, pair)
            };
            match self.found.last_mut() {
                Some(group) if same => group.1 += 1,
                _ => self.found.push((i as u32, i as u32 + 1)),
            }
        }
        let bodies_of = |&(start, _): &(u32, u32)| {
            let pair = &pairs[start as usize];
            (pair.first as u32, pair.second.unwrap_or(ground) as u32)
        };
        let movable = |n: u32| !bodies[n as usize].is_fixed();
        colour(
            self.found.iter().map(bodies_of),
            movable,
            &mut self.used,
            bodies.len(),
            &mut self.colours,
        );
        let mut places = [0; LAST as usize + 2];
        for &k in &self.colours {
            places[usize::from(k) + 1] += 1;
        }
        for k in 0..usize::from(LAST) {
            places[k + 1] += places[k];
        }
        self.order.clear();
        self.order.resize(self.colours.len(), 0);
        for (&k, i) in self.colours.iter().zip(0..) {
            let place = &mut places[usize::from(k)];
            self.order[*place] = i;
            *place += 1;
        }
    }

    /// Number of groups.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The contacts of a group, by its position in the sweep.
    pub fn contacts(&self, group: usize) -> Range<usize> {
        let (start, end) = self.found[self.order[group] as usize];
        start as usize..end as usize
    }

    /// The colour of a group, by its position in the sweep.
    pub fn colour(&self, group: usize) -> u8 {
        self.colours[self.order[group] as usize]
    }

    /// The groups of each colour, and whether they may share bodies that move.
    pub fn by_colour(&self, mut take: impl FnMut(Range<usize>, bool)) {
        let same = |&a: &u32, &b: &u32| self.colours[a as usize] == self.colours[b as usize];
        let mut start = 0;
        for own in self.order.chunk_by(same) {
            take(start..start + own.len(), self.colour(start) == LAST);
            start += own.len();
        }
    }
}

/// Whether two contacts of a pair of bodies see the centres in the same places, so that offsets from one to the other
/// are the same from either: arms may be those of different times in a step, or of bodies that share an entry.
fn one_placement(a: &ContactPair, b: &ContactPair) -> bool {
    let between = |p: &ContactPair| p.arm_first - p.arm_second;
    let size = a.arm_first.abs() + a.arm_second.abs();
    a.second.is_none() || (between(a) - between(b)).length() <= SAME_PLACE * size.max_element()
}
