//! What the name of a column, and the unit below it, say of its values: times, accelerations and their units, or
//! something else. Names are English words, or any word with its unit beside it; others are told by keys.

use std::borrow::Cow;

use super::text::{bare, number};
use super::unit;
use super::velocity::ends_a_name;
use crate::table::sheet::Mark;
use klast_ground_motion::AccelerationUnit;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Role {
    /// Times, with the factor to seconds.
    Time(f64),
    /// Times in another unit.
    OtherTime,
    /// Accelerations.
    Acceleration(AccelerationUnit),
    /// Accelerations that are meant times a factor beside the unit.
    Factor,
    /// What its name says nothing against.
    Bare,
    /// A count of the rows.
    Count,
    /// Another quantity, or a unit that is none of accelerations.
    Other,
}

const TIMES: [&str; 5] = ["TIME", "T", "TIMES", "TIMESTAMP", ELAPSED];
/// Its unit may stand before it: "seconds_elapsed".
const ELAPSED: &str = "ELAPSED";
const MILLISECONDS: [&str; 4] = ["MS", "MSEC", "MILLISECOND", "MILLISECONDS"];
const SECONDS: [&str; 5] = ["S", "SEC", "SECS", "SECOND", "SECONDS"];
/// Units of time that are none of ours; in capitals both signs for a millionth become the Greek letter.
const OTHER_TIMES: &str = "CS DS KS US \u{39c}S USEC MICROSECOND MICROSECONDS NS NSEC NANOSECONDS MIN MINUTE MINUTES \
    H HH \
    HOUR HOURS SAMPLES";
/// Names of a column that counts its rows.
const COUNTS: [&str; 14] = [
    "SAMPLE", "SAMPLES", "INDEX", "NO", "NR", "NUM", "NUMBER", "POINT", "POINTS", "N", "#", "ID",
    "ROW", "UNNAMED",
];
/// Units behind the name of an acceleration.
const UNITS: [(&str, AccelerationUnit); 10] = [
    ("m_s2", AccelerationUnit::MetrePerSecondSquared),
    ("mps2", AccelerationUnit::MetrePerSecondSquared),
    ("ms2", AccelerationUnit::MetrePerSecondSquared),
    ("cm_s2", AccelerationUnit::CentimetrePerSecondSquared),
    ("cmps2", AccelerationUnit::CentimetrePerSecondSquared),
    ("cms2", AccelerationUnit::CentimetrePerSecondSquared),
    ("gal", AccelerationUnit::CentimetrePerSecondSquared),
    ("mm_s2", AccelerationUnit::MillimetrePerSecondSquared),
    ("mg", AccelerationUnit::Gravity(9.806_65e-3)),
    ("g", AccelerationUnit::StandardGravity),
];

/// The factor of a unit of time (capitals) to seconds; none of one that is none of ours.
fn time_unit(word: &str) -> Option<Role> {
    if SECONDS.contains(&word) {
        Some(Role::Time(1.0))
    } else if MILLISECONDS.contains(&word) {
        Some(Role::Time(1e-3))
    } else {
        let mut other = OTHER_TIMES.split(' ');
        other.any(|known| known == word).then_some(Role::OtherTime)
    }
}

/// The role of a column by its name and what stands below that.
pub fn role(name: &str, below: &str) -> Role {
    let upper = name.to_uppercase();
    let stated = unit_of(&upper).or_else(|| Some(Cow::Borrowed(below)).filter(|b| !b.is_empty()));
    let stated = stated.map(|unit| unit.trim_matches(['(', ')', '[', ']', ' ']).to_uppercase());
    let words: Vec<&str> = words(&upper).into_iter().map(|(_, word)| word).collect();
    if let Some(time) = time(&upper, &words, stated.as_deref()) {
        return time;
    }
    if let Some(unit) = stated
        .as_deref()
        .and_then(|unit| unit::named(&unit.trim_start_matches("IN ").replace(' ', "")))
    {
        return match has_factor(&upper) {
            true => Role::Factor,
            false if names_another_quantity(name) => Role::Other,
            false => Role::Acceleration(unit),
        };
    }
    if let Some(unit) = unit_at_the_end(name).filter(|_| stated.is_none()) {
        return Role::Acceleration(unit);
    }
    let unknown = |word| unit::is_unknown(word) || unit::is_angular(word);
    let other =
        names_another_quantity(name) || ends_a_name(name) || upper.split_whitespace().any(unknown);
    match () {
        () if counts_rows(name) => Role::Count,
        () if stated.is_some() || other || name.contains(['(', '[']) => Role::Other,
        () => Role::Bare,
    }
}

