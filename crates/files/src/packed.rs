//! Files that are packed as a whole: known by their first bytes, refused with the command that unpacks them.

use crate::no_data;
use anyhow::{Result, bail};

/// First bytes, what packs so, the command that unpacks, and endings with a command.
type Packed = (
    &'static [u8],
    &'static str,
    &'static str,
    Option<(&'static [&'static str], &'static str)>,
);

/// First bytes, what packs so, and the command that unpacks; of formats that pack a single file also one for a file
/// without the ending that the command asks for.
const PACKED: [Packed; 7] = [
    (
        b"\x1f\x8b",
        "gzip",
        "gunzip -k {in}.gz",
        Some((&["gz", "tgz"], "gunzip")),
    ),
    (
        b"BZh",
        "bzip2",
        "bunzip2 -k {in}.bz2",
        Some((&["bz2"], "bunzip2")),
    ),
    (
        b"\xfd7zXZ\0",
        "xz",
        "unxz -k {in}.xz",
        Some((&["xz"], "unxz")),
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "zstd",
        "unzstd {in}.zst",
        Some((&["zst"], "unzstd")),
    ),
    (b"PK\x03\x04", "zip", "unzip {in}.zip", None),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip", "7z x {in}.7z", None),
    (b"Rar!\x1a\x07", "RAR", "unrar x {in}.rar", None),
];

/// Refuses the bytes of a file that is packed, or that holds no data of any kind.
///
/// # Errors
/// What packed it, with the command that unpacks it; as [`no_data::refuse`].
pub fn refuse(ending: &str, bytes: &[u8]) -> Result<()> {
    no_data::refuse(bytes)?;
    let Some((_, by, command, streamed)) =
        PACKED.iter().find(|(first, ..)| bytes.starts_with(first))
    else {
        return Ok(());
    };
    let command = match streamed {
        Some((endings, program)) if !endings.contains(&ending) => {
            let plain = !ending.is_empty() && ending.bytes().all(|b| b.is_ascii_alphanumeric());
            let ending = if plain { ending } else { "dat" };
            format!("{program} < {{in}}.{ending} > {{out}}.{ending}")
        }
        _ => (*command).to_owned(),
    };
    // A workbook is an archive of its sheets.
    if *by == "zip" && ["csv", "txt", "xyz"].contains(&ending) {
        bail!(
            "a workbook of a spreadsheet, or another file packed by zip; accepted: a table or points in columns (.csv), as \
             spreadsheets save a sheet"
        );
    }
    let holds = first_of_zip(bytes).map_or(String::new(), |name| format!(" that holds {name}"));
    bail!("a file packed by {by}{holds}; accepted: the file in it (`{command}` unpacks it)")
}

/// The name of the first file of a zip archive.
fn first_of_zip(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"PK\x03\x04") {
        return None;
    }
    let length = u16::from_le_bytes(bytes.get(26..28)?.try_into().ok()?);
    let name = bytes.get(30..30 + usize::from(length))?;
    Some(crate::text::excerpt(&String::from_utf8_lossy(name)))
}
