//! Rectangles in plan.

use glam::DVec2;

/// A closed rectangle in plan, sides along the axes (m).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Corner with the least coordinates.
    pub lower: DVec2,
    /// Corner with the greatest coordinates.
    pub upper: DVec2,
}

impl std::fmt::Display for Area {
    /// The ranges of both coordinates, to the millimetre.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [lower, upper] = [self.lower, self.upper].map(|p| (1e3 * p).round() / 1e3);
        write!(
            f,
            "x {} to {}, y {} to {} m",
            lower.x, upper.x, lower.y, upper.y
        )
    }
}

impl Area {
    /// No bounds at all.
    pub const EVERYWHERE: Area = Area {
        lower: DVec2::NEG_INFINITY,
        upper: DVec2::INFINITY,
    };

    /// The square of half-width `reach` about a point.
    pub fn around(centre: DVec2, reach: f64) -> Self {
        Area {
            lower: centre - DVec2::splat(reach),
            upper: centre + DVec2::splat(reach),
        }
    }

    /// The least rectangle with two points on its rim.
    pub fn spanned(a: DVec2, b: DVec2) -> Self {
        Area {
            lower: a.min(b),
            upper: a.max(b),
        }
    }

    /// Moved outwards on all sides.
    pub fn grown(self, margin: f64) -> Self {
        Area {
            lower: self.lower - DVec2::splat(margin),
            upper: self.upper + DVec2::splat(margin),
        }
    }

    /// Whether a point is inside or on the rim.
    pub fn contains(&self, p: DVec2) -> bool {
        p.cmpge(self.lower).all() && p.cmple(self.upper).all()
    }

    /// Whether two rectangles have a point in common.
    pub fn meets(&self, other: &Area) -> bool {
        self.lower.cmple(other.upper).all() && other.lower.cmple(self.upper).all()
    }
}
