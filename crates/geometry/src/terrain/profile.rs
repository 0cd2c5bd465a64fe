//! A polyline in a vertical plane, extruded sideways without end.

use super::{Area, Facet, Surface, Terrain, TerrainError, VerticalResolution};
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;

/// A profile: heights over stations along x; the same for every y. Facet numbers are segment numbers from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    points: Vec<DVec2>,
    normals: Vec<DVec3>,
    vertical: VerticalResolution,
}

impl Profile {
    /// A profile from (station, height) points in m, at least two, with increasing stations.
    pub fn new(points: Vec<DVec2>) -> Result<Self, TerrainError> {
        if points.len() < 2 || points.len() > u32::MAX as usize {
            return Err(
                OutOfRange::new("number of profile points", points.len(), "2 or more").into(),
            );
        }
        for (index, p) in points.iter().enumerate() {
            if !p.is_finite() {
                return Err(OutOfRange::new(
                    "profile point",
                    if p.x.is_finite() { p.y } else { p.x },
                    "a finite number",
                )
                .at(index)
                .into());
            }
        }
        let mut normals = Vec::with_capacity(points.len() - 1);
        for (index, w) in points.windows(2).enumerate() {
            if w[1].x <= w[0].x {
                return Err(TerrainError::FoldsBack {
                    index: index + 1,
                    from: w[0].x,
                    to: w[1].x,
                });
            }
            let d = w[1] - w[0];
            let length = d.length();
            normals.push(DVec3::new(-d.y / length, 0.0, d.x / length));
        }
        let vertical = VerticalResolution::read(points.iter().map(|p| p.y));
        Ok(Profile {
            points,
            normals,
            vertical,
        })
    }

    /// The same ground with heights as uncertain as stated, whatever their digits say.
    pub fn with_vertical_resolution(mut self, resolution: VerticalResolution) -> Self {
        self.vertical = resolution;
        self
    }

    /// The points, (station, height) in m.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    fn segment(&self, x: f64) -> usize {
        let inner = &self.points[1..self.normals.len()];
        inner.partition_point(|p| p.x <= x)
    }

    /// Adds the halves of all strips over an area, those that are reached by the ends of the diagonal between them in
    /// plan, the one in the south first.
    fn strips(
        &self,
        area: Area,
        out: &mut Vec<Facet>,
        reached: impl Fn(DVec2, DVec2) -> [bool; 2],
    ) {
        if !(area.lower.y.is_finite() && area.upper.y.is_finite()) {
            return;
        }
        // The strips have no ends: these lie well outside of the area asked for.
        let reach = 8.0 * (area.upper - area.lower).max_element() + 8.0;
        let (south, north) = (area.lower.y - reach, area.upper.y + reach);
        let first = self.segment(area.lower.x);
        for i in first..self.normals.len() {
            if i > first && self.points[i].x > area.upper.x {
                break;
            }
            let (a, b) = (self.points[i], self.points[i + 1]);
            if b.x < area.lower.x || a.x > area.upper.x {
                continue;
            }
            let at = |p: DVec2, y: f64| DVec3::new(p.x, y, p.y);
            let (normal, id) = (self.normals[i], i as u32);
            let [first, second] = reached(DVec2::new(a.x, south), DVec2::new(b.x, north));
            if first {
                out.push(Facet {
                    corners: [at(a, south), at(b, south), at(b, north)],
                    normal,
                    id,
                });
            }
            if second {
                out.push(Facet {
                    corners: [at(a, south), at(b, north), at(a, north)],
                    normal,
                    id,
                });
            }
        }
    }

    /// The ends of the segment under a station; none off the profile.
    fn piece(&self, x: f64) -> Option<(DVec2, DVec2)> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        let i = (x >= first.x && x <= last.x).then(|| self.segment(x))?;
        Some((self.points[i], self.points[i + 1]))
    }
}

impl Terrain for Profile {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        if !(x >= first.x && x <= last.x && y.is_finite()) {
            return None;
        }
        let i = self.segment(x);
        let (a, b) = (self.points[i], self.points[i + 1]);
        let height = a.y + (x - a.x) * ((b.y - a.y) / (b.x - a.x));
        Some(Surface {
            height,
            normal: self.normals[i],
            facet: i as u32,
        })
    }

    /// As the default has it; neighbours among the points are often on one segment.
    fn heights(&self, points: &[DVec2], out: &mut Vec<f64>) {
        let none = (DVec2::NAN, DVec2::NAN);
        let ((mut a, mut b), mut slope) = (none, f64::NAN);
        out.extend(points.iter().map(|p| {
            if !(a.x <= p.x && p.x < b.x) {
                (a, b) = self.piece(p.x).unwrap_or(none);
                slope = (b.y - a.y) / (b.x - a.x);
            }
            match p.y.is_finite() {
                true => a.y + (p.x - a.x) * slope,
                false => f64::NAN,
            }
        }));
    }

    fn facets(&self, area: Area, out: &mut Vec<Facet>) {
        self.strips(area, out, |_, _| [true; 2]);
    }

    /// Without the half of a strip on the other side of its diagonal.
    fn facets_at(&self, area: Area, out: &mut Vec<Facet>) {
        self.strips(area, out, |from, to| {
            let diagonal = to - from;
            let side = |p: DVec2| diagonal.perp_dot(p - from);
            let least = DVec2::new(area.upper.x, area.lower.y);
            let most = DVec2::new(area.lower.x, area.upper.y);
            [side(least) <= 0.0, side(most) >= 0.0]
        });
    }

    /// As the default has it, without a list of facets.
    fn highest(&self, area: Area) -> Option<f64> {
        if !(area.lower.y.is_finite() && area.upper.y.is_finite()) {
            return None;
        }
        let segments = self.segment(area.lower.x)..=self.segment(area.upper.x);
        segments
            .map(|i| (self.points[i], self.points[i + 1]))
            .filter(|(a, b)| !(b.x < area.lower.x || a.x > area.upper.x))
            .map(|(a, b)| a.y.max(b.y))
            .reduce(f64::max)
    }

    /// At an end of the area, or at a point between.
    fn lowest(&self, area: Area) -> Option<f64> {
        let (from, to) = (area.lower.x, area.upper.x);
        let ends = [from, to].map(|x| self.surface(x, 0.0).map(|s| s.height));
        let first = self.points.partition_point(|p| p.x < from);
        let between = self.points.iter().skip(first).take_while(|p| p.x <= to);
        let between = between.map(|p| p.y);
        between.chain(ends.into_iter().flatten()).reduce(f64::min)
    }

    fn breaks(&self, from: DVec2, to: DVec2, _: &mut Vec<Facet>, out: &mut Vec<f64>) {
        let (low, high) = (from.x.min(to.x), from.x.max(to.x));
        let first = self.points.partition_point(|p| p.x <= low);
        let points = self.points.iter().skip(first);
        let under = points.take_while(|p| p.x < high);
        out.extend(under.map(|p| (p.x - from.x) / (to.x - from.x)));
    }

    fn extent(&self) -> Area {
        let (first, last) = (self.points[0].x, self.points[self.points.len() - 1].x);
        Area {
            lower: DVec2::new(first, f64::NEG_INFINITY),
            upper: DVec2::new(last, f64::INFINITY),
        }
    }

    fn is_its_facets(&self) -> bool {
        true
    }

    fn vertical_resolution(&self) -> VerticalResolution {
        self.vertical
    }

    fn resolution(&self) -> f64 {
        let extent = self.extent();
        (extent.upper.x - extent.lower.x) / self.normals.len() as f64
    }
}
