//! Files and pictures of a rockfall run.

mod charts;
mod gates;
mod maps;
mod paths;

use anyhow::Result;
use klast_rockfall::{Results, Simulation};

use super::scene::Scene;
use crate::page::Page;
use crate::session::Session;

/// The results as they can be merged with those of other parts.
pub const RESULTS: &str = "results.json";

/// Writes maps, sheets, histograms, trajectories and a page that shows them.
pub fn write(
    scene: &Scene,
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
) -> Result<()> {
    let mut page = std::mem::take(&mut session.page);
    account(scene, results, session, &mut page)?;
    gates::write(simulation, results, session, &mut page)?;
    maps::write(scene, simulation, results, session, &mut page)?;
    paths::runout(results, session, &mut page)?;
    paths::trajectories(scene, simulation, session, &mut page)?;
    session.page = page;
    session.output.data(RESULTS, results)
}

fn account(scene: &Scene, results: &Results, session: &mut Session, page: &mut Page) -> Result<()> {
    let account = &results.account;
    let mut rows = vec![
        vec!["seeded".to_owned(), account.seeded.to_string()],
        vec!["stopped".into(), account.stopped.to_string()],
        vec!["left the map".into(), account.left_map.to_string()],
        vec![
            "of these released where there is no ground".into(),
            account.released_off_map.to_string(),
        ],
        vec![
            "of these released below the ground".into(),
            account.released_below_ground.to_string(),
        ],
        vec!["timed out".into(), account.timed_out.to_string()],
    ];
    for (gate, caught) in scene.gates.iter().zip(&account.caught) {
        rows.push(vec![format!("caught by {}", gate.name), caught.to_string()]);
    }
    page.heading("Where the rocks ended");
    page.table(&["", "rocks"], &rows);
    page.text(&format!(
        "Contact problems short of their tolerance: {}; impacts that gained energy: {}; steps without a load where nothing else moved a rock on: {}; \
         rocks that stopped because they only swung in place: {}.",
        results.unconverged, results.energy_gains, results.forced, results.swinging
    ));
    session.output.json("account.json", account)?;
    session.count("rocks", account.seeded);
    session.count("stopped", account.stopped);
    session.count("left_map", account.left_map);
    session.count("timed_out", account.timed_out);
    session.count("caught", account.caught.iter().sum::<u64>());
    session.count("unconverged", results.unconverged);
    session.count("energy_gains", results.energy_gains);
    session.count("forced_steps", results.forced);
    session.count("swinging", results.swinging);
    Ok(())
}
