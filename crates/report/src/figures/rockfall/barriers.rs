//! Barriers and collectors: the design sheet and its curves.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::{Collector, CollectorStatistics, Settled};
use klast_scenes::answer::short;
use klast_scenes::kinds::rockfall::barriers::Sheet as Row;
use klast_scenes::kinds::rockfall::result::Results;

use super::distribution::distribution;
use crate::page::{Section, Table};
use crate::sheet::Sheet;

/// Below so many rocks a 95 % quantile is the greatest value, or nearly.
const FEW: u64 = 20;

/// The design sheet, and the figures of everything that rocks arrive at.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let screens = &results.simulation.scene().collectors;
    if screens.is_empty() {
        return Ok(());
    }
    sheet
        .page
        .heading(Section::Results, "Barriers and collectors");
    design_sheet(results, sheet);
    let measured = screens.iter().zip(&results.statistics.collectors);
    for (number, (screen, statistics)) in measured.enumerate() {
        if statistics.arrived() > 0 {
            let settling = results.statistics.settling(number);
            figures(screen, statistics, &settling, sheet)?;
        }
    }
    Ok(())
}

/// A column a barrier or collector, a row a quantity with its unit: it is read, and fits a printed page.
fn design_sheet(results: &Results, sheet: &mut Sheet) {
    let screens = &results.simulation.scene().collectors;
    // More columns than these run off a page.
    const COLUMNS: usize = 6;
    let pairs: Vec<(&Collector, &Row)> = screens.iter().zip(&results.barriers).collect();
    for part in pairs.chunks(COLUMNS) {
        let mut table = Table::new(&[("Quantity", ""), ("Unit", "")]);
        table.header.extend(
            part.iter()
                .map(|(screen, _)| (screen.name.clone(), String::new())),
        );
        let mut row = |words: &str, unit: &str, cell: &dyn Fn(&Collector, &Row) -> String| {
            let cells = part.iter().map(|(screen, row)| cell(screen, row));
            let head = [words.to_owned(), unit.to_owned()];
            table.rows.push(head.into_iter().chain(cells).collect());
        };
        let said = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), short);
        let between = |low: Option<f64>, high: Option<f64>| match (low, high) {
            (Some(low), Some(high)) => format!("{} to {}", short(low), short(high)),
            (Some(low), None) => format!("{} to not bounded", short(low)),
            _ => "–".to_owned(),
        };
        let above = |c: Option<f64>| match c {
            Some(c) if c < 0.0 => format!("{} over the barrier", short(-c)),
            Some(c) => format!("{} below its top", short(c)),
            None => "–".to_owned(),
        };
        let seeded = results.summary.seeded.max(1) as f64;
        row("Height", "m", &|g, _| said(g.barrier.map(|b| b.height)));
        row("Energy capacity", "kJ", &|g, _| {
            said(g.barrier.map(|b| 1e-3 * b.capacity))
        });
        row("Rocks that arrive", "", &|_, r| short(r.arrived as f64));
        row("Share of the released rocks that arrives", "%", &|_, r| {
            short(100.0 * r.arrived as f64 / seeded)
        });
        row("Rocks that are held", "", &|g, r| {
            said(g.barrier.and(r.held).map(|h| h as f64))
        });
        row("held above the service energy", "", &|_, r| {
            said(r.held_above_service.map(|n| n as f64))
        });
        row("Rocks that tear the barrier", "", &|_, r| {
            said(r.torn.map(|n| n as f64))
        });
        row("Share of the released rocks that passes", "%", &|g, r| {
            said(g.barrier.and(r.residual_rate).map(|x| 100.0 * x))
        });
        row("Rocks that pass beside its ends", "", &|_, r| {
            said(r.passed_beside.map(|n| n as f64))
        });
        row(
            "Energy behind the barrier, 95 % quantile",
            "kJ",
            &|_, r| match (r.residual_energy_95_kj, r.passed) {
                (Some(energy), Some(rocks)) if rocks < FEW => {
                    format!("{} (of {rocks} only)", short(energy))
                }
                (energy, _) => said(energy),
            },
        );
        row("Energy, 95 % quantile", "kJ", &|_, r| said(r.energy_95_kj));
        row("its 95 % confidence interval", "kJ", &|_, r| {
            between(r.energy_95_low_kj, r.energy_95_high_kj)
        });
        row("Energy, 99 % quantile", "kJ", &|_, r| said(r.energy_99_kj));
        row("its 95 % confidence interval", "kJ", &|_, r| {
            between(r.energy_99_low_kj, r.energy_99_high_kj)
        });
        row("Top of the rocks over the ground, 95 %", "m", &|_, r| {
            said(r.top_95_m)
        });
        row("Top of the rocks over the ground, 99 %", "m", &|_, r| {
            said(r.top_99_m)
        });
        row(
            "Top of the rocks to that of the barrier, 95 %",
            "m",
            &|_, r| above(r.clearance_95_m),
        );
        row(
            "Top of the rocks to that of the barrier, 99 %",
            "m",
            &|_, r| above(r.clearance_99_m),
        );
        sheet.page.table(Section::Results, table);
    }
    sheet.page.text(
        Section::Results,
        "Each rock counts once, at its first passage. A quantile that is not bounded above has too few rocks for that. Rocks pass beside the ends of a barrier if they cross its line, prolonged straight at both ends to the edge of the map, never arrive at the barrier, and are held by no other barrier. The energy behind a barrier is that of the rocks that arrive at it and pass it, over its top or through it; of fewer than 20 rocks it is the greatest energy, or nearly.",
    );
}

