//! One instant of a stack: which interfaces open, and how an impact settles.

use klast_rocking::RockingError;
use klast_stacks::{InterfaceRestitution, Stack, StackBlock, StackState};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::input;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;

/// A stack of blocks (width, height, mass), three numbers each, and its rotations at an instant.
fn at(
    (blocks, gravity): (&[f64], f64),
    angles: &[f64],
    rates: &[f64],
) -> Result<(Stack, StackState), RockingError> {
    let (rows, _) = blocks.as_chunks();
    let blocks: Result<Vec<_>, _> = rows
        .iter()
        .map(|[w, h, m]| StackBlock::new(*w, *h, *m))
        .collect();
    let stack = Stack::new(&blocks?, gravity)?;
    Ok((stack, StackState::from_angles(0.0, angles, rates)?))
}

/// The configuration that the accelerations of the base call for.
#[pyfunction]
pub fn stack_openings(
    blocks: Numbers<'_>,
    gravity: f64,
    angles: Numbers<'_>,
    rates: Numbers<'_>,
    base: (f64, f64),
) -> PyResult<String> {
    let blocks = (blocks.as_slice()?, gravity);
    let (stack, state) = at(blocks, angles.as_slice()?, rates.as_slice()?).map_err(input)?;
    let found = stack.openings(&state, base.0, base.1).map_err(input)?;
    Ok(found.to_string())
}

/// The impact of an interface, counted from the base.
#[pyfunction]
pub fn stack_impact<'py>(
    py: Python<'py>,
    blocks: Numbers<'py>,
    gravity: f64,
    angles: Numbers<'py>,
    rates: Numbers<'py>,
    interface: usize,
    relative: Option<f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let blocks = (blocks.as_slice()?, gravity);
    let (stack, state) = at(blocks, angles.as_slice()?, rates.as_slice()?).map_err(input)?;
    let law = relative.map_or(InterfaceRestitution::Housner, |ratio| {
        InterfaceRestitution::Relative { ratio }
    });
    let told = stack
        .impact(&state.landing(interface), interface, law)
        .map_err(input)?;
    let standing = 0..told.after.len();
    let dict = PyDict::new(py);
    let rates: Vec<f64> = standing.map(|k| told.after.rate(k)).collect();
    let impulses = told.impulses.iter();
    let impulses: Vec<[f64; 3]> = impulses.map(|i| [i.normal, i.tangent, i.moment]).collect();
    dict.set_item("configuration", told.after.configuration().to_string())?;
    dict.set_item("rates_rad_s", rates)?;
    dict.set_item("energy_j", told.energy)?;
    dict.set_item("impulses", impulses)?;
    dict.set_item("admissible", told.admissible)?;
    Ok(dict)
}
