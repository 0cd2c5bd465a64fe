//! Friction and complementarity problems from arrays.

use glam::{DMat3, DVec3};
use klast_contact::{
    Delassus, FrictionContactProblem, LcpMethod, LcpOptions, LcpStatus,
    LinearComplementarityProblem, Method, Residual, SolveOptions, Workspace,
};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{rows, vectors};
use crate::errors::input;

type Numbers<'py> = PyReadonlyArray1<'py, f64>;
type Indices<'py> = PyReadonlyArray1<'py, i64>;

fn slice<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<T>) -> PyResult<&'a [T]> {
    array
        .as_slice()
        .map_err(|_| input(anyhow::anyhow!("an array with gaps; accepted: contiguous")))
}

/// The problem of blocks `(row, column, nine numbers by rows)`, three numbers of `q` and one of `mu` a contact.
fn problem(
    (row, column, blocks): (&[i64], &[i64], &[f64]),
    q: &[f64],
    mu: &[f64],
) -> anyhow::Result<FrictionContactProblem> {
    let index = |i: i64| usize::try_from(i).unwrap_or(usize::MAX);
    let block = |entries: &[f64; 9]| DMat3::from_cols_array(entries).transpose();
    let placed = row.iter().zip(column).zip(blocks.as_chunks().0);
    let placed = placed.map(|((i, j), entries)| (index(*i), index(*j), block(entries)));
    let w = Delassus::from_blocks(mu.len(), placed)?;
    Ok(FrictionContactProblem::new(w, vectors(q), mu.to_vec())?)
}

fn told<'py>(py: Python<'py>, residual: &Residual) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("absolute", residual.absolute)?;
    dict.set_item("relative", residual.relative)?;
    dict.set_item("natural_map", residual.natural_map)?;
    Ok(dict)
}

/// Solves a frictional contact problem. Impulses and velocities are rows `(n, t1, t2)`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "keywords of one Python call")]
pub fn solve_friction<'py>(
    py: Python<'py>,
    row: Indices<'py>,
    column: Indices<'py>,
    blocks: Numbers<'py>,
    q: Numbers<'py>,
    mu: Numbers<'py>,
    method: &str,
    tolerance: f64,
    max_iterations: usize,
    start: Option<Numbers<'py>>,
) -> PyResult<Bound<'py, PyDict>> {
    let names = || Method::ALL.map(Method::name).join(", ");
    let method = Method::from_name(method)
        .ok_or_else(|| input(anyhow::anyhow!("method: '{method}'; accepted: {}", names())))?;
    let options = SolveOptions {
        method,
        tolerance,
        max_iterations,
    };
    let placed = (slice(&row)?, slice(&column)?, slice(&blocks)?);
    let (q, mu) = (slice(&q)?, slice(&mu)?);
    let start = start.as_ref().map(slice).transpose()?.map(vectors);
    let (solution, velocities) = py
        .detach(|| -> anyhow::Result<_> {
            let problem = problem(placed, q, mu)?;
            let mut workspace = Workspace::new();
            let solution = workspace
                .solve(&problem, &options, start.as_deref())
                .clone();
            let velocities = problem.velocities(&solution.impulses);
            Ok((solution, velocities))
        })
        .map_err(input)?;
    let array = |list: &[DVec3]| rows(py, list.iter().map(|v| v.to_array()));
    let dict = told(py, &solution.residual)?;
    dict.set_item("impulses", array(&solution.impulses)?)?;
    dict.set_item("velocities", array(&velocities)?)?;
    dict.set_item("status", solution.status.name())?;
    dict.set_item("iterations", solution.iterations)?;
    Ok(dict)
}

/// The residual of impulses that came from elsewhere.
#[pyfunction]
pub fn residual<'py>(
    py: Python<'py>,
    row: Indices<'py>,
    column: Indices<'py>,
    blocks: Numbers<'py>,
    q: Numbers<'py>,
    mu: Numbers<'py>,
    impulses: Numbers<'py>,
) -> PyResult<Bound<'py, PyDict>> {
    let placed = (slice(&row)?, slice(&column)?, slice(&blocks)?);
    let (q, mu, impulses) = (slice(&q)?, slice(&mu)?, slice(&impulses)?);
    let residual = py.detach(|| -> anyhow::Result<_> {
        Ok(Residual::of(&problem(placed, q, mu)?, &vectors(impulses)))
    });
    told(py, &residual.map_err(input)?)
}

/// Solves a linear complementarity problem: `z >= 0`, `w = M z + q >= 0`, `z w = 0`; `m` by rows.
#[pyfunction]
pub fn solve_lcp<'py>(
    py: Python<'py>,
    m: Numbers<'py>,
    q: Numbers<'py>,
    method: &str,
    tolerance: f64,
    max_iterations: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let method = match method {
        "default" => LcpMethod::Default,
        "lemke" => LcpMethod::Lemke,
        "gauss-seidel" => LcpMethod::ProjectedGaussSeidel,
        "enumeration" => LcpMethod::Enumeration,
        _ => {
            return Err(input(anyhow::anyhow!(
                "method: '{method}'; accepted: default, lemke, gauss-seidel, enumeration"
            )));
        }
    };
    let options = LcpOptions {
        method,
        tolerance,
        max_iterations,
    };
    let (m, q) = (slice(&m)?.to_vec(), slice(&q)?.to_vec());
    let solution = py
        .detach(|| {
            let problem = LinearComplementarityProblem::new(m, q)?;
            anyhow::Ok(klast_contact::solve_lcp(&problem, &options))
        })
        .map_err(input)?;
    let (status, certificate) = match solution.status {
        LcpStatus::Solved => ("converged", None),
        LcpStatus::Ray => ("ray", None),
        LcpStatus::Infeasible { certificate } => ("infeasible", Some(certificate)),
        LcpStatus::NotConverged => ("not converged", None),
    };
    let dict = PyDict::new(py);
    dict.set_item("z", solution.z.into_pyarray(py))?;
    dict.set_item("w", solution.w.into_pyarray(py))?;
    dict.set_item("status", status)?;
    dict.set_item("certificate", certificate.map(|y| y.into_pyarray(py)))?;
    dict.set_item("iterations", solution.iterations)?;
    dict.set_item("absolute", solution.residual)?;
    dict.set_item("relative", solution.relative)?;
    Ok(dict)
}
