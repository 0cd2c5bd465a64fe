//! How values are distributed over rocks: shares in classes, and the share below.

use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::Histogram;
use klast_runs::error::{Outside as _, Result};

const CLASSES: usize = 24;

/// In units of a factor and in a size (px): classes as bars, the cumulative curve, the 95 % value, and a limit (a
/// capacity, a height) if there is one.
pub fn distribution(
    title: &str,
    label: &str,
    values: &Histogram,
    (factor, size): (f64, (u32, u32)),
    limit: Option<(&str, f64)>,
) -> Result<String> {
    let (low, high) = (
        values.least().unwrap_or(0.0),
        values.greatest().unwrap_or(1.0),
    );
    let width = ((high - low) / CLASSES as f64).max(1e-9);
    let edges: Vec<f64> = (0..=CLASSES)
        .map(|k| factor * (low + width * k as f64))
        .collect();
    let count = values.count().max(1) as f64;
    let mut shares = vec![0.0; CLASSES];
    let mut below = vec![(factor * low, 0.0)];
    let mut so_far = 0;
    for (a, b, n) in values.bins() {
        let (a, b) = (a.max(low), b.min(high));
        let class = ((0.5 * (a + b) - low) / width) as usize;
        if let Some(share) = shares.get_mut(class.min(CLASSES - 1)) {
            *share += n as f64 / count;
        }
        so_far += n;
        below.push((factor * b, so_far as f64 / count));
    }
    let mut chart = LineChart::new(
        title,
        Axis::new(label),
        Axis::new("share of rocks [-]").range(0.0, 1.03),
    )
    .sized(size)
    .with(Series::bars("histogram", &edges, &shares))
    .with(Series::line("cumulative", below));
    if let Some(q) = values.quantile(0.95) {
        let mark = vec![(factor * q, 0.0), (factor * q, 1.0)];
        chart = chart.with(Series::dashed("95 % value", mark));
    }
    if let Some((name, at)) = limit {
        chart = chart.with(Series::line(name, vec![(at, 0.0), (at, 1.0)]));
    }
    chart.svg().outside()
}
