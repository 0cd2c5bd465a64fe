//! `stack-map`: partial and total overturning over the amplitude and the frequency of a wave.

use anyhow::{Context as _, Result, ensure};
use klast_plot::{Axis, Cells, HeatMap};
use klast_rocking::stack::{
    MapClass, Pivot, Stack, StackMap, StackMapGrid, StackOptions, StackState,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::common::block::gravity;
use crate::common::stack::{Block, Restitution, stack};
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

/// A scene of kind `stack-map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Version of the format: 1.
    #[expect(dead_code, reason = "read with the header")]
    schema: u32,
    /// `stack-map`.
    #[expect(dead_code, reason = "read with the header")]
    kind: String,
    /// The blocks, from the base upwards: one to ten.
    blocks: Vec<Block>,
    /// Gravity (m/s²).
    #[serde(default = "gravity")]
    gravity_m_per_s2: f64,
    /// Restitution on the base.
    #[serde(default)]
    base_restitution: Restitution,
    /// Restitution between blocks.
    #[serde(default)]
    restitution: Restitution,
    /// Lowest and highest amplitude over g tan α of the whole.
    amplitude_over_lift_off: [f64; 2],
    /// Lowest and highest circular frequency over p of the whole.
    frequency_over_p: [f64; 2],
    /// Cells along the frequency and along the amplitude.
    cells: [usize; 2],
    /// Phase of the wave (rad): 0 a sine, π/2 a cosine.
    #[serde(default)]
    phase_rad: f64,
    /// Number of waves.
    #[serde(default = "one")]
    waves: f64,
    /// Time after the wave, in 1/p.
    #[serde(default = "after")]
    time_after_over_p: f64,
    /// Run every so-manieth cell (a power of two) and refine where the outcome changes; 1 runs all.
    #[serde(default = "stride")]
    adaptive_stride: usize,
    /// Largest neglected acceleration over g/H.
    #[serde(default = "tolerance")]
    tolerance: f64,
}

fn one() -> f64 {
    1.0
}

fn after() -> f64 {
    40.0
}

fn stride() -> usize {
    4
}

fn tolerance() -> f64 {
    1e-11
}

/// What a part of a map leaves: a letter a cell.
const PART: &str = "classes.txt";
const CLASSES: [MapClass; 6] = [
    MapClass::Standing,
    MapClass::Partial(Pivot::Left),
    MapClass::Partial(Pivot::Right),
    MapClass::Total(Pivot::Left),
    MapClass::Total(Pivot::Right),
    MapClass::Undecided,
];
/// More cells than this do not fit in memory.
const MOST_CELLS: usize = 20_000_000;

struct MapJob {
    stack: Stack,
    grid: StackMapGrid,
    options: StackOptions,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let stack = stack(&scene.blocks, scene.gravity_m_per_s2)?;
    let grid = StackMapGrid {
        amplitude: scene.amplitude_over_lift_off.into(),
        frequency: scene.frequency_over_p.into(),
        cells: scene.cells.into(),
        phase: scene.phase_rad,
        waves: scene.waves,
        after: scene.time_after_over_p,
        stride: scene.adaptive_stride,
    };
    let options = StackOptions {
        base: scene.base_restitution.into(),
        between: scene.restitution.into(),
        tolerance: scene.tolerance,
        ..StackOptions::until(0.0)
    };
    grid.check()?;
    let cells = grid.cells.0.saturating_mul(grid.cells.1);
    ensure!(
        cells <= MOST_CELLS,
        "cells: {cells}; accepted: up to {MOST_CELLS}"
    );
    stack.run(
        &klast_dynamics::GroundMotion::at_rest(),
        &StackState::rest(stack.len()),
        &options,
    )?;
    Ok(Box::new(MapJob {
        stack,
        grid,
        options,
    }))
}

impl Job for MapJob {
    fn describe(&self) -> String {
        let (columns, rows) = self.grid.cells;
        format!(
            "{columns} x {rows} cells of a stack of {}, {} waves each",
            self.stack.len(),
            self.grid.waves
        )
    }

