//! What a stability map gives: a class a cell, and its lower border.

use klast_rocking::Class;
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;
use klast_runs::table::Columns;

/// The results of a scene of kind `rocking_map`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Quantity that varies from row to row of `map.txt`.
    pub rows: Axis,
    /// Quantity that varies from column to column.
    pub columns: Axis,
    /// Outcomes of the cells, row by row: the letters of the file `map.txt`.
    pub cells: Vec<Cell>,
    /// Lower border of overturning: the rows of the file `lower-border.csv`. For each value of the quantity of
    /// `columns`, a row gives the least value of the quantity of `rows` at which the block overturns.
    pub lower_border: Vec<Columns>,
}

/// Numbers of cells with each outcome.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of cells of the map.
    pub cells: usize,
    /// Number of cells that were run. The other cells have the outcome of the cells around them.
    pub simulated: usize,
    /// Number of cells in which the block stays at rest.
    pub rest: usize,
    /// Number of cells in which the block rocks and does not overturn within the duration.
    pub rocked: usize,
    /// Number of cells in which the block overturns to the right.
    pub overturned_right: usize,
    /// Number of cells in which the block overturns to the left.
    pub overturned_left: usize,
    /// Number of cells in which the block slides and never rocks. With the engine `no_slip`: number of cells in which
    /// the block would slide before it could rock.
    pub slides_first: usize,
}

/// A quantity and its values.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Axis {
    /// Name of the quantity in the scene, with its unit.
    pub quantity: &'static str,
    /// As an axis of a figure says it.
    #[serde(skip)]
    pub label: &'static str,
    /// The same in a physical unit, where the quantity has none: its name and the factor.
    #[serde(skip)]
    pub physical: Option<(&'static str, f64)>,
    /// Values along the axis.
    pub values: Vec<f64>,
}

/// Outcome of the block in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// The block stays at rest.
    Rest,
    /// The block rocks and does not overturn within the duration.
    Rocked,
    /// The block overturns to the right.
    OverturnedRight,
    /// The block overturns to the left.
    OverturnedLeft,
    /// The block slides and never rocks. With the engine `no_slip`: the block would slide before it could rock.
    SlidesFirst,
}

impl Cell {
    /// All of them, in the order of the legend.
    pub const ALL: [Self; 5] = [
        Self::Rest,
        Self::Rocked,
        Self::OverturnedRight,
        Self::OverturnedLeft,
        Self::SlidesFirst,
    ];

    /// Its letter in `map.txt`.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::Rest => '.',
            Self::Rocked => 'o',
            Self::OverturnedRight => 'R',
            Self::OverturnedLeft => 'L',
            Self::SlidesFirst => 's',
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Rocked => "rocked",
            Self::OverturnedRight => "overturned right",
            Self::OverturnedLeft => "overturned left",
            Self::SlidesFirst => "slides first",
        }
    }
}

impl From<Class> for Cell {
    fn from(class: Class) -> Self {
        match class {
            Class::Rest => Self::Rest,
            Class::Rocked => Self::Rocked,
            Class::Right => Self::OverturnedRight,
            Class::Left => Self::OverturnedLeft,
            Class::Slid => Self::SlidesFirst,
        }
    }
}

impl Results {
    /// The results of a map's cells and the points (column, row) of its lower border.
    #[must_use]
    pub fn new(
        rows: Axis,
        columns: Axis,
        cells: Vec<Cell>,
        border: Vec<(f64, f64)>,
        simulated: usize,
    ) -> Self {
        let count = |which: Cell| cells.iter().filter(|c| **c == which).count();
        let summary = Summary {
            cells: cells.len(),
            simulated,
            rest: count(Cell::Rest),
            rocked: count(Cell::Rocked),
            overturned_right: count(Cell::OverturnedRight),
            overturned_left: count(Cell::OverturnedLeft),
            slides_first: count(Cell::SlidesFirst),
        };
        let names = (columns.quantity, rows.quantity);
        let point = |(x, y)| Columns::of([(names.0, x), (names.1, y)]);
        Self {
            summary,
            cells,
            lower_border: border.into_iter().map(point).collect(),
            rows,
            columns,
        }
    }

    /// One line a row of the map: its value and one letter a cell.
    fn letters(&self) -> String {
        let (row, column) = (self.rows.quantity, self.columns.quantity);
        let mut text = format!("# rows: {row}; columns: {column}\n");
        text.push_str(
            "# . rest, o rocked, R overturned right, L overturned left, s slides first; ",
        );
        text.push_str("one letter a column\n");
        let ticks: Vec<String> = self.columns.values.iter().map(f64::to_string).collect();
        text.push_str(&format!("# columns: {}\n", ticks.join(" ")));
        let rows = self.cells.chunks(self.columns.values.len().max(1));
        for (value, cells) in self.rows.values.iter().zip(rows) {
            let letters: String = cells.iter().map(|c| c.letter()).collect();
            text.push_str(&format!("{value} {letters}\n"));
        }
        text
    }
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        files.text("map.txt", &self.letters())?;
        let like = Columns::of([(self.columns.quantity, 0.0), (self.rows.quantity, 0.0)]);
        files.table_like("lower-border.csv", &like, &self.lower_border)
    }
}
