use super::RecordError;
use super::columns::{has_decimal_commas, two_numbers};
use super::text::{fault, fields};

/// Times (s) and values of a CSV text with a header of two columns, `time_s` and one of `columns`, each
/// value times the factor that stands beside the name of its column. Cells are parted as those of a record of two
/// columns are: by semicolons, commas or tabs; a comma is a decimal mark where others of these part the cells. Lines
/// that start with # are comments.
///
/// # Errors
/// [`RecordError::Format`] with the line: another header (`header` says which are accepted), a row
/// that is not two finite numbers.
pub fn read_series(
    text: &str,
    columns: &[(&str, f64)],
    header: &'static str,
) -> Result<(Vec<f64>, Vec<f64>), RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Spreadsheets leave rows without content below a table, and "sep=;" above it.
    let empty = |line: &str| line.chars().all(|c| c.is_whitespace() || ";,".contains(c));
    let mut lines = text.lines().enumerate().filter(|(k, line)| {
        let separator = *k == 0 && line.starts_with("sep=");
        !empty(line) && !line.trim_start().starts_with('#') && !separator
    });
    let (number, first) = lines.next().ok_or_else(|| fault(1, header, ""))?;
    let factor = match fields(first, false)[..] {
        ["time_s", name] => columns.iter().find(|c| c.0 == name).map(|c| c.1),
        _ => None,
    };
    let factor = factor.ok_or_else(|| fault(number + 1, header, first))?;
    let rows: Vec<(usize, &str)> = lines.collect();
    let texts: Vec<&str> = rows.iter().map(|(_, line)| *line).collect();
    let comma = has_decimal_commas(&texts);
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (number, line) in rows {
        let (t, v) = two_numbers(line, comma)
            .ok_or_else(|| fault(number + 1, "two finite numbers", line))?;
        times.push(t);
        values.push(v * factor);
    }
    Ok((times, values))
}