    fn has_parts(&self) -> bool {
        self.grid.stride == 1
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        if session.options.shard.is_some() {
            let cells = session.part(self.cells());
            let (classes, _) = self.stack.map_part(&self.grid, &self.options, cells)?;
            session.count("cells", classes.len());
            let letters = classes.into_iter().map(letter);
            return session.output.text(PART, &letters.collect::<String>());
        }
        let map = self.stack.map(&self.grid, &self.options)?;
        self.write(session, &map)
    }

    fn merge(&self, parts: &[std::path::PathBuf], session: &mut Session) -> Result<()> {
        let mut classes = Vec::new();
        for part in parts {
            let file = part.join(PART);
            for found in crate::reading::text(&file)?.chars() {
                let class = CLASSES.into_iter().find(|&c| letter(c) == found);
                let words = || format!("{}: '{found}'; accepted: . l r L R ?", file.display());
                classes.push(class.with_context(words)?);
            }
        }
        let (found, needed) = (classes.len(), self.cells());
        ensure!(
            found == needed,
            "the parts hold {found} cells; accepted: {needed}"
        );
        let map = StackMap {
            grid: self.grid,
            runs: found,
            doubts: klast_rocking::stack::MapDoubts::default(),
            classes,
        };
        self.write(session, &map)
    }
}

impl MapJob {
    fn cells(&self) -> usize {
        self.grid.cells.0 * self.grid.cells.1
    }

    fn write(&self, session: &mut Session, map: &StackMap) -> Result<()> {
        session.count("cells", map.classes.len());
        session.count("simulated", map.runs);
        let shares = serde_json::json!({
            "standing": map.share(0),
            "partial_overturning": map.share(1),
            "total_overturning": map.share(2),
            "undecided": map.share(3),
        });
        session.result(shares)?;
        session.output.text("map.txt", &letters(map))?;
        session.picture(
            "map.svg",
            &picture(map)?,
            "What becomes of the stack over the frequency and the amplitude of the wave.",
        )
    }
}

fn letter(class: MapClass) -> char {
    match class {
        MapClass::Standing => '.',
        MapClass::Partial(Pivot::Left) => 'l',
        MapClass::Partial(_) => 'r',
        MapClass::Total(Pivot::Left) => 'L',
        MapClass::Total(_) => 'R',
        MapClass::Undecided => '?',
    }
}

/// One line a row of the map, lowest amplitude first: the amplitude and one letter a cell.
fn letters(map: &StackMap) -> String {
    let mut text = String::from("# rows: amplitude over g tan α; columns: frequency over p\n");
    text.push_str("# . standing, l r partial overturning to the left or right, L R total, ? cut off, one letter a column\n");
    let (columns, rows) = map.grid.cells;
    let ticks: Vec<String> = (0..columns)
        .map(|column| map.grid.middle(column, 0).0.to_string())
        .collect();
    text.push_str(&format!("# columns: {}\n", ticks.join(" ")));
    for row in 0..rows {
        let line: String = (0..columns)
            .filter_map(|column| map.class(column, row))
            .map(letter)
            .collect();
        text.push_str(&format!("{} {line}\n", map.grid.middle(0, row).1));
    }
    text
}

fn picture(map: &StackMap) -> Result<String> {
    let mut names = vec!["standing", "partial overturning", "total overturning"];
    if map.share(3) > 0.0 {
        names.push("cut off");
    }
    let names = names.into_iter().map(str::to_owned).collect();
    let index = map.classes.iter().map(|class| class.area()).collect();
    let x = Axis::new("ω / p [-]").range(map.grid.frequency.0, map.grid.frequency.1);
    let y = Axis::new("a0 / (g tan α) [-]").range(map.grid.amplitude.0, map.grid.amplitude.1);
    Ok(HeatMap::new(
        "Overturning map",
        x,
        y,
        map.grid.cells,
        Cells::Classes { names, index },
    )
    .svg()?)
}
