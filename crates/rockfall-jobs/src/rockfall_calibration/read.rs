//! From the scene and its tables to a campaign.

use glam::DVec2;
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::calibrate::{
    FieldRock, GroundSet, MOST_CLASSES, MOST_CLASSES_ON_YIELDING, ObservedRun, Prior, SETS,
    Yielding,
};
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use super::scene::Scene;
use crate::rockfall::input_remarks;
use klast_files::table::{self, Faults, Row};
use klast_runs::faults::Fault;
use klast_runs::text::SceneText;

const BLOCK: [&str; 5] = ["block_id", "mass_kg", "size_x_m", "size_y_m", "size_z_m"];
const RELEASE: [&str; 7] = [
    "trajectory_id",
    "x_m",
    "y_m",
    "vx_mps",
    "vy_mps",
    "vz_mps",
    "block_id",
];
const DEPOSITION: [&str; 3] = ["trajectory_id", "x_m", "y_m"];

/// What the files of a scene hold.
pub struct Field {
    /// The ground without its margin.
    pub grid: Grid,
    /// The rocks.
    pub rocks: Vec<FieldRock>,
    /// Names of the classes of rock, in the order in which they first stand; empty where there are none.
    pub classes: Vec<String>,
    /// Runs in local coordinates.
    pub runs: Vec<ObservedRun>,
}

impl Field {
    /// Reads every file of a scene; everything that is wrong with the tables is in one error.
    pub fn read(scene: &Scene, text: &SceneText) -> Result<Self> {
        let (grid, measured) = grid(scene, text)?;
        let mut faults = Faults::default();
        let mut table = |file: &str| {
            let rows = table::rows(&text.path(file), &text.read_bytes(file)?);
            Ok::<_, klast_runs::Error>(faults.keep(rows).unwrap_or_default())
        };
        let blocks = table(&scene.blocks)?;
        let releases = table(&scene.releases)?;
        let depositions = table(&scene.depositions)?;
        faults.none()?;
        let mut faults = Faults::default();
        let tables = [
            (&scene.blocks, &blocks, &BLOCK[..]),
            (&scene.releases, &releases, &RELEASE),
            (&scene.depositions, &depositions, &DEPOSITION),
        ];
        for (file, rows, columns) in tables {
            if let Some(said) = table::lacking(file, rows, columns.iter().copied()) {
                faults.add(said);
            }
        }
        faults.none()?;
        let mut faults = Faults::default();
        for said in tables
            .iter()
            .flat_map(|(_, rows, _)| klast_runs::plausible::columns(rows))
        {
            text.caution(said);
        }
        for (_, rows, columns) in tables {
            once(rows, columns[0], &mut faults);
        }
        for row in releases.iter().chain(&depositions) {
            faults.keep(over(&measured, row));
        }
        let most = match scene.prior.yield_pressure_kpa {
            Some(_) => MOST_CLASSES_ON_YIELDING,
            None => MOST_CLASSES,
        };
        let classes = classes(&blocks, most, &mut faults);
        let rocks = blocks.iter().filter_map(|row| {
            let rock = rock(row, &classes, scene.density_kg_m3);
            faults.keep(rock)
        });
        let rocks: Vec<FieldRock> = rocks.collect();
        let named = |rows: &[Row], column: &str, name: &str| {
            let of = |row: &Row| row.word(column).is_ok_and(|n| n == name);
            rows.iter().position(of)
        };
        let origin = grid.origin().truncate();
        let run = |row: &Row| -> Result<ObservedRun> {
            let name = row.word("trajectory_id")?;
            let rest = named(&depositions, "trajectory_id", name).with_context(|| {
                format!("{}: run '{name}' has no place of rest", scene.depositions)
            })?;
            let block = row.word("block_id")?;
            let rock = named(&blocks, "block_id", block);
            Ok(ObservedRun {
                name: name.to_owned(),
                release: place(row)? - origin,
                velocity: row.vector(["vx_mps", "vy_mps", "vz_mps"])?,
                rock: rock.with_context(|| no_block(row, block, &blocks))?,
                deposition: place(&depositions[rest])? - origin,
            })
        };
        let runs = releases.iter().filter_map(|row| faults.keep(run(row)));
        let runs = runs.collect();
        released(&depositions, &releases, &scene.releases, &mut faults);
        faults.none()?;
        let mut doubted = blocks.iter().zip(&rocks);
        if let Some((row, said)) = doubted.find_map(|(row, rock)| Some((row, filling(rock)?))) {
            text.caution(format!("{}: {said}", row.place()));
        }
        Ok(Self {
            grid,
            rocks,
            classes,
            runs,
        })
    }
}

