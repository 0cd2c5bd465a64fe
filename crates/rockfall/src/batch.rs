//! Many values that are counted together in a histogram: what each of them would leave is left once for all.

use crate::histogram::{Histogram, SUM_SCALE, bin_above_0, joined, split, weight_units};

/// Most values of a batch.
pub(crate) const ROOM: usize = 256;
/// Of how many on it pays.
const MANY: usize = 24;
/// Bins that are counted side by side: sixteen octaves.
const SPAN: usize = 1024;
/// A float from here on to its double has no digits behind the point, and the same exponent.
const WHOLE: f64 = (1u64 << 52) as f64;

/// Values of one weight on their way into a histogram.
pub(crate) struct Batch {
    /// Those above 0.
    values: [f64; ROOM],
    count: usize,
    /// How many count as 0.
    zeros: usize,
}

impl Batch {
    pub(crate) const fn new() -> Self {
        Batch {
            values: [0.0; ROOM],
            count: 0,
            zeros: 0,
        }
    }

    /// Takes a value into a batch that is not full.
    #[inline]
    pub(crate) fn push(&mut self, value: f64) {
        if value > 0.0 {
            if let Some(slot) = self.values.get_mut(self.count) {
                *slot = value;
                self.count += 1;
            }
        } else {
            self.zeros += 1;
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.count >= ROOM
    }

    /// Counts all of them in a histogram, with a weight in units.
    pub(crate) fn empty_into(&mut self, histogram: &mut Histogram, weight: u128) {
        if self.zeros > 0 {
            histogram.add_zeros(self.zeros as u64, weight);
        }
        let values = &self.values[..self.count];
        if self.count < MANY || !add_together(histogram, values, weight) {
            for value in values {
                histogram.add_units(*value, weight);
            }
        }
        (self.count, self.zeros) = (0, 0);
    }
}

impl Histogram {
    /// Counts values with their weights, those of one weight that follow each other together.
    pub(crate) fn add_each(&mut self, values: impl Iterator<Item = (f64, f64)>) {
        let (mut batch, mut known, mut units) = (Batch::new(), 0.0, 0);
        for (value, weight) in values {
            if weight != known || batch.is_full() {
                batch.empty_into(self, units);
                (known, units) = (weight, weight_units(weight));
            }
            batch.push(value);
        }
        batch.empty_into(self, units);
    }
}

/// Adds values above 0 at once, and whether it did: not where they span too many bins, or sums are no words.
fn add_together(histogram: &mut Histogram, values: &[f64], weight: u128) -> bool {
    let [least, greatest] = ends(values);
    let (first, last) = (bin_above_0(least), bin_above_0(greatest));
    let span = (last - first) as usize + 1;
    let mut counts = [0u16; SPAN];
    let Some(counts) = counts.get_mut(..span) else {
        return false;
    };
    if greatest * SUM_SCALE >= 0.5 * WHOLE {
        return false;
    }
    for value in values {
        if let Some(count) = counts.get_mut((bin_above_0(*value) - first) as usize) {
            *count += 1;
        }
    }
    histogram.widen(least, greatest);
    histogram.count += values.len() as u64;
    histogram.sum = histogram.sum.saturating_add(sum(values));
    add_counts(histogram, first, counts, weight);
    true
}

/// The least and the greatest of some values, in two lanes.
fn ends(values: &[f64]) -> [f64; 2] {
    let mut least = [f64::INFINITY; 2];
    let mut greatest = [0.0f64; 2];
    let (pairs, rest) = values.as_chunks::<2>();
    let mut look = |k: usize, v: f64| {
        least[k] = if v < least[k] { v } else { least[k] };
        greatest[k] = if v > greatest[k] { v } else { greatest[k] };
    };
    for pair in pairs {
        look(0, pair[0]);
        look(1, pair[1]);
    }
    rest.iter().for_each(|v| look(0, *v));
    [least[0].min(least[1]), greatest[0].max(greatest[1])]
}

/// The sum of values, each rounded as one by one, which are no more than half of 2⁵² then: beside 2⁵² the
/// digits of a float are those of a whole number, of which a half is rounded to the even one.
fn sum(values: &[f64]) -> i128 {
    let each = |value: &f64| {
        let x = value * SUM_SCALE;
        let beside = x + WHOLE;
        let half = x - (beside - WHOLE) == 0.5;
        (beside.to_bits() - WHOLE.to_bits()).wrapping_add(u64::from(half))
    };
    let sum = values.iter().map(each).fold(0, u64::wrapping_add);
    i128::from(sum)
}

/// Adds the counts of bins from one on.
fn add_counts(histogram: &mut Histogram, first: u32, counts: &[u16], weight: u128) {
    let bins = &mut histogram.bins;
    let mut k = bins.partition_point(|b| b.0 < first);
    for (number, &count) in (first..).zip(counts) {
        if count == 0 {
            continue;
        }
        while bins.get(k).is_some_and(|b| b.0 < number) {
            k += 1;
        }
        let (count, weight) = (u64::from(count), weight.saturating_mul(u128::from(count)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histogram::rounded_sum;

    /// Values together and one by one: zeros, halves of the last digit of a sum, and what is too large or spans too
    /// much.
    #[test]
    fn values_counted_together_are_those_counted_one_by_one() {
        let half = 0.5 / SUM_SCALE;
        let lists: [(&str, Vec<f64>); 5] = [
            ("plain", (0..256).map(|k| 0.37 * f64::from(k)).collect()),
            ("halves", (0..200).map(|k| f64::from(k) * half).collect()),
            ("large", (0..100).map(|k| 1e9 * f64::from(k)).collect()),
            (
                "wide",
                (0..100)
                    .map(|k| libm::pow(10.0, f64::from(k - 50)))
                    .collect(),
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
                for value in values {
                    one.add_units(*value, weight);
                    batch.push(*value);
                }
                batch.empty_into(&mut all, weight);
                assert_eq!(one, all, "{name} {weight}");
            }
        }
        for k in [0.0, 0.5, 1.0, 1.5, 2.5, 1e6 + 0.5] {
            assert_eq!(sum(&[k / SUM_SCALE]), rounded_sum(k / SUM_SCALE), "{k}");
        }
    }
}
