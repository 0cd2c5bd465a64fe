//! Circles of files: within a crate, files use one another one way.
//!
//! Each crate's files are parsed, every path in them is followed through modules and re-exports to the file that
//! defines what it names, and the strongly connected parts of that graph with more than one file are circles. Left out:
//! code that is compiled for tests only, methods (whose file a path does not name), and what macros write.

mod paths;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::run::root;
use tree::{Tree, Uses};

/// Prints every circle of files in any crate with the names that close it; true where there is none.
pub fn none() -> Result<bool> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root().join("crates"))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    folders.push(root().join("xtask"));
    folders.sort();
    let mut found = 0;
    for folder in folders {
        for top in ["src/lib.rs", "src/main.rs"] {
            let top = folder.join(top);
            if top.exists() {
                found += report(&Tree::read(&top)?, &folder);
            }
        }
    }
    println!("circles of files: {found}");
    Ok(found == 0)
}

fn report(tree: &Tree, folder: &Path) -> usize {
    let uses = tree.uses();
    let circles = circles(&uses);
    let name = |file: usize| {
        let path = &tree.files[file];
        path.strip_prefix(folder).unwrap_or(path).display()
    };
    for circle in &circles {
        println!(
            "{}: {} files use one another",
            folder.display(),
            circle.len()
        );
        for ((from, to), names) in &uses {
            if circle.contains(from) && circle.contains(to) {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                println!("    {} -> {}: {}", name(*from), name(*to), names.join(", "));
            }
        }
    }
    circles.len()
}

/// Strongly connected parts of more than one file: those that reach each other.
fn circles(uses: &Uses) -> Vec<BTreeSet<usize>> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in uses.keys() {
        next.entry(*from).or_default().push(*to);
    }
    let reach = |start: usize| {
        let mut seen = BTreeSet::new();
        let mut stack = vec![start];
        while let Some(file) = stack.pop() {
            for to in next.get(&file).into_iter().flatten() {
                if seen.insert(*to) {
                    stack.push(*to);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<usize, BTreeSet<usize>> = next.keys().map(|f| (*f, reach(*f))).collect();
    let mutual = |a: usize, b: usize| {
        reached[&a].contains(&b) && reached.get(&b).is_some_and(|r| r.contains(&a))
    };
    let mut placed: BTreeSet<usize> = BTreeSet::new();
    let mut parts = Vec::new();
    for file in next.keys().copied() {
        if mutual(file, file) && !placed.contains(&file) {
            let part: BTreeSet<usize> = next.keys().copied().filter(|b| mutual(file, *b)).collect();
            placed.extend(&part);
            parts.push(part);
        }
    }
    parts
}
