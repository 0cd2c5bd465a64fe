//! Tables 7.1 and 7.2: what follows from widths and heights.

use anyhow::{Context as _, Result, bail};
use std::collections::BTreeMap;

use super::inputs::{dual, two_parts};
use crate::{Context, Outcome, Table};

/// Slenderness angles and half diagonals of the six stacks.
pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let sizes: BTreeMap<String, [f64; 5]> = table.input_as("stacks_width_heights_m_masses_kg")?;
    let mut outcome = Outcome::new();
    for row in &table.rows {
        let (name, quantity) = two_parts(&row.id)?;
        let [b, h1, h2, m1, m2] = *sizes
            .get(name)
            .with_context(|| format!("no stack '{name}'"))?;
        let stack = dual(b, (h1, h2), (m1, m2), 9.81)?;
        let [lower, upper] = stack.blocks() else {
            bail!("'{name}' is not of two blocks")
        };
        let value = match quantity {
            "htot" => stack.total_height(),
            "htot/b" => stack.total_height() / b,
            "h1/b" => h1 / b,
            "h2/b" => h2 / b,
            "alpha_i" | "alpha1" => lower.slenderness(),
            "alpha2" => upper.slenderness(),
            "alpha_tot" => stack.total_slenderness(),
            "R_i" => lower.half_diagonal(),
            "R_tot" => stack.total_half_diagonal(),
            other => bail!("row '{}': unknown quantity '{other}'", row.id),
        };
        outcome.set(&row.id, "computed", value);
    }
    Ok(outcome)
}
