//! Rows of the table of rocks on disk, until they are written: memory does not grow with their number.
//!
//! They wait as lines of CSV without a header in a file that has no name, the first megabyte in memory. Numbers
//! are written with the fewest digits that give them back. A binary format takes them in blocks of columns.

use std::io::{BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use klast_runs::error::{Context as _, Outside as _, Result};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tempfile::SpooledTempFile;

use super::rock_columns::{pack, unpack};
use super::rocks::RockRow;
use klast_rockfall::columns::Bytes;

/// Bytes that are held in memory.
const HELD: usize = 1 << 20;
/// Bytes of a line, about.
const LINE: usize = 1 << 9;
/// Rows of a block of columns.
const BLOCK: usize = 1 << 12;

/// Rows in the order in which they were added.
#[derive(Debug)]
pub struct RockTable {
    lines: Mutex<BufWriter<SpooledTempFile>>,
    /// Of the line that is added.
    line: Vec<u8>,
    count: u64,
}

impl Default for RockTable {
    fn default() -> Self {
        Self {
            lines: Mutex::new(BufWriter::new(SpooledTempFile::new(HELD))),
            line: Vec::new(),
            count: 0,
        }
    }
}

impl RockTable {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a row.
    ///
    /// # Errors
    /// A disk that cannot take it.
    pub fn push(&mut self, row: &RockRow) -> Result<()> {
        self.line.clear();
        let mut builder = csv::WriterBuilder::new();
        let builder = builder.has_headers(false).buffer_capacity(LINE);
        let mut line = builder.from_writer(&mut self.line);
        line.serialize(row).outside()?;
        line.flush().outside()?;
        drop(line);
        let lines = self.lines.get_mut().unwrap_or_else(PoisonError::into_inner);
        lines
            .write_all(&self.line)
            .outside()
            .with_context(waiting)?;
        self.count += 1;
        Ok(())
    }

    /// Adds the rows of another table after these.
    ///
    /// # Errors
    /// A disk that cannot take them.
    pub fn append(&mut self, other: &Self) -> Result<()> {
        let lines = self.lines.get_mut().unwrap_or_else(PoisonError::into_inner);
        other.copy(lines).with_context(waiting)?;
        self.count += other.count;
        Ok(())
    }

    /// Copies the lines.
    ///
    /// # Errors
    /// A disk that cannot give or take them.
    pub fn copy(&self, out: &mut dyn Write) -> Result<()> {
        self.read(|lines| std::io::copy(lines, out).map(|_| ()).outside())
    }

    /// The first rows of lines that were copied; none where there are fewer.
    #[must_use]
    pub fn of_lines(lines: &[u8], count: u64) -> Option<Self> {
        let mut table = Self::default();
        let mut rows = reader(lines);
        let mut rows = rows.deserialize::<RockRow>();
        while table.count < count {
            table.push(&rows.next()?.ok()?).ok()?;
        }
        Some(table)
    }

    /// Hands out each row.
    ///
    /// # Errors
    /// A disk that cannot give them; what `each` says.
    pub fn each(&self, mut each: impl FnMut(RockRow) -> Result<()>) -> Result<()> {
        self.read(|lines| {
            let mut rows = reader(lines);
            rows.deserialize().try_for_each(|row| each(row.outside()?))
        })
    }

    /// All rows, in memory.
    ///
    /// # Errors
    /// A disk that cannot give them.
    pub fn rows(&self) -> Result<Vec<RockRow>> {
        let mut rows = Vec::new();
        self.each(|row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// Reads from the beginning; what is added goes to the end all the same.
    fn read<T>(&self, read: impl FnOnce(&mut dyn Read) -> Result<T>) -> Result<T> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.flush().outside().with_context(waiting)?;
        let file = lines.get_mut();
        file.seek(SeekFrom::Start(0)).outside()?;
        let found = read(&mut BufReader::new(&mut *file));
        file.seek(SeekFrom::End(0)).outside()?;
        found
    }
}

/// Where the rows wait: what to make room in, or to set the variable `TMPDIR` away from.
fn waiting() -> String {
    let folder = std::env::temp_dir();
    format!("{}: cannot be written", folder.display())
}

fn reader<R: Read>(lines: R) -> csv::Reader<R> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).from_reader(lines)
}

