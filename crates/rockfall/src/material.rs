//! What the slope is made of, and where.

use crate::RockfallError;
use crate::error::within;
use crate::polygon::{Polygon, PolygonIndex};
use glam::{DVec2, DVec3};
use klast_dynamics::Distribution;
use klast_geometry::terrain::Grid;
use rand::Rng;

/// A slope material: each parameter a constant or a distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct SlopeMaterial {
    /// Name in reports.
    pub name: String,
    /// Coefficient of normal restitution R_n, 0 to 1.
    pub normal_restitution: Distribution,
    /// Coefficient of tangential restitution R_t, 0 to 1 (lumped mass).
    pub tangential_restitution: Distribution,
    /// Coefficient of friction μ = tan φ, ≥ 0.
    pub friction: Distribution,
    /// Roughness: the angle (rad) by which the ground met at an impact is turned, drawn at each impact for the two tangents.
    pub roughness: Distribution,
}

/// The parameters of a material for one trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MaterialSample {
    /// R_n.
    pub normal_restitution: f64,
    /// R_t.
    pub tangential_restitution: f64,
    /// μ.
    pub friction: f64,
}

impl SlopeMaterial {
    /// A material of constants without roughness; friction as μ.
    pub fn constant(
        name: &str,
        normal_restitution: f64,
        tangential_restitution: f64,
        friction: f64,
    ) -> Self {
        SlopeMaterial {
            name: name.into(),
            normal_restitution: Distribution::constant(normal_restitution),
            tangential_restitution: Distribution::constant(tangential_restitution),
            friction: Distribution::constant(friction),
            roughness: Distribution::constant(0.0),
        }
    }

    /// Refuses parameters that a draw could take outside of their meaning.
    pub fn validate(&self) -> Result<(), RockfallError> {
        let inside = |field, d: &Distribution, low: f64, high: f64, accepted| {
            let (a, b) = d.support();
            within(field, a, a >= low && a <= high, accepted)?;
            // An unbounded upper tail shows as infinity.
            within(field, b, b >= low && b <= high, accepted)
        };
        inside(
            "normal_restitution",
            &self.normal_restitution,
            0.0,
            1.0,
            "0 to 1 over the whole (truncated) distribution",
        )?;
        inside(
            "tangential_restitution",
            &self.tangential_restitution,
            0.0,
            1.0,
            "0 to 1 over the whole (truncated) distribution",
        )?;
        inside(
            "friction",
            &self.friction,
            0.0,
            f64::MAX,
            "0 or more, and bounded (truncate the distribution)",
        )?;
        inside(
            "roughness",
            &self.roughness,
            -1.5,
            1.5,
            "an angle within ±1.5 rad (truncate the distribution)",
        )
    }

    /// Draws the parameters for one trajectory: always three numbers.
    pub fn sample(&self, rng: &mut impl Rng) -> MaterialSample {
        MaterialSample {
            normal_restitution: self.normal_restitution.sample(rng),
            tangential_restitution: self.tangential_restitution.sample(rng),
            friction: self.friction.sample(rng),
        }
    }
}

/// Where each material lies. Numbers point into the list of materials.
#[derive(Debug, Clone, PartialEq)]
pub enum Layout {
    /// One material everywhere.
    Uniform,
    /// By the number of the facet: a profile's segment.
    Segments(Vec<u32>),
    /// By polygons in plan, the first that contains the point; the number beside is for the rest.
    Polygons(Vec<(Polygon, u32)>, u32),
    /// By a raster of class numbers at the nodes, nearest node; the number beside is for the rest. Classes are whole numbers.
    Raster(Grid, u32),
}

/// Materials and where they lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    materials: Vec<SlopeMaterial>,
    layout: Layout,
    // Of a layout by polygons.
    index: Option<PolygonIndex>,
}

impl Ground {
    /// One material everywhere.
    pub fn uniform(material: SlopeMaterial) -> Result<Self, RockfallError> {
        Self::new(vec![material], Layout::Uniform)
    }

