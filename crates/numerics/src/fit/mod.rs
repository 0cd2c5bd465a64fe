//! The parameters of a model that leave least between what it gives and several runs that were observed.
//!
//! A [`Trial`] is a set of parameters with its loss on each run. Sums over the runs take each as often as a weight
//! says: once for the fit itself, 0 for a run that is held out, chance for a resample of a bootstrap. [`Search`] looks
//! for the least sum on grids that become finer where any of these weights has its best.

mod search;
mod trials;

pub use search::{GRIDS, Search, most_trials};
pub use trials::{Alike, Trial, Trials, best_of, weighted};
