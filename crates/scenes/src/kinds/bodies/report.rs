//! Files of a run of many bodies: tables, charts, a page that shows them.

use anyhow::Result;
use serde_json::json;

use super::build::Built;
use super::frames::solids;
use super::history::Record;
use super::job::Stop;
use super::pictures::{energy, ways};
use super::scene::Scene;
use crate::formats::vtk::pvd;
use crate::session::Session;

/// Writes everything but the frames and the pictures of start and end, which are given.
pub fn write(
    scene: &Scene,
    built: &Built,
    record: &Record,
    stop: Stop,
    [start, end]: [&str; 2],
    session: &mut Session,
) -> Result<()> {
    audit(record, session)?;
    states(built, record, session)?;
    contacts(built, session)?;
    if !record.frames.is_empty() {
        session.output.text("bodies.pvd", &pvd(&record.frames))?;
    }
    session
        .output
        .text("end.vtu", &solids(&built.world).vtu())?;
    let page = &mut session.page;
    page.text(&sentence(scene, built, record, stop));
    page.picture(start, "The bodies at the start.");
    page.picture(end, "The bodies where the run ended.");
    session.picture(
        "energy.svg",
        &energy(record)?,
        "Where the energy went: sums since the start but for the kinetic energy.",
    )?;
    session.picture(
        "ways.svg",
        &ways(scene, record)?,
        "How far the centre of the body that moved most has been from its start.",
    )?;
    session.result(result(scene, built, record, stop))?;
    counts(built, record, session);
    if !session.options.quiet && !session.options.json {
        crate::output::say(sentence(scene, built, record, stop))?;
    }
    Ok(())
}

fn counts(built: &Built, record: &Record, session: &mut Session) {
    let ledger = built.world.ledger();
    session.count("bodies", built.world.len());
    session.count("steps", ledger.steps);
    session.count("contacts", ledger.contacts);
    session.count("energy_gains", ledger.gains);
    session.count("unconverged", ledger.unconverged);
    session.count("largest_residual", record.residual);
}

fn verdict(scene: &Scene, record: &Record) -> Option<&'static str> {
    let bar = scene.stands_within_m?;
    Some(match record.farthest().1 > bar {
        true => "falls",
        false => "stands",
    })
}

fn sentence(scene: &Scene, built: &Built, record: &Record, stop: Stop) -> String {
    let world = &built.world;
    let (body, way) = record.farthest();
    let name = built.names.get(body).map_or("", String::as_str);
    let mut text = match verdict(scene, record) {
        Some(word) => format!("It {word}: "),
        None => String::new(),
    };
    text += &match way > 0.0 {
        true => format!("'{name}' moved most, {way:.3e} m. "),
        false => "nothing moved. ".to_owned(),
    };
    text += &match (stop, record.rest_at) {
        (Stop::Rest, Some(at)) => format!("At rest from {at:.3} s on"),
        _ => format!(
            "After {:.3} s the fastest centre moves at {:.2e} m/s",
            world.time(),
            record.lines.last().map_or(0.0, |l| l.fastest)
        ),
    };
    let ledger = world.ledger();
    text += &format!(
        "; {} contacts, largest overlap {:.1e} m, {} gains of energy.",
        world.contacts().len(),
        record.overlap,
        ledger.gains
    );
    text
}

fn result(scene: &Scene, built: &Built, record: &Record, stop: Stop) -> serde_json::Value {
    let (world, ledger) = (&built.world, built.world.ledger());
    let (body, way) = record.farthest();
    json!({
        "verdict": verdict(scene, record),
        "stopped_by": match stop { Stop::Rest => "rest", Stop::Duration => "duration" },
        "end_time_s": world.time(),
        "at_rest_from_s": record.rest_at,
        "largest_way_m": way,
        "body_that_moved_most": built.names.get(body),
        "fastest_centre_m_per_s": record.fastest,
        "largest_overlap_m": record.overlap,
        "largest_residual": record.residual,
        "islands_above_the_residual": ledger.unconverged,
        "energy_at_start_j": record.start_energy,
        "kinetic_energy_j": world.kinetic_energy(),
        "potential_energy_j": world.potential_energy(),
        "elastic_energy_j": world.elastic_energy(),
        "taken_by_contacts_j": ledger.contact_loss,
        "taken_by_impacts_and_scheme_j": ledger.scheme_loss,
        "taken_by_sleep_j": ledger.sleep_loss,
        "taken_with_springs_j": ledger.spring_loss,
        "given_by_boundaries_j": ledger.boundary_work,
        "given_by_stabilisation_j": ledger.stabilisation,
        "least_loss_of_a_contact_j": ledger.least_contact_loss,
        "contacts_that_made_energy": ledger.driving_contacts,
        "steps_that_gained_energy": ledger.gains,
        "energy_gained_j": ledger.gained,
        "largest_unexplained_change_j": record.unexplained,
        "remarks": built.remarks,
    })
}

