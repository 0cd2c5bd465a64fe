//! Pressure on faces: of water by its level, of earth by density, coefficient and surcharge, of water in joints.

use crate::{ConvexPolyhedron, GeometryError, Plane, Pose};
use glam::DVec3;
use klast_numerics::check::{finite, finite_vector, non_negative, positive};

/// A pressure that is linear in the place, `p = p₀ + g·x` where that is positive and under a plane, and 0 elsewhere.
///
/// It is fixed in space and pushes against the faces of a body where they are at the start of each step. Its force and
/// moment are integrated over each face without an error but rounding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressure {
    /// At the origin (Pa).
    pub at_origin: f64,
    /// By the place (Pa/m).
    pub gradient: DVec3,
    /// It acts only under this plane.
    pub under: Option<Plane>,
    /// Tangent of the angle of wall friction: that part of the pressure acts along the face, downwards, as of earth
    /// that slides down a wall. Negative for a passive wedge, which slides up.
    pub wall_friction: f64,
}

impl Pressure {
    /// Of a liquid at rest under a level (m along z): `ρ g (level − z)`.
    ///
    /// # Errors
    /// A density or an acceleration that is not above 0, or a level that is not finite.
    pub fn water(level: f64, density: f64, gravity: f64) -> Result<Self, GeometryError> {
        finite("level of water", level)?;
        let weight = positive("density", density)? * positive("gravity", gravity)?;
        Ok(Self {
            at_origin: weight * level,
            gradient: DVec3::Z * -weight,
            under: None,
            wall_friction: 0.0,
        })
    }

    /// Of earth under a level surface (m along z): `K (ρ g (surface − z) + q)` with the coefficient K of earth pressure
    /// and the surcharge q (Pa); K of Rankine or Coulomb is up to the caller, as is the angle of wall friction.
    ///
    /// # Errors
    /// A density or an acceleration that is not above 0, a coefficient or a surcharge below 0, or a number that is not
    /// finite.
    pub fn earth(
        surface: f64,
        (density, gravity): (f64, f64),
        coefficient: f64,
        surcharge: f64,
    ) -> Result<Self, GeometryError> {
        finite("surface of earth", surface)?;
        let weight = positive("density", density)? * positive("gravity", gravity)?;
        non_negative("coefficient of earth pressure", coefficient)?;
        non_negative("surcharge", surcharge)?;
        Ok(Self {
            at_origin: coefficient * (weight * surface + surcharge),
            gradient: DVec3::Z * (-coefficient * weight),
            under: Some(Plane::new(DVec3::Z, surface)?),
            wall_friction: 0.0,
        })
    }

    /// Of water in a joint, linear from one place and pressure (m, Pa) to another, and the same across that line:
    /// uplift between heel and toe.
    ///
    /// # Errors
    /// Places that are one, a pressure below 0, or a number that is not finite.
    pub fn between(from: (DVec3, f64), to: (DVec3, f64)) -> Result<Self, GeometryError> {
        for (place, pressure) in [from, to] {
            finite_vector("place of a pressure", place)?;
            non_negative("pressure", pressure)?;
        }
        let way = to.0 - from.0;
        let square = positive("squared distance of two pressures", way.length_squared())?;
        let gradient = way * ((to.1 - from.1) / square);
        Ok(Self {
            at_origin: from.1 - gradient.dot(from.0),
            gradient,
            under: None,
            wall_friction: 0.0,
        })
    }

    /// Refuses numbers that are not finite.
    ///
    /// # Errors
    /// Those.
    pub fn check(&self) -> Result<(), GeometryError> {
        finite("pressure at the origin", self.at_origin)?;
        finite_vector("gradient of pressure", self.gradient)?;
        finite("wall friction", self.wall_friction)?;
        Ok(())
    }

    fn at(&self, point: DVec3) -> f64 {
        self.at_origin + self.gradient.dot(point)
    }

    /// Force (N) and moment about a point (N m) on a plane face with this outline and outward normal, `down` the
    /// direction of gravity. `polygon` and `room` are buffers, and the first holds the outline.
    fn on_face(
        &self,
        [polygon, room]: [&mut Vec<DVec3>; 2],
        (normal, about, down): (DVec3, DVec3, DVec3),
    ) -> (DVec3, DVec3) {
        clip(polygon, room, |p| self.at(p));
        if let Some(plane) = &self.under {
            clip(polygon, room, |p| -plane.height(p));
        }
        let along = down - normal * down.dot(normal);
        let traction = along.try_normalize().unwrap_or(DVec3::ZERO) * self.wall_friction - normal;
        let (mut force, mut moment) = (0.0, DVec3::ZERO);
        for k in 2..polygon.len() {
            let corners = [polygon[0], polygon[k - 1], polygon[k]];
            let area = 0.5
                * (corners[1] - corners[0])
                    .cross(corners[2] - corners[0])
                    .length();
            let pressures = corners.map(|p| self.at(p));
            let sum: f64 = pressures.iter().sum();
            force += area / 3.0 * sum;
            // Integral of the product of two linear functions over a triangle.
            for (corner, p) in corners.iter().zip(pressures) {
                moment += (*corner - about) * (area / 12.0 * (p + sum));
            }
        }
        (traction * force, moment.cross(traction))
    }

    /// Force (N) and moment about the origin of its coordinates (N m) on a solid at a pose: on one of its facets, or on
    /// all. `down` is the direction of gravity.
    #[must_use]
    pub fn on(
        &self,
        shape: &ConvexPolyhedron,
        pose: &Pose,
        facet: Option<usize>,
        down: DVec3,
    ) -> (DVec3, DVec3) {
        let centre = pose.translation;
        let (mut polygon, mut room) = (vec![], vec![]);
        let faces = match facet {
            Some(facet) => facet..facet + 1,
            None => 0..shape.facets().len(),
        };
        faces.fold((DVec3::ZERO, DVec3::ZERO), |(force, moment), k| {
            polygon.clear();
            let corners = shape.facet_vertices(k).iter();
            let place = |v: &u32| centre + pose.transform_vector(shape.vertices()[*v as usize]);
            polygon.extend(corners.map(place));
            let normal = shape.facets().get(k).map_or(DVec3::ZERO, |f| f.normal);
            let normal = pose.transform_vector(normal);
            let own = self.on_face([&mut polygon, &mut room], (normal, centre, down));
            (force + own.0, moment + own.1)
        })
    }
}

/// Cuts a convex polygon to where a linear function is not negative.
fn clip(polygon: &mut Vec<DVec3>, room: &mut Vec<DVec3>, of: impl Fn(DVec3) -> f64) {
    room.clear();
    for (k, &to) in polygon.iter().enumerate() {
        let from = polygon[k.checked_sub(1).unwrap_or(polygon.len() - 1)];
        let (a, b) = (of(from), of(to));
        if (a < 0.0) != (b < 0.0) {
            room.push(from + (to - from) * (a / (a - b)));
        }
        if b >= 0.0 {
            room.push(to);
        }
    }
    std::mem::swap(polygon, room);
}
