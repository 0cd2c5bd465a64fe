//! Pages and pictures of the book that commands write: the repository keeps their digests, not the files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use crate::run::root;

/// The list, which `sha256sum --check` reads in `docs/src`.
fn list() -> PathBuf {
    root().join("docs/generated.sha256")
}

/// Enters the digests of files of the book, by their names below `docs/src`, in place of older ones.
pub fn enter(names: &[String]) -> Result<()> {
    let path = list();
    let old = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let made = Command::new("sha256sum")
        .args(names)
        .current_dir(root().join("docs/src"))
        .output()
        .context("sha256sum cannot be started")?;
    ensure!(made.status.success(), "sha256sum: failed");
    let made = String::from_utf8(made.stdout)?;
    let entries: BTreeMap<&str, &str> = old
        .lines()
        .chain(made.lines())
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| (name, digest))
        .collect();
    let lines = entries
        .iter()
        .map(|(name, digest)| format!("{digest}  {name}\n"));
    let new: String = lines.collect();
    if new != old {
        println!("{}: changed", path.display());
    }
    std::fs::write(&path, new).with_context(|| path.display().to_string())
}
