//! The pictures of the book, drawn anew by the program from the example scenes and by the tables of the source
//! documents.
//!
//! Those of whole campaigns (`dem-histories`, `rockfall-tschamut`, `rockfall-flights`) come with the runs that their
//! pages name, `scaling` with `cargo xtask scaling`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::generated;
use crate::run::{cargo_quiet, program, root, target};

/// The picture that the README shows, which is kept in the repository.
const README: &str = "pictures/rockfall-trajectories.svg";

/// Example, picture among its results, picture in the book.
const PICTURES: &[(&str, &str, &str)] = &[
    ("rockfall", "trajectories", "rockfall-trajectories"),
    ("rockfall", "energy_95", "rockfall-energy"),
    ("rockfall", "energy_net", "rockfall-barrier"),
    ("thrown", "misfit", "thrown-misfit"),
    ("rocking", "rotation", "rocking-rotation"),
    ("rocking", "phase", "rocking-phase"),
    ("rocking-map", "map", "rocking-map"),
    ("rocking-fit", "fit", "rocking-fit"),
    ("rocking-spectrum", "curves", "rocking-spectrum"),
    ("rocking-fragility", "fragility", "rocking-fragility"),
    ("stack", "rotation", "stack-rotation"),
    ("stack-record", "rotation", "stack-record"),
    ("stack-map", "map", "stack-map"),
    ("stack-scale", "study", "stack-scale"),
    ("column", "tilt", "column-tilt"),
    ("assembly", "positions", "assembly-positions"),
    ("assembly", "poincare", "assembly-poincare"),
    ("assembly-sweep", "lists", "assembly-bifurcation"),
    ("rockfill", "layer", "rockfill-layer"),
    ("bodies", "start", "bodies-tower-start"),
    ("bodies", "end", "bodies-tower-end"),
    ("bodies", "energy", "bodies-energy"),
    ("arch", "end", "bodies-arch"),
    ("poured", "end", "bodies-poured"),
];

/// Table, picture among its cells, picture in the book.
const OF_TABLES: &[(&str, &str, &str)] = &[
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-2-d_pi",
        "assembly-figure-9.2-d_pi",
    ),
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-2-d_2pi",
        "assembly-figure-9.2-d_2pi",
    ),
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-3-d_pi",
        "assembly-figure-9.3-d_pi",
    ),
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-3-d_2pi",
        "assembly-figure-9.3-d_2pi",
    ),
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-4-d_pi",
        "assembly-figure-9.4-d_pi",
    ),
    (
        "assembly/figures-9-2-to-9-4",
        "figure-9-4-d_2pi",
        "assembly-figure-9.4-d_2pi",
    ),
    (
        "assembly/histories",
        "A1-seqL-e-wall-0-6-positions",
        "assembly-figure-9.8",
    ),
    (
        "assembly/histories",
        "A1-seqL-e-wall-0-6-centroid",
        "assembly-figure-9.9",
    ),
    (
        "assembly/histories",
        "A1-seqL-e-wall-0-6-inertia",
        "assembly-figure-9.10",
    ),
    (
        "assembly/histories",
        "A2-seqL-e-wall-0-6-positions",
        "assembly-figure-9.11",
    ),
    (
        "assembly/histories",
        "B1-seqL-e-wall-0-6-positions",
        "assembly-figure-9.12",
    ),
    (
        "assembly/histories",
        "B1-seqL-e-wall-0-6-centroid",
        "assembly-figure-9.13",
    ),
    (
        "assembly/histories",
        "B1-seqL-e-wall-0-6-inertia",
        "assembly-figure-9.14",
    ),
    (
        "assembly/histories",
        "B2--N-8--seqL-e-wall-0-6-positions",
        "assembly-figure-9.15",
    ),
    (
        "assembly/histories",
        "B2--N-8--seqL-e-wall-0-6-centroid",
        "assembly-figure-9.16",
    ),
    (
        "assembly/histories",
        "B2--N-8--seqL-e-wall-0-6-inertia",
        "assembly-figure-9.17",
    ),
    ("rocking/map-b6l-sine", "figure-3.12", "rocking-figure-3.12"),
    ("rocking/table-5.1", "figure-5.9", "rocking-figure-5.9"),
    (
        "stacks/kounadis-10.8696",
        "rotation",
        "stacks-kounadis-rotation",
    ),
    ("stacks/opening-6.108", "excess", "stacks-opening-condition"),
    ("stacks/maps", "map-Kounadis", "stacks-map-kounadis"),
];

/// Runs each example and each table once and copies its pictures into the book.
pub fn pictures() -> Result<ExitCode> {
    let packages = ["--package", "klast-cli", "--package", "klast-verification"];
    if !cargo_quiet(&[&["build", "--release"][..], &packages].concat())?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let results = target().join("pictures");
    let mut names = vec![];
    let mut done = "";
    for (example, picture, name) in PICTURES {
        let folder = results.join(example);
        if *example != done {
            let scene = root().join("examples").join(format!("{example}.json"));
            let status = program("klast")?
                .args(["run", "--quiet"])
                .arg(&scene)
                .arg("--out")
                .arg(&folder)
                .status()?;
            if !status.success() {
                return Ok(ExitCode::FAILURE);
            }
            done = example;
        }
        names.push(into_book(&folder.join(format!("{picture}.svg")), name)?);
    }
    for (table, picture, name) in OF_TABLES {
        let stem = table.replace('/', "-");
        let folder = results.join(&stem);
        if *table != done {
            let mut command = program("klast-verify")?;
            let status = command.arg(table).arg("--report").arg(&folder).status()?;
            if !status.success() {
                return Ok(ExitCode::FAILURE);
            }
            done = table;
        }
        let file = format!("cells/{stem}-{picture}.svg");
        names.push(into_book(&folder.join(file), name)?);
    }
    generated::enter(&names)?;
    std::fs::copy(
        root().join("docs/src").join(README),
        root().join("docs/paths.svg"),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Copies a picture; its name below the book's source.
fn into_book(picture: &Path, name: &str) -> Result<String> {
    let name = format!("pictures/{name}.svg");
    let to = root().join("docs/src").join(&name);
    std::fs::copy(picture, &to).with_context(|| format!("{}: cannot be written", to.display()))?;
    println!("{}", to.display());
    Ok(name)
}
