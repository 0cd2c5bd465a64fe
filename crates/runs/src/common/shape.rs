//! Shapes of bodies: solids by their sizes, convex hulls of points, of files, or of chance.

use crate::error::{Context as _, Result};
use crate::{bail, ensure};
use glam::{DVec2, DVec3};
use klast_dynamics::{Body, random_hulls};
use klast_geometry::{ConvexPolyhedron, Frustum, Solid, extruded};
use schemars::JsonSchema;
use serde::Deserialize;

use super::number_table::rows;
use crate::faults::{At as _, Fault};
use crate::text::SceneText;
use klast_files::by_ending::mesh_in_any_unit;
use klast_files::mesh::stated_unit::stated_unit;
use klast_files::text::ascii;

/// More points than this make no block (a mesh of that many corners wants fewer).
const LARGEST_CLOUD: usize = 100_000;
/// Most shapes that stones of chance may have.
const MOST_STONES: u32 = 1000;

/// A convex shape. Solids have their centre at the origin and their edges along the axes; shapes that are given by
/// points keep the coordinates of these points.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box.
    Box {
        /// Edges along x, y, z (m), above 0 each.
        edges_m: [f64; 3],
    },
    /// A regular tetrahedron.
    Tetrahedron {
        /// Length of an edge (m), above 0.
        edge_m: f64,
    },
    /// A regular octahedron.
    Octahedron {
        /// Length of an edge (m), above 0.
        edge_m: f64,
    },
    /// A regular dodecahedron.
    Dodecahedron {
        /// Length of an edge (m), above 0.
        edge_m: f64,
    },
    /// A regular icosahedron.
    Icosahedron {
        /// Length of an edge (m), above 0.
        edge_m: f64,
    },
    /// A polyhedron close to a ball, with triangular facets.
    Ball {
        /// Diameter (m), above 0.
        diameter_m: f64,
        /// Number of times, 0 to 5, that each triangle of an icosahedron is divided into four triangles; 2 unless
        /// stated.
        #[serde(default = "two")]
        level: u32,
    },
    /// An exact sphere. Pictures show it as a body of triangles.
    Sphere {
        /// Diameter (m), above 0.
        diameter_m: f64,
    },
    /// A drum or a disc with circular edges, with its axis along z and the middle of its lower face at the origin. It
    /// rolls on its circles over planes and over the faces of other drums; for other bodies it is a prism. Pictures
    /// show this prism.
    Drum {
        /// Diameter at the bottom (m), above 0.
        diameter_m: f64,
        /// Diameter at the top (m), above 0; that at the bottom unless stated.
        #[serde(default)]
        top_diameter_m: Option<f64>,
        /// Height (m), above 0.
        height_m: f64,
        /// Number of points of each circle that are contacts, and of sides of the prism, 3 to 1,000; 24 unless stated.
        #[serde(default = "points")]
        points: usize,
    },
    /// A regular prism along z, such as a column.
    Column {
        /// Number of sides of the prism, 3 or more.
        sides: u32,
        /// Diameter of the circle through the corners (m), above 0.
        diameter_m: f64,
        /// Height (m), above 0.
        height_m: f64,
    },
    /// A convex outline in the x–z plane with a depth along y, for example a voussoir or a wedge. Half of the depth
    /// lies on each side of the plane.
    Outline {
        /// Corners (x, z) of the outline (m).
        corners_m: Vec<[f64; 2]>,
        /// Depth of the body along y (m), above 0.
        depth_m: f64,
    },
    /// The convex hull of points.
    Points {
        /// Points (x, y, z) whose convex hull is the body (m).
        points_m: Vec<[f64; 3]>,
    },
    /// The convex hull of the points of a file: .obj, .stl, or lines of x, y, z (m).
    File {
        /// Path of the file, relative to the folder of the scene.
        file: String,
        /// Length of a unit of the file in metres, above 0: 0.001 for a file in mm. It is 1 unless stated.
        #[serde(default = "one")]
        scale: f64,
    },
    /// Random stones: convex hulls of random points close to a sphere. Each body takes the next stone of the list. The
    /// seed of the scene determines the stones.
    Stones {
        /// Number of different stones, 1 to 1,000.
        count: u32,
        /// Number of points from which each stone is made, 8 to 200.
        corners: u32,
        /// Volume of each stone (m³), above 0.
        volume_m3: f64,
    },
    /// Several shapes. Each body takes the next shape of the list.
    InTurn {
        /// Shapes, in the order in which the bodies take them.
        shapes: Vec<Shape>,
    },
}

