//! Every printed number of the rigid-body manual's tables is asserted: the counts were taken from the manual by hand.

use klast_comparison::{Kind, Table};
use serde_json::Value;
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

/// A number of a file, or of a list in it.
fn number(value: &Value, place: &str) -> f64 {
    let found = value.pointer(place).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("{place}: no number in {value}"))
}

/// The scenes are what the tables say: no number of one is changed without the other.
#[test]
fn scenes_have_the_inputs_of_their_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verification/rocfall3");
    let read = |file: &Path| -> Value {
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    };
    let mut compared = 0;
    for name in ["1.1", "3.1-2d", "3.1-3d", "3.2-2d", "3.2-3d", "3.3", "4.2"] {
        let name = format!("table-{name}");
        let inputs = read(&folder.join(format!("{name}.json")))["inputs"].clone();
        for entry in std::fs::read_dir(folder.join("scenes")).unwrap() {
            let file = entry.unwrap().path();
            let stem = file.file_stem().unwrap().to_str().unwrap();
            if stem != name && !stem.starts_with(&format!("{name}-")) {
                continue;
            }
            compared += 1;
            let scene = read(&file);
            let same = |place: &str, wanted: f64| {
                let found = number(&scene, place);
                // Degrees become radians in some last digits.
                assert!(
                    (found - wanted).abs() < 1e-12,
                    "{stem} {place}: {found} {wanted}"
                );
            };
            same(
                "/materials/0/normal_restitution",
                number(&inputs, "/restitution"),
            );
            if inputs.get("friction").is_some() {
                same("/materials/0/friction", number(&inputs, "/friction"));
            }
            let cases = match name == "table-4.2" {
                true => inputs["cases"].as_array().unwrap().len(),
                false => 1,
            };
            for k in 0..cases {
                let rock = |key: &str| format!("/sources/{k}/{key}");
                let volume = number(&inputs, "/volume_m3");
                same(&rock("shapes/0/volume_m3"), volume);
                same(
                    &rock("shapes/0/density_kg_m3"),
                    number(&inputs, "/mass_kg") / volume,
                );
                let case = inputs.pointer(&format!("/cases/{k}")).filter(|_| cases > 1);
                let own = stem
                    .ends_with("-rocfall2")
                    .then(|| inputs.get("rocfall2"))
                    .flatten();
                let height = match (case, own) {
                    (Some(case), _) => number(case, "/centre_above_slope_m"),
                    (_, Some(own)) => number(own, "/centre_height_m"),
                    _ => number(&inputs, "/centre_height_m"),
                };
                same(&rock("elevation_m"), height);
                if let Some(case) = case {
                    let spin = number(case, "/spin_y_deg_per_s").to_radians();
                    same(&rock("spin_rad_s/1"), spin);
                } else if inputs.get("spin_deg_per_s").is_some() {
                    for axis in 0..3 {
                        let spin = number(&inputs, &format!("/spin_deg_per_s/{axis}"));
                        same(&rock(&format!("spin_rad_s/{axis}")), spin.to_radians());
                    }
                }
            }
        }
    }
    // 2 + 5 + 3 + 5 + 4 of the drops, 12 of the friction angles, 3 of the slope.
    assert_eq!(compared, 2 + 5 + 3 + 5 + 4 + 12 + 3);
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
    // RocFall3: 2 + 3 + 3 + 5 velocities in 3.1 and 3.2, 12 in 3.3, 9 in 4.2, and their energies: 4 in 3.1 and 3.2, 6
    // in 4.2, whose incoming energies were taken at a moment that their print gives.
    assert_eq!(count["rocfall3"], 2 + 3 + 3 + 5 + 12 + 9 + 4 + 6);
    // RocFall2: 3 in 3.1, 4 in 3.2, 18 in 4.2.
    assert_eq!(count["rocfall2"], 3 + 4 + 18);
    // RAMMS: 3, 4, 6 and 12 with R_t = 0; 3, 4, 4 and 6 with R_t = 1; 3 in sets 1 and 2.
    assert_eq!(
        (count["ramms_rt0"], count["ramms_rt1"], count["ramms"]),
        (3 + 4 + 6 + 12, 3 + 4 + 4 + 6, 3)
    );
}
