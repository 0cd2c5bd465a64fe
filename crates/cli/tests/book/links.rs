//! Links and anchors between pages.

use std::collections::{BTreeMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::blocks::split;
use super::reference::generated;
use super::{digests, name, pages, read, root, source};

/// The anchor of a heading as mdBook makes it.
fn anchor(heading: &str) -> String {
    let plain = heading.replace(['`', '*'], "").replace('$', "");
    let kept = plain.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

fn anchors(page: &str) -> HashSet<String> {
    let prose = split(page).1;
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    let mut found = HashSet::new();
    for heading in headings {
        let first = anchor(heading.trim_start_matches('#'));
        let mut unique = first.clone();
        let mut count = 0;
        while !found.insert(unique.clone()) {
            count += 1;
            unique = format!("{first}-{count}");
        }
    }
    found
}

/// The targets of the links and pictures of a page.
fn targets(prose: &str) -> Vec<String> {
    // Brackets in `code` are no links.
    let outside: String = prose.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let behind = outside.split("](").skip(1);
    behind
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.to_owned())
        .collect()
}

/// Pages and pictures that commands write: those of the reference with their text, of the others only the names.
struct Made {
    reference: BTreeMap<String, String>,
    names: BTreeMap<String, String>,
}

impl Made {
    fn new() -> Self {
        Self {
            reference: generated().into_iter().collect(),
            names: digests(),
        }
    }

    /// The text of a page that is there or is made; empty of what has no headings to lead to.
    fn text(&self, path: &Path) -> Option<String> {
        let path = &plain(path);
        let name = name(path);
        if let Some(text) = self.reference.get(&name) {
            return Some(text.clone());
        }
        match self.names.contains_key(&name) {
            true => Some(String::new()),
            false => path
                .exists()
                .then(|| std::fs::read_to_string(path).unwrap_or_default()),
        }
    }
}

/// A path without `..`, whether or not it exists.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

fn fault(made: &Made, page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        page.to_owned()
    } else {
        page.parent().unwrap().join(file)
    };
    let Some(text) = made.text(&path) else {
        return Some(format!("{}: there is no {target}", name(page)));
    };
    let known = fragment.is_empty() || anchors(&text).contains(fragment);
    (!known).then(|| format!("{}: {target} has no such heading", name(page)))
}

#[test]
fn links_lead_to_pages_and_headings_that_are_there() {
    let top = ["README.md", "CONTRIBUTING.md"].map(|file| root().join(file));
    let made = Made::new();
    let mut written = [top.to_vec(), pages(&source())].concat();
    written.retain(|page| !made.names.contains_key(&name(page)));
    let mut texts: BTreeMap<PathBuf, String> =
        written.iter().map(|p| (p.clone(), read(p))).collect();
    let reference = made
        .reference
        .iter()
        .map(|(name, text)| (source().join(name), text.clone()));
    texts.extend(reference);
    let mut faults = Vec::new();
    for (page, text) in &texts {
        let found = targets(&split(text).1);
        faults.extend(found.iter().filter_map(|target| fault(&made, page, target)));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Formulas are set when the book is built, pictures are files beside it: a page opens without a network.
#[test]
fn no_page_loads_anything_from_elsewhere() {
    let settings = read(&root().join("docs/book.toml"));
    assert!(!settings.contains("mathjax"));
    for page in pages(&source()) {
        let prose = split(&read(&page)).1;
        let pictures = prose
            .split("![")
            .skip(1)
            .filter_map(|rest| rest.split_once("]("));
        let fetched = pictures
            .map(|(_, target)| target)
            .any(|t| t.starts_with("http"));
        assert!(
            !fetched && !prose.contains("<script") && !prose.contains("<img"),
            "{}",
            name(&page)
        );
    }
}

#[test]
fn a_broken_link_is_seen() {
    let page = source().join("introduction.md");
    let made = Made::new();
    let fault = |page: &Path, target: &str| fault(&made, page, target);
    assert!(fault(&page, "no-such-page.md").is_some());
    assert!(fault(&page, "vocabulary.md#no-such-heading").is_some());
    assert!(fault(&page, "reference/bodies.md#no-such-heading").is_some());
    assert!(fault(&page, "reference/bodies.md#keys").is_none());
    assert!(fault(&page, "pictures/no-such-picture.svg").is_some());
    assert!(fault(&page, "pictures/bodies-arch.svg").is_none());
    assert!(fault(&page, "vocabulary.md#rocking").is_none());
    assert_eq!(
        anchor(" What R_n and R_t of `a` *lump* mean?"),
        "what-r_n-and-r_t-of-a-lump-mean"
    );
}