fn one() -> f64 {
    1.0
}

fn two() -> u32 {
    2
}

fn points() -> usize {
    24
}

/// A body without a material.
#[derive(Debug, Clone)]
#[allow(
    clippy::large_enum_variant,
    reason = "a scene has few shapes, and only while it is built"
)]
pub enum Form {
    /// A convex polyhedron.
    Polyhedron(ConvexPolyhedron),
    /// An exact sphere of this radius (m).
    Sphere(f64),
    /// A frustum with circular edges, and how many points of each are contacts.
    Drum(Frustum, usize),
}

impl Form {
    /// Volume (m³).
    #[must_use]
    pub fn volume(&self) -> f64 {
        match self {
            Self::Polyhedron(shape) => shape.volume(),
            Self::Sphere(radius) => 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius,
            Self::Drum(solid, _) => solid.volume(),
        }
    }

    /// The body of a density (kg/m³).
    pub fn body(&self, density: f64) -> Result<Body> {
        Ok(match self {
            Self::Polyhedron(shape) => Body::uniform(shape, density)?,
            Self::Sphere(radius) => Body::sphere(*radius, density)?,
            Self::Drum(solid, points) => Body::frustum(*solid, *points, density)?,
        })
    }
}

impl Shape {
    /// The forms to use in turn: one, but for those that are several.
    pub fn build(&self, scene: &SceneText, seed: u64) -> Result<Vec<Form>> {
        match self {
            Self::Sphere { diameter_m } => {
                let accepted = diameter_m.is_finite() && *diameter_m > 0.0;
                ensure!(
                    accepted,
                    Fault::new("diameter_m", diameter_m).accepted("above 0")
                );
                Ok(vec![Form::Sphere(0.5 * diameter_m)])
            }
            Self::Drum {
                diameter_m,
                top_diameter_m,
                height_m,
                points,
            } => {
                let good = (3..=1000).contains(points);
                ensure!(good, Fault::new("points", points).accepted("3 to 1000"));
                let top = top_diameter_m.unwrap_or(*diameter_m);
                let solid = Frustum::new(0.5 * diameter_m, 0.5 * top, *height_m)?;
                Ok(vec![Form::Drum(solid, *points)])
            }
            Self::InTurn { shapes } => {
                let none = || Fault::new("shapes", "none").accepted("1 or more");
                ensure!(!shapes.is_empty(), none());
                let each = shapes.iter().enumerate();
                let each = each.map(|(k, s)| s.build(scene, seed).at(format!("shapes[{k}]")));
                Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
            }
            _ => {
                let polyhedra = self.polyhedra(scene, seed)?;
                Ok(polyhedra.into_iter().map(Form::Polyhedron).collect())
            }
        }
    }

