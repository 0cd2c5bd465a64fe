//! Overturning maps of the seven stacks of section 7.2: Figures 7.3 to 7.11.

use anyhow::{Context as _, Result};
use klast_plot::{Axis, Cells, HeatMap};
use klast_stacks::{InterfaceRestitution, Stack, StackMap, StackMapGrid, StackOptions};
use std::collections::BTreeMap;

use super::inputs::dual;
use crate::{Context, Outcome, Table};

/// The two readings of a loss of five per cent.
const LAWS: [(&str, &str, InterfaceRestitution); 2] = [
    (
        "struck",
        "struck interface only",
        InterfaceRestitution::Relative { ratio: 0.95 },
    ),
    (
        "all",
        "all rates (ill-posed)",
        InterfaceRestitution::AllRates { factor: 0.95 },
    ),
];

fn picture(title: &str, map: &StackMap) -> Result<String> {
    let names = ["standing", "partial", "total"].map(str::to_owned).to_vec();
    let index = map.classes.iter().map(|class| class.area()).collect();
    let grid = map.grid;
    let drawn = HeatMap::new(
        title,
        Axis::new("ω / p_tot").range(grid.frequency.0, grid.frequency.1),
        Axis::new("a0 / (g tan α_tot)").range(grid.amplitude.0, grid.amplitude.1),
        grid.cells,
        Cells::Classes { names, index },
    );
    Ok(drawn.svg()?)
}

/// Maps at two tolerances and under two rules.
pub(super) fn run(table: &Table, context: &Context) -> Result<Outcome> {
    let sizes: BTreeMap<String, [f64; 5]> = table.input_as("stacks_width_heights_m_masses_kg")?;
    let cells = if context.full { 150 } else { 20 };
    let grid = StackMapGrid::thesis(cells);
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let name = row.id.split(' ').next().unwrap_or_default();
        let [b, h1, h2, m1, m2] = *sizes
            .get(name)
            .with_context(|| format!("no stack '{name}'"))?;
        let stack = dual(b, (h1, h2), (m1, m2), table.input("gravity_m_per_s2")?)?;
        let material_base = name != "Kounadis";
        let mut sides = Vec::new();
        for (law, title, restitution) in LAWS {
            let base = if material_base {
                restitution
            } else {
                InterfaceRestitution::Housner
            };
            let options = |tolerance: f64| StackOptions {
                base,
                between: restitution,
                tolerance,
                ..StackOptions::until(0.0)
            };
            // Only the map that is compared needs its digits.
            let digits = if law == "struck" { 1e-11 } else { 1e-8 };
            let map = stack.map(&grid, &options(digits))?;
            sides.push(picture(&format!("{name}: 5 % loss, {title}"), &map)?);
            outcome.note(format!(
                "{name}, {title}: {} of {} cells run, partial {:.1} %, total {:.1} %",
                map.runs,
                map.classes.len(),
                100.0 * map.share(1),
                100.0 * map.share(2)
            ));
            if law == "struck" {
                agreement(&stack, &map, &options(1e-8), &row.id, &mut outcome)?;
            }
        }
        outcome.draw(
            &format!("map-{name}"),
            "Standing, partial and total overturning",
            klast_plot::stack(&sides, 1),
        );
    }
    Ok(outcome)
}

/// Share of the cells that are the same at a thousand times the tolerance.
fn agreement(
    stack: &Stack,
    map: &StackMap,
    coarse: &StackOptions,
    row: &str,
    outcome: &mut Outcome,
) -> Result<()> {
    let other = stack.map(&map.grid, coarse)?;
    outcome.set(row, "computed", map.agreement(&other));
    Ok(())
}
