//! What the search for the least axis compares: a direction, the overlap along it, the features it belongs to.

use glam::DVec3;

/// The features an axis belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AxisFeature {
    /// Normal of a facet of the first body.
    FacetA(u32),
    /// Normal of a facet of the second body.
    FacetB(u32),
    /// Common normal of an edge of each.
    Edges(u32, u32),
}

/// A candidate axis in the frame of A.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub normal: DVec3,
    pub depth: f64,
    pub feature: AxisFeature,
}

/// The direction of an axis in the frame of A, where the overlap along it is of no interest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub normal: DVec3,
    pub feature: AxisFeature,
}

impl Axis {
    pub fn line(&self) -> Line {
        Line {
            normal: self.normal,
            feature: self.feature,
        }
    }
}

impl Line {
    pub fn with_depth(self, depth: f64) -> Axis {
        Axis {
            normal: self.normal,
            depth,
            feature: self.feature,
        }
    }
}

/// The two least of some overlaps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lowest {
    first: f64,
    pub second: f64,
}

impl Default for Lowest {
    fn default() -> Self {
        Self {
            first: f64::INFINITY,
            second: f64::INFINITY,
        }
    }
}

impl Lowest {
    pub fn note(&mut self, depth: f64) {
        if depth < self.first {
            self.second = self.first;
            self.first = depth;
        } else if depth < self.second {
            self.second = depth;
        }
    }
}