    fn polyhedra(&self, scene: &SceneText, seed: u64) -> Result<Vec<ConvexPolyhedron>> {
        let solid = |solid: Solid, size: f64| -> Result<Vec<ConvexPolyhedron>> {
            Ok(vec![solid.with_size(size)?])
        };
        match self {
            Self::Box { edges_m } => {
                let edges = DVec3::from(*edges_m);
                solid(Solid::Box { edges }, edges.max_element())
            }
            Self::Tetrahedron { edge_m } => solid(Solid::Tetrahedron, *edge_m),
            Self::Octahedron { edge_m } => solid(Solid::Octahedron, *edge_m),
            Self::Dodecahedron { edge_m } => solid(Solid::Dodecahedron, *edge_m),
            Self::Icosahedron { edge_m } => solid(Solid::Icosahedron, *edge_m),
            Self::Ball { diameter_m, level } => {
                solid(Solid::Icosphere { level: *level }, *diameter_m)
            }
            Self::Column {
                sides,
                diameter_m,
                height_m,
            } => {
                let slenderness = height_m / diameter_m;
                let sides = *sides;
                solid(Solid::Prism { sides, slenderness }, *diameter_m)
            }
            Self::Outline { corners_m, depth_m } => outline(corners_m, *depth_m).map(|s| vec![s]),
            Self::Points { points_m } => {
                let points: Vec<DVec3> = points_m.iter().copied().map(DVec3::from).collect();
                hull(&points).map(|s| vec![s])
            }
            Self::File { file, scale } => from_file(scene, file, *scale).map(|s| vec![s]),
            Self::Stones {
                count,
                corners,
                volume_m3,
            } => {
                let good = (1..=MOST_STONES).contains(count);
                let most = format!("1 to {MOST_STONES}");
                ensure!(good, Fault::new("count", count).accepted(most));
                let good = (8..=200).contains(corners);
                ensure!(good, Fault::new("corners", corners).accepted("8 to 200"));
                Ok(random_hulls(*count, *corners, *volume_m3, seed)?)
            }
            Self::Sphere { .. } | Self::Drum { .. } | Self::InTurn { .. } => Ok(vec![]),
        }
    }
}

/// A convex outline in x–z, swept along y about the plane of the outline; it keeps its coordinates.
fn outline(corners: &[[f64; 2]], depth: f64) -> Result<ConvexPolyhedron> {
    // The check of the swept solid in its own frame says what is wrong with a flat or an unbounded outline.
    let flat: Vec<DVec2> = corners.iter().copied().map(DVec2::from).collect();
    extruded(&flat, depth)?;
    let half = 0.5 * depth;
    let points: Vec<DVec3> = corners
        .iter()
        .flat_map(|&[x, z]| [DVec3::new(x, -half, z), DVec3::new(x, half, z)])
        .collect();
    hull(&points)
}

fn hull(points: &[DVec3]) -> Result<ConvexPolyhedron> {
    ensure!(
        points.len() <= LARGEST_CLOUD,
        "{} points; accepted: up to {LARGEST_CLOUD}",
        points.len()
    );
    Ok(ConvexPolyhedron::from_points(points)?)
}

fn from_file(scene: &SceneText, file: &str, scale: f64) -> Result<ConvexPolyhedron> {
    ensure!(
        scale.is_finite() && scale > 0.0,
        Fault::new("scale", scale).accepted("finite and above 0")
    );
    let path = scene.path(file);
    let name = path.display().to_string();
    let bytes = scene.read_bytes(file)?;
    let ending = path
        .extension()
        .map_or(String::new(), |e| e.to_string_lossy().to_ascii_lowercase());
    let points = match ending.as_str() {
        "obj" | "stl" => {
            // A scale says what a unit is; without one the file must be in metres.
            let unit = stated_unit(&ending, &bytes).with_context(|| name.clone())?;
            if let Some(unit) = unit.filter(|unit| scale == 1.0 && unit.metres != 1.0) {
                return Err(unit.refusal(&format!("metres, or `scale` {}", unit.metres)))
                    .with_context(|| name);
            }
            let mesh = mesh_in_any_unit(&ending, &bytes);
            mesh.with_context(|| name.clone())?.points
        }
        _ => {
            let text = ascii(&bytes).with_context(|| name.clone())?;
            rows(&text, scale == 1.0)
                .and_then(|rows| rows.into_iter().map(point).collect::<Result<Vec<_>>>())
                .with_context(|| name.clone())?
        }
    };
    let points: Vec<DVec3> = points.iter().map(|p| *p * scale).collect();
    hull(&points).with_context(|| name)
}

fn point((line, numbers): (usize, Vec<f64>)) -> Result<DVec3> {
    match numbers[..] {
        [x, y, z] => Ok(DVec3::new(x, y, z)),
        _ => bail!("line {line}: {} numbers; accepted: x y z", numbers.len()),
    }
}
