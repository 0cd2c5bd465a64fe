//! Published truth against us: tables, cases, verdicts.
//!
//! A **table** is data: `verification/<manual>/<id>.json` holds facts and figures with their source,
//! each cell with a tolerance and the reason for it. A **case** is code: a function of the same id
//! that runs the product on the table's inputs and fills in what it computed. [`Suite`] joins the two
//! strictly (a table without a case, or a case without a table, is an error), compares, and reports.
//!
//! Two kinds of truth stand side by side in one table: exact references, asserted to rounding, and
//! what each published code printed, asserted to a tolerance that says where it comes from.
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
mod compare;
mod contact;
mod dem;
mod lumped_mass;
pub mod registry;
mod report;
mod rocfall3;
mod rockfall;
mod rocking;
mod stacks;
mod statics;
mod suite;
mod table;

pub use case::{Case, Context, Outcome, Picture};
pub use compare::{CellResult, TableResult, Verdict};
pub use report::Report;
pub use suite::Suite;
pub use table::{Cell, Column, Kind, Row, Source, Table, Tolerance, Value};

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
