//! How a drawn release becomes the first state of a rock.

use super::release_area::Release;
use crate::RockfallError;
use crate::seeder::Seeder;
use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::Body;
use klast_geometry::terrain::{Area, Facet, FacetPatch, Terrain, terrain_separation};
use klast_geometry::{Pose, Sphere};
use klast_sampling::{Purpose, Streams};

/// A release before the engine's own form of it.
pub(crate) struct Start {
    /// The place on the ground, local coordinates.
    pub release: DVec3,
    /// Height over the ground (m).
    pub height: f64,
    /// Height of the mass centre in local coordinates (m) in place of one over the ground.
    pub elevation: Option<f64>,
    /// Height (m) up to which a start in the ground is raised to stand on it.
    pub raised_up_to: f64,
    /// Velocity (m/s).
    pub velocity: DVec3,
    /// Spin (rad/s).
    pub spin: DVec3,
    /// Attitude.
    pub attitude: DQuat,
}

/// Where a rock starts.
pub(crate) struct Placed<T> {
    /// Its place or pose.
    pub at: T,
    /// Whether it was raised out of the ground.
    pub raised: bool,
}

impl<T> Placed<T> {
    fn as_given(at: T) -> Self {
        Placed { at, raised: false }
    }
}

impl Start {
    /// Where a point is released; `None` deeper in the ground than it is raised.
    pub(crate) fn point(&self) -> Option<Placed<DVec3>> {
        let on_ground = self.release;
        match self.elevation {
            None => Some(Placed::as_given(on_ground + DVec3::Z * self.height)),
            Some(z) if z >= on_ground.z => Some(Placed::as_given(on_ground.truncate().extend(z))),
            Some(z) => self.raised(z, on_ground.z, on_ground),
        }
    }

    /// A start that stands on the ground in place of one at a height `from` in it, if it is not raised too far.
    fn raised<T>(&self, from: f64, to: f64, at: T) -> Option<Placed<T>> {
        let near = to - from <= self.raised_up_to;
        near.then_some(Placed { at, raised: true })
    }

    /// The pose of a body: with its lowest point at the wanted height, raised until nothing touches the ground, or with
    /// its mass centre at the wanted elevation. `None` where that is deeper in the ground than it is raised.
    pub(crate) fn pose(
        &self,
        body: &Body,
        terrain: &dyn Terrain,
        (facets, scratch): (&mut Vec<Facet>, &mut FacetPatch),
    ) -> Option<Placed<Pose>> {
        let mut pose = Pose {
            rotation: self.attitude,
            translation: self.release,
        };
        let radius = body.shape().radius();
        facets.clear();
        terrain.facets(Area::around(self.release.truncate(), radius), facets);
        let mut gap = |pose: &Pose| {
            let near = match body.sphere_radius() {
                Some(radius) => {
                    let centre = pose.translation;
                    Sphere { centre, radius }.separation(facets)
                }
                None => terrain_separation(body.shape(), pose, facets, f64::INFINITY, scratch),
            };
            near.map_or(f64::INFINITY, |near| near.gap)
        };
        if let Some(z) = self.elevation {
            pose.translation.z = z;
            // Touching ground is no overlap: rounding of a map coordinate.
            let free = z >= self.release.z && gap(&pose) >= -1e-9 * radius;
            if free {
                return Some(Placed::as_given(pose));
            }
            stand(body, &mut pose, terrain, gap)?;
            return self.raised(z, pose.translation.z, pose);
        }
        stand(body, &mut pose, terrain, gap)?;
        pose.translation.z += self.height;
        Some(Placed::as_given(pose))
    }
}

/// Moves a pose up or down until the body stands on the ground and nothing of it is in the ground. `None` where there
/// is no such height.
fn stand(
    body: &Body,
    pose: &mut Pose,
    terrain: &dyn Terrain,
    mut gap: impl FnMut(&Pose) -> f64,
) -> Option<()> {
    pose.translation.z += lift(body, pose, terrain);
    if body.sphere_radius().is_some() {
        pose.translation.z = clear(pose, body.shape().radius(), gap)?;
        return Some(());
    }
    // A crest under a face: no vertex sees it.
    for _ in 0..50 {
        let gap = gap(pose);
        if gap >= 0.0 {
            break;
        }
        pose.translation.z += 1e-9 - gap;
    }
    Some(())
}

