//! Units of velocity and displacement that a header states for its values: a unit of acceleration that is given beside
//! the file would take them for it.

use super::names::{is_unit_of_time, names_a_time, unit_of_names};
use super::text::{self, announces, fault, number};
use super::unit;
use super::velocity::{LENGTHS, ends_a_name, is_velocity, words};
use crate::refusal::{Kind, Result};
use crate::table::sheet::Mark;

/// Refuses a header that calls its values velocities or displacements, by their name or their unit: the first of the
/// three names before UNITS counts, for behind it other series and filters may be named.
pub fn check_quantity(header: &[&str]) -> Result<()> {
    let names = ["ACCELERATION", "VELOCITY", "DISPLACEMENT", "UNITS"];
    let named = header.iter().enumerate().find_map(|(number, line)| {
        let name = text::words(line)
            .into_iter()
            .find(|word| names.contains(&word.as_str()));
        name.map(|name| (number + 1, name))
    });
    match named {
        Some((line, name)) if name == "VELOCITY" || name == "DISPLACEMENT" => {
            let needed = "a series of accelerations";
            Err(fault(Kind::Quantity, line, needed, &name))
        }
        _ => refuse(header),
    }
}

/// Refuses a header that states a unit of velocity or displacement for its values: behind the word "units", in a line
/// of units, or in the names of columns, which are the last two lines of it. A number with such a unit ("PPV : 5.08
/// mm/s") is a fact beside the values and no unit of theirs, and so is the unit of something else ("PGV unit: cm/s")
/// beside a unit of acceleration that the header states for its values. A range or a peak in g is none of the values.
pub fn refuse(header: &[&str]) -> Result<()> {
    let filled = header.iter().enumerate();
    let filled: Vec<(usize, &&str)> = filled.filter(|(_, line)| !line.trim().is_empty()).collect();
    let near = &filled[filled.len().saturating_sub(2)..];
    let columns = near.iter().any(|(_, line)| states_in_names(line));
    let announced =
        text::announced(header).is_some() || matches!(text::unit_after_units(header), Ok(Some(_)));
    let own = columns || announced || header.iter().any(|line| states_own(line));
    for (place, (k, line)) in filled.iter().enumerate() {
        let names = place + 2 >= filled.len();
        if speaks_of_acceleration(line) || is_of_a_place(line) {
            continue;
        }
        // The unit of the values or of something else.
        let told = is_announced(line) && !columns && (!own || begins_with_announcement(line));
        let units = is_line_of_units(line) && (!own || words(line).into_iter().any(is_velocity));
        if told || units || names && !own && is_in_names(line) {
            let needed = "values in a unit of acceleration: the header states a unit of velocity or displacement for \
                them";
            return Err(fault(Kind::Quantity, k + 1, needed, line));
        }
    }
    Ok(())
}

/// Whether a line of names, or of units below them, states a unit of acceleration for a column.
fn states_in_names(line: &str) -> bool {
    let bare = text::bare(line);
    let first = Mark::of(bare)
        .split(bare)
        .first()
        .map(|cell| cell.trim().to_owned())
        .unwrap_or_default();
    let timed = names_a_time(&first) || is_unit_of_time(&first);
    let stated = timed && matches!(super::names::stated(&[bare]), Ok(Some(_)));
    !has_numbers(line) && (stated || unit_of_names(line).is_some())
}

/// Whether a line names accelerations with their unit; beside a number they are a fact, as a peak is.
fn states_own(line: &str) -> bool {
    let units = words(line).into_iter().any(is_acceleration);
    units && speaks_of_acceleration(line) && !has_numbers(line)
}

fn has_numbers(line: &str) -> bool {
    words(line).iter().any(|word| number(word).is_some())
}

/// Whether the words behind "units" have one of velocity and none of acceleration, or are one length: a system of units
/// ("kN, m, s") has a length too.
fn is_announced(line: &str) -> bool {
    let words = words(line);
    let announces = |word: &&str| announces(&word.to_uppercase());
    let Some(at) = words.iter().position(announces) else {
        return false;
    };
    let joins = |word: &&&str| !["OF", "ARE", "IS", "IN"].contains(&word.to_uppercase().as_str());
    let behind: Vec<&str> = words[at + 1..].iter().filter(joins).copied().collect();
    let velocity = behind.iter().any(|word| is_velocity(word));
    let alone = matches!(behind[..], [only] if is_motion(only));
    (velocity || alone) && !behind.iter().any(|word| is_acceleration(word))
}

/// Whether a line begins with the word that announces a unit: nothing before it says of what.
fn begins_with_announcement(line: &str) -> bool {
    let first = words(line)
        .into_iter()
        .find(|word| word.contains(char::is_alphabetic));
    first.is_some_and(|word| announces(&word.to_uppercase()))
}

/// Whether a line is a fact on the place of the instrument, whose length says nothing of the values: "Sensor height
/// (m)". One word alone may be the name of the values.
fn is_of_a_place(line: &str) -> bool {
    const PLACES: [&str; 8] = [
        "HEIGHT", "DEPTH", "ELEV", "ALTIT", "DIST", "HOEHE", "HÖHE", "TIEFE",
    ];
    let names: Vec<String> = line
        .split(['(', '['])
        .next()
        .map(words)
        .unwrap_or_default()
        .into_iter()
        .map(str::to_uppercase)
        .collect();
    let marked = line.contains([',', ';', '\t']);
    let place = |name: &String| PLACES.iter().any(|place| name.starts_with(place));
    names.len() > 1 && !marked && !names_a_time(line) && names.iter().any(place)
}

/// Whether a line holds nothing but units, one of these and none of acceleration.
fn is_line_of_units(line: &str) -> bool {
    let words = words(line);
    words.iter().any(|word| is_motion(word))
        && words
            .iter()
            .all(|word| is_motion(word) || is_unit_of_time(word))
}

/// Whether names of columns without a number state one of these.
fn is_in_names(line: &str) -> bool {
    let brackets = line.split(['(', '[']).skip(1);
    let mut inside = brackets.filter_map(|rest| Some(rest.split_once([')', ']'])?.0.trim()));
    let mut cells = line.split([',', ';', '\t']);
    !has_numbers(line)
        && (inside.any(is_motion)
            || cells.any(ends_a_name)
            || words(line).iter().any(|word| is_velocity(word)))
}

/// Whether a line names accelerations, or has a unit of theirs in two parts: "(cm/sec)/sec", "m/s per s", "m s-2".
fn speaks_of_acceleration(line: &str) -> bool {
    const PARTS: [&str; 6] = [" PER S", "/S/S", ")/S", "/SEC/S", " S-2", " S^-2"];
    let upper = line.to_uppercase();
    words(&upper)
        .iter()
        .any(|word| word.starts_with("ACCELERATION"))
        || PARTS.iter().any(|part| upper.contains(part))
}

fn is_acceleration(word: &str) -> bool {
    unit::named(word.to_uppercase().trim_end_matches('.')).is_some()
}

fn is_motion(word: &str) -> bool {
    // A capital M is a magnitude, and "in" a word.
    let length =
        LENGTHS[1..].contains(&word.to_uppercase().as_str()) && !word.eq_ignore_ascii_case("in");
    word == "m" || length || is_velocity(word)
}
