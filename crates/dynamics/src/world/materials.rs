//! Friction and restitution by pairs of materials, where the mean of two surfaces is not what was measured.

use super::World;
use super::member::Surface;
use crate::DynamicsError;
use klast_numerics::OutOfRange;

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

    fn find(&self, m: Material, n: Material) -> Result<usize, usize> {
        self.0
            .binary_search_by_key(&(m.min(n), m.max(n)), |entry| entry.0)
    }

    fn set(&mut self, m: Material, n: Material, pair: Surface) {
        match self.find(m, n) {
            Ok(k) => self.0[k].1 = pair,
            Err(k) => self.0.insert(k, ((m.min(n), m.max(n)), pair)),
        }
    }
}

impl World {
    /// Says what a body is made of; it has no material before.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn set_material(&mut self, body: usize, material: Material) -> Result<(), DynamicsError> {
        let count = self.members.len();
        let member = self.members.get_mut(body);
        let member = member.ok_or_else(|| missing("body", body, count))?;
        member.material = Some(material);
        self.wake();
        Ok(())
    }

    /// Says what a plane is made of.
    ///
    /// # Errors
    /// When there is no such plane.
    pub fn set_material_of_plane(
        &mut self,
        plane: usize,
        material: Material,
    ) -> Result<(), DynamicsError> {
        let count = self.planes.len();
        let boundary = self.planes.get_mut(plane);
        let boundary = boundary.ok_or_else(|| missing("plane", plane, count))?;
        boundary.material = Some(material);
        self.wake();
        Ok(())
    }

    /// Gives a pair of materials a friction and a restitution of its own, in place of the mean of both surfaces.
    ///
    /// # Errors
    /// When the friction or the restitution is out of range.
    pub fn set_pair(
        &mut self,
        a: Material,
        b: Material,
        pair: Surface,
    ) -> Result<(), DynamicsError> {
        pair.check()?;
        self.pairs.set(a, b, pair);
        self.wake();
        Ok(())
    }
}

fn missing(field: &'static str, found: usize, count: usize) -> DynamicsError {
    OutOfRange::new(field, found, format!("below {count}")).into()
}