impl Serialize for RockTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let binary = !serializer.is_human_readable();
        let count = usize::try_from(self.count).map_err(S::Error::custom)?;
        let length = if binary { count.div_ceil(BLOCK) } else { count };
        let mut list = serializer.serialize_seq(Some(length))?;
        // What the list cannot take is told as its own fault.
        let mut fault = None;
        let mut block = Vec::new();
        let handed = self.each(|row| {
            if fault.is_some() {
                return Ok(());
            }
            if !binary {
                fault = list.serialize_element(&row).err();
                return Ok(());
            }
            block.push(row);
            if block.len() == BLOCK {
                let rows = std::mem::take(&mut block);
                fault = list.serialize_element(&Bytes(pack(rows))).err();
            }
            Ok(())
        });
        if let Some(fault) = fault {
            return Err(fault);
        }
        handed.map_err(S::Error::custom)?;
        if !block.is_empty() {
            list.serialize_element(&Bytes(pack(block)))?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for RockTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows {
            binary: bool,
        }
        impl<'de> Visitor<'de> for Rows {
            type Value = RockTable;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("rows of rocks")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RockTable, A::Error> {
                let mut table = RockTable::default();
                let broken = || A::Error::custom("rows of rocks that are broken");
                loop {
                    let rows = match self.binary {
                        true => list.next_element::<Bytes>()?.map(|block| unpack(&block.0)),
                        false => list.next_element::<RockRow>()?.map(|row| Some(vec![row])),
                    };
                    let Some(rows) = rows else {
                        return Ok(table);
                    };
                    for row in rows.ok_or_else(broken)? {
                        table.push(&row).map_err(A::Error::custom)?;
                    }
                }
            }
        }
        let binary = !deserializer.is_human_readable();
        deserializer.deserialize_seq(Rows { binary })
    }
}

impl JsonSchema for RockTable {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<RockRow>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<RockRow>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rock: u64) -> RockRow {
        RockRow {
            rock,
            source: "a, \"b\"\nc".to_owned(),
            mass_kg: 0.1 + rock as f64 / 3.0,
            qw: -0.0,
            time_s: 5e-324,
            runout_m: f64::MAX,
            barrier: rock.is_multiple_of(2).then(|| "net".to_owned()),
            ..RockRow::default()
        }
    }

    /// Rows that are more than memory holds, with reading in between.
    #[test]
    fn rows_are_read_as_they_were_added() {
        let mut table = RockTable::default();
        let all: Vec<RockRow> = (0..50_000).map(row).collect();
        for (k, row) in all.iter().enumerate() {
            table.push(row).unwrap();
            if k % 20_000 == 0 {
                assert_eq!(table.rows().unwrap().len(), k + 1);
            }
        }
        assert_eq!(table.rows().unwrap(), all);
        assert_eq!(table.len(), 50_000);
        let json = serde_json::to_string(&table).unwrap();
        assert_eq!(json, serde_json::to_string(&all).unwrap());
        let read: RockTable = serde_json::from_str(&json).unwrap();
        assert_eq!(read.rows().unwrap(), all);
        let mut lines = Vec::new();
        table.copy(&mut lines).unwrap();
        let first = RockTable::of_lines(&lines, 7).unwrap();
        assert_eq!(first.rows().unwrap(), all[..7]);
        assert!(RockTable::of_lines(&lines, 50_001).is_none());
        table.append(&first).unwrap();
        assert_eq!(table.rows().unwrap()[50_000..], all[..7]);
    }
}