/// The column of the classes of rock, which a table of blocks may have.
const CLASS: &str = "class";
/// Blocks at most that a message names.
const MOST_NAMED: usize = 10;
/// Letters of the name of a class at most: columns are named after it.
const LONGEST_CLASS: usize = 40;

/// Names of the classes of rock, in the order in which they first stand and up to a number; none without the column.
fn classes(blocks: &[Row], most: usize, faults: &mut Faults) -> Vec<String> {
    let mut classes: Vec<String> = Vec::new();
    if !blocks.iter().any(|row| row.has(CLASS)) {
        return classes;
    }
    for row in blocks {
        let name = row.word(CLASS).unwrap_or_default();
        let known = |c: char| c.is_alphanumeric() || [' ', '-', '_'].contains(&c);
        let named = name.starts_with(char::is_alphanumeric)
            && name.chars().all(known)
            && name.chars().count() <= LONGEST_CLASS;
        if !named {
            faults.add(format!(
                "{}: {CLASS} '{name}'; accepted: a name of up to {LONGEST_CLASS} letters, digits, spaces, - and _ in each row, or no such column",
                row.place()
            ));
        }
        if !classes.iter().any(|c| c == name) {
            classes.push(name.to_owned());
        }
    }
    if classes.len() > most {
        faults.add(format!(
            "{}: {} classes of rock; accepted: up to {most}, as the {SETS} sets of parameters that are tried tell no more apart",
            blocks.first().map_or("", Row::place),
            classes.len()
        ));
    }
    classes
}

/// What is said of a run whose block the table of blocks does not have: the first blocks that there are.
fn no_block(row: &Row, block: &str, blocks: &[Row]) -> String {
    let names = blocks.iter().filter_map(|row| row.word("block_id").ok());
    let mut names: Vec<&str> = names.collect();
    let more = names.len() > MOST_NAMED;
    names.truncate(MOST_NAMED);
    format!(
        "{}: no block '{block}'; accepted: a block_id of the table of blocks: {}{}",
        row.place(),
        names.join(", "),
        if more { " …" } else { "" }
    )
}

/// A rock as its row says it.
fn rock(row: &Row, classes: &[String], density: f64) -> Result<FieldRock> {
    let positive = |column: &'static str| -> Result<f64> {
        let value = row.number(column)?;
        ensure!(
            value > 0.0,
            "{}: {column} is {value}; accepted: above 0",
            row.place()
        );
        Ok(value)
    };
    let sizes = [
        positive("size_x_m")?,
        positive("size_y_m")?,
        positive("size_z_m")?,
    ];
    Ok(FieldRock {
        sizes: sizes.into(),
        mass: positive("mass_kg")?,
        density,
        class: classes
            .iter()
            .position(|c| row.word(CLASS).is_ok_and(|name| name == c))
            .unwrap_or(0),
    })
}

/// Fractions of the box of its outer sizes that a rock fills: most fill about half of it.
const FILLING: std::ops::RangeInclusive<f64> = 0.1..=1.5;

/// What is said of a rock whose mass does not fit its sizes.
fn filling(rock: &FieldRock) -> Option<String> {
    let sizes = rock.sizes;
    let filled = rock.mass / (rock.density * sizes.x * sizes.y * sizes.z);
    (!FILLING.contains(&filled)).then(|| {
        format!(
            "a mass of {} kg at {} kg/m³ fills {filled:.2e} of the box of {} x {} x {} m; usual is {} to {}: are the sizes in \
             m and the mass in kg?",
            rock.mass, rock.density, sizes.x, sizes.y, sizes.z, FILLING.start(), FILLING.end()
        )
    })
}

/// The place in a row, in map coordinates.
fn place(row: &Row) -> Result<DVec2> {
    Ok(DVec2::new(row.number("x_m")?, row.number("y_m")?))
}

/// Refuses a name that stands in two rows: which of them is meant is not known.
fn once(rows: &[Row], column: &str, faults: &mut Faults) {
    let mut seen = std::collections::HashSet::new();
    for row in rows {
        let name = row.word(column).unwrap_or_default();
        if !seen.insert(name) {
            faults.add(format!(
                "{}: {column} '{name}' stands in a row before; accepted: one row for each",
                row.place()
            ));
        }
    }
}

/// Refuses a place of rest of a run that is not released: with a name that is misspelt, an observation would be lost.
fn released(depositions: &[Row], releases: &[Row], file: &str, faults: &mut Faults) {
    let names = releases.iter().filter_map(|row| row.word(RELEASE[0]).ok());
    let names: std::collections::HashSet<&str> = names.collect();
    for row in depositions {
        let name = row.word(DEPOSITION[0]).unwrap_or_default();
        if !names.contains(name) {
            faults.add(format!(
                "{}: {} '{name}' has no release; accepted: the runs of {file}",
                row.place(),
                DEPOSITION[0]
            ));
        }
    }
}

