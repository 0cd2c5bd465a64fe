//! Parameters fitted to several observed runs: how sure they are, and what data say that the fit has not seen.
//!
//! The search itself is [`klast_numerics::fit::Search`]. Here stand what is drawn by chance ([`resamples`]), what is
//! found of each parameter ([`Parameter`]: its 90 % confidence interval from the scatter between runs, and whether the
//! optimum or the interval ends where the range ends) and the judgement on runs that were held out ([`HeldOut`]).

mod estimate;
mod held_out;
mod parameter;

pub use estimate::{Estimate, estimate, of_candidates, resamples, wins};
pub use held_out::{Beside, HeldOut};
pub use parameter::{Interval, Optimum, Parameter, parameter};
