//! The files of the tables that the program was built with.

use klast_comparison::File;

/// Every file, by its name under `verification/`, sorted.
static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The files of the tables, without the data of cases, which lie deeper.
pub(crate) fn embedded() -> Vec<File> {
    let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    let flat = |(name, _): &&(&str, &str)| name.matches('/').count() == 1;
    EMBEDDED.iter().filter(flat).map(owned).collect()
}

/// The text of one file that the program was built with.
#[must_use]
pub fn embedded_file(name: &str) -> Option<&'static str> {
    let at = EMBEDDED.binary_search_by_key(&name, |(n, _)| n).ok()?;
    EMBEDDED.get(at).map(|(_, text)| *text)
}
