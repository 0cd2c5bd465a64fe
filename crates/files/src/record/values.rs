//! Values at equal steps without times, as OpenSees reads them (.dat, .g3, .acc): any number a line. The step is given
//! beside the file or stated in it: "dt = 0.02" in a line of text or a comment, or a first line of two numbers, the
//! number of values and the step.

use super::channel::{Channel, ReadOptions};
use super::motion_units::check_quantity;
use super::stated_step::{count_and_step, stated_rate, stated_step, states_a_step};
use super::text::{fault, given_or_stated, is_comment, miscount, number, run_together};
use crate::refusal::{Kind, Result};

/// What the reader of a result has to know of values whose lines are counted.
const COUNTED_LINES: &str = "the last column counts the lines and is not used";

/// Whether the numbers of a text are values without times. With a step, given or stated above them, all are but pairs
/// whose first column rises as times do. Without one, rows of two are a table, unless the first is the number of the
/// values and the step.
pub fn is_one(text: &str, options: &ReadOptions) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let Some(start) = first_row(&lines) else {
        return false;
    };
    let data = lines[start..]
        .iter()
        .filter(|line| !line.trim().is_empty() && !is_comment(line));
    let rows: Vec<Vec<&str>> = data.map(|line| fields(line).collect()).collect();
    let pairs = rows.iter().all(|row| row.len() == 2);
    if options.step.is_some() || states_a_step(&lines[..start]) {
        let times: Vec<Option<f64>> = rows.iter().map(|row| number(row.first()?)).collect();
        return !(pairs && times.windows(2).all(|pair| pair[1] > pair[0]));
    }
    // "0,0" above "0.01," is a row of a table, one of whose cells is empty.
    let is_pair = |line: &&str| {
        let cells: Vec<&str> = line.split([',', ';']).map(str::trim).collect();
        cells.len() == 2 && cells.into_iter().all(|cell| number(cell).is_some())
    };
    if lines[..start].iter().any(is_pair) {
        return false;
    }
    let values: usize = rows[1..].iter().map(Vec::len).sum();
    let counted = number(rows[0][0]) == Some(values as f64) && values > 1;
    rows[0].len() != 2 || counted
}

/// The fields of a line, parted by blanks, semicolons, and, where the line has points and no semicolons, commas;
/// elsewhere a comma may be a decimal mark. One that may part thousands (1,234.5) parts nothing. Nothing between two
/// marks is an empty field, which is no number; the last mark of a line ends it.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let thousands = line.split_whitespace().any(parts_thousands);
    let commas = line.contains('.') && !line.contains(';') && !thousands;
    let mark = move |c: char| c == ';' || c == ',' && commas;
    let line = line.trim();
    let parts = line.strip_suffix(mark).unwrap_or(line).split(mark);
    parts.flat_map(|part| {
        let empty = part.trim().is_empty().then_some("");
        part.split_whitespace().chain(empty)
    })
}

/// Whether a word begins as a number does whose thousands commas part.
fn parts_thousands(word: &str) -> bool {
    let Some((first, rest)) = word.trim_start_matches(['+', '-']).split_once(',') else {
        return false;
    };
    let whole = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let next = rest.split(['.', ',']).next().unwrap_or_default();
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && whole(first)
        && next.len() == 3
        && whole(next)
}

/// The first line of numbers only.
fn first_row(lines: &[&str]) -> Option<usize> {
    lines.iter().position(|line| {
        let mut words = fields(line).peekable();
        words.peek().is_some()
            && words.all(|word| {
                number(word).is_some() || run_together(word).is_some_and(|run| run.len() > 1)
            })
    })
}