    /// Checks every material and every number of the layout.
    pub fn new(materials: Vec<SlopeMaterial>, layout: Layout) -> Result<Self, RockfallError> {
        if materials.is_empty() {
            return Err(RockfallError::Count {
                field: "materials",
                found: 0,
                accepted: "1 or more".into(),
            });
        }
        materials.iter().try_for_each(SlopeMaterial::validate)?;
        let known = |field, number: u32| {
            let accepted = format!("a number below {}", materials.len());
            if (number as usize) < materials.len() {
                Ok(())
            } else {
                Err(RockfallError::Count {
                    field,
                    found: number as usize,
                    accepted,
                })
            }
        };
        match &layout {
            Layout::Uniform => {}
            Layout::Segments(list) => list
                .iter()
                .try_for_each(|&n| known("material of a segment", n))?,
            Layout::Polygons(list, rest) => {
                list.iter()
                    .try_for_each(|(_, n)| known("material of a polygon", *n))?;
                known("material outside of the polygons", *rest)?;
            }
            Layout::Raster(grid, rest) => {
                known("material outside of the raster", *rest)?;
                for &class in grid.heights().iter().filter(|c| !c.is_nan()) {
                    within(
                        "material class",
                        class,
                        class >= 0.0 && class.fract() == 0.0 && class < materials.len() as f64,
                        "a whole number of the list of materials",
                    )?;
                }
            }
        }
        let index = match &layout {
            Layout::Polygons(list, _) => Some(PolygonIndex::new(list.iter().map(|(p, _)| p))),
            _ => None,
        };
        Ok(Ground {
            materials,
            layout,
            index,
        })
    }

    /// The materials.
    pub fn materials(&self) -> &[SlopeMaterial] {
        &self.materials
    }

    /// Draws every material for one trajectory, in order.
    pub fn sample(&self, rng: &mut impl Rng) -> Vec<MaterialSample> {
        let mut samples = Vec::new();
        self.sample_into(rng, &mut samples);
        samples
    }

    /// The same in a list that is there.
    pub(crate) fn sample_into(&self, rng: &mut impl Rng, samples: &mut Vec<MaterialSample>) {
        samples.clear();
        samples.extend(self.materials.iter().map(|m| m.sample(rng)));
    }

    /// Whether the number of the facet decides the material.
    pub fn needs_facet(&self) -> bool {
        matches!(self.layout, Layout::Segments(_))
    }

    /// Number of the material at a point of a facet; `map` is the point in map coordinates (m).
    pub fn material(&self, map: DVec2, facet: u32) -> usize {
        let number = match &self.layout {
            Layout::Uniform => 0,
            Layout::Segments(list) => list
                .get(facet as usize)
                .or(list.last())
                .copied()
                .unwrap_or(0),
            Layout::Polygons(list, rest) => {
                let found = self.index.as_ref().and_then(|index| {
                    index.first(map, |k| list.get(k).is_some_and(|(p, _)| p.contains(map)))
                });
                found.and_then(|k| list.get(k)).map_or(*rest, |(_, n)| *n)
            }
            Layout::Raster(grid, rest) => class_at(grid, map).unwrap_or(*rest),
        };
        number as usize
    }
}

fn class_at(grid: &Grid, map: DVec2) -> Option<u32> {
    use klast_geometry::terrain::Terrain;
    let node = ((map - grid.origin().truncate()) / grid.cell()).round();
    if node.x < 0.0
        || node.y < 0.0
        || node.x >= grid.columns() as f64
        || node.y >= grid.rows() as f64
    {
        return None;
    }
    let class = grid
        .heights()
        .get(node.y as usize * grid.columns() + node.x as usize)?;
    (!class.is_nan()).then_some(*class as u32)
}

/// A unit normal turned by angles about two tangents, for roughness.
pub(crate) fn roughened(normal: DVec3, angles: (f64, f64)) -> DVec3 {
    let t1 = (DVec3::Y.cross(normal)).try_normalize().unwrap_or(DVec3::X);
    let t2 = normal.cross(t1);
    (normal + t1 * libm::tan(angles.0) + t2 * libm::tan(angles.1)).normalize()
}
