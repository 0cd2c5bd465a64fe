//! A box full of loose rocks: Voronoi cells, made more equal, each shrunk to its size.

use crate::cell::{Cell, CellFace};
use crate::error::DemError;
use crate::grading::Grading;
use crate::particle::{Motion, Particle};
use crate::voronoi::Voronoi;
use glam::DVec3;
use klast_geometry::ConvexPolyhedron;
use klast_sampling::{Purpose, Streams, open_uniform};

/// Particles at rest and apart.
pub(crate) struct Fill {
    pub particles: Vec<Particle>,
    pub motions: Vec<Motion>,
    /// Edges of the box, m.
    pub edges: DVec3,
}

/// What the tessellation needs.
pub(crate) struct Request<'a> {
    pub edges: DVec3,
    pub count: usize,
    pub grading: &'a Grading,
    pub relaxations: u32,
    pub density: f64,
    pub seed: u64,
}

/// Fills a box with `count` rocks. Where the largest rocks do not fit their cells the box is made higher.
///
/// Cells and sizes are matched by rank, so that the shrink factors are as equal as they can be.
pub(crate) fn fill(request: &Request) -> Result<Fill, DemError> {
    let streams = Streams::new(request.seed);
    let sizes = request
        .grading
        .sizes(request.count, &mut streams.rng(Purpose::Shape, 0))?;
    let mut edges = request.edges;
    for _ in 0..60 {
        let cells = tessellate(edges, request, &streams)?;
        let mut order: Vec<(f64, usize)> = cells
            .iter()
            .map(|c| libm::cbrt(6.0 * c.measure().volume / std::f64::consts::PI))
            .zip(0..)
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let tightest = order
            .iter()
            .zip(&sizes)
            .map(|((cell, _), size)| size / cell)
            .fold(0.0, f64::max);
        // Neighbours shrunk to 98 % leave a gap of 2 % of the size between them.
        if tightest > 0.98 {
            edges.z *= (tightest / 0.98).powi(3).clamp(1.01, 1.5);
            continue;
        }
        let mut scales = vec![0.0; cells.len()];
        for ((cell, i), size) in order.iter().zip(&sizes) {
            scales[*i] = size / cell;
        }
        return rocks(&cells, &scales, request.density, edges);
    }
    Err(DemError::ContainerTooSmall {
        found: request.edges.to_array(),
        needed: edges.to_array(),
    })
}

fn tessellate(edges: DVec3, request: &Request, streams: &Streams) -> Result<Vec<Cell>, DemError> {
    let mut rng = streams.rng(Purpose::Position, 0);
    let mut seeds: Vec<DVec3> = (0..request.count)
        .map(|_| {
            let mut draw = || open_uniform(&mut rng);
            edges * DVec3::new(draw(), draw(), draw())
        })
        .collect();
    // Each pass moves the seeds to the centroids of their cells (Lloyd 1982), which evens out the sizes.
    for _ in 0..request.relaxations {
        let cells = Voronoi::new(DVec3::ZERO, edges, &seeds)?.cells;
        seeds = cells.iter().map(|c| c.measure().centroid).collect();
    }
    Ok(Voronoi::new(DVec3::ZERO, edges, &seeds)?.cells)
}

fn rocks(cells: &[Cell], scales: &[f64], density: f64, edges: DVec3) -> Result<Fill, DemError> {
    let (mut particles, mut motions) = (Vec::new(), Vec::new());
    for (cell, scale) in cells.iter().zip(scales) {
        let solid = solid(cell)?;
        let centre = cell.measure().centroid;
        let about = klast_geometry::Pose::from_translation(-centre);
        let back = klast_geometry::Pose::from_translation(centre);
        let shrunk = solid
            .transformed(&about)?
            .scaled(*scale)?
            .transformed(&back)?;
        let (particle, pose) = Particle::solid(&shrunk, density, 0)?;
        particles.push(particle);
        motions.push(Motion::at(&pose));
    }
    Ok(Fill {
        particles,
        motions,
        edges,
    })
}

/// The cell as a polyhedron: its own faces, or the hull of its corners where a face is too small to have a plane.
fn solid(cell: &Cell) -> Result<ConvexPolyhedron, DemError> {
    let loops: Vec<Vec<u32>> = cell
        .faces
        .iter()
        .map(|f: &CellFace| f.vertices.clone())
        .collect();
    let own = ConvexPolyhedron::from_facets(cell.vertices.clone(), &loops);
    Ok(match own {
        Ok(solid) => solid,
        Err(_) => ConvexPolyhedron::from_points(&cell.vertices)?,
    })
}
