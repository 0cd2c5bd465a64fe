//! One map of a run.

use klast_rockfall::Window;

/// One map.
#[derive(Debug, Clone)]
pub struct Map {
    /// Name of its files.
    pub name: String,
    /// What it shows in words.
    pub words: String,
    /// Symbol and unit.
    pub label: &'static str,
    /// Whether an engineer looks at it first.
    pub first: bool,
    /// The part of the raster that it has values of.
    pub window: Window,
    /// Values by cell of that part; not a number where there is none.
    pub values: Vec<f64>,
}

impl Map {
    /// The value of a cell of the whole raster.
    #[must_use]
    pub fn value(&self, cell: usize) -> f64 {
        let place = self.window.place(cell as u32);
        place.map_or(f64::NAN, |place| self.values[place])
    }

    /// Its unit; empty for numbers without one.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let inside = self.label.split_once('[').map_or("", |(_, rest)| rest);
        inside.trim_end_matches(']').trim_matches('-')
    }
}
