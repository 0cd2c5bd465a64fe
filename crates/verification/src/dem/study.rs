use anyhow::{Result, bail};
use klast_dem::Store;

use super::plan::StudyPlan;
use super::shots::Shots;
use super::{figures, statements};
use crate::{Context, Outcome, Table};

/// Runs (or goes on with) the study that the table names, judges it and draws it.
pub fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let name: String = table.input_as("plan")?;
    let plan = match name.as_str() {
        "small" => StudyPlan::small(),
        "reduced" => StudyPlan::reduced(),
        "full" => StudyPlan::full(),
        other => bail!("plan '{other}'; accepted: small, reduced, full"),
    };
    // The everyday run must not read what an older build left; the long ones go on where they were stopped.
    let folder = match name.as_str() {
        "small" => std::env::temp_dir().join(format!("klast-verify-{}", std::process::id())),
        _ => Store::default_folder(),
    };
    let outcome = judged(&name, &plan, &Shots::new(&folder)?);
    if name == "small" {
        // Nothing depends on whether the scratch folder goes.
        let _ = std::fs::remove_dir_all(&folder);
    }
    outcome
}

fn judged(name: &str, plan: &StudyPlan, shots: &Shots) -> Result<Outcome> {
    let result = shots.study(plan, &mut |done, shot| {
        // One line a shot on the long studies; the small one is over before it is read.
        if name != "small" {
            eprintln!("{} of {}: {shot}", done + 1, plan.runs.len() + 1);
        }
    })?;
    let runs = result.all();
    let mut outcome = Outcome::new();
    outcome.note(format!(
        "projectile of {:.2} kg, fitted so that {} leaves {:.0} m/s; rock 2650 kg/m3, filled to 0.60, step 5 us",
        result.mass,
        plan.fit.name(),
        plan.fit_residual
    ));
    statements::state(&runs, &mut outcome);
    figures::draw(plan, &shots.layers, &runs, &mut outcome)?;
    Ok(outcome)
}
