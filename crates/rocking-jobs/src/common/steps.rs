//! Values in equal steps.

use klast_rocking::linspace;
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::faults::{Fault, Faults};

/// Values in equal steps.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// First value, below `to`.
    pub from: f64,
    /// Last value, above `from`.
    pub to: f64,
    /// Number of values, both ends included, 2 to 100,000.
    pub count: usize,
}

impl Steps {
    /// The values, if they are finite, positive and rising.
    ///
    /// # Errors
    /// Any others.
    pub fn values(&self) -> Result<Vec<f64>, Faults> {
        let mut faults = Faults::default();
        let Self { from, to, count } = *self;
        faults.check(from > 0.0 && to > from && to.is_finite(), || {
            Fault::new("", format!("from {from} to {to}")).accepted("0 < from < to")
        });
        faults.check((2..=100_000).contains(&count), || {
            Fault::new("count", count).accepted("2 to 100000")
        });
        faults.or_all(|| Some(linspace(from, to, count)))
    }
}
