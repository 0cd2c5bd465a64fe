//! The width of comments: rustfmt leaves them alone.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::run::root;

/// Columns that a comment may take.
const WIDTH: usize = 120;

/// Prints every line of a comment that is too wide; true where there is none.
pub fn narrow() -> Result<bool> {
    let mut found = 0;
    for folder in ["crates", "xtask", "fuzz"] {
        for file in rust_files(&root().join(folder))? {
            let text = std::fs::read_to_string(&file)?;
            for (k, line) in text.lines().enumerate() {
                if is_too_wide(line) {
                    let name = file.strip_prefix(root()).unwrap_or(&file);
                    println!(
                        "{}:{}: a comment over {WIDTH} columns",
                        name.display(),
                        k + 1
                    );
                    found += 1;
                }
            }
        }
    }
    println!("comments over {WIDTH} columns: {found}");
    Ok(found == 0)
}

/// A row of a table cannot be broken, and a word without a space neither.
fn is_too_wide(line: &str) -> bool {
    let Some(text) = line.trim_start().strip_prefix("//") else {
        return false;
    };
    let text = text.trim_start_matches(['/', '!']).trim_start();
    line.chars().count() > WIDTH && !text.starts_with('|') && text.contains(' ')
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_comments_are_found_and_what_cannot_be_broken_is_not() {
        let words = "word ".repeat(25);
        let address = format!("https://{}", "a".repeat(120));
        assert!(is_too_wide(&format!("/// {words}")));
        assert!(is_too_wide(&format!("    //! {words}")));
        assert!(!is_too_wide(&format!("/// | {words} |")));
        assert!(!is_too_wide(&format!("// {address}")));
        assert!(!is_too_wide(&format!("let text = \"{words}\";")));
        // Columns are characters, not bytes.
        assert!(!is_too_wide(&format!("// {}", "φ ".repeat(58))));
    }
}
