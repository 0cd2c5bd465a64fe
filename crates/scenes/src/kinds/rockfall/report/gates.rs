//! Barriers and collectors: design sheets, histograms, quantiles, curves of exceedance, and whether there were rocks enough.

use anyhow::Result;
use klast_plot::{Axis, LineChart, Series};
use klast_rockfall::{DesignSheet, Gate, GateStatistics, Histogram, Results, Settled, Simulation};

use super::charts::distribution;
use crate::formats::geojson;
use crate::page::Page;
use crate::session::Session;

/// Everything that was measured at gates.
pub fn write(
    simulation: &Simulation,
    results: &Results,
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let gates = &simulation.scene().gates;
    if gates.is_empty() {
        return Ok(());
    }
    page.heading("Barriers and collectors");
    sheets(gates, results, session, page)?;
    let measured = || gates.iter().zip(&results.gates);
    session.output.csv(
        "gate_quantiles.csv",
        &QUANTILES,
        measured().flat_map(quantiles),
    )?;
    session.output.csv(
        "gate_histograms.csv",
        &["gate", "quantity", "from", "to", "rocks"],
        measured().flat_map(bins),
    )?;
    settled(gates, results, session)?;
    session.output.csv(
        "gate_exceedance.csv",
        &["gate", "energy_kj", "exceeded_per_a", "return_period_a"],
        measured().flat_map(exceedance),
    )?;
    for (number, (gate, statistics)) in measured().enumerate() {
        if statistics.arrived() > 0 {
            pictures(gate, statistics, &results.settling(number), session, page)?;
        }
    }
    Ok(())
}

/// The design sheet: one row a gate.
fn sheets(gates: &[Gate], results: &Results, session: &mut Session, page: &mut Page) -> Result<()> {
    let header = [
        "gate",
        "arrived",
        "held",
        "residual_rate",
        "energy_95_kj",
        "energy_95_low_kj",
        "energy_95_high_kj",
        "energy_99_kj",
        "energy_99_low_kj",
        "energy_99_high_kj",
        "top_95_m",
        "top_99_m",
        "clearance_95_m",
        "clearance_99_m",
    ];
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (gate, statistics) in gates.iter().zip(&results.gates) {
        let mut row = vec![gate.name.clone()];
        let sheet = statistics.sheet(gate, results.account.seeded);
        lines.push(on_the_map(gate, sheet.as_ref()));
        match sheet {
            None => row.push("0".into()),
            Some(sheet) => {
                row.push(sheet.arrived.to_string());
                row.push(sheet.held.to_string());
                row.push(format!("{:.5}", sheet.residual_rate));
                for (value, low, high) in [sheet.energy_95, sheet.energy_99] {
                    row.extend([value, low, high].map(|e| rounded(1e-3 * e)));
                }
                row.extend([sheet.top_95, sheet.top_99].map(rounded));
                row.extend(
                    sheet
                        .clearance
                        .into_iter()
                        .flat_map(|c| [rounded(c.0), rounded(c.1)]),
                );
            }
        }
        row.resize(header.len(), String::new());
        rows.push(row);
    }
    session.output.csv("barriers.csv", &header, rows.clone())?;
    session
        .output
        .text("barriers.geojson", &geojson::write_lines(lines))?;
    page.table(&header, &rows);
    page.text("Each rock counts once, at its first passage. Low and high bound the quantile with 95 % confidence; an empty high means too few rocks to bound it.");
    Ok(())
}

/// A barrier or collector as a line with what it has seen.
fn on_the_map(gate: &Gate, sheet: Option<&DesignSheet>) -> geojson::Line {
    let mut properties = serde_json::Map::new();
    properties.insert("name".into(), gate.name.clone().into());
    if let Some(barrier) = &gate.barrier {
        properties.insert("height_m".into(), barrier.height.into());
        properties.insert("capacity_kj".into(), (1e-3 * barrier.capacity).into());
    }
    properties.insert("arrived".into(), sheet.map_or(0, |s| s.arrived).into());
    if let Some(sheet) = sheet {
        properties.insert("held".into(), sheet.held.into());
        properties.insert("energy_95_kj".into(), (1e-3 * sheet.energy_95.0).into());
        properties.insert("top_95_m".into(), sheet.top_95.into());
    }
    let points = gate.line.iter().map(|p| p.to_array().to_vec());
    (points.collect(), properties)
}

