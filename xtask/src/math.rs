//! Formulas of the book: a preprocessor of mdBook that turns `$…$` and `$$…$$` into MathML when the book is built, so
//! that a page needs neither a script nor a network.
//!
//! mdBook hands the book over as JSON on the standard input and takes it back on the standard output:
//! <https://rust-lang.github.io/mdBook/for_developers/preprocessors.html>.

use std::io::Read as _;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, bail};
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use serde_json::Value;

/// Does what mdBook asks for: `supports RENDERER`, or a book.
pub fn preprocess(request: &[String]) -> Result<ExitCode> {
    if let [supports, renderer] = request {
        let known = supports == "supports" && renderer == "html";
        return Ok(ExitCode::from(u8::from(!known)));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut both: Value = serde_json::from_str(&text).context("mdBook sends no book")?;
    let converter = converter()?;
    let mut book = both[1].take();
    // Books of mdBook 0.4 call the list of chapters `sections`.
    let list = if book["items"].is_array() {
        "items"
    } else {
        "sections"
    };
    for item in book[list].as_array_mut().into_iter().flatten() {
        chapter(item, &converter)?;
    }
    println!("{book}");
    Ok(ExitCode::SUCCESS)
}

fn converter() -> Result<LatexToMathML> {
    LatexToMathML::new(MathCoreConfig::default()).map_err(|e| anyhow!("{e:?}"))
}

/// Sets the formulas of a chapter and of those below it; parts and separators have none.
fn chapter(item: &mut Value, converter: &LatexToMathML) -> Result<()> {
    let Some(chapter) = item.get_mut("Chapter") else {
        return Ok(());
    };
    if let Some(text) = chapter["content"].as_str() {
        let name = chapter["name"].as_str().unwrap_or_default();
        let set = set_formulas(text, converter).with_context(|| name.to_owned())?;
        chapter["content"] = Value::from(set);
    }
    for inner in chapter["sub_items"].as_array_mut().into_iter().flatten() {
        self::chapter(inner, converter)?;
    }
    Ok(())
}

/// A page with its formulas set. What stands in fenced blocks and in `code` is left alone.
fn set_formulas(page: &str, converter: &LatexToMathML) -> Result<String> {
    let mut set = String::with_capacity(page.len());
    let mut rest = page;
    while let Some(at) = rest.find(['`', '$', '\\']) {
        set.push_str(&rest[..at]);
        rest = &rest[at..];
        let (taken, shown) = match rest.as_bytes()[0] {
            b'\\' => escaped(rest),
            b'`' => code(rest),
            _ => formula(rest, converter)?,
        };
        set.push_str(&shown);
        rest = &rest[taken..];
    }
    set.push_str(rest);
    Ok(set)
}

/// A backslash keeps what follows it from being read; `\$` is a dollar.
fn escaped(text: &str) -> (usize, String) {
    let taken = 1 + text[1..].chars().next().map_or(0, char::len_utf8);
    let shown = if taken > 1 && text[1..].starts_with('$') {
        "$"
    } else {
        &text[..taken]
    };
    (taken, shown.to_owned())
}

/// Code up to as many backticks as began it, or the backticks alone where it does not end.
fn code(text: &str) -> (usize, String) {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let fence = &text[..ticks];
    let mut from = ticks;
    while let Some(at) = text[from..].find(fence) {
        let end = from + at + ticks;
        let longer = text[end..].starts_with('`');
        if !longer {
            return (end, text[..end].to_owned());
        }
        from = end + text[end..].len() - text[end..].trim_start_matches('`').len();
    }
    (ticks, fence.to_owned())
}

fn formula(text: &str, converter: &LatexToMathML) -> Result<(usize, String)> {
    let (mark, display) = match text.starts_with("$$") {
        true => ("$$", MathDisplay::Block),
        false => ("$", MathDisplay::Inline),
    };
    let inside = &text[mark.len()..];
    let start: String = text.chars().take(60).collect();
    let Some(length) = inside.find(mark) else {
        bail!("a formula does not end: {start}");
    };
    let latex = inside[..length].trim();
    if latex.is_empty() || latex.contains("\n\n") {
        bail!("no formula: {start}");
    }
    let done = converter.convert_with_local_state(latex, display);
    let set = done.map_err(|e| anyhow!("{latex}: {e:?}"))?.mathml;
    Ok((length + 2 * mark.len(), for_markdown(&set)))
}

/// MathML in which Markdown finds nothing of its own: on one line, marks as entities.
fn for_markdown(mathml: &str) -> String {
    let mut shown = String::with_capacity(mathml.len());
    let mut inside_tag = false;
    for c in mathml.chars() {
        match c {
            '<' => inside_tag = true,
            '>' => inside_tag = false,
            _ => {}
        }
        match c {
            '*' | '_' | '|' | '[' | ']' | '\\' | '`' | '~' if !inside_tag => {
                shown.push_str(&format!("&#{};", u32::from(c)));
            }
            '\n' => shown.push(' '),
            _ => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn set(text: &str) -> String {
        set_formulas(text, &converter().unwrap()).unwrap()
    }

    fn pages(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .flat_map(|path| match path.is_dir() {
                true => pages(&path),
                false => vec![path],
            })
            .filter(|path| path.extension().is_some_and(|e| e == "md"))
            .collect()
    }

    #[test]
    fn every_formula_of_the_book_is_set() {
        let pages = pages(&crate::run::root().join("docs/src"));
        assert!(pages.len() > 30);
        let mut count = 0;
        for page in pages {
            let text = std::fs::read_to_string(&page).unwrap();
            let set = set_formulas(&text, &converter().unwrap());
            let set = set.unwrap_or_else(|e| panic!("{}: {e:#}", page.display()));
            count += set.matches("<math").count();
        }
        assert!(count > 100, "{count} formulas");
    }

    #[test]
    fn formulas_are_told_from_code_and_from_money() {
        assert!(set("so $a^2$ is").contains("<msup>"));
        assert!(set("$$\\sum_i x_i$$").contains("display=\"block\""));
        for left in [
            "`$schema`",
            "```text\necho $PWD $HOME\n```\n",
            "no formula",
            "``a ` $b``",
        ] {
            assert_eq!(set(left), left);
        }
        assert_eq!(set("5 \\$"), "5 $");
        assert!(set_formulas("costs $5", &converter().unwrap()).is_err());
        assert!(set_formulas("$\\nonsense{x}$", &converter().unwrap()).is_err());
    }

    #[test]
    fn a_formula_holds_nothing_that_markdown_reads() {
        let shown = set("| $|x|_1 * y$ |");
        assert_eq!(shown.matches('|').count(), 2, "{shown}");
        assert!(!shown.contains('*') && !shown.contains('_'), "{shown}");
    }

    #[test]
    fn a_book_keeps_its_form() {
        let converter = converter().unwrap();
        let inner =
            serde_json::json!({"Chapter": {"name": "b", "content": "$x$", "sub_items": []}});
        let mut item =
            serde_json::json!({"Chapter": {"name": "a", "content": "none", "sub_items": [inner]}});
        chapter(&mut item, &converter).unwrap();
        assert_eq!(item["Chapter"]["content"], "none");
        let inside = &item["Chapter"]["sub_items"][0]["Chapter"]["content"];
        assert!(inside.as_str().unwrap().starts_with("<math"));
        let mut part = serde_json::json!({"PartTitle": "Theory"});
        chapter(&mut part, &converter).unwrap();
        assert_eq!(part, serde_json::json!({"PartTitle": "Theory"}));
    }
}
