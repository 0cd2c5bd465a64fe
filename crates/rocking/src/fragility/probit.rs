//! The probit model P = Φ(a + b z) of binary outcomes, most likely under the outcomes of weighted records.

use crate::error::RockingError;
use klast_numerics::check::require;

/// One outcome: the logarithm of the intensity and whether the state was reached.
pub(super) type Outcome = (f64, bool);

/// Sums over the outcomes of one record at given parameters: the score and the Fisher information (Σ w, Σ w z, Σ w z²).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) score: [f64; 2],
    pub(super) information: [f64; 3],
}

impl Sums {
    pub(super) fn add(&mut self, weight: f64, other: &Self) {
        for (mine, theirs) in self.score.iter_mut().zip(other.score) {
            *mine += weight * theirs;
        }
        for (mine, theirs) in self.information.iter_mut().zip(other.information) {
            *mine += weight * theirs;
        }
    }

    /// The step of Fisher scoring, where the information has an inverse.
    pub(super) fn step(&self) -> Option<(f64, f64)> {
        let ([u, v], [s0, s1, s2]) = (self.score, self.information);
        let determinant = s0 * s2 - s1 * s1;
        (determinant > 0.0).then(|| {
            (
                (s2 * u - s1 * v) / determinant,
                (s0 * v - s1 * u) / determinant,
            )
        })
    }
}

/// Score and information of `outcomes` at (a, b).
pub(super) fn sums(outcomes: &[Outcome], a: f64, b: f64) -> Sums {
    let mut sums = Sums::default();
    for &(z, reached) in outcomes {
        // With φ the density: φ/Φ where the state is reached, −φ/(1 − Φ) where it is not; their product is the weight.
        let (up, down) = hazards(a + b * z);
        let residual = if reached { up } else { -down };
        let weight = up * down;
        sums.score[0] += residual;
        sums.score[1] += residual * z;
        sums.information[0] += weight;
        sums.information[1] += weight * z;
        sums.information[2] += weight * z * z;
    }
    sums
}

/// φ/Φ and φ/(1 − Φ) at x, from one tail.
fn hazards(x: f64) -> (f64, f64) {
    if x.abs() >= FAR {
        return (hazard(-x), hazard(x));
    }
    let (tail, density) = normal(-x.abs());
    let (small, large) = (density / (1.0 - tail), density / tail);
    if x >= 0.0 {
        (small, large)
    } else {
        (large, small)
    }
}

/// Rounds of Fisher scoring; a handful suffices.
const MOST_ROUNDS: usize = 200;

/// The parameters (a, b) of P = Φ(a + b z) under which the `outcomes` are most likely, and the Fisher
/// information (Σ w, Σ w z, Σ w z²).
///
/// Fisher scoring from a = b = 0; a step is halved until the likelihood, which is concave, does not fall.
pub(super) fn most_likely(outcomes: &[Outcome]) -> Result<((f64, f64), [f64; 3]), RockingError> {
    let (mut a, mut b) = (0.0, 0.0);
    let mut likelihood = log_likelihood(outcomes, a, b);
    for _ in 0..MOST_ROUNDS {
        let sums = sums(outcomes, a, b);
        let information = sums.information;
        let determinant = information[0] * information[2] - information[1] * information[1];
        require(
            "Fisher information",
            determinant,
            determinant > 0.0,
            "above 0",
        )?;
        let (da, db) = sums.step().unwrap_or_default();
        if da.abs().max(db.abs()) < 1e-12 * (1.0 + a.abs().max(b.abs())) {
            return Ok(((a, b), information));
        }
        // Rounding of the sum must not halve the last steps away.
        let least = likelihood - 1e-13 * likelihood.abs();
        let mut part = 1.0;
        while log_likelihood(outcomes, a + part * da, b + part * db) < least && part > 1e-9 {
            part *= 0.5;
        }
        (a, b) = (a + part * da, b + part * db);
        likelihood = log_likelihood(outcomes, a, b);
    }
    Err(RockingError::NoConvergence {
        of: "the maximum of the likelihood of the fragility",
        rounds: MOST_ROUNDS,
    })
}

/// ln of the probability of the outcomes.
fn log_likelihood(outcomes: &[(f64, bool)], a: f64, b: f64) -> f64 {
    let terms = outcomes.iter().map(|&(z, reached)| {
        let x = a + b * z;
        log_tail(if reached { -x } else { x })
    });
    terms.sum()
}

/// Argument from which the tail of the normal distribution is taken from its continued fraction.
const FAR: f64 = 10.0;

/// Density over upper tail of the standard normal distribution, φ(x)/Q(x): for large x, where both underflow, from
/// Laplace's continued fraction Q/φ = 1/(x + 1/(x + 2/(x + 3/(x + …)))).
fn hazard(x: f64) -> f64 {
    if x < FAR {
        let (tail, density) = normal(-x);
        return density / tail;
    }
    // Thirty terms leave less than 1e-16 at x = 10.
    (1..=30).rev().fold(x, |below, k| x + f64::from(k) / below)
}

/// ln Q(x) of the standard normal distribution.
fn log_tail(x: f64) -> f64 {
    if x < FAR {
        return libm::log(normal(-x).0);
    }
    -0.5 * (x * x + libm::log(std::f64::consts::TAU)) - libm::log(hazard(x))
}

/// Standard normal distribution function and density.
pub(super) fn normal(z: f64) -> (f64, f64) {
    let p = 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
    let density = libm::exp(-0.5 * z * z) / (std::f64::consts::TAU).sqrt();
    (p, density)
}

/// Quantile of the standard normal distribution for 0 < p < 1, by bisection of Φ to rounding.
pub(super) fn quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-38.0, 38.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        match normal(middle).0 < p {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

/// The covariance of (a − b m, b) from that of (a, b).
pub(super) fn shifted([va, cab, vb]: [f64; 3], mean: f64) -> [f64; 3] {
    [
        va - 2.0 * mean * cab + mean * mean * vb,
        cab - mean * vb,
        vb,
    ]
}

/// Standard error of a + b x.
pub(super) fn standard_error([va, cab, vb]: [f64; 3], x: f64) -> f64 {
    (va + 2.0 * x * cab + x * x * vb).max(0.0).sqrt()
}
