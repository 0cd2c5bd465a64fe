//! Partial and total overturning over the amplitude and the frequency of a wave.

use std::ops::Range;
use std::path::PathBuf;

use klast_runs::ensure;
use klast_runs::error::{Context as _, Outside as _, Result};
use klast_stacks::{MapClass, Pivot, Stack, StackMap, StackMapGrid, StackOptions, StackState};

use super::result::{self, Doubts, letter};
use super::scene::Scene;
use crate::common::letters::{Letters, MOST_CELLS};
use crate::common::stack::stack;
use klast_runs::Results;
use klast_runs::faults::{Fault, Faults};
use klast_runs::files::FilesExt as _;
use klast_runs::job::{ADAPTIVE, Job, Keeps, Run};
use klast_runs::text::SceneText;

/// What the runs of a part met beyond the model.
const DOUBTS: &str = "doubts.json";
const LETTERS: Letters<MapClass> = Letters {
    classes: &[
        MapClass::Standing,
        MapClass::Partial(Pivot::Left),
        MapClass::Partial(Pivot::Right),
        MapClass::Total(Pivot::Left),
        MapClass::Total(Pivot::Right),
        MapClass::Undecided,
    ],
    letter,
    names: &[
        ("standing", "."),
        ("partial_overturning", "lr"),
        ("total_overturning", "LR"),
        ("undecided", "?"),
    ],
    piece: 64,
};

struct MapJob {
    stack: Stack,
    grid: StackMapGrid,
    options: StackOptions,
    /// The name of all that decides the numbers.
    key: String,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let gravity = faults.take("", scene.gravity_m_s2.m_s2());
    let stack = gravity.and_then(|g| faults.take("", stack(&scene.blocks, g)));
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
    faults.take("", grid.check());
    let cells = grid.cells.0.saturating_mul(grid.cells.1);
    faults.check(cells <= MOST_CELLS, || {
        Fault::new("cells", cells).accepted(format!("up to {MOST_CELLS}"))
    });
    if let Some(stack) = &stack {
        faults.take("", stack.check(&StackState::rest(stack.len()), &options));
    }
    let job = faults.or_all(|| {
        Some(MapJob {
            stack: stack?,
            grid,
            options,
            key: text.key(),
        })
    });
    Ok(Box::new(job?))
}

impl Job for MapJob {
    fn describe(&self) -> String {
        let (columns, rows) = self.grid.cells;
        format!(
            "{columns} × {rows} cells of a stack of {}, {} wave{} each",
            self.stack.len(),
            self.grid.waves,
            if self.grid.waves == 1.0 { "" } else { "s" }
        )
    }

    fn has_parts(&self) -> bool {
        self.grid.stride == 1
    }

    fn why_whole(&self) -> &'static str {
        ADAPTIVE
    }

    fn keeps(&self) -> Keeps {
        match self.has_parts() {
            true => Keeps::EveryMinute,
            false => Keeps::Nothing,
        }
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        if !self.has_parts() {
            let map = self.stack.map(&self.grid, &self.options)?;
            return Ok(self.results(run, &map));
        }
        let progress = run.progress;
        let work = |cells: Range<usize>, doubts: &mut Doubts| {
            let count = cells.len();
            let (classes, more) = self.stack.map_part(&self.grid, &self.options, cells)?;
            doubts.add(&Doubts::from(more));
            progress.add(count as u64);
            Ok(classes)
        };
        let (letters, doubts) = LETTERS.run(run, &self.key, self.cells(), work)?;
        if run.shard.is_some() {
            run.files.json(DOUBTS, &doubts)?;
            return LETTERS.keep(run, &letters);
        }
        let map = self.joined(LETTERS.read(&letters)?, doubts)?;
        Ok(self.results(run, &map))
    }

    fn merge(&self, parts: &[PathBuf], run: &mut Run) -> Result<Box<dyn Results>> {
        let mut classes = Vec::new();
        let mut doubts = Doubts::default();
        for part in parts {
            let file = part.join(DOUBTS);
            let more = serde_json::from_str(&klast_files::reading::text(&file)?);
            doubts.add(&more.outside().with_context(|| file.display().to_string())?);
            classes.extend(LETTERS.of_part(part)?);
        }
        let map = self.joined(classes, doubts)?;
        Ok(self.results(run, &map))
    }
}

impl MapJob {
    fn cells(&self) -> usize {
        self.grid.cells.0 * self.grid.cells.1
    }

    /// The map of all cells, each of which was run.
    fn joined(&self, classes: Vec<MapClass>, doubts: Doubts) -> Result<StackMap> {
        let (found, needed) = (classes.len(), self.cells());
        ensure!(
            found == needed,
            "the parts hold {found} cells; accepted: {needed}"
        );
        Ok(StackMap {
            grid: self.grid,
            runs: found,
            doubts: doubts.into(),
            classes,
        })
    }

    fn results(&self, run: &mut Run, map: &StackMap) -> Box<dyn Results> {
        run.count("cells", map.classes.len());
        run.count("simulated", map.runs);
        let doubts = Doubts::from(map.doubts);
        run.warnings(&doubts.warnings(map.runs));
        let mut results = result::Results::of(map);
        let lift_off = self.stack.gravity() * self.stack.total_slenderness().tan();
        results.physical = (
            self.stack.total_frequency() / std::f64::consts::TAU,
            lift_off,
        );
        Box::new(results)
    }
}
