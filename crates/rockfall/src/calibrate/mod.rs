//! Calibration against observed runs: release, rock and place of rest known, ground parameters not.
//!
//! One observation per run cannot single out one set of parameters, so none is chosen. Sets are spread evenly over ranges from the literature ([`Prior`]), each is
//! run for every observed release ([`Campaign`]), and the tenth of them that forecast the training runs best is the forecast of a new run, each set with the same share
//! of its rocks: approximate Bayesian computation by rejection (Beaumont, Zhang and Balding 2002, Genetics 162, 2025–2035) with the energy score as the distance.
//! Leave-one-out takes the tenth anew for each run from all the others ([`kept`]).

mod campaign;
mod forecast;
mod prior;
mod rock;

pub use campaign::{Campaign, ObservedRun, Trial};
pub use forecast::{NullModel, Score, kept, mean_direction, member};
pub use prior::{GroundSet, Prior};
pub use rock::FieldRock;
