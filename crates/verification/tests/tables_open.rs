//! The project's own tables are whole: each is read, checked and has its case.

use std::path::Path;

use klast_comparison::Suite;
use klast_verification::registry;

#[test]
fn every_table_is_read_and_has_its_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification");
    Suite::open(&root, &registry::cases()).unwrap();
}
