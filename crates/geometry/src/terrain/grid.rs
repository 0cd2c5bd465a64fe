//! A raster of heights.

use super::facet_changes::even;
use super::{Area, Facet, Surface, Terrain, TerrainError, Values, VerticalResolution};
use glam::{DVec2, DVec3};
use klast_numerics::OutOfRange;
use klast_numerics::check::within;
use std::sync::Arc;

/// Cells (m) and heights (m) of a ground: squares of a cell and gradients stay far from the ends of a float.
const CELLS: (f64, f64) = (1e-6, 1e6);
const HIGHEST: f64 = 1e100;

/// How a raster cell, the square between four heights, becomes ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Diagonal {
    /// Two triangles along the diagonal from the lower left (least x and y) to the upper right corner.
    #[default]
    Rising,
    /// Two triangles along the diagonal from the upper left to the lower right corner.
    Falling,
    /// The bilinear surface, cut into n × n squares of two triangles each. The greatest distance from the smooth
    /// surface is t/(8 n²) for a cell of twist t = |z00 − z10 − z01 + z11|.
    Bilinear(u8),
}

/// A raster of heights at the nodes of a square mesh. A NaN is missing data: triangles that need it are not there.
///
/// Local coordinates start at the south-west node. Rows run from south to north, columns from west to east.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    columns: usize,
    rows: usize,
    cell: f64,
    // A raster may be large, and is kept beside the ground that it is.
    heights: Arc<Values>,
    origin: DVec3,
    crs: Option<String>,
    diagonal: Diagonal,
    vertical: VerticalResolution,
    // Of the nodes farthest to the north-east (m).
    size: DVec2,
}

/// The ground under a point: its height (m), a vector along its normal, and the number of its facet.
struct Under {
    height: f64,
    upwards: DVec3,
    facet: u32,
}

impl Grid {
    /// A raster from heights (m), row by row from the south, each from the west; `cell` is the spacing (m), `origin`
    /// the map coordinates of the south-west node (for a raster of cell centres: of the centre of the south-west cell).
    pub fn new(
        columns: usize,
        rows: usize,
        cell: f64,
        origin: DVec2,
        heights: Vec<f64>,
    ) -> Result<Self, TerrainError> {
        Self::of(columns, rows, cell, origin, heights.into())
    }

    /// As [`Grid::new`], of singles or doubles.
    pub fn of(
        columns: usize,
        rows: usize,
        cell: f64,
        origin: DVec2,
        heights: Values,
    ) -> Result<Self, TerrainError> {
        for (field, found) in [("raster columns", columns), ("raster rows", rows)] {
            if found < 2 {
                return Err(OutOfRange::new(
                    field,
                    found,
                    "2 or more: a surface needs four heights",
                )
                .into());
            }
        }
        let wanted = columns
            .checked_mul(rows)
            .filter(|n| n.saturating_mul(2) < u32::MAX as usize);
        if wanted != Some(heights.len()) {
            return Err(OutOfRange::new(
                "number of raster heights",
                heights.len(),
                format!("{columns} × {rows}, below 2 thousand million"),
            )
            .into());
        }
        within("cell size (m)", cell, CELLS, "from 1e-6 to 1e6")?;
        if !origin.is_finite() {
            return Err(
                OutOfRange::new("origin", origin.x + origin.y, "finite map coordinates").into(),
            );
        }
        if let Some(index) = heights.iter().position(|h| h.abs() > HIGHEST) {
            let accepted = "a number within 1e100 of 0";
            let [height] = heights.at([index]);
            return Err(OutOfRange::new("height (m)", height, accepted)
                .at(index)
                .into());
        }
        if heights.iter().all(f64::is_nan) {
            return Err(
                OutOfRange::new("number of heights that are numbers", 0, "1 or more").into(),
            );
        }
        let origin = origin.extend(0.0);
        let vertical = VerticalResolution::read(heights.iter());
        Ok(Grid {
            size: DVec2::new((columns - 1) as f64, (rows - 1) as f64) * cell,
            vertical,
            columns,
            rows,
            cell,
            heights: Arc::new(heights),
            origin,
            crs: None,
            diagonal: Diagonal::default(),
        })
    }

    /// The same raster with another surface in its cells.
    pub fn with_diagonal(mut self, diagonal: Diagonal) -> Self {
        self.diagonal = match diagonal {
            Diagonal::Bilinear(0) => Diagonal::Bilinear(1),
            other => other,
        };
        self
    }

    /// The same ground with heights as uncertain as stated, whatever their digits say.
    pub fn with_vertical_resolution(mut self, resolution: VerticalResolution) -> Self {
        self.vertical = resolution;
        self
    }

    /// The same raster with the name of its coordinate reference system.
    pub fn with_crs(mut self, crs: impl Into<String>) -> Self {
        self.crs = Some(crs.into());
        self
    }

    /// Nodes along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Nodes along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Spacing of the nodes (m).
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// How a cell becomes ground.
    pub fn diagonal(&self) -> Diagonal {
        self.diagonal
    }

