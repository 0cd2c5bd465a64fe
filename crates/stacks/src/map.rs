//! Overturning maps over the amplitude and the frequency of a wave, parallel and refined where the outcome changes.

use super::history::{StackOutcome, StackRun};
use super::options::StackOptions;
use super::state::StackState;
use super::{Pivot, Stack};
use klast_ground_motion::{Component, Frequency, GroundMotion};
use klast_numerics::OutOfRange;
use klast_numerics::check::require;
use klast_rocking::RockingError;
use rayon::prelude::*;

/// What the cells of a map are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StackMapGrid {
    /// Lowest and highest amplitude, in g tan α of the whole stack.
    pub amplitude: (f64, f64),
    /// Lowest and highest circular frequency, in p of the whole stack.
    pub frequency: (f64, f64),
    /// Cells along the frequency and along the amplitude; the run of a cell is that of its middle.
    pub cells: (usize, usize),
    /// Phase of the wave (rad); 0 is a sine, π/2 a cosine.
    pub phase: f64,
    /// Number of waves.
    pub waves: f64,
    /// Time given after the wave, in 1/p.
    pub after: f64,
    /// Cells skipped at first, a power of two; where four corners agree, the cells between are taken to agree. 1 runs
    /// every cell.
    pub stride: usize,
}

impl StackMapGrid {
    /// One sine wave, 0.1 to 30 g tan α by 0.1 to 15 p: the maps of the thesis, Figures 7.3 to 7.9.
    #[must_use]
    pub fn thesis(cells: usize) -> Self {
        Self {
            amplitude: (0.1, 30.0),
            frequency: (0.1, 15.0),
            cells: (cells, cells),
            phase: 0.0,
            waves: 1.0,
            after: 40.0,
            stride: 4,
        }
    }

    /// Frequency in p and amplitude in g tan α at the middle of a cell.
    #[must_use]
    pub fn middle(&self, column: usize, row: usize) -> (f64, f64) {
        let at = |(low, high): (f64, f64), index: usize, count: usize| {
            low + (high - low) * (index as f64 + 0.5) / count as f64
        };
        (
            at(self.frequency, column, self.cells.0),
            at(self.amplitude, row, self.cells.1),
        )
    }

    /// Says what is wrong with a grid before any cell is run.
    pub fn check(&self) -> Result<(), RockingError> {
        for (field, (low, high)) in [
            ("amplitudes of a map", self.amplitude),
            ("frequencies of a map", self.frequency),
        ] {
            require(field, low, low > 0.0, "above 0")?;
            require(field, high, high > low, "above the lowest")?;
        }
        let (columns, rows) = self.cells;
        if columns == 0 || rows == 0 || columns.saturating_mul(rows) > 100_000_000 {
            return Err(OutOfRange::new(
                "number of cells of a map",
                columns.saturating_mul(rows),
                "1 to 100 million",
            )
            .into());
        }
        let fine = self.stride.is_power_of_two() && self.stride <= 64;
        require(
            "stride of a map",
            self.stride as f64,
            fine,
            "a power of two up to 64",
        )?;
        require("waves", self.waves, self.waves > 0.0, "above 0")?;
        require("phase (rad)", self.phase, true, "finite")?;
        require(
            "time after the wave (1/p)",
            self.after,
            self.after >= 0.0,
            "0 or above",
        )?;
        Ok(())
    }
}

/// The outcome of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MapClass {
    /// All blocks stand.
    Standing,
    /// Some upper blocks fell, the last to this side.
    Partial(Pivot),
    /// All blocks fell, the last to this side.
    Total(Pivot),
    /// The run was cut off before it was decided: by the most steps or events, or by a state that left the numbers.
    Undecided,
}

impl MapClass {
    fn of(run: &StackRun) -> Self {
        match run.decided() {
            Ok(StackOutcome::Rest | StackOutcome::Rocking) => Self::Standing,
            Ok(StackOutcome::Partial { side, .. }) => Self::Partial(side),
            Ok(StackOutcome::Total { side }) => Self::Total(side),
            Err(_) => Self::Undecided,
        }
    }

