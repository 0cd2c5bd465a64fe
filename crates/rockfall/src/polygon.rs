//! Polygons in plan.

use crate::RockfallError;
use crate::error::within;
use crate::ring::crossing;
use glam::DVec2;
use klast_geometry::ring;
use klast_geometry::terrain::Area;

/// A simple polygon in plan, with holes given as further rings; even-odd rule. It may be cut to a rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    rings: Vec<Vec<DVec2>>,
    cut: Option<Area>,
    // Both of what is left of it.
    corners: (DVec2, DVec2),
    area: f64,
}

/// Share of the areas of the rings below which what they leave is rounding: the same ring from another corner on.
const SLIVER: f64 = 1e-9;

impl Polygon {
    /// A polygon from rings of map coordinates (m); a ring needs three points, closed or not; rings cross neither
    /// themselves nor each other. Rings that leave no area, as one that is there twice, are refused.
    pub fn new(rings: Vec<Vec<DVec2>>) -> Result<Self, RockfallError> {
        for ring in &rings {
            let closing = usize::from(ring.len() > 1 && ring.first() == ring.last());
            if ring.len() - closing < 3 {
                return Err(RockfallError::Count {
                    field: "polygon points",
                    found: ring.len(),
                    accepted: "3 or more in each ring".into(),
                });
            }
            if let Some(p) = ring.iter().find(|p| !p.is_finite()) {
                return Err(RockfallError::OutOfRange {
                    field: "polygon point",
                    found: p.x + p.y,
                    accepted: "finite coordinates",
                });
            }
        }
        if let Some(DVec2 { x, y }) = crossing(&rings) {
            return Err(RockfallError::Crossed { x, y });
        }
        if rings.is_empty() {
            return Err(RockfallError::Count {
                field: "polygon rings",
                found: 0,
                accepted: "1 or more".into(),
            });
        }
        let whole: f64 = rings.iter().map(|ring| ring::area(ring)).sum();
        let polygon = Polygon::within(rings, None);
        within(
            "polygon area",
            polygon.area(),
            polygon.area() > SLIVER * whole,
            "above 0 m²: rings that do not cancel each other",
        )?;
        Ok(polygon)
    }

    /// The rings.
    pub fn rings(&self) -> &[Vec<DVec2>] {
        &self.rings
    }

    /// What lies in a rectangle, up to its upper sides; none of a polygon beside it.
    #[must_use]
    pub fn cut(&self, to: Area) -> Option<Polygon> {
        let both = |own: Area| Area {
            lower: own.lower.max(to.lower),
            upper: own.upper.min(to.upper),
        };
        let part = Self::within(self.rings.clone(), Some(self.cut.map_or(to, both)));
        (part.area > SLIVER * self.area).then_some(part)
    }

    fn within(rings: Vec<Vec<DVec2>>, cut: Option<Area>) -> Self {
        let lists: Vec<&[DVec2]> = rings.iter().map(Vec::as_slice).collect();
        let (mut area, mut corners) = (0.0, (DVec2::INFINITY, DVec2::NEG_INFINITY));
        for (ring, around) in lists.iter().zip(ring::around(&lists)) {
            // It may run to and fro along the sides of the rectangle, which changes neither box nor area.
            let left = cut.map_or(ring.to_vec(), |cut| clipped(ring, cut));
            let sign = match around.len().is_multiple_of(2) {
                true => 1.0,
                false => -1.0,
            };
            area += sign * ring::area(&left);
            corners.0 = left.iter().copied().fold(corners.0, DVec2::min);
            corners.1 = left.iter().copied().fold(corners.1, DVec2::max);
        }
        Polygon {
            rings,
            cut,
            corners,
            area,
        }
    }

    /// Its box: the least and the largest coordinates (m).
    pub(crate) fn corners(&self) -> (DVec2, DVec2) {
        self.corners
    }

    /// Area (m²): a ring in an odd number of others is a hole, a ring in an even number of them an island.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Whether a point is inside.
    pub fn contains(&self, p: DVec2) -> bool {
        if let Some(Area { lower, upper }) = self.cut
            && !(p.cmpge(lower).all() && p.cmplt(upper).all())
        {
            return false;
        }
        let mut inside = false;
        for ring in &self.rings {
            inside ^= ring::contains(ring, p);
        }
        inside
    }
}

