//! CSV tables of field campaigns: rows by the names of their columns, between commas, semicolons or tabs.

pub mod marks;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::text::{ascii, excerpt, without_sep};

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
/// What is no CSV with a header and a row: every row with another number of cells, columns of one name.
pub fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Row>> {
    let name = path.display();
    let ending = crate::by_ending::ending(&name.to_string());
    crate::packed::refuse(&ending, bytes).with_context(|| name.to_string())?;
    let text = ascii(bytes).with_context(|| name.to_string())?;
    let text = without_sep(&text);
    // As in the points of a release.
    let header = text.lines().find(|l| !l.trim().is_empty());
    let stands = |mark: &u8| header.is_some_and(|h| h.contains(char::from(*mark)));
    let delimiter = [b';', b'\t', b','].into_iter().find(stands);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter.unwrap_or(b','))
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut faults = Faults::default();
    for (k, column) in names.iter().enumerate() {
        if names[..k].contains(column) && !column.is_empty() {
            faults.add(format!(
                "{name}: two columns are called {column}; accepted: one"
            ));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    for (k, cells) in reader.records().enumerate() {
        let place = format!("{name}: row {}", k + 1);
        let Some(cells) = faults.keep(cells.with_context(|| place.clone())) else {
            continue;
        };
        // Spreadsheets leave rows without content below a table, and empty columns beside it.
        if cells.iter().all(str::is_empty) {
            continue;
        }
        let beyond = cells.iter().skip(names.len());
        if cells.len() < names.len() || beyond.clone().any(|c| !c.is_empty()) {
            let line = cells.position().map_or(0, |at| line_of(at, text));
            faults.add(format!(
                "{place} (line {line}): {} cells; accepted: {}, as in the header",
                cells.len(),
                names.len()
            ));
        }
        let named = names
            .iter()
            .cloned()
            .zip(cells.iter().map(str::to_owned))
            .filter(|(column, cell)| !(column.is_empty() && cell.is_empty()));
        let cells = named.collect();
        rows.push(Row { cells, place });
    }
    faults.none()?;
    ensure!(!rows.is_empty(), "{name}: no rows; accepted: one or more");
    let cells = || rows.iter().flat_map(|row| row.cells.values());
    if delimiter != Some(b',') && marks::are_commas(cells().map(String::as_str)) {
        for cell in rows.iter_mut().flat_map(|row| row.cells.values_mut()) {
            *cell = marks::with_point(cell).unwrap_or_else(|| std::mem::take(cell));
        }
    }
    Ok(rows)
}

/// What is said of a table without some of the columns that are needed.
#[must_use]
pub fn lacking<'a>(
    file: &str,
    rows: &[Row],
    needed: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let row = rows.first()?;
    let lacking: Vec<&str> = needed.filter(|column| !row.has(column)).collect();
    let there: Vec<String> = row.columns().take(20).map(excerpt).collect();
    (!lacking.is_empty()).then(|| {
        format!(
            "{file}: no column {} (there are: {})",
            lacking.join(", "),
            there.join(", ")
        )
    })
}

/// The line of a record: behind the empty lines that the reader passes over before it.
fn line_of(at: &csv::Position, text: &str) -> u64 {
    let rest = text.get(at.byte() as usize..).unwrap_or_default();
    let empty = rest.chars().take_while(|c| ['\n', '\r'].contains(c));
    at.line() + empty.filter(|c| *c == '\n').count() as u64
}

/// What is wrong with tables, collected so that one error tells all of it.
#[derive(Debug, Clone, Default, thiserror::Error)]
#[error("{}", told.join("\n"))]
pub struct Faults {
    told: Vec<String>,
}

impl Faults {
    /// More faults are not told at once.
    const MOST: usize = 20;

    /// Takes a fault.
    pub fn add(&mut self, fault: String) {
        self.told.push(fault);
    }

    /// The value, or none and its error among the faults.
    pub fn keep<T>(&mut self, found: Result<T>) -> Option<T> {
        found.map_err(|error| self.add(format!("{error:#}"))).ok()
    }

    /// The faults, one by one.
    #[must_use]
    pub fn told(&self) -> &[String] {
        &self.told
    }

    /// Whether there is none yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// One error of all faults.
    ///
    /// # Errors
    /// If there is one.
    pub fn none(mut self) -> Result<()> {
        if self.told.is_empty() {
            return Ok(());
        }
        // A row of several tables may be asked twice.
        let mut seen = std::collections::HashSet::new();
        self.told.retain(|fault| seen.insert(fault.clone()));
        let more = self.told.len().saturating_sub(Self::MOST);
        self.told.truncate(Self::MOST);
        if more > 0 {
            self.told.push(format!("{more} more rows are wrong"));
        }
        Err(self.into())
    }
}

impl Row {
    /// Names of the columns, in alphabetical order.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.cells.keys().map(String::as_str)
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
        let cell = cell.map(String::as_str);
        cell.with_context(|| format!("{}: no column '{column}'", self.place))
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
            "sep=;\r\nid;x_m\r\na;1.5\r\n",
        ] {
            let rows = rows(Path::new("a.csv"), text.as_bytes()).unwrap();
            assert_eq!(rows[0].word("id").unwrap(), "a", "{text}");
            assert_eq!(rows[0].number("x_m").unwrap(), 1.5, "{text}");
        }
        // As spreadsheets of countries with decimal commas save a sheet.
        let german = rows(Path::new("a.csv"), b"id;x_m\na;1,5\nb 2,5;-0,25\n").unwrap();
        assert_eq!(german[0].number("x_m").unwrap(), 1.5);
        assert_eq!(german[1].number("x_m").unwrap(), -0.25);
        assert_eq!(german[1].word("id").unwrap(), "b 2,5");
        // Commas that may part thousands are not guessed at.
        let rows = rows(Path::new("a.csv"), b"id;x_m\na;1,500\n").unwrap();
        let said = rows[0].number("x_m").unwrap_err().to_string();
        assert_eq!(
            said,
            "a.csv: row 1: column 'x_m': '1,500'; accepted: a finite number with a point before decimals"
        );
    }

    /// Cells between spaces, empty columns and rows as spreadsheets leave them.
    #[test]
    fn what_holds_nothing_is_passed_over() {
        let text = b"id, x_m ,\n a, 1.5,\n,,\nb,2,\n\n";
        let rows = rows(Path::new("a.csv"), text).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].number("x_m").unwrap(), 2.0);
        assert_eq!(rows[1].place(), "a.csv: row 3");
        assert_eq!(rows[0].columns().collect::<Vec<_>>(), ["id", "x_m"]);
        assert_eq!(
            super::rows(Path::new("a"), b"id,x_m\na,1,\n")
                .unwrap()
                .len(),
            1
        );
    }

    #[test]
    fn all_rows_that_are_wrong_are_told() {
        let said = |text: &str| {
            rows(Path::new("a.csv"), text.as_bytes())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            said("id,x_m\na,1,5\nb,2\n\nc\n"),
            "a.csv: row 1 (line 2): 3 cells; accepted: 2, as in the header\n\
             a.csv: row 3 (line 5): 1 cells; accepted: 2, as in the header"
        );
        assert_eq!(
            said("x,y,x\n1,2,3\n"),
            "a.csv: two columns are called x; accepted: one"
        );
        let many = said(&format!("a,b\n{}", "1\n".repeat(50)));
        assert_eq!(many.lines().count(), 21);
        assert!(many.ends_with("\n30 more rows are wrong"), "{many}");
    }
}
