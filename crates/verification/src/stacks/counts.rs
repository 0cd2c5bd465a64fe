//! Maps of section 7.2 with Housner's impacts, counted by an independent engine of the test tree, and what is concluded
//! from them.

use anyhow::{Context as _, Result};
use klast_numerics::roots::try_bisect;
use klast_stacks::{InterfaceRestitution, Stack, StackMap, StackMapGrid, StackOptions};
use std::collections::BTreeMap;

use super::inputs::dual;
use crate::{Context, Outcome, Table};

/// What overturns at the lowest and at the highest frequency that overturns, in most of the amplitudes; how many
/// overturn partially at the highest, and how many overturn at all.
fn modes(map: &StackMap) -> (String, usize, usize) {
    let (columns, rows) = map.grid.cells;
    let area = |column: usize, row: usize| map.class(column, row).map_or(0, |c| c.area());
    let mut partial = [0, 0];
    let mut fallen = 0;
    for row in 0..rows {
        let mut overturned = (0..columns).map(|c| area(c, row)).filter(|a| *a > 0);
        let Some(first) = overturned.next() else {
            continue;
        };
        let last = overturned.next_back().unwrap_or(first);
        fallen += 1;
        partial[0] += usize::from(first == 1);
        partial[1] += usize::from(last == 1);
    }
    let word = |count: usize| {
        if 2 * count > fallen {
            "partial"
        } else {
            "total"
        }
    };
    let words = format!("{}, {}", word(partial[0]), word(partial[1]));
    (words, partial[1], fallen)
}

pub(super) fn run(table: &Table, _: &Context) -> Result<Outcome> {
    let sizes: BTreeMap<String, [f64; 5]> = table.input_as("stacks_width_heights_m_masses_kg")?;
    let cells = table.input("cells")? as usize;
    let grid = StackMapGrid {
        stride: 1,
        ..StackMapGrid::thesis(cells)
    };
    let mut outcome = Outcome::new();
    let mut maps = BTreeMap::new();
    for (name, [b, h1, h2, m1, m2]) in &sizes {
        let stack = dual(*b, (*h1, *h2), (*m1, *m2), table.input("gravity_m_per_s2")?)?;
        let options = StackOptions {
            base: InterfaceRestitution::Housner,
            between: InterfaceRestitution::Housner,
            ..StackOptions::until(0.0)
        };
        let map = stack.map(&grid, &options)?;
        let count = |area: u8| map.classes.iter().filter(|c| c.area() == area).count() as f64;
        for (area, word) in [(0, "standing"), (1, "partial"), (2, "total")] {
            outcome.set(&format!("{name} {word}"), "computed", count(area));
        }
        maps.insert(name.as_str(), map);
        if name == "Kounadis" {
            border(&stack, &mut outcome)?;
        }
    }
    let get = |name: &str| maps.get(name).with_context(|| format!("no stack '{name}'"));
    for (small, large) in [("DB3M3M", "DB3L3L"), ("DB6M6M", "DB6L6L")] {
        let (a, b) = (get(small)?, get(large)?);
        let other = a
            .classes
            .iter()
            .zip(&b.classes)
            .filter(|(x, y)| x != y)
            .count();
        outcome.set(
            &format!("similar: {small} and {large}"),
            "computed",
            other as f64,
        );
    }
    for name in ["DB3M3M", "DB6M6M"] {
        let size = sizes
            .get(name)
            .with_context(|| format!("no stack '{name}'"))?;
        with_loss(table, (name, size), get(name)?, &mut outcome)?;
    }
    let share = |name: &str| -> Result<f64> {
        let map = get(name)?;
        let count = |area: u8| map.classes.iter().filter(|c| c.area() == area).count() as f64;
        Ok(count(1) / (count(1) + count(2)))
    };
    let (slender, equal, bulky) = (share("DB3M6M")?, share("DB3M3M")?, share("DB6M3M")?);
    let word = |holds: bool| if holds { "yes" } else { "no" };
    outcome.set(
        "slender top: more partial than equal blocks",
        "computed",
        word(slender > equal),
    );
    outcome.set(
        "slender top: more partial than a bulky top",
        "computed",
        word(slender > bulky),
    );
    outcome.set("bulky top: mostly total", "computed", word(bulky < 0.5));
    outcome.note(format!(
        "partial among overturned cells: DB3M6M {slender:.2}, DB3M3M {equal:.2}, DB6M3M {bulky:.2}"
    ));
    Ok(outcome)
}

/// The modes of a stack with the loss of the thesis: its statement is on maps that lose five per cent more than
/// Housner's impacts.
fn with_loss(
    table: &Table,
    (name, [b, h1, h2, m1, m2]): (&str, &[f64; 5]),
    housner: &StackMap,
    outcome: &mut Outcome,
) -> Result<()> {
    let stack = dual(*b, (*h1, *h2), (*m1, *m2), table.input("gravity_m_per_s2")?)?;
    let loss = InterfaceRestitution::Relative { ratio: 0.95 };
    let options = StackOptions {
        base: loss,
        between: loss,
        ..StackOptions::until(0.0)
    };
    let (words, partial, fallen) = modes(&stack.map(&housner.grid, &options)?);
    let row = format!("modes: {name}, lowest and highest frequencies");
    outcome.set(&row, "computed", words);
    outcome.note(format!(
        "{name} with a loss of 5 %: at the highest frequency that overturns it, {partial} of {fallen} amplitudes overturn it partially; with Housner's impacts {}",
        modes(housner).1
    ));
    Ok(())
}

/// The least amplitude, in g tan α, that overturns the stack of Kounadis with its loss of 5 % between the blocks, at
/// the frequencies of the remark in section 7.2.2.1: the first of a grid of 0.1, then halved.
fn border(stack: &Stack, outcome: &mut Outcome) -> Result<()> {
    let options = StackOptions {
        base: InterfaceRestitution::Housner,
        between: InterfaceRestitution::Relative { ratio: 0.95 },
        ..StackOptions::until(0.0)
    };
    for ratio in [11, 12, 13] {
        let (omega, half) = (f64::from(ratio), 0.05);
        let column = |amplitude: (f64, f64), rows: usize| -> Result<Option<usize>> {
            let grid = StackMapGrid {
                amplitude,
                frequency: (omega - 0.5, omega + 0.5),
                stride: 1,
                ..StackMapGrid::thesis(1)
            };
            let grid = StackMapGrid {
                cells: (1, rows),
                ..grid
            };
            let map = stack.map(&grid, &options)?;
            Ok(map.classes.iter().position(|class| class.area() > 0))
        };
        let first = column((half, 30.0 + half), 300)?.context("no amplitude overturns")?;
        let low = 0.1 * first as f64;
        let falls = |amplitude: f64| {
            let width = 1e-3 * amplitude;
            column((amplitude - width, amplitude + width), 1).map(|row| row.is_some())
        };
        let (_, border) = try_bisect(low, low + 0.1, 24, falls)?;
        outcome.set(&format!("Kounadis border at {ratio} p"), "computed", border);
    }
    Ok(())
}
