//! The rigid-body manual of RocFall3: impacts, slides and three rocks on a slope.

mod as_run;
mod figures;
mod impacts;
mod laws;
mod pictures;
mod planar;
mod section5;
mod shipped;
mod slope;
mod unit_sets;

use crate::{Case, Table};
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

pub const CASES: &[Case] = &[
    Case {
        id: "rocfall3/table-1.1",
        run: shipped::table_1_1,
    },
    Case {
        id: "rocfall3/table-1.2",
        run: shipped::table_1_2,
    },
    Case {
        id: "rocfall3/table-1.3",
        run: shipped::table_1_3,
    },
    Case {
        id: "rocfall3/table-2.1",
        run: shipped::table_2_1,
    },
    Case {
        id: "rocfall3/table-2.2",
        run: shipped::table_2_2,
    },
    Case {
        id: "rocfall3/table-3.1-2d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.1-3d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.2-2d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.2-3d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.3",
        run: shipped::friction_angles,
    },
    Case {
        id: "rocfall3/table-4.2",
        run: shipped::three_rocks,
    },
    Case {
        id: "rocfall3/impact-laws",
        run: laws::run,
    },
    Case {
        id: "rocfall3/section5",
        run: section5::run,
    },
];

/// A body of the table's volume and mass.
fn body(table: &Table, solid: Solid) -> Result<Body> {
    let volume = table.input("volume_m3")?;
    Ok(Body::uniform(
        &solid.with_volume(volume)?,
        table.input("mass_kg")? / volume,
    )?)
}

/// Gravity straight down, of the table.
fn gravity(table: &Table) -> Result<DVec3> {
    Ok(DVec3::new(0.0, 0.0, -table.input("gravity_m_per_s2")?))
}

fn horizontal() -> Result<Plane> {
    Ok(Plane::new(DVec3::Z, 0.0)?)
}

/// Unturned, at a height, with a spin in degrees per second.
fn released(height: f64, spin: DVec3) -> State {
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
struct Surface {
    coefficients: Coefficients,
    law: ImpactLaw,
}

impl Surface {
    fn new(
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
fn newton(restitution: f64, friction: f64) -> Result<Surface> {
    Surface::new(
        ImpactLaw::default(),
        Restitution(restitution),
        TangentialRestitution(0.0),
        Friction(friction),
    )
}

/// A body over a plane.
struct OnPlane {
    gravity: DVec3,
    slope: Slope,
    surface: Surface,
    limits: Limits,
}

impl OnPlane {
    fn new(gravity: DVec3, plane: Plane, surface: Surface) -> Result<Self> {
        Ok(Self {
            gravity,
            slope: Slope::new(plane)?,
            surface,
            limits: Limits::default(),
        })
    }

    fn single(&self) -> Result<SingleBody<'_>> {
        let options = Options {
            gravity: self.gravity,
            limits: self.limits,
            impact_law: self.surface.law.clone(),
            ..Options::default()
        };
        Ok(SingleBody::new(&self.slope, options)?)
    }

    fn run(&self, body: &Body, start: State, observer: &mut dyn Observer) -> Result<Run> {
        let mut law = self.surface.coefficients;
        let workspace = &mut Workspace::default();
        Ok(self
            .single()?
            .run(body, start, &mut law, observer, workspace))
    }

    /// The first impact, solved.
    fn first_impact(&self, body: &Body, start: State) -> Result<FirstImpact> {
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
