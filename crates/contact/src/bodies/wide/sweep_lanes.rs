//! The groups of a problem side by side, as a wide sweep reads them.

use super::lane::LANES;
use super::sweep::{SweepContact, SweepGroup};
use crate::bodies::body::BodyInertia;
use crate::bodies::group::{Group, Row};
use crate::bodies::grouping::Grouping;
use pulp::{Arch, Simd, WithSimd};

/// Groups that a wide one holds on average where these pay: one costs about as much as three groups in turn.
const WORTH: usize = 4;

/// Wide groups and their contacts; none where they do not pay. The lists only grow: what is past their end in use is of
/// another problem.
#[derive(Debug, Clone, Default)]
pub(in crate::bodies) struct SweepLanes {
    groups: Vec<SweepGroup>,
    contacts: Vec<SweepContact>,
    /// For each wide group the rows of the problem that its lanes hold: where they start and how many they are.
    own: Vec<[(u32, u32); LANES]>,
    /// Wide groups and wide contacts in use.
    count: usize,
    contact_count: usize,
    /// Groups of one colour, the longest first.
    sorted: Vec<u64>,
}

impl SweepLanes {
    /// Whether to lay groups side by side.
    pub fn pay(grouping: &Grouping) -> bool {
        let mut wide = 0;
        grouping.by_colour(|own, shared| {
            wide += if shared {
                own.len()
            } else {
                own.len().div_ceil(LANES)
            }
        });
        wide > 0 && grouping.len() >= WORTH * wide
    }

    /// Whether the problem's groups lie side by side.
    pub fn in_use(&self) -> bool {
        self.count > 0
    }

    pub fn clear(&mut self) {
        (self.count, self.contact_count) = (0, 0);
    }

    pub fn groups(&self) -> &[SweepGroup] {
        &self.groups[..self.count]
    }

    pub fn contacts(&self) -> &[SweepContact] {
        &self.contacts[..self.contact_count]
    }

    /// The wide groups, each with the rows of its lanes.
    pub fn rows(&self) -> impl Iterator<Item = (&SweepGroup, &[(u32, u32); LANES])> {
        self.groups().iter().zip(&self.own)
    }

    /// Lays groups side by side, and gives their rows the `ρ`.
    pub fn fill(
        &mut self,
        grouping: &Grouping,
        groups: &[Group],
        rows: &mut [Row],
        bodies: &[BodyInertia],
    ) {
        self.clear();
        let mut sorted = std::mem::take(&mut self.sorted);
        grouping.by_colour(|own, shared| {
            sorted.clear();
            sorted.extend(own.map(|g| {
                let group = &groups[g];
                u64::from(u32::MAX - (group.end - group.start)) << 32 | g as u64
            }));
            // Groups that share bodies keep their order and have each a wide group of their own.
            if !shared {
                sorted.sort_unstable();
            }
            for own in sorted.chunks(if shared { 1 } else { LANES }) {
                self.add(own, groups, rows, bodies);
            }
        });
        self.sorted = sorted;
        Arch::new().dispatch(Responses(self));
        for (wide, own) in self.groups[..self.count].iter().zip(&self.own) {
            let contacts = &self.contacts[wide.start as usize..wide.end as usize];
            for (lane, &(start, count)) in own.iter().enumerate() {
                let to = &mut rows[start as usize..(start + count) as usize];
                for (row, from) in to.iter_mut().zip(contacts) {
                    row.rho = from.rho[lane];
                }
            }
        }
    }

    /// A wide group of groups, the longest first; the low half of each number is the group.
    fn add(&mut self, numbers: &[u64], groups: &[Group], rows: &[Row], bodies: &[BodyInertia]) {
        let none = Group::none(bodies.len() as u32 - 1);
        let of = |lane: usize| match numbers.get(lane) {
            Some(&g) => &groups[(g & u64::from(u32::MAX)) as usize],
            None => &none,
        };
        let (start, length) = (self.contact_count, of(0).rows().len());
        self.contact_count += length;
        if self.groups.len() == self.count {
            self.groups.push(SweepGroup::EMPTY);
            self.own.push([(0, 0); LANES]);
        }
        if self.contacts.len() < self.contact_count {
            self.contacts
                .resize(self.contact_count, SweepContact::EMPTY);
        }
        let (wide, own) = (&mut self.groups[self.count], &mut self.own[self.count]);
        let contacts = &mut self.contacts[start..self.contact_count];
        self.count += 1;
        (wide.start, wide.end) = (start as u32, self.contact_count as u32);
        for (lane, own) in own.iter_mut().enumerate() {
            let group = of(lane);
            wide.set(lane, group, bodies);
            let from = &rows[group.rows()];
            let padded = from.iter().map(Some).chain(std::iter::repeat(None));
            for (to, row) in contacts.iter_mut().zip(padded) {
                to.set(lane, row);
            }
            *own = (group.start, from.len() as u32);
        }
    }
}

/// What impulses of all contacts do, computed in lanes.
struct Responses<'a>(&'a mut SweepLanes);

impl WithSimd for Responses<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(lanes) = self;
        for wide in &lanes.groups[..lanes.count] {
            let own = &mut lanes.contacts[wide.start as usize..wide.end as usize];
            wide.respond(simd, own);
        }
    }
}
