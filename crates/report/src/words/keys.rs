//! Keys as words and units.

/// Units at the end of a key, the longer before those that they end with.
const UNITS: [(&str, &str); 42] = [
    ("_n_s_per_m2", "N s/m²"),
    ("_n_s_per_m", "N s/m"),
    ("_n_per_m2", "N/m²"),
    ("_n_per_m", "N/m"),
    ("_per_m", "1/m"),
    ("_kg_m2", "kg m²"),
    ("_j_kg", "J/kg"),
    ("_rad_s2", "rad/s²"),
    ("_rad_s", "rad/s"),
    ("_kg_m3", "kg/m³"),
    ("_m2_s2", "m²/s²"),
    ("_m_s2", "m/s²"),
    ("_mm_s2", "mm/s²"),
    ("_cm_s2", "cm/s²"),
    ("_m_s", "m/s"),
    ("_n_s", "N s"),
    ("_nm", "N m"),
    ("_per_a", "1/a"),
    ("_per_s", "1/s"),
    ("_rad", "rad"),
    ("_deg", "°"),
    ("_kg", "kg"),
    ("_kj", "kJ"),
    ("_kpa", "kPa"),
    ("_mj", "MJ"),
    ("_kn", "kN"),
    ("_m3", "m³"),
    ("_m2", "m²"),
    ("_mm", "mm"),
    ("_cm", "cm"),
    ("_km", "km"),
    ("_us", "µs"),
    ("_ms", "ms"),
    ("_hz", "Hz"),
    ("_pa", "Pa"),
    ("_j", "J"),
    ("_n", "N"),
    ("_m", "m"),
    ("_s", "s"),
    ("_a", "a"),
    ("_g", "g"),
    ("_percent", "%"),
];

/// A key in words, and its unit; none for a number.
#[must_use]
pub fn of_key(key: &str) -> (String, String) {
    let found = UNITS
        .iter()
        .find_map(|(end, unit)| Some((key.strip_suffix(end)?, *unit)));
    // A level of 5 % in a name is no unit of the value.
    let of_the_value = |(name, unit): &(&str, &str)| {
        let level = *unit == "%" && name.ends_with(|c: char| c.is_ascii_digit());
        !name.is_empty() && !level
    };
    let (name, unit) = found.filter(of_the_value).unwrap_or((key, ""));
    let words = name.replace('_', " ");
    let spelled = words.split(' ').map(|word| match word {
        "crs" => "CRS",
        "crps" => "CRPS",
        "pga" => "PGA",
        "pgv" => "PGV",
        "ks" => "Kolmogorov–Smirnov",
        "eta" => "η",
        "mu" => "μ",
        other => other,
    });
    let words = spelled.collect::<Vec<_>>().join(" ");
    (capital(&words), unit.to_owned())
}

/// The unit of a key that does not end with one; none for any other.
#[must_use]
pub fn unit_within(key: &str) -> &'static str {
    match key {
        "annual_frequency" => "1/a",
        _ => "",
    }
}

/// With a capital letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// With a capital letter, unless it begins with the name of a file or of a key.
#[must_use]
pub fn sentence_of(text: &str) -> String {
    let first = text.split([' ', ':']).next().unwrap_or_default();
    let is_name = first.contains(['/', '\\', '.', '_', '[']);
    if is_name {
        text.to_owned()
    } else {
        capital(text)
    }
}

/// Without the capital of a first word that is no name.
pub(super) fn lower(text: &str) -> String {
    const NAMES: [&str; 6] = [
        "Housner",
        "Kolmogorov",
        "Painlevé",
        "Floquet",
        "Arias",
        "Poincaré",
    ];
    let second = text.chars().nth(1);
    match second {
        Some(c) if (c.is_lowercase() || c == ' ') && !NAMES.iter().any(|n| text.starts_with(n)) => {
            let mut letters = text.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}
