//! Many values that are counted together in a histogram: what each of them would leave is left once for all.

use crate::histogram::{Histogram, SUM_SCALE, bin_above_0, joined, split, weight_units};
use std::mem::take;

/// Most values of a batch.
pub(crate) const ROOM: usize = 256;
/// Of how many on it pays.
const MANY: usize = 24;
/// Bins that are counted side by side: sixteen octaves.
const SPAN: usize = 1024;
/// Values that are looked at side by side.
const LANES: usize = 4;
/// A float from here on to its double has no digits behind the point, and the same exponent.
const WHOLE: f64 = (1u64 << 52) as f64;

/// Values of one weight on their way into a histogram. Whoever puts them there knows how many there are.
pub(crate) struct Batch {
    values: [f64; ROOM],
    /// By bin, of those that are as many apart as there is room for the same one; 0 between batches.
    counts: [u16; SPAN],
}

impl Batch {
    pub(crate) const fn new() -> Self {
        Batch {
            values: [f64::NAN; ROOM],
            counts: [0; SPAN],
        }
    }

    /// Puts a value at one of the places. One of 0 is better only counted.
    #[inline]
    pub(crate) fn put(&mut self, place: usize, value: f64) {
        self.values[place % ROOM] = value;
    }

    /// Counts the first of its values and some zeros in a histogram, with a weight in units.
    pub(crate) fn empty_into(
        &mut self,
        histogram: &mut Histogram,
        (count, zeros): (usize, usize),
        weight: u128,
    ) {
        if zeros > 0 {
            histogram.add_zeros(zeros as u64, weight);
        }
        if count < MANY || !self.add_together(histogram, count, weight) {
            for value in &self.values[..count] {
                histogram.add_units(*value, weight);
            }
        }
    }

    /// Adds values at once, and whether it did: not where they span too many bins, one of them is no number, or sums
    /// are no words.
    fn add_together(&mut self, histogram: &mut Histogram, count: usize, weight: u128) -> bool {
        let values = &self.values[..count];
        let all = Together::of(values);
        let [first, last] = [all.least, all.greatest].map(bin_above_0);
        let spans = last.wrapping_sub(first) as usize >= SPAN;
        if spans || all.greatest * SUM_SCALE >= 0.5 * WHOLE || all.total.is_nan() {
            return false;
        }
        let (lanes, rest) = values.as_chunks::<LANES>();
        let mut enter = |value: &f64| self.counts[bin_above_0(*value) as usize % SPAN] += 1;
        lanes
            .iter()
            .for_each(|values| values.iter().for_each(&mut enter));
        rest.iter().for_each(enter);
        histogram.widen(all.least, all.greatest);
        histogram.count += count as u64;
        histogram.sum = histogram.sum.saturating_add(i128::from(all.sum));
        self.add_counts(histogram, (first, last), weight);
        true
    }

    /// Adds the counts of bins from one to another.
    fn add_counts(&mut self, histogram: &mut Histogram, (first, last): (u32, u32), weight: u128) {
        let bins = &mut histogram.bins;
        let mut k = bins.partition_point(|b| b.0 < first);
        for number in first..=last {
            let count = u64::from(take(&mut self.counts[number as usize % SPAN]));
            if count == 0 {
                continue;
            }
            while bins.get(k).is_some_and(|b| b.0 < number) {
                k += 1;
            }
            let weight = match weight {
                0 => 0,
                one => one.saturating_mul(u128::from(count)),
            };
            match bins.get_mut(k) {
                Some(bin) if bin.0 == number => {
                    bin.1 += count;
                    if weight != 0 {
                        bin.2 = split(joined(bin.2).saturating_add(weight));
                    }
                }
                _ => bins.insert(k, (number, count, split(weight))),
            }
        }
    }
}

