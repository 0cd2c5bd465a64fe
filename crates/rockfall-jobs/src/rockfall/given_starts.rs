//! Starts one by one from a table.

use glam::{DQuat, DVec2};
use klast_rockfall::GivenStart;
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::ground_extent::Land;
use super::scene::Source;
use klast_files::table::{self, Faults, Row};
use klast_runs::faults::Fault;
use klast_runs::text::SceneText;

/// Columns beside the place, in groups of which all or none are given.
const ATTITUDE: [&str; 4] = ["qw", "qx", "qy", "qz"];
const VELOCITY: [&str; 3] = ["vx_m_s", "vy_m_s", "vz_m_s"];
const SPIN: [&str; 3] = ["wx_rad_s", "wy_rad_s", "wz_rad_s"];

/// Reads the starts of a file.
///
/// # Errors
/// A table that cannot be read, with every row that is wrong and its column.
pub fn read(file: &str, text: &SceneText, land: &Land, source: &Source) -> Result<Vec<GivenStart>> {
    let rows = table::rows(&text.path(file), &text.read_bytes(file)?)?;
    let known = |name: &str| {
        ["x_m", "y_m", "z_m", "shape", "mass_kg"].contains(&name)
            || ATTITUDE.contains(&name)
            || VELOCITY.contains(&name)
            || SPIN.contains(&name)
    };
    for said in klast_runs::plausible::columns(&rows) {
        text.caution(said);
    }
    if let Some(row) = rows.first() {
        let unknown: Vec<&str> = row.columns().filter(|c| !known(c)).collect();
        ensure!(
            unknown.is_empty(),
            Fault::of_file(file, format!("columns {}", unknown.join(", "))).accepted(format!(
                "x_m, y_m, z_m, {}, {}, {}, shape, mass_kg",
                ATTITUDE.join(", "),
                VELOCITY.join(", "),
                SPIN.join(", ")
            ))
        );
    }
    let mut faults = Faults::default();
    let starts = rows.iter().map(|row| {
        let start = start(row, source.shapes.len()).and_then(|start| over(land, row, start));
        faults.keep(start)
    });
    let starts = starts.collect::<Vec<_>>();
    faults.none()?;
    let starts: Vec<GivenStart> = starts.into_iter().flatten().collect();
    if let Some(said) = below(land, &rows, &starts, source.raise_buried_up_to_m) {
        text.caution(said);
    }
    Ok(starts)
}

/// Refuses a start where the terrain has no height.
fn over(land: &Land, row: &Row, start: GivenStart) -> Result<GivenStart> {
    let place = start.place;
    ensure!(
        land.height(place).is_some(),
        "{}: release at ({}, {}) m is off the map or over missing data; accepted: a place with ground in {}",
        row.place(),
        place.x,
        place.y,
        land.extent()
    );
    Ok(start)
}

/// What is said of starts whose mass centre is below the ground by more than they are raised (m): the run leaves them
/// out.
fn below(land: &Land, rows: &[Row], starts: &[GivenStart], raised: f64) -> Option<String> {
    let buried = rows.iter().zip(starts).filter_map(|(row, start)| {
        let (z, ground) = (start.elevation?, land.height(start.place)?);
        (z + raised < ground).then_some((row, z, ground))
    });
    let buried: Vec<_> = buried.collect();
    let (row, z, ground) = buried.first()?;
    Some(format!(
        "{}: z_m is {z} where the ground stands at {ground:.2} m; {} of {} starts have their mass centre below the ground and are not run",
        row.place(),
        buried.len(),
        starts.len()
    ))
}

/// All of a group of columns, or none.
fn group<const N: usize>(row: &Row, columns: [&'static str; N]) -> Result<Option<[f64; N]>> {
    let found = columns.iter().filter(|c| row.has(c)).count();
    if found == 0 {
        return Ok(None);
    }
    ensure!(
        found == N,
        "{}: {found} of the columns {}; accepted: all of them or none",
        row.place(),
        columns.join(", ")
    );
    let mut numbers = [0.0; N];
    for (number, column) in numbers.iter_mut().zip(columns) {
        *number = row.number(column)?;
    }
    Ok(Some(numbers))
}

fn start(row: &Row, shapes: usize) -> Result<GivenStart> {
    let one = |column: &'static str| row.has(column).then(|| row.number(column)).transpose();
    let shape = match one("shape")? {
        None => None,
        Some(k) if k.fract() == 0.0 && k >= 1.0 && k <= shapes as f64 => Some(k as usize - 1),
        Some(k) => bail!("{}: shape is {k}; accepted: 1 to {shapes}", row.place()),
    };
    let attitude = group(row, ATTITUDE)?.map(|[w, x, y, z]| DQuat::from_xyzw(x, y, z, w));
    if attitude.is_some_and(|q| q.length_squared() == 0.0) {
        bail!(
            "{}: a quaternion of length 0; accepted: any other",
            row.place()
        );
    }
    Ok(GivenStart {
        place: DVec2::new(row.number("x_m")?, row.number("y_m")?),
        elevation: one("z_m")?,
        attitude,
        velocity: group(row, VELOCITY)?.map(Into::into),
        spin: group(row, SPIN)?.map(Into::into),
        group: shape,
        mass: one("mass_kg").context("mass")?,
    })
}
