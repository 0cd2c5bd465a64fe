//! Bodies of the tables over a plane.

use crate::Table;
use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_contact::ImpactLaw;
use klast_dynamics::single::{
    Coefficients, FirstImpact, Friction, Limits, Observer, Options, Restitution, Run, SingleBody,
    TangentialRestitution, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{Plane, Pose, Solid};

/// A body of the table's volume and mass.
pub(super) fn body(table: &Table, solid: Solid) -> Result<Body> {
    let volume = table.input("volume_m3")?;
    Ok(Body::uniform(
        &solid.with_volume(volume)?,
        table.input("mass_kg")? / volume,
    )?)
}

/// Gravity straight down, of the table.
pub(super) fn gravity(table: &Table) -> Result<DVec3> {
    Ok(DVec3::new(0.0, 0.0, -table.input("gravity_m_per_s2")?))
}

pub(super) fn horizontal() -> Result<Plane> {
    Ok(Plane::new(DVec3::Z, 0.0)?)
}

/// Unturned, at a height, with a spin in degrees per second.
pub(super) fn released(height: f64, spin: DVec3) -> State {
    let velocity = Twist {
        linear: DVec3::ZERO,
        angular: spin * (std::f64::consts::PI / 180.0),
    };
    State {
        pose: Pose::from_translation(DVec3::new(0.0, 0.0, height)),
        velocity,
    }
}

/// Coefficients and impact law of the ground.
#[derive(Clone)]
pub(super) struct Surface {
    pub(super) coefficients: Coefficients,
    pub(super) law: ImpactLaw,
}

impl Surface {
    pub(super) fn new(
        law: ImpactLaw,
        restitution: Restitution,
        tangential: TangentialRestitution,
        friction: Friction,
    ) -> Result<Self> {
        let coefficients = Coefficients::with_tangential(restitution, tangential, friction)?;
        Ok(Self { coefficients, law })
    }
}

/// Newton's law with coefficients.
pub(super) fn newton(restitution: f64, friction: f64) -> Result<Surface> {
    Surface::new(
        ImpactLaw::default(),
        Restitution(restitution),
        TangentialRestitution(0.0),
        Friction(friction),
    )
}

/// A body over a plane.
pub(super) struct OnPlane {
    pub(super) gravity: DVec3,
    pub(super) slope: Slope,
    pub(super) surface: Surface,
    pub(super) limits: Limits,
}

impl OnPlane {
    pub(super) fn new(gravity: DVec3, plane: Plane, surface: Surface) -> Result<Self> {
        Ok(Self {
            gravity,
            slope: Slope::new(plane)?,
            surface,
            limits: Limits::default(),
        })
    }

    pub(super) fn single(&self) -> Result<SingleBody<'_>> {
        let options = Options {
            gravity: self.gravity,
            limits: self.limits,
            impact_law: self.surface.law.clone(),
            // The manual prints what the law gives.
            refuse_gains: false,
            ..Options::default()
        };
        Ok(SingleBody::new(&self.slope, options)?)
    }

    pub(super) fn run(
        &self,
        body: &Body,
        start: State,
        observer: &mut dyn Observer,
    ) -> Result<Run> {
        let mut law = self.surface.coefficients;
        let workspace = &mut Workspace::default();
        Ok(self
            .single()?
            .run(body, start, &mut law, observer, workspace))
    }

    /// The first impact, solved.
    pub(super) fn first_impact(&self, body: &Body, start: State) -> Result<FirstImpact> {
        let mut law = self.surface.coefficients;
        let workspace = &mut Workspace::default();
        let first = self
            .single()?
            .first_impact(body, start, &mut law, workspace);
        let first = first.context("no contact")?;
        ensure!(first.impact.converged, "the impact was not solved");
        Ok(first)
    }
}

/// States just before and just after the first impact of an event-driven run.
pub fn first_impact(
    body: &Body,
    start: State,
    gravity: DVec3,
    plane: Plane,
    surface: &Surface,
) -> Result<(State, State)> {
    let first = OnPlane::new(gravity, plane, surface.clone())?.first_impact(body, start)?;
    Ok((first.before, first.after))
}
