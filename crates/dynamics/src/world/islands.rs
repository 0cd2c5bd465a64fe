//! Who belongs together: bodies that contacts connect form an island.

use super::contacts::{PLANES, WorldContact};
use super::frozen::Frozen;
use super::island::Island;
use super::member::Member;
use super::newton_steps::NewtonSteps;
use super::state::WorldState;
use super::tied::TieInStep;
use crate::{DynamicsError, Twist};
use rayon::prelude::*;
use std::cmp::Reverse;

/// All islands of a step, numbered by their first contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    /// By their number of bodies, the largest first: each has the room of one that was as large, whatever its number.
    list: Vec<Island>,
    /// Place of each island in the list.
    order: Vec<u32>,
    /// Number of each island and of its bodies, while they are sorted.
    sizes: Vec<(u32, u32)>,
    /// Island of each contact, then of each tie that acts.
    of_link: Vec<u32>,
    /// Island of each body, and its place there.
    place: Vec<(u32, u32)>,
    /// Representative of each body, while they are sorted.
    root: Vec<u32>,
}

impl Islands {
    /// Sorts bodies and contacts into islands; those without a contact belong to none.
    pub fn sort(&mut self, state: &WorldState, contacts: &[WorldContact]) {
        let members = &state.members[..];
        let mut root = std::mem::take(&mut self.root);
        root.clear();
        root.extend(0..members.len() as u32);
        let free = |i: u32| members.get(i as usize).is_some_and(Member::is_free);
        // Contacts of one pair follow each other.
        let pairs = contacts.chunk_by(|a, b| a.pair() == b.pair());
        for (first, second) in pairs.filter_map(|own| own.first().map(WorldContact::pair)) {
            if second < PLANES && free(first) && free(second) {
                unite(&mut root, first, second);
            }
        }
        let ties = state.ties.iter().zip(0u32..);
        let ties: Vec<(u32, u32)> = ties
            .filter(|(tie, _)| tie.acts(state.places()))
            .filter_map(|(tie, k)| {
                let mut own = tie.bodies().into_iter().flatten().map(|i| i as u32);
                let first = own.by_ref().find(|i| free(*i))?;
                if let Some(second) = own.find(|i| free(*i)) {
                    unite(&mut root, first, second);
                }
                Some((k, first))
            })
            .collect();
        self.place.clear();
        self.place.resize(members.len(), (u32::MAX, 0));
        let of_contacts = contacts
            .iter()
            .map(|c| if free(c.first) { c.first } else { c.second });
        let bodies = of_contacts.chain(ties.iter().map(|(_, body)| *body));
        self.number(bodies, &mut root);
        for i in 0..members.len() as u32 {
            let island = self.place[find(&mut root, i) as usize].0;
            if let Some(size) = self.sizes.get_mut(island as usize).filter(|_| free(i)) {
                self.place[i as usize] = (island, size.1);
                size.1 += 1;
            }
        }
        self.root = root;
        self.make_room();
        let (of_contacts, of_ties) = self.of_link.split_at(contacts.len());
        for (k, &island) in of_contacts.iter().enumerate() {
            let room = self.order[island as usize];
            self.list[room as usize].contacts.push(k as u32);
        }
        for ((tie, _), &island) in ties.iter().zip(of_ties) {
            let room = self.order[island as usize];
            self.list[room as usize].ties.push(TieInStep::new(
                *tie,
                state.ties[*tie as usize].stretched(state.places()),
            ));
        }
        for (i, &(island, _)) in self.place.iter().enumerate() {
            if free(i as u32)
                && let Some(&room) = self.order.get(island as usize)
            {
                self.list[room as usize].bodies.push(i as u32);
            }
        }
    }

    /// Numbers the islands when their first contacts and ties come by, each given by a body.
    fn number(&mut self, bodies: impl Iterator<Item = u32>, root: &mut [u32]) {
        self.sizes.clear();
        self.of_link.clear();
        let mut last = (u32::MAX, 0);
        for body in bodies {
            if body != last.0 {
                let island = &mut self.place[find(root, body) as usize].0;
                if *island == u32::MAX {
                    *island = self.sizes.len() as u32;
                    self.sizes.push((*island, 0));
                }
                last = (body, *island);
            }
            self.of_link.push(last.1);
        }
    }

    /// Empty islands, and the place of each in the list.
    fn make_room(&mut self) {
        let count = self.sizes.len();
        if self.list.len() < count {
            self.list.resize_with(count, Island::default);
        }
        for island in &mut self.list {
            island.bodies.clear();
            island.contacts.clear();
            island.ties.clear();
            island.asleep = false;
        }
        self.sizes
            .sort_unstable_by_key(|&(island, size)| (Reverse(size), island));
        self.order.clear();
        self.order.resize(count, 0);
        for (room, (island, _)) in self.sizes.iter().enumerate() {
            self.order[*island as usize] = room as u32;
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The island of this number.
    pub fn island_mut(&mut self, number: usize) -> &mut Island {
        &mut self.list[self.order[number] as usize]
    }

    /// All of them, by number.
    pub fn iter(&self) -> impl Iterator<Item = &Island> {
        self.order.iter().map(|&room| &self.list[room as usize])
    }

    /// Solves all that do not sleep, the largest first. `old` are the contacts of the step before, `free` the
    /// velocities at the end of the step without contacts, `newton_steps` those of the step's solutions before.
    pub fn solve(
        &mut self,
        state: &WorldState,
        contacts: &[WorldContact],
        old: &[WorldContact],
        free: &[Twist],
        newton_steps: &NewtonSteps,
    ) -> Result<(), DynamicsError> {
        let islands = &mut self.list[..self.order.len()];
        let frozen = &Frozen {
            state,
            contacts,
            old,
            free,
            place: &self.place,
            newton_steps,
        };
        if state.settings.parallel && islands.len() > 1 {
            islands
                .par_iter_mut()
                .filter(|island| !island.asleep)
                .try_for_each(|island| island.solve(frozen))
        } else {
            islands
                .iter_mut()
                .filter(|island| !island.asleep)
                .try_for_each(|island| island.solve(frozen))
        }
    }
}

/// Lets two bodies have one representative.
fn unite(root: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b) as usize] = a.min(b);
}

/// The representative of a body, with the path halved on the way.
fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        root[i as usize] = root[root[i as usize] as usize];
        i = root[i as usize];
    }
    i
}