/// The least height (m) from a pose on upwards at which a gap is not below zero, to 1e-12 of the radius. On a cliff it
/// may be many radii up. `None` where there is none.
fn clear(pose: &Pose, radius: f64, mut gap: impl FnMut(&Pose) -> f64) -> Option<f64> {
    let mut at = |z: f64| {
        let mut raised = *pose;
        raised.translation.z = z;
        gap(&raised)
    };
    let (mut low, mut rise) = (pose.translation.z, radius);
    if at(low) >= 0.0 {
        return Some(low);
    }
    while at(low + rise) < 0.0 {
        low += rise;
        rise *= 2.0;
        if !rise.is_finite() {
            return None;
        }
    }
    let mut high = low + rise;
    while high - low > 1e-12 * radius {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if at(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

/// How far a body must rise for its lowest vertex to touch the ground, or the centre of a sphere.
fn lift(body: &Body, pose: &Pose, terrain: &dyn Terrain) -> f64 {
    if body.sphere_radius().is_some() {
        // Its centre on the ground: it is raised from there until it touches nothing.
        let p = pose.translation;
        return terrain.surface(p.x, p.y).map_or(0.0, |s| s.height - p.z);
    }
    let over = |v: &DVec3| {
        let p = pose.transform_point(*v);
        terrain.surface(p.x, p.y).map(|s| p.z - s.height)
    };
    let lowest = body
        .vertices()
        .iter()
        .filter_map(over)
        .fold(f64::INFINITY, f64::min);
    if lowest.is_finite() {
        -lowest
    } else {
        body.shape().radius()
    }
}

/// A single release place must stand on ground, and some of its elevations above it; of a line, an area or cells, some
/// part must. So must each of several parts.
pub(crate) fn on_the_map(terrain: &dyn Terrain, seeder: &Seeder) -> Result<(), RockfallError> {
    match &seeder.release {
        Release::Parts(parts) => parts
            .iter()
            .try_for_each(|part| part_on_the_map(terrain, seeder, part)),
        one => part_on_the_map(terrain, seeder, one),
    }
}

impl Seeder {
    /// The same without the parts of its release that lie where there is no ground; none if that is all of it.
    #[must_use]
    pub fn over_ground(mut self, terrain: &dyn Terrain) -> Option<Self> {
        let release = std::mem::replace(&mut self.release, Release::Parts(Vec::new()));
        let stands = |part: &Release| {
            let found = part_on_the_map(terrain, &self, part);
            !matches!(found, Err(RockfallError::OffMap { .. }))
        };
        self.release = match release {
            Release::Parts(mut parts) => {
                parts.retain(stands);
                (!parts.is_empty()).then_some(Release::Parts(parts))?
            }
            one => stands(&one).then_some(one)?,
        };
        Some(self)
    }
}

/// The area of a terrain, in map coordinates.
pub(crate) fn map_of(terrain: &dyn Terrain) -> Area {
    let (area, origin) = (terrain.extent(), terrain.origin().truncate());
    Area {
        lower: area.lower + origin,
        upper: area.upper + origin,
    }
}

fn part_on_the_map(
    terrain: &dyn Terrain,
    seeder: &Seeder,
    release: &Release,
) -> Result<(), RockfallError> {
    let origin = terrain.origin().truncate();
    let stands = |p: &DVec2| {
        let p = *p - origin;
        terrain.surface(p.x, p.y).is_some()
    };
    if let (Release::Point(p), Some(elevation)) = (release, &seeder.elevation) {
        let (local, height) = (*p - origin, elevation.support().1);
        if let Some(ground) = terrain
            .surface(local.x, local.y)
            .map(|s| s.height + terrain.origin().z)
            .filter(|ground| height + seeder.raised_up_to < *ground)
        {
            return Err(RockfallError::BelowGround { height, ground });
        }
    }
    let places: Vec<DVec2> = match release {
        Release::Point(p) => vec![*p],
        release => {
            let mut rng = Streams::new(0).rng(Purpose::Position, 0);
            (0..200).map(|_| release.draw(&mut rng)).collect()
        }
    };
    match places.first() {
        Some(p) if !places.iter().any(stands) => Err(RockfallError::OffMap {
            what: "release",
            x: p.x,
            y: p.y,
            map: map_of(terrain),
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_geometry::terrain::Grid;

    /// On a cliff a sphere that is raised until it is clear touches: its gap is zero, by R/cos θ over the ground.
    #[test]
    fn a_sphere_on_a_cliff_stands_clear_of_it() {
        for degrees in [30.0f64, 80.0, 88.0] {
            let tangent = libm::tan(degrees.to_radians());
            let heights = (0..21 * 21).map(|k| tangent * f64::from(k % 21)).collect();
            let ground = Grid::new(21, 21, 1.0, DVec2::ZERO, heights).unwrap();
            let body = Body::sphere(1.0, 2700.0).unwrap();
            let start = Start {
                release: DVec3::new(10.3, 10.4, 10.3 * tangent),
                height: 0.0,
                elevation: None,
                raised_up_to: 0.0,
                velocity: DVec3::ZERO,
                spin: DVec3::ZERO,
                attitude: DQuat::IDENTITY,
            };
            let (mut facets, mut patch) = (Vec::new(), FacetPatch::default());
            let pose = start
                .pose(&body, &ground, (&mut facets, &mut patch))
                .unwrap()
                .at;
            let height = pose.translation.z - start.release.z;
            let right = 1.0 / libm::cos(degrees.to_radians());
            assert!(
                (height / right - 1.0).abs() < 1e-9,
                "{degrees}: {height} {right}"
            );
        }
    }
}
