//! Files and pictures of a rockfall run.

use anyhow::Result;
use glam::DVec2;
use klast_geometry::terrain::write_esri_ascii;
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series};
use klast_rockfall::{CellStatistics, Histogram, Results, Simulation};

use super::scene::Scene;
use crate::formats::geojson;
use crate::page::Page;
use crate::session::Session;

const NODATA: f64 = -9999.0;

/// Writes maps, sheets, histograms, trajectories and a page that shows them.
pub fn write(
    scene: &Scene,
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
) -> Result<()> {
    let mut page = Page::new("Rockfall");
    account(scene, results, session, &mut page)?;
    gates(simulation, results, session, &mut page)?;
    maps(scene, simulation, results, session, &mut page)?;
    runout(results, session, &mut page)?;
    trajectories(scene, simulation, session, &mut page)?;
    session.output.json("results.json", results)?;
    session.output.text("index.html", &page.html())
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
        vec!["timed out".into(), account.timed_out.to_string()],
    ];
    for (gate, caught) in scene.gates.iter().zip(&account.caught) {
        rows.push(vec![format!("caught by {}", gate.name), caught.to_string()]);
    }
    page.heading("Where the rocks ended");
    page.table(&["", "rocks"], &rows);
    session.output.json("account.json", account)?;
    session.count("rocks", account.seeded);
    session.count("stopped", account.stopped);
    session.count("left_map", account.left_map);
    session.count("timed_out", account.timed_out);
    session.count("caught", account.caught.iter().sum::<u64>());
    session.count("unconverged", results.unconverged);
    session.count("energy_gains", results.energy_gains);
    Ok(())
}

fn gates(
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let header = [
        "gate",
        "arrived",
        "held",
        "residual_rate",
        "energy_95_kj",
        "energy_95_low_kj",
        "energy_95_high_kj",
        "energy_99_kj",
        "top_95_m",
        "top_99_m",
        "clearance_95_m",
        "clearance_99_m",
    ];
    let mut rows = Vec::new();
    for (gate, statistics) in simulation.scene().gates.iter().zip(&results.gates) {
        let Some(sheet) = statistics.sheet(gate, results.account.seeded) else {
            rows.push(vec![gate.name.clone(), "0".into()]);
            continue;
        };
        let clearance = |k: fn((f64, f64)) -> f64| {
            sheet
                .clearance
                .map_or(String::new(), |c| format!("{:.2}", k(c)))
        };
        rows.push(vec![
            gate.name.clone(),
            sheet.arrived.to_string(),
            sheet.held.to_string(),
            format!("{:.5}", sheet.residual_rate),
            format!("{:.2}", 1e-3 * sheet.energy_95.0),
            format!("{:.2}", 1e-3 * sheet.energy_95.1),
            format!("{:.2}", 1e-3 * sheet.energy_95.2),
            format!("{:.2}", 1e-3 * sheet.energy_99.0),
            format!("{:.2}", sheet.top_95),
            format!("{:.2}", sheet.top_99),
            clearance(|c| c.0),
            clearance(|c| c.1),
        ]);
        let energy = histogram(
            &format!("{}: kinetic energy", gate.name),
            "E [kJ]",
            &statistics.energy,
            1e-3,
        )?;
        let name = file_name(&gate.name);
        session
            .output
            .text(&format!("energy_{name}.svg"), &energy)?;
        page.heading(&gate.name);
        page.picture(&energy, "Kinetic energy of the rocks that arrive.");
        if statistics.running.len() > 1 {
            let svg = settling(&gate.name, &statistics.running)?;
            session.output.text(&format!("settling_{name}.svg"), &svg)?;
            page.picture(&svg, "How the 95 % energy settles with the number of rocks, with its 95 % confidence band.");
        }
    }
    if !rows.is_empty() {
        for row in &mut rows {
            row.resize(header.len(), String::new());
        }
        session.output.csv("barriers.csv", &header, rows.clone())?;
        page.heading("Barriers and collectors");
        page.table(&header, &rows);
    }
    Ok(())
}

fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect()
}

fn settling(name: &str, running: &[(u64, f64, f64, f64)]) -> Result<String> {
    let n: Vec<f64> = running.iter().map(|r| r.0 as f64).collect();
    let of = |f: fn(&(u64, f64, f64, f64)) -> f64| -> Vec<f64> {
        running.iter().map(|r| 1e-3 * f(r)).collect()
    };
    let middle = n.iter().copied().zip(of(|r| r.2)).collect();
    let chart = LineChart::new(
        &format!("{name}: 95 % energy"),
        Axis::log("rocks"),
        Axis::new("E [kJ]"),
    )
    .with(Series::band(
        "95 % confidence",
        &n,
        &of(|r| r.1),
        &of(|r| r.3),
    ))
    .with(Series::line("95 % energy", middle));
    Ok(chart.svg()?)
}

