//! How far a run is, told to whoever started it, and whether it shall stop.

use std::any::Any;

/// What hears of a run and may stop it. Worker threads share it.
///
/// Every method has an answer, so that a caller who only wants results passes [`Silent`].
pub trait Progress: Sync {
    /// A piece of work begins, of `total` equal parts.
    fn begin(&self, _what: &str, _total: u64) {}

    /// So many parts were done by an earlier run: they say nothing of the rate.
    fn skip(&self, parts: u64) {
        self.add(parts);
    }

    /// So many parts are done.
    fn add(&self, _parts: u64) {}

    /// One of many things that the run computes (a rock) has come to its end; they are told in the order of their
    /// numbers.
    fn item(&self, _number: u64, _item: &dyn Any) {}

    /// The piece of work is done.
    fn finish(&self) {}

    /// A warning, as soon as it is known; it stands in the outcome too.
    fn warning(&self, _text: &str) {}

    /// Whether the run shall stop: it keeps its state where its kind can, and ends with
    /// [`Interrupted`].
    fn interrupted(&self) -> bool {
        false
    }
}

/// Hears nothing and stops nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Parts of a hundred, from a share of the work that rises.
pub struct Percent<'a> {
    progress: &'a dyn Progress,
    told: u64,
}

impl<'a> Percent<'a> {
    /// A piece of work whose share is known.
    pub fn begin(progress: &'a dyn Progress, what: &str) -> Self {
        progress.begin(&format!("{what} [%]"), 100);
        Self { progress, told: 0 }
    }

    /// So much of it is done, 0 to 1.
    pub fn reach(&mut self, share: f64) {
        let percent = (100.0 * share) as u64;
        self.progress.add(percent.saturating_sub(self.told));
        self.told = self.told.max(percent);
    }
}

/// The run was stopped; what it wrote is whole and, where its kind keeps a state, it can continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "interrupted; the same command goes on from here")
    }
}

impl std::error::Error for Interrupted {}