fn audit(record: &Record, session: &mut Session) -> Result<()> {
    let header = [
        "time_s",
        "kinetic_j",
        "potential_j",
        "elastic_j",
        "taken_by_contacts_j",
        "taken_by_impacts_and_scheme_j",
        "taken_by_sleep_j",
        "taken_with_springs_j",
        "given_by_boundaries_j",
        "given_by_stabilisation_j",
        "balance_j",
        "contacts",
        "residual",
        "overlap_m",
        "fastest_centre_m_per_s",
        "largest_way_m",
    ];
    let rows = record.lines.iter().map(|l| {
        let balance = l.kinetic + l.potential + l.elastic - record.start_energy
            + l.contact_loss
            + l.scheme_loss
            + l.sleep_loss
            + l.spring_loss
            - l.boundary_work
            - l.stabilisation;
        [
            l.time,
            l.kinetic,
            l.potential,
            l.elastic,
            l.contact_loss,
            l.scheme_loss,
            l.sleep_loss,
            l.spring_loss,
            l.boundary_work,
            l.stabilisation,
            balance,
            l.contacts as f64,
            l.residual,
            l.overlap,
            l.fastest,
            l.way,
        ]
        .map(|x| x.to_string())
    });
    session.output.csv("energy.csv", &header, rows)?;
    if !record.gains.is_empty() {
        let rows = record.gains.iter();
        let rows = rows.map(|(t, gain)| [t.to_string(), gain.to_string()]);
        session
            .output
            .csv("gains.csv", &["time_s", "gain_j"], rows)?;
    }
    Ok(())
}

fn states(built: &Built, record: &Record, session: &mut Session) -> Result<()> {
    let header = [
        "time_s",
        "body",
        "name",
        "x_m",
        "y_m",
        "z_m",
        "quaternion_w",
        "quaternion_x",
        "quaternion_y",
        "quaternion_z",
        "velocity_x_m_per_s",
        "velocity_y_m_per_s",
        "velocity_z_m_per_s",
        "spin_x_rad_per_s",
        "spin_y_rad_per_s",
        "spin_z_rad_per_s",
    ];
    let rows = record.states.iter().map(|s| {
        let mut row = vec![
            s.time.to_string(),
            (s.body + 1).to_string(),
            built.names.get(s.body).cloned().unwrap_or_default(),
        ];
        row.extend(s.numbers.iter().map(f64::to_string));
        row
    });
    session.output.csv("bodies.csv", &header, rows)
}

/// Contacts of the last step: who touches whom, where, and with which force.
fn contacts(built: &Built, session: &mut Session) -> Result<()> {
    let header = [
        "first",
        "second",
        "x_m",
        "y_m",
        "z_m",
        "normal_x",
        "normal_y",
        "normal_z",
        "gap_m",
        "force_x_n",
        "force_y_n",
        "force_z_n",
        "speed_m_per_s",
    ];
    let world = &built.world;
    let step = world.settings().step;
    let name = |i: u32| built.names.get(i as usize).cloned().unwrap_or_default();
    let rows = world.contacts().iter().map(|c| {
        let second = c
            .plane()
            .map_or_else(|| name(c.second), |k| format!("plane {}", k + 1));
        let force = c.impulse / step;
        let mut row = vec![name(c.first), second];
        let vectors = [c.point, c.normal].map(|v| v.to_array()).concat();
        row.extend(vectors.iter().map(f64::to_string));
        row.push(c.gap.to_string());
        row.extend(force.to_array().iter().map(f64::to_string));
        row.push(c.velocity.length().to_string());
        row
    });
    session.output.csv("contacts.csv", &header, rows)
}