/// A ring cut to a rectangle, side by side (Sutherland and Hodgman 1974): its area is that of what lies in it.
fn clipped(ring: &[DVec2], area: Area) -> Vec<DVec2> {
    let mut ring = ring.to_vec();
    for (side, inwards) in [
        (area.lower.x, DVec2::X),
        (area.lower.y, DVec2::Y),
        (-area.upper.x, DVec2::NEG_X),
        (-area.upper.y, DVec2::NEG_Y),
    ] {
        let depth = |p: DVec2| p.dot(inwards) - side;
        let mut kept = Vec::with_capacity(ring.len() + 2);
        let before = ring.iter().cycle().skip(ring.len().saturating_sub(1));
        for (&a, &b) in before.zip(&ring) {
            let (from, to) = (depth(a), depth(b));
            if (from < 0.0) != (to < 0.0) {
                kept.push(a.lerp(b, from / (from - to)));
            }
            if to >= 0.0 {
                kept.push(b);
            }
        }
        ring = kept;
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Areas by hand; what is inside has that area.
    #[test]
    fn areas_are_those_of_the_inside() {
        let square = |from: (f64, f64), side: f64| -> Vec<DVec2> {
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                .map(|(x, y)| DVec2::new(2.6e6 + from.0 + side * x, from.1 + side * y))
                .to_vec()
        };
        let diamond: Vec<DVec2> = [(5.0, 0.0), (10.0, 5.0), (5.0, 10.0), (0.0, 5.0)]
            .map(|(x, y)| DVec2::new(2.6e6 + x, y))
            .to_vec();
        let outer = square((0.0, 0.0), 10.0);
        for (others, area) in [
            (vec![square((2.0, 2.0), 6.0)], 64.0),
            // An island in the hole, and a ring beside the first.
            (vec![square((2.0, 2.0), 6.0), square((3.0, 3.0), 2.0)], 68.0),
            (vec![square((20.0, 0.0), 3.0)], 109.0),
            (vec![diamond], 50.0),
        ] {
            let rings = [vec![outer.clone()], others].concat();
            let polygon = Polygon::new(rings).unwrap();
            assert!((polygon.area() - area).abs() < 1e-9, "{}", polygon.area());
            // Middles of cells of 0.2 m: no rim goes through one but for that of the diamond.
            let middles = (0..200u32).flat_map(|i| (0..60u32).map(move |j| [i, j]));
            let inside = middles
                .map(|m| DVec2::from(m.map(|k| 0.2 * f64::from(k) + 0.1)))
                .filter(|p| polygon.contains(*p + DVec2::new(2.6e6, 0.0)));
            let counted = 0.04 * inside.count() as f64;
            assert!((counted - area).abs() < 2.1, "{counted} of {area}");
        }
    }

    /// By even and odd a ring that is there twice leaves nothing, from whichever corner it begins; one that is there
    /// three times is there once.
    #[test]
    fn a_ring_that_is_there_twice_is_refused() {
        let outer = [(0.1, 0.3), (10.7, 0.9), (9.3, 7.1), (1.7, 5.9)];
        let outer = outer
            .map(|(x, y)| DVec2::new(2.6e6 + x, 1.2e6 + y))
            .to_vec();
        for turn in 0..4 {
            let mut again = outer.clone();
            again.rotate_left(turn);
            let said = Polygon::new(vec![outer.clone(), again.clone()]).unwrap_err();
            assert!(
                matches!(
                    said,
                    RockfallError::OutOfRange {
                        field: "polygon area",
                        ..
                    }
                ),
                "{said}"
            );
            again.reverse();
            assert!(Polygon::new(vec![outer.clone(), again]).is_err());
        }
        let once = Polygon::new(vec![outer.clone()]).unwrap();
        let thrice = Polygon::new(vec![outer; 3]).unwrap();
        assert!((thrice.area() - once.area()).abs() < 1e-9);
        let middle = DVec2::new(2.6e6 + 5.0, 1.2e6 + 3.0);
        assert!(once.contains(middle) && thrice.contains(middle));
    }
}
