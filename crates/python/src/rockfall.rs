//! Rocks, paths and maps of a rockfall run as arrays.

use glam::DVec3;
use klast_rockfall::{Arc, Motion, Outcome, RockResult, Simulation};
use klast_rockfall_jobs::rockfall::result::Results as Rockfall;
use klast_runs::Results;
use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;

use crate::columns::Columns;
use crate::errors::input;

fn of(results: &dyn Results) -> PyResult<&Rockfall> {
    let other = || {
        input(anyhow::anyhow!(
            "results of another kind; accepted: rockfall"
        ))
    };
    results.of().ok_or_else(other)
}

fn outcome(simulation: &Simulation, outcome: Outcome) -> String {
    match outcome {
        Outcome::Stopped => "stopped".to_owned(),
        Outcome::LeftMap => "left_map".to_owned(),
        Outcome::TimedOut => "timed_out".to_owned(),
        Outcome::Unresolved => "unresolved".to_owned(),
        Outcome::Caught { barrier } => {
            let collector = simulation.scene().collectors.get(barrier as usize);
            format!(
                "caught: {}",
                collector.map_or("", |collector| &collector.name)
            )
        }
    }
}

/// How rocks ended, a row each, in map coordinates.
pub fn ends<'py>(
    py: Python<'py>,
    results: &dyn Results,
    rocks: &[(u64, RockResult)],
) -> PyResult<Bound<'py, PyDict>> {
    let simulation = &of(results)?.simulation;
    let scene = simulation.scene();
    let origin = scene.terrain.origin();
    let each = || rocks.iter().map(|(_, rock)| rock);
    let source = |rock: &RockResult| match scene.seeders.get(rock.source) {
        Some(seeder) => seeder.name.clone(),
        None => String::new(),
    };
    Ok(Columns::new(py)
        .numbers("rock", rocks.iter().map(|(number, _)| *number as i64))?
        .words("source", each().map(source))?
        .words("outcome", each().map(|r| outcome(simulation, r.outcome)))?
        .numbers("mass_kg", each().map(|r| r.mass))?
        .vectors("start_m", each().map(|r| r.start + origin))?
        .vectors("end_m", each().map(|r| r.end + origin))?
        .numbers("time_s", each().map(|r| r.time))?
        .numbers("runout_m", each().map(RockResult::runout))?
        .numbers("annual_frequency", each().map(|r| r.weight))?
        .numbers("energy_gains", each().map(|r| i64::from(r.energy_gains)))?
        .numbers("unconverged", each().map(|r| i64::from(r.unconverged)))?
        .finish())
}

/// The exact paths of some rocks in map coordinates: arcs of constant acceleration one after the other, the first arc
/// of each rock in `first`, and what became of it.
pub fn paths<'py>(
    py: Python<'py>,
    results: &dyn Results,
    rocks: &[u64],
) -> PyResult<Bound<'py, PyDict>> {
    let simulation = &of(results)?.simulation;
    let count = simulation.count();
    if let Some(rock) = rocks.iter().find(|rock| **rock >= count) {
        return Err(input(anyhow::anyhow!(
            "rock: {rock}; accepted: 0 to {}",
            count.saturating_sub(1)
        )));
    }
    let origin = simulation.scene().terrain.origin();
    let follow = |rock: &u64| {
        let mut arcs: Vec<Arc> = Vec::new();
        let result = simulation.rock(*rock, &mut |arc| arcs.push(*arc));
        (result, arcs)
    };
    let followed: Vec<(RockResult, Vec<Arc>)> =
        py.detach(|| rocks.par_iter().map(follow).collect());
    let mut first = vec![0_i64];
    for (_, arcs) in &followed {
        first.push(first[first.len() - 1] + arcs.len() as i64);
    }
    let arcs = || followed.iter().flat_map(|(_, arcs)| arcs);
    let vectors = |of: fn(&Arc) -> DVec3| arcs().map(of);
    let columns = Columns::new(py)
        .numbers("time_s", arcs().map(|a| a.time))?
        .numbers("duration_s", arcs().map(|a| a.duration))?
        .vectors("position_m", arcs().map(|a| a.position + origin))?
        .vectors("velocity_m_s", vectors(|a| a.velocity))?
        .vectors("acceleration_m_s2", vectors(|a| a.acceleration))?
        .vectors("spin_rad_s", vectors(|a| a.spin))?
        .numbers("rotational_energy_j", arcs().map(|a| a.rotational_energy))?
        .numbers("flight", arcs().map(|a| a.motion == Motion::Flight))?
        .numbers("first", first)?
        .numbers("mass_kg", followed.iter().map(|(r, _)| r.mass))?
        .words(
            "outcome",
            followed.iter().map(|(r, _)| outcome(simulation, r.outcome)),
        )?;
    Ok(columns.finish())
}

/// The coordinate reference system of the terrain, if it has one.
pub fn crs(results: &dyn Results) -> PyResult<Option<String>> {
    let terrain = &of(results)?.simulation.scene().terrain;
    Ok(terrain.crs().map(str::to_owned))
}

/// Maps with their place; none of a run without them.
pub fn maps<'py>(py: Python<'py>, results: &dyn Results) -> PyResult<Option<Bound<'py, PyDict>>> {
    let rockfall = of(results)?;
    let terrain = &rockfall.simulation.scene().terrain;
    let raster = rockfall.statistics.raster.as_ref();
    let Some(raster) = raster.filter(|_| !rockfall.maps.is_empty()) else {
        return Ok(None);
    };
    let frame = raster.frame();
    let corner = terrain.origin().truncate() + frame.corner;
    let shape = [frame.rows as usize, frame.columns as usize];
    let list = PyList::empty(py);
    for map in &rockfall.maps {
        let values = (0..shape[0] * shape[1]).map(|k| map.value(k));
        let values = PyArray1::from_iter(py, values).reshape(shape)?;
        list.append((&map.name, &map.words, map.label, values))?;
    }
    let dict = PyDict::new(py);
    dict.set_item("corner_m", (corner.x, corner.y))?;
    dict.set_item("cell_m", frame.cell)?;
    dict.set_item("crs", terrain.crs())?;
    dict.set_item("maps", list)?;
    Ok(Some(dict))
}