impl Histogram {
    /// Counts values with their weights, those of one weight that follow each other together.
    pub(crate) fn add_each(&mut self, values: impl Iterator<Item = (f64, f64)>) {
        let (mut batch, mut known, mut units) = (Batch::new(), 0.0, 0);
        let (mut count, mut zeros) = (0, 0);
        for (value, weight) in values {
            if weight != known || count == ROOM {
                batch.empty_into(self, (count, zeros), units);
                (count, zeros) = (0, 0);
                (known, units) = (weight, weight_units(weight));
            }
            batch.put(count, value);
            match value > 0.0 {
                true => count += 1,
                false => zeros += 1,
            }
        }
        batch.empty_into(self, (count, zeros), units);
    }
}

/// What some values are together.
struct Together {
    least: f64,
    greatest: f64,
    /// No number where one of them is none.
    total: f64,
    /// In parts of a sum, each rounded as one by one, which are no more than half of 2⁵² then: beside 2⁵² the digits of
    /// a float are those of a whole number, of which a half is rounded to the even one.
    sum: u64,
}

impl Together {
    fn of(values: &[f64]) -> Self {
        let (mut least, mut greatest) = ([f64::INFINITY; LANES], [0.0f64; LANES]);
        let (mut total, mut sum) = ([0.0f64; LANES], [0u64; LANES]);
        let mut look = |k: usize, v: f64| {
            least[k] = if least[k] < v { least[k] } else { v };
            greatest[k] = if greatest[k] > v { greatest[k] } else { v };
            total[k] += v;
            let x = v * SUM_SCALE;
            let beside = x + WHOLE;
            let half = x - (beside - WHOLE) == 0.5;
            sum[k] = sum[k].wrapping_add(beside.to_bits());
            sum[k] = sum[k].wrapping_add(u64::from(half));
        };
        let (lanes, rest) = values.as_chunks::<LANES>();
        for values in lanes {
            for (k, v) in values.iter().enumerate() {
                look(k, *v);
            }
        }
        rest.iter().for_each(|v| look(0, *v));
        let beside = WHOLE.to_bits().wrapping_mul(values.len() as u64);
        Together {
            least: least.into_iter().fold(f64::INFINITY, f64::min),
            greatest: greatest.into_iter().fold(0.0, f64::max),
            total: total.into_iter().sum(),
            sum: sum
                .into_iter()
                .fold(0, u64::wrapping_add)
                .wrapping_sub(beside),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::rounded_sum;

    /// Values together and one by one: zeros, halves of the last digit of a sum, and what is too large or spans too
    /// much.
    #[test]
    fn values_counted_together_are_those_counted_one_by_one() {
        let list =
            |count, value: fn(f64) -> f64| (1..=count).map(|k| value(f64::from(k))).collect();
        let lists: [(&str, Vec<f64>); 7] = [
            ("plain", list(256, |k| 0.37 * k)),
            ("halves", list(199, |k| k * (0.5 / SUM_SCALE))),
            ("large", list(100, |k| 1e9 * k)),
            ("wide", list(100, |k| libm::pow(10.0, k - 50.0))),
            ("with zeros", list(100, |k| k % 5.0)),
            (
                "without numbers",
                list(100, |k| if k % 7.0 == 3.0 { f64::NAN } else { k }),
            ),
            (
                "none",
                vec![f64::NAN, -1.0, f64::INFINITY, f64::MAX, 5e-324],
            ),
        ];
        for weight in [0, 1 << 70, u128::MAX / 100] {
            let (mut one, mut all) = (Histogram::default(), Histogram::default());
            let mut batch = Batch::new();
            for (name, values) in &lists {
                for (k, value) in values.iter().enumerate() {
                    one.add_units(*value, weight);
                    batch.put(k, *value);
                }
                one.add_units(0.0, weight);
                batch.empty_into(&mut all, (values.len(), 1), weight);
                assert_eq!(one, all, "{name} {weight}");
            }
        }
        for k in [0.0, 0.5, 1.0, 1.5, 2.5, 1e6 + 0.5] {
            let sum = Together::of(&[k / SUM_SCALE]).sum;
            assert_eq!(i128::from(sum), rounded_sum(k / SUM_SCALE), "{k}");
        }
    }
}
