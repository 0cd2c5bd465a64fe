//! Quantiles of a sample.

/// Quantile of a sample, linear between order statistics (definition 7 of Hyndman and Fan 1996); `None` for an empty
/// sample.
pub fn quantile(sample: &[f64], p: f64) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let (low, share) = (place.floor() as usize, place.fract());
    let (a, b) = (sorted.get(low)?, sorted.get((low + 1).min(last))?);
    Some(a + (b - a) * share)
}
