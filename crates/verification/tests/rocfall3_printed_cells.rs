//! Every printed number of the rigid-body manual's tables is asserted: the counts were taken from the manual by hand.

use klast_verification::{Kind, Table};
use std::path::Path;

/// Table and printed numbers: rows times columns, without dashes.
const PRINTED: [(&str, usize); 11] = [
    ("table-1.1", 2 * 3),
    ("table-1.2", 2 * 4),
    ("table-1.3", 3 * 2 + 2),
    ("table-2.1", 3),
    ("table-2.2", 2),
    ("table-3.1-2d", 4 + 3 * 6),
    ("table-3.1-3d", 2 * 6),
    ("table-3.2-2d", 4 + 3 * 6),
    ("table-3.2-3d", 3 * 6),
    ("table-3.3", 3 * 8),
    ("table-4.2", 3 * (6 + 8)),
];

#[test]
fn none_has_dropped_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification/rocfall3");
    let mut errata = Vec::new();
    for (name, printed) in PRINTED {
        let table = Table::read(
            &folder.join(format!("{name}.json")),
            &format!("rocfall3/{name}"),
        )
        .unwrap();
        // A column "as run" asserts a printed number a second time.
        let is_print = |id: &str| {
            !id.ends_with("_as_run")
                && table
                    .columns
                    .iter()
                    .any(|c| c.id == id && c.kind == Kind::Published)
        };
        let cells = || {
            table
                .rows
                .iter()
                .flat_map(|r| r.values.iter().map(move |(c, cell)| (r, c, cell)))
        };
        assert_eq!(
            cells().filter(|(_, c, _)| is_print(c)).count(),
            printed,
            "{name}"
        );
        errata.extend(
            cells()
                .filter(|(_, _, cell)| cell.erratum().is_some())
                .map(|(r, c, _)| format!("{name} {} {c}", r.id)),
        );
    }
    let expected = [
        "table-1.3 plastic/rebound1 analytical",
        "table-1.3 plastic/rebound1 rocfall3",
        "table-3.2-2d ke rocfall3",
        "table-3.2-2d ke rocfall3_as_run",
    ];
    assert_eq!(errata, expected);
}

#[test]
fn each_program_is_also_run_the_way_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification/rocfall3");
    let mut count = std::collections::BTreeMap::new();
    for (name, _) in PRINTED {
        let table = Table::read(
            &folder.join(format!("{name}.json")),
            &format!("rocfall3/{name}"),
        )
        .unwrap();
        for (column, cell) in table.rows.iter().flat_map(|r| &r.values) {
            let zero = *cell.value() == 0.0.into();
            if let (Some(program), false) = (column.strip_suffix("_as_run"), zero) {
                *count.entry(program.to_owned()).or_insert(0) += 1;
            }
        }
    }
    // RocFall3: 2 + 3 + 3 + 5 velocities in 3.1 and 3.2, 12 in 3.3, 9 in 4.2, and their energies: 4 in 3.1 and 3.2, 9 in 4.2.
    assert_eq!(count["rocfall3"], 2 + 3 + 3 + 5 + 12 + 9 + 4 + 9);
    // RocFall2: 3 in 3.1, 4 in 3.2, 18 in 4.2.
    assert_eq!(count["rocfall2"], 3 + 4 + 18);
    // RAMMS: 3, 4, 6 and 12 with R_t = 0; 3, 4, 4 and 6 with R_t = 1; 3 in sets 1 and 2.
    assert_eq!(
        (count["ramms_rt0"], count["ramms_rt1"], count["ramms"]),
        (3 + 4 + 6 + 12, 3 + 4 + 4 + 6, 3)
    );
}
