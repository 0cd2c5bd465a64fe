//! Barriers and collectors: the design sheet and its curves.

use klast_plot::{Axis, LineChart, Series, stack};
use klast_rockfall::{Collector, CollectorStatistics, Settled};
use klast_rockfall_jobs::rockfall::barriers::Sheet as Row;
use klast_rockfall_jobs::rockfall::design::DesignRow;
use klast_rockfall_jobs::rockfall::ground_spread::FEW_ARRIVALS;
use klast_rockfall_jobs::rockfall::result::Results;
use klast_runs::answer::short;
use klast_runs::error::{Outside as _, Result};
use klast_runs::files::FilesExt as _;

use super::super::panels::HALF;
use super::distribution::distribution;
use super::swept;
use crate::page::{NONE, Section, Table, or_none};
use crate::sheet::Sheet;

/// The design sheets, and the figures of everything that rocks arrive at.
pub fn draw(results: &Results, sheet: &mut Sheet) -> Result<()> {
    let screens = &results.simulation.scene().collectors;
    if screens.is_empty() {
        return Ok(());
    }
    design_sheets(results, sheet);
    sheet.page.text(
        Section::Results,
        "Each rock counts once, at its first passage. A quantile that is not bounded above has too few rocks for that. Rocks bypass the ends of a barrier if they cross the straight extensions of its line, never arrive at the barrier, and are held by no other barrier. The energy behind a barrier is that of the rocks that arrive at it and pass it, over its top or through it; of fewer than 20 rocks it is the greatest energy, or nearly.",
    );
    let measured = screens.iter().zip(&results.statistics.collectors);
    for (number, (screen, statistics)) in measured.enumerate() {
        // Many places of a line have one figure together.
        if statistics.arrived() > 0 && !swept::is_place(&results.sweep, &screen.name) {
            let settling = results.statistics.settling(number);
            figures(screen, statistics, &settling, sheet)?;
        }
    }
    Ok(())
}

/// Barriers, then collectors, which hold nothing and have no height.
fn design_sheets(results: &Results, sheet: &mut Sheet) {
    let screens = &results.simulation.scene().collectors;
    let pairs = screens.iter().zip(&results.barriers);
    let own = pairs.filter(|(screen, _)| !swept::is_place(&results.sweep, &screen.name));
    let (barriers, collectors): (Vec<_>, Vec<_>) = own.partition(|(s, _)| s.barrier.is_some());
    for (heading, pairs) in [("Barriers", barriers), ("Collectors", collectors)] {
        if !pairs.is_empty() {
            sheet.page.heading(Section::Results, heading);
            design_sheet(results, &pairs, sheet);
        }
    }
}

/// A table of a column a barrier or collector, a row a quantity with its unit: it is read, and fits a printed page.
struct Upright<'a> {
    part: &'a [(&'a Collector, &'a Row)],
    table: Table,
}

impl Upright<'_> {
    /// A quantity, unless none of them has it.
    fn row(&mut self, words: &str, unit: &str, cell: &dyn Fn(&Collector, &Row) -> String) {
        let cells: Vec<String> = self.part.iter().map(|(g, row)| cell(g, row)).collect();
        if cells.iter().any(|cell| cell != NONE) {
            let head = [words.to_owned(), unit.to_owned()];
            self.table
                .rows
                .push(head.into_iter().chain(cells).collect());
        }
    }
}

fn design_sheet(results: &Results, pairs: &[(&Collector, &Row)], sheet: &mut Sheet) {
    // More columns than these run off a page.
    const COLUMNS: usize = 6;
    for part in pairs.chunks(COLUMNS) {
        let mut table = Table::new(&[("Quantity", ""), ("Unit", "")]);
        let names = part.iter().map(|(screen, _)| screen.name.clone());
        table.header.extend(names.map(|name| (name, String::new())));
        let mut upright = Upright { part, table };
        rocks(&mut upright, results.summary.seeded.max(1) as f64);
        quantiles(&mut upright);
        design_rows(results, part, &mut upright.table);
        sheet.page.table(Section::Results, upright.table);
    }
}

