//! An impact on ground that yields: the body meets it on the section that its way in has reached.
//!
//! The impact itself is that of the engine, at the corners of that section in place of the points that touch, so that a
//! body which has dug in is held over the real area of contact. R_n belongs to the part of the work that the yield
//! pressure took, σ V of σ V + ∫ ρ v² dV; what the ejected soil carries off does not come back: R_n √(σ V/W). Both
//! become those of rigid ground as σ grows. The body stays where it touched: the way in takes some hundredths of a
//! second, and the ground keeps no hole.

use super::event_loop::TOUCHING;
use super::follow::Follow;
use super::way_in::{Dig, Dug};
use super::workspace::Workspace;
use crate::State;
use glam::DVec3;
use klast_geometry::ContactPoint;

/// Depth, relative to the radius, below which ground counts as rigid: that of points that touch.
const RIGID: f64 = TOUCHING;

/// The number and the normal of the contact that closes fastest.
pub(super) fn fastest(state: &State, points: &[ContactPoint]) -> Option<(usize, DVec3)> {
    let closing = |c: &ContactPoint| {
        -state
            .velocity
            .at(c.point - state.pose.translation)
            .dot(c.normal)
    };
    let faster = |a: &(usize, &ContactPoint), b: &(usize, &ContactPoint)| {
        closing(a.1).total_cmp(&closing(b.1))
    };
    let found = points.iter().enumerate().max_by(faster)?;
    Some((found.0, found.1.normal))
}

impl Follow<'_> {
    /// Goes into the ground at a contact, whose normal is that of the ground's shape, and puts the corners of the
    /// section in the place of the contacts on that plane. None where the ground is rigid.
    pub(super) fn dig(&mut self, (number, normal): (usize, DVec3)) -> Option<Dug> {
        let met = *self.workspace.manifold.points.get(number)?;
        let law = self.law.penetration(met.point)?;
        let Workspace {
            manifold,
            coefficients,
            patch,
            ..
        } = &mut *self.workspace;
        let dug = Dig::new(self.body, &self.state, normal, law).run(&mut patch.corners);
        if dug.depth <= RIGID * self.body.shape().radius() || patch.corners.is_empty() {
            return None;
        }
        let part = libm::sqrt(dug.yield_part / dug.work.max(f64::MIN_POSITIVE));
        let own = coefficients.get(number)?.with_part_of_restitution(part);
        patch.touching.clone_from(&manifold.points);
        let aside = |c: &ContactPoint| c.normal.dot(met.normal) < 1.0 - 1e-12;
        patch.kept.clear();
        let others = manifold.points.iter().zip(&*coefficients);
        patch
            .kept
            .extend(others.filter(|(c, _)| aside(c)).map(|(_, own)| *own));
        manifold.points.retain(aside);
        let at = |corner: &DVec3| ContactPoint {
            point: self.state.pose.translation + *corner,
            ..met
        };
        manifold.points.extend(patch.corners.iter().map(at));
        coefficients.clone_from(&patch.kept);
        coefficients.resize(manifold.points.len(), own);
        self.tally.deepest = self.tally.deepest.max(dug.depth);
        Some(dug)
    }

    /// Puts the contacts that touch back in the place of those of the section.
    pub(super) fn fill_up(&mut self) {
        let Workspace {
            manifold, patch, ..
        } = &mut *self.workspace;
        std::mem::swap(&mut manifold.points, &mut patch.touching);
    }
}
