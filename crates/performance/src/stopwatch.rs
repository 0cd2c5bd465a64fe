//! Time of this thread on a core, so that a shared machine disturbs less.

use std::sync::OnceLock;
use std::time::Instant;

/// Seconds that this thread has had a core, where the system tells; seconds of the wall otherwise.
pub fn on_core() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || START.get_or_init(Instant::now).elapsed().as_secs_f64(),
        |n| n * 1e-9,
    )
}

/// The middle of some figures; NaN of none.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
