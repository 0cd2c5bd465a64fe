//! Joints that are bonded at the start: those between materials whose pair has a cohesion or a tensile strength.

use klast_dynamics::{Bond, Material, World};
use klast_runs::error::Result;

use super::statics::touching;

/// A pair of materials that is bonded.
pub struct Mortar {
    /// Both materials.
    pub materials: [Material; 2],
    /// Strengths of their joints.
    pub bond: Bond,
}

/// Bonds the joints that touch at the start; `materials` are those of the bodies and of the planes.
pub fn bond(world: &mut World, mortars: &[Mortar], materials: [&[Material]; 2]) -> Result<()> {
    if mortars.is_empty() {
        return Ok(());
    }
    let contacts = touching(world).unwrap_or_default();
    let [of_bodies, of_planes] = materials;
    for pair in contacts.chunk_by(|a, b| (a.first, a.second) == (b.first, b.second)) {
        let Some(c) = pair.first() else { continue };
        let first = of_bodies.get(c.first as usize);
        let second = match c.plane() {
            Some(plane) => of_planes.get(plane),
            None => of_bodies.get(c.second as usize),
        };
        let Some((a, b)) = first.zip(second) else {
            continue;
        };
        let own = mortars
            .iter()
            .find(|m| m.materials == [*a, *b] || m.materials == [*b, *a]);
        let Some(mortar) = own else { continue };
        match c.plane() {
            Some(plane) => world.bond_to_plane(c.first as usize, plane, mortar.bond)?,
            None => world.bond(c.first as usize, c.second as usize, mortar.bond)?,
        }
    }
    Ok(())
}
