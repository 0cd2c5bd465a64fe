//! The first change of sign along a list of points.

/// Which changes of sign count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossing {
    /// From below zero to zero or above.
    Rising,
    /// From above zero to zero or below.
    Falling,
    /// Both.
    Any,
}

impl Crossing {
    /// Whether a function that goes from one value to another crosses. One that starts at zero has crossed already.
    #[inline]
    #[must_use]
    pub fn between(self, from: f64, to: f64) -> bool {
        match self {
            Self::Rising => from < 0.0 && to >= 0.0,
            Self::Falling => from > 0.0 && to <= 0.0,
            Self::Any => from != 0.0 && from * to <= 0.0,
        }
    }
}

/// The first two neighbouring points (x, f(x)) between which `f` crosses zero, of `start` and the `looks` after it.
///
/// Two crossings between one look and the next are not seen: the looks have to be close enough for the function.
pub fn first_crossing(
    start: (f64, f64),
    looks: impl IntoIterator<Item = f64>,
    crossing: Crossing,
    mut f: impl FnMut(f64) -> f64,
) -> Option<((f64, f64), (f64, f64))> {
    let mut before = start;
    for x in looks {
        let now = (x, f(x));
        if crossing.between(before.1, now.1) {
            return Some((before, now));
        }
        before = now;
    }
    None
}
