//! Published truth against us: tables, cases, verdicts.
//!
//! A **table** is data: `verification/<manual>/<id>.json` holds facts and figures with their source,
//! each cell with a tolerance and the reason for it. A **case** is code: a function of the same id
//! that runs the product on the table's inputs and fills in what it computed. [`Suite`] joins the two
//! strictly (a table without a case, or a case without a table, is an error), compares, and reports.
//!
//! Three claims stand side by side in one table and are never mixed: that the product gives what a document *shows*,
//! within what rounding and the printing program explain; that it gives an *exact* reference; and that the same case as
//! a scene with the defaults gives it *as shipped*. What is not reproduced says why, and the report lists it first. A
//! band of our own may stand beside a printed value; to lie in it is not to reproduce the print.
//!
//! # Writing a table
//! See [`Table`] for the keys. Every column names the computed *series* it is held against, so that
//! one table can hold "our exact value against the exact reference" and "the product run the way
//! that program was run against what it printed".
//!
//! # Writing a case
//! ```
//! use klast_verification::{Case, Context, Outcome, Table};
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
//! A manual's cases stand in one folder of this crate and are listed in [`registry`].

mod assembly;
mod case;
mod cell;
pub mod command;
mod compare;
mod contact;
mod count;
mod coverage;
mod dem;
mod files;
mod lumped_mass;
pub mod registry;
mod report;
mod rocfall3;
mod rockfall;
mod rocking;
mod shipped;
mod stacks;
mod statics;
mod suite;
mod table;
mod verdict;

pub use case::{Case, Context, Outcome, Picture};
pub use cell::{Acceptance, Cell, FullCell, Tolerance, Value};
pub use compare::{CellResult, RowResult, TableResult};
pub use contact::{Posed, capsules, complementarity_problem, posed};
pub use count::Count;
pub use coverage::{Document, Item, ItemKind, ItemResult, ItemVerdict};
pub use files::embedded_file;
pub use report::{Program, Report};
pub use suite::Suite;
pub use table::{Column, Row, SecondReader, Source, Table};
pub use verdict::{Claim, Kind, Verdict};

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
