//! Reading the files that a scene or a command names: a folder or a device is refused before it is opened.

use crate::refusal::{Context as _, Result, ensure};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::text::strict;

/// The bytes of a file.
///
/// # Errors
/// What is not there, is not a file, or cannot be read, with its name.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    check(path)?;
    std::fs::read(path).with_context(|| format!("{name}: cannot be read"))
}

/// The bytes of a file that need not be there.
///
/// # Errors
/// One that is there and cannot be read.
pub fn optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match path.exists() {
        true => bytes(path).map(Some),
        false => Ok(None),
    }
}

/// The text of a file.
///
/// # Errors
/// As [`bytes`]; the first byte that is not UTF-8.
pub fn text(path: &Path) -> Result<String> {
    utf8(path, &bytes(path)?)
}

/// The bytes of a file as text.
///
/// # Errors
/// The first byte that is not UTF-8.
pub fn utf8(path: &Path, bytes: &[u8]) -> Result<String> {
    strict(bytes).with_context(|| path.display().to_string())
}

/// Whether there is a file to read: a device may have no end.
///
/// # Errors
/// As [`bytes`].
pub fn check(path: &Path) -> Result<()> {
    let name = path.display();
    let metadata = std::fs::metadata(path).with_context(|| {
        format!(
            "{name}: cannot be read{}",
            why_not(path).unwrap_or_default()
        )
    })?;
    ensure!(metadata.is_file(), Syntax, "{name}: not a file"; "a file");
    Ok(())
}

/// Why a file is probably not there: its name as another system writes it, or in letters of another case.
fn why_not(path: &Path) -> Option<String> {
    let shown = path.display().to_string();
    if cfg!(not(windows)) && shown.contains('\\') {
        let other = shown.replace('\\', "/");
        return Some(format!(
            " (a backslash parts no folders on this system; accepted: {other})"
        ));
    }
    if shown.split('/').any(|part| part == "~") {
        return Some(" (~ is no folder here; accepted: the path of the folder itself)".to_owned());
    }
    let wanted = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let names = entries
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned());
    let alike = |name: &String| {
        name != wanted && name.trim().to_lowercase() == wanted.trim().to_lowercase()
    };
    let found = names.filter(alike).min()?;
    Some(format!(" (there is '{found}' in its folder)"))
}

/// SHA-256 of a text or of bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hexadecimal(&Sha256::digest(bytes.as_ref()))
}

/// That of a file, of which little is in memory at a time.
///
/// # Errors
/// A file that cannot be read.
pub fn sha256_of_file(path: &Path) -> std::io::Result<String> {
    let mut digest = Sha256::new();
    std::io::copy(&mut std::fs::File::open(path)?, &mut digest)?;
    Ok(hexadecimal(&digest.finalize()))
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
