//! Values in equal steps.

use anyhow::{Result, ensure};
use klast_rocking::linspace;
use schemars::JsonSchema;
use serde::Deserialize;

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
    pub fn values(&self, key: &str) -> Result<Vec<f64>> {
        let good = self.from > 0.0 && self.to > self.from && self.to.is_finite();
        ensure!(
            good,
            "{key}: from {} to {}; accepted: 0 < from < to",
            self.from,
            self.to
        );
        let count = self.count;
        ensure!(
            (2..=100_000).contains(&count),
            "{key}: count {count}; accepted: 2 to 100000"
        );
        Ok(linspace(self.from, self.to, count))
    }
}