/// The unit in the name of a column (capitals): in brackets, behind a stroke, or behind a comma.
fn unit_of(upper: &str) -> Option<Cow<'_, str>> {
    if let Some((_, rest)) = upper.split_once(['(', '[']) {
        return Some(Cow::Borrowed(rest.split_once([')', ']'])?.0));
    }
    let by_comma = || upper.rsplit_once(',').filter(|(_, unit)| is_unit(unit));
    let (_, unit) = upper
        .split_once(" / ")
        .filter(|(_, unit)| is_unit(unit))
        .or_else(by_comma)?;
    Some(Cow::Borrowed(unit))
}

fn is_unit(text: &str) -> bool {
    let plain = text.trim_matches(['(', ')', '[', ']', ' ']).to_uppercase();
    time_unit(&plain).is_some() || unit::named(&plain.replace(' ', "")).is_some()
}

/// The role of a column of times: named as one, with a unit or without; or with a unit of time beside any name.
fn time(upper: &str, words: &[&str], stated: Option<&str>) -> Option<Role> {
    if let [unit, ELAPSED, ..] = words
        && let Some(unit) = time_unit(unit)
    {
        return Some(unit);
    }
    let named = words.first().is_some_and(|word| TIMES.contains(word));
    // A magnitude: "(Ms 6.5)".
    let stated = stated.filter(|unit| !unit.contains(|c: char| c.is_ascii_digit()));
    if let Some(unit) = stated {
        let mut parts = self::words(unit).into_iter();
        let known = match named {
            true => parts.find_map(|(_, word)| time_unit(word)),
            false => time_unit(unit),
        };
        return known.or(named.then_some(Role::Time(1.0)));
    }
    // "time_ms", "Zeit in ms", "temps en ms"; elsewhere NS is the component from north to south.
    let last = words.last().copied().unwrap_or_default();
    let behind = words.len() > 1 && (last != "NS" || upper.ends_with("_NS"));
    let joined = words.len() > 2 && ["IN", "EN"].contains(&words[words.len() - 2]);
    let unit = time_unit(last).filter(|_| behind && (named || joined));
    unit.or(named.then_some(Role::Time(1.0)))
}

/// Whether a number by which the values are meant to be multiplied stands beside the unit in brackets of a name
/// (capitals): "ACC (G) X10", "ACC*100 (G)", or the unit is a part of another: "((M/S2)/SQRT(HZ))". A letter X may also
/// name an axis, and a number behind it a sensor: only a power of ten is a factor there.
fn has_factor(upper: &str) -> bool {
    let Some((before, rest)) = upper.split_once(['(', '[']) else {
        return false;
    };
    let behind = rest
        .split_once([')', ']'])
        .map_or("", |(_, behind)| behind.trim_start());
    let times = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let begins =
        behind.starts_with(['*', '×', '/', '^']) || behind.strip_prefix('X').is_some_and(times);
    let before = before.trim_end();
    let name = before.trim_end_matches(|c: char| c.is_ascii_digit() || ".^-".contains(c));
    let digits = &before[name.len()..];
    let ten =
        digits.len() > 1 && digits.starts_with("10") && digits[2..].bytes().all(|b| b == b'0');
    let name = name.trim_end();
    begins
        || rest.starts_with('(')
        || !digits.is_empty() && (name.ends_with(['*', '×']) || ten && name.ends_with(" X"))
}

