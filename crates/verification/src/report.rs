mod cells;
mod chapter;
mod coverage;
mod front;
mod junit;
mod text;
mod write;

pub(crate) use write::write_whole;

use serde::Serialize;

use crate::count::Count;
use crate::verdict::Claim;
use crate::{ItemResult, ItemVerdict, TableResult};

/// All tables, judged.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Tables that ran.
    pub tables: Vec<TableResult>,
    /// Tables left to the full run.
    pub skipped: Vec<String>,
    /// What the documents show, item by item; empty where only some tables ran.
    pub items: Vec<ItemResult>,
}

impl Report {
    /// Every table holds and every item of the documents has its rows.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.tables.is_empty()
            && self.tables.iter().all(TableResult::holds)
            && self.items.iter().all(|i| i.verdict != ItemVerdict::Failed)
    }

    /// How the cells of one claim came out.
    #[must_use]
    pub fn count(&self, claim: Claim) -> Count {
        Count::new(self.tables.iter().flat_map(|t| &t.cells), claim)
    }
}