    /// Heights row by row from the south (m); NaN where data are missing.
    pub fn heights(&self) -> &Values {
        &self.heights
    }

    /// The ground under a point.
    fn under(&self, p: DVec2) -> Option<Under> {
        if !self.extent().contains(p) {
            return None;
        }
        let DVec2 { x, y } = p;
        let (i, j) = (self.index(x, self.columns), self.index(y, self.rows));
        let (u, v) = (x / self.cell - i as f64, y / self.cell - j as f64);
        let id = 2 * (j * self.columns + i) as u32;
        let [sw, se, nw, ne] = self.around(i, j);
        let (height, gx, gy, second) = match self.diagonal {
            Diagonal::Rising if v <= u => (sw + u * (se - sw) + v * (ne - se), se - sw, ne - se, 0),
            Diagonal::Rising => (sw + u * (ne - nw) + v * (nw - sw), ne - nw, nw - sw, 1),
            Diagonal::Falling if u + v <= 1.0 => {
                (sw + u * (se - sw) + v * (nw - sw), se - sw, nw - sw, 0)
            }
            Diagonal::Falling => (
                ne - (1.0 - u) * (ne - nw) - (1.0 - v) * (ne - se),
                ne - nw,
                ne - se,
                1,
            ),
            Diagonal::Bilinear(_) => {
                let (south, north) = (sw + u * (se - sw), nw + u * (ne - nw));
                let gx = (1.0 - v) * (se - sw) + v * (ne - nw);
                (south + v * (north - south), gx, north - south, 0)
            }
        };
        let upwards = DVec3::new(-gx, -gy, self.cell);
        let is_ground = height.is_finite() && upwards.length_squared().is_finite();
        is_ground.then_some(Under {
            height,
            upwards,
            facet: id + second,
        })
    }

    /// Heights of the corners of a cell: south-west, south-east, north-west, north-east.
    #[inline]
    fn around(&self, i: usize, j: usize) -> [f64; 4] {
        let (south, north) = (j * self.columns + i, (j + 1) * self.columns + i);
        self.heights.at([south, south + 1, north, north + 1])
    }

    /// The cell under a coordinate that is inside the raster.
    fn index(&self, along: f64, nodes: usize) -> usize {
        // A cast rounds down what is not negative and takes the rest for 0; nodes are fewer than fit, and this one is
        // short.
        ((along / self.cell) as u32 as usize).min(nodes - 2)
    }

    /// The extreme height of all nodes whose cells may touch an area, of two the one that is chosen, a number before
    /// NaN.
    fn extreme(&self, area: Area, choose: impl Fn(f64, f64) -> f64) -> Option<f64> {
        if !area.meets(&self.extent()) {
            return None;
        }
        let (west, east) = (
            self.index(area.lower.x, self.columns),
            self.index(area.upper.x, self.columns) + 1,
        );
        let (south, north) = (
            self.index(area.lower.y, self.rows),
            self.index(area.upper.y, self.rows) + 1,
        );
        let mut found = f64::NAN;
        for row in south..=north {
            let start = row * self.columns;
            let places = start + west..start + east + 1;
            found = self.heights.fold(places, found, &choose);
        }
        (!found.is_nan()).then_some(found)
    }

    fn corners(&self, i: usize, j: usize) -> [DVec3; 4] {
        let [west, east] = [i, i + 1].map(|i| i as f64 * self.cell);
        let [south, north] = [j, j + 1].map(|j| j as f64 * self.cell);
        let [sw, se, nw, ne] = self.around(i, j);
        [
            DVec3::new(west, south, sw),
            DVec3::new(east, south, se),
            DVec3::new(west, north, nw),
            DVec3::new(east, north, ne),
        ]
    }

    fn cell_facets(&self, i: usize, j: usize, out: &mut Vec<Facet>) {
        let corners = self.corners(i, j);
        let id = 2 * (j * self.columns + i) as u32;
        match self.halves(corners) {
            Some(halves) => {
                for (half, id) in halves.into_iter().zip(id..) {
                    let [a, b, c] = half;
                    if let Some(facet) = Facet::new(a, b, c, id) {
                        out.push(facet);
                    }
                }
            }
            None => bilinear_facets(corners, self.parts(), id, out),
        }
    }

    /// The triangles of a cell from its corners (south-west, south-east, north-west, north-east), the one that the
    /// southern side belongs to first; none of a bilinear cell.
    fn halves(&self, [sw, se, nw, ne]: [DVec3; 4]) -> Option<[[DVec3; 3]; 2]> {
        match self.diagonal {
            Diagonal::Rising => Some([[sw, se, ne], [sw, ne, nw]]),
            Diagonal::Falling => Some([[sw, se, nw], [se, ne, nw]]),
            Diagonal::Bilinear(_) => None,
        }
    }

    /// Squares along the side of a cell.
    fn parts(&self) -> u8 {
        match self.diagonal {
            Diagonal::Bilinear(n) => n.max(1),
            _ => 1,
        }
    }

