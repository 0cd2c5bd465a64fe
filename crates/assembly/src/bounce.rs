//! How quickly a contact is met again: bounces that never die, and what is no grazing.

/// Part of the period within which a return counts as a quick one.
const QUICK: f64 = 1e-5;

/// After so many quick returns in a row the contact stays closed.
///
/// Bounces with e < 1 die before. With e = 1 a hop of 1e-5 of the period rises to about 1e-10 of the amplitude: a floor
/// that pushes for half a period sees tens of thousands of them, shorter ones go on almost without end, and each adds
/// its rounding to the balances. What is lost is below 1e-9 of the energy of a block, is booked as heat, and each loss
/// is counted.
const MOST_QUICK: u32 = 4_000;

/// A contact met after less than this part of the period was never really open.
const REALLY_OPEN: f64 = 1e-6;

/// The last impact of one contact, and how many quick ones led to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounce {
    last: f64,
    quick: u32,
}

impl Bounce {
    pub(crate) const NEVER: Self = Self {
        last: f64::NEG_INFINITY,
        quick: 0,
    };

    /// The contact is met at `t`: whether it had really been open.
    #[inline]
    pub(crate) fn meet(&mut self, t: f64, period: f64) -> bool {
        let open = t - self.last;
        self.last = t;
        self.quick = if open < QUICK * period {
            self.quick.saturating_add(1)
        } else {
            0
        };
        open > REALLY_OPEN * period
    }

    /// It has come back too often.
    #[inline]
    pub(crate) fn is_endless(&self) -> bool {
        self.quick >= MOST_QUICK
    }

    /// It is closed for good, or until it opens by other means.
    pub(crate) fn end(&mut self) {
        self.quick = 0;
    }

    pub(crate) fn shift(&mut self, by: f64) {
        self.last += by;
    }
}