/// Refuses a place beside the raster, of which the margin is a part, or where it has no height: coordinates of another
/// system lie kilometres away.
fn over(measured: &Grid, row: &Row) -> Result<()> {
    let (p, corner) = (place(row)?, measured.origin().truncate());
    let extent = measured.extent();
    let (lower, upper) = (extent.lower + corner, extent.upper + corner);
    let said = || -> Result<String> {
        Ok(format!(
            "{}: trajectory_id '{}': x_m {}, y_m {} is",
            row.place(),
            row.word("trajectory_id")?,
            p.x,
            p.y
        ))
    };
    if !(p.cmpge(lower).all() && p.cmple(upper).all()) {
        bail!(
            "{} beside the terrain, x {} to {}, y {} to {}; accepted: coordinates of the terrain",
            said()?,
            lower.x,
            upper.x,
            lower.y,
            upper.y
        );
    }
    let local = p - corner;
    if measured.surface(local.x, local.y).is_none() {
        bail!(
            "{} where the terrain has no height; accepted: a place with one",
            said()?
        );
    }
    Ok(())
}

/// The raster without its margin, and all of it.
fn grid(scene: &Scene, text: &SceneText) -> Result<(Grid, Grid)> {
    let path = text.path(&scene.terrain);
    let name = path.display().to_string();
    let ground = text.read_raster(&scene.terrain)?.into_ground();
    let ground = klast_runs::error::in_command(&scene.terrain, ground);
    let ground = ground.with_context(|| name.clone())?;
    input_remarks::ground(&scene.terrain, &ground, text);
    let grid = ground.grid;
    let widest = 0.5 * grid.cell() * grid.columns().min(grid.rows()) as f64 - grid.cell();
    ensure!(
        (0.0..=widest).contains(&scene.margin_m),
        Fault::new("margin_m", scene.margin_m).accepted(format!("0 to {widest}"))
    );
    // Whole cells; a hair more, because a margin may be a multiple of the cell in decimals only.
    let cells = (scene.margin_m / grid.cell() + 1e-9) as usize;
    let (columns, rows) = (grid.columns() - 2 * cells, grid.rows() - 2 * cells);
    let starts = (cells..cells + rows).map(|row| row * grid.columns() + cells);
    let inner = starts.flat_map(|start| start..start + columns);
    let heights = inner.map(|k| grid.heights().get(k).unwrap_or(f64::NAN));
    let origin = grid.origin().truncate() + DVec2::splat(cells as f64 * grid.cell());
    let inner = Grid::new(columns, rows, grid.cell(), origin, heights.collect())?;
    Ok((inner, grid))
}

/// The ranges of a scene; those left out are the default's.
pub fn prior(scene: &Scene) -> Result<Prior> {
    let p = &scene.prior;
    let given = [
        p.normal_restitution,
        p.friction,
        p.scarring,
        p.scarring_growth_per_m,
        p.roughness_deg,
        p.drag_per_s,
        p.sharpness,
    ];
    let default = Prior::default();
    let (mut lower, mut upper) = (default.lower.values(), default.upper.values());
    for ((range, a), b) in given.into_iter().zip(&mut lower).zip(&mut upper) {
        if let Some([low, high]) = range {
            (*a, *b) = (low, high);
        }
    }
    let [least, greatest] = yielding(p)?;
    let prior = Prior {
        lower: GroundSet {
            yielding: least,
            ..GroundSet::from_values(lower)
        },
        upper: GroundSet {
            yielding: greatest,
            ..GroundSet::from_values(upper)
        },
    };
    prior.validate()?;
    Ok(prior)
}

/// Range of ρ (kg/m³) unless stated: from dry topsoil to dense moraine.
const EJECTED_DENSITY: [f64; 2] = [1000.0, 2200.0];

/// The ends of what ground that yields may be; none of rigid ground.
fn yielding(prior: &super::scene::Prior) -> Result<[Option<Yielding>; 2]> {
    let Some(pressure) = prior.yield_pressure_kpa else {
        ensure!(
            prior.ejected_density_kg_m3.is_none(),
            Fault::new(
                "prior.ejected_density_kg_m3",
                "a density without a yield pressure"
            )
            .accepted("this key beside yield_pressure_kpa, or neither for rigid ground")
        );
        return Ok([None; 2]);
    };
    let density = prior.ejected_density_kg_m3.unwrap_or(EJECTED_DENSITY);
    let end = |k: usize| Some(Yielding::from_values([pressure[k], density[k]]));
    Ok([end(0), end(1)])
}