/// What arrives, and what becomes of it.
fn rocks(sheet: &mut Upright, seeded: f64) {
    sheet.row("Height", "m", &|g, _| or_none(g.barrier.map(|b| b.height)));
    sheet.row("Energy capacity", "kJ", &|g, _| {
        or_none(g.barrier.map(|b| 1e-3 * b.capacity))
    });
    sheet.row("Rocks that arrive", "", &|_, r| short(r.arrived as f64));
    sheet.row("Share of the released rocks that arrives", "%", &|_, r| {
        short(100.0 * r.arrived as f64 / seeded)
    });
    sheet.row("Rocks that are held", "", &|g, r| {
        or_none(g.barrier.and(r.held).map(|h| h as f64))
    });
    sheet.row("Rocks held above the service energy", "", &|_, r| {
        or_none(r.held_above_service.map(|n| n as f64))
    });
    sheet.row("Rocks that tear the barrier", "", &|_, r| {
        or_none(r.torn.map(|n| n as f64))
    });
    sheet.row(
        "Height after an impact of its maximum energy",
        "m",
        &|_, r| or_none(r.residual_height_m),
    );
    sheet.row("Share of the released rocks that passes", "%", &|g, r| {
        or_none(g.barrier.and(r.residual_rate).map(|x| 100.0 * x))
    });
    sheet.row("Rocks that bypass its ends", "", &|_, r| {
        or_none(r.passed_beside.map(|n| n as f64))
    });
    sheet.row(
        "Energy behind the barrier, 95 % quantile",
        "kJ",
        &|_, r| match (r.residual_energy_95_kj, r.passed) {
            (Some(energy), Some(rocks)) if rocks < FEW_ARRIVALS => {
                format!("{} (of {rocks} only)", short(energy))
            }
            (energy, _) => or_none(energy),
        },
    );
}

/// Energies and heights of what arrives.
fn quantiles(sheet: &mut Upright) {
    let between = |low: Option<f64>, high: Option<f64>| match (low, high) {
        (Some(low), Some(high)) => format!("{} to {}", short(low), short(high)),
        (Some(low), None) => format!("{} to not bounded", short(low)),
        _ => NONE.to_owned(),
    };
    let above = |c: Option<f64>| match c {
        Some(c) if c < 0.0 => format!("exceeds the barrier by {}", short(-c)),
        Some(c) => short(c),
        None => NONE.to_owned(),
    };
    sheet.row("Energy, 95 % quantile", "kJ", &|_, r| {
        or_none(r.energy_95_kj)
    });
    sheet.row("its 95 % confidence interval", "kJ", &|_, r| {
        between(r.energy_95_low_kj, r.energy_95_high_kj)
    });
    sheet.row("Energy, 99 % quantile", "kJ", &|_, r| {
        or_none(r.energy_99_kj)
    });
    sheet.row("its 95 % confidence interval", "kJ", &|_, r| {
        between(r.energy_99_low_kj, r.energy_99_high_kj)
    });
    sheet.row("Passing height, 95 %", "m", &|_, r| or_none(r.top_95_m));
    sheet.row("Passing height, 99 %", "m", &|_, r| or_none(r.top_99_m));
    sheet.row("Freeboard, 95 %", "m", &|_, r| above(r.clearance_95_m));
    sheet.row("Freeboard, 99 %", "m", &|_, r| above(r.clearance_99_m));
}

