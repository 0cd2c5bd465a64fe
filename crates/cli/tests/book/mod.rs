//! The book is tested: its commands run, what they print and write is what the pages show, every number of a tutorial
//! stands in what was run, links lead somewhere, and no figure is typed in two pages.
//!
//! `KLAST_BOOK=renew cargo test -p klast-cli --test tests book` writes what the program now prints into the pages.

mod blocks;
mod figures;
mod links;
mod numbers;
mod reference;
mod runs;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn source() -> PathBuf {
    root().join("docs/src")
}

/// The pages of a folder and of those below it, in the order of their names.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap()
}

/// A page as its place below the book's source.
fn name(page: &Path) -> String {
    let inside = page.strip_prefix(source()).unwrap_or(page);
    inside.display().to_string()
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read(&source().join("SUMMARY.md"));
    for page in pages(&source()) {
        let name = name(&page);
        let listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(listed, "{name} is in no chapter");
    }
}

/// The chapter is written by `cargo xtask verify --report DIR`; here only that it knows every table. What is not
/// reproduced stands in a table of its own before, and the lists of what each document shows and prints wrong have
/// pages of their own.
#[test]
fn the_verification_chapter_lists_the_tables_that_are_there() {
    let chapter = read(&source().join("verification.md"));
    let mut listed: Vec<String> = chapter
        .lines()
        .filter(|l| l.starts_with("| `") || l.starts_with("These tables run only"))
        .flat_map(|l| l.split('`').skip(1).step_by(2))
        .filter(|word| word.contains('/'))
        .map(str::to_owned)
        .collect();
    let mut there = Vec::new();
    for manual in std::fs::read_dir(root().join("verification")).unwrap() {
        let manual = manual.unwrap().path();
        if manual.ends_with("coverage") || manual.ends_with("errata") {
            continue;
        }
        for table in std::fs::read_dir(&manual).unwrap() {
            let table = table.unwrap().path();
            if table.is_dir() {
                // Data of a case.
                continue;
            }
            let name = |p: &Path| p.file_stem().unwrap().to_str().unwrap().to_owned();
            there.push(format!("{}/{}", name(&manual), name(&table)));
        }
    }
    listed.sort();
    listed.dedup();
    there.sort();
    assert_eq!(listed, there, "run `cargo xtask verify --report out`");
}
