//! Flat walls, fixed or moving along their normal.

use crate::error::{DemError, within};
use crate::law::PenaltyLaw;
use crate::link::Side;
use glam::DVec3;
use klast_geometry::{Plane, lowest_vertex};

/// A half-space that pushes particles out: solid below its plane.
///
/// The overlap with a half-space is the depth of the lowest vertex, which is also the contact point (the middle of the face that lies parallel); the law is that
/// of two bodies of which one has no end of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The plane; its normal points to the particles.
    pub plane: Plane,
    /// Speed along the normal, m/s.
    pub speed: f64,
    /// Row in the table of laws.
    pub material: usize,
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

    /// Force on the particle and where it acts; the spring is advanced.
    pub(crate) fn load(
        &self,
        particle: &Side,
        law: &PenaltyLaw,
        step: f64,
        spring: &mut DVec3,
    ) -> Option<(DVec3, DVec3, f64)> {
        let normal = self.plane.normal;
        let centre = normal.dot(particle.pose.translation) - self.plane.offset;
        if centre > particle.shape.radius() {
            *spring = DVec3::ZERO;
            return None;
        }
        let (height, _) = lowest_vertex(particle.shape, particle.pose, &self.plane);
        if height > 0.0 {
            *spring = DVec3::ZERO;
            return None;
        }
        let corner = self.middle_of_lowest(particle, height);
        let depth = -height;
        let point = corner + normal * (0.5 * depth);
        let arm = point - particle.pose.translation;
        let own = normal * self.speed;
        let closing = -(particle.now.at(arm) - own).dot(normal);
        let force = law.elastic_force(depth) + law.dissipative_force(depth, closing, particle.mass);
        let slip = (particle.half.at(arm) - own) * step;
        *spring = law.advance_spring(*spring, normal, slip, force);
        let total = normal * force - *spring * law.tangential_stiffness();
        Some((total, point, law.potential(depth)))
    }

    /// The lowest vertex; or, when an edge or a face lies parallel to the wall, the mean of its corners.
    fn middle_of_lowest(&self, particle: &Side, height: f64) -> DVec3 {
        let down = particle.pose.inverse_transform_vector(self.plane.normal);
        let level = height + self.plane.offset - self.plane.normal.dot(particle.pose.translation);
        let flat = 1e-12 * particle.shape.radius();
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for v in particle.shape.vertices() {
            if v.dot(down) <= level + flat {
                sum += *v;
                count += 1.0;
            }
        }
        particle.pose.transform_point(sum / f64::max(count, 1.0))
    }
}
