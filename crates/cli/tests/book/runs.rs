//! The commands of the pages run in one folder, and what they print and write is compared with what the pages show.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use super::blocks::{Block, commands, split};
use super::numbers::{Part, agree, numbers, parts, rounds_to, short};
use super::{name, pages, read, root, source};

/// One folder for all pages, and what each command printed.
struct Runs {
    folder: tempfile::TempDir,
    printed: HashMap<String, String>,
}

impl Runs {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&root().join("examples"), &folder.path().join("examples"));
        let printed = HashMap::new();
        Self { folder, printed }
    }

    /// What a command prints; a page may say again what another has said.
    fn run(&mut self, line: &str, page: &str) -> &str {
        if !self.printed.contains_key(line) {
            let output = Command::new(env!("CARGO_BIN_EXE_klast"))
                .args(&words(line)[1..])
                .current_dir(self.folder.path())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{page}: `{line}`: {errors}");
            let printed = String::from_utf8(output.stdout).unwrap();
            self.printed.insert(line.to_owned(), printed);
        }
        &self.printed[line]
    }

    /// Whether this program has what a line asks for. The tables of `klast verify` are in a program with the feature;
    /// the tests of the Python module run the README's lines with the program of the wheel, which has it.
    fn has(line: &str) -> bool {
        cfg!(feature = "verify") || !line.starts_with("klast verify ")
    }

    fn save(&self, file: &str, text: &str, page: &str) {
        let path = self.folder.path().join(file);
        if let Ok(there) = std::fs::read_to_string(&path) {
            assert_eq!(there, text, "{page}: another page saves another {file}");
        }
        std::fs::write(path, text).unwrap();
    }

    /// What a block should hold, where something that was run says so.
    fn expected(&mut self, block: &Block, last: &str, page: &str) -> Option<String> {
        match (block.language.as_str(), &block.from) {
            ("output", _) => Some(self.run(last, page).to_owned()),
            (language, Some(file)) => {
                let text = std::fs::read_to_string(self.folder.path().join(file));
                let text = text.unwrap_or_else(|e| panic!("{page}: {file}: {e}"));
                Some(match language {
                    "json" => json_excerpt(&block.text, &text),
                    _ => csv_excerpt(&block.text, &text),
                })
            }
            _ => None,
        }
    }
}

