//! Histograms whose bins grow with the value: bounded memory, quantiles to a known accuracy, and merging that loses
//! nothing.

/// Bins an octave of values is cut into, as a power of two: the bounds of a bin differ by 1/64 to 1/128 of the value.
const FINE: u32 = 6;

/// Counts of values ≥ 0 by size, with exact least, greatest and sum. Sums are whole numbers of 2⁻²⁰, so the order of
/// additions leaves no trace.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Histogram {
    // Sorted by bin.
    pub(crate) bins: Vec<(u32, u64, Weight)>,
    pub(crate) count: u64,
    pub(crate) sum: i128,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

/// Sums count parts of this.
pub(crate) const SUM_SCALE: f64 = 1_048_576.0;
/// Weights (events a year) are counted in parts of this, 2⁻⁸⁰: a frequency of 1e-9 a year over 10⁹ rocks is right to
/// 1e-6 of it, and 1e6 a year of as many fits.
const WEIGHT_UNIT: f64 = 1.0 / (1u128 << 80) as f64;

/// Number of the bin of a value: exponent and leading bits of the float itself, so no logarithm is needed.
pub(crate) fn bin(value: f64) -> u32 {
    bin_above_0(value.max(0.0))
}

/// The same of a value that is not below 0.
#[inline]
pub(crate) fn bin_above_0(value: f64) -> u32 {
    (value.to_bits() >> (52 - FINE)) as u32
}

pub(crate) fn lower(bin: u32) -> f64 {
    f64::from_bits(u64::from(bin) << (52 - FINE))
}

/// A value as sums hold it.
pub(crate) fn rounded_sum(value: f64) -> i128 {
    rounded(value * SUM_SCALE)
}

/// A weight in units.
pub(crate) fn weight_units(weight: f64) -> u128 {
    (weight / WEIGHT_UNIT).round() as u128
}

/// The whole number next to one that is not negative, a half upwards. What fits in a word is rounded there.
fn rounded(x: f64) -> i128 {
    const WORD: f64 = (1u64 << 62) as f64;
    if x < WORD {
        let whole = x as i64;
        // The difference is exact.
        i128::from(whole + i64::from(x - whole as f64 >= 0.5))
    } else {
        x.round() as i128
    }
}

/// A count of units in two words, high and low: a third less room than one number of 16 bytes that stands at a multiple
/// of 16.
pub(crate) type Weight = [u64; 2];

pub(crate) fn split(units: u128) -> Weight {
    [(units >> 64) as u64, units as u64]
}

pub(crate) fn joined([high, low]: Weight) -> u128 {
    (u128::from(high) << 64) | u128::from(low)
}

impl Histogram {
    /// Counts a value; negative ones and NaN count as 0. `weight` is the annual frequency it stands for.
    pub fn add(&mut self, value: f64, weight: f64) {
        self.add_units(value, weight_units(weight));
    }

    /// The same with a weight in units.
    pub(crate) fn add_units(&mut self, value: f64, weight: u128) {
        let value = if value > 0.0 { value } else { 0.0 };
        self.widen(value, value);
        self.count += 1;
        self.sum = self.sum.saturating_add(rounded_sum(value));
        self.put(bin(value), 1, weight);
    }

    /// Counts a value of 0 some times.
    pub(crate) fn add_zeros(&mut self, count: u64, weight: u128) {
        self.widen(0.0, 0.0);
        self.count += count;
        self.put(0, count, weight.saturating_mul(u128::from(count)));
    }

    /// Takes in the least and the greatest of values that are not yet counted.
    #[inline]
    pub(crate) fn widen(&mut self, least: f64, greatest: f64) {
        if self.count == 0 || least < self.least {
            self.least = least;
        }
        if greatest > self.greatest {
            self.greatest = greatest;
        }
    }

    #[inline]
    fn put(&mut self, bin: u32, count: u64, weight: u128) {
        // Values of 0 are many, and the first.
        let found = match self.bins.first() {
            Some(first) if first.0 == bin => Ok(0),
            _ => self.bins.binary_search_by_key(&bin, |b| b.0),
        };
        match found {
            Ok(k) => {
                let bin = &mut self.bins[k];
                bin.1 += count;
                if weight != 0 {
                    bin.2 = split(joined(bin.2).saturating_add(weight));
                }
            }
            Err(k) => self.bins.insert(k, (bin, count, split(weight))),
        }
    }

