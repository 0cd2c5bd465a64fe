//! Materials of the bodies and planes of a world.

use super::World;
use super::materials::{Material, Surface, missing};
use crate::DynamicsError;

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
