//! A CSV table as columns of one type each.

use anyhow::Context as _;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Name and values of every column: whole numbers, numbers (empty cells are not a number), truth values, or words,
/// which those of `words` are whatever they hold.
pub fn columns<'py>(py: Python<'py>, csv: &[u8], words: &[String]) -> PyResult<Bound<'py, PyList>> {
    let read = || -> anyhow::Result<(Vec<String>, Vec<Vec<String>>)> {
        let mut reader = csv::Reader::from_reader(csv);
        let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
        let mut columns = vec![Vec::new(); header.len()];
        for record in reader.records() {
            let record = record.context("a table that cannot be read")?;
            for (column, cell) in columns.iter_mut().zip(&record) {
                column.push(cell.to_owned());
            }
        }
        Ok((header, columns))
    };
    let (header, columns) = py.detach(read).map_err(crate::errors::failed)?;
    let list = PyList::empty(py);
    for (name, cells) in header.into_iter().zip(columns) {
        let values = match words.contains(&name) {
            true => PyList::new(py, cells)?.into_any(),
            false => column(py, cells)?,
        };
        list.append((name, values))?;
    }
    Ok(list)
}

fn column(py: Python<'_>, cells: Vec<String>) -> PyResult<Bound<'_, PyAny>> {
    if cells.iter().all(String::is_empty) {
        let none = vec![f64::NAN; cells.len()];
        return Ok(none.into_pyarray(py).into_any());
    }
    if let Some(whole) = all(&cells, |c| c.parse::<i64>().ok()) {
        return Ok(whole.into_pyarray(py).into_any());
    }
    let number = |c: &str| match c {
        "" => Some(f64::NAN),
        c => c.parse::<f64>().ok(),
    };
    if let Some(numbers) = all(&cells, number) {
        return Ok(numbers.into_pyarray(py).into_any());
    }
    if let Some(truth) = all(&cells, |c| c.parse::<bool>().ok()) {
        return Ok(truth.into_pyarray(py).into_any());
    }
    Ok(PyList::new(py, cells)?.into_any())
}

fn all<T>(cells: &[String], parse: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    cells.iter().map(|cell| parse(cell)).collect()
}