    /// Adds everything another histogram has counted.
    pub fn merge(&mut self, other: &Histogram) {
        if other.count == 0 {
            return;
        }
        self.least = if self.count == 0 {
            other.least
        } else {
            self.least.min(other.least)
        };
        self.greatest = self.greatest.max(other.greatest);
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        for &(bin, count, weight) in &other.bins {
            self.put(bin, count, joined(weight));
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / SUM_SCALE / self.count as f64)
    }

    /// Least value; `None` without values.
    pub fn least(&self) -> Option<f64> {
        (self.count > 0).then_some(self.least)
    }

    /// Greatest value; `None` without values.
    pub fn greatest(&self) -> Option<f64> {
        (self.count > 0).then_some(self.greatest)
    }

    /// The value with a share `p` of all at or below it, to 0.8 % of the value (linear within a bin); `None` without
    /// values.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        (self.count > 0).then(|| self.at_rank(p.clamp(0.0, 1.0) * self.count as f64))
    }

    fn at_rank(&self, rank: f64) -> f64 {
        let mut below = 0.0;
        for &(bin, count, _) in &self.bins {
            let count = count as f64;
            if below + count >= rank {
                let (a, b) = (lower(bin), lower(bin.saturating_add(1)));
                return (a + (b - a) * ((rank - below) / count).clamp(0.0, 1.0))
                    .clamp(self.least, self.greatest);
            }
            below += count;
        }
        self.greatest
    }

    /// 95 % confidence interval of a quantile, from the binomial distribution of ranks: the values at the least and the
    /// greatest rank that the quantile of the population may have with 2.5 % on either side. The upper end is infinite
    /// where there are too few values to bound it.
    pub fn quantile_interval(&self, p: f64) -> Option<(f64, f64)> {
        let (low, high) = rank_interval(self.count, p);
        (self.count > 0).then(|| {
            let lower = self.at_rank(low as f64);
            let upper = if high > self.count {
                f64::INFINITY
            } else {
                self.at_rank(high as f64)
            };
            (lower, upper)
        })
    }

    /// Annual frequency with which a value is exceeded (1/a), to a bin: bins that lie wholly above.
    pub fn annual_exceedance(&self, value: f64) -> f64 {
        let from = bin(value);
        let sum = self
            .bins
            .iter()
            .filter(|b| b.0 > from)
            .fold(0u128, |sum, b| sum.saturating_add(joined(b.2)));
        sum as f64 * WEIGHT_UNIT
    }

    /// The value that is exceeded with an annual frequency (1/a), linear within a bin; `None` if all of them together
    /// are rarer.
    pub fn at_annual_exceedance(&self, frequency: f64) -> Option<f64> {
        let wanted = frequency / WEIGHT_UNIT;
        let mut above = 0.0;
        for &(bin, _, weight) in self.bins.iter().rev() {
            let weight = joined(weight) as f64;
            if weight > 0.0 && above + weight >= wanted {
                let (a, b) = (lower(bin), lower(bin.saturating_add(1)));
                let value = b - (b - a) * ((wanted - above) / weight).clamp(0.0, 1.0);
                return Some(value.clamp(self.least, self.greatest));
            }
            above += weight;
        }
        None
    }

    /// The curve of exceedance: (value, annual frequency with which it is exceeded), at the lower bounds of bins,
    /// falling.
    pub fn exceedance(&self) -> Vec<(f64, f64)> {
        let mut above = 0u128;
        let mut curve: Vec<_> = self
            .bins
            .iter()
            .rev()
            .map(|&(bin, _, weight)| {
                above = above.saturating_add(joined(weight));
                (lower(bin).max(self.least), above as f64 * WEIGHT_UNIT)
            })
            .collect();
        curve.reverse();
        curve
    }

    /// Bins as (lower bound, upper bound, count), in order.
    pub fn bins(&self) -> impl Iterator<Item = (f64, f64, u64)> + '_ {
        self.bins
            .iter()
            .map(|&(bin, count, _)| (lower(bin), lower(bin.saturating_add(1)), count))
    }
}

