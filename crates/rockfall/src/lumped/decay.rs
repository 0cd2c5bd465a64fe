//! Decays e^(−nσ) and their means φ(n) = (1 − e^(−nσ))/n, made from each other.

/// Exponents up to which a series stands for a power.
const SHORT: f64 = 0.25;

/// A decay by σ.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decay {
    /// n.
    pub rate: f64,
    /// e^(−nσ).
    pub left: f64,
    /// φ(n), which is σ for n = 0.
    pub mean: f64,
}

impl Decay {
    pub(super) fn of(rate: f64, sigma: f64) -> Self {
        let x = rate * sigma;
        if x.abs() < SHORT {
            let mean = sigma * exponential_mean(x);
            let left = 1.0 - rate * mean;
            return Decay { rate, left, mean };
        }
        let less = libm::expm1(-x);
        Decay {
            rate,
            left: if x > 1.0 { libm::exp(-x) } else { 1.0 + less },
            mean: -less / rate,
        }
    }

    /// The decay with the sum of two rates: 1 − AB = (1 − A) + A (1 − B).
    pub(super) fn with(&self, other: &Decay) -> Self {
        let rate = self.rate + other.rate;
        let lost = self.rate * self.mean + self.left * (other.rate * other.mean);
        Decay {
            rate,
            left: self.left * other.left,
            mean: lost / rate,
        }
    }

    /// The decay with twice the rate.
    pub(super) fn twice(&self) -> Self {
        Decay {
            rate: 2.0 * self.rate,
            left: self.left * self.left,
            mean: 0.5 * self.mean * (1.0 + self.left),
        }
    }
}

/// (1 − e^(−x))/x for a small x, by its series.
fn exponential_mean(x: f64) -> f64 {
    // 1/(j + 1)!; the next term is 1e-17 at 1/4.
    const TERMS: [f64; 12] = [
        1.0,
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5_040.0,
        1.0 / 40_320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
    ];
    TERMS.iter().rev().fold(0.0, |sum, term| term - x * sum)
}

#[cfg(test)]
mod tests {
    use super::Decay;

    /// Sums and doubles against exponentials of their own, over both signs and both sides of the series.
    #[test]
    fn decays_are_made_from_each_other() {
        for rate in [-1.0, -0.3, 1e-9, 0.2, 1.0, 8.0] {
            for sigma in [1e-7, 0.01, 0.2, 0.3, 1.0, 40.0] {
                if rate * sigma < -1.0 {
                    continue;
                }
                let (decay, one) = (Decay::of(rate, sigma), Decay::of(1.5, sigma));
                for made in [decay, decay.twice(), decay.with(&one)] {
                    let x = made.rate * sigma;
                    let expected = [libm::exp(-x), -libm::expm1(-x) / made.rate];
                    // Some ten roundings of numbers up to e.
                    for (found, expected) in [made.left, made.mean].into_iter().zip(expected) {
                        assert!(
                            (found / expected - 1.0).abs() < 4e-15,
                            "{rate} {sigma}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }
}