/// The unit at the end of a name of an acceleration: "acceleration_x_g", "ax_g", "ch1_gal".
fn unit_at_the_end(name: &str) -> Option<AccelerationUnit> {
    let lower = name.trim().to_lowercase();
    let parted = |unit: &str| {
        lower
            .strip_suffix(unit)?
            .strip_suffix('_')
            .map(str::to_owned)
    };
    let (unit, of, own) = UNITS
        .into_iter()
        .find_map(|(unit, of)| Some((unit, of, parted(unit)?)))?;
    // Grams and gallons are written as g, mg and gal are.
    let doubtful = ["g", "mg", "gal"].contains(&unit);
    let good = lower.starts_with("acc")
        || !names_another_quantity(name) && (!doubtful || names_a_component(&own));
    good.then_some(of)
}

/// The unit that the lines above numbers state: by names of columns, else as titles do.
pub fn stated(header: &[&str]) -> crate::refusal::Result<Option<AccelerationUnit>> {
    let mut names = header.iter().filter(|line| !super::text::is_comment(line));
    match names.find_map(|line| unit_of_names(line)) {
        Some(unit) => Ok(Some(unit)),
        None => super::text::stated_unit(header),
    }
}

/// The unit that a line of names states: "acceleration_m_s2", "acc_g", and, beside a time, "ax_g" or "s,m/s^2".
pub fn unit_of_names(line: &str) -> Option<AccelerationUnit> {
    let cells = Mark::of(line).split(line);
    let timed = cells.len() > 1 && (names_a_time(&cells[0]) || is_unit_of_time(&cells[0]));
    cells.iter().enumerate().find_map(|(k, cell)| {
        let lower = cell.to_lowercase();
        let mut starts = ["acceleration_", "accel_", "acc_"].into_iter();
        let own = starts.find_map(|start| lower.strip_prefix(start));
        let known = own.and_then(|own| UNITS.into_iter().find(|(unit, _)| *unit == own));
        let beside =
            || unit_at_the_end(cell).or_else(|| unit::named(&cell.to_uppercase().replace(' ', "")));
        known
            .map(|(_, unit)| unit)
            .or_else(|| beside().filter(|_| timed && k > 0))
    })
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

/// Whether a cell is a unit of time alone, as in a row of units below the names.
pub fn is_unit_of_time(cell: &str) -> bool {
    time_unit(cell.to_uppercase().trim_matches(['(', ')', '[', ']', ' '])).is_some()
}

/// Whether the name of a column calls it a count of the rows: "Sample no.", "No.", "Index [-]", or no name at all.
fn counts_rows(cell: &str) -> bool {
    let upper = cell.to_uppercase();
    let first = upper.split([' ', '.', '[', '(', '_', ':']).next();
    first.is_some_and(|word| cell.is_empty() || COUNTS.contains(&word))
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

/// Whether the name of a column calls its values something else than accelerations: velocities, displacements, or
/// masses, whose grams are written as g is.
pub fn names_another_quantity(name: &str) -> bool {
    let upper = name.to_uppercase();
    let of = |word: &str| {
        let other = word.starts_with("VELOC")
            || word.starts_with("DISPLAC")
            || ["VEL", "DISP"].contains(&word);
        other
            .then_some(true)
            .or(word.starts_with("ACC").then_some(false))
    };
    let words = words(&upper);
    let first = words.iter().find_map(|(_, word)| of(word));
    let mass = words
        .iter()
        .any(|(_, word)| ["MASS", "WEIGHT", "LOAD"].contains(word));
    first.unwrap_or(mass)
}

/// Whether a name (small letters) is that of an axis, a component or a channel: "ax", "a_x", "ns", "hne", "ch1".
pub fn names_a_component(name: &str) -> bool {
    const NAMES: [&str; 30] = [
        "a", "x", "y", "z", "n", "e", "s", "w", "u", "v", "h", "l", "t", "r", "ns", "ew", "ud",
        "sn", "we", "du", "h1", "h2", "eo", "up", "lon", "long", "tran", "trans", "vert", "ver",
    ];
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_name = |name: &str| NAMES.contains(&name);
    let axis = plain.strip_prefix(['a', 'g']).is_some_and(is_name);
    let channel = ["channel", "chan", "ch", "a"].into_iter().any(|begin| {
        let number = plain.strip_prefix(begin);
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    });
    // Band, accelerometer, orientation, as SEED names channels.
    let seed = matches!(
        plain.as_bytes(),
        [
            b'h' | b'b' | b'e' | b'c',
            b'n' | b'l' | b'g',
            b'n' | b'e' | b'z' | b'1' | b'2' | b'3'
        ]
    );
    is_name(&plain) || axis || channel || seed
}

/// The cells of a line above a table of so many columns. Between blanks names may have blanks themselves: two blanks or
/// more part two of them, or a unit in brackets ends one.
pub fn header_cells(line: &str, width: usize) -> Vec<String> {
    let line = bare(line);
    let mark = Mark::of(line);
    if let Mark::Sign(sign) = mark {
        let mut cells: Vec<String> = mark.split(line).into_iter().map(Cow::into_owned).collect();
        // Spreadsheets end a line with a mark where a column beside is empty.
        if line.matches(sign).count() > 1 && cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        return cells;
    }
    let words: Vec<String> = mark.split(line).into_iter().map(Cow::into_owned).collect();
    if words.len() == width {
        return words;
    }
    let by_blanks = line
        .split("  ")
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let by_blanks: Vec<String> = by_blanks.map(str::to_owned).collect();
    let mut by_brackets: Vec<String> = Vec::new();
    let mut ended = true;
    for word in line.split_whitespace() {
        match by_brackets.last_mut() {
            Some(name) if !ended => *name = format!("{name} {word}"),
            _ => by_brackets.push(word.to_owned()),
        }
        ended = word.ends_with([')', ']']);
    }
    // A title may begin with the time step.
    let names = |cells: &Vec<String>| {
        let number = line.split_whitespace().any(|word| number(word).is_some());
        cells.len() == width && width > 1 && names_a_time(&cells[0]) && !number
    };
    [by_blanks, by_brackets]
        .into_iter()
        .find(names)
        .unwrap_or(words)
}

/// Names of the ordinates of a response spectrum, subscripts written as letters.
const SPECTRAL: [&str; 9] = [
    "SA", "SAE", "SE", "SD", "SV", "PSA", "PSV", "SPECTRAL", "PSEUDO",
];

/// Whether the names of columns are those of a spectrum: a period or a frequency, which T is there, beside an ordinate,
/// or a period or a frequency alone. Titles have such letters too ("Station SD01").
pub fn names_a_spectrum(cells: &[String]) -> bool {
    let plain = |cell: &String| {
        let mut tag = false;
        let bare = cell.chars().filter_map(|c| {
            let inside = tag || c == '<';
            tag = inside && c != '>';
            match c {
                _ if inside => None,
                'ₐ' => Some('A'),
                'ₑ' => Some('E'),
                'ₛ' => Some('S'),
                'ᵥ' => Some('V'),
                other => Some(other),
            }
        });
        bare.collect::<String>().to_uppercase()
    };
    let [first, second, ..] = cells else {
        return false;
    };
    let (first, second) = (plain(first), plain(second));
    let word = |text: &str| {
        words(text)
            .first()
            .map_or(String::new(), |w| w.1.to_owned())
    };
    let named = ["PERIOD", "PERIODS", "FREQUENCY", "FREQ"].contains(&word(&first).as_str());
    let begins = |word: &str| word.starts_with("PERIO") || word.starts_with("FREQ");
    let letters = ["T", "TN", "TP", "F", "HZ"].contains(&word(&first).as_str());
    let period = letters || words(&first).iter().any(|(_, word)| begins(word));
    named && !first.contains([':', '=']) || period && SPECTRAL.contains(&word(&second).as_str())
}
