//! What the names above two columns say: which is the time, in what unit, and what is no acceleration.

use super::RecordError;
use super::text::{fault, fields, is_comment};
use super::unit;
use klast_dynamics::ground_motion::AccelerationUnit;

/// Names of a column of times, in the languages that headers come in.
const TIMES: [&str; 16] = [
    "TIME",
    "T",
    "ZEIT",
    "TEMPS",
    "TEMPO",
    "TIEMPO",
    "TIMES",
    "TIJD",
    "TID",
    "CZAS",
    "ZAMAN",
    "ВРЕМЯ",
    "時間",
    "時刻",
    "TIMESTAMP",
    ELAPSED,
];
/// Its unit may stand before it: "seconds_elapsed".
const ELAPSED: &str = "ELAPSED";
const MILLISECONDS: [&str; 9] = [
    "MS",
    "MSEC",
    "MILLISECOND",
    "MILLISECONDS",
    "MILLISEKUNDE",
    "MILLISEKUNDEN",
    "MILLISECONDES",
    "MILLISECONDI",
    "MILISEGUNDOS",
];
const SECONDS: [&str; 10] = [
    "S", "SEC", "SECS", "SECOND", "SECONDS", "SEKUNDE", "SEKUNDEN", "SECONDES", "SECONDI",
    "SEGUNDOS",
];
/// Units of time that are none of ours; in capitals both signs for a millionth become the Greek letter.
const OTHER_TIMES: [&str; 27] = [
    "CS",
    "DS",
    "KS",
    "US",
    "\u{39c}S",
    "USEC",
    "MICROSECOND",
    "MICROSECONDS",
    "NS",
    "NSEC",
    "NANOSECONDS",
    "MIN",
    "MINUTE",
    "MINUTES",
    "MINUTEN",
    "MINUTI",
    "MINUTOS",
    "H",
    "HH",
    "HOUR",
    "HOURS",
    "STUNDEN",
    "HEURES",
    "HORAS",
    "DAY",
    "DAYS",
    "SAMPLES",
];

/// Names of a column that counts its rows.
const COUNTS: [&str; 14] = [
    "SAMPLE", "SAMPLES", "INDEX", "NO", "NR", "NUM", "NUMBER", "POINT", "POINTS", "N", "#", "ID",
    "ROW", "UNNAMED",
];

/// Refuses a first column that a header calls a number, over numbers that rise by one, or over whole numbers below the
/// names of two columns: they are no seconds.
pub fn refuse_counts(header: &[&str], times: &[f64]) -> Result<(), RecordError> {
    let by_one = times.windows(2).all(|pair| pair[1] - pair[0] == 1.0);
    let whole = times.iter().all(|time| time.fract() == 0.0);
    let named = header.iter().enumerate().find(|(_, line)| {
        let upper = line.to_uppercase();
        let first = fields(upper.trim_start_matches(['#', '%', '!']), false);
        let columns = first.len() == 2 && whole || first.len() > 1 && by_one;
        columns && first.first().is_some_and(|name| counts_rows(name))
    });
    match named {
        Some((k, line)) if !by_one => {
            let needed = "times (s) in the first column, which counts samples here and leaves some out: write the count times \
                the step in its place";
            Err(fault(k + 1, needed, line))
        }
        Some((k, line)) if times.len() > 1 => {
            let needed = "times (s) in the first column, which counts samples here: keep the column of accelerations alone, \
                and give the step (step_s)";
            Err(fault(k + 1, needed, line))
        }
        _ => Ok(()),
    }
}

/// The factor of the times to seconds by the names of a header; refuses columns that it calls otherwise than time
/// before acceleration. Comments count where they speak of a time, as names of columns do; of several lines that state
/// a unit the last one counts, which is the nearest to the numbers.
pub fn time_factor(header: &[&str]) -> Result<f64, RecordError> {
    let mut factor = 1.0;
    for (k, line) in header.iter().enumerate() {
        let upper = line.to_uppercase();
        let words = words(&upper);
        let comment = is_comment(line);
        let unit = unit_of_time(&upper, &words, comment);
        if comment && unit.is_none() {
            continue;
        }
        let backwards = matches!(fields(&upper, false)[..], [a, t] if a.starts_with("ACC") && t.starts_with("TIME"));
        let other = words.iter().find_map(|(_, word)| quantity(word)) == Some(Quantity::Other);
        if unit == Some(TimeUnit::Other) || backwards || other {
            let needed = "two columns, time (s) before acceleration; no velocity, no displacement";
            return Err(fault(k + 1, needed, line));
        }
        match unit {
            Some(TimeUnit::Milliseconds) => factor = 1e-3,
            Some(TimeUnit::Seconds) => factor = 1.0,
            _ => {}
        }
    }
    Ok(factor)
}

