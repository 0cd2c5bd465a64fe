//! Medians of times of the wall: what the system says of a thread's own time comes in ticks of milliseconds.

/// The middle of some figures; NaN of none.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}
