//! Parquet tables: the same rows as the CSV beside them, in columns.
//!
//! A column in which every cell that is not empty is a number holds doubles, every other one UTF-8
//! words; empty cells are null. No compression: the files are opened by any reader.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

/// One column, without its empty cells.
enum Column {
    Numbers(Vec<f64>),
    Words(Vec<ByteArray>),
}

/// A table as the bytes of a file.
///
/// # Errors
/// A row with another number of cells than the header.
pub fn write(header: &[&str], rows: &[Vec<String>]) -> Result<Vec<u8>> {
    for (k, row) in rows.iter().enumerate() {
        ensure!(
            row.len() == header.len(),
            "Parquet: {} cells in row {}; accepted: {}, one a column",
            row.len(),
            k + 1,
            header.len()
        );
    }
    let cells = |c: usize| rows.iter().filter_map(move |row| row.get(c));
    let columns: Vec<Column> = (0..header.len())
        .map(|c| column(cells(c).map(String::as_str).filter(|t| !t.is_empty())))
        .collect();
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema(header, &columns)?, properties)
        .context("Parquet")?;
    let mut group = writer.next_row_group().context("Parquet")?;
    for (c, column) in columns.iter().enumerate() {
        let present: Vec<i16> = cells(c).map(|t| i16::from(!t.is_empty())).collect();
        let mut open = group.next_column()?.context("Parquet: no such column")?;
        match column {
            Column::Numbers(x) => {
                open.typed::<DoubleType>()
                    .write_batch(x, Some(&present), None)?
            }
            Column::Words(x) => {
                open.typed::<ByteArrayType>()
                    .write_batch(x, Some(&present), None)?
            }
        };
        open.close()?;
    }
    group.close()?;
    Ok(writer.into_inner()?)
}

fn column<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Column {
    match texts.clone().map(str::parse).collect() {
        Ok(numbers) => Column::Numbers(numbers),
        Err::<_, std::num::ParseFloatError>(_) => {
            Column::Words(texts.map(ByteArray::from).collect())
        }
    }
}

fn schema(header: &[&str], columns: &[Column]) -> Result<TypePtr> {
    let fields = header.iter().zip(columns).map(|(name, column)| {
        let builder = match column {
            Column::Numbers(_) => Type::primitive_type_builder(name, Physical::DOUBLE),
            Column::Words(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                .with_logical_type(Some(LogicalType::String)),
        };
        Ok(Arc::new(
            builder.with_repetition(Repetition::OPTIONAL).build()?,
        ))
    });
    let table = Type::group_type_builder("table").with_fields(fields.collect::<Result<_>>()?);
    Ok(Arc::new(table.build()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use parquet::record::Field;

    #[test]
    fn a_table_comes_back_bit_for_bit() {
        let header = ["time_s", "event", "impulse_n_s"];
        let values = [0.1 + 0.2, f64::MIN_POSITIVE, -1.0 / 3.0];
        let rows: Vec<Vec<String>> = values
            .iter()
            .enumerate()
            .map(|(k, v)| {
                let impulse = if k == 1 {
                    String::new()
                } else {
                    (v * 7.0).to_string()
                };
                vec![v.to_string(), format!("impact {k} µ"), impulse]
            })
            .collect();
        let bytes = write(&header, &rows).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let back: Vec<Vec<(String, Field)>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| {
                let row = row.unwrap();
                row.get_column_iter()
                    .map(|(n, f)| (n.clone(), f.clone()))
                    .collect()
            })
            .collect();
        assert_eq!(back.len(), 3);
        for (k, v) in values.iter().enumerate() {
            let impulse = if k == 1 {
                Field::Null
            } else {
                Field::Double(v * 7.0)
            };
            let expected = [
                Field::Double(*v),
                Field::Str(format!("impact {k} µ")),
                impulse,
            ];
            for ((name, found), (wanted, value)) in back[k].iter().zip(header.iter().zip(expected))
            {
                assert_eq!((name.as_str(), found), (*wanted, &value));
            }
        }
        assert!(write(&header, &[vec!["1".into()]]).is_err());
        assert!(write(&header, &[]).is_ok());
    }
}
