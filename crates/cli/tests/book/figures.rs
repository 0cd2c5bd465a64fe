//! A figure is typed in one page: what two pages need, one of them says and the other links to.
//!
//! A figure is a number that is not round, with its unit, in the text of a page that people write. Blocks are compared
//! with the program, and chapters that are generated have their own tests.

use std::collections::BTreeMap;

use crate::blocks::split;
use crate::numbers::{Part, parts};
use crate::{name, pages, read, source};

/// Chapters that a command writes; and the errata, which quote what documents print.
const EXEMPT: [&str; 6] = [
    "errata.md",
    "reference/",
    "verification.md",
    "coverage.md",
    "python/reference.md",
    "limits.md",
];

/// Figures that are facts of the world and may stand where they are needed.
const FACTS: [&str; 1] = ["9.81 m/s²"];

/// Units of what is measured or computed.
const UNITS: [&str; 26] = [
    "%",
    "°",
    "m",
    "m/s",
    "m/s²",
    "m³",
    "mm",
    "km",
    "s",
    "ms",
    "µs",
    "min",
    "Hz",
    "J",
    "kJ",
    "kg",
    "N",
    "kN",
    "MN",
    "kB",
    "MB",
    "rad",
    "rad/s",
    "events/s",
    "simulations/s",
    "trajectories/s",
];

/// Figures of a text, each as number and unit.
fn figures(prose: &str) -> Vec<String> {
    let parts = parts(prose);
    let pairs = parts.iter().zip(parts.iter().skip(1));
    let figure = |pair: (&Part, &Part)| {
        let (Part::Number(number), Part::Text(after)) = pair else {
            return None;
        };
        let scale = ["thousand", "million"]
            .into_iter()
            .find(|w| after.trim_start().starts_with(w));
        let rest = after
            .trim_start()
            .trim_start_matches(scale.unwrap_or_default())
            .trim_start();
        let unit = rest
            .split(|c: char| c.is_whitespace() || ",;:()|*—–".contains(c))
            .next()?;
        let unit = unit.trim_end_matches('.');
        // A number of three digits of which two or more say something: 0.01 m and 100 m are round.
        let mantissa = number.split('e').next()?;
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        let told = digits.trim_start_matches('0');
        let told = if mantissa.contains('.') {
            told
        } else {
            told.trim_end_matches('0')
        };
        let significant = digits.len() >= 3 && told.len() >= 2 || scale.is_some();
        let said = [number.as_str(), scale.unwrap_or_default(), unit];
        (significant && UNITS.contains(&unit)).then(|| said.join(" ").replace("  ", " "))
    };
    pairs.filter_map(figure).collect()
}

#[test]
fn no_figure_is_typed_in_two_pages() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages(&source()) {
        let name = name(&page);
        if EXEMPT.iter().any(|g| name.starts_with(g)) {
            continue;
        }
        for figure in figures(&split(&read(&page)).1) {
            let at = found.entry(figure).or_default();
            if !at.contains(&name) {
                at.push(name.clone());
            }
        }
    }
    found.retain(|figure, at| at.len() > 1 && !FACTS.contains(&figure.as_str()));
    assert!(found.is_empty(), "typed in several pages: {found:#?}");
}

#[test]
fn a_figure_is_a_number_with_its_unit() {
    let found = figures(
        "5.1 million events/s, 308 thousand simulations/s; 0.35 in 1.25 m (403.55 kJ), 12 m, 3.2 m.",
    );
    let wanted = [
        "5.1 million events/s",
        "308 thousand simulations/s",
        "1.25 m",
        "403.55 kJ",
    ];
    assert_eq!(found, wanted);
}