pub fn read(text: &str, options: &ReadOptions) -> Result<Channel> {
    let lines: Vec<&str> = text.lines().collect();
    let start = first_row(&lines).unwrap_or(lines.len());
    let header = &lines[..start];
    check_quantity(header)?;
    let mut rows: Vec<(usize, Vec<f64>)> = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(start) {
        if line.trim().is_empty() || is_comment(line) {
            continue;
        }
        let mut row = Vec::new();
        for word in fields(line) {
            let values = number(word)
                .map(|value| vec![value])
                .or_else(|| run_together(word));
            let needed = "finite numbers between blanks (values at equal steps)";
            row.extend(values.ok_or_else(|| fault(Kind::Value, k + 1, needed, word))?);
        }
        rows.push((k + 1, row));
    }
    let lines_counted = leave_out_last(&mut rows, &lines)?;
    refuse_table(&rows)?;
    let counted = counted(&rows);
    let stated = stated_in(header, counted, options)?;
    let behind = &rows[usize::from(counted.is_some())..];
    super::rowwise::refuse_unnamed(behind, options.step.or(stated))?;
    if counted.is_none() {
        refuse_uneven(&rows)?;
        refuse_columns(header, &rows)?;
    }
    refuse_quantities(&rows)?;
    let at = lines.get(start).copied().unwrap_or("");
    let step = super::text::one_step(options.step, stated, start + 1)?.ok_or_else(|| {
        let needed = "the step of values without times: step_s beside the file, \"dt = 0.02\" above the values, or a \
            first \
            line with their number and the step; a table has two columns, time (s) and acceleration";
        fault(Kind::Step, start + 1, needed, at)
    })?;
    let missing = || {
        let needed =
            "the unit of the values, by `unit` (--unit) or stated above them, as in \"UNITS OF G\"";
        fault(Kind::Unit, start + 1, needed, at)
    };
    let unit = given_or_stated(options.unit, super::names::stated(header), header, missing)?;
    let skipped = usize::from(counted.is_some());
    let values = rows.into_iter().skip(skipped).flat_map(|(_, row)| row);
    let samples: Vec<f64> = values.map(|value| value * unit.factor()).collect();
    if let Some((announced, _)) = header.iter().find_map(|line| count_and_step(line))
        && announced != samples.len()
    {
        return Err(miscount(announced, samples.len()));
    }
    let mut channel = Channel::new("", step, samples);
    if lines_counted {
        channel.remarks.push(COUNTED_LINES.to_owned());
    }
    Ok(channel)
}

/// Takes the last number out of rows of values where it counts the lines, as the programs SHAKE write it behind eight
/// values; tells whether it did. Only a count that is written in digits beside values with points is one for sure.
///
/// # Errors
/// A last column that rises by the same whole number in each row, but may be one of values.
fn leave_out_last(rows: &mut [(usize, Vec<f64>)], lines: &[&str]) -> Result<bool> {
    let last: Option<Vec<f64>> = rows.iter().map(|(_, row)| row.last().copied()).collect();
    let last = last.unwrap_or_default();
    let by = last.get(1).map_or(0.0, |second| second - last[0]);
    let even = last.windows(2).all(|pair| pair[1] - pair[0] == by);
    let counts = by >= 1.0 && by.fract() == 0.0 && last[0].fract() == 0.0 && even;
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let alone = rows.iter().any(|(_, row)| row.len() < 2);
    if !counts || last.len() < 4 || width < 3 || alone {
        return Ok(false);
    }
    for (line, _) in rows.iter() {
        let said = lines[line - 1];
        let words = said.rsplit(|c: char| c.is_whitespace() || ",;".contains(c));
        let mut words = words.filter(|word| !word.is_empty());
        let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
        if !(words.next().is_some_and(digits) && words.all(|word| word.contains('.'))) {
            let needed = "values of one series: the last column rises by the same whole number in each line, as a \
                count of \
                the lines does; leave it out";
            return Err(fault(Kind::Syntax, *line, needed, said));
        }
    }
    for (_, row) in rows {
        row.pop();
    }
    Ok(true)
}

