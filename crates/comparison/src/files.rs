//! The files of the tables in a folder.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// A file: its name with `/` between the parts, and its text.
pub type File = (String, String);

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
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    klast_numerics::Digest::default().bytes(bytes).finish()
}