    /// 0 standing, 1 partial, 2 total: the three areas of the thesis' figures; 3 undecided.
    #[must_use]
    pub fn area(self) -> u8 {
        match self {
            Self::Standing => 0,
            Self::Partial(_) => 1,
            Self::Total(_) => 2,
            Self::Undecided => 3,
        }
    }
}

/// What the runs of a map met beyond the model; a run may count in several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MapDoubts {
    /// Impacts and openings without an admissible outcome, in all runs.
    pub unresolved: usize,
    /// Runs with at least one of them.
    pub unresolved_runs: usize,
    /// Runs in which an interface would have to pull, before the fall of the whole stack was sealed: the blocks would
    /// jump.
    pub jumping_runs: usize,
    /// Runs that need more friction than was given, before the fall of the whole stack was sealed.
    pub sliding_runs: usize,
}

impl MapDoubts {
    /// What blocks do on their way down once the whole stack falls does not change its class.
    fn of(stack: &Stack, run: &StackRun) -> Self {
        let marks = &run.diagnostics;
        let one = usize::from;
        let whole = stack.first_fall(run).filter(|(fall, _)| fall.block == 0);
        let sealed = whole.map_or(f64::INFINITY, |(_, passed)| passed);
        let before = |time: Option<f64>| one(time.is_some_and(|time| time < sealed));
        Self {
            unresolved: marks.unresolved,
            unresolved_runs: one(marks.unresolved > 0),
            jumping_runs: before(marks.jump_time).max(before(marks.pull_time)),
            sliding_runs: before(marks.slip_time),
        }
    }

    fn add(&mut self, other: Self) {
        self.unresolved += other.unresolved;
        self.unresolved_runs += other.unresolved_runs;
        self.jumping_runs += other.jumping_runs;
        self.sliding_runs += other.sliding_runs;
    }

    /// The sum over several parts.
    #[must_use]
    pub fn sum(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut sum = Self::default();
        parts.into_iter().for_each(|part| sum.add(part));
        sum
    }
}

/// A map: classes row by row from the lowest amplitude, in each from the lowest frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct StackMap {
    /// What the cells are.
    pub grid: StackMapGrid,
    /// One class a cell.
    pub classes: Vec<MapClass>,
    /// Cells that were run; the others lie between four that agree.
    pub runs: usize,
    /// What they met beyond the model.
    pub doubts: MapDoubts,
}

impl StackMap {
    /// The class of a cell.
    #[must_use]
    pub fn class(&self, column: usize, row: usize) -> Option<MapClass> {
        let (columns, _) = self.grid.cells;
        if column < columns {
            self.classes.get(row * columns + column).copied()
        } else {
            None
        }
    }

    /// Share of the cells whose class is the same as in a map of the same grid.
    #[must_use]
    pub fn agreement(&self, other: &Self) -> f64 {
        let same = self
            .classes
            .iter()
            .zip(&other.classes)
            .filter(|(a, b)| a == b)
            .count();
        same as f64 / self.classes.len().max(other.classes.len()) as f64
    }

    /// Share of the cells in an area of [`MapClass::area`].
    #[must_use]
    pub fn share(&self, area: u8) -> f64 {
        let there = self
            .classes
            .iter()
            .filter(|class| class.area() == area)
            .count();
        there as f64 / self.classes.len() as f64
    }
}

