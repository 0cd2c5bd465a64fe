//! Comparison of computed with published numbers: tables of expected values, cases that compute them, verdicts and
//! their report. No subject is named here.
//!
//! A **table** is data: `verification/<manual>/<id>.json` has expected values with their source, and for each cell a
//! tolerance with the reason for it. A **case** is code: a function of the same id that runs the product on the table's
//! inputs and fills in what it computed. [`Suite`] joins the two strictly (a table without a case, or a case without a
//! table, is an error), compares, and reports.
//!
//! A printed number is counted once, however many cells compare it: met with the stated inputs to half a last digit,
//! with more digits of an input, with fitted settings that the table names, or not met (see [`Met`]). Two other claims
//! are counted by cells: that klast gives an *exact* reference, and that a scene with the default settings gives this
//! reference *as shipped*. A value that is
//! not reproduced has a reason, and the report lists it first. A table may also state a range in which the value of
//! klast must lie; a value in this range does not count as reproduced.
//!
//! # Writing a table
//! See [`Table`] for the keys. Every column states the computed *series* with which it is compared.
//! One table can therefore compare an exact value of klast with an exact reference, and a run with the settings of
//! another program with the values that this program printed.
//!
//! # Writing a case
//! ```
//! use klast_comparison::{Case, Context, Outcome, Table};
//!
//! fn free_fall(table: &Table, _: &Context) -> anyhow::Result<Outcome> {
//!     let height = table.input("drop_height_m")?;
//!     let mut outcome = Outcome::new();
//!     outcome.set("speed", "exact", (2.0_f64 * 9.81 * height).sqrt());
//!     Ok(outcome)
//! }
//! const CASE: Case = Case { id: "example/free-fall", run: free_fall };
//! # let _ = CASE;
//! ```

mod case;
mod cell;
mod compare;
mod count;
mod coverage;
mod distinct;
mod errata;
mod files;
mod print;
mod printed;
pub mod progress;
mod report;
mod suite;
mod table;
mod verdict;

pub use case::{Case, Context, Outcome, Picture};
pub use cell::{Acceptance, Cell, FullCell, Tolerance, Value};
pub use compare::{CellResult, RowResult, TableResult};
pub use count::Count;
pub use coverage::{Document, Item, ItemKind, ItemResult, ItemVerdict};
pub use distinct::Distinct;
pub use errata::{Effect, Errata, Erratum, Note, Section};
pub use files::{File, hash};
pub use print::{Inputs, Print, Shown};
pub use printed::{Met, PrintedCell};
pub use report::{Program, Report};
pub use suite::Suite;
pub use table::{Column, Row, SecondReader, Source, Table};
pub use verdict::{Claim, Kind, Verdict};

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
