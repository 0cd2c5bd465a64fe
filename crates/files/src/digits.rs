//! Numbers for people: seven digits, without zeros at the end.

/// A number with seven digits at most.
#[must_use]
pub fn short(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return format!("{}", value + 0.0);
    }
    let magnitude = libm::log10(value.abs()).floor() as i32;
    if !(-5..15).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    let decimals = (6 - magnitude).clamp(0, 9) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