fn figures(
    screen: &Collector,
    statistics: &CollectorStatistics,
    rows: &[Settled],
    sheet: &mut Sheet,
) -> Result<()> {
    let mut name: String = screen
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Names of other letters may become the same file.
    while sheet.files.names().contains(&format!("energy_{name}.svg")) {
        name.push('_');
    }
    let barrier = screen.barrier.as_ref();
    let mut show = |kind: &str, svg: &str, caption: &str| {
        sheet.figure(&format!("{kind}_{name}.svg"), svg, caption)
    };
    show(
        "energy",
        &distribution(
            &format!("{}: kinetic energy", screen.name),
            "E [kJ]",
            &statistics.energy,
            1e-3,
            barrier.map(|b| ("capacity", 1e-3 * b.capacity)),
        )?,
        "Kinetic energy of the rocks that arrive.",
    )?;
    show(
        "top",
        &distribution(
            &format!("{}: height of the top", screen.name),
            "h [m]",
            &statistics.top,
            1.0,
            barrier.map(|b| ("height of the barrier", b.height)),
        )?,
        "Height of the top of the rocks over the ground.",
    )?;
    if rows.iter().filter(|r| r.interval.1.is_finite()).count() > 1 {
        show(
            "settling",
            &settling(&screen.name, rows)?,
            "Whether there were rocks enough: how the 95 % energy settles with their number, with its 95 % confidence band.",
        )?;
    }
    let curve: Vec<(f64, f64)> = statistics
        .energy
        .exceedance()
        .into_iter()
        .map(|(e, f)| (1e-3 * e, f))
        .filter(|(e, f)| *e > 0.0 && *f > 0.0)
        .collect();
    if curve.len() > 1 {
        let chart = LineChart::new(
            &format!("{}: exceedance", screen.name),
            Axis::log("E [kJ]"),
            Axis::log("exceeded [1/a]"),
        );
        show(
            "exceedance",
            &chart.with(Series::line("", curve)).svg()?,
            "How often in a year a rock arrives with more than an energy.",
        )?;
    }
    Ok(())
}

fn settling(name: &str, rows: &[Settled]) -> Result<String> {
    // Where too few rocks bound the quantile there is no band yet.
    let rows: Vec<&Settled> = rows.iter().filter(|r| r.interval.1.is_finite()).collect();
    let n: Vec<f64> = rows.iter().map(|r| r.rocks as f64).collect();
    let of = |f: fn(&Settled) -> f64| -> Vec<f64> { rows.iter().map(|r| 1e-3 * f(r)).collect() };
    let middle = n.iter().copied().zip(of(|r| r.energy)).collect();
    let chart = LineChart::new(
        &format!("{name}: 95 % energy"),
        Axis::log("rocks"),
        Axis::new("E [kJ]"),
    )
    .with(Series::band(
        "95 % confidence",
        &n,
        &of(|r| r.interval.0),
        &of(|r| r.interval.1),
    ))
    .with(Series::line("95 % energy", middle));
    Ok(chart.svg()?)
}
