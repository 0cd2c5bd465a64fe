//! A part of a run: its statistics and rocks, until all parts are joined.

use std::path::PathBuf;

use klast_rockfall::Results as Statistics;
use klast_runs::Answer;
use klast_runs::error::{Context as _, Outside as _, Result};
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::parts::{PACKED, pack, unpack};
use klast_runs::results::{RESULT, Results};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::result::Summary;
use super::rock_table::RockTable;

/// What the rocks of a part add up to. It has no maps and figures: those are of the whole.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part {
    /// The statistics of its rocks.
    pub statistics: Statistics,
    /// Those of its rocks that the table of rocks lists.
    pub rocks: RockTable,
    /// Its rocks that ended in missing data within the terrain.
    pub swallowed: u64,
    /// Numbers to look at before all parts are joined.
    #[serde(skip)]
    pub summary: Option<Summary>,
}

impl Part {
    /// All parts as one. Sums are exact, so they are joined two by two in any order; rocks stay in the order of parts.
    ///
    /// # Errors
    /// A part that cannot be read, or is of another scene.
    pub fn joined<'a>(parts: &'a [PathBuf]) -> Result<Option<Self>> {
        let join = |a: Read<'a>, b: Read<'a>| match (a, b) {
            (Some((mut first, name)), Some((second, part))) => {
                let merged = first.statistics.merge(&second.statistics);
                merged.with_context(|| part.display().to_string())?;
                first.rocks.append(&second.rocks)?;
                first.swallowed += second.swallowed;
                Ok(Some((first, name)))
            }
            (a, b) => Ok(a.or(b)),
        };
        let joined = parts.par_iter().map(read).try_reduce(|| None, join)?;
        Ok(joined.map(|(part, _)| part))
    }
}

/// A part with its folder.
type Read<'a> = Option<(Part, &'a PathBuf)>;

fn read(folder: &PathBuf) -> Result<Read<'_>> {
    Ok(Some((unpack(&folder.join(PACKED))?, folder)))
}

impl Results for Part {
    fn write(&self, files: &mut dyn Files) -> Result<()> {
        files.json(RESULT, &self.summary)?;
        pack(files, PACKED, self)
    }

    fn answer(&self) -> Option<Answer> {
        None
    }

    fn summary_json(&self) -> Result<String> {
        serde_json::to_string(&self.summary).outside()
    }

    fn schema(&self) -> Option<Value> {
        None
    }
}
