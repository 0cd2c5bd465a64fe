//! Units of acceleration.

/// Unit of the samples of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AccelerationUnit {
    /// Multiples of the standard gravity 9.80665 m/s².
    StandardGravity,
    /// Multiples of another gravity (m/s²), as 9.81.
    Gravity(f64),
    /// m/s².
    MetrePerSecondSquared,
    /// cm/s² (gal).
    CentimetrePerSecondSquared,
    /// mm/s².
    MillimetrePerSecondSquared,
}

impl AccelerationUnit {
    /// Factor to m/s².
    pub fn factor(self) -> f64 {
        match self {
            Self::StandardGravity => 9.80665,
            Self::Gravity(gravity) => gravity,
            Self::MetrePerSecondSquared => 1.0,
            Self::CentimetrePerSecondSquared => 0.01,
            Self::MillimetrePerSecondSquared => 0.001,
        }
    }
}
