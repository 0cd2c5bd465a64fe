//! A rigid body: mass, inertia and shape in one frame.

use crate::DynamicsError;
use klast_numerics::OutOfRange;
use klast_numerics::check::{finite_vector, positive};

use glam::DVec3;
use klast_geometry::{ConvexPolyhedron, Frustum, MassProperties, Pose, Round, Solid};
use std::sync::{Arc, OnceLock};

/// Spread of the principal moments, relative to the largest, under which a body counts as isotropic. Computed moments
/// of a cube differ by about 1e-14; treating a spread s as none turns the attitude wrongly by less than ½ s φ² after φ
/// radians.
const ISOTROPIC: f64 = 1e-13;

/// A rigid body. Body axes are the principal axes of inertia and the origin is the centre of mass.
///
/// Cheap to clone: the shape is shared.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    mass: f64,
    inertia: DVec3,
    isotropic: bool,
    shape: Arc<ConvexPolyhedron>,
    sphere_radius: Option<f64>,
    /// On the heap: few bodies are round.
    round: Option<Box<RoundBody>>,
    frame: Pose,
}

/// The solid of a body with circular edges, and the points of a rim that are contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RoundBody {
    solid: Frustum,
    points: usize,
}

impl Body {
    /// A body of uniform density (kg/m³). The shape may stand anywhere in its own coordinates.
    pub fn uniform(shape: &ConvexPolyhedron, density: f64) -> Result<Self, DynamicsError> {
        Self::with_mass(shape, &shape.mass_properties(density)?)
    }

    /// A body of any mass properties, in the coordinates of the shape, wherever that stands.
    pub fn with_mass(shape: &ConvexPolyhedron, m: &MassProperties) -> Result<Self, DynamicsError> {
        let frame = Pose::new(m.principal_frame, m.centre)?;
        let moved = if frame == Pose::IDENTITY {
            shape.clone()
        } else {
            shape.transformed(&frame.inverse())?
        };
        let mut body = Self::new(m.mass, m.principal_inertia, moved)?;
        body.frame = frame;
        Ok(body)
    }

    /// As [`Body::uniform`], in the memory of a body that is not needed any more, unless that one shares its shape.
    pub fn uniform_reusing(
        shape: &ConvexPolyhedron,
        density: f64,
        mut spare: Self,
    ) -> Result<Self, DynamicsError> {
        let Some(own) = Arc::get_mut(&mut spare.shape) else {
            return Self::uniform(shape, density);
        };
        let m = shape.mass_properties(density)?;
        let (inertia, isotropic) = moments(m.mass, m.principal_inertia)?;
        let frame = Pose::new(m.principal_frame, m.centre)?;
        if frame == Pose::IDENTITY {
            own.clone_from(shape);
        } else {
            shape.transformed_into(&frame.inverse(), own)?;
        }
        Ok(Self {
            mass: m.mass,
            inertia,
            isotropic,
            shape: spare.shape,
            sphere_radius: None,
            round: None,
            frame,
        })
    }

    /// A body with given mass (kg) and principal moments of inertia (kg m²); `shape` is in body axes.
    ///
    /// Each moment must be positive and none above the sum of the other two (only a flat body reaches that sum).
    pub fn new(mass: f64, inertia: DVec3, shape: ConvexPolyhedron) -> Result<Self, DynamicsError> {
        let (inertia, isotropic) = moments(mass, inertia)?;
        Ok(Self {
            mass,
            inertia,
            isotropic,
            shape: Arc::new(shape),
            sphere_radius: None,
            round: None,
            frame: Pose::IDENTITY,
        })
    }

    /// A sphere of a radius (m) and a uniform density (kg/m³): mass 4/3 π ρ r³, moment of inertia 2/5 m r².
    ///
    /// [`crate::single`] and [`crate::World`] move it as a sphere, to rounding. Its shape, for drawing and bounds, is
    /// an icosphere of 162 vertices on it.
    pub fn sphere(radius: f64, density: f64) -> Result<Self, DynamicsError> {
        positive("radius", radius)?;
        let shape = unit_icosphere()?.scaled(radius)?;
        let (mass, moment) = mass_of_a_sphere(radius, density)?;
        let mut body = Self::new(mass, DVec3::splat(moment), shape)?;
        body.sphere_radius = Some(radius);
        Ok(body)
    }

    /// As [`Body::sphere`], in the memory of a body that is not needed any more, unless that one shares its shape.
    pub fn sphere_reusing(
        radius: f64,
        density: f64,
        mut spare: Self,
    ) -> Result<Self, DynamicsError> {
        let Some(own) = Arc::get_mut(&mut spare.shape) else {
            return Self::sphere(radius, density);
        };
        positive("radius", radius)?;
        unit_icosphere()?.scaled_into(radius, own)?;
        let (mass, moment) = mass_of_a_sphere(radius, density)?;
        let (inertia, isotropic) = moments(mass, DVec3::splat(moment))?;
        Ok(Self {
            mass,
            inertia,
            isotropic,
            shape: spare.shape,
            sphere_radius: Some(radius),
            round: None,
            frame: Pose::IDENTITY,
        })
    }

