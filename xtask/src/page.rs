//! Tables that a program writes into a page that is otherwise written by hand.

use anyhow::{Context, Result, ensure};

use crate::run::root;

/// Puts `text` between the two lines of this name in `docs/src/performance.md`.
pub fn insert(name: &str, text: &str) -> Result<()> {
    insert_into("docs/src/performance.md", name, text)
}

/// The same in another page.
pub fn insert_into(page: &str, name: &str, text: &str) -> Result<()> {
    let page = root().join(page);
    let old = std::fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    let place = |end: &str| {
        let line = format!("<!-- {name}: {end} -->");
        old.find(&line)
            .map(|at| (at, line.len()))
            .with_context(|| format!("{} has no line {line}", page.display()))
    };
    let (begin, length) = place("begin")?;
    let (end, _) = place("end")?;
    ensure!(
        begin < end,
        "{}: {name} ends before it begins",
        page.display()
    );
    let new = format!("{}\n{text}{}", &old[..begin + length], &old[end..]);
    std::fs::write(&page, new).with_context(|| page.display().to_string())
}
