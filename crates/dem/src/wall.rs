//! Flat walls, fixed or moving along their normal.

use crate::error::DemError;
use crate::event_correction::{Correction, Track};
use crate::law::PenaltyLaw;
use crate::link::{Options, Side};
use glam::DVec3;
use klast_geometry::{Plane, lowest_vertex};
use klast_numerics::check::within;

/// A half-space that pushes particles out: solid below its plane.
///
/// The overlap with a half-space is the depth of the lowest vertex, which is also the contact point (the middle of the
/// face that lies parallel); the law is that of two bodies of which one has no end of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The plane; its normal points to the particles.
    pub plane: Plane,
    /// Speed along the normal, m/s.
    pub speed: f64,
    /// Row in the table of laws.
    pub material: usize,
}

/// Memory and load of one particle at one wall.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WallLink {
    /// Tangential spring, m.
    pub spring: DVec3,
    /// Force on the particle, N.
    pub force: DVec3,
    /// Energy stored, J.
    pub potential: f64,
    /// The lowest vertex and its depth, if one alone is the lowest and in the wall.
    pub lowest: Option<(usize, f64)>,
    /// What the last step missed.
    pub correction: Option<Correction>,
}

/// What a wall does to a particle.
pub(crate) struct WallLoad {
    pub force: DVec3,
    pub point: DVec3,
    pub potential: f64,
}

impl Wall {
    /// A wall at rest.
    #[must_use]
    pub fn fixed(plane: Plane, material: usize) -> Self {
        Self {
            plane,
            speed: 0.0,
            material,
        }
    }

    /// The six sides of a box, in the order −x, +x, −y, +y, −z, +z.
    ///
    /// # Errors
    /// A box without volume.
    pub fn box_sides(low: DVec3, high: DVec3, material: usize) -> Result<Vec<Self>, DemError> {
        let edges = high - low;
        within(
            "box edge",
            edges.min_element(),
            (f64::MIN_POSITIVE, f64::MAX),
            "> 0 m",
        )?;
        let mut walls = Vec::with_capacity(6);
        for axis in DVec3::AXES {
            for (normal, point) in [(axis, low), (-axis, high)] {
                let plane = Plane::through(point, normal)?;
                walls.push(Self::fixed(plane, material));
            }
        }
        Ok(walls)
    }

    /// Moves the wall on by `step` seconds.
    pub(crate) fn advance(&mut self, step: f64) {
        self.plane.offset += self.speed * step;
    }

    /// What the wall does to a particle; the memory of the pair is advanced.
    pub(crate) fn load(
        &self,
        particle: &Side,
        law: &PenaltyLaw,
        options: Options,
        link: &mut WallLink,
    ) -> Option<WallLoad> {
        let last = link.lowest.take();
        let load = self.force(particle, law, options.step, link);
        if load.is_none() {
            link.spring = DVec3::ZERO;
        }
        link.correction = None;
        if options.mend_walls {
            link.correction = self.correction(particle, law, options.step, last, link.lowest);
        }
        load
    }

    fn force(
        &self,
        particle: &Side,
        law: &PenaltyLaw,
        step: f64,
        link: &mut WallLink,
    ) -> Option<WallLoad> {
        let normal = self.plane.normal;
        let centre = normal.dot(particle.pose.translation) - self.plane.offset;
        if centre > particle.shape.radius() {
            return None;
        }
        let (height, lowest) = lowest_vertex(particle.shape, particle.pose, &self.plane);
        if height > 0.0 {
            return None;
        }
        let (corner, count) = self.middle_of_lowest(particle, height);
        // A face that lies flat has no vertex that another could take over from.
        link.lowest = (count == 1).then_some((lowest, -height));
        let depth = -height;
        let point = corner + normal * (0.5 * depth);
        let arm = point - particle.pose.translation;
        let own = normal * self.speed;
        let closing = -(particle.now.at(arm) - own).dot(normal);
        let force = law.elastic_force(depth) + law.dissipative_force(depth, closing, particle.mass);
        let slip = (particle.half.at(arm) - own) * step;
        link.spring = law.advance_spring(link.spring, normal, slip, force);
        Some(WallLoad {
            force: normal * force - link.spring * law.tangential_stiffness(),
            point,
            potential: law.potential(depth),
        })
    }

    /// What the step missed where the lowest vertex changed, came or went; see `remedy.rs`.
    fn correction(
        &self,
        particle: &Side,
        law: &PenaltyLaw,
        step: f64,
        last: Option<(usize, f64)>,
        now: Option<(usize, f64)>,
    ) -> Option<Correction> {
        let normal = self.plane.normal;
        let track = |vertex: usize| {
            let corner = *particle.shape.vertices().get(vertex)?;
            let (then, point) = (
                particle.before.transform_point(corner),
                particle.pose.transform_point(corner),
            );
            let start = self.plane.offset - self.speed * step - normal.dot(then);
            let end = self.plane.offset - normal.dot(point);
            Some(Track {
                start,
                normal_start: normal,
                end,
                normal,
                point: point + normal * (0.5 * end),
            })
        };
        match (last, now) {
            (Some((old, _)), Some((new, _))) if old != new => {
                track(old)?.switched(&track(new)?, law, step)
            }
            (None, Some((new, _))) => track(new)?.touched(law, step),
            (Some((old, _)), None) => track(old)?.parted(law, step),
            _ => None,
        }
    }

    /// The lowest vertex; or, when an edge or a face lies parallel to the wall, the mean of its corners. And how many
    /// they are.
    fn middle_of_lowest(&self, particle: &Side, height: f64) -> (DVec3, usize) {
        let down = particle.pose.inverse_transform_vector(self.plane.normal);
        let level = height + self.plane.offset - self.plane.normal.dot(particle.pose.translation);
        let flat = 1e-12 * particle.shape.radius();
        let (mut sum, mut count) = (DVec3::ZERO, 0);
        for v in particle.shape.vertices() {
            if v.dot(down) <= level + flat {
                sum += *v;
                count += 1;
            }
        }
        let middle = sum / f64::max(count as f64, 1.0);
        (particle.pose.transform_point(middle), count)
    }
}
