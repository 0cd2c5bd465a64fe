//! Stability of a periodic motion.

use super::eigen::eigenvalues;
use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// A Floquet multiplier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiplier {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl Multiplier {
    /// Modulus: below 1 a disturbance dies out.
    #[must_use]
    pub fn modulus(&self) -> f64 {
        self.re.hypot(self.im)
    }
}

/// Multipliers of a periodic motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Floquet {
    /// All multipliers, the largest modulus first: two for each cluster at that instant.
    pub multipliers: Vec<Multiplier>,
    /// How far the motion is from repeating itself, in units of u0 and u0 Ω.
    pub residual: f64,
}

impl Floquet {
    /// Largest modulus; 0 without a free cluster.
    #[must_use]
    pub fn spectral_radius(&self) -> f64 {
        self.multipliers.first().map_or(0.0, Multiplier::modulus)
    }
}

/// Step of the difference quotients, in units of u0 and u0 Ω: the fourth-order quotient then errs by about 1e-16 by
/// truncation and 1e-10 by rounding.
const STEP: f64 = 2e-5;

/// Multipliers of the motion that `run` repeats after `period` drive periods, seen from the present instant; choose one
/// that is no impact.
///
/// Clusters are disturbed as wholes, coordinate and slip of each; a cluster held by a wall forgets a disturbance at once
/// and has two multipliers zero.
///
/// # Errors
/// A motion without a period.
pub fn floquet(run: &Assembly, period: u64) -> Result<Floquet, AssemblyError> {
    let drive = run.basin().motion.period().ok_or(AssemblyError::NoPeriod)?;
    let end = run.time() + period as f64 * drive;
    let clusters = run.clusters();
    let (places, slips) = run.phase_point();
    let (length, speed) = run.units();
    let image = |places: &[f64], slips: &[f64]| -> Result<Vec<f64>, AssemblyError> {
        let mut twin = run.restarted(places, slips);
        twin.advance_to(end)?;
        let (y, w) = twin.phase_point();
        Ok(clusters
            .iter()
            .flat_map(|&(c, _)| [y[c] / length, w[c] / speed])
            .collect())
    };
    let home: Vec<f64> = clusters
        .iter()
        .flat_map(|&(c, _)| [places[c] / length, slips[c] / speed])
        .collect();
    let back = image(&places, &slips)?;
    let residual = home
        .iter()
        .zip(&back)
        .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    let n = home.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (k, &(first, last)) in clusters.iter().enumerate() {
        if held(run, places[first], slips[first]) {
            continue;
        }
        for (column, unit) in [(2 * k, length), (2 * k + 1, speed)] {
            let shifted = |steps: f64| {
                let (mut y, mut w) = (places.clone(), slips.clone());
                let which = if column % 2 == 0 { &mut y } else { &mut w };
                for x in &mut which[first..=last] {
                    *x += steps * STEP * unit;
                }
                image(&y, &w)
            };
            let (a, b, c, d) = (shifted(-2.0)?, shifted(-1.0)?, shifted(1.0)?, shifted(2.0)?);
            for (row, entries) in matrix.iter_mut().enumerate() {
                entries[column] = (a[row] - 8.0 * b[row] + 8.0 * c[row] - d[row]) / (12.0 * STEP);
            }
        }
    }
    let mut multipliers: Vec<Multiplier> = eigenvalues(matrix)
        .into_iter()
        .map(|(re, im)| Multiplier { re, im })
        .collect();
    multipliers.sort_by(|a, b| {
        b.modulus()
            .total_cmp(&a.modulus())
            .then(b.im.total_cmp(&a.im))
    });
    Ok(Floquet {
        multipliers,
        residual,
    })
}

/// At rest against a wall.
fn held(run: &Assembly, place: f64, slip: f64) -> bool {
    slip == 0.0 && (place == 0.0 || place == run.free_travel())
}
