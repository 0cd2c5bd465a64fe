mod cells;
mod chapter;
mod coverage;
mod front;
mod junit;
mod text;
mod write;

pub(crate) use text::{more, not_shown, short, told};
pub(crate) use write::write_whole;

use serde::Serialize;

use crate::count::Count;
use crate::distinct::Distinct;
use crate::print::Shown;
use crate::verdict::Claim;
use crate::{Errata, ItemResult, ItemVerdict, TableResult};

/// The program that ran the tables, and on what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Version of klast.
    pub version: &'static str,
    /// Operating system and processor, as the compiler names them.
    pub machine: String,
    /// Threads of the run.
    pub threads: usize,
}

impl Program {
    /// This one.
    #[must_use]
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            machine: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            threads: rayon::current_num_threads(),
        }
    }
}

impl std::fmt::Display for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let threads = match self.threads {
            1 => "1 thread".to_owned(),
            n => format!("{n} threads"),
        };
        write!(f, "klast {} on {}, {threads}", self.version, self.machine)
    }
}

/// All tables, judged.
#[derive(Debug, Serialize)]
pub struct Report {
    /// What ran them.
    pub program: Program,
    /// Tables that ran.
    pub tables: Vec<TableResult>,
    /// Tables left to the full run.
    pub skipped: Vec<String>,
    /// What the documents show, item by item: all, or the chapter that was asked for; empty where single tables were.
    pub items: Vec<ItemResult>,
    /// The errata of the documents.
    #[serde(skip)]
    pub errata: Vec<Errata>,
}

impl Report {
    /// Every table holds and every item of the documents has its rows.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.tables.is_empty()
            && self.tables.iter().all(TableResult::holds)
            && self.items.iter().all(|i| i.verdict != ItemVerdict::Failed)
    }

    /// The distinct printed numbers, statements, formulas or echoes, each counted once over all tables.
    #[must_use]
    pub fn distinct(&self, shown: Shown) -> Distinct {
        Distinct::new(self.tables.iter().flat_map(TableResult::placed), shown)
    }

    /// The same of one document, as the tables name it.
    #[must_use]
    pub fn distinct_of(&self, document: &str, shown: Shown) -> Distinct {
        let tables = self.tables.iter().filter(|t| t.source.document == document);
        Distinct::new(tables.flat_map(TableResult::placed), shown)
    }

    /// How the cells of one claim came out.
    #[must_use]
    pub fn count(&self, claim: Claim) -> Count {
        Count::new(self.tables.iter().flat_map(|t| &t.cells), claim)
    }
}