impl Stack {
    /// The overturning map of a stack that starts from rest. The end in `options` is not used: it follows from the
    /// grid.
    ///
    /// The cells do not depend on the number of threads.
    pub fn map(
        &self,
        grid: &StackMapGrid,
        options: &StackOptions,
    ) -> Result<StackMap, RockingError> {
        grid.check()?;
        let (columns, rows) = grid.cells;
        let mut known: Vec<Option<MapClass>> = vec![None; columns * rows];
        let (mut runs, mut doubts) = (0, MapDoubts::default());
        let mut stride = grid.stride;
        while stride > 0 {
            let wanted = wanted(&known, grid.cells, stride, stride == grid.stride);
            runs += wanted.iter().filter(|(_, class)| class.is_none()).count();
            let found: Result<Vec<_>, RockingError> = wanted
                .par_iter()
                .map(|&(index, class)| match class {
                    Some(class) => Ok((index, (class, MapDoubts::default()))),
                    None => self
                        .cell(grid, options, index % columns, index / columns)
                        .map(|cell| (index, cell)),
                })
                .collect();
            for (index, (class, doubt)) in found? {
                known[index] = Some(class);
                doubts.add(doubt);
            }
            stride /= 2;
        }
        let classes = known
            .into_iter()
            .map(|class| class.unwrap_or(MapClass::Undecided))
            .collect();
        Ok(StackMap {
            grid: *grid,
            classes,
            runs,
            doubts,
        })
    }

    /// The classes and doubts of some cells of a map, numbered as in [`StackMap::classes`], every one of them run.
    pub fn map_part(
        &self,
        grid: &StackMapGrid,
        options: &StackOptions,
        cells: std::ops::Range<usize>,
    ) -> Result<(Vec<MapClass>, MapDoubts), RockingError> {
        grid.check()?;
        let (columns, rows) = grid.cells;
        let inside = cells.end <= columns * rows;
        require(
            "end of the part",
            cells.end as f64,
            inside,
            "a cell of the map",
        )?;
        let run = |index: usize| self.cell(grid, options, index % columns, index / columns);
        let cells: Result<Vec<_>, RockingError> = cells.into_par_iter().map(run).collect();
        let (classes, doubts): (Vec<_>, Vec<_>) = cells?.into_iter().unzip();
        Ok((classes, MapDoubts::sum(doubts)))
    }

    fn cell(
        &self,
        grid: &StackMapGrid,
        options: &StackOptions,
        column: usize,
        row: usize,
    ) -> Result<(MapClass, MapDoubts), RockingError> {
        let p = self.total_frequency();
        let (frequency, amplitude) = grid.middle(column, row);
        let omega = frequency * p;
        let slope = 2.0 * self.half_width(0) / self.total_height();
        let wave = Component::waves(
            amplitude * self.gravity() * slope,
            Frequency::rad_per_s(omega),
            grid.phase,
            grid.waves,
        )?;
        let end = wave.duration() + grid.after / p;
        let options = StackOptions {
            end,
            // Close enough to tell when the mass centre passed the corner.
            sampling: Some(0.02 / p),
            ..*options
        };
        let run = self.run(
            &GroundMotion::horizontal(wave),
            &StackState::rest(self.len()),
            &options,
        )?;
        Ok((MapClass::of(&run), MapDoubts::of(self, &run)))
    }
}

/// The cells of a stage that are still open, each with its class where the four corners around it agree.
fn wanted(
    known: &[Option<MapClass>],
    cells: (usize, usize),
    stride: usize,
    first: bool,
) -> Vec<(usize, Option<MapClass>)> {
    let (columns, rows) = cells;
    let wide = 2 * stride;
    let mut wanted = Vec::new();
    for row in (0..rows).step_by(stride) {
        for column in (0..columns).step_by(stride) {
            let index = row * columns + column;
            if known[index].is_some() {
                continue;
            }
            let (left, low) = (column - column % wide, row - row % wide);
            let (right, high) = (left + wide, low + wide);
            let corner = |c: usize, r: usize| {
                if !first && c < columns && r < rows {
                    known[r * columns + c]
                } else {
                    None
                }
            };
            let corners = [
                corner(left, low),
                corner(right, low),
                corner(left, high),
                corner(right, high),
            ];
            let agree = corners.iter().all(|class| *class == corners[0]);
            wanted.push((index, if agree { corners[0] } else { None }));
        }
    }
    wanted
}
