//! Links and anchors between pages.

use std::collections::HashSet;
use std::path::Path;

use super::blocks::split;
use super::{name, pages, read, root, source};

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

fn fault(page: &Path, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() {
        page.to_owned()
    } else {
        page.parent().unwrap().join(file)
    };
    if !path.exists() {
        return Some(format!("{}: there is no {target}", name(page)));
    }
    let known = fragment.is_empty() || anchors(&read(&path)).contains(fragment);
    (!known).then(|| format!("{}: {target} has no such heading", name(page)))
}

#[test]
fn links_lead_to_pages_and_headings_that_are_there() {
    let top = ["README.md", "CONTRIBUTING.md"].map(|file| root().join(file));
    let mut faults = Vec::new();
    for page in [top.to_vec(), pages(&source())].concat() {
        let found = targets(&split(&read(&page)).1);
        faults.extend(found.iter().filter_map(|target| fault(&page, target)));
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
    assert!(fault(&page, "no-such-page.md").is_some());
    assert!(fault(&page, "vocabulary.md#no-such-heading").is_some());
    assert!(fault(&page, "vocabulary.md#rocking").is_none());
    assert_eq!(
        anchor(" What R_n and R_t of `a` *lump* mean?"),
        "what-r_n-and-r_t-of-a-lump-mean"
    );
}
