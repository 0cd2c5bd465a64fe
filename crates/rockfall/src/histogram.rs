//! Histograms whose bins grow with the value: bounded memory, quantiles to a known accuracy, and merging that loses nothing.

/// Bins an octave of values is cut into, as a power of two: the bounds of a bin differ by 1/64 to 1/128 of the value.
const FINE: u32 = 6;

/// Counts of values ≥ 0 by size, with exact least, greatest and sum. Sums are whole numbers of 2⁻²⁰, so the order of additions leaves no trace.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Histogram {
    // Sorted by bin.
    bins: Vec<(u32, u64, u64)>,
    count: u64,
    sum: i128,
    least: f64,
    greatest: f64,
}

const SUM_SCALE: f64 = 1_048_576.0;
/// Weights (events a year) are counted in parts of this.
pub(crate) const WEIGHT_UNIT: f64 = 1e-12;

/// Number of the bin of a value: exponent and leading bits of the float itself, so no logarithm is needed.
fn bin(value: f64) -> u32 {
    (value.max(0.0).to_bits() >> (52 - FINE)) as u32
}

fn lower(bin: u32) -> f64 {
    f64::from_bits(u64::from(bin) << (52 - FINE))
}

impl Histogram {
    /// Counts a value; negative ones and NaN count as 0. `weight` is the annual frequency it stands for.
    pub fn add(&mut self, value: f64, weight: f64) {
        let value = if value > 0.0 { value } else { 0.0 };
        self.least = if self.count == 0 {
            value
        } else {
            self.least.min(value)
        };
        self.greatest = self.greatest.max(value);
        self.count += 1;
        self.sum = self.sum.saturating_add((value * SUM_SCALE).round() as i128);
        self.put(bin(value), 1, (weight / WEIGHT_UNIT).round() as u64);
    }

    fn put(&mut self, bin: u32, count: u64, weight: u64) {
        match self.bins.binary_search_by_key(&bin, |b| b.0) {
            Ok(k) => {
                self.bins[k].1 += count;
                self.bins[k].2 = self.bins[k].2.saturating_add(weight);
            }
            Err(k) => self.bins.insert(k, (bin, count, weight)),
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
            self.put(bin, count, weight);
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

    /// The value with a share `p` of all at or below it, to 0.8 % of the value (linear within a bin); `None` without values.
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

    /// 95 % confidence interval of a quantile, from the binomial distribution of ranks (normal approximation): n p ± 1.96 √(n p (1 − p)).
    pub fn quantile_interval(&self, p: f64) -> Option<(f64, f64)> {
        let n = self.count as f64;
        let spread = 1.96 * (n * p * (1.0 - p)).sqrt();
        (self.count > 0).then(|| {
            (
                self.at_rank((n * p - spread).max(0.0)),
                self.at_rank((n * p + spread).min(n)),
            )
        })
    }

    /// Annual frequency with which a value is exceeded (1/a), to a bin: bins that lie wholly above.
    pub fn annual_exceedance(&self, value: f64) -> f64 {
        let from = bin(value);
        let sum = self
            .bins
            .iter()
            .filter(|b| b.0 > from)
            .fold(0u64, |sum, b| sum.saturating_add(b.2));
        sum as f64 * WEIGHT_UNIT
    }

    /// Bins as (lower bound, upper bound, count), in order.
    pub fn bins(&self) -> impl Iterator<Item = (f64, f64, u64)> + '_ {
        self.bins
            .iter()
            .map(|&(bin, count, _)| (lower(bin), lower(bin.saturating_add(1)), count))
    }
}
