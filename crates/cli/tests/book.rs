//! The book is tested: its `klast` commands run, and every page is in the summary.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}

/// Lines of the ```sh blocks of a page that call the program.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let mut commands = Vec::new();
    for block in blocks {
        let language = block.lines().next().unwrap_or_default();
        // Rust runs as doctests, Python in the tests of the package; text is for reading: trees, formulas, the workspace's own commands.
        assert!(
            ["sh", "rust", "text", "python", "toml"].contains(&language),
            "a block of '{language}' that nothing tests"
        );
        for line in block.lines().skip(1).filter(|_| language == "sh") {
            let line = line.split('#').next().unwrap_or("").trim();
            assert!(
                line.is_empty() || line.starts_with("klast "),
                "`{line}` is not tested"
            );
            commands.extend((!line.is_empty()).then(|| line.to_owned()));
        }
    }
    commands
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let source = root().join("docs/src");
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).unwrap();
    let mut found = Vec::new();
    pages(&source, &mut found);
    for page in found {
        let name = page.strip_prefix(&source).unwrap().to_str().unwrap();
        let listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(listed, "{name} is in no chapter");
    }
}

/// The chapter is written by `cargo xtask verify --report DIR`; here only that it knows every table. What is not reproduced stands in
/// a table of its own before, and the lists of what each document shows have a page of their own.
#[test]
fn the_verification_chapter_lists_the_tables_that_are_there() {
    let chapter = std::fs::read_to_string(root().join("docs/src/verification.md")).unwrap();
    let mut listed: Vec<String> = chapter
        .lines()
        .filter(|l| l.starts_with("| `") || l.starts_with("Left to"))
        .flat_map(|l| l.split('`').skip(1).step_by(2))
        .filter(|word| word.contains('/'))
        .map(str::to_owned)
        .collect();
    let mut there = Vec::new();
    for manual in std::fs::read_dir(root().join("verification")).unwrap() {
        let manual = manual.unwrap().path();
        if manual.ends_with("coverage") {
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

#[test]
fn every_command_of_the_book_and_the_readme_runs() {
    let mut sources = vec![root().join("README.md")];
    pages(&root().join("docs/src"), &mut sources);
    let work = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &work.path().join("examples"));
    let mut done = std::collections::HashSet::new();
    for page in sources {
        let text = std::fs::read_to_string(&page).unwrap();
        for line in commands(&text) {
            // A page may say again what another has said.
            if !done.insert(line.clone()) {
                continue;
            }
            let output = Command::new(env!("CARGO_BIN_EXE_klast"))
                .args(line.split_whitespace().skip(1))
                .current_dir(work.path())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{}: `{line}`: {errors}",
                page.display()
            );
        }
    }
}
