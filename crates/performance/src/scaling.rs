//! How the cost of a unit goes with the size, and the rate with the threads.

use super::list::KERNELS;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use klast_plot::{Axis, LineChart, Series};

use crate::kernel::Kernel;

/// Seconds over which a size is timed, at least three repetitions.
const SPAN: f64 = 0.5;

/// Markdown of cost over sizes and of the gain by a second thread; draws `scaling.svg` into the folder.
///
/// # Errors
/// A kernel that cannot do its work; a picture that cannot be written.
pub fn report(pictures: &Path) -> Result<String> {
    let mut text = String::from(
        "![Cost of a unit over size](pictures/scaling.svg)\n\n| kernel | sized by | cost of a unit at each size | exponent | rate on 2 threads |\n|---|---|---|---|---|\n",
    );
    let mut chart = LineChart::new(
        "Cost of one unit over size, against the smallest",
        Axis::log("size"),
        Axis::log("cost over cost at the smallest size"),
    );
    for kernel in KERNELS.iter().filter(|k| !k.sizes.is_empty()) {
        let costs = kernel
            .sizes
            .iter()
            .map(|&size| Ok((size as f64, cost(kernel, size, 1)?)))
            .collect::<Result<Vec<_>>>()?;
        let list: Vec<String> = costs
            .iter()
            .map(|(size, ns)| format!("{size}: {}", readable(*ns)))
            .collect();
        let gain = if kernel.parallel {
            let size = kernel.sizes[kernel.sizes.len() / 2];
            format!("x{:.2}", cost(kernel, size, 1)? / cost(kernel, size, 2)?)
        } else {
            "one thread".to_owned()
        };
        let _ = writeln!(
            text,
            "| {}, {} | {} | {} | {:+.2} | {gain} |",
            kernel.name,
            kernel.unit,
            kernel.sized_by,
            list.join("; "),
            exponent(&costs)
        );
        let first = costs.first().map_or(1.0, |c| c.1);
        let points = costs.iter().map(|(n, ns)| (*n, ns / first)).collect();
        chart = chart.with(Series::line(kernel.name, points));
    }
    let file = pictures.join("scaling.svg");
    std::fs::write(&file, chart.svg()?).with_context(|| file.display().to_string())?;
    Ok(text)
}

/// Median time of the wall for one unit (ns).
fn cost(kernel: &Kernel, size: usize, threads: usize) -> Result<f64> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    pool.install(|| {
        let mut work = kernel.prepare(size)?;
        work()?;
        let (begin, mut costs) = (Instant::now(), Vec::new());
        while begin.elapsed().as_secs_f64() < SPAN || costs.len() < 3 {
            let start = Instant::now();
            let units = work()?;
            costs.push(start.elapsed().as_secs_f64() * 1e9 / units as f64);
        }
        Ok(median(costs))
    })
}

/// The middle of some figures; NaN of none.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Nanoseconds in a unit that reads well.
fn readable(ns: f64) -> String {
    match ns {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.1} ms", n / 1e6),
    }
}

/// Slope of log cost over log size by least squares.
fn exponent(costs: &[(f64, f64)]) -> f64 {
    let n = costs.len() as f64;
    let logs: Vec<(f64, f64)> = costs.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let (mx, my) = logs
        .iter()
        .fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let (cross, square) = logs.iter().fold((0.0, 0.0), |(c, s), (x, y)| {
        (c + (x - mx) * (y - my), s + (x - mx) * (x - mx))
    });
    cross / square
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn a_power_law_has_its_exponent() {
        let costs: Vec<(f64, f64)> = [1.0, 3.0, 10.0, 50.0]
            .iter()
            .map(|&x: &f64| (x, 7.0 * x.powf(0.3)))
            .collect();
        // Rounding of the logarithms.
        assert!((exponent(&costs) - 0.3).abs() < 1e-12);
    }
}
