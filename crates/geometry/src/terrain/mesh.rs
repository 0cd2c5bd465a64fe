//! A triangle mesh as ground.

use super::{Area, Facet, Surface, Terrain, TerrainError};
use glam::{DVec2, DVec3};

/// Triangles with solid below. Where several lie above each other the highest is the ground: overhangs and caves are not modelled.
///
/// Local coordinates start at the least x and y of the mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    facets: Vec<Facet>,
    extent: Area,
    // Buckets of triangle numbers in plan, row by row.
    buckets: Vec<Vec<u32>>,
    columns: usize,
    rows: usize,
    bucket: f64,
    origin: DVec3,
    crs: Option<String>,
}

impl Mesh {
    /// A mesh from map coordinates (m) and triangles of corner numbers; the order of corners does not matter.
    pub fn new(points: &[DVec3], triangles: &[[u32; 3]]) -> Result<Self, TerrainError> {
        if triangles.is_empty() || triangles.len() > u32::MAX as usize {
            return Err(TerrainError::Count {
                field: "mesh triangles",
                found: triangles.len(),
                accepted: "1 or more".into(),
            });
        }
        if let Some(index) = points.iter().position(|p| !p.is_finite()) {
            return Err(TerrainError::NotFinite {
                field: "mesh point",
                index,
                found: points[index].x + points[index].y + points[index].z,
            });
        }
        let lower = points.iter().fold(DVec3::INFINITY, |a, &p| a.min(p));
        let origin = DVec3::new(lower.x, lower.y, 0.0);
        let mut facets = Vec::with_capacity(triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            let corner = |k: usize| points.get(triangle[k] as usize).map(|&p| p - origin);
            let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
                return Err(TerrainError::Triangle {
                    index,
                    reason: "names a corner that is not in the list",
                });
            };
            let facet = Facet::new(a, b, c, index as u32);
            facets.push(facet.ok_or(TerrainError::Triangle {
                index,
                reason: "is vertical or has no area",
            })?);
        }
        Ok(Self::with_buckets(facets, origin))
    }

    /// The same mesh with the name of its coordinate reference system.
    pub fn with_crs(mut self, crs: impl Into<String>) -> Self {
        self.crs = Some(crs.into());
        self
    }

    /// The triangles in local coordinates.
    pub fn triangles(&self) -> &[Facet] {
        &self.facets
    }

    fn with_buckets(facets: Vec<Facet>, origin: DVec3) -> Self {
        let corners = || facets.iter().flat_map(|f| f.corners).map(|c| c.truncate());
        let extent = Area {
            lower: corners().fold(DVec2::INFINITY, DVec2::min),
            upper: corners().fold(DVec2::NEG_INFINITY, DVec2::max),
        };
        let size = extent.upper - extent.lower;
        // About two triangles a bucket, and never more buckets than a few times the triangles.
        let bucket = (2.0 * size.x * size.y / facets.len() as f64)
            .sqrt()
            .max(size.max_element() / (4.0 * facets.len() as f64));
        let count = |length: f64| ((length / bucket).ceil() as usize).max(1);
        let (columns, rows) = (count(size.x), count(size.y));
        let mut mesh = Mesh {
            facets: Vec::new(),
            extent,
            buckets: vec![Vec::new(); columns * rows],
            columns,
            rows,
            bucket,
            origin,
            crs: None,
        };
        for facet in &facets {
            let plan = facet.corners.map(|c| c.truncate());
            let area = Area {
                lower: plan[0].min(plan[1]).min(plan[2]),
                upper: plan[0].max(plan[1]).max(plan[2]),
            };
            for k in mesh.bucket_numbers(area) {
                mesh.buckets[k].push(facet.id);
            }
        }
        mesh.facets = facets;
        mesh
    }

    fn bucket_numbers(&self, area: Area) -> impl Iterator<Item = usize> + use<> {
        let (bucket, columns, lower) = (self.bucket, self.columns, self.extent.lower);
        let index = move |x: f64, from: f64, n: usize| {
            (((x - from) / bucket).floor().max(0.0) as usize).min(n - 1)
        };
        let across = index(area.lower.x, lower.x, columns)..=index(area.upper.x, lower.x, columns);
        let along =
            index(area.lower.y, lower.y, self.rows)..=index(area.upper.y, lower.y, self.rows);
        along.flat_map(move |j| across.clone().map(move |i| j * columns + i))
    }
}

impl Terrain for Mesh {
    fn surface(&self, x: f64, y: f64) -> Option<Surface> {
        let plan = DVec2::new(x, y);
        if !self.extent.contains(plan) {
            return None;
        }
        let mut best: Option<Surface> = None;
        for k in self.bucket_numbers(Area {
            lower: plan,
            upper: plan,
        }) {
            for facet in self.buckets[k]
                .iter()
                .filter_map(|&id| self.facets.get(id as usize))
            {
                // A point on a shared edge belongs to both sides, rounding included.
                if facet.inside(plan.extend(0.0)) < -1e-12 * self.bucket {
                    continue;
                }
                let (n, c) = (facet.normal, facet.corners[0]);
                let height = c.z - (n.x * (x - c.x) + n.y * (y - c.y)) / n.z;
                if best.is_none_or(|b| height > b.height) {
                    best = Some(Surface {
                        height,
                        normal: n,
                        facet: facet.id,
                    });
                }
            }
        }
        best
    }

    fn facets(&self, area: Area, out: &mut Vec<Facet>) {
        if !area.meets(&self.extent) {
            return;
        }
        let mut ids: Vec<u32> = self
            .bucket_numbers(area)
            .flat_map(|k| self.buckets[k].iter().copied())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        out.extend(
            ids.into_iter()
                .filter_map(|id| self.facets.get(id as usize)),
        );
    }

    fn extent(&self) -> Area {
        self.extent
    }

    fn resolution(&self) -> f64 {
        self.bucket
    }

    fn origin(&self) -> DVec3 {
        self.origin
    }

    fn crs(&self) -> Option<&str> {
        self.crs.as_deref()
    }
}
