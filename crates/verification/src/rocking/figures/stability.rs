//! Stability maps: figures 3.11 to 3.14, 3.19 to 3.22, 3.25, 5.7 to 5.12 and 5.15 to 5.22.

use anyhow::Result;
use klast_plot::{Axis, Cells, HeatMap, LineChart, Series, stack};
use klast_rocking::{
    BatchOptions, Case, MapTask, Restitution, RestitutionModel, RockingBlock, StabilityMap,
    linspace,
};

use crate::Outcome;
use crate::rocking::inputs::motion;

/// A map as a raster of classes over ω/p and a₀/(gα).
pub(in crate::rocking) fn class_map(
    outcome: &mut Outcome,
    (name, caption): (&str, &str),
    block: &RockingBlock,
    map: &StabilityMap,
) -> Result<()> {
    let svg = raster(caption, block, map)?;
    outcome.draw(name, caption, svg);
    Ok(())
}

fn raster(title: &str, block: &RockingBlock, map: &StabilityMap) -> Result<String> {
    let cells = Cells::Classes {
        names: ["rest", "rocked", "overturned right", "overturned left"]
            .map(str::to_owned)
            .to_vec(),
        index: map.classes().iter().map(|class| *class as u8).collect(),
    };
    let ends = |values: &[f64], unit: f64| {
        let (first, last) = (values[0], values[values.len() - 1]);
        let half = 0.5 * (last - first) / (values.len() - 1) as f64;
        ((first - half) / unit, (last + half) / unit)
    };
    let (x0, x1) = ends(map.columns(), block.frequency());
    let (y0, y1) = ends(map.rows(), block.gravity() * block.slenderness());
    let x = Axis::new("ω/p").range(x0, x1);
    let y = Axis::new("a₀/(gα)").range(y0, y1);
    let shape = (map.columns().len(), map.rows().len());
    Ok(HeatMap::new(title, x, y, shape, cells).svg()?)
}

/// Figure 3.25: overturned areas for six initial tilts of the slender block under one sine wave.
pub(in crate::rocking) fn tilted(outcome: &mut Outcome, block: &RockingBlock) -> Result<()> {
    let mut pictures = Vec::new();
    for tilt in [-0.05, -0.01, 0.0, 0.005, 0.01, 0.05] {
        let map = sine_map(block, RestitutionModel::Housner, "sine", 64, tilt)?;
        pictures.push(raster(&format!("θ₀ = {tilt} rad"), block, &map)?);
    }
    outcome.draw(
        "figure-3.25",
        "Figure 3.25: initial tilts",
        stack(&pictures, 2),
    );
    Ok(())
}

/// A map over 0.1 to 10 in ω/p and in a₀/(g tan α), refined where the class changes.
fn sine_map(
    block: &RockingBlock,
    model: RestitutionModel,
    kind: &str,
    count: usize,
    tilt: f64,
) -> Result<StabilityMap> {
    let restitution = Restitution::new(model)?;
    let lift = block.lift_off_acceleration();
    let rows = linspace(0.1 * lift, 10.0 * lift, count);
    let columns = linspace(0.1 * block.frequency(), 10.0 * block.frequency(), count);
    let task = MapTask {
        rows: &rows,
        columns: &columns,
        case: |amplitude: f64, omega: f64| {
            Ok(Case {
                block: *block,
                restitution,
                motion: motion(kind, amplitude, omega)?,
                rotation: tilt,
            })
        },
        options: BatchOptions::new(10.0),
    };
    Ok(task.adaptive(4, &|_| {})?)
}

/// The border of the overturned area as one broken line over ω/p and a₀/(gα).
fn border(block: &RockingBlock, map: &StabilityMap) -> Vec<(f64, f64)> {
    let (p, unit) = (block.frequency(), block.gravity() * block.slenderness());
    map.borders()
        .into_iter()
        .flat_map(|((x0, y0), (x1, y1))| {
            [
                (x0 / p, y0 / unit),
                (x1 / p, y1 / unit),
                (f64::NAN, f64::NAN),
            ]
        })
        .collect()
}

fn block(name: &str) -> Result<RockingBlock> {
    let width = if name.ends_with('M') { 0.045 } else { 0.06 };
    let ratio = if name.starts_with("B3") { 2.25 } else { 4.5 };
    Ok(RockingBlock::rectangle(width, ratio * width, 9.81)?)
}

/// Borders of some (label, block, coefficient) in one picture.
fn borders(
    outcome: &mut Outcome,
    (figure, title): (&str, &str),
    kind: &str,
    curves: &[(&str, &str, RestitutionModel)],
) -> Result<()> {
    let x = Axis::new("ω/p").range(0.0, 10.0);
    let y = Axis::new("a₀/(gα)").range(0.0, 10.5);
    let mut chart = LineChart::new(title, x, y);
    for (label, name, model) in curves {
        let block = block(name)?;
        let map = sine_map(&block, *model, kind, 96, 0.0)?;
        chart = chart.with(Series::line(label, border(&block, &map)));
    }
    let caption = format!("Figure {figure}: {title}");
    outcome.draw(&format!("figure-{figure}"), &caption, chart.svg()?);
    Ok(())
}

/// Figures 5.7 to 5.12 and the computed borders of 5.15 to 5.22.
pub(in crate::rocking) fn shaking_table(outcome: &mut Outcome) -> Result<()> {
    let housner = RestitutionModel::Housner;
    let with = |k| RestitutionModel::Improved { k };
    for (figure, name, title) in [
        ("5.7", "B3L", "one sine wave, h/b = 2.25"),
        ("5.8", "B6L", "one sine wave, h/b = 4.5"),
    ] {
        let curves = [("η_H", name, housner), ("η_M, k = 0.75", name, with(0.75))];
        borders(outcome, (figure, title), "sine", &curves)?;
    }
    // Mean k of the medium and of the large scale, table 4.5.
    let (medium, large) = (with(0.8608), with(0.7306));
    for (figure, kind, small, big, title) in [
        ("5.9", "sine", "B3M", "B3L", "one sine wave, B3M and B3L"),
        ("5.10", "sine", "B6M", "B6L", "one sine wave, B6M and B6L"),
        (
            "5.11",
            "cosine",
            "B3M",
            "B3L",
            "one cosine wave, B3M and B3L",
        ),
        (
            "5.12",
            "cosine",
            "B6M",
            "B6L",
            "one cosine wave, B6M and B6L",
        ),
    ] {
        let curves = [
            ("η_H", big, housner),
            ("η_M, medium", small, medium),
            ("η_M, large", big, large),
        ];
        borders(outcome, (figure, title), kind, &curves)?;
    }
    for (figure, name, model, k) in [
        ("5.15", "B6M", medium, "mean k"),
        ("5.16", "B6L", large, "mean k"),
        ("5.17", "B6M", with(0.8241), "own k"),
        ("5.18", "B6L", with(0.7214), "own k"),
        ("5.19", "B3M", medium, "mean k"),
        ("5.20", "B3L", large, "mean k"),
        ("5.21", "B3M", with(0.7595), "own k"),
        ("5.22", "B3L", with(0.7259), "own k"),
    ] {
        let title = format!("computed border of {name}, {k}");
        let curves = [("η_H", name, housner), ("η_M", name, model)];
        borders(outcome, (figure, &title), "sine", &curves)?;
    }
    Ok(())
}