    /// A frustum of uniform density (kg/m³) with circular edges, of each of which up to so many points are contacts.
    ///
    /// [`crate::World`] finds its contacts with planes and with other frusta, face on face, on the circles. Its shape,
    /// for all else, is the prism of as many sides inscribed in it.
    ///
    /// # Errors
    /// A density that is not above 0; other than 3 to 2000 points.
    pub fn frustum(solid: Frustum, points: usize, density: f64) -> Result<Self, DynamicsError> {
        let mass = solid.mass_properties(density)?;
        let mut body = Self::with_mass(&solid.inscribed(points)?, &mass)?;
        body.round = Some(Box::new(RoundBody { solid, points }));
        Ok(body)
    }

    /// Whether contacts follow its circular edges.
    #[inline]
    pub(crate) fn is_round(&self) -> bool {
        self.round.is_some()
    }

    /// The body at a pose with a spin (rad/s) as a frustum, if it is one: the pose is to be [`Body::pose_of_shape`].
    #[inline]
    pub(crate) fn round<'a>(&'a self, pose: &'a Pose, spin: DVec3) -> Option<Round<'a>> {
        self.round.as_ref().map(|round| Round {
            solid: &round.solid,
            pose,
            spin,
            points: round.points,
        })
    }

    /// The radius (m) where the body is a sphere.
    #[inline]
    pub fn sphere_radius(&self) -> Option<f64> {
        self.sphere_radius
    }

    /// Mass (kg).
    #[inline]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Principal moments of inertia (kg m²).
    #[inline]
    pub fn inertia(&self) -> DVec3 {
        self.inertia
    }

    /// Whether all principal moments are equal, so that the spin stays constant in flight.
    #[inline]
    pub fn is_isotropic(&self) -> bool {
        self.isotropic
    }

    /// The shape in body axes.
    #[inline]
    pub fn shape(&self) -> &ConvexPolyhedron {
        &self.shape
    }

    /// The vertices in body axes (m).
    #[inline]
    pub fn vertices(&self) -> &[DVec3] {
        self.shape.vertices()
    }

    /// The body frame in the coordinates the shape was given in.
    pub fn frame(&self) -> Pose {
        self.frame
    }

    /// Where the coordinates that the shape was given in stand when the body is at a pose.
    pub(crate) fn pose_of_shape(&self, pose: &Pose) -> Pose {
        pose.mul(&self.frame.inverse())
    }

    /// The body's pose when the shape, in the coordinates it was given in, stands at `shape_pose`.
    pub fn pose_of(&self, shape_pose: &Pose) -> Pose {
        shape_pose.mul(&self.frame)
    }
}

/// Mass (kg) and moment of inertia (kg m²).
fn mass_of_a_sphere(radius: f64, density: f64) -> Result<(f64, f64), DynamicsError> {
    positive("density", density)?;
    let mass = 4.0 / 3.0 * std::f64::consts::PI * density * radius * radius * radius;
    Ok((mass, 0.4 * mass * radius * radius))
}

/// An icosphere whose vertices lie on the unit sphere, made once.
fn unit_icosphere() -> Result<&'static ConvexPolyhedron, DynamicsError> {
    static UNIT: OnceLock<ConvexPolyhedron> = OnceLock::new();
    if let Some(unit) = UNIT.get() {
        return Ok(unit);
    }
    let icosphere = Solid::Icosphere { level: 2 }.with_size(2.0)?;
    let unit = icosphere.scaled(1.0 / icosphere.radius())?;
    Ok(UNIT.get_or_init(|| unit))
}

/// Principal moments that a body can have, and whether they are equal.
fn moments(mass: f64, inertia: DVec3) -> Result<(DVec3, bool), DynamicsError> {
    positive("mass", mass)?;
    finite_vector("moment of inertia", inertia)?;
    for moment in inertia.to_array() {
        positive("moment of inertia", moment)?;
    }
    let largest = inertia.max_element();
    let others = inertia.element_sum() - largest;
    if largest > others * (1.0 + 1e-12) {
        return Err(OutOfRange::new(
            "largest moment of inertia",
            largest,
            "at most the sum of the other two",
        )
        .into());
    }
    let isotropic = largest - inertia.min_element() <= ISOTROPIC * largest;
    let inertia = if isotropic {
        DVec3::splat(inertia.element_sum() / 3.0)
    } else {
        inertia
    };
    Ok((inertia, isotropic))
}
