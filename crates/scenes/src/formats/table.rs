//! CSV tables of field campaigns: rows by the names of their columns, between commas, semicolons or tabs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use super::text::ascii;

/// One row.
#[derive(Debug, Clone, Default)]
pub struct Row {
    cells: BTreeMap<String, String>,
    place: String,
}

/// Reads a table.
///
/// # Errors
/// A file that cannot be read or is no CSV with a header and a row.
pub fn read(path: &Path) -> Result<Vec<Row>> {
    rows(path, &crate::reading::bytes(path)?)
}

/// The table in the bytes of a file.
///
/// # Errors
/// What is no CSV with a header and a row.
pub fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Row>> {
    let name = path.display();
    let text = ascii(bytes).with_context(|| name.to_string())?;
    // As in the points of a release.
    let header = text.lines().find(|l| !l.trim().is_empty());
    let stands = |mark: &u8| header.is_some_and(|h| h.contains(char::from(*mark)));
    let delimiter = [b';', b'\t', b','].into_iter().find(stands);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for (k, cells) in reader.deserialize().enumerate() {
        let place = format!("{name}: row {}", k + 1);
        let cells = cells.with_context(|| place.clone())?;
        rows.push(Row { cells, place });
    }
    ensure!(!rows.is_empty(), "{name}: no rows; accepted: one or more");
    Ok(rows)
}

impl Row {
    /// Names of the columns, in alphabetical order.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.cells.keys().map(|c| c.trim())
    }

    /// Whether there is a column.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.cells.contains_key(column)
    }

    /// File and row, for messages.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The text of a column.
    ///
    /// # Errors
    /// A table without it.
    pub fn word(&self, column: &str) -> Result<&str> {
        let cell = self.cells.get(column);
        cell.map(|c| c.trim())
            .with_context(|| format!("{}: no column '{column}'", self.place))
    }

    /// The number in a column.
    ///
    /// # Errors
    /// A table without it, or a text that is no finite number.
    pub fn number(&self, column: &str) -> Result<f64> {
        let text = self.word(column)?;
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        number.with_context(|| {
            format!(
                "{}: column '{column}': '{text}'; accepted: a finite number with a point before decimals",
                self.place
            )
        })
    }

    /// Three numbers.
    ///
    /// # Errors
    /// As [`Row::number`].
    pub fn vector(&self, columns: [&str; 3]) -> Result<glam::DVec3> {
        let [x, y, z] = columns;
        Ok(glam::DVec3::new(
            self.number(x)?,
            self.number(y)?,
            self.number(z)?,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_between_the_marks_of_the_header() {
        for text in [
            "id,x_m\na,1.5\n",
            "id;x_m\r\na;1.5\r\n",
            "id\tx_m\na\t1.5\n",
        ] {
            let rows = rows(Path::new("a.csv"), text.as_bytes()).unwrap();
            assert_eq!(rows[0].word("id").unwrap(), "a", "{text}");
            assert_eq!(rows[0].number("x_m").unwrap(), 1.5, "{text}");
        }
        let rows = rows(Path::new("a.csv"), b"id;x_m\na;1,5\n").unwrap();
        let said = rows[0].number("x_m").unwrap_err().to_string();
        assert_eq!(
            said,
            "a.csv: row 1: column 'x_m': '1,5'; accepted: a finite number with a point before decimals"
        );
    }
}
