//! Who belongs together: bodies that contacts connect form an island.

use super::broad_phase::PLANES;
use super::contacts::WorldContact;
use super::island::Island;
use super::member::{Boundary, Member};
use super::settings::WorldSettings;
use crate::Twist;

/// All islands of a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Islands {
    pub list: Vec<Island>,
    pub count: usize,
    /// Island of each body, and its place there.
    place: Vec<(u32, u32)>,
    /// Representative of each body, while they are sorted.
    root: Vec<u32>,
}

/// What the islands read.
pub(super) struct Frozen<'a> {
    pub members: &'a [Member],
    pub planes: &'a [Boundary],
    pub contacts: &'a [WorldContact],
    pub free: &'a [Twist],
    pub settings: &'a WorldSettings,
}

impl Islands {
    /// Sorts bodies and contacts into islands; those without a contact belong to none.
    pub fn sort(&mut self, members: &[Member], contacts: &[WorldContact]) {
        let mut root = std::mem::take(&mut self.root);
        root.clear();
        root.extend(0..members.len() as u32);
        let free = |i: u32| members.get(i as usize).is_some_and(Member::is_free);
        for c in contacts
            .iter()
            .filter(|c| c.second < PLANES && free(c.first) && free(c.second))
        {
            let (a, b) = (find(&mut root, c.first), find(&mut root, c.second));
            root[a.max(b) as usize] = a.min(b);
        }
        for island in &mut self.list {
            island.bodies.clear();
            island.contacts.clear();
            island.asleep = false;
        }
        self.count = 0;
        self.place.clear();
        self.place.resize(members.len(), (u32::MAX, 0));
        // An island is numbered when its first contact comes by.
        for (k, c) in contacts.iter().enumerate() {
            let body = if free(c.first) { c.first } else { c.second };
            let name = find(&mut root, body) as usize;
            if self.place[name].0 == u32::MAX {
                self.place[name].0 = self.count as u32;
                self.count += 1;
                if self.list.len() < self.count {
                    self.list.push(Island::default());
                }
            }
            self.list[self.place[name].0 as usize]
                .contacts
                .push(k as u32);
        }
        for i in 0..members.len() as u32 {
            let island = self.place[find(&mut root, i) as usize].0;
            if free(i) && island != u32::MAX {
                let bodies = &mut self.list[island as usize].bodies;
                self.place[i as usize] = (island, bodies.len() as u32);
                bodies.push(i);
            }
        }
        self.root = root;
    }

    /// Islands to solve, and the place of each body in its island.
    pub fn active(&mut self) -> (&mut [Island], &[(u32, u32)]) {
        (&mut self.list[..self.count], &self.place)
    }
}

/// The representative of a body, with the path halved on the way.
fn find(root: &mut [u32], mut i: u32) -> u32 {
    while root[i as usize] != i {
        root[i as usize] = root[root[i as usize] as usize];
        i = root[i as usize];
    }
    i
}
