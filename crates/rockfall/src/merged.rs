//! Materials that are the same, and what a layout is once areas of theirs have no borders with each other.
//!
//! Two materials are the same where each of their laws is, with its scatter, for every class of rock and every set of
//! alternatives; names do not count. The first of them stands for all.

use crate::layout::Layout;
use crate::material::SlopeMaterial;
use crate::polygon::Polygon;
use crate::polygon_index::PolygonIndex;
use glam::DVec2;

/// Laws of the alternatives of a material, by class of rock and set.
type Alternatives = Vec<Vec<SlopeMaterial>>;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Merged {
    /// By material the first that is the same.
    numbers: Vec<u32>,
    /// The material of the whole layout, where that is one.
    everywhere: Option<u32>,
    /// Of a layout by polygons of several materials.
    index: Option<PolygonIndex>,
}

impl Merged {
    pub(crate) fn new(
        materials: &[SlopeMaterial],
        alternatives: &[Alternatives],
        layout: &Layout,
    ) -> Self {
        let same = |a: usize, b: usize| {
            materials[a].is_same(&materials[b]) && are_same(&alternatives[a], &alternatives[b])
        };
        let mut numbers: Vec<u32> = Vec::with_capacity(materials.len());
        // Of each number that stands for others, itself.
        let mut first: Vec<usize> = Vec::new();
        for k in 0..materials.len() {
            let earlier = first.iter().copied().find(|e| same(*e, k));
            if earlier.is_none() {
                first.push(k);
            }
            numbers.push(earlier.unwrap_or(k) as u32);
        }
        let number = |k: u32| numbers.get(k as usize).copied().unwrap_or(k);
        let everywhere = match layout {
            Layout::Uniform => Some(0),
            Layout::Segments(list) => only(list.iter().map(|k| number(*k))),
            Layout::Polygons(list, rest) => {
                only(list.iter().map(|p| p.1).chain([*rest]).map(number))
            }
            Layout::Raster(grid, rest) => {
                let classes = grid.heights().iter().filter(|c| !c.is_nan());
                only(classes.map(|c| c as u32).chain([*rest]).map(number))
            }
        };
        let index = match layout {
            Layout::Polygons(list, rest) if everywhere.is_none() => Some(PolygonIndex::new(
                list.iter().map(|(p, k)| (p, number(*k))),
                number(*rest),
            )),
            _ => None,
        };
        Merged {
            numbers,
            everywhere,
            index,
        }
    }

    /// The first material that is the same as one.
    pub(crate) fn number(&self, material: usize) -> usize {
        self.numbers.get(material).map_or(material, |k| *k as usize)
    }

    /// The material of the whole layout, where that is one.
    pub(crate) fn everywhere(&self) -> Option<usize> {
        self.everywhere.map(|k| k as usize)
    }

    /// The material at a point of a layout by polygons, the first that contains it before the rest.
    pub(crate) fn of_polygons(&self, list: &[(Polygon, u32)], rest: u32, map: DVec2) -> u32 {
        let Some(index) = &self.index else {
            return rest;
        };
        index.material(map, rest, |k| {
            list.get(k).is_some_and(|(p, _)| p.contains(map))
        })
    }
}

/// The one value of all; `None` where there are several or none.
fn only(mut numbers: impl Iterator<Item = u32>) -> Option<u32> {
    let first = numbers.next()?;
    numbers.all(|k| k == first).then_some(first)
}

fn are_same(a: &Alternatives, b: &Alternatives) -> bool {
    let same = |a: &Vec<SlopeMaterial>, b: &Vec<SlopeMaterial>| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_same(b))
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}