    /// Whether an area within or beside a cell reaches its triangles, the one that the southern side belongs to first.
    fn reached(&self, [sw, se, ..]: [DVec3; 4], area: Area) -> [bool; 2] {
        match self.diagonal {
            Diagonal::Rising => {
                let over = |p: DVec2| (p.y - sw.y) - (p.x - sw.x);
                let [least, most] = [
                    DVec2::new(area.upper.x, area.lower.y),
                    DVec2::new(area.lower.x, area.upper.y),
                ];
                [over(least) <= 0.0, over(most) >= 0.0]
            }
            _ => {
                let over = |p: DVec2| (p.y - se.y) + (p.x - se.x);
                [over(area.lower) <= 0.0, over(area.upper) >= 0.0]
            }
        }
    }
}

/// The n × n squares of a bilinear cell, two triangles each. Points on the rim depend on the rim's two corners only, so
/// neighbours share them.
fn bilinear_facets([sw, se, nw, ne]: [DVec3; 4], n: u8, id: u32, out: &mut Vec<Facet>) {
    let n = usize::from(n);
    let at = |i: usize, j: usize| {
        let mix = |a: DVec3, b: DVec3, k: usize| match k {
            0 => a,
            k if k == n => b,
            k => a + (b - a) * (k as f64 / n as f64),
        };
        mix(mix(sw, se, i), mix(nw, ne, i), j)
    };
    for j in 0..n {
        for i in 0..n {
            out.extend(Facet::new(at(i, j), at(i + 1, j), at(i + 1, j + 1), id));
            out.extend(Facet::new(at(i, j), at(i + 1, j + 1), at(i, j + 1), id));
        }
    }
}

impl Terrain for Grid {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        let under = self.under(DVec2::new(x, y))?;
        Some(Surface {
            height: under.height,
            normal: under.upwards.normalize(),
            facet: under.facet,
        })
    }

    /// As the default has it, without normals.
    fn heights(&self, points: &[DVec2], out: &mut Vec<f64>) {
        let height = |p: &DVec2| self.under(*p).map_or(f64::NAN, |u| u.height);
        out.extend(points.iter().map(height));
    }

    fn facets(&self, area: Area, out: &mut Vec<Facet>) {
        if !area.meets(&self.extent()) {
            return;
        }
        for j in self.index(area.lower.y, self.rows)..=self.index(area.upper.y, self.rows) {
            for i in self.index(area.lower.x, self.columns)..=self.index(area.upper.x, self.columns)
            {
                self.cell_facets(i, j, out);
            }
        }
    }

    fn facets_at(&self, area: Area, out: &mut Vec<Facet>) {
        if !area.meets(&self.extent()) {
            return;
        }
        let columns =
            self.index(area.lower.x, self.columns)..=self.index(area.upper.x, self.columns);
        for j in self.index(area.lower.y, self.rows)..=self.index(area.upper.y, self.rows) {
            for i in columns.clone() {
                let corners = self.corners(i, j);
                let Some(halves) = self.halves(corners) else {
                    self.cell_facets(i, j, out);
                    continue;
                };
                let id = 2 * (j * self.columns + i) as u32;
                let reached = self.reached(corners, area);
                for ((half, id), reached) in halves.into_iter().zip(id..).zip(reached) {
                    let [a, b, c] = half;
                    if reached && let Some(facet) = Facet::new(a, b, c, id) {
                        out.push(facet);
                    }
                }
            }
        }
    }

    fn highest(&self, area: Area) -> Option<f64> {
        self.extreme(area, f64::max)
    }

    fn lowest(&self, area: Area) -> Option<f64> {
        self.extreme(area, f64::min)
    }

    fn breaks(&self, from: DVec2, to: DVec2, _: &mut Vec<Facet>, out: &mut Vec<f64>) {
        let n = self.parts();
        let (parts, cell) = (f64::from(n), self.cell / f64::from(n));
        let east = (self.columns - 1) as f64 * parts;
        let north = (self.rows - 1) as f64 * parts;
        even((from.x, to.x), cell, (0.0, east), out);
        even((from.y, to.y), cell, (0.0, north), out);
        let (sum, difference) = (|p: DVec2| p.x + p.y, |p: DVec2| p.x - p.y);
        match self.diagonal {
            Diagonal::Rising => {
                let ends = (difference(from), difference(to));
                even(ends, cell, (-north, east), out);
            }
            Diagonal::Falling => even((sum(from), sum(to)), cell, (0.0, east + north), out),
            // The height under a point is that of the smooth surface.
            Diagonal::Bilinear(_) => {}
        }
    }

    fn extent(&self) -> Area {
        Area {
            lower: DVec2::ZERO,
            upper: self.size,
        }
    }

    fn is_its_facets(&self) -> bool {
        !matches!(self.diagonal, Diagonal::Bilinear(_))
    }

    fn vertical_resolution(&self) -> VerticalResolution {
        self.vertical
    }

    fn resolution(&self) -> f64 {
        self.cell
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn crs(&self) -> Option<&str> {
        self.crs.as_deref()
    }
}