/// Two digits behind the point; nothing for what is not bounded.
fn rounded(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.2}")
    } else {
        String::new()
    }
}

fn exact(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        String::new()
    }
}

/// What is measured at a gate: name with unit, factor from SI, histogram.
fn quantities(statistics: &GateStatistics) -> [(&'static str, f64, &Histogram); 6] {
    [
        ("speed_m_per_s", 1.0, &statistics.speed),
        ("height_m", 1.0, &statistics.height),
        ("top_m", 1.0, &statistics.top),
        ("translational_energy_kj", 1e-3, &statistics.translational),
        ("rotational_energy_kj", 1e-3, &statistics.rotational),
        ("energy_kj", 1e-3, &statistics.energy),
    ]
}

const QUANTILES: [&str; 18] = [
    "gate", "quantity", "rocks", "least", "mean", "greatest", "q50", "q50_low", "q50_high", "q90",
    "q90_low", "q90_high", "q95", "q95_low", "q95_high", "q99", "q99_low", "q99_high",
];

fn quantiles((gate, statistics): (&Gate, &GateStatistics)) -> Vec<Vec<String>> {
    let row = |(name, factor, values): (&str, f64, &Histogram)| {
        let number = |v: Option<f64>| v.map_or(String::new(), |v| exact(factor * v));
        let mut row = vec![gate.name.clone(), name.into(), values.count().to_string()];
        row.extend([values.least(), values.mean(), values.greatest()].map(number));
        for p in [0.5, 0.9, 0.95, 0.99] {
            let (low, high) = values.quantile_interval(p).unzip();
            row.extend([values.quantile(p), low, high].map(number));
        }
        row
    };
    quantities(statistics).into_iter().map(row).collect()
}

fn bins((gate, statistics): (&Gate, &GateStatistics)) -> Vec<[String; 5]> {
    let of = |(name, factor, values): (&'static str, f64, &Histogram)| {
        let row = |(from, to, rocks): (f64, f64, u64)| {
            [
                gate.name.clone(),
                name.into(),
                exact(factor * from),
                exact(factor * to),
                rocks.to_string(),
            ]
        };
        values.bins().map(row).collect::<Vec<_>>()
    };
    quantities(statistics).into_iter().flat_map(of).collect()
}

fn exceedance((gate, statistics): (&Gate, &GateStatistics)) -> Vec<[String; 4]> {
    let row = |(energy, frequency): (f64, f64)| {
        [
            gate.name.clone(),
            exact(1e-3 * energy),
            exact(frequency),
            exact(1.0 / frequency),
        ]
    };
    statistics
        .energy
        .exceedance()
        .into_iter()
        .map(row)
        .collect()
}

/// How the 95 % energies have settled.
fn settled(gates: &[Gate], results: &Results, session: &mut Session) -> Result<()> {
    let rows = gates.iter().enumerate().flat_map(|(number, gate)| {
        results.settling(number).into_iter().map(|r| {
            [
                gate.name.clone(),
                r.rocks.to_string(),
                exact(1e-3 * r.energy),
                exact(1e-3 * r.interval.0),
                exact(1e-3 * r.interval.1),
            ]
        })
    });
    session.output.csv(
        "gate_settling.csv",
        &[
            "gate",
            "rocks",
            "energy_95_kj",
            "energy_95_low_kj",
            "energy_95_high_kj",
        ],
        rows,
    )
}

fn pictures(
    gate: &Gate,
    statistics: &GateStatistics,
    rows: &[Settled],
    session: &mut Session,
    page: &mut Page,
) -> Result<()> {
    let mut name: String = gate
        .name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // Names of other letters may become the same file.
    while session
        .output
        .files()
        .contains(&format!("energy_{name}.svg"))
    {
        name.push('_');
    }
    page.heading(&gate.name);
    let barrier = gate.barrier.as_ref();
    let mut show = |kind: &str, svg: &str, caption: &str| {
        page.picture(svg, caption);
        session.output.text(&format!("{kind}_{name}.svg"), svg)
    };
    show(
        "energy",
        &distribution(
            &format!("{}: kinetic energy", gate.name),
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
            &format!("{}: height of the top", gate.name),
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
            &settling(&gate.name, rows)?,
            "Are the rocks enough? How the 95 % energy settles with their number, with its 95 % confidence band.",
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
            &format!("{}: exceedance", gate.name),
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
