//! One map of a run.

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
    /// Values by cell; not a number where there is none.
    pub values: Vec<f64>,
}

impl Map {
    /// Its unit; empty for numbers without one.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        let inside = self.label.split_once('[').map_or("", |(_, rest)| rest);
        inside.trim_end_matches(']').trim_matches('-')
    }
}
