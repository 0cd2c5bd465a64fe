//! What is asked once bodies have fallen: whether an equilibrium exists where they started, and if so, whether they
//! fall with half the step too.

use klast_dynamics::WorldSettings;
use klast_runs::error::Result;

use super::build::Built;
use super::history::Record;
use super::scene::{MovedBy, Scene};
use super::standing::{Equilibrium, Fallen};
use super::statics::{Statics, statics};

/// What is to be said of a run whose bodies have fallen; nothing of another. `go_on` may end the run with half the
/// step.
///
/// # Errors
/// A run with half the step that stops being finite, or that is ended.
pub fn ask(
    scene: &Scene,
    start: &Built,
    record: &Record,
    go_on: &mut dyn FnMut() -> Result<()>,
) -> Result<Option<Fallen>> {
    if !record.has_fallen() {
        return Ok(None);
    }
    if scene.beyond_statics().is_some() || scene.planes.iter().any(|p| is_driven(&p.moved_by)) {
        return Ok(Some(Fallen::UNKNOWN));
    }
    let loads = record.shaking.loads(start.world.settings().gravity);
    Ok(Some(match statics(&start.world, &loads) {
        Statics::Unknown => Fallen::UNKNOWN,
        Statics::NoEquilibrium => Fallen::without(Equilibrium::None),
        Statics::Equilibrium { tilt } => Fallen {
            equilibrium: Equilibrium::Exists,
            equilibrium_margin_deg: Some(tilt.to_degrees()),
            half_step_falls: Some(half_step(scene, start, go_on)?.has_fallen()),
        },
    }))
}

fn is_driven(moved_by: &MovedBy) -> bool {
    !matches!(moved_by, MovedBy::Free | MovedBy::Fixed)
}

/// The run with half the step, to its end or until the bodies have fallen.
fn half_step(
    scene: &Scene,
    start: &Built,
    go_on: &mut dyn FnMut() -> Result<()>,
) -> Result<Record> {
    let mut half = start.clone();
    let settings = *half.world.settings();
    half.world.set_settings(WorldSettings {
        step: 0.5 * settings.step,
        ..settings
    })?;
    let mut record = Record::new(scene, &half);
    let end = scene.duration_s - 0.25 * settings.step;
    while half.world.time() < end && record.rest_at.is_none() && !record.has_fallen() {
        go_on()?;
        half.remove_due()?;
        let report = half.world.step()?;
        record.enter(scene, &half, &report);
    }
    Ok(record)
}
