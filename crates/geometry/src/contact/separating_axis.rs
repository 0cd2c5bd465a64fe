//! The axis that keeps two bodies apart while they move: a search among the normals of their facets and the directions
//! between their nearest points, that leaves out what spheres inside the bodies rule out.

use super::candidate::AxisFeature;
use super::closest::closest_points;
use super::pair::Placed;
use crate::Pose;
use glam::DVec3;

/// Part of the radii that rounding, and vertices that stand off the planes of their facets, may add to a distance.
const ROUNDING: f64 = 1e-8;

/// Part of the radii above which an overlap is none of rounding for the search for nearest points.
const TOUCH: f64 = 1e-6;

/// An axis along which two bodies stay apart while they move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassingAxis {
    /// Unit vector from B to A, world axes.
    pub normal: DVec3,
    /// How far apart the bodies stand along it before they move (m).
    pub gap: f64,
    /// The facet whose normal it is, if it is one.
    pub facet: Option<AxisFeature>,
}

/// The axis along which two bodies are apart by the most both before and after they move, and by no less than `least`
/// (m, exclusive; below zero is an overlap that is let pass): bodies that are shifted do not touch in between if there
/// is one that keeps them apart.
///
/// Looked for among the normals of their facets and the directions between their nearest points. `after` are the poses
/// of A and B after the motion.
pub fn passing_axis(
    a: Placed,
    b: Placed,
    after: (&Pose, &Pose),
    least: f64,
) -> Option<PassingAxis> {
    passing_axis_of_known(a, b, after, (least, [0.0; 2]))
}

/// The same where bodies are known to overlap along every axis by some lengths before and after they move (m; 0 where
/// it is not known): overlapping bodies have no nearest points, and no axis shows them overlapping by less. The
/// answer is the same.
pub fn passing_axis_of_known(
    a: Placed,
    b: Placed,
    after: (&Pose, &Pose),
    (least, overlaps): (f64, [f64; 2]),
) -> Option<PassingAxis> {
    let after = [(a, after.0), (b, after.1)].map(|(body, pose)| Placed {
        shape: body.shape,
        pose,
    });
    let mut search = Search {
        times: [[a, b], after],
        rounding: ROUNDING * (a.shape.radius() + b.shape.radius()),
        least,
        found: None,
        foremost: None,
    };
    let most = overlaps.into_iter().fold(0.0, f64::max);
    if most > 0.0 && search.rounding - most <= least {
        return None;
    }
    search.facets(0);
    search.facets(1);
    if search.is_exhausted() {
        return search.found;
    }
    // The search for nearest points knows overlap from touch above its own rounding.
    let touch = TOUCH * (a.shape.radius() + b.shape.radius());
    for ([a, b], overlap) in search.times.into_iter().zip(overlaps) {
        if overlap > touch {
            continue;
        }
        let between = closest_points(a, b).map(|c| c.point_a - c.point_b);
        if let Some(normal) = between.and_then(DVec3::try_normalize) {
            search.enter(normal, None);
        }
    }
    search.found
}

/// The normal of a facet along which the bodies are apart by the most, or overlap by the least, of those looked at.
#[derive(Clone, Copy)]
struct Foremost {
    apart: f64,
    /// Whose facet it is.
    owner: usize,
    normal: DVec3,
}

struct Search<'a> {
    /// A and B before and after the motion.
    times: [[Placed<'a>; 2]; 2],
    rounding: f64,
    /// What an axis has to exceed (m).
    least: f64,
    found: Option<PassingAxis>,
    foremost: Option<Foremost>,
}

impl Search<'_> {
    /// Looks at the normals of the facets of A (0) or B (1), but for those along which the inner spheres of the bodies
    /// are no farther apart than what was found.
    fn facets(&mut self, owner: usize) {
        let Placed { shape, pose } = self.times[0][owner];
        let from_b = if owner == 0 { -1.0 } else { 1.0 };
        let lines = self
            .times
            .map(|[a, b]| pose.inverse_transform_vector(inner_centre(a) - inner_centre(b)));
        let spheres = self.times[0].map(|placed| placed.shape.inner_sphere().1);
        let nearer = spheres[0] + spheres[1] - self.rounding;
        for (i, facet) in shape.facets().iter().enumerate() {
            let [before, after] = lines.map(|line| from_b * facet.normal.dot(line) - nearer);
            if before <= self.least || after <= self.least {
                continue;
            }
            let normal = pose.transform_vector(facet.normal) * from_b;
            let feature = match owner {
                0 => AxisFeature::FacetA(i as u32),
                _ => AxisFeature::FacetB(i as u32),
            };
            let apart = self.enter(normal, Some(feature));
            if self.foremost.is_none_or(|f| apart > f.apart) {
                self.foremost = Some(Foremost {
                    apart,
                    owner,
                    normal,
                });
            }
        }
    }

    /// Takes an axis if it keeps the bodies apart by more than what was found. How far apart they are along it (m), at
    /// the first of the two times at which it is too little.
    fn enter(&mut self, normal: DVec3, facet: Option<AxisFeature>) -> f64 {
        let gap = apart_along(self.times[0], normal);
        if gap <= self.least {
            return gap;
        }
        let after = apart_along(self.times[1], normal);
        let both = gap.min(after);
        if both > self.least {
            self.least = both;
            self.found = Some(PassingAxis { normal, gap, facet });
        }
        both
    }

    /// Whether no axis whatever keeps the bodies apart by more than what was found, told from the point of one that is
    /// deepest under the foremost facet of the other: a ball about it as large as its depth is inside that other one,
    /// so the bodies overlap by as much along every axis.
    fn is_exhausted(&self) -> bool {
        let Some(Foremost { owner, normal, .. }) = self.foremost else {
            return false;
        };
        let towards = if owner == 0 { normal } else { -normal };
        self.times.iter().any(|time| {
            let (own, other) = (time[owner], time[1 - owner]);
            let along = other.pose.inverse_transform_vector(towards);
            let vertex = other.shape.vertex(other.shape.support(along) as u32);
            let depth = own.shape.depth(
                own.pose
                    .inverse_transform_point(other.pose.transform_point(vertex)),
            );
            depth > 0.0 && self.rounding - depth <= self.least
        })
    }
}

/// The centre of a body's inner sphere, world axes (m).
fn inner_centre(placed: Placed) -> DVec3 {
    placed.pose.transform_point(placed.shape.inner_sphere().0)
}

/// How far A stands from B along a unit vector from B to A (m); negative where they overlap along it.
fn apart_along([a, b]: [Placed; 2], n: DVec3) -> f64 {
    let reach = a.shape.reach(-a.pose.inverse_transform_vector(n))
        + b.shape.reach(b.pose.inverse_transform_vector(n));
    (a.pose.translation - b.pose.translation).dot(n) - reach
}
