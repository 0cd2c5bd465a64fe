//! What an impact at an interface takes away.

/// Restitution of the impacts at one interface, over the plastic impulse at the corner that lands.
///
/// The base law for all of them: the landing corner takes an impulse that leaves it in contact (Moreau's e = 0), every
/// other shut interface is free to open if its own corner impulses would have to pull. For one block this is Housner's
/// ratio 1 − (3/2) sin²α (Housner, Bulletin of the Seismological Society of America 53, 1963), and a block with h/b <
/// 1/√2 stays down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum InterfaceRestitution {
    /// The base law alone.
    #[default]
    Housner,
    /// The relative rate of opening after the impact is `ratio` (0 to 1) times that of the outcome of the base law,
    /// brought about by a moment impulse between the two bodies: a material loss η_mat on the interface that was
    /// struck, and on no other. Other shut interfaces open rather than pull under that impulse. Never gains energy: the
    /// kinetic energy is least at ratio 0, where the interface sticks.
    Relative {
        /// η_mat.
        ratio: f64,
    },
    /// The impulse acts at the distance `ratio` · c from the middle of the interface (c its half width) on the landing
    /// side, 1 being the corner. For one block θ̇⁺/θ̇⁻ = [4 − 3 sin²α (1 + k)]/[4 − 3 sin²α (1 − k)]: thesis, section
    /// 4.2.2, with the linear k that the balance gives. `ratio` below 1 can be met with an energy gain only where the
    /// base law itself would stick; the run reports any gain.
    Offset {
        /// k.
        ratio: f64,
    },
    /// All angular rates of the whole stack are multiplied by `factor` after the impact: thesis, sections 7.2.2.1 and
    /// 7.2.2.2, "5 % decrease".
    ///
    /// Ill-posed, and kept by name only for comparison: an interface that closes in a geometric sequence of ever
    /// smaller impacts (some sixty before 10⁻⁹ rad/s) takes `factor` from the whole stack each time (0.95⁶⁰ = 0.046),
    /// so the loss depends on where the sequence is cut.
    AllRates {
        /// Factor on every rate.
        factor: f64,
    },
}

impl InterfaceRestitution {
    /// The number in it and the range it must be in, to be checked.
    pub(super) fn parameter(self) -> Option<f64> {
        match self {
            Self::Housner => None,
            Self::Relative { ratio } | Self::Offset { ratio } => Some(ratio),
            Self::AllRates { factor } => Some(factor),
        }
    }
}
