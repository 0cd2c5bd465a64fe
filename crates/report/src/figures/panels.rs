//! Charts that stand together in one figure.

use klast_plot::{LineChart, stack};
use klast_runs::error::{Outside as _, Result};

/// Size of a chart that stands beside another in one figure (px).
pub const HALF: (u32, u32) = (340, 250);

/// Charts in a picture of the first page: up to three below one another, more in two columns, no taller in all than
/// what is read on a printed page beside a verdict.
///
/// # Errors
/// A chart that cannot be drawn.
pub fn panels(charts: Vec<LineChart>) -> Result<String> {
    // What the charts share, and what the key of each takes.
    const TALL: usize = 600;
    const KEY: usize = 40;
    let count = charts.len().max(1);
    let (wide, rows) = match count {
        0..=3 => (680, count),
        _ => (HALF.0, count.div_ceil(2)),
    };
    let high = (TALL / rows).saturating_sub(KEY).clamp(120, 400);
    let size = (wide, u32::try_from(high).unwrap_or(400));
    let charts: Vec<LineChart> = charts.into_iter().map(|c| c.sized(size)).collect();
    if count <= 3 {
        return LineChart::panels(&charts).outside();
    }
    let svgs: Result<Vec<String>> = charts.iter().map(|c| c.svg().outside()).collect();
    Ok(stack(&svgs?, 2))
}
