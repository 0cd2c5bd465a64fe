//! The product run the way each published program was run. The settings were identified from the printed columns.

use super::{OnPlane, Surface};
use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_dynamics::single::{FirstImpact, Flight, Motion, Observer, Stepping, Stretch};
use klast_dynamics::{Body, State};
use klast_geometry::Plane;
use serde::Deserialize;
use std::ops::ControlFlow;

/// RocFall3: gravity 9.80 and a contact that is noticed a little late, slightly inside the plane.
#[derive(Deserialize)]
pub struct Late {
    gravity_m_per_s2: f64,
    late_s: f64,
}

/// States before and after an impact that is solved `late_s` after the true first contact, at the vertices lowest then.
pub fn rocfall3(
    body: &Body,
    start: State,
    run: &Late,
    plane: Plane,
    surface: &Surface,
) -> Result<(State, State)> {
    let stepping = Stepping::Late(run.late_s);
    let first = late_impact(body, start, run.gravity_m_per_s2, stepping, plane, surface)?;
    Ok((first.before, first.after))
}

fn late_impact(
    body: &Body,
    start: State,
    g: f64,
    stepping: Stepping,
    plane: Plane,
    surface: &Surface,
) -> Result<FirstImpact> {
    let gravity = DVec3::new(0.0, 0.0, -g);
    OnPlane::new(gravity, plane, surface.clone())?
        .stepping(stepping)
        .first_impact(body, start)
}

/// RocFall2: states stored at fixed times; the last one before the impact and the first one after it were printed.
#[derive(Deserialize)]
pub struct Stored {
    gravity_m_per_s2: f64,
    stored_every_s: f64,
}

/// The stored states around the first impact.
pub fn rocfall2(
    body: &Body,
    start: State,
    run: &Stored,
    plane: Plane,
    surface: &Surface,
) -> Result<(State, State)> {
    let g = run.gravity_m_per_s2;
    let first = late_impact(body, start, g, Stepping::EventDriven, plane, surface)?;
    let (after, time) = (first.after, first.time);
    let down = DVec3::new(0.0, 0.0, -g);
    let last = (time / run.stored_every_s).floor() * run.stored_every_s;
    let before = Flight::new(body, start, down).state(last);
    let next = last + run.stored_every_s;
    Ok((before, Flight::new(body, after, down).state(next - time)))
}

/// Ends a run some steps after the first one with a contact.
struct StepsAfterContact {
    left: Option<usize>,
    after: usize,
}

impl Observer for StepsAfterContact {
    fn stretch(&mut self, stretch: &Stretch) -> ControlFlow<()> {
        self.left = match self.left {
            Some(left) => left.checked_sub(1),
            None if stretch.motion == Motion::Contact => Some(self.after),
            None => None,
        };
        match self.left {
            Some(0) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// RAMMS: Moreau's midpoint scheme, read some steps after the first step with a contact.
pub fn ramms(
    body: &Body,
    start: State,
    gravity: DVec3,
    step: f64,
    steps_after: usize,
    surface: Surface,
) -> Result<State> {
    let mut scheme =
        OnPlane::new(gravity, super::horizontal()?, surface)?.stepping(Stepping::Midpoint(step));
    scheme.limits.steps = 10_000;
    let mut observer = StepsAfterContact {
        left: None,
        after: steps_after,
    };
    let end = scheme.run(body, start, &mut observer)?;
    ensure!(end.tally.unconverged == 0, "a step was not solved");
    observer.left.context("no contact in 10 000 steps")?;
    Ok(end.state)
}
