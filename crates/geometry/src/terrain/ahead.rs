//! What lies in front of an edge of a mesh and below it, and the steep facets that close the step.

use super::border::{Border, passage};
use super::{Area, Facet, Terrain};
use glam::{DVec2, DVec3};

/// Share of the smaller of two triangles, or of an edge, that rounding may make.
pub(super) const ROUNDING: f64 = 1e-9;
/// Part of the size of coordinates by which rounding may lift an edge off another triangle.
const LEVEL: f64 = 1e-11;
/// How far the foot of a steep facet stands in front of its upper edge, at most (m). A polyhedron in contact goes a
/// tenth of its radius in a step: it must not step over the facet.
pub(super) const LEAN: f64 = 0.25;

/// Distance in plan within which a rock that slides finds the next triangle (m).
pub(super) fn touching(from: DVec2) -> f64 {
    1e-9 * (1.0 + from.abs().max_element())
}

/// The triangles in front of an edge, of those that count.
pub(super) struct Ahead<'a, C> {
    pub mesh: &'a dyn Terrain,
    pub border: &'a Border,
    pub counts: C,
}

/// How far an edge lies above a triangle in front of it (m).
pub(super) struct Step {
    pub below: Facet,
    pub height: f64,
}

impl<C: Fn(&Facet) -> bool> Ahead<'_, C> {
    /// How far the edge lies above each triangle in front of it, where that is more than rounding.
    pub fn steps(&self, near: &mut Vec<Facet>) -> Vec<Step> {
        let border = self.border;
        let (from, to) = border.ends();
        let size = from.abs().max(to.abs()).max_element();
        let (beside, least) = (touching(border.from), LEVEL * (1.0 + size));
        self.near(beside, near);
        let step = |facet: &Facet| {
            // From its own plane, so that a slope that goes on makes no step.
            let above = |s: f64| from.lerp(to, s).z - facet.height_at(border.at(s));
            let height = most_along(facet, border, beside * border.outward, above)?;
            let below = *facet;
            (height > least).then_some(Step { below, height })
        };
        near.iter().filter_map(step).collect()
    }

    /// The steep facets that close a step of this height: their upper edge is the edge, their foot stands in front of
    /// it as far as the step is high, at most [`LEAN`].
    pub fn wall(
        &self,
        height: f64,
        near: &mut Vec<Facet>,
    ) -> impl Iterator<Item = [DVec3; 3]> + use<C> {
        let lean = height.min(LEAN) * self.border.outward;
        let down = self.down(lean, near).max(height);
        let (from, to) = self.border.ends();
        let foot = lean.extend(-down);
        let wall = [[from, to, to + foot], [from, to + foot, from + foot]];
        // One so low that rounding leaves it no area in plan closes nothing.
        let closes = |w: &[DVec3; 3]| Facet::new(w[0], w[1], w[2], 0).is_some();
        wall.into_iter().filter(closes)
    }

    /// How far the edge lies above the triangles where it is moved by `shift` in plan (m).
    fn down(&self, shift: DVec2, near: &mut Vec<Facet>) -> f64 {
        let (from, to) = self.border.ends();
        self.near(shift.length(), near);
        let depth = |facet: &Facet| {
            let above = |s: f64| from.lerp(to, s).z - facet.height_at(self.border.at(s) + shift);
            most_along(facet, self.border, shift, above)
        };
        near.iter().filter_map(depth).fold(0.0, f64::max)
    }

    /// The triangles that count and may stand within a distance of the edge.
    fn near(&self, distance: f64, near: &mut Vec<Facet>) {
        near.clear();
        let area = Area::spanned(self.border.from, self.border.to);
        self.mesh.facets(area.grown(distance), near);
        near.retain(&self.counts);
    }
}

/// The greatest value at the ends of the stretch on which an edge, moved by `shift`, lies over a triangle: of what is
/// linear along it the greatest of all. The edge runs from 0 to 1.
fn most_along(
    facet: &Facet,
    border: &Border,
    shift: DVec2,
    value: impl Fn(f64) -> f64,
) -> Option<f64> {
    let whole = border.to - border.from;
    let (enters, leaves) = passage(facet, border.from + shift, whole)?;
    let (enters, leaves) = (enters.max(0.0), leaves.min(1.0));
    (leaves - enters > ROUNDING).then(|| value(enters).max(value(leaves)))
}
