//! Which number of a list of materials lies where.

use crate::RockfallError;
use crate::error::within;
use crate::polygon::Polygon;
use glam::DVec2;
use klast_geometry::terrain::Grid;

/// Where each material lies. Numbers point into the list of materials.
#[derive(Debug, Clone, PartialEq)]
pub enum Layout {
    /// One material everywhere.
    Uniform,
    /// By the number of the facet: a profile's segment, a mesh's triangle.
    Segments(Vec<u32>),
    /// By polygons in plan, the first that contains the point; the number beside is for the rest.
    Polygons(Vec<(Polygon, u32)>, u32),
    /// By a raster of class numbers at the nodes, nearest node; the number beside is for the rest. Classes are whole
    /// numbers.
    Raster(Grid, u32),
}

impl Layout {
    /// Refuses numbers that are none of a list of materials.
    pub(crate) fn validate(&self, materials: usize) -> Result<(), RockfallError> {
        let known = |field, number: u32| {
            let accepted = format!("a number below {materials}");
            if (number as usize) < materials {
                Ok(())
            } else {
                Err(RockfallError::Count {
                    field,
                    found: number as usize,
                    accepted,
                })
            }
        };
        match self {
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
                for class in grid.heights().iter().filter(|c| !c.is_nan()) {
                    within(
                        "material class",
                        class,
                        class >= 0.0 && class.fract() == 0.0 && class < materials as f64,
                        "a whole number of the list of materials",
                    )?;
                }
            }
        }
        Ok(())
    }
}

/// The class at a place: that of the nearest node.
pub(crate) fn class_at(grid: &Grid, map: DVec2) -> Option<u32> {
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
    (!class.is_nan()).then_some(class as u32)
}