/// The step (s) that a header states, or else the first row, or else a sampling rate in the header; a rate of another
/// step is refused where none is given beside the file.
pub fn stated_in(
    header: &[&str],
    counted: Option<f64>,
    options: &ReadOptions,
) -> Result<Option<f64>> {
    let step = header.iter().find_map(|line| stated_step(line)).or(counted);
    let rates = header.iter().enumerate();
    let mut rates = rates.filter_map(|(k, line)| Some((k, stated_rate(line)?)));
    let Some((k, of_rate)) = rates.next() else {
        return Ok(step);
    };
    // Both are printed to a few digits.
    let other = step.is_some_and(|step| (step - of_rate).abs() > 1e-2 * step);
    if other && options.step.is_none() {
        let needed =
            "a sampling rate of the step that is stated beside it, or step_s beside the file";
        return Err(fault(Kind::Contradiction, k + 1, needed, header[k]));
    }
    Ok(step.or(Some(of_rate)))
}

/// The step of a first row that is the number of the values behind it and their step.
fn counted(rows: &[(usize, Vec<f64>)]) -> Option<f64> {
    let (_, first) = rows.first()?;
    let [count, step] = first[..] else {
        return None;
    };
    let values: usize = rows[1..].iter().map(|(_, row)| row.len()).sum();
    (values > 0 && count == values as f64 && step > 0.0).then_some(step)
}

/// Refuses rows of different length, but for a shorter last one: the numbers of a header, or several series.
fn refuse_uneven(rows: &[(usize, Vec<f64>)]) -> Result<()> {
    let Some((_, first)) = rows.first() else {
        return Ok(());
    };
    let last = rows.len() - 1;
    let odd = rows
        .iter()
        .enumerate()
        .find(|(k, (_, row))| row.len() > first.len() || (*k != last && row.len() < first.len()));
    match odd {
        Some((_, (line, row))) => {
            let needed = "as many values a line as on the first one (values at equal steps), but for the last line: \
                the \
                numbers of a header are no samples, and one file is one series";
            Err(fault(Kind::Syntax, *line, needed, &shown(row)))
        }
        None => Ok(()),
    }
}

/// Refuses columns that are quantities of their own, as year, longitude and depth of a catalogue: every n-th value of
/// one series has the mean of the others to within its scatter. A periodic series whose period fits the line has no
/// scatter but the last digits of its values and its noise, and means of both signs that reach as far.
fn refuse_quantities(rows: &[(usize, Vec<f64>)]) -> Result<()> {
    let Some((line, first)) = rows.first() else {
        return Ok(());
    };
    let whole = rows.iter().filter(|(_, row)| row.len() == first.len());
    let whole: Vec<&Vec<f64>> = whole.map(|(_, row)| row).collect();
    if first.len() < 2 || whole.len() < 2 {
        return Ok(());
    }
    let (mut means, mut scatter) = (Vec::new(), 0.0f64);
    for column in 0..first.len() {
        let values = || whole.iter().map(|row| row[column]);
        let mean = values().sum::<f64>() / whole.len() as f64;
        let square = values()
            .map(|value| (value - mean) * (value - mean))
            .sum::<f64>();
        scatter = scatter.max((square / whole.len() as f64).sqrt());
        means.push(mean);
    }
    let low = means.iter().copied().fold(f64::INFINITY, f64::min);
    let high = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (larger, smaller) = (high.abs().max(low.abs()), high.abs().min(low.abs()));
    let unlike = low > 0.0 || high < 0.0 || larger > 10.0 * smaller;
    if high - low > 10.0 * scatter && scatter > 1e-9 * larger && unlike {
        let needed = "values of one series: the columns of these lines have means that differ by ten times their \
            scatter, as \
            columns of different quantities do; keep one of them";
        return Err(fault(Kind::Quantity, *line, needed, &shown(first)));
    }
    Ok(())
}

fn shown(row: &[f64]) -> String {
    let words: Vec<String> = row.iter().map(f64::to_string).collect();
    words.join(" ")
}

/// Refuses first numbers of pairs that are a number of rows and then as many times.
pub fn refuse_deepsoil(times: &[f64]) -> Result<()> {
    match times {
        [count, times @ ..]
            if times.len() > 1
                && *count == times.len() as f64
                && times[0] < *count
                && times.windows(2).all(|pair| pair[1] > pair[0]) =>
        {
            Err(super::refused::not_a_record(
                "a motion of DEEPSOIL, times and accelerations below their number and step, which the times do not \
                    follow: delete its first line if the times are right",
            ))
        }
        _ => Ok(()),
    }
}

