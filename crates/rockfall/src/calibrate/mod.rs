//! Calibration against observed runs: release, rock and place of rest known, ground parameters not.
//!
//! One observation per run cannot single out one set of parameters, so none is chosen. Sets are spread evenly over ranges from the literature ([`Prior`]), each is
//! run for every observed release ([`Campaign`]), and the share of them that forecast the training runs best is the forecast of a new run, each set with the
//! same number of its rocks: approximate Bayesian computation by rejection (Beaumont, Zhang and Balding 2002, Genetics 162, 2025–2035) with [`Score::loss`] as the
//! distance. Leave-one-out takes the sets anew for each run from all the others, and how many of them by leave-one-out among the others ([`Fit`]). A bias that the
//! forecasts show on the others is taken off the one ([`Fit::correction`]).

mod campaign;
mod correction;
mod forecast;
mod posterior;
mod prior;
mod rock;

pub use campaign::{Campaign, ObservedRun, Rest, Trial};
pub use forecast::{Fit, NullModel, Score, member};
pub use posterior::Posterior;
pub use prior::{GroundSet, Prior};
pub use rock::FieldRock;
