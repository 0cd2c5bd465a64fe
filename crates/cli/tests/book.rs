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
    let shell = blocks.filter_map(|b| b.strip_prefix("sh\n"));
    let lines = shell
        .flat_map(str::lines)
        .map(|l| l.split('#').next().unwrap_or("").trim());
    lines
        .filter(|l| l.starts_with("klast "))
        .map(str::to_owned)
        .collect()
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

#[test]
fn every_command_of_the_book_and_the_readme_runs() {
    let mut sources = vec![root().join("README.md")];
    pages(&root().join("docs/src"), &mut sources);
    let work = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &work.path().join("examples"));
    for page in sources {
        let text = std::fs::read_to_string(&page).unwrap();
        for line in commands(&text) {
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
