use super::GroundMotionError;

/// Times (s) and values of a CSV text with a header of two columns, `time_s` and one of `columns`, each
/// value times the factor that stands beside the name of its column. Lines that start with # are comments.
///
/// # Errors
/// [`GroundMotionError::Format`] with the line: another header (`header` says which are accepted), a row
/// that is not two finite numbers.
pub fn read_series(
    text: &str,
    columns: &[(&str, f64)],
    header: &'static str,
) -> Result<(Vec<f64>, Vec<f64>), GroundMotionError> {
    let fault = |line: usize, needed, found: &str| GroundMotionError::Format {
        line,
        needed,
        found: found.chars().take(60).collect(),
    };
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let (number, first) = lines.next().ok_or_else(|| fault(1, header, ""))?;
    let names: Vec<&str> = first.split(',').map(str::trim).collect();
    let factor = match names.as_slice() {
        ["time_s", name] => columns.iter().find(|c| c.0 == *name).map(|c| c.1),
        _ => None,
    };
    let factor = factor.ok_or_else(|| fault(number + 1, header, first))?;
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let words: Vec<&str> = line.split(',').map(str::trim).collect();
        let pair = match words.as_slice() {
            [t, v] => t.parse::<f64>().ok().zip(v.parse::<f64>().ok()),
            _ => None,
        };
        let (t, v) = pair
            .filter(|(t, v)| t.is_finite() && v.is_finite())
            .ok_or_else(|| fault(number + 1, "two finite numbers", line))?;
        times.push(t);
        values.push(v * factor);
    }
    Ok((times, values))
}
