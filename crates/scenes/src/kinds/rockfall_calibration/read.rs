//! From the scene and its tables to a campaign.

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec2;
use klast_geometry::terrain::{Area, Grid, Terrain};
use klast_rockfall::calibrate::{FieldRock, GroundSet, ObservedRun, Prior};

use super::scene::Scene;
use crate::formats::table;
use crate::kinds::rockfall::understood;
use crate::text::SceneText;

/// What the files of a scene hold.
pub struct Field {
    /// The ground without its margin.
    pub grid: Grid,
    /// Number of rocks.
    pub rocks: Vec<FieldRock>,
    /// Runs in local coordinates.
    pub runs: Vec<ObservedRun>,
}

impl Field {
    /// Reads every file of a scene.
    pub fn read(scene: &Scene, text: &SceneText) -> Result<Self> {
        let (grid, covered) = grid(scene, text)?;
        let table = |file: &str| table::rows(&text.path(file), &text.read_bytes(file)?);
        let blocks = table(&scene.blocks)?;
        let mut rocks = Vec::new();
        for row in &blocks {
            rocks.push(FieldRock {
                sizes: row.vector(["size_x_m", "size_y_m", "size_z_m"])?,
                mass: row.number("mass_kg")?,
                density: scene.density_kg_m3,
            });
        }
        let releases = table(&scene.releases)?;
        let depositions = table(&scene.depositions)?;
        let origin = grid.origin().truncate();
        for (rows, column) in [
            (&blocks, "block_id"),
            (&releases, "trajectory_id"),
            (&depositions, "trajectory_id"),
        ] {
            once(rows, column)?;
        }
        for row in releases.iter().chain(&depositions) {
            over(covered, row)?;
        }
        let at = |row: &table::Row| Ok::<_, anyhow::Error>(place(row)? - origin);
        let mut runs = Vec::new();
        for row in &releases {
            let name = row.word("trajectory_id")?;
            let mut rest = depositions
                .iter()
                .filter(|d| d.word("trajectory_id").is_ok_and(|n| n == name));
            let Some(rest) = rest.next() else {
                bail!("{}: run '{name}' has no place of rest", scene.depositions);
            };
            let block = row.word("block_id")?;
            let rock = blocks
                .iter()
                .position(|b| b.word("block_id").is_ok_and(|n| n == block));
            runs.push(ObservedRun {
                name: name.to_owned(),
                release: at(row)?,
                velocity: row.vector(["vx_mps", "vy_mps", "vz_mps"])?,
                rock: rock.with_context(|| format!("run '{name}': no block '{block}'"))?,
                deposition: at(rest)?,
            });
        }
        Ok(Self { grid, rocks, runs })
    }
}

/// The place in a row, in map coordinates.
fn place(row: &table::Row) -> Result<DVec2> {
    Ok(DVec2::new(row.number("x_m")?, row.number("y_m")?))
}

/// Refuses a name that stands in two rows: which of them is meant is not known.
fn once(rows: &[table::Row], column: &str) -> Result<()> {
    let mut seen = std::collections::HashSet::new();
    for row in rows {
        let name = row.word(column)?;
        ensure!(
            seen.insert(name),
            "{}: {column} '{name}' stands in a row before; accepted: one row for each",
            row.place()
        );
    }
    Ok(())
}

/// Refuses a place beside the raster, of which the margin is a part: coordinates of another system lie kilometres away.
fn over(covered: Area, row: &table::Row) -> Result<()> {
    let (p, Area { lower, upper }) = (place(row)?, covered);
    ensure!(
        p.cmpge(lower).all() && p.cmple(upper).all(),
        "{}: trajectory_id '{}': x_m {}, y_m {} is beside the terrain, x {} to {}, y {} to {}; accepted: coordinates of \
         the terrain",
        row.place(),
        row.word("trajectory_id")?,
        p.x,
        p.y,
        lower.x,
        upper.x,
        lower.y,
        upper.y
    );
    Ok(())
}

/// The raster without its margin, and the area of all of it in map coordinates.
fn grid(scene: &Scene, text: &SceneText) -> Result<(Grid, Area)> {
    let path = text.path(&scene.terrain);
    let name = path.display().to_string();
    let ground = text.read_raster(&scene.terrain)?.into_ground();
    let ground = ground.with_context(|| name.clone())?;
    understood::ground(&scene.terrain, &ground, text);
    let grid = ground.grid;
    let (area, corner) = (grid.extent(), grid.origin().truncate());
    let covered = Area {
        lower: area.lower + corner,
        upper: area.upper + corner,
    };
    let widest = 0.5 * grid.cell() * grid.columns().min(grid.rows()) as f64 - grid.cell();
    ensure!(
        (0.0..=widest).contains(&scene.margin_m),
        "margin_m is {}; accepted: 0 to {widest}",
        scene.margin_m
    );
    // Whole cells; a hair more, because a margin may be a multiple of the cell in decimals only.
    let cells = (scene.margin_m / grid.cell() + 1e-9) as usize;
    let (columns, rows) = (grid.columns() - 2 * cells, grid.rows() - 2 * cells);
    let lines = grid.heights().chunks(grid.columns());
    let inner = lines.skip(cells).take(rows);
    let heights = inner.flat_map(|line| line.iter().skip(cells).take(columns).copied());
    let origin = grid.origin().truncate() + DVec2::splat(cells as f64 * grid.cell());
    let inner = Grid::new(columns, rows, grid.cell(), origin, heights.collect())?;
    Ok((inner, covered))
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
    let prior = Prior {
        lower: GroundSet::from_values(lower),
        upper: GroundSet::from_values(upper),
    };
    prior.validate()?;
    Ok(prior)
}
