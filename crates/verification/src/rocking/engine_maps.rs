//! Maps that an independent engine of the test tree has counted: linearised ones, six tilts, and the borders of chapter
//! 5.

use super::inputs::motion;
use anyhow::{Context as _, Result, bail};
use klast_rocking::{
    BatchOptions, Case, Equation, MapTask, Restitution, RestitutionModel, RockingBlock,
};
use std::collections::BTreeMap;

use crate::{Context, Outcome, Table};

fn linspace(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(|k| low + step * k as f64).collect()
}

/// What is run over a grid of 0.1 to 10 units in both axes.
struct Map {
    block: RockingBlock,
    model: RestitutionModel,
    equation: Equation,
    kind: &'static str,
    tilt: f64,
    /// Unit of the amplitude, m/s².
    unit: f64,
    cells: usize,
}

impl Map {
    /// Overturned cells, and those of them under one unit of amplitude.
    fn overturned(&self) -> Result<(f64, f64)> {
        self.over((0.1, 10.0, self.cells), (0.1, 10.0, self.cells))
    }

    /// Whether any amplitude under one unit overturns. The amplitudes of the map that lie there are a quarter of a unit
    /// apart, so that one that seems to be the last may not be: a hundredth of a unit decides between 0.8 and 1, for
    /// the frequencies at which the map has its lowest border.
    fn below_one_unit(&self, low: f64) -> Result<bool> {
        Ok(low > 0.0 || self.over((0.8, 0.99, 20), (0.5, 4.0, 71))?.1 > 0.0)
    }

    /// The rows of one tilt.
    fn tilted(&self, outcome: &mut Outcome) -> Result<()> {
        let (count, low) = self.overturned()?;
        let tilt = self.tilt;
        outcome.set(&format!("figure-3.25 tilt {tilt}"), "computed", count);
        let word = if self.below_one_unit(low)? {
            "yes"
        } else {
            "no"
        };
        let row = format!("tilt {tilt}: overturns under g tan α");
        outcome.set(&row, "computed", word);
        Ok(())
    }

    /// Overturned cells, and those of them under one unit, of amplitudes in units and frequencies over p, each as
    /// first, last and count.
    fn over(
        &self,
        amplitudes: (f64, f64, usize),
        frequencies: (f64, f64, usize),
    ) -> Result<(f64, f64)> {
        let p = self.block.frequency();
        let spaced = |(low, high, count): (f64, f64, usize), unit: f64| {
            linspace(low * unit, high * unit, count)
        };
        let (rows, columns) = (spaced(amplitudes, self.unit), spaced(frequencies, p));
        let restitution = Restitution::new(self.model)?;
        let task = MapTask {
            rows: &rows,
            columns: &columns,
            case: |amplitude: f64, omega: f64| {
                Ok(Case {
                    block: self.block,
                    restitution,
                    motion: motion(self.kind, amplitude, omega)?,
                    rotation: self.tilt,
                })
            },
            options: BatchOptions {
                equation: self.equation,
                ..BatchOptions::new(10.0)
            },
        };
        let map = task.full(&|_| {})?;
        let low = rows.iter().take_while(|a| **a < self.unit).count();
        let cells = (0..low).flat_map(|r| (0..columns.len()).map(move |c| (r, c)));
        let fallen = cells.filter(|(r, c)| map.class(*r, *c).is_some_and(|k| k.is_overturned()));
        Ok((map.overturned() as f64, fallen.count() as f64))
    }
}

