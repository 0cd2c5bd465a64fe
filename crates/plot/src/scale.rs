use std::ops::Range;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// Places along an axis, with ticks where the axis wants them.
pub(crate) struct Scale {
    places: RangedCoordf64,
    ticks: Vec<f64>,
}

impl Scale {
    pub(crate) fn new((low, high): (f64, f64), ticks: Vec<f64>) -> Self {
        Self {
            places: (low..high).into(),
            ticks,
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.places.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match hint.weight().allow_light_points() {
            true => vec![],
            false => self.ticks.clone(),
        }
    }

    fn range(&self) -> Range<f64> {
        self.places.range()
    }
}
