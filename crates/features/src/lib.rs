//! No code: one set of features of outside crates for all builds of the workspace.
//!
//! Cargo gives an outside crate the features that the packages of one command ask for. Without this crate
//! `cargo test -p klast-cli` after `cargo test --workspace`, or the Python module after `cargo xtask verify`, would
//! compile the whole tree again with other features. Libraries have this crate as a dev-dependency only, so that no
//! user of a library sees it.