fn histogram(title: &str, label: &str, values: &Histogram, factor: f64) -> Result<String> {
    let (low, high) = (
        values.least().unwrap_or(0.0),
        values.greatest().unwrap_or(1.0),
    );
    let (count, width) = (40, ((high - low) / 40.0).max(1e-9));
    let edges: Vec<f64> = (0..=count)
        .map(|k| factor * (low + width * f64::from(k)))
        .collect();
    let mut heights = vec![0.0; count as usize];
    for (a, b, n) in values.bins() {
        let k = ((0.5 * (a.max(low) + b.min(high)) - low) / width)
            .clamp(0.0, f64::from(count) - 1.0) as usize;
        heights[k] += n as f64;
    }
    Ok(LineChart::new(title, Axis::new(label), Axis::new("rocks"))
        .with(Series::bars("", &edges, &heights))
        .svg()?)
}

fn maps(
    scene: &Scene,
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let Some(raster) = &results.raster else {
        return Ok(());
    };
    let seeded = results.account.seeded.max(1) as f64;
    let q = |h: fn(&CellStatistics) -> &Histogram, p: f64, factor: f64| {
        raster.map(move |c| h(c).quantile(p).map(|v| v * factor))
    };
    let energy = |c: &CellStatistics| -> Option<f64> { c.energy.greatest().map(|v| 1e-3 * v) };
    let mut list: Vec<(String, String, Vec<f64>)> = vec![
        (
            "reach_probability".into(),
            "share of rocks [-]".into(),
            raster.map(|c| Some(c.energy.count() as f64 / seeded)),
        ),
        (
            "passages".into(),
            "passages [-]".into(),
            raster.map(|c| Some(c.passages as f64)),
        ),
        (
            "deposition".into(),
            "rocks at rest [-]".into(),
            raster.map(|c| Some(c.deposited as f64)),
        ),
        ("energy_max".into(), "E [kJ]".into(), raster.map(energy)),
    ];
    for (name, p) in [("median", 0.5), ("90", 0.9), ("95", 0.95), ("99", 0.99)] {
        list.push((
            format!("energy_{name}"),
            "E [kJ]".into(),
            q(|c| &c.energy, p, 1e-3),
        ));
        list.push((
            format!("velocity_{name}"),
            "v [m/s]".into(),
            q(|c| &c.speed, p, 1.0),
        ));
        list.push((
            format!("height_{name}"),
            "h [m]".into(),
            q(|c| &c.height, p, 1.0),
        ));
    }
    list.push((
        "energy_mean".into(),
        "E [kJ]".into(),
        raster.map(|c| c.energy.mean().map(|v| 1e-3 * v)),
    ));
    list.push((
        "velocity_mean".into(),
        "v [m/s]".into(),
        raster.map(|c| c.speed.mean()),
    ));
    list.push((
        "velocity_max".into(),
        "v [m/s]".into(),
        raster.map(|c| c.speed.greatest()),
    ));
    list.push((
        "height_mean".into(),
        "h [m]".into(),
        raster.map(|c| c.height.mean()),
    ));
    list.push((
        "height_max".into(),
        "h [m]".into(),
        raster.map(|c| c.height.greatest()),
    ));
    for threshold in &scene.return_period_energies_kj {
        let period = |c: &CellStatistics| {
            Some(1.0 / c.energy.annual_exceedance(1e3 * threshold)).filter(|t| t.is_finite())
        };
        list.push((
            format!("return_period_{threshold}kJ"),
            "T [a]".into(),
            raster.map(period),
        ));
    }
    page.heading("Maps");
    for (name, label, values) in &list {
        map(
            simulation,
            session,
            page,
            raster.frame(),
            (name, label),
            values,
        )?;
    }
    Ok(())
}

fn map(
    simulation: &Simulation,
    session: &mut Session,
    page: &mut Page,
    frame: &klast_rockfall::RasterFrame,
    (name, label): (&str, &str),
    values: &[f64],
) -> Result<()> {
    let origin = simulation.scene().terrain.origin().truncate() + frame.corner;
    let (columns, rows) = (frame.columns as usize, frame.rows as usize);
    let centre = origin + DVec2::splat(0.5 * frame.cell);
    session.output.text(
        &format!("{name}.asc"),
        &write_esri_ascii(columns, rows, frame.cell, centre, values, NODATA),
    )?;
    if !values.iter().any(|v| v.is_finite())
        || ![
            "reach_probability",
            "energy_95",
            "height_95",
            "velocity_95",
            "deposition",
        ]
        .contains(&name)
            && !name.starts_with("return")
    {
        return Ok(());
    }
    let size = DVec2::new(columns as f64, rows as f64) * frame.cell;
    let x = Axis::new("x [m]").range(origin.x, origin.x + size.x);
    let y = Axis::new("y [m]").range(origin.y, origin.y + size.y);
    let cells = Cells::Values {
        label: label.to_owned(),
        values: values.to_vec(),
    };
    let mut picture = HeatMap::new(name, x, y, (columns, rows), cells);
    picture.lines = simulation
        .scene()
        .gates
        .iter()
        .map(|g| g.line.iter().map(|p| (p.x, p.y)).collect())
        .collect();
    let svg = picture.svg()?;
    session.output.text(&format!("{name}.svg"), &svg)?;
    page.picture(&svg, name);
    Ok(())
}

fn runout(results: &Results, session: &mut Session, page: &mut Page) -> Result<()> {
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

fn trajectories(
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