/// Refuses rows of equal length that are columns side by side, which one behind the other would make a series that
/// nobody recorded: below a line of as many names, and rows of two to four numbers, of which nothing says what they
/// are.
fn refuse_columns(header: &[&str], rows: &[(usize, Vec<f64>)]) -> Result<()> {
    let Some((line, first)) = rows.first() else {
        return Ok(());
    };
    let width = first.len();
    let times: Vec<f64> = rows.iter().map(|(_, row)| row[0]).collect();
    if width == 2 {
        refuse_deepsoil(&times)?;
    }
    if width < 2 || rows.len() < 2 || rows.iter().any(|(_, row)| row.len() != width) {
        return Ok(());
    }
    let names = header
        .iter()
        .enumerate()
        .rfind(|(_, line)| !line.trim().is_empty());
    if let Some((k, names)) = names {
        let bare = names.trim().trim_start_matches(['#', '%', '!', '/']);
        let marked = [',', ';', '\t'].iter().any(|mark| {
            let cells = bare.trim_end_matches(*mark).split(*mark);
            cells.clone().count() == width
                && cells.into_iter().all(|cell| number(cell.trim()).is_none())
        });
        if marked || (width <= 4 && bare.split_whitespace().count() == width) {
            let needed = "one column of values (values at equal steps); keep one of these";
            return Err(fault(Kind::Several, k + 1, needed, names));
        }
    }
    if width <= 4 {
        let needed = "one value a line (values at equal steps), or five or more: rows of two to four numbers may be \
            columns \
            side by side; keep one of them, or write the values one below the other";
        return Err(fault(Kind::Several, *line, needed, &shown(first)));
    }
    Ok(())
}

/// Refuses rows that hold times: a time and several components, or pairs of a time and an acceleration one behind the
/// other. The last row may be shorter, as that of pairs is.
fn refuse_table(rows: &[(usize, Vec<f64>)]) -> Result<()> {
    let width = rows.first().map_or(0, |(_, row)| row.len());
    let Some((last, others)) = rows.split_last() else {
        return Ok(());
    };
    let uneven = others.iter().any(|(_, row)| row.len() != width) || last.1.len() > width;
    if width < 3 || rows.len() < 2 || uneven {
        return Ok(());
    }
    let whole_pairs = width.is_multiple_of(2) && last.1.len().is_multiple_of(2);
    let every_second = |from: usize| {
        let values = rows
            .iter()
            .flat_map(|(_, row)| row.iter().skip(from).step_by(2));
        values.copied().collect::<Vec<f64>>()
    };
    let (times, beside) = (every_second(0), every_second(1));
    // A few values that rise evenly as a whole are a ramp.
    let ramp = times.len() < 8 && are_times(&beside);
    if whole_pairs && are_times(&times) && !ramp {
        return Err(super::refused::not_a_record(
            "pairs of a time and an acceleration, several in a line, as *AMPLITUDE of Abaqus has them; write one \
                pair a line",
        ));
    }
    let firsts: Vec<f64> = rows.iter().map(|(_, row)| row[0]).collect();
    if are_times(&firsts) {
        return Err(super::refused::not_a_record(
            "a table of times with several columns; keep the time and one acceleration, or name the columns with \
                their units, as in \"time_s,acc_x_g,acc_y_g\", or name them without units and give unit beside the \
                file",
        ));
    }
    Ok(())
}

/// Whether numbers are times: four or more that rise evenly, or eight or more that rise, which uneven and rounded times
/// do and no motion does from its begin to its end.
fn are_times(numbers: &[f64]) -> bool {
    let mut steps = numbers.windows(2).map(|pair| pair[1] - pair[0]);
    let Some(first) = steps.next() else {
        return false;
    };
    let even = steps
        .clone()
        .all(|step| (step - first).abs() <= 1e-3 * first);
    let rise = first > 0.0 && steps.all(|step| step > 0.0);
    rise && (numbers.len() >= 8 || even && numbers.len() >= 4)
}
