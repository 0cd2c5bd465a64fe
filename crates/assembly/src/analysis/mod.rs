//! What a motion is: indices, sections, periods, multipliers, exponents and long-time responses.

mod eigen;
mod floquet;
mod history;
mod horizon;
mod indices;
mod lyapunov;
mod orbit;
mod pattern;
mod period;
mod return_map;
mod scenario;
mod survey;
mod tuning;

pub use floquet::{Floquet, Multiplier, floquet};
pub use history::{Sample, history};
pub use horizon::{Horizon, horizon};
pub use indices::{AssemblyIndices, IndexReference};
pub use lyapunov::{Lyapunov, largest_lyapunov};
pub use orbit::{PeriodicOrbit, periodic_orbit};
pub use pattern::Pattern;
pub use period::{PeriodReport, PeriodSearch, find_period, find_period_checked};
pub use scenario::Scenario;
pub use survey::{Response, Survey, survey};
pub use tuning::{ContactPoint, FirstCollision, Tuning};
