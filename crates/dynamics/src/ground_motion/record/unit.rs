//! Units of acceleration, as headers write them.

/// Unit of the samples of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AccelerationUnit {
    /// Multiples of the standard gravity 9.80665 m/s².
    StandardGravity,
    /// Multiples of a gravity (m/s²) that the reader knows to be meant, as 9.81.
    Gravity(f64),
    /// m/s².
    MetrePerSecondSquared,
    /// cm/s² (gal).
    CentimetrePerSecondSquared,
    /// mm/s².
    MillimetrePerSecondSquared,
}

impl AccelerationUnit {
    /// Factor to m/s².
    pub fn factor(self) -> f64 {
        match self {
            Self::StandardGravity => 9.80665,
            Self::Gravity(gravity) => gravity,
            Self::MetrePerSecondSquared => 1.0,
            Self::CentimetrePerSecondSquared => 0.01,
            Self::MillimetrePerSecondSquared => 0.001,
        }
    }

    /// The unit called `name` (capitals) in a header, where seconds are S or SEC and squares 2, ², ^2 or **2; %G is a
    /// hundredth of g, MG a thousandth.
    pub(super) fn named(name: &str) -> Option<Self> {
        match Self::short(name).as_str() {
            "G" | "G'S" | "GS" => Some(Self::StandardGravity),
            "%G" => Some(Self::Gravity(0.01 * Self::StandardGravity.factor())),
            "MG" => Some(Self::Gravity(0.001 * Self::StandardGravity.factor())),
            "M/S/S" | "M/S2" | "MPS2" => Some(Self::MetrePerSecondSquared),
            "CM/S/S" | "CM/S2" | "CMPS2" | "GAL" | "GALS" => Some(Self::CentimetrePerSecondSquared),
            "MM/S/S" | "MM/S2" => Some(Self::MillimetrePerSecondSquared),
            _ => None,
        }
    }

    /// Whether a word (capitals) of a header is a length per s² that is no unit known here: "FT/S2", "IN/SEC^2",
    /// "AX_IN_S2". Names have such ends too: "BAS-2", "data/s2".
    pub(super) fn is_unknown(word: &str) -> bool {
        const LENGTHS: [&str; 13] = [
            "IN", "INCH", "INCHES", "FT", "FOOT", "FEET", "KM", "DM", "NM", "UM", "\u{39c}M",
            "MIL", "YD",
        ];
        // "INS-2" is a station, "IN·S-2" a unit.
        let parted = !word.contains("S-2") || word.contains(['·', '.', '*', '/']);
        ["_IN_S2", "_FT_S2"].iter().any(|end| word.ends_with(end))
            || parted && Self::per_second_squared(word).is_some_and(|of| LENGTHS.contains(&&*of))
    }

    /// Whether a word (capitals) is a unit of angular acceleration: "RAD/S2", "DEG/SEC^2".
    pub(super) fn is_angular(word: &str) -> bool {
        Self::per_second_squared(word).is_some_and(|of| ["RAD", "DEG"].contains(&&*of))
    }

    /// What a word has before its strokes per s².
    fn per_second_squared(word: &str) -> Option<String> {
        let short = Self::short(word);
        let of = short.strip_suffix("/S2").or(short.strip_suffix("/S/S"));
        of.map(str::to_owned)
    }

    fn short(name: &str) -> String {
        let short = name.replace("SEC", "S").replace("**", "").replace('^', "");
        let short = short.replace('²', "2").replace("⁻2", "-2");
        // "m s-2", "m·s-2", "m.s-2"
        short.replace(['·', '.', '*'], "").replace("S-2", "/S2")
    }
}
