//! A figure is typed in one page: what two pages need, one of them says and the other links to.
//!
//! A figure is a number that is not round, with its unit, in the text of a page that people write; or a number so large
//! that it can hardly be there twice by chance. 5.1 million and 5,100,000 are one figure, and in "176 to 270 thousand
//! a second" both ends have the scale and the unit. Blocks are compared with the program, and chapters and tables that
//! are generated have their own tests.

use std::collections::BTreeMap;

use super::blocks::split;
use super::numbers::{Part, parts, value};
use super::{name, pages, read, root, source};

/// Chapters that a command writes; and the errata, which quote what documents print.
const EXEMPT: [&str; 6] = [
    "errata.md",
    "reference/",
    "verification.md",
    "coverage.md",
    "python/reference.md",
    "limits.md",
];

/// Figures that are facts of the world, or inputs of scenes that several pages use.
const FACTS: [(&str, &str); 1] = [("9.81 m/s²", "gravity")];

/// Units of what is measured or computed.
const UNITS: [&str; 27] = [
    "%", "°", "m", "m/s", "m/s²", "m³", "mm", "µm", "nm", "km", "Hz", "J", "kJ", "MJ", "kg",
    "kg/m³", "N", "kN", "MN", "N/m", "kB", "MB", "GB", "rad", "rad/s", "1/s", "s/m",
];

/// Units of times and rates: here two digits say something, since times are measured.
const OF_TIME: [&str; 12] = [
    "s",
    "ms",
    "µs",
    "ns",
    "min",
    "minutes",
    "hours",
    "events/s",
    "simulations/s",
    "trajectories/s",
    "body-steps/s",
    "contacts/s",
];

/// From this value on a number of three digits is a figure without a unit too.
const LARGE: f64 = 10_000.0;

/// The digits of a number that say something.
fn digits(number: &str) -> (usize, usize) {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let told = digits.trim_start_matches('0');
    let told = match mantissa.contains('.') {
        true => told,
        false => told.trim_end_matches('0'),
    };
    (digits.len(), told.len())
}

/// Scale and unit of what follows a number.
fn measured(after: &str) -> (f64, &str) {
    let after = after.trim_start();
    let (scale, rest) = match after.split_once(char::is_whitespace) {
        Some(("thousand", rest)) => (1e3, rest),
        Some(("million", rest)) => (1e6, rest),
        _ => (1.0, after),
    };
    let end = |c: char| c.is_whitespace() || ",;:()|*—–]".contains(c);
    let unit = rest.trim_start().split(end).next().unwrap_or_default();
    (scale, unit.trim_end_matches('.'))
}

/// Figures of a text, each as its value and unit.
fn figures(prose: &str) -> Vec<String> {
    let parts = parts(prose);
    let mut found = Vec::new();
    // The beginning of a range has the unit of its end.
    let mut waiting: Vec<&str> = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        let Part::Number(number) = part else { continue };
        let after = match parts.get(k + 1) {
            Some(Part::Text(text)) => text.as_str(),
            _ => "",
        };
        waiting.push(number);
        if ["to", "and", "or", "–", ","].contains(&after.trim()) {
            continue;
        }
        let (scale, unit) = measured(after);
        for number in waiting.drain(..) {
            let (written, told) = digits(number);
            // As many digits as anyone types, not those of a product.
            let at = format!("{:.9e}", value(number).0 * scale);
            let at: f64 = at.parse().unwrap();
            let of_time = OF_TIME.contains(&unit);
            let known = of_time || UNITS.contains(&unit);
            // 0.01 m and 100 m are round; so are 2.5 m and 30 m.
            let figure =
                known && (written >= 3 && told >= 2 || scale > 1.0 || of_time && told >= 2);
            if figure {
                found.push(format!("{at} {unit}"));
            }
            if at >= LARGE && told >= 3 {
                found.push(format!("{at}"));
            }
        }
    }
    found
}

/// A page without what a command puts between its marks.
fn typed(page: &str) -> String {
    let mut kept = String::new();
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(" begin -->") {
        kept.push_str(before);
        rest = after.split_once(" end -->").map_or("", |(_, rest)| rest);
    }
    kept + rest
}

#[test]
fn no_figure_is_typed_in_two_pages() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for page in pages(&source())
        .into_iter()
        .chain([root().join("README.md")])
    {
        let name = name(&page);
        if EXEMPT.iter().any(|g| name.starts_with(g)) {
            continue;
        }
        for figure in figures(&split(&typed(&read(&page))).1) {
            let at = found.entry(figure).or_default();
            if !at.contains(&name) {
                at.push(name.clone());
            }
        }
    }
    found.retain(|figure, at| at.len() > 1 && !FACTS.iter().any(|(fact, _)| fact == figure));
    assert!(found.is_empty(), "typed in several pages: {found:#?}");
}

#[test]
fn a_figure_is_a_number_with_its_unit() {
    let found = figures(
        "5.1 million events/s, 308 thousand simulations/s; 0.35 in 1.25 m (403.55 kJ), 12 m, 3.2 m, 5.7 s; 0.85 to 0.93 \
         thousand body-steps/s; 1,180,000.",
    );
    let wanted = [
        "5100000 events/s",
        "308000 simulations/s",
        "308000",
        "1.25 m",
        "403.55 kJ",
        "5.7 s",
        "850 body-steps/s",
        "930 body-steps/s",
        "1180000",
    ];
    assert_eq!(found, wanted);
    assert_eq!(
        typed("a <!-- x: begin -->1<!-- x: end --> b"),
        "a <!-- x: b"
    );
}
