//! Files that hold nothing of what their name promises: empty ones, web pages in place of a download, pointers of Git
//! LFS, documents.

use anyhow::{Result, bail};

/// Refuses what holds no data of any kind.
///
/// # Errors
/// What it is, and how the file itself is had.
pub fn refuse(bytes: &[u8]) -> Result<()> {
    let bare = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let start = bare[..bare.len().min(4096)].trim_ascii_start();
    let begins = |words: &str| {
        let head = start.get(..words.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(words.as_bytes()))
    };
    if start.is_empty() && bare.len() <= 4096 {
        bail!("an empty file; accepted: a file with data");
    }
    if begins("<!DOCTYPE html") || begins("<html") {
        bail!(
            "a web page, as a server gives that asks for a login or has no such file; accepted: the file itself"
        );
    }
    if begins("version https://git-lfs") {
        bail!("a pointer of Git LFS; accepted: the file itself (`git lfs pull` fetches it)");
    }
    if begins("%PDF") {
        bail!("a PDF document; accepted: the data themselves");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::by_ending::{mesh_from, raster};
    use crate::raster::Beside;
    use crate::shapes::Shapes;

    /// Each is known under the ending of a raster, a mesh, shapes and a table.
    #[test]
    fn what_holds_no_data_is_named_whatever_it_is_called() {
        for (bytes, what) in [
            (&b""[..], "an empty file"),
            (b" \r\n", "an empty file"),
            (b"<!doctype HTML>\n<html>login</html>", "a web page"),
            (b"\n<html lang=\"de\">", "a web page"),
            (
                b"version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n",
                "git lfs pull",
            ),
            (b"%PDF-1.7\n", "a PDF document"),
        ] {
            let refused = [
                raster("a.tif", bytes, &Beside::default()).unwrap_err(),
                raster("a.asc", bytes, &Beside::default()).unwrap_err(),
                mesh_from("stl", bytes).unwrap_err(),
                mesh_from("obj", bytes).unwrap_err(),
                Shapes::read("a.geojson", bytes, &mut |_| Ok(None)).unwrap_err(),
                crate::table::rows("a.csv".as_ref(), bytes).unwrap_err(),
            ];
            for error in refused {
                let said = format!("{error:#}");
                assert!(said.contains(what), "{said}");
            }
        }
    }
}
