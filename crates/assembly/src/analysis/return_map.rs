//! The map from one section to the section some drive periods later, and its derivative.

use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// Step of the difference quotients, in units of u0 and u0 Ω: the fourth-order quotient then errs by about 1e-16 by
/// truncation and 1e-10 by rounding.
const STEP: f64 = 2e-5;

/// The map of (coordinate, slip) of each cluster, in units of u0 and u0 Ω, over whole drive periods.
///
/// Clusters are moved as wholes; blocks of one cluster keep one state.
pub(crate) struct ReturnMap<'a> {
    run: &'a Assembly,
    clusters: Vec<(usize, usize)>,
    end: f64,
    units: [f64; 2],
}

impl<'a> ReturnMap<'a> {
    pub(crate) fn new(run: &'a Assembly, period: u64) -> Result<Self, AssemblyError> {
        let drive = run.basin().motion.period().ok_or(AssemblyError::NoPeriod)?;
        let (length, speed) = run.units();
        Ok(Self {
            run,
            clusters: run.clusters(),
            end: run.time() + period as f64 * drive,
            units: [length, speed],
        })
    }

    /// The state of the run itself.
    pub(crate) fn home(&self) -> Vec<f64> {
        self.point(self.run)
    }

    fn point(&self, run: &Assembly) -> Vec<f64> {
        let (y, w) = run.phase_point();
        self.clusters
            .iter()
            .flat_map(|&(c, _)| [y[c] / self.units[0], w[c] / self.units[1]])
            .collect()
    }

    /// A twin of the run in the state `at`.
    pub(crate) fn twin(&self, at: &[f64]) -> Assembly {
        let (mut y, mut w) = self.run.phase_point();
        for (&(first, last), state) in self.clusters.iter().zip(at.chunks_exact(2)) {
            y[first..=last].fill(state[0] * self.units[0]);
            w[first..=last].fill(state[1] * self.units[1]);
        }
        self.run.restarted(&y, &w)
    }

    /// Where `at` is mapped to.
    pub(crate) fn image(&self, at: &[f64]) -> Result<Vec<f64>, AssemblyError> {
        let mut twin = self.twin(at);
        twin.advance_to(self.end)?;
        Ok(self.point(&twin))
    }

    /// Derivative of the map at `at`, row by row. A cluster held by a wall forgets a disturbance at once: two columns
    /// of zeros.
    pub(crate) fn jacobian(&self, at: &[f64]) -> Result<Vec<Vec<f64>>, AssemblyError> {
        let n = at.len();
        let free = self.run.free_travel() / self.units[0];
        let mut matrix = vec![vec![0.0; n]; n];
        for column in 0..n {
            let (place, slip) = (at[column & !1], at[column | 1]);
            if slip == 0.0 && (place == 0.0 || place == free) {
                continue;
            }
            let shifted = |steps: f64| {
                let mut point = at.to_vec();
                point[column] += steps * STEP;
                self.image(&point)
            };
            let (a, b, c, d) = (shifted(-2.0)?, shifted(-1.0)?, shifted(1.0)?, shifted(2.0)?);
            for (row, entries) in matrix.iter_mut().enumerate() {
                entries[column] = (a[row] - 8.0 * b[row] + 8.0 * c[row] - d[row]) / (12.0 * STEP);
            }
        }
        Ok(matrix)
    }
}

/// Largest difference of two points.
pub(crate) fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter()
        .zip(b)
        .fold(0.0, |m: f64, (p, q)| m.max((p - q).abs()))
}