/// The words of a line as a shell splits it: at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The members of a JSON object that an excerpt names, at one level, as the file has them, one a line.
fn json_excerpt(excerpt: &str, file: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(file).unwrap();
    let shown: serde_json::Value = serde_json::from_str(excerpt).unwrap();
    let mut lines = Vec::new();
    for key in shown.as_object().unwrap().keys() {
        // A key may be a path: "no_slip/needed_friction".
        let found = value.pointer(&format!("/{key}"));
        let found = found.unwrap_or_else(|| panic!("there is no {key}"));
        let name = serde_json::to_string(key).unwrap();
        lines.push(format!("  {name}: {}", short(&found.to_string())));
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// The columns that an excerpt names, of as many rows as it has.
fn csv_excerpt(excerpt: &str, file: &str) -> String {
    let rows = |text: &str| {
        let mut reader = csv::ReaderBuilder::new();
        let mut reader = reader.has_headers(false).from_reader(text.as_bytes());
        reader.records().map(Result::unwrap).collect::<Vec<_>>()
    };
    let (shown, found) = (rows(excerpt), rows(file));
    let column = |name: &str| {
        let place = found[0].iter().position(|h| h == name);
        place.unwrap_or_else(|| panic!("there is no column {name}"))
    };
    let columns: Vec<usize> = shown[0].iter().map(column).collect();
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in found.iter().take(shown.len()) {
        writer
            .write_record(columns.iter().map(|c| short(&row[*c])))
            .unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Whether a block shows what was found. A line `…` in it stands for any lines.
fn shows(block: &str, found: &str) -> bool {
    let (shown, mut found) = (block.lines(), found.lines());
    let mut skipping = false;
    for line in shown {
        if line.trim() == "…" {
            skipping = true;
        } else if skipping {
            if !found.any(|f| agree(line, f)) {
                return false;
            }
            skipping = false;
        } else if !found.next().is_some_and(|f| agree(line, f)) {
            return false;
        }
    }
    skipping || found.next().is_none()
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

/// Runs a page; gives the page as it should be, and the sentences of what differs.
fn run_page(runs: &mut Runs, page: &str, text: &str) -> (String, Vec<String>) {
    let (mut renewed, mut wrong) = (text.to_owned(), Vec::new());
    let (mut last, mut grown) = (String::new(), 0isize);
    for block in split(text).0 {
        if let Some(file) = &block.save {
            runs.save(file, &block.text, page);
        }
        if block.language == "sh" {
            for line in commands(&block).into_iter().filter(|line| Runs::has(line)) {
                runs.run(line, page);
                line.clone_into(&mut last);
            }
        }
        let Some(found) = runs.expected(&block, &last, page) else {
            continue;
        };
        if !shows(&block.text, &found) {
            let shown = &block.text;
            wrong.push(format!("{page} shows\n{shown}where there is\n{found}"));
            let at = |k: usize| k.checked_add_signed(grown).unwrap();
            let place = at(block.place.start)..at(block.place.end);
            renewed.replace_range(place, &found);
            grown += isize::try_from(found.len()).unwrap() - isize::try_from(shown.len()).unwrap();
        }
    }
    (renewed, wrong)
}

#[test]
fn every_command_runs_and_gives_what_the_page_shows() {
    let mut runs = Runs::new();
    let mut wrong = Vec::new();
    let renew = std::env::var("KLAST_BOOK").is_ok_and(|v| v == "renew");
    for page in [vec![root().join("README.md")], pages(&source())].concat() {
        let (renewed, differences) = run_page(&mut runs, &name(&page), &read(&page));
        if renew && !differences.is_empty() {
            std::fs::write(&page, renewed).unwrap();
        } else {
            wrong.extend(differences);
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nKLAST_BOOK=renew writes it anew",
        wrong.join("\n")
    );
}

/// Units behind which a number is a figure.
const UNITS: [&str; 14] = [
    "%", "°", "m", "mm", "km", "s", "ms", "Hz", "J", "kJ", "kg", "N", "kN", "m/s",
];

/// The numbers of a tutorial's prose that need a source: those with a unit, with a point, or above twelve. Years are
/// not.
fn figures_of_prose(prose: &str) -> Vec<String> {
    let parts = parts(prose);
    let mut found = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        let Part::Number(number) = part else { continue };
        // "SHA-256" is a name.
        let before = k.checked_sub(1).map(|before| &parts[before]);
        if matches!(before, Some(Part::Text(text)) if text.ends_with('-')) {
            continue;
        }
        let after = match parts.get(k + 1) {
            Some(Part::Text(text)) => text.trim_start(),
            _ => "",
        };
        let unit = after
            .split([' ', '\n', ',', '.', ';', ':', ')'])
            .next()
            .unwrap_or_default();
        let size = super::numbers::value(number).0.abs();
        let year =
            !number.contains('.') && (1900.0..2100.0).contains(&size) && !UNITS.contains(&unit);
        if !year && (number.contains('.') || size > 12.0 || UNITS.contains(&unit)) {
            found.push(number.clone());
        }
    }
    found
}

/// Prose without what stands in `code`, in links' targets and in comments.
fn without_code(prose: &str) -> String {
    let outside = |text: &str, open: &str, close: &str| {
        let mut kept = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(open) {
            kept.push_str(before);
            rest = after.split_once(close).map_or("", |(_, r)| r);
        }
        kept + rest
    };
    let prose = outside(prose, "<!--", "-->");
    let prose = outside(&prose, "`", "`");
    outside(&prose, "](", ")")
}

#[test]
fn every_number_of_a_tutorial_stands_in_what_was_run() {
    let mut wrong = Vec::new();
    for page in pages(&source().join("tutorials")) {
        let (blocks, prose) = split(&read(&page));
        let mut known: Vec<f64> = Vec::new();
        for block in &blocks {
            known.extend(
                numbers(&block.text)
                    .iter()
                    .map(|n| super::numbers::value(n).0),
            );
        }
        for figure in figures_of_prose(&without_code(&prose)) {
            // A share may be told in per cent.
            let said = |v: &f64| rounds_to(*v, &figure) || rounds_to(100.0 * v, &figure);
            if !known.iter().any(said) {
                wrong.push(format!("{}: {figure} stands in no block", name(&page)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A verifier must be able to fail.
#[test]
fn what_is_not_shown_is_seen() {
    assert!(shows("a 1.25 m\n…\nc\n", "a 1.25 m\nb\nb\nc\n"));
    assert!(!shows("a 1.25 m\n…\nd\n", "a 1.25 m\nb\nc\n"));
    assert!(!shows("a 1.25 m\n", "a 1.28 m\n"));
    assert!(!shows("a\n", "a\nb\n"));
    assert_eq!(
        words("klast run 'a b' --set  c"),
        ["klast", "run", "a b", "--set", "c"]
    );
    let file = "name,energy_kj,held\nnet,1051.03,191\nroad,1570.4,0\n";
    assert_eq!(
        csv_excerpt("name,held\nx,0\n", file),
        "name,held\nnet,191\n"
    );
    assert_eq!(
        json_excerpt(r#"{"a/b": 2}"#, r#"{"a": {"b": 3}}"#),
        "{\n  \"a/b\": 3\n}\n"
    );
    let prose =
        "The net stops 191 of 300 rocks (Leine 2014) at `0.35` and 4 m, twice in 3 runs, 0.5.";
    assert_eq!(
        figures_of_prose(&without_code(prose)),
        ["191", "300", "4", "0.5"]
    );
}
