//! Units of acceleration, as headers write them.

use klast_ground_motion::AccelerationUnit;

/// The unit called `name` (capitals) in a header, where seconds are S or SEC and squares 2, ², ^2 or **2; %G is a
/// hundredth of g, MG a thousandth.
pub fn named(name: &str) -> Option<AccelerationUnit> {
    match short(name).as_str() {
        "G" | "G'S" | "GS" => Some(AccelerationUnit::StandardGravity),
        "%G" => Some(AccelerationUnit::Gravity(
            0.01 * AccelerationUnit::StandardGravity.factor(),
        )),
        "MG" => Some(AccelerationUnit::Gravity(
            0.001 * AccelerationUnit::StandardGravity.factor(),
        )),
        "M/S/S" | "M/S2" | "MPS2" => Some(AccelerationUnit::MetrePerSecondSquared),
        "CM/S/S" | "CM/S2" | "CMPS2" | "GAL" | "GALS" => {
            Some(AccelerationUnit::CentimetrePerSecondSquared)
        }
        "MM/S/S" | "MM/S2" => Some(AccelerationUnit::MillimetrePerSecondSquared),
        _ => None,
    }
}

/// Whether a word (capitals) of a header is a length per s² that is no unit known here: "FT/S2", "IN/SEC^2",
/// "AX_IN_S2". Names have such ends too: "BAS-2", "data/s2".
pub fn is_unknown(word: &str) -> bool {
    const LENGTHS: [&str; 13] = [
        "IN", "INCH", "INCHES", "FT", "FOOT", "FEET", "KM", "DM", "NM", "UM", "\u{39c}M", "MIL",
        "YD",
    ];
    // "INS-2" is a station, "IN·S-2" a unit.
    let parted = !word.contains("S-2") || word.contains(['·', '.', '*', '/']);
    ["_IN_S2", "_FT_S2"].iter().any(|end| word.ends_with(end))
        || parted && per_second_squared(word).is_some_and(|of| LENGTHS.contains(&&*of))
}

/// Whether a word (capitals) is a unit of angular acceleration: "RAD/S2", "DEG/SEC^2".
pub fn is_angular(word: &str) -> bool {
    per_second_squared(word).is_some_and(|of| ["RAD", "DEG"].contains(&&*of))
}

/// What a word has before its strokes per s².
fn per_second_squared(word: &str) -> Option<String> {
    let short = short(word);
    let of = short.strip_suffix("/S2").or(short.strip_suffix("/S/S"));
    of.map(str::to_owned)
}

fn short(name: &str) -> String {
    let short = name.replace("SEC", "S").replace("**", "").replace('^', "");
    let short = short.replace('²', "2").replace("⁻2", "-2");
    // "m s-2", "m·s-2", "m.s-2"
    short.replace(['·', '.', '*'], "").replace("S-2", "/S2")
}
