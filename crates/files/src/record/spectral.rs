//! Names of columns that tell a response spectrum from a record.

use super::RecordError;
use super::names::words;
use super::text::fields;

/// Names of the ordinates of a response spectrum, subscripts written as letters.
const SPECTRAL: [&str; 9] = [
    "SA", "SAE", "SE", "SD", "SV", "PSA", "PSV", "SPECTRAL", "PSEUDO",
];

/// Refuses a table whose second column is named as the ordinate of a spectrum, beside a first one that is named as a
/// period, which T is there, or a frequency: titles have such letters too ("Station SD01").
pub fn refuse_spectral_names(header: &[&str]) -> Result<(), RecordError> {
    for line in header {
        // Names of columns between tabs may hold blanks.
        let plain = without_marks(line).to_uppercase().replace('\t', ";");
        let [first, second, ..] = fields(plain.trim_start_matches(['#', '%', '!', '/']), false)[..]
        else {
            continue;
        };
        let word = |field: &str| {
            words(field)
                .first()
                .map_or(String::new(), |w| w.1.to_owned())
        };
        let names_it = |word: &str| word.starts_with("PERIO") || word.starts_with("FREQ");
        let letters = ["T", "TN", "TP", "F", "HZ"].contains(&word(first).as_str());
        let period = letters || words(first).iter().any(|(_, word)| names_it(word));
        if period && SPECTRAL.contains(&word(second).as_str()) {
            let seems = "a response spectrum over periods";
            return Err(RecordError::NotARecord { seems });
        }
    }
    Ok(())
}

/// A line without the tags of a web page and with letters in place of subscripts: "<i>S</i>ₐₑ" is "Sae".
fn without_marks(line: &str) -> String {
    let mut tag = false;
    let bare = line.chars().filter_map(|c| {
        let inside = tag || c == '<';
        tag = inside && c != '>';
        match c {
            _ if inside => None,
            'ₐ' => Some('a'),
            'ₑ' => Some('e'),
            'ₛ' => Some('s'),
            'ᵥ' => Some('v'),
            other => Some(other),
        }
    });
    bare.collect()
}
