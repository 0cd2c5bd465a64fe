//! Names of datums: those of ESRI beside those of the EPSG registry, in plain letters.

use std::sync::LazyLock;

/// Names that ESRI gives to datums, and other spellings, with those of the registry's definitions here; from the names
/// that PROJ's database has of each code. In the order of the alphabet.
static ALIASES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = include_str!("datums.csv").lines().skip(1);
    rows.filter_map(|row| row.split_once(',')).collect()
});

/// Letters and digits of a datum's name as the registry has it, behind them the place of its meridian where that is not
/// Greenwich: the registry has the place in the name, ESRI beside it.
pub fn plain(name: &str, meridian: &str) -> String {
    let name = letters(name.strip_prefix("D_").unwrap_or(name));
    let place = letters(meridian);
    if place == "greenwich" || place == "referencemeridian" || name.is_empty() {
        return registered(&name);
    }
    registered(name.strip_suffix(&place).unwrap_or(&name)) + &place
}

fn letters(name: &str) -> String {
    // The plus of CH1903+ tells two datums apart.
    let kept = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '+');
    let plain: String = kept.collect::<String>().to_ascii_lowercase();
    plain.trim_end_matches("ensemble").to_owned()
}

fn registered(plain: &str) -> String {
    let at = ALIASES.binary_search_by_key(&plain, |(name, _)| *name);
    at.map_or(plain, |k| ALIASES[k].1).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(ALIASES.is_sorted_by_key(|(name, _)| name));
        for (esri, meridian, registered) in [
            (
                "D_ETRS_1989",
                "Greenwich",
                "European_Terrestrial_Reference_System_1989",
            ),
            ("D_NTF", "Paris", "Nouvelle_Triangulation_Francaise_Paris"),
            ("D_MGI", "Ferro", "Militar-Geographische_Institut_Ferro"),
            (
                "D_North_American_1983_HARN",
                "Greenwich",
                "NAD83_High_Accuracy_Reference_Network",
            ),
        ] {
            assert_eq!(plain(esri, meridian), plain(registered, meridian));
        }
        assert_ne!(plain("CH1903", "Greenwich"), plain("CH1903+", "Greenwich"));
    }
}
