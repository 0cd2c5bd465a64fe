//! Barriers that a rock touches although its mass centre has not crossed their line.
//!
//! A body may meet the end of a barrier, or go along it, while its mass centre goes by. Whether the mass centre still
//! crosses the line is known when the body no longer touches: then what it was like when it first touched counts as its
//! passage.

use crate::collector::Passage;

/// Barriers that are touched, in order of time; without a passage those that the rock touched when it was released,
/// which are none that it came to.
#[derive(Debug, Default)]
pub(crate) struct Touching(Vec<(u32, Option<Passage>)>);

impl Touching {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn has(&self, barrier: u32) -> bool {
        self.0.iter().any(|(number, _)| *number == barrier)
    }

    pub(crate) fn begin(&mut self, barrier: u32, passage: Option<Passage>) {
        self.0.push((barrier, passage));
    }

    pub(crate) fn forget(&mut self, barrier: u32) {
        self.0.retain(|(number, _)| *number != barrier);
    }

    /// Takes out the first barrier that is left, and with it those before that were none that the rock came to.
    pub(crate) fn left(&mut self, is_left: impl Fn(u32) -> bool) -> Option<Passage> {
        let mut found = None;
        self.0.retain(|(number, passage)| {
            let taken = found.is_none() && is_left(*number);
            if taken {
                found = *passage;
            }
            !taken
        });
        found
    }
}