/// Ranks (from 1) between which the p-quantile of a population lies with 95 % confidence, given n values: the greatest
/// l with P(X < l) ≤ 2.5 % and the least u with P(X ≥ u) ≤ 2.5 % for X binomial (n, p); l = 0 and u = n + 1 mean that
/// there is no such rank. Above n p (1 − p) = 100 by the normal distribution, whose ranks are then right to one.
fn rank_interval(n: u64, p: f64) -> (u64, u64) {
    const TAIL: f64 = 0.025;
    let (mean, variance) = (n as f64 * p, n as f64 * p * (1.0 - p));
    if variance > 100.0 {
        let spread = 1.959_963_984_540_054 * variance.sqrt();
        return (
            (mean - spread).floor().max(0.0) as u64,
            ((mean + spread).ceil() as u64 + 1).min(n + 1),
        );
    }
    // P(X = k) from the mode outwards would be safest; logarithms do as well and underflow to a harmless zero.
    let log = |k: u64| {
        let (k, rest) = (k as f64, (n - k) as f64);
        libm::lgamma(n as f64 + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(rest + 1.0)
            + if k > 0.0 { k * libm::log(p) } else { 0.0 }
            + if rest > 0.0 {
                rest * libm::log1p(-p)
            } else {
                0.0
            }
    };
    // 20 standard deviations hold all of the mass that matters.
    let reach = 20.0 * variance.sqrt() + 30.0;
    let (first, last) = (
        (mean - reach).max(0.0) as u64,
        ((mean + reach) as u64).min(n),
    );
    let (mut below, mut low) = (0.0, first);
    while low < last && below + libm::exp(log(low)) <= TAIL {
        below += libm::exp(log(low));
        low += 1;
    }
    let (mut above, mut high) = (0.0, last + 1);
    while high > first && above + libm::exp(log(high - 1)) <= TAIL {
        above += libm::exp(log(high - 1));
        high -= 1;
    }
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::{Histogram, rank_interval, rounded};

    #[test]
    fn what_fits_in_a_word_is_rounded_as_any_number() {
        let half = 0.5 - f64::EPSILON / 4.0;
        let below_two_to_52 = 4_503_599_627_370_495.5;
        for x in [
            0.0,
            5e-324,
            half,
            0.5,
            1.5,
            2.5,
            1e15 + 0.5,
            below_two_to_52,
            4e18,
            5e18,
            1e30,
        ] {
            assert_eq!(rounded(x), x.round() as i128, "{x}");
        }
        assert_eq!(rounded(f64::INFINITY), i128::MAX);
    }

    /// 700,000 rocks that share one passage in a million years, and 3,000 that share one in a thousand million.
    #[test]
    fn rare_events_keep_their_frequency() {
        for (frequency, rocks) in [(1e-6, 700_000), (1e-9, 3_000), (1e6, 10)] {
            let mut h = Histogram::default();
            for _ in 0..rocks {
                h.add(2.0, frequency / f64::from(rocks));
            }
            // A unit of 8e-25 a year, half of it lost at each rock: 2e-12 of what a rock of the first row stands for.
            let found = h.annual_exceedance(1.0);
            assert!((found / frequency - 1.0).abs() < 1e-11, "{found}");
            assert!((h.exceedance()[0].1 / frequency - 1.0).abs() < 1e-11);
            assert!(h.at_annual_exceedance(0.5 * frequency).is_some());
        }
    }

    #[test]
    fn ranks_of_published_intervals() {
        // Median of n values (Hahn & Meeker, Statistical Intervals, 1991, table A.15 of order statistics): 10: 2 and 9,
        // 20: 6 and 15.
        assert_eq!(rank_interval(10, 0.5), (2, 9));
        assert_eq!(rank_interval(20, 0.5), (6, 15));
        // 0.95^n ≤ 0.025 first at n = 72: below that the greatest value does not bound the 95 % quantile.
        assert_eq!(rank_interval(71, 0.95).1, 72);
        assert_eq!(rank_interval(72, 0.95).1, 72);
    }

    #[test]
    fn both_ways_agree_where_they_meet() {
        // n p (1 − p) = 100 ± 1: the ranks of the sum and of the normal distribution differ by its skewness, at most 2.
        let (a, b) = (rank_interval(2100, 0.95), rank_interval(2110, 0.95));
        assert!(
            a.0.abs_diff(b.0.saturating_sub(9)) <= 2 && a.1.abs_diff(b.1.saturating_sub(9)) <= 2,
            "{a:?} {b:?}"
        );
    }
}
