//! How far rocks run, and the ways of the first of them.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::{Results, Simulation};

use super::super::scene::Scene;
use super::histogram;
use crate::formats::geojson;
use crate::page::Page;
use crate::session::Session;

/// Runout as a table and a picture.
pub fn runout(results: &Results, session: &mut Session, page: &mut Page) -> Result<()> {
    let rows = results
        .runout
        .bins()
        .map(|(a, b, n)| [a.to_string(), b.to_string(), n.to_string()]);
    session
        .output
        .csv("runout.csv", &["from_m", "to_m", "rocks"], rows)?;
    if results.runout.count() > 0 {
        let svg = histogram("Runout", "distance in plan [m]", &results.runout, 1.0)?;
        session.output.text("runout.svg", &svg)?;
        page.heading("Runout");
        page.picture(
            &svg,
            "Distance in plan from release to rest of the rocks that stopped or were caught.",
        );
    }
    Ok(())
}

/// The first trajectories as a table, as lines and as a picture.
pub fn trajectories(
    scene: &Scene,
    simulation: &Simulation,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let origin = simulation.scene().terrain.origin();
    let mut lines = Vec::new();
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for rock in 0..scene.write_trajectories.min(simulation.count()) {
        let mut line = Vec::new();
        let mut path = Vec::new();
        let result = simulation.rock(rock, &mut |arc| {
            // A few points on an arc show its bend.
            let pieces = if arc.duration > 0.05 { 8 } else { 1 };
            for k in 0..=pieces {
                let t = arc.duration * f64::from(k) / f64::from(pieces);
                let (p, v) = (arc.position_at(t) + origin, arc.velocity_at(t));
                line.push(p.to_array().to_vec());
                path.push((p.x, p.z));
                rows.push(
                    [
                        rock as f64,
                        arc.time + t,
                        p.x,
                        p.y,
                        p.z,
                        v.x,
                        v.y,
                        v.z,
                        arc.rotational_energy,
                    ]
                    .map(|x| x.to_string()),
                );
            }
        });
        let mut properties = serde_json::Map::new();
        properties.insert("rock".into(), rock.into());
        properties.insert("outcome".into(), format!("{:?}", result.outcome).into());
        properties.insert("mass_kg".into(), result.mass.into());
        if line.len() > 1 {
            lines.push((line, properties));
            series.push(path);
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let header = [
        "rock",
        "time_s",
        "x_m",
        "y_m",
        "z_m",
        "vx_m_per_s",
        "vy_m_per_s",
        "vz_m_per_s",
        "rotational_energy_j",
    ];
    session.output.csv("trajectories.csv", &header, rows)?;
    session
        .output
        .text("trajectories.geojson", &geojson::write_lines(lines))?;
    let mut chart = LineChart::new(
        "Trajectories seen from the side",
        Axis::new("x [m]"),
        Axis::new("z [m]"),
    );
    for path in series {
        chart = chart.with(Series::line("", path));
    }
    let svg = chart.svg()?;
    session.output.text("trajectories.svg", &svg)?;
    page.heading("Trajectories");
    page.picture(&svg, "The first rocks.");
    Ok(())
}
