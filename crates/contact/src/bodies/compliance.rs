//! Compliant contacts: each carries its impulse on from step to step, as a spring.
//!
//! Rigid frictional contact can be non-unique or have folds on every short homotopy: in a heap of irregular blocks the
//! sign of the determinant of `M + Hᵀ K H` changes back and forth along it. A little compliance takes all this away.
//!
//! A spring of stiffness `k` in all three directions, moved over a step `h` by the velocity at its end, changes its
//! force by `−k h u`, so with the impulse `r₀` of the step before
//!
//! > `u′ = u + c (r − r₀)`, `c = 1/(k h²)`, takes the place of `u` in the law,
//!
//! which is the same problem with `W + c` and `q − c r₀`: Signorini's condition and Coulomb's law on the force of an
//! elastic contact (Cundall and Strack 1979), by the backward Euler rule. With `E = ½ c ‖r‖²` stored, `−r·u − ΔE =
//! −r·u′ + ½ c ‖r − r₀‖²` is never negative, so no contact generates energy. At rest `r = r₀`, and the law is that of
//! rigid contacts.

use super::body::{BodyInertia, BodyVelocity};
use super::contact_pair::ContactPair;
use super::problem::Problem;
use crate::error::{ContactError, non_negative};
use klast_numerics::OutOfRange;

impl Problem {
    /// As [`Problem::load`], with all contacts of a compliance `c = 1/(k h²)` (1/kg) and carrying the impulses that
    /// they are loaded with; 0 for rigid ones.
    ///
    /// # Errors
    /// As those of a load, and when the compliance is negative or not finite. The problem is then empty.
    pub fn load_compliant(
        &mut self,
        bodies: &[BodyInertia],
        velocities: &[BodyVelocity],
        pairs: &[ContactPair],
        compliance: f64,
    ) -> Result<(), ContactError> {
        self.load_with_springs(bodies, velocities, pairs, (compliance, &[]))
    }

    /// The same, with compliances of their own for as many of the last contacts as there are in the list.
    ///
    /// # Errors
    /// As those of a load, when a compliance is negative or not finite, and when there are more than contacts. The
    /// problem is then empty.
    pub fn load_with_springs(
        &mut self,
        bodies: &[BodyInertia],
        velocities: &[BodyVelocity],
        pairs: &[ContactPair],
        (compliance, last): (f64, &[f64]),
    ) -> Result<(), ContactError> {
        self.clear();
        non_negative("compliance", compliance)?;
        for own in last {
            non_negative("compliance", *own)?;
        }
        let Some(first) = pairs.len().checked_sub(last.len()) else {
            let accepted = format!("at most {}, the number of contacts", pairs.len());
            return Err(OutOfRange::new("compliances", last.len(), accepted).into());
        };
        let rigid = compliance == 0.0 && last.is_empty();
        self.load_rigid(rigid, bodies, velocities, pairs)?;
        if !rigid {
            self.soften(|pair| match pair.checked_sub(first) {
                Some(k) => last[k],
                None => compliance,
            });
        }
        Ok(())
    }

    /// Makes contacts compliant that were just loaded.
    fn soften(&mut self, of_pair: impl Fn(usize) -> f64) {
        for row in &mut self.rows {
            let compliance = of_pair(row.pair as usize);
            if compliance == 0.0 {
                continue;
            }
            let softer = |gain: f64| match gain {
                0.0 => 1.0 / compliance,
                gain => gain / (1.0 + compliance * gain),
            };
            let acts = row.normal_gain > 0.0 || row.tangent_gain > 0.0;
            row.rho = softer(if acts { row.rho } else { 0.0 });
            row.normal_gain = softer(row.normal_gain);
            row.tangent_gain = softer(row.tangent_gain);
            row.bias -= row.r * compliance;
            row.compliance = compliance;
            self.springs += 1;
        }
        self.velocities.copy_from_slice(&self.free);
        self.start();
    }
}
