//! Attributes of a shapefile: the rows of its table `.dbf`, in the letters that it states.

use crate::command::Command;
use crate::refusal::{Result, ensure, refusal};
use std::io::Cursor;

use dbase::encoding::DynEncoding;
use dbase::{CodePageMark, FieldValue};
use serde_json::{Map, Value};

use crate::text;

/// The rows of the table; none of a row that is marked as deleted, whose geometry is deleted with it.
pub fn attributes(
    table: &[u8],
    codepage: Option<&[u8]>,
) -> Result<Vec<Option<Map<String, Value>>>> {
    // The library counts on lengths that the header states.
    let word = |at: usize| Some(u16::from_le_bytes(table.get(at..at + 2)?.try_into().ok()?));
    let (header, row) = (word(8).unwrap_or(0), word(10).unwrap_or(0));
    let rows = table
        .get(4..8)
        .and_then(|b| Some(u32::from_le_bytes(b.try_into().ok()?)))
        .unwrap_or(0);
    let needed = u64::from(header) + u64::from(row) * u64::from(rows);
    ensure!(
        header >= 33 && row >= 1 && needed <= table.len() as u64,
        Truncated,
        "attributes (.dbf): the file is shorter than its header says"
    );
    let letters = letters(table, codepage)?;
    let mut reader = dbase::ReaderBuilder::new()
        .with_encoding(letters)
        .build(Cursor::new(table))
        .map_err(|e| refusal!(Syntax, "attributes (.dbf): {e}"))?;
    let mut records = reader.iter_records();
    let mut list = Vec::new();
    for number in 0..rows as usize {
        // An asterisk before its cells marks a row as deleted; the library passes over it.
        if table.get(usize::from(header) + number * usize::from(row)) == Some(&b'*') {
            list.push(None);
            continue;
        }
        let Some(record) = records.next() else { break };
        let record =
            record.map_err(|e| refusal!(Syntax, "attributes (.dbf), row {}: {e}", number + 1))?;
        let entries = record.into_iter().map(|(name, value)| (name, json(value)));
        list.push(Some(entries.collect()));
    }
    Ok(list)
}

/// The letters of a table: what the `.cpg` beside it says, else the language byte of its header, else UTF-8 if it is
/// UTF-8, else those of Windows in the west.
fn letters(table: &[u8], codepage: Option<&[u8]>) -> Result<DynEncoding> {
    let stated = codepage.map(String::from_utf8_lossy).unwrap_or_default();
    let stated = stated.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'));
    let name = stated.to_ascii_lowercase();
    let name = ["ansi ", "oem ", "cp", "ibm", "windows-", "iso-"]
        .iter()
        .find_map(|start| name.strip_prefix(start))
        .unwrap_or(&name)
        .trim();
    let by_name = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes());
    let mark = match name {
        // The system that wrote the file, which nobody knows any more.
        "" | "system" | "ansi" | "oem" => CodePageMark::from(*table.get(29).unwrap_or(&0)),
        "437" => CodePageMark::CP437,
        "850" => CodePageMark::CP850,
        "852" => CodePageMark::CP852,
        "861" => CodePageMark::CP861,
        "865" => CodePageMark::CP865,
        "65001" => CodePageMark::Utf8,
        _ => {
            let found = match name.strip_prefix("8859") {
                Some(part) => by_name(&format!("iso-8859-{}", part.trim_start_matches(['-', '_']))),
                None => match name {
                    "932" => Some(encoding_rs::SHIFT_JIS),
                    "936" => Some(encoding_rs::GBK),
                    "949" => Some(encoding_rs::EUC_KR),
                    "950" => Some(encoding_rs::BIG5),
                    number => by_name(&format!("windows-{number}")).or_else(|| by_name(number)),
                },
            };
            let found = found.map(|e| dbase::encoding::EncodingRs::from(e).into());
            return found.ok_or_else(|| {
                refusal!(
                    Letters, "letters '{}' (.cpg) are not known", text::excerpt(stated);
                    "UTF-8, a code page such as 1252, none"
                    => Command::new("ogr2ogr -lco ENCODING=UTF-8 {out}.shp {in}.shp")
                )
            });
        }
    };
    let utf_8 = std::str::from_utf8(table.get(32..).unwrap_or_default()).is_ok();
    match mark {
        CodePageMark::Utf8 => Ok(dbase::encoding::UnicodeLossy.into()),
        CodePageMark::Undefined | CodePageMark::Invalid if utf_8 => {
            Ok(dbase::encoding::UnicodeLossy.into())
        }
        CodePageMark::Undefined | CodePageMark::Invalid => {
            Ok(dbase::encoding::EncodingRs::from(encoding_rs::WINDOWS_1252).into())
        }
        mark => mark.to_encoding().ok_or_else(|| {
            refusal!(
                Letters, "attributes (.dbf): letters of {mark:?} are not read"; "UTF-8"
                => Command::new("ogr2ogr -lco ENCODING=UTF-8 {out}.shp {in}.shp")
            )
        }),
    }
}

fn json(value: FieldValue) -> Value {
    match value {
        FieldValue::Character(text) => text.map_or(Value::Null, Value::from),
        FieldValue::Numeric(number) => number.map_or(Value::Null, Value::from),
        FieldValue::Float(number) => number.map_or(Value::Null, |n| f64::from(n).into()),
        FieldValue::Integer(number) => number.into(),
        FieldValue::Double(number) | FieldValue::Currency(number) => number.into(),
        FieldValue::Logical(yes) => yes.map_or(Value::Null, Value::from),
        FieldValue::Memo(text) => text.into(),
        FieldValue::Date(_) | FieldValue::DateTime(_) => Value::Null,
    }
}
