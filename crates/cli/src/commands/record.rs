//! `klast record`: what is understood of a file of records.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use klast_files::record::{ReadOptions, RecordFile};
use klast_ground_motion::{AccelerationUnit, RecordSummary};
use klast_runs::common::motion::baseline_remark;
use serde::Serialize;

use crate::failure::input;
use crate::session::Options;
use crate::terminal::{stderr_line, stdout_line};

/// Which file, and what it does not say itself.
#[derive(Debug, Args)]
pub struct Arguments {
    /// A file of acceleration records; klast recognises its format by its content
    pub file: PathBuf,
    /// Unit of the accelerations, required if the file does not state it
    #[arg(long, value_enum)]
    pub unit: Option<Unit>,
    /// Time step (s), required if the file has values but no times
    #[arg(long, value_name = "S")]
    pub step_s: Option<f64>,
    /// Column of the times of a table that klast does not recognise: its name or its number from 1
    #[arg(long, value_name = "NAME")]
    pub time_column: Option<String>,
    /// Column of the accelerations of such a table: its name or its number from 1
    #[arg(long, value_name = "NAME")]
    pub acceleration_column: Option<String>,
}

/// Unit of acceleration.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Unit {
    /// Multiples of 9.80665 m/s²
    G,
    /// m/s²
    #[value(name = "m_s2", alias = "ms2")]
    MS2,
    /// cm/s²
    CmS2,
    /// mm/s²
    MmS2,
}

impl From<Unit> for AccelerationUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::G => Self::StandardGravity,
            Unit::MS2 => Self::MetrePerSecondSquared,
            Unit::CmS2 => Self::CentimetrePerSecondSquared,
            Unit::MmS2 => Self::MillimetrePerSecondSquared,
        }
    }
}

/// Reads the file and prints what it holds, as JSON with `--json`.
///
/// # Errors
/// A file that cannot be read or is no record.
pub fn run(arguments: &Arguments, options: &Options) -> Result<()> {
    let (file, summaries) = input(read(arguments))?;
    let warnings = warnings(&file, &summaries);
    if options.json {
        let each = file.components.iter().zip(&summaries);
        let told = Told {
            file: arguments.file.display().to_string(),
            format: file.format.name().to_owned(),
            components: each.map(|(c, s)| ComponentTold::of(&c.name, s)).collect(),
            remarks: file.remarks.clone(),
            warnings,
        };
        return stdout_line(serde_json::to_string_pretty(&told)?);
    }
    stdout_line(format_args!(
        "{}: {}",
        arguments.file.display(),
        file.format.name()
    ))?;
    for (component, summary) in file.components.iter().zip(&summaries) {
        print(&component.name, summary)?;
    }
    for warning in warnings {
        stderr_line(format_args!("klast: warning: {warning}"));
    }
    file.remarks
        .iter()
        .try_for_each(|remark| stdout_line(format_args!("note: {remark}")))
}

/// What a run with one of the components would warn of.
fn warnings(file: &RecordFile, summaries: &[RecordSummary]) -> Vec<String> {
    let each = file.components.iter().zip(summaries);
    let told = each.filter_map(|(component, summary)| {
        let told = baseline_remark(&summary.baseline)?;
        Some(match component.name.as_str() {
            "" => told,
            name => format!("component {name}: {told}"),
        })
    });
    told.collect()
}

fn read(arguments: &Arguments) -> Result<(RecordFile, Vec<RecordSummary>)> {
    let name = || arguments.file.display().to_string();
    let bytes = klast_files::reading::bytes(&arguments.file)?;
    let options = ReadOptions {
        unit: arguments.unit.map(AccelerationUnit::from),
        step: arguments.step_s,
        time_column: arguments.time_column.clone(),
        acceleration_column: arguments.acceleration_column.clone(),
    };
    let file = RecordFile::read(&bytes, &options).with_context(name)?;
    let summaries = file
        .components
        .iter()
        .map(|component| component.record.summary());
    let summaries = summaries.collect::<Result<_, _>>().with_context(name)?;
    Ok((file, summaries))
}

/// A file of records.
#[derive(Debug, Serialize)]
struct Told {
    file: String,
    format: String,
    components: Vec<ComponentTold>,
    remarks: Vec<String>,
    warnings: Vec<String>,
}

/// One of its components.
#[derive(Debug, Serialize)]
struct ComponentTold {
    name: String,
    samples: usize,
    length_s: f64,
    min_step_s: f64,
    max_step_s: f64,
    pga_m_s2: f64,
    pgv_m_s: f64,
    pgd_m: f64,
    arias_m_s: f64,
    d5_95_s: f64,
    final_velocity_m_s: f64,
    final_displacement_m: f64,
    damping: f64,
    spectrum: Vec<SpectrumPoint>,
}

#[derive(Debug, Serialize)]
struct SpectrumPoint {
    period_s: f64,
    spectral_acceleration_m_s2: f64,
}

impl ComponentTold {
    fn of(name: &str, summary: &RecordSummary) -> Self {
        let point = |&(period_s, spectral_acceleration_m_s2): &(f64, f64)| SpectrumPoint {
            period_s,
            spectral_acceleration_m_s2,
        };
        Self {
            name: name.to_owned(),
            samples: summary.samples,
            length_s: summary.length,
            min_step_s: summary.step.0,
            max_step_s: summary.step.1,
            pga_m_s2: summary.pga,
            pgv_m_s: summary.pgv,
            pgd_m: summary.pgd,
            arias_m_s: summary.arias,
            d5_95_s: summary.significant_duration(),
            final_velocity_m_s: summary.baseline.final_velocity,
            final_displacement_m: summary.baseline.final_displacement,
            damping: 0.05,
            spectrum: summary.spectrum.iter().map(point).collect(),
        }
    }
}

fn print(name: &str, summary: &RecordSummary) -> Result<()> {
    if !name.is_empty() {
        stdout_line(format_args!("component {name}"))?;
    }
    let (shortest, longest) = summary.step;
    let step = if longest > 1.001 * shortest {
        format!("{shortest:.6} to {longest:.6} s")
    } else {
        format!("{shortest:.6} s")
    };
    stdout_line(format_args!(
        "  length    {:.4} s, {} samples, step {step}",
        summary.length, summary.samples
    ))?;
    stdout_line(format_args!(
        "  peaks     PGA {} m/s² ({} g), PGV {} m/s, PGD {} m",
        figure(summary.pga),
        figure(summary.pga / AccelerationUnit::StandardGravity.factor()),
        figure(summary.pgv),
        figure(summary.pgd)
    ))?;
    stdout_line(format_args!(
        "  energy    Arias {} m/s, D5-95 {:.3} s ({:.3} to {:.3} s)",
        figure(summary.arias),
        summary.significant_duration(),
        summary.significant.0,
        summary.significant.1
    ))?;
    let baseline = &summary.baseline;
    stdout_line(format_args!(
        "  at end    velocity {:.5} m/s ({:.0} % of its peak), displacement {:.5} m",
        baseline.final_velocity,
        100.0 * baseline.velocity_ratio,
        baseline.final_displacement
    ))?;
    stdout_line("  spectrum  period (s), Sa (m/s²) at 5 % damping")?;
    for (period, value) in &summary.spectrum {
        stdout_line(format_args!("            {period:6.3}  {}", figure(*value)))?;
    }
    Ok(())
}

/// Five digits; weak records have small figures.
fn figure(x: f64) -> String {
    if x == 0.0 || x.abs() >= 0.01 {
        format!("{x:.5}")
    } else {
        format!("{x:.4e}")
    }
}
