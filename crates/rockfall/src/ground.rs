//! Which material lies where.

use crate::RockfallError;
use crate::error::within;
use crate::layout::{Layout, class_at};
use crate::material::{MaterialSample, SlopeMaterial};
use crate::merged::Merged;
use glam::DVec2;
use klast_sampling::Distribution;
use rand::Rng;

/// One of several laws that a material may have, none of which is known to be the right one.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Weight beside the others.
    pub weight: f64,
    /// The law.
    pub material: SlopeMaterial,
}

/// Materials and where they lie.
///
/// Materials of the same laws are one material, whatever their names: areas of theirs have no borders with each other,
/// and a trajectory draws their parameters once.
#[derive(Debug, Clone, PartialEq)]
pub struct Ground {
    materials: Vec<SlopeMaterial>,
    layout: Layout,
    // Which materials are the same, and what that makes of the layout.
    merged: Merged,
    // By material, class of rock and set; empty for a material that has a single law.
    alternatives: Vec<Vec<Vec<SlopeMaterial>>>,
    // Of the alternatives; empty where no material has any.
    weights: Vec<f64>,
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
        layout.validate(materials.len())?;
        let alternatives = vec![Vec::new(); materials.len()];
        Ok(Ground {
            merged: Merged::new(&materials, &alternatives, &layout),
            alternatives,
            weights: Vec::new(),
            materials,
            layout,
        })
    }

    /// The same with laws of their own for each class of rock ([`crate::RockGroup::class`]), by class and set. A class
    /// beyond the last has the laws of the first.
    ///
    /// # Errors
    /// A material that is none of the ground's, laws that are refused, or weights that differ from those of another
    /// class or another material.
    pub fn with_alternatives_by_class(
        mut self,
        material: usize,
        by_class: Vec<Vec<Alternative>>,
    ) -> Result<Self, RockfallError> {
        let weights = |list: &[Alternative]| list.iter().map(|a| a.weight).collect::<Vec<f64>>();
        let own = by_class.first().map_or(Vec::new(), |list| weights(list));
        let (Some(first), Some(slot)) = (
            by_class.first().and_then(|list| list.first()),
            self.alternatives.get_mut(material),
        ) else {
            return Err(RockfallError::Count {
                field: "alternatives of a material",
                found: own.len(),
                accepted: "1 or more, of a material of the ground".into(),
            });
        };
        let others = by_class.iter().any(|list| weights(list) != own);
        if others || (!self.weights.is_empty() && self.weights != own) {
            return Err(RockfallError::Count {
                field: "alternatives of a second material or class",
                found: own.len(),
                accepted: format!(
                    "{} with the weights of the first",
                    self.weights.len().max(own.len())
                ),
            });
        }
        for one in by_class.iter().flatten() {
            one.material.validate()?;
            let weight = one.weight;
            within("weight of an alternative", weight, weight > 0.0, "above 0")?;
        }
        if let Some(of_ground) = self.materials.get_mut(material) {
            *of_ground = first.material.clone();
        }
        let laws = |list: Vec<Alternative>| list.into_iter().map(|a| a.material).collect();
        *slot = by_class.into_iter().map(laws).collect();
        self.weights = own;
        self.merged = Merged::new(&self.materials, &self.alternatives, &self.layout);
        Ok(self)
    }

    /// The laws of a material of which each trajectory of a rock of a class takes one, in the order of
    /// [`Ground::weights`]; empty where it has a single law.
    pub fn alternatives(&self, material: usize, class: usize) -> &[SlopeMaterial] {
        let by_class = self.alternatives.get(material);
        let laws = by_class.and_then(|c| c.get(class).or(c.first()));
        laws.map_or(&[], Vec::as_slice)
    }

    /// For how many classes of rock a material has alternatives: 0 where it has a single law.
    pub fn classes(&self, material: usize) -> usize {
        self.alternatives.get(material).map_or(0, Vec::len)
    }

    /// Weights of the sets of alternatives; empty where every material has a single law.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The set of alternatives for a trajectory by its number: in turn where weights are equal, else each as often as
    /// its weight is of all, spread evenly by multiples of the golden ratio. 0 where there are none.
    pub fn set_of(&self, number: u64) -> usize {
        let count = self.weights.len();
        let first = self.weights.first().copied().unwrap_or(1.0);
        if self.weights.iter().all(|w| *w == first) {
            return number.checked_rem(count as u64).unwrap_or(0) as usize;
        }
        // 2⁶⁴ over the golden ratio: the product wraps, which is the fractional part.
        let share = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) as f64 / 2f64.powi(64);
        let mut left = share * self.weights.iter().sum::<f64>();
        for (set, weight) in self.weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return set;
            }
        }
        count - 1
    }

    /// Whether any law turns the normals met at impacts.
    pub(crate) fn is_rough(&self) -> bool {
        let smooth = Distribution::constant(0.0);
        self.all_laws().any(|m| m.roughness != smooth)
    }

    /// Whether a trajectory may draw other numbers than one before on the same set, of the same class.
    pub(crate) fn varies(&self) -> bool {
        self.all_laws().any(SlopeMaterial::varies)
    }

    fn all_laws(&self) -> impl Iterator<Item = &SlopeMaterial> {
        let alternatives = self.alternatives.iter().flatten().flatten();
        self.materials.iter().chain(alternatives)
    }

    /// Where each material lies.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The materials.
    pub fn materials(&self) -> &[SlopeMaterial] {
        &self.materials
    }

    /// Draws every material for one trajectory, in order; of alternatives the first.
    pub fn sample(&self, rng: &mut impl Rng) -> Vec<MaterialSample> {
        let mut samples = Vec::new();
        self.sample_into((0, 0), rng, &mut samples);
        samples
    }

    /// The same of a set of alternatives for a class of rock in a list that is there. Laws beyond restitution and
    /// friction are drawn after those of all materials, so that a ground without them draws as it always did. What is
    /// the same as an earlier material is not drawn again: chance does not depend on how an area is cut.
    pub(crate) fn sample_into(
        &self,
        (set, class): (usize, usize),
        rng: &mut impl Rng,
        samples: &mut Vec<MaterialSample>,
    ) {
        let laws = || {
            let materials = self.materials.iter().enumerate();
            materials.map(move |(k, own)| self.alternatives(k, class).get(set).unwrap_or(own))
        };
        samples.clear();
        for (k, material) in laws().enumerate() {
            let earlier = samples.get(self.merged.number(k)).copied();
            samples.push(earlier.unwrap_or_else(|| material.sample(rng)));
        }
        if laws().any(SlopeMaterial::has_further_laws) {
            for (k, material) in laws().enumerate() {
                let first = self.merged.number(k);
                if let Some(earlier) = samples.get(first).copied().filter(|_| first < k) {
                    samples[k] = earlier;
                } else {
                    material.sample_further(rng, &mut samples[k]);
                }
            }
        }
    }

    /// Whether the number of the facet decides the material.
    pub fn needs_facet(&self) -> bool {
        matches!(self.layout, Layout::Segments(_)) && !self.is_one_material()
    }

    /// Whether all of the ground is one material.
    pub(crate) fn is_one_material(&self) -> bool {
        self.everywhere().is_some()
    }

    /// The number of the material that all of the ground is.
    pub(crate) fn everywhere(&self) -> Option<usize> {
        self.merged.everywhere()
    }

    /// Whether the material may change within a facet.
    pub(crate) fn changes_within_facets(&self) -> bool {
        matches!(self.layout, Layout::Polygons(..) | Layout::Raster(..)) && !self.is_one_material()
    }

    /// Number of the material at a point of a facet; `map` is the point in map coordinates (m). Of materials that are
    /// the same it is the first.
    pub fn material(&self, map: DVec2, facet: u32) -> usize {
        if let Some(everywhere) = self.everywhere() {
            return everywhere;
        }
        let number = match &self.layout {
            Layout::Uniform => 0,
            Layout::Segments(list) => {
                let own = list.get(facet as usize).or(list.last());
                own.copied().unwrap_or(0)
            }
            Layout::Polygons(list, rest) => self.merged.of_polygons(list, *rest, map),
            Layout::Raster(grid, rest) => class_at(grid, map).unwrap_or(*rest),
        };
        self.merged.number(number as usize)
    }
}