/// Whether a cell of names begins with that of a time.
pub fn names_a_time(cell: &str) -> bool {
    let upper = cell.to_uppercase();
    let words: Vec<&str> = words(&upper).into_iter().map(|(_, word)| word).collect();
    match words[..] {
        [unit, ELAPSED, ..] if time_unit(unit).is_some() => true,
        [first, ..] => TIMES.contains(&first),
        [] => false,
    }
}

/// Whether a line speaks of times, or holds the units of a time and an acceleration.
pub fn speaks_of_time(line: &str) -> bool {
    let upper = line.to_uppercase();
    let named = words(&upper)
        .into_iter()
        .any(|(_, word)| word != "T" && TIMES.contains(&word));
    let plain = line.replace(['(', ')', '[', ']'], "");
    named || names_a_time(line) || unit_below_names(&plain).is_some()
}

/// Whether the name of a column calls it a count of the rows: "Sample no.", "No.", "Index [-]", or no name at all.
pub fn counts_rows(cell: &str) -> bool {
    let upper = cell.to_uppercase();
    let first = upper.split([' ', '.', '[', '(', '_', ':']).next();
    first.is_some_and(|word| word.is_empty() && cell.is_empty() || COUNTS.contains(&word))
}

/// The words of a line and where they begin.
pub fn words(line: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut begins = None;
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (begins, c.is_alphabetic()) {
            (None, true) => begins = Some(at),
            (Some(from), false) => {
                words.push((from, &line[from..at]));
                begins = None;
            }
            _ => {}
        }
    }
    words
}

#[derive(Clone, Copy, PartialEq)]
enum TimeUnit {
    /// A time is named without a unit.
    Unstated,
    Seconds,
    Milliseconds,
    Other,
}

fn time_unit(word: &str) -> Option<TimeUnit> {
    if SECONDS.contains(&word) {
        Some(TimeUnit::Seconds)
    } else if MILLISECONDS.contains(&word) {
        Some(TimeUnit::Milliseconds)
    } else if OTHER_TIMES.contains(&word) {
        Some(TimeUnit::Other)
    } else {
        None
    }
}

/// The unit of acceleration in a line of units below the names of a time and an acceleration: "s,m/s^2".
pub fn unit_below_names(line: &str) -> Option<AccelerationUnit> {
    let upper = line.to_uppercase();
    let [first, second] = fields(&upper, false)[..] else {
        return None;
    };
    time_unit(first)?;
    unit::named(&second.replace(' ', ""))
}

/// The unit of the times in a line (capitals) that names them, or that holds the units below the names.
fn unit_of_time(line: &str, words: &[(usize, &str)], comment: bool) -> Option<TimeUnit> {
    let long = words
        .iter()
        .find(|(_, word)| TIMES.contains(word) && *word != "T");
    // A letter alone is the name of a column only where a line begins with it.
    let letter = words.first().filter(|(_, word)| *word == "T");
    let Some((at, name)) = long.or(letter) else {
        let bare = |field: &str| field.replace(['(', ')', '[', ']'], "");
        let [first, second] = fields(line, false)[..] else {
            return None;
        };
        unit::named(&bare(second))?;
        return time_unit(&bare(first));
    };
    let before = words.iter().take_while(|(from, _)| from < at).last();
    if *name == ELAPSED
        && let Some(unit) = before.and_then(|(_, word)| time_unit(word))
    {
        return Some(unit);
    }
    let behind = &line[at + name.len()..];
    Some(unit_behind(behind, comment).unwrap_or(TimeUnit::Unstated))
}

