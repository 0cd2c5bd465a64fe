//! Puts the tables into the program: a list of `(name, text)` of every JSON file under `verification/`, and of the
//! public contact problems as `contact/problems/<folder>/<name>.json`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let crate_folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files: Vec<(String, String)> = Vec::new();
    for (root, place) in [
        ("../../verification", ""),
        ("../contact/tests/data", "contact/problems/"),
    ] {
        let root = crate_folder.join(root).canonicalize()?;
        let mut found = Vec::new();
        collect(&root, &mut found)?;
        files.extend(found.iter().map(|file| {
            println!("cargo::rerun-if-changed={}", file.display());
            let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy();
            let name = format!("{place}{}", name.replace('\\', "/"));
            (name, file.display().to_string())
        }));
    }
    // Found by halving.
    files.sort();
    let mut list = String::from("&[\n");
    for (name, path) in &files {
        let _ = writeln!(list, "    ({name:?}, include_str!({path:?})),");
    }
    list.push_str("]\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    std::fs::write(out.join("tables.rs"), list)
}

/// Every JSON file, in all folders.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    // A file that is new is seen too.
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "json") {
            files.push(path);
        }
    }
    Ok(())
}
