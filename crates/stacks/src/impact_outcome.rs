//! What an impact at an interface comes to.

use super::configuration::Configuration;
use super::motion::Contact;
use super::{List, Row};

/// The outcome of one trial configuration.
#[derive(Debug, Clone)]
pub(super) struct Outcome {
    /// Relative rates of the interfaces after the impact.
    pub phi_rate: Row,
    /// Impulse each interface passes upwards.
    pub impulse: List<Contact>,
    /// Kinetic energy relative to the base before and after (J).
    pub energy: (f64, f64),
}

impl Outcome {
    /// Whether one of the `blocks` interfaces would have to pull, beyond the round-off of the largest impulse.
    pub fn pulls(&self, blocks: usize) -> bool {
        let normals = || {
            self.impulse
                .iter()
                .take(blocks)
                .map(|contact| contact.normal)
        };
        let unit = normals().fold(0.0_f64, |most, normal| most.max(normal.abs()));
        normals().any(|normal| normal < -1e-9 * unit)
    }
}

/// Why an impact law has no admissible outcome: what contradicts the least contradicting one most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoOutcome {
    /// An interface that was to open would close again.
    Closes {
        /// Its index, the base's being 0.
        interface: usize,
    },
    /// An interface that was to stay shut would have to pull at a corner.
    Pulls {
        /// Its index, the base's being 0.
        interface: usize,
    },
}

impl std::fmt::Display for NoOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closes { interface } => {
                write!(
                    f,
                    "interface {} can neither open nor stay shut: it would close",
                    interface + 1
                )
            }
            Self::Pulls { interface } => {
                write!(
                    f,
                    "interface {} can neither open nor stay shut: it would pull",
                    interface + 1
                )
            }
        }
    }
}

/// The outcome taken, with its configuration.
pub(super) struct Settled {
    pub configuration: Configuration,
    pub outcome: Outcome,
    pub admissible: bool,
    /// Why nothing is, where that is so.
    pub refusal: Option<NoOutcome>,
}
