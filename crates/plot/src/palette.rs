/// Red, green, blue, each from 0 to 255.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The colour times a factor of 0 to 1.
    pub(crate) fn darker(self, factor: f64) -> Self {
        let part = |c: u8| (f64::from(c) * factor).round() as u8;
        Self(part(self.0), part(self.1), part(self.2))
    }
}

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Colours of lines, far apart in hue (after Okabe and Ito, 2008); neighbours differ in grey by a fifth or more.
const LINES: [Colour; 10] = [
    Colour(0, 0, 0),
    Colour(213, 94, 0),
    Colour(0, 84, 148),
    Colour(86, 180, 233),
    Colour(0, 110, 80),
    Colour(230, 159, 0),
    Colour(150, 70, 110),
    Colour(120, 200, 90),
    Colour(110, 60, 20),
    Colour(150, 150, 150),
];

/// The colour of line number `i`, dark enough for a thin line on white.
#[must_use]
pub fn line_colour(i: usize) -> Colour {
    LINES[i % LINES.len()]
}

/// Colours of classes: their grey values run from light to dark, then the hues repeat.
const CLASSES: [Colour; 9] = [
    Colour(228, 232, 236),
    Colour(253, 219, 149),
    Colour(120, 200, 150),
    Colour(90, 150, 205),
    Colour(205, 70, 40),
    Colour(40, 90, 150),
    Colour(140, 25, 60),
    Colour(20, 50, 90),
    Colour(40, 10, 40),
];

/// The colour of class number `i`.
#[must_use]
pub fn class_colour(i: usize) -> Colour {
    CLASSES[i % CLASSES.len()]
}

/// Colours of stones; their grey values alternate between light and dark.
const STONES: [Colour; 5] = [
    Colour(214, 190, 150),
    Colour(150, 170, 190),
    Colour(190, 120, 90),
    Colour(130, 160, 110),
    Colour(235, 225, 200),
];

/// The colour of stones of kind number `i`.
#[must_use]
pub fn stone_colour(i: usize) -> Colour {
    STONES[i % STONES.len()]
}

/// Loose rock.
pub const ROCK: Colour = Colour(176, 160, 136);
/// Made of steel: darker than any rock.
pub const STEEL: Colour = Colour(70, 90, 130);
/// Bodies that are fixed, or moved by something else.
pub const FIXED: Colour = Colour(190, 190, 198);
/// Planes that bodies stand on.
pub const FLOOR: Colour = Colour(250, 250, 245);

/// Stops of the continuous ramp, dark to light, close to the viridis map of matplotlib.
const RAMP: [Colour; 6] = [
    Colour(68, 1, 84),
    Colour(65, 68, 135),
    Colour(42, 120, 142),
    Colour(34, 168, 132),
    Colour(122, 209, 81),
    Colour(253, 231, 37),
];

/// The colour at `x` in 0..1 of a ramp whose lightness rises evenly; values outside take its ends.
#[must_use]
pub fn ramp(x: f64) -> Colour {
    let place = x.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let i = (place as usize).min(RAMP.len() - 2);
    let f = place - i as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + f * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (RAMP[i], RAMP[i + 1]);
    Colour(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// Colours of classes of a value that grows, light to dark: yellow, orange, red, violet.
const STEPS: [Colour; 6] = [
    Colour(255, 247, 188),
    Colour(254, 217, 118),
    Colour(253, 154, 60),
    Colour(227, 74, 51),
    Colour(165, 15, 60),
    Colour(84, 10, 90),
];

/// So many classes of a value that grows have colours of their own.
pub const MOST_STEPS: usize = STEPS.len();

/// The colour of class `i` of `count` of a value that grows.
#[must_use]
pub fn step_colour(i: usize, count: usize) -> Colour {
    let last = STEPS.len() - 1;
    let place = match count {
        0 | 1 => last / 2,
        _ => (i * last + (count - 1) / 2) / (count - 1),
    };
    STEPS[place.min(last)]
}
