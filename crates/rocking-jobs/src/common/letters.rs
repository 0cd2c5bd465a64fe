//! Maps with a letter a cell: run in pieces, and in parts that another run joins.

use std::ops::Range;
use std::path::Path;

use klast_runs::error::{Context as _, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use klast_runs::files::FilesExt as _;
use klast_runs::job::Run;
use klast_runs::parts::fraction;
use klast_runs::pieces::own_share;
use klast_runs::results::{Part, Results};

/// What a part of a map leaves.
const PART: &str = "classes.txt";
/// More cells than this do not fit in memory.
pub const MOST_CELLS: usize = 20_000_000;

/// The letters of a map.
pub struct Letters<C: 'static> {
    /// What a cell may be.
    pub classes: &'static [C],
    /// The letter of that.
    pub letter: fn(C) -> char,
    /// What a part is told by: a name for one letter or more.
    pub names: &'static [(&'static str, &'static str)],
    /// Cells of the first piece.
    pub piece: usize,
}

impl<C: Copy> Letters<C> {
    /// The letters of all cells that are this run's, and what `work` adds up beside the classes that it gives.
    ///
    /// # Errors
    /// If it is interrupted, with its state kept; what `work` gives.
    pub fn run<D: Serialize + DeserializeOwned + Default>(
        &self,
        run: &mut Run,
        key: &str,
        cells: usize,
        mut work: impl FnMut(Range<usize>, &mut D) -> Result<Vec<C>>,
    ) -> Result<(String, D)> {
        let add = |cells: Range<usize>, (letters, beside): &mut (String, D)| {
            letters.extend(work(cells, beside)?.into_iter().map(self.letter));
            Ok(())
        };
        own_share(run, ("cells", key), (cells, self.piece), add)
    }

    /// Writes the letters of a part.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep(&self, run: &mut Run, letters: &str) -> Result<Box<dyn Results>> {
        let cells = letters.chars().count();
        run.count("cells", cells);
        run.files.text(PART, letters)?;
        let mut numbers = Map::from_iter([("cells".to_owned(), Value::from(cells))]);
        for (name, own) in self.names {
            let found = letters.chars().filter(|c| own.contains(*c)).count();
            numbers.insert((*name).to_owned(), Value::from(fraction(found, cells)));
        }
        Ok(Box::new(Part {
            file: PART,
            numbers: Value::Object(numbers),
        }))
    }

    /// The classes of letters.
    ///
    /// # Errors
    /// A letter of none.
    pub fn read(&self, letters: &str) -> Result<Vec<C>> {
        let class = |found: char| {
            let class = self.classes.iter().find(|c| (self.letter)(**c) == found);
            class.copied().with_context(|| {
                let all = self.classes.iter().map(|c| (self.letter)(*c).to_string());
                format!("'{found}'; accepted: {}", all.collect::<Vec<_>>().join(" "))
            })
        };
        letters.chars().map(class).collect()
    }

    /// The classes that a part has left.
    ///
    /// # Errors
    /// A file that cannot be read; as [`Letters::read`].
    pub fn of_part(&self, part: &Path) -> Result<Vec<C>> {
        let file = part.join(PART);
        let own = self.read(&klast_files::reading::text(&file)?);
        own.with_context(|| file.display().to_string())
    }
}
