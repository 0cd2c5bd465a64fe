//! Components of a record that are no motion along the ground, by the names of the component and of the file.

/// What a reader has to know of a motion along the ground whose component is vertical by its name, or by that of its
/// file where it has none.
pub fn vertical_caution(file: &str, component: &str) -> Option<String> {
    let vertical = is_vertical(component) || component.is_empty() && is_named_vertical(file);
    vertical.then(|| {
        format!(
            "{file}: by its name this component is vertical; here it moves the base horizontally (a set leaves it out with \
             \"components\": \"horizontal\")"
        )
    })
}

/// Whether the last word of a file's name says that its component is vertical, as in RSN6_I-ELC-UP.AT2.
pub fn is_named_vertical(file: &str) -> bool {
    let stem = std::path::Path::new(file).file_stem();
    let stem = stem.map_or(String::new(), |s| s.to_string_lossy().into_owned());
    let mut words = stem.rsplit(['-', '_', '.', ' ']);
    let last = words.next().unwrap_or_default();
    words.next().is_some() && is_vertical(last)
}

/// Whether a component is vertical by its name in one of the formats.
pub fn is_vertical(name: &str) -> bool {
    let upper = name.to_uppercase();
    let words = [
        "UP", "DOWN", "DWN", "DN", "VERT", "VERTICAL", "U-D", "UD", "Z", "V",
    ];
    words.iter().any(|word| upper.split(|c: char| !c.is_alphanumeric() && c != '-').any(|part| part == *word))
        // The third letter of a channel code.
        || upper.len() == 3 && upper.starts_with('H') && upper.ends_with('Z')
}

/// Whether a component is the length of a vector by its name, "Absolute acceleration". An absolute or total
/// acceleration in a direction is one of a floor, in contrast to that relative to the base.
pub fn is_length(name: &str) -> bool {
    const WORDS: [&str; 6] = ["ABSOLUTE", "ABS", "TOTAL", "RESULTANT", "MAGNITUDE", "NORM"];
    const DIRECTIONS: [&str; 14] = [
        "X", "Y", "N", "E", "S", "W", "NS", "EW", "H1", "H2", "L", "T", "R", "H",
    ];
    let upper = name.to_uppercase();
    let has = |list: &[&str]| {
        upper
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| list.contains(&word))
    };
    has(&WORDS) && !has(&DIRECTIONS)
}

#[cfg(test)]
mod tests {
    use super::{is_length, is_named_vertical, is_vertical};

    #[test]
    fn lengths_of_vectors_are_known_by_their_names() {
        for name in ["Absolute acceleration", "acc_total_g", "Resultant", "norm"] {
            assert!(is_length(name), "{name}");
        }
        for name in [
            "N-S",
            "Normal to the fault",
            "x",
            "Acceleration x",
            "",
            "Absolute acceleration X",
            "Total acceleration NS",
        ] {
            assert!(!is_length(name), "{name}");
        }
    }

    #[test]
    fn vertical_components_are_known_by_their_names() {
        for name in [
            "Up",
            "U-D",
            "UD",
            "HNZ",
            "HGZ",
            "Down",
            "U-D underground",
            "Vert",
        ] {
            assert!(is_vertical(name), "{name}");
        }
        for name in ["N-S", "360 Deg", "S16W", "HNE", "HN2", "90", ""] {
            assert!(!is_vertical(name), "{name}");
        }
        for file in ["r/RSN6_I-ELC-UP.AT2", "a.HNZ.csv", "rec_vert.txt"] {
            assert!(is_named_vertical(file), "{file}");
        }
        for file in ["RSN6_I-ELC180.AT2", "up.csv", "pick-up/rec_90.txt"] {
            assert!(!is_named_vertical(file), "{file}");
        }
    }
}
