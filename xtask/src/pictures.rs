//! The pictures of the book, drawn anew by the program from the example scenes.

use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::run::{cargo_quiet, program, root, target};

/// Example, picture among its results, picture in the book.
const PICTURES: &[(&str, &str, &str)] = &[
    ("rockfall", "trajectories", "rockfall-trajectories"),
    ("rockfall", "energy_95", "rockfall-energy"),
    ("rockfall", "energy_net", "rockfall-barrier"),
    ("rocking", "rotation", "rocking-rotation"),
    ("rocking", "phase", "rocking-phase"),
    ("rocking-map", "map", "rocking-map"),
    ("rocking-fit", "fit", "rocking-fit"),
    ("rocking-spectrum", "spectrum", "rocking-spectrum"),
    ("rocking-fragility", "fragility", "rocking-fragility"),
    ("stack", "rotation", "stack-rotation"),
    ("stack-record", "rotation", "stack-record"),
    ("stack-map", "map", "stack-map"),
    ("stack-scale", "scale", "stack-scale"),
    ("assembly", "positions", "assembly-positions"),
    ("assembly", "poincare", "assembly-poincare"),
    ("assembly-sweep", "bifurcation", "assembly-bifurcation"),
    ("rockfill", "layer", "rockfill-layer"),
];

/// Runs each example once and copies its pictures into the book.
pub fn pictures() -> Result<ExitCode> {
    if !cargo_quiet(&["build", "--release", "--package", "klast-cli"])?.success() {
        return Ok(ExitCode::FAILURE);
    }
    let results = target().join("pictures");
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
        let to = root().join("docs/src/pictures").join(format!("{name}.svg"));
        std::fs::copy(folder.join(format!("{picture}.svg")), &to)
            .with_context(|| format!("{}: cannot be written", to.display()))?;
        println!("{}", to.display());
    }
    Ok(ExitCode::SUCCESS)
}
