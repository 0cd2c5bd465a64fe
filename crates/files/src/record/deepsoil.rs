//! Motions of DEEPSOIL: the number of the rows and their step above the rows, which are pairs of a time and an
//! acceleration.

use super::text::{is_comment, number};

/// What the reader of a result has to know of such a file.
pub const REMARK: &str = "the first line of numbers is the number of the rows and their step, as DEEPSOIL writes them; \
    the times agree with it";

/// Part of a step by which the times may differ from multiples of it: they are printed to few digits.
const ROUNDING: f64 = 0.5;

/// The text without that line; none of another text. Where the times do not agree with the step, the text stays as it
/// is.
pub fn without_count(text: &str) -> Option<String> {
    let pair = |line: &str| {
        let mut words = line.split_whitespace().map(number);
        let pair = (words.next()??, words.next()??);
        words.next().is_none().then_some(pair)
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| pair(line).is_some())?;
    let (count, step) = pair(lines[at])?;
    let rows = lines[at + 1..]
        .iter()
        .filter(|line| !line.trim().is_empty() && !is_comment(line));
    let times: Vec<f64> = rows
        .map(|line| Some(pair(line)?.0))
        .collect::<Option<_>>()?;
    let first = *times.first()?;
    let even = times.iter().enumerate().all(|(k, time)| {
        let expected = first + k as f64 * step;
        (time - expected).abs() <= ROUNDING * step
    });
    let agrees = times.len() > 1 && count == times.len() as f64 && step > 0.0 && even;
    agrees.then(|| {
        let mut made = lines;
        made[at] = "";
        made.join("\n")
    })
}
