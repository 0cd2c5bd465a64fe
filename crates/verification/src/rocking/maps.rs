//! Stability maps against an independent event-driven integration, cell by cell.

use super::inputs::motion;
use anyhow::{Result, bail, ensure};
use klast_rocking::{
    BatchOptions, Case, Class, Equation, MapTask, Restitution, RestitutionModel, RockingBlock,
    StabilityMap,
};

use super::figures;
use crate::{Context, Outcome, Table};

/// The map of a block over amplitudes (m/s²) and circular frequencies (rad/s), 10 s each.
pub(super) fn stability(
    block: &RockingBlock,
    model: RestitutionModel,
    equation: Equation,
    kind: &str,
    (amplitudes, omegas): (&[f64], &[f64]),
) -> Result<StabilityMap> {
    let restitution = Restitution::new(model)?;
    let task = MapTask {
        rows: amplitudes,
        columns: omegas,
        case: |amplitude: f64, omega: f64| {
            Ok(Case {
                block: *block,
                restitution,
                motion: motion(kind, amplitude, omega)?,
                rotation: 0.0,
            })
        },
        options: BatchOptions {
            equation,
            ..BatchOptions::new(10.0)
        },
    };
    Ok(task.full(&|_| {})?)
}

/// One of the six reference maps.
pub(super) fn map(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let block =
        RockingBlock::rectangle(table.input("width_m")?, table.input("height_m")?, gravity)?;
    let kind: String = table.input_as("kind")?;
    let rows: Vec<f64> = table.input_as("amplitude_m_per_s2")?;
    let columns: Vec<f64> = table.input_as("omega_rad_per_s")?;
    let model = RestitutionModel::Housner;
    let axes = (rows.as_slice(), columns.as_slice());
    let map = stability(&block, model, Equation::Nonlinear, &kind, axes)?;
    let classes: Vec<String> = table.input_as("classes")?;
    let mask: Vec<String> = table.input_as("mask")?;
    let expected: Vec<char> = classes.iter().flat_map(|line| line.chars()).collect();
    let masked: Vec<bool> = mask
        .iter()
        .flat_map(|l| l.chars().map(|c| c == 'x'))
        .collect();
    let found = map.classes();
    ensure!(
        expected.len() == found.len() && masked.len() == found.len(),
        "{} classes and {} mask cells for {} cells",
        expected.len(),
        masked.len(),
        found.len()
    );
    let lasting = kind == "lasting";
    let (mut outside, mut all) = (0.0, 0.0);
    for ((class, expected), masked) in found.iter().zip(&expected).zip(&masked) {
        let differs = if lasting {
            class.is_overturned() != matches!(expected, 'R' | 'L')
        } else {
            !agrees(*class, *expected)
        };
        if differs {
            all += 1.0;
            outside += if *masked { 0.0 } else { 1.0 };
        }
    }
    let mut outcome = Outcome::new();
    let unit = if lasting { found.len() as f64 } else { 1.0 };
    outcome.set("different", "computed", outside / unit);
    outcome.set("all", "computed", all / unit);
    outcome.set("overturned", "computed", map.overturned() as f64);
    outcome.note(format!(
        "{all} cells differ, {outside} of them outside the mask"
    ));
    draw(&mut outcome, table, &block, &map, axes)?;
    Ok(outcome)
}

/// The figures that show this map, and the linearised one beside it.
fn draw(
    outcome: &mut Outcome,
    table: &Table,
    block: &RockingBlock,
    map: &StabilityMap,
    axes: (&[f64], &[f64]),
) -> Result<()> {
    let kind: String = table.input_as("kind")?;
    let slender = block.slenderness() < 0.3;
    let (linear, nonlinear) = match (slender, kind.as_str()) {
        (true, "sine") => ("3.11", "3.12"),
        (true, "lasting") => ("3.13", "3.14"),
        (false, "sine") => ("3.19", "3.20"),
        (false, "lasting") => ("3.21", "3.22"),
        _ => {
            let caption = ("map", "Nonlinear analysis");
            return figures::class_map(outcome, caption, block, map);
        }
    };
    let model = RestitutionModel::Housner;
    let linearised = stability(block, model, Equation::Linearised, &kind, axes)?;
    for (figure, analysis, map) in [
        (linear, "linearised", &linearised),
        (nonlinear, "nonlinear", map),
    ] {
        let name = format!("figure-{figure}");
        let caption = format!("Figure {figure}: {analysis} analysis");
        figures::class_map(outcome, (&name, &caption), block, map)?;
    }
    if slender && kind == "sine" {
        figures::tilted(outcome, block)?;
    }
    Ok(())
}

fn agrees(class: Class, expected: char) -> bool {
    match class {
        Class::Rest => expected == '.',
        Class::Slid => false,
        Class::Rocked => matches!(expected, 'o' | '~'),
        Class::Right => expected == 'R',
        Class::Left => expected == 'L',
    }
}

/// Overturned cells of twelve maps: block, coefficient and motion are in the name of the row.
pub(super) fn counts(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let k = table.input("k")?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let [name, coefficient, kind] = row.id.split('-').collect::<Vec<_>>()[..] else {
            bail!("row '{}'; accepted: block-coefficient-motion", row.id);
        };
        let height = if name == "B6L" { 0.27 } else { 0.09 };
        let block = RockingBlock::rectangle(0.06, height, gravity)?;
        let model = if coefficient == "H" {
            RestitutionModel::Housner
        } else {
            RestitutionModel::Improved { k }
        };
        let rows: Vec<f64> = table.input_as(&format!("amplitude_m_per_s2/{name}"))?;
        let columns: Vec<f64> = table.input_as(&format!("omega_rad_per_s/{name}"))?;
        let map = stability(&block, model, Equation::Nonlinear, kind, (&rows, &columns))?;
        outcome.set(&row.id, "computed", map.overturned() as f64);
    }
    Ok(outcome)
}
