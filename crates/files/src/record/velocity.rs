//! Units of velocity, and names of columns that end with one.

/// Units of length as headers write them.
pub const LENGTHS: [&str; 9] = ["M", "CM", "MM", "\u{39c}M", "KM", "IN", "INCH", "FT", "MIL"];
const SECONDS: [&str; 4] = ["S", "SEC", "SECOND", "SECONDS"];

/// Whether the name of a column ends with a unit of velocity or displacement, as in "v_mm_s" or "Tran mm/s".
pub fn ends_a_name(name: &str) -> bool {
    let lower = name.trim().to_lowercase();
    let ours = ["_m_s", "_cm_s", "_mm_s", "_in_s", "_cm", "_mm"];
    ours.iter().any(|unit| lower.ends_with(unit))
        || words(name).last().is_some_and(|word| is_velocity(word))
}

/// Whether a word is a unit of velocity.
pub fn is_velocity(word: &str) -> bool {
    let upper = word.to_uppercase().replace("S⁻¹", "S-1");
    let upper = upper.trim_end_matches('.').replace(['·', '*', '.'], "");
    let parted = match upper.strip_suffix("S-1") {
        Some(length) => Some((length, "S")),
        None => upper.split_once('/'),
    };
    parted.is_some_and(|(length, time)| LENGTHS.contains(&length) && SECONDS.contains(&time))
}

/// The words of a line without brackets and marks.
pub fn words(line: &str) -> Vec<&str> {
    let apart = |c: char| c.is_whitespace() || "()[]:;,=\"'#%!".contains(c);
    line.split(apart).filter(|word| !word.is_empty()).collect()
}