/// The characteristic values with their partial factors, against what the barriers resist.
fn design_rows(results: &Results, part: &[(&Collector, &Row)], table: &mut Table) {
    let designs: Vec<Option<&DesignRow>> = part
        .iter()
        .map(|(screen, _)| {
            results
                .barrier_design
                .iter()
                .find(|d| d.name == screen.name)
        })
        .collect();
    if designs.iter().all(Option::is_none) {
        return;
    }
    let mut row = |words: &str, unit: &str, cell: &dyn Fn(&DesignRow) -> String| {
        let cells: Vec<String> = designs
            .iter()
            .map(|d| d.map_or_else(|| NONE.to_owned(), cell))
            .collect();
        if cells.iter().any(|cell| cell != NONE) {
            let head = [words.to_owned(), unit.to_owned()];
            table.rows.push(head.into_iter().chain(cells).collect());
        }
    };
    row("Design: partial factors of", "", &|d| d.standard.clone());
    row("Characteristic quantile", "%", &|d| {
        short(f64::from(d.percentile))
    });
    row("Characteristic energy", "kJ", &|d| or_none(d.energy_kj));
    row("Partial factor of the energy", "", &|d| {
        short(d.energy_factor)
    });
    row("Design energy", "kJ", &|d| or_none(d.design_energy_kj));
    row("Design capacity", "kJ", &|d| short(d.design_capacity_kj));
    row("Utilisation of the design capacity", "", &|d| {
        or_none(d.energy_utilisation)
    });
    row("Characteristic passing height", "m", &|d| or_none(d.top_m));
    row("Design height", "m", &|d| or_none(d.design_height_m));
    row("Utilisation of the height of the barrier", "", &|d| {
        or_none(d.height_utilisation)
    });
    row("Design elongation", "m", &|d| {
        or_none(d.design_elongation_m)
    });
    row("Free space behind", "m", &|d| or_none(d.space_behind_m));
    row("Verdict", "", &|d| d.verdict.word().to_owned());
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
    for (kind, svg) in charts(screen, statistics, rows, WHOLE)? {
        sheet.files.text(&format!("{kind}_{name}.svg"), &svg)?;
    }
    let beside = charts(screen, statistics, rows, HALF)?;
    let has = |kind: &str| beside.iter().any(|(other, _)| *other == kind);
    let mut caption = format!(
        "'{}': kinetic energy of the rocks that arrive; passing height, the height of the highest point of each rock over the ground",
        screen.name
    );
    if has("settling") {
        caption += "; convergence of the 95 % energy with the number of rocks, with its 95 % confidence band";
    }
    if has("exceedance") {
        caption += "; annual exceedance, the rocks in a year that arrive with more than an energy";
    }
    let svgs: Vec<String> = beside.iter().map(|(_, svg)| svg.clone()).collect();
    sheet.page.figure(&stack(&svgs, 2), &format!("{caption}."));
    Ok(())
}

/// Size of a chart in a file of its own (px).
const WHOLE: (u32, u32) = (680, 400);

/// Energy, passing height, convergence and exceedance, each under the name of its file, as far as there is something to
/// draw.
fn charts(
    screen: &Collector,
    statistics: &CollectorStatistics,
    rows: &[Settled],
    size: (u32, u32),
) -> Result<Vec<(&'static str, String)>> {
    let barrier = screen.barrier.as_ref();
    let mut charts = vec![
        (
            "energy",
            distribution(
                "Kinetic energy",
                "E [kJ]",
                &statistics.energy,
                (1e-3, size),
                barrier.map(|b| ("capacity", 1e-3 * b.capacity)),
            )?,
        ),
        (
            "top",
            distribution(
                "Passing height",
                "h [m]",
                &statistics.top,
                (1.0, size),
                barrier.map(|b| ("height of the barrier", b.height)),
            )?,
        ),
    ];
    if rows.iter().filter(|r| r.interval.1.is_finite()).count() > 1 {
        charts.push(("settling", settling(rows, size)?));
    }
    let curve = exceedance(statistics);
    if curve.len() > 1 {
        let chart = LineChart::new(
            "Annual exceedance",
            Axis::log("E [kJ]"),
            Axis::log("exceeded [1/a]"),
        );
        let chart = chart.sized(size).with(Series::line("", curve));
        charts.push(("exceedance", chart.svg().outside()?));
    }
    Ok(charts)
}

/// Energies (kJ) and how often a year they are exceeded, where both have a logarithm.
fn exceedance(statistics: &CollectorStatistics) -> Vec<(f64, f64)> {
    let curve = statistics.energy.exceedance().into_iter();
    let curve = curve.map(|(energy, rate)| (1e-3 * energy, rate));
    curve.filter(|(e, rate)| *e > 0.0 && *rate > 0.0).collect()
}

fn settling(rows: &[Settled], size: (u32, u32)) -> Result<String> {
    // Where too few rocks bound the quantile there is no band yet.
    let rows: Vec<&Settled> = rows.iter().filter(|r| r.interval.1.is_finite()).collect();
    let n: Vec<f64> = rows.iter().map(|r| r.rocks as f64).collect();
    let of = |f: fn(&Settled) -> f64| -> Vec<f64> { rows.iter().map(|r| 1e-3 * f(r)).collect() };
    let middle = n.iter().copied().zip(of(|r| r.energy)).collect();
    let chart = LineChart::new(
        "Convergence of E95",
        Axis::log("rocks"),
        Axis::new("E [kJ]"),
    )
    .sized(size)
    .with(Series::band(
        "95 % confidence",
        &n,
        &of(|r| r.interval.0),
        &of(|r| r.interval.1),
    ))
    .with(Series::line("95 % energy", middle));
    chart.svg().outside()
}
