//! The book is tested: its commands run, what they print and write is what the pages show, every number of a tutorial
//! stands in what was run, links lead somewhere, and no figure is typed in two pages.
//!
//! `KLAST_BOOK=renew cargo test -p klast-cli --test tests book` writes what the program now prints into the pages.

mod blocks;
mod figures;
mod first_check;
mod links;
mod numbers;
mod reference;
mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The list of these digests, as `sha256sum --check` reads it.
const DIGESTS: &str = "docs/generated.sha256";

fn root() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).unwrap().to_owned()
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

/// The digests of the pages and pictures that commands write and the repository does not keep, by name.
fn digests() -> BTreeMap<String, String> {
    let list = read(&root().join(DIGESTS));
    let lines = list.lines().filter_map(|line| line.split_once("  "));
    lines
        .map(|(digest, name)| (name.to_owned(), digest.to_owned()))
        .collect()
}

/// A page as its place below the book's source.
fn name(page: &Path) -> String {
    let inside = page.strip_prefix(source()).unwrap_or(page);
    inside.display().to_string()
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = read(&source().join("SUMMARY.md"));
    let generated = digests().into_keys().filter(|name| name.ends_with(".md"));
    let written = pages(&source()).into_iter().map(|page| name(&page));
    for name in written.chain(generated) {
        let listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(listed, "{name} is in no chapter");
    }
}

/// A reader goes through what was written by hand: prose and tables, without what commands print or write and without
/// the reference that the docstrings of Python make.
#[test]
fn the_book_is_no_longer_than_its_readers_have_time() {
    const MOST: usize = 60_000;
    let generated = digests();
    let by_hand = |page: &PathBuf| {
        let name = name(page);
        !generated.contains_key(&name) && name != "python/reference.md"
    };
    let prose = pages(&source()).into_iter().filter(by_hand);
    let words: usize = prose
        .map(|page| blocks::split(&read(&page)).1.split_whitespace().count())
        .sum();
    assert!(words <= MOST, "{words} words");
}
