//! Hazard maps.

use anyhow::Result;
use glam::DVec2;
use klast_geometry::terrain::write_esri_ascii;
use klast_plot::{Axis, Cells, HeatMap};
use klast_rockfall::{CellStatistics, Histogram, Results, Simulation};

use super::super::scene::Scene;
use crate::page::Page;
use crate::session::Session;

const NODATA: f64 = -9999.0;

/// A raster of every quantity, and pictures of those an engineer asks for first.
pub fn write(
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
    for period in &scene.return_periods_a {
        let energy = |c: &CellStatistics| {
            c.energy
                .at_annual_exceedance(1.0 / period)
                .map(|v| 1e-3 * v)
        };
        list.push((
            format!("energy_{period}a"),
            "E [kJ]".into(),
            raster.map(energy),
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
