//! What an overturning map of a stack gives.

use klast_runs::error::Result;
use klast_stacks::{MapClass, MapDoubts, Pivot, StackMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;

/// The results of a scene of kind `stack_map`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Rows of the map with letters of the outcomes, the lowest amplitude first: the rows of the file `map.txt`.
    pub rows: Vec<Row>,
    /// Angular frequency of each column of the map, over the frequency parameter p of one block of the size of the
    /// stack.
    pub frequency_over_p: Vec<f64>,
    /// The map.
    #[serde(skip)]
    pub map: StackMap,
    /// Physical frequency (Hz) and amplitude (m/s²) that correspond to the ratio 1.
    #[serde(skip)]
    pub physical: (f64, f64),
}

/// Fractions of the cells of the map.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Summary {
    /// Fraction of cells in which every block stands.
    pub standing: f64,
    /// Fraction of cells in which some blocks fell.
    pub partial_overturning: f64,
    /// Fraction of cells in which all blocks fell.
    pub total_overturning: f64,
    /// Fraction of cells whose simulation reached the largest number of steps or events before it had an outcome.
    pub undecided: f64,
    /// Numbers of simulations for which the model does not hold.
    pub beyond_model: Doubts,
}

/// Numbers of simulations for which the model does not hold. A simulation can count in several of these numbers.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct Doubts {
    /// Number of impacts and openings, in all simulations, for which no outcome fulfils the conditions of contact.
    pub unresolved: usize,
    /// Number of simulations with at least one impact or opening for which no outcome fulfils the conditions of
    /// contact.
    pub unresolved_runs: usize,
    /// Number of simulations in which an interface would have to pull, so that the blocks would jump. After the mass
    /// centre of the whole stack has passed its corner for good, this counts no more.
    pub jumping_runs: usize,
    /// Number of simulations that need more friction than the scene states, before the mass centre of the whole stack
    /// has passed its corner for good.
    pub sliding_runs: usize,
}

impl Doubts {
    /// Adds those of another part.
    pub fn add(&mut self, other: &Self) {
        self.unresolved += other.unresolved;
        self.unresolved_runs += other.unresolved_runs;
        self.jumping_runs += other.jumping_runs;
        self.sliding_runs += other.sliding_runs;
    }

    /// Each that there is, in a sentence.
    #[must_use]
    pub fn warnings(&self, runs: usize) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.unresolved_runs > 0 {
            warnings.push(format!(
                "{} impacts and openings in {} of {runs} runs have no admissible outcome",
                self.unresolved, self.unresolved_runs
            ));
        }
        if self.jumping_runs > 0 {
            warnings.push(format!(
                "in {} of {runs} runs an interface would have to pull: the blocks would jump, which the model does not",
                self.jumping_runs
            ));
        }
        if self.sliding_runs > 0 {
            warnings.push(format!(
                "{} of {runs} runs need more friction than is given: the blocks would slide, which the model does not",
                self.sliding_runs
            ));
        }
        warnings
    }
}

impl From<MapDoubts> for Doubts {
    fn from(doubts: MapDoubts) -> Self {
        Self {
            unresolved: doubts.unresolved,
            unresolved_runs: doubts.unresolved_runs,
            jumping_runs: doubts.jumping_runs,
            sliding_runs: doubts.sliding_runs,
        }
    }
}

impl From<Doubts> for MapDoubts {
    fn from(doubts: Doubts) -> Self {
        Self {
            unresolved: doubts.unresolved,
            unresolved_runs: doubts.unresolved_runs,
            jumping_runs: doubts.jumping_runs,
            sliding_runs: doubts.sliding_runs,
        }
    }
}

/// One row of cells.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Row {
    /// Amplitude of the acceleration, over g tan α of one block of the size of the stack.
    pub amplitude_over_lift_off: f64,
    /// Letters of the outcomes, one for each cell: `.` if all blocks stand, `l` or `r` if some blocks fell to the left
    /// or to the right, `L` or `R` if all blocks fell, and `?` if the outcome is undecided.
    pub letters: String,
}

/// The letter of a class.
#[must_use]
pub fn letter(class: MapClass) -> char {
    match class {
        MapClass::Standing => '.',
        MapClass::Partial(Pivot::Left) => 'l',
        MapClass::Partial(_) => 'r',
        MapClass::Total(Pivot::Left) => 'L',
        MapClass::Total(_) => 'R',
        MapClass::Undecided => '?',
    }
}

impl Results {
    /// The results of a map.
    #[must_use]
    pub fn of(map: &StackMap) -> Self {
        let (columns, rows) = map.grid.cells;
        let row = |row: usize| Row {
            amplitude_over_lift_off: map.grid.middle(0, row).1,
            letters: (0..columns)
                .filter_map(|column| map.class(column, row))
                .map(letter)
                .collect(),
        };
        let column = |column: usize| map.grid.middle(column, 0).0;
        Self {
            summary: Summary {
                standing: map.share(0),
                partial_overturning: map.share(1),
                total_overturning: map.share(2),
                undecided: map.share(3),
                beyond_model: map.doubts.into(),
            },
            rows: (0..rows).map(row).collect(),
            frequency_over_p: (0..columns).map(column).collect(),
            map: map.clone(),
            physical: (f64::NAN, f64::NAN),
        }
    }

    /// One line a row of the map, lowest amplitude first: the amplitude and one letter a cell.
    fn text(&self) -> String {
        let mut text = String::from("# rows: amplitude over g tan α; columns: frequency over p\n");
        text.push_str("# . standing, l r partial overturning to the left or right, L R total, ? cut off, one letter a column\n");
        let ticks: Vec<String> = self.frequency_over_p.iter().map(f64::to_string).collect();
        text.push_str(&format!("# columns: {}\n", ticks.join(" ")));
        for row in &self.rows {
            text.push_str(&format!(
                "{} {}\n",
                row.amplitude_over_lift_off, row.letters
            ));
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
        files.text("map.txt", &self.text())
    }
}
