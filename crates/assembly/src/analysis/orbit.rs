//! Is a motion that seems to repeat itself a periodic orbit? Newton's method on the return map (shooting).

use super::floquet::{Floquet, multipliers};
use super::return_map::{ReturnMap, apart};
use crate::assembly::Assembly;
use crate::error::AssemblyError;
use nalgebra::{DMatrix, DVector};

/// A periodic orbit near a run, or the failure to find one.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodicOrbit {
    /// Drive periods after which it closes.
    pub period: u64,
    /// Multipliers, and how far from closing the refined orbit is, in units of u0 and u0 Ω.
    pub floquet: Floquet,
    /// How far from the run the refined orbit lies, in the same units.
    pub moved: f64,
    /// Whether no proper divisor of the period closes it as well.
    pub smallest: bool,
}

impl PeriodicOrbit {
    /// Closed to 1e-10 after a correction no larger than `reach`: a recurrence of a chaotic motion is not.
    ///
    /// Rounding leaves 1e-15 per impact, times what the orbit stretches on its way; a thousand impacts stay below
    /// 1e-10.
    #[must_use]
    pub fn exists(&self, reach: f64) -> bool {
        self.floquet.residual < 1e-10 && self.moved <= reach && self.smallest
    }

    /// Whether it attracts its neighbours.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        self.floquet.spectral_radius() < 1.0
    }
}

/// Rounds of Newton's method; it doubles the digits in each.
const ROUNDS: usize = 6;

/// Refines the state of `run`, which stands at a section that is no impact, to an orbit that closes after `period`
/// drive periods.
///
/// # Errors
/// A motion without a period.
pub fn periodic_orbit(run: &Assembly, period: u64) -> Result<PeriodicOrbit, AssemblyError> {
    let map = ReturnMap::new(run, period)?;
    let start = map.home();
    let mut best = start.clone();
    let mut residual = apart(&best, &map.image(&best)?);
    for _ in 0..ROUNDS {
        if residual == 0.0 {
            break;
        }
        let jacobian = map.jacobian(&best)?;
        let image = map.image(&best)?;
        let defect = image.iter().zip(&best).map(|(p, z)| p - z).collect();
        let Some(step) = step_to_fixed_point(&jacobian, defect) else {
            break;
        };
        let next: Vec<f64> = best.iter().zip(&step).map(|(z, s)| z + s).collect();
        let found = apart(&next, &map.image(&next)?);
        // Once rounding rules, a step no longer helps.
        if found.is_nan() || found >= residual {
            break;
        }
        (best, residual) = (next, found);
    }
    let orbit = map.twin(&best);
    let floquet = Floquet {
        multipliers: multipliers(&map.jacobian(&best)?),
        residual,
    };
    let mut smallest = true;
    for divisor in (1..period).filter(|d| period.is_multiple_of(*d)) {
        let shorter = ReturnMap::new(&orbit, divisor)?;
        smallest &= apart(&shorter.home(), &shorter.image(&shorter.home())?) > 1e-7;
    }
    Ok(PeriodicOrbit {
        period,
        floquet,
        moved: apart(&best, &start),
        smallest,
    })
}

/// The step z with (I − A) z = `defect`; `None` where I − A is singular.
fn step_to_fixed_point(jacobian: &[Vec<f64>], defect: Vec<f64>) -> Option<Vec<f64>> {
    let n = defect.len();
    let rest = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) - jacobian[i][j]);
    let step = rest.lu().solve(&DVector::from_vec(defect))?;
    step.iter()
        .all(|x| x.is_finite())
        .then(|| step.as_slice().to_vec())
}
