//! The files of the tables: those in the program, or those of a folder.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// Every file, by its name under `verification/`, sorted.
static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A file: its name with `/` between the parts, and its text.
pub(crate) type File = (String, String);

/// The files that the program was built with.
pub(crate) fn embedded() -> Vec<File> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    EMBEDDED.iter().map(owned).collect()
}

/// The text of one file that the program was built with.
#[must_use]
pub fn embedded_file(name: &str) -> Option<&'static str> {
    let at = EMBEDDED.binary_search_by_key(&name, |(n, _)| n).ok()?;
    EMBEDDED.get(at).map(|(_, text)| *text)
}

/// Names and texts of the files `<folder>/<name>.json` and of the data below them, sorted.
pub(crate) fn read(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for folder in list(root)? {
        ensure!(
            folder.is_dir(),
            "{}: accepted: folders of tables",
            folder.display()
        );
        for file in list(&folder)? {
            if file.is_dir() {
                // Data of a case, which it asks for by name.
                continue;
            }
            ensure!(
                file.extension().is_some_and(|e| e == "json"),
                "{}: accepted: tables (.json)",
                file.display()
            );
            let name = |p: &Path| {
                let name = p.file_name().and_then(|s| s.to_str());
                name.map(str::to_owned)
                    .with_context(|| format!("{}: a name that is not UTF-8", p.display()))
            };
            let text = std::fs::read_to_string(&file)
                .with_context(|| format!("{}: cannot be read", file.display()))?;
            files.push((format!("{}/{}", name(&folder)?, name(&file)?), text));
        }
    }
    Ok(files)
}

fn list(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{}: cannot be listed", folder.display()))?;
    let mut paths = entries.map(|e| Ok(e?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// FNV-1a: names what is kept.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    klast_numerics::Digest::default().bytes(bytes).finish()
}
