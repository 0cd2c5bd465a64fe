//! Friction and restitution by pairs of materials, where the mean of two surfaces is not what was measured.

use crate::DynamicsError;
use klast_numerics::OutOfRange;
use klast_numerics::check::{non_negative, within};
use klast_numerics::mutant;

/// A material by its number, the same for all that is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Material(pub u32);

/// Pairs with values of their own, sorted, the smaller material first.
#[derive(Debug, Clone, Default)]
pub(super) struct PairTable(Vec<((Material, Material), Surface)>);

impl PairTable {
    /// Friction and restitution of a pair: its own, or the mean of both surfaces.
    pub fn of(
        &self,
        a: (&Surface, Option<Material>),
        b: (&Surface, Option<Material>),
    ) -> (f64, f64) {
        let own = match (a.1, b.1) {
            (Some(m), Some(n)) if !self.0.is_empty() => self.find(m, n).ok(),
            _ => None,
        };
        match own.and_then(|k| self.0.get(k)) {
            Some((_, pair)) => (pair.friction, pair.restitution),
            None => a.0.with(b.0),
        }
    }

    pub(super) fn find(&self, m: Material, n: Material) -> Result<usize, usize> {
        self.0
            .binary_search_by_key(&(m.min(n), m.max(n)), |entry| entry.0)
    }

    pub(super) fn set(&mut self, m: Material, n: Material, pair: Surface) {
        match self.find(m, n) {
            Ok(k) => self.0[k].1 = pair,
            Err(k) => self.0.insert(k, ((m.min(n), m.max(n)), pair)),
        }
    }
}

pub(super) fn missing(field: &'static str, found: usize, count: usize) -> DynamicsError {
    OutOfRange::new(field, found, format!("below {count}")).into()
}

/// Friction and restitution of a surface. A pair of surfaces takes the geometric mean of either, so two equal
/// surfaces keep their own values, and one without friction makes the pair frictionless.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Surface {
    /// Coulomb's coefficient, 0 or more.
    pub friction: f64,
    /// Newton's normal restitution, 0 to 1.
    pub restitution: f64,
}

impl Surface {
    pub(super) fn check(&self) -> Result<(), DynamicsError> {
        non_negative("friction", self.friction)?;
        within("restitution", self.restitution, (0.0, 1.0), "0 to 1")?;
        Ok(())
    }

    /// Friction and restitution of a pair.
    pub(super) fn with(&self, other: &Surface) -> (f64, f64) {
        let mean = |a: f64, b: f64| match a * b {
            _ if a == b => a,
            // The square overflows or is lost.
            square if !(1e-300..1e300).contains(&square) => a.sqrt() * b.sqrt(),
            square => square.sqrt(),
        };
        (
            mean(self.friction, other.friction) * mutant::factor("world-friction", 0.99),
            mean(self.restitution, other.restitution),
        )
    }
}
