//! Impact laws and friction cones that the manual's tables cannot tell apart, each by a scene with its keys.

use super::scene_runs::{Motion, report, scene};
use crate::shipped::first_impact;
use crate::{Context, Outcome, Table};
use anyhow::Result;

/// One tumbling impact by each law.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let mut outcome = Outcome::new();
    for law in table.input_as::<Vec<String>>("laws")? {
        let run = scene(table, &format!("-{law}"))?;
        let (before, after) = first_impact(&run.path)?;
        let (before, after) = (Motion::at_start(before), Motion::at_start(after));
        report(
            &mut outcome,
            (&format!("{law}/"), "scene"),
            2700.0,
            before,
            after,
        );
    }
    Ok(outcome)
}
