//! The next of many predicted times, with a fixed slot for each event source.

use klast_numerics::DoubleDouble;

/// Slot and time.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    time: f64,
    slot: u32,
}

/// One time per slot, the earliest on top: a knock-out tournament. Slot s is the leaf `leaves + s`, and each inner node
/// repeats the earlier of its two children.
///
/// Changing a slot costs O(log n) and mostly much less: a walk up ends at the first winner that stays the same, and
/// that of a slot picked blindly does so after two steps on average. A heap would carry a postponed slot all the way
/// down. Nothing stale is ever stored, so the size never grows. Equal times leave in slot order, which makes a run
/// independent of history.
#[derive(Debug, Clone)]
pub(crate) struct EventQueue {
    leaves: usize,
    entries: Vec<Entry>,
}

impl EventQueue {
    /// All slots empty (time = ∞).
    pub(crate) fn new(slots: usize) -> Self {
        let leaves = slots.next_power_of_two();
        let empty = |slot: usize| Entry {
            time: f64::INFINITY,
            slot: slot as u32,
        };
        let mut queue = Self {
            leaves,
            entries: (0..2 * leaves)
                .map(|i| empty(i.saturating_sub(leaves)))
                .collect(),
        };
        queue.play_all();
        queue
    }

    /// Slot and time of the earliest event.
    #[inline]
    pub(crate) fn first(&self) -> (usize, f64) {
        let top = &self.entries[1];
        (top.slot as usize, top.time)
    }

    #[inline]
    pub(crate) fn time(&self, slot: usize) -> f64 {
        self.entries[self.leaves + slot].time
    }

    /// Sets the time of a slot; ∞ empties it.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, time: f64) {
        let mut i = self.leaves + slot;
        if self.entries[i].time == time {
            return;
        }
        self.entries[i].time = time;
        while i > 1 {
            i /= 2;
            let winner = self.winner(i);
            if winner == self.entries[i] {
                return;
            }
            self.entries[i] = winner;
        }
    }

    /// The earlier child of an inner node; of equal ones that of the lower slots.
    #[inline]
    fn winner(&self, node: usize) -> Entry {
        let (left, right) = (self.entries[2 * node], self.entries[2 * node + 1]);
        if right.time < left.time { right } else { left }
    }

    fn play_all(&mut self) {
        for node in (1..self.leaves).rev() {
            self.entries[node] = self.winner(node);
        }
    }

    /// Moves every time by the same amount, rounded down. Rounding may turn an order of two nearly equal times into a
    /// tie.
    pub(crate) fn shift(&mut self, by: f64) {
        for leaf in &mut self.entries[self.leaves..] {
            let time = DoubleDouble::sum(leaf.time, by);
            leaf.time = if time.low < 0.0 {
                time.high.next_down()
            } else {
                time.high
            };
        }
        self.play_all();
    }
}
