//! Columns of numbers as numpy arrays in a dictionary.

use glam::DVec3;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns by name; all of one length.
pub struct Columns<'py> {
    dict: Bound<'py, PyDict>,
}

impl<'py> Columns<'py> {
    /// None yet.
    pub fn new(py: Python<'py>) -> Self {
        Self {
            dict: PyDict::new(py),
        }
    }

    /// Adds numbers, a row each.
    pub fn numbers<T: numpy::Element>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> PyResult<Self> {
        let values: Vec<T> = values.into_iter().collect();
        self.dict
            .set_item(name, values.into_pyarray(self.dict.py()))?;
        Ok(self)
    }

    /// Adds vectors, a row of three each.
    pub fn vectors(self, name: &str, values: impl IntoIterator<Item = DVec3>) -> PyResult<Self> {
        let values = values.into_iter().map(|v| v.to_array());
        let array = rows(self.dict.py(), values)?;
        self.dict.set_item(name, array)?;
        Ok(self)
    }

    /// Adds words.
    pub fn words(self, name: &str, values: impl IntoIterator<Item = String>) -> PyResult<Self> {
        let values: Vec<String> = values.into_iter().collect();
        self.dict.set_item(name, values)?;
        Ok(self)
    }

    /// The dictionary.
    pub fn finish(self) -> Bound<'py, PyDict> {
        self.dict
    }
}

/// An array of rows of `N` numbers.
pub fn rows<const N: usize>(
    py: Python<'_>,
    values: impl IntoIterator<Item = [f64; N]>,
) -> PyResult<Bound<'_, PyArray2<f64>>> {
    let flat: Vec<f64> = values.into_iter().flatten().collect();
    let count = flat.len() / N;
    PyArray1::from_vec(py, flat).reshape([count, N])
}

/// Rows of three numbers as vectors.
pub fn vectors(flat: &[f64]) -> Vec<DVec3> {
    flat.as_chunks::<3>()
        .0
        .iter()
        .copied()
        .map(DVec3::from)
        .collect()
}

/// A value as a Python object, by way of JSON.
pub fn object<'py>(py: Python<'py>, value: &impl serde::Serialize) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(crate::errors::failed)?;
    py.import("json")?.call_method1("loads", (text,))
}
