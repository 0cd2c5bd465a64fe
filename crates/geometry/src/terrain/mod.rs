//! The ground: a slope, a profile, a raster or a triangle mesh, all made of flat facets with solid below.
//!
//! Every query is in local coordinates, whose origin in map coordinates the terrain carries ([`Terrain::origin`]):
//! national grids have coordinates of millions of metres, where a double steps by half a nanometre, and gaps of
//! touching bodies are smaller than that. Off the map is an answer (`None`, or no facet), never an error.

mod ahead;
mod body_edges;
mod border;
mod bounds;
mod contact;
mod error;
mod facet;
mod facet_changes;
mod grid;
mod ground_triangles;
mod mesh;
mod mesh_parts;
mod overhangs;
mod part_borders;
mod profile;
mod resolution;
mod rim;
mod separation;
mod slope;
mod sphere;
mod survey;
mod values;

pub use bounds::Area;
pub use contact::terrain_contact;
pub use error::TerrainError;
pub use facet::Facet;
pub use grid::{Diagonal, Grid};
pub use ground_triangles::MeshPart;
pub use mesh::Mesh;
pub use mesh_parts::JoinedMesh;
pub use overhangs::Overhang;
pub use part_borders::Seam;
pub use profile::Profile;
pub use resolution::VerticalResolution;
pub use rim::lowest_around;
pub use separation::{Approach, FacetPatch, terrain_separation};
pub use slope::Slope;
pub use survey::SurveyLine;
pub use values::Values;

use crate::Plane;
use glam::{DVec2, DVec3};

/// The ground under a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// Height of the ground (m), local coordinates.
    pub height: f64,
    /// Unit normal, upwards.
    pub normal: DVec3,
    /// Number of the facet, as materials by segment know it.
    pub facet: u32,
}

/// Ground made of facets. Implement it for a kind of ground that is not here.
pub trait Terrain: Send + Sync {
    /// Ground under a point; `None` off the map and over missing data.
    fn surface(&self, x: f64, y: f64) -> Option<Surface>;

    /// Adds every facet whose outline in plan may touch the area, ordered by number. Facets that share an edge share
    /// its corners bit for bit.
    fn facets(&self, area: Area, out: &mut Vec<Facet>);

    /// The same for an area much smaller than facets, with fewer of those that do not touch it: all that [`facets`]
    /// adds, unless the ground knows better.
    ///
    /// [`facets`]: Terrain::facets
    fn facets_at(&self, area: Area, out: &mut Vec<Facet>) {
        self.facets(area, out);
    }

    /// Adds the height of the ground (m) under each of some points, as [`surface`] has it; NaN where there is none.
    ///
    /// [`surface`]: Terrain::surface
    fn heights(&self, points: &[DVec2], out: &mut Vec<f64>) {
        let height = |p: &DVec2| self.surface(p.x, p.y).map_or(f64::NAN, |s| s.height);
        out.extend(points.iter().map(height));
    }

    /// The area covered; unbounded for a slope.
    fn extent(&self) -> Area;

    /// Typical size of a facet in plan (m): how far a search should look at once.
    fn resolution(&self) -> f64;

    /// What its heights can tell apart: read from their digits, or stated. Exact where heights follow from an equation.
    fn vertical_resolution(&self) -> VerticalResolution {
        VerticalResolution::EXACT
    }

    /// Whether the facets are the surface itself, each with a plane and, but for equal planes, a number of its own, and
    /// the highest over their outlines in plan. Only then are heights known that are not looked up.
    fn is_its_facets(&self) -> bool {
        false
    }

    /// The plane, where the ground is one plane without an edge.
    fn as_plane(&self) -> Option<Plane> {
        None
    }

    /// An upper bound of the ground in an area (m); `None` if there is no ground. The default looks at the corners of
    /// all facets there.
    fn highest(&self, area: Area) -> Option<f64> {
        let mut facets = Vec::new();
        self.facets(area, &mut facets);
        facets
            .iter()
            .flat_map(|f| f.corners)
            .map(|c| c.z)
            .reduce(f64::max)
    }

    /// A lower bound of the ground in an area (m), where the ground tells one quickly; `None` if there is no ground.
    fn lowest(&self, _area: Area) -> Option<f64> {
        Some(f64::NEG_INFINITY)
    }

    /// Adds the shares of a straight way in plan (0 where it begins, 1 where it ends) at which the facet under it
    /// changes, in any order and maybe more than once; `facets` is a buffer. Between two of them the ground under the
    /// way is even. The default looks at the edges of all facets along the way.
    fn breaks(&self, from: DVec2, to: DVec2, facets: &mut Vec<Facet>, out: &mut Vec<f64>) {
        let ground = facet_changes::Ground {
            extent: self.extent(),
            resolution: self.resolution(),
            facets: &|area, found| self.facets(area, found),
        };
        facet_changes::over_edges(&ground, (from, to), facets, out);
    }

    /// Map coordinates of the local origin (m).
    fn origin(&self) -> DVec3 {
        DVec3::ZERO
    }

    /// Coordinate reference system of the map coordinates, as given by the user.
    fn crs(&self) -> Option<&str> {
        None
    }
}