/// The unit that stands behind the name of a time in its own column: in brackets if there are any, else as the next
/// word, behind IN, or where the column of a header ends. Later words of a title are none: "Time history of the Friuli
/// Ms 6.5 earthquake".
fn unit_behind(behind: &str, comment: bool) -> Option<TimeUnit> {
    let marks = [',', ';', '\t'];
    let own = behind.split(marks).next().unwrap_or_default();
    let bracket = own.split_once(['(', '[']).map(|(_, rest)| rest);
    let inside = bracket
        .and_then(|rest| rest.split_once([')', ']']))
        .map(|(inside, _)| inside);
    let named = self::words(inside.unwrap_or(own));
    let named: Vec<&str> = named
        .into_iter()
        .map(|(_, word)| word)
        .take_while(|word| quantity(word).is_none())
        .collect();
    // Elsewhere NS is the component from north to south.
    let nanoseconds = named == ["NS"] && own.trim_start().starts_with(['(', '[', '_']);
    if nanoseconds {
        return Some(TimeUnit::Other);
    }
    let unit = |word: &&str| time_unit(word).filter(|_| *word != "NS");
    match inside {
        // A magnitude: "(Ms 6.5)".
        Some(inside) if inside.contains(|c: char| c.is_ascii_digit()) => None,
        Some(_) => named.iter().find_map(unit),
        None => {
            let mut pairs = named.windows(2);
            let in_unit = || {
                pairs.find_map(|pair| unit(&pair[1]).filter(|_| ["IN", "EN"].contains(&pair[0])))
            };
            let ends = behind.len() > own.len() && !comment;
            let last = named
                .last()
                .filter(|word| ends && own.trim_end().ends_with(**word));
            named
                .first()
                .and_then(unit)
                .or_else(in_unit)
                .or_else(|| last.and_then(unit))
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    Acceleration,
    Other,
}

/// What a word (capitals) calls the values; the first one of a line counts, as others may be told of behind it.
fn quantity(word: &str) -> Option<Quantity> {
    const ACCELERATIONS: [&str; 5] = ["ACC", "BESCHL", "ACEL", "ACCÉL", "VERSNEL"];
    const OTHERS: [&str; 11] = [
        "VELOC",
        "GESCHW",
        "VITES",
        "SNELHEID",
        "DISPLAC",
        "VERSCHIEB",
        "DEPLAC",
        "DÉPLAC",
        "DESPLAZ",
        "SPOSTAM",
        "VERPLAATS",
    ];
    if ACCELERATIONS.iter().any(|name| word.starts_with(name)) {
        Some(Quantity::Acceleration)
    } else if OTHERS.iter().any(|name| word.starts_with(name)) || ["VEL", "DISP"].contains(&word) {
        Some(Quantity::Other)
    } else {
        None
    }
}

/// Units in the brackets of a second column that are none of an acceleration in m/s², its parts or g: a unit that is
/// given beside the file would take them for it.
const OTHER_UNITS: [&str; 20] = [
    "%", "V", "MV", "\u{39c}V", "COUNT", "COUNTS", "CTS", "DIGITS", "M/S", "CM/S", "MM/S", "M",
    "CM", "MM", "N", "KN", "PA", "KPA", "RAD/S", "DEG/S",
];

/// Refuses values that a header of two columns states to be of another unit.
pub fn refuse_other_units(header: &[&str]) -> Result<(), RecordError> {
    for (k, line) in header.iter().enumerate() {
        let upper = line.to_uppercase();
        let [_, second] = fields(upper.trim_start_matches(['#', '%', '!', '/']), false)[..] else {
            continue;
        };
        let bracket = second.split_once(['(', '[']).map(|(_, rest)| rest);
        let inside = bracket.and_then(|rest| rest.split_once([')', ']']));
        let other = |(inside, _): (&str, &str)| {
            let unit = inside.replace(' ', "");
            // A blank parts the length from the time: "in s-2".
            unit::is_unknown(&inside.replace(' ', "·"))
                || unit::is_angular(&unit)
                || OTHER_UNITS.contains(&unit.as_str())
        };
        if inside.is_some_and(other) {
            let needed = "accelerations in m/s2, cm/s2, mm/s2, gal or g in the second column";
            return Err(fault(k + 1, needed, line));
        }
    }
    Ok(())
}

/// Whether the name of a column calls its values something else than accelerations.
pub fn names_another_quantity(name: &str) -> bool {
    let upper = name.to_uppercase();
    let words = words(&upper);
    let first = words.iter().find_map(|(_, word)| quantity(word));
    let mass = words.iter().any(|(_, word)| MASSES.contains(word));
    first == Some(Quantity::Other) || (mass && first.is_none())
}

/// Names of columns of masses and weights, whose grams are written as g is.
const MASSES: [&str; 9] = [
    "MASS", "MASSE", "MASSA", "MASA", "WEIGHT", "GEWICHT", "POIDS", "PESO", "LOAD",
];

/// Whether a cell is a unit of time alone, as in a row of units below the names.
pub fn is_unit_of_time(cell: &str) -> bool {
    let upper = cell.to_uppercase();
    time_unit(upper.trim_matches(['(', ')', '[', ']', ' '])).is_some()
}
