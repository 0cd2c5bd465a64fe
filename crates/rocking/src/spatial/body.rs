//! The shapes: prisms, cylinders, frusta, and any hull that stands on its lowest points.

use crate::block::RockingBlock;
use crate::error::RockingError;
use glam::{DMat3, DQuat, DVec2, DVec3};
use klast_dynamics::Body;
use klast_geometry::{ConvexPolyhedron, Frustum, MassProperties};
use klast_numerics::check::require;

/// A round body, and how many points of a rim are contacts in the contact engine.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Round {
    solid: Frustum,
    points: usize,
}

/// A body upright on its base: the shape, its mass, and the corners of its base seen from below the mass centre.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialBody {
    body: Body,
    /// Corners of the base in order, from the foot of the mass centre (m).
    base: Vec<DVec2>,
    /// Of a round body.
    round: Option<Round>,
    /// Corners of the face at the highest points, likewise; of a point or an edge fewer than three.
    top: Vec<DVec2>,
    /// Of the mass centre over the base (m).
    centre_height: f64,
    /// From the base to the highest point (m).
    height: f64,
}

impl SpatialBody {
    /// A homogeneous prism of `width` along x, `depth` along y and `height` (m), of `density` (kg/m³).
    pub fn prism(width: f64, depth: f64, height: f64, density: f64) -> Result<Self, RockingError> {
        require("width", width, width > 0.0, "above 0 m")?;
        require("depth", depth, depth > 0.0, "above 0 m")?;
        require("height", height, height > 0.0, "above 0 m")?;
        let corners: Vec<DVec3> = (0..8)
            .map(|k| {
                let sign = |bit: u32| if k & bit == 0 { -0.5 } else { 0.5 };
                DVec3::new(width * sign(1), depth * sign(2), height * (sign(4) + 0.5))
            })
            .collect();
        Self::hull(&corners, density)
    }

    /// A homogeneous cylinder of `radius` and `height` (m).
    ///
    /// It rolls on its circles. The contact engine looks at `facets` points of each, equally far apart from the one on
    /// that touches, and what is neither a plane nor round meets a prism of as many sides.
    pub fn cylinder(
        radius: f64,
        height: f64,
        facets: usize,
        density: f64,
    ) -> Result<Self, RockingError> {
        Self::frustum(radius, radius, height, facets, density)
    }

    /// As [`SpatialBody::cylinder`], with another radius at the top (m): a drum, a shaft.
    pub fn frustum(
        bottom: f64,
        top: f64,
        height: f64,
        facets: usize,
        density: f64,
    ) -> Result<Self, RockingError> {
        let solid = Frustum::new(bottom, top, height)?;
        let body = Body::frustum(solid, facets, density)?;
        let prism = solid.inscribed(facets)?;
        Ok(Self {
            round: Some(Round {
                solid,
                points: facets,
            }),
            ..Self::standing(prism.vertices(), |_| Ok(body.clone()))?
        })
    }

    /// The homogeneous convex hull of `points` (m), standing on its lowest ones, at least three of them.
    pub fn hull(points: &[DVec3], density: f64) -> Result<Self, RockingError> {
        require("density", density, density > 0.0, "above 0 kg/m³")?;
        Self::standing(points, |shape| Ok(Body::uniform(shape, density)?))
    }

    /// The convex hull of `points` (m), standing on its lowest ones, with the mass properties of what it is drawn
    /// around, in the same coordinates: a statue, whose hollows touch nothing.
    pub fn around(points: &[DVec3], mass: &MassProperties) -> Result<Self, RockingError> {
        Self::standing(points, |shape| Ok(Body::with_mass(shape, mass)?))
    }

    fn standing(
        points: &[DVec3],
        body: impl Fn(&ConvexPolyhedron) -> Result<Body, RockingError>,
    ) -> Result<Self, RockingError> {
        let shape = ConvexPolyhedron::from_points(points)?;
        let lowest = points.iter().fold(f64::INFINITY, |low, p| low.min(p.z));
        let size = points
            .iter()
            .fold(0.0f64, |most, p| most.max((p.z - lowest).abs()));
        let body = body(&shape)?;
        let centre = body.frame().translation;
        let highest = points.iter().fold(lowest, |high, p| high.max(p.z));
        let corners_at = |level: f64| {
            let level = shape
                .vertices()
                .iter()
                .filter(|p| (p.z - level).abs() <= 1e-9 * size);
            let mut corners: Vec<DVec2> = level.map(|p| (*p - centre).truncate()).collect();
            corners.sort_by(|a, b| libm::atan2(a.y, a.x).total_cmp(&libm::atan2(b.y, b.x)));
            corners
        };
        let base = corners_at(lowest);
        let corners = base.len();
        require(
            "corners of the base",
            corners as f64,
            corners >= 3,
            "at least 3",
        )?;
        let made = Self {
            body,
            base,
            round: None,
            top: corners_at(highest),
            centre_height: centre.z - lowest,
            height: highest - lowest,
        };
        let (least, _) = made.critical_tilts();
        let accepted = "above 0 rad: the mass centre stands over the inside of the base";
        require("critical tilt", least, least > 0.0, accepted)?;
        Ok(made)
    }

    /// The rigid body.
    #[must_use]
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The solid that it is, of a round body.
    pub(super) fn round(&self) -> Option<Frustum> {
        self.round.map(|round| round.solid)
    }

    /// Points among which the lowest one is in an attitude of the body's axes, from the mass centre (m).
    pub(super) fn deepest(&self, attitude: DQuat) -> Vec<DVec3> {
        let Some(Round { solid, .. }) = self.round else {
            return self.body.vertices().to_vec();
        };
        let frame = self.body.frame();
        let down = frame.rotation * (attitude.inverse() * DVec3::NEG_Z);
        vec![frame.inverse_transform_point(solid.support(down))]
    }

