//! The outcome of a run, of which a fragility is made.

/// Outcome of one record at one scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Index of the record.
    pub record: usize,
    /// Factor on its ordinates; negative for the other polarity.
    pub scale: f64,
    /// Intensity of the scaled motion.
    pub intensity: f64,
    /// Whether the state was reached; for overturning, whether the block overturned.
    pub reached: bool,
}
