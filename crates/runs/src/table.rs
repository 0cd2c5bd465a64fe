//! Rows of a result as a table: the fields of the row's type are the columns.
//!
//! A field that is a list becomes a column each, its number before the unit: `rotation_rad` of three blocks is
//! `rotation_1_rad`, `rotation_2_rad`, `rotation_3_rad`. What is not known or not finite is an empty cell.

use std::borrow::Cow;
use std::io::Write;

use crate::bail;
use crate::error::{Outside as _, Result};
use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Units that names of columns end with, the longer before those that they end with themselves.
const UNITS: [&str; 12] = [
    "_rad_s2", "_rad_s", "_m_s2", "_m_s", "_rad", "_deg", "_kg", "_kj", "_j", "_n", "_m", "_s",
];

/// Writes rows as CSV, one at a time; `like` is a row of the same shape, for the header where there is none.
///
/// # Errors
/// Rows that are no flat structs, or of another shape than the first; what `out` cannot take.
pub fn write<R: Serialize>(like: &R, rows: &[R], out: &mut dyn Write) -> Result<()> {
    let mut table = Table::new(rows.first().unwrap_or(like), out)?;
    rows.iter().try_for_each(|row| table.row(row))?;
    table.end()
}

/// A table that is written row by row.
pub struct Table<'a> {
    writer: csv::Writer<&'a mut dyn Write>,
    columns: usize,
}

impl<'a> Table<'a> {
    /// Writes the header of rows of the shape of one.
    ///
    /// # Errors
    /// A row that is no flat struct; what `out` cannot take.
    pub fn new(like: &impl Serialize, out: &'a mut dyn Write) -> Result<Self> {
        let mut writer = csv::Writer::from_writer(out);
        let header = columns(like)?;
        writer
            .write_record(header.iter().map(|(name, _)| name))
            .outside()?;
        Ok(Self {
            writer,
            columns: header.len(),
        })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// A row of another shape; what `out` cannot take.
    pub fn row(&mut self, row: &impl Serialize) -> Result<()> {
        let columns = columns(row)?;
        if columns.len() != self.columns {
            bail!(
                "a row of {} cells among rows of {}",
                columns.len(),
                self.columns
            );
        }
        self.writer
            .write_record(columns.iter().map(|(_, cell)| harmless(cell).into_owned()))
            .outside()
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// What `out` cannot take.
    pub fn end(mut self) -> Result<()> {
        self.writer.flush().outside()
    }
}

/// A cell that no table program takes for a formula: a text that begins as one has an apostrophe before it.
fn harmless(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
        true => format!("'{cell}").into(),
        false => cell.into(),
    }
}

/// Names and cells of a row.
fn columns<R: Serialize>(row: &R) -> Result<Vec<(String, String)>> {
    // JSON keeps the order of the fields, and the shortest digits that give the number back.
    let Fields(fields) = serde_json::from_str(&serde_json::to_string(row).outside()?).outside()?;
    let mut columns = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        match value {
            Value::Array(entries) => {
                let unit = UNITS.into_iter().find(|u| name.ends_with(u)).unwrap_or("");
                let stem = name.strip_suffix(unit).unwrap_or(&name);
                for (k, entry) in entries.iter().enumerate() {
                    columns.push((format!("{stem}_{}{unit}", k + 1), cell(entry)?));
                }
            }
            value => {
                let cell = cell(&value)?;
                columns.push((name, cell));
            }
        }
    }
    Ok(columns)
}

fn cell(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(yes) => yes.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Array(_) | Value::Object(_) => bail!("a cell that holds several values"),
    })
}

/// Columns whose names depend on the scene: the parameters of a sweep, or the axes of a map.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
#[schemars(transparent)]
pub struct Columns(
    /// Name with unit, and value.
    #[schemars(with = "std::collections::BTreeMap<String, f64>")]
    pub Vec<(Cow<'static, str>, f64)>,
);

impl Columns {
    /// Columns by name, in their order.
    pub fn of<N: Into<Cow<'static, str>>>(pairs: impl IntoIterator<Item = (N, f64)>) -> Self {
        let named = pairs.into_iter().map(|(name, value)| (name.into(), value));
        Self(named.collect())
    }
}

impl Serialize for Columns {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The fields of a struct in their order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a row: a struct of cells")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Serialize)]
    struct Row {
        time_s: f64,
        event: &'static str,
        rate_rad_s: Vec<Option<f64>>,
        held: Option<u64>,
    }

    fn csv<R: Serialize>(like: &R, rows: &[R]) -> Result<String> {
        let mut out = Vec::new();
        write(like, rows, &mut out)?;
        Ok(String::from_utf8_lossy(&out).into_owned())
    }

    #[test]
    fn fields_are_columns_and_lists_are_numbered_before_their_unit() {
        let row = |time_s, rates: [Option<f64>; 2], held| Row {
            time_s,
            event: "impact",
            rate_rad_s: rates.to_vec(),
            held,
        };
        let rows = [
            row(0.1, [Some(1e-300), None], Some(3)),
            row(f64::NAN, [Some(f64::INFINITY), Some(-2.0)], None),
        ];
        let csv = csv(&Row::default(), &rows).unwrap();
        let expected =
            "time_s,event,rate_1_rad_s,rate_2_rad_s,held\n0.1,impact,1e-300,,3\n,impact,,-2.0,\n";
        assert_eq!(csv, expected);
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@x", "'@x"),
            ("-net", "'-net"),
            ("+1 a", "'+1 a"),
            ("-1.5", "-1.5"),
            ("+2", "+2"),
            ("net", "net"),
        ] {
            assert_eq!(harmless(cell), written);
        }
    }

    #[test]
    fn a_table_without_rows_has_a_header() {
        let like = Row {
            rate_rad_s: vec![None; 1],
            ..Row::default()
        };
        let written = csv(&like, &[]).unwrap();
        assert_eq!(written, "time_s,event,rate_1_rad_s,held\n");
    }

    #[test]
    fn rows_of_another_shape_are_refused() {
        let of = |n: usize| Row {
            rate_rad_s: vec![None; n],
            ..Row::default()
        };
        assert!(csv(&of(0), &[of(1), of(2)]).is_err());
        assert!(csv(&1.0, &[]).is_err());
    }
}