/// Figures 3.11 to 3.25 and what is concluded from them.
pub(super) fn linearised(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let mut outcome = Outcome::new();
    let mut found = BTreeMap::new();
    for (shape, height) in [("slender", 0.27), ("bulky", 0.09)] {
        let block = RockingBlock::rectangle(0.06, height, gravity)?;
        let alpha = block.slenderness();
        let slender = shape == "slender";
        let unit = gravity * if slender { alpha.tan() } else { alpha };
        let map = |equation, kind, tilt| Map {
            block,
            model: RestitutionModel::Housner,
            equation,
            kind,
            tilt,
            unit,
            cells: 40,
        };
        for kind in ["sine", "lasting"] {
            for (name, equation) in [
                ("linearised", Equation::Linearised),
                ("nonlinear", Equation::Nonlinear),
            ] {
                found.insert(
                    format!("{shape} {kind} {name}"),
                    map(equation, kind, 0.0).overturned()?.0,
                );
            }
        }
        if slender {
            for tilt in [-0.05, -0.01, 0.0, 0.005, 0.01, 0.05] {
                map(Equation::Nonlinear, "sine", tilt).tilted(&mut outcome)?;
            }
        }
    }
    let get = |name: &str| found.get(name).copied().with_context(|| name.to_owned());
    for (figure, name) in [
        ("3.11", "slender sine"),
        ("3.13", "slender lasting"),
        ("3.19", "bulky sine"),
        ("3.21", "bulky lasting"),
    ] {
        let count = get(&format!("{name} linearised"))?;
        outcome.set(&format!("figure-{figure} overturned"), "computed", count);
    }
    for shape in ["slender", "bulky"] {
        for kind in ["sine", "lasting"] {
            let ratio = get(&format!("{shape} {kind} linearised"))?
                / get(&format!("{shape} {kind} nonlinear"))?;
            let row = format!("{shape}: linearised over nonlinear, {kind}");
            outcome.set(&row, "computed", ratio);
        }
    }
    Ok(outcome)
}

/// Figures 5.7 to 5.22: overturned cells by block, wave and coefficient, and what is concluded from them.
pub(super) fn borders(table: &Table, _: &Context) -> Result<Outcome> {
    let gravity = table.input("gravity_m_per_s2")?;
    let blocks: BTreeMap<String, (f64, f64)> = table.input_as("blocks_width_height_m")?;
    let mut outcome = Outcome::new();
    let mut found = BTreeMap::new();
    for row in &table.rows {
        let [name, kind, coefficient] = row.id.split(' ').collect::<Vec<_>>()[..] else {
            continue;
        };
        let Some((width, height)) = blocks.get(name) else {
            continue;
        };
        let block = RockingBlock::rectangle(*width, *height, gravity)?;
        let model = match coefficient {
            "H" => RestitutionModel::Housner,
            k => RestitutionModel::Improved { k: k.parse()? },
        };
        let kind = match kind {
            "sine" => "sine",
            "cosine" => "cosine",
            other => bail!("row '{}': wave '{other}'", row.id),
        };
        let count = Map {
            block,
            model,
            equation: Equation::Nonlinear,
            kind,
            tilt: 0.0,
            unit: gravity * block.slenderness(),
            cells: 30,
        }
        .overturned()?
        .0;
        outcome.set(&row.id, "computed", count);
        found.insert(row.id.clone(), count);
    }
    let get = |name: &str| found.get(name).copied().with_context(|| name.to_owned());
    // How much more overturns with the improved coefficient, one wave against the other.
    for (name, k) in [("B3L", "0.7306"), ("B6L", "0.7306")] {
        for kind in ["sine", "cosine"] {
            let gain = get(&format!("{name} {kind} {k}"))? / get(&format!("{name} {kind} H"))?;
            outcome.set(&format!("share: {name} {kind}"), "computed", gain);
        }
    }
    let yes = |holds: bool| if holds { "yes" } else { "no" };
    for (small, large) in [("B3M", "B3L"), ("B6M", "B6L")] {
        let larger = get(&format!("{large} sine 0.7306"))? > get(&format!("{small} sine 0.8608"))?;
        outcome.set(&format!("larger: {large}"), "computed", yes(larger));
    }
    for (name, own, mean) in [("B3M", "0.7595", "0.8608"), ("B6M", "0.8241", "0.8608")] {
        let larger = get(&format!("{name} sine {own}"))? > get(&format!("{name} sine {mean}"))?;
        outcome.set(&format!("own k: {name}"), "computed", yes(larger));
    }
    for (shape, name) in [("h/b 2.25", "B3L"), ("h/b 4.5", "B6L")] {
        let more = get(&format!("{name} sine 0.75"))? > get(&format!("{name} sine H"))?;
        outcome.set(
            &format!("{shape}: more overturns with k 0.75"),
            "computed",
            yes(more),
        );
    }
    Ok(outcome)
}