    /// Corners of the face on which it stands, in order from the foot of its mass centre (m), or the radius of that of
    /// a round body.
    pub(super) fn base_face(&self) -> (&[DVec2], Option<f64>) {
        (&self.base, self.round.map(|round| round.solid.bottom()))
    }

    /// Likewise of the face on which another body stands.
    pub(super) fn top_face(&self) -> (&[DVec2], Option<f64>) {
        (&self.top, self.round.map(|round| round.solid.top()))
    }

    /// Height of the mass centre (m).
    #[must_use]
    pub fn centre_height(&self) -> f64 {
        self.centre_height
    }

    /// Height from the base to the highest point (m).
    #[must_use]
    pub fn height(&self) -> f64 {
        self.height
    }

    /// A body of the same mass properties whose hull has its lengths across the axis times `factor`.
    pub(super) fn scaled_across(&self, factor: f64) -> Result<Self, RockingError> {
        let turned = self.body.frame().rotation;
        let across = DVec3::new(factor, factor, 1.0);
        let points: Vec<DVec3> = self
            .body
            .vertices()
            .iter()
            .map(|vertex| turned * *vertex * across)
            .collect();
        let mass = MassProperties {
            mass: self.body.mass(),
            centre: DVec3::ZERO,
            principal_inertia: self.body.inertia(),
            principal_frame: turned,
        };
        Self::around(&points, &mass)
    }

    /// Tilt towards `azimuth` at which the mass centre stands over the base's farthest point that way (rad).
    #[must_use]
    pub fn critical_tilt(&self, azimuth: f64) -> f64 {
        self.critical_tilt_below(azimuth, self.centre_height)
    }

    /// As [`SpatialBody::critical_tilt`], with the mass centre of all that it carries at `centre_height` (m) over its
    /// base.
    pub(super) fn critical_tilt_below(&self, azimuth: f64, centre_height: f64) -> f64 {
        let base = self.round.map(|round| round.solid.bottom());
        let reach = base.unwrap_or_else(|| farthest(&self.base, azimuth));
        libm::atan2(reach, centre_height)
    }

    /// Likewise for a mass centre at `centre_height` (m) over the face at the top of this body, on which another one
    /// stands; none where the top is no face.
    pub(super) fn critical_tilt_on_top(&self, azimuth: f64, centre_height: f64) -> Option<f64> {
        let face = self.top.len() >= 3;
        let top = self.round.map(|round| round.solid.top());
        let reach = || top.unwrap_or_else(|| farthest(&self.top, azimuth));
        face.then(|| libm::atan2(reach(), centre_height))
    }

    /// The least of these tilts over all azimuths.
    pub(super) fn least_critical_tilt_on_top(&self, centre_height: f64) -> Option<f64> {
        let face = self.top.len() >= 3;
        let top = self.round.map(|round| round.solid.top());
        let reach = || top.unwrap_or_else(|| nearest(&self.top));
        face.then(|| libm::atan2(reach(), centre_height))
    }

    /// Least and largest critical tilt: over the nearest edge and over the farthest corner.
    #[must_use]
    pub fn critical_tilts(&self) -> (f64, f64) {
        self.critical_tilts_below(self.centre_height)
    }

    /// As [`SpatialBody::critical_tilts`], with the mass centre of all that it carries at `centre_height` (m) over its
    /// base.
    pub(super) fn critical_tilts_below(&self, centre_height: f64) -> (f64, f64) {
        let tilt = |distance: f64| libm::atan2(distance, centre_height);
        if let Some(Round { solid, .. }) = self.round {
            return (tilt(solid.bottom()), tilt(solid.bottom()));
        }
        let farthest = self.base.iter().fold(0.0f64, |far, p| far.max(p.length()));
        (tilt(nearest(&self.base)), tilt(farthest))
    }

    /// The symmetric block that stands for it in the plane: the lever of its nearest edge, the height of its mass
    /// centre, and the mean of its radii of gyration about horizontal axes.
    pub fn planar(&self, gravity: f64) -> Result<RockingBlock, RockingError> {
        let base = self.round.map(|round| round.solid.bottom());
        let lever = base.unwrap_or_else(|| nearest(&self.base));
        let axes = DMat3::from_quat(self.body.frame().rotation);
        let tensor = axes * DMat3::from_diagonal(self.body.inertia()) * axes.transpose();
        let mean = 0.5 * (tensor.x_axis.x + tensor.y_axis.y) / self.body.mass();
        RockingBlock::unsymmetric(lever, lever, self.centre_height, mean, gravity)
    }

    /// Energy (J) that lifts the centre over the nearest edge: R − h = h (1/cos α − 1).
    pub(super) fn barrier(&self, gravity: f64) -> f64 {
        let (least, _) = self.critical_tilts();
        let (mass, height) = (self.body().mass(), self.centre_height());
        mass * gravity * height * (1.0 / libm::cos(least) - 1.0)
    }
}

/// How far a polygon reaches towards an azimuth.
fn farthest(corners: &[DVec2], azimuth: f64) -> f64 {
    let (sin, cos) = libm::sincos(azimuth);
    let along = corners.iter().map(|p| p.x * cos + p.y * sin);
    along.fold(f64::NEG_INFINITY, f64::max)
}

/// Distance of the nearest edge of a polygon, below 0 outside of it.
fn nearest(corners: &[DVec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let distances = corners.iter().zip(next);
    distances.fold(f64::INFINITY, |near, (a, b)| {
        near.min(a.perp_dot(*b) / (*b - *a).length())
    })
}
