//! Reads the Tschamut 2014 runs (EnviDat doi 10.16904/envidat.34), where they are at hand.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{Campaign, FieldRock, ObservedRun};
use std::path::PathBuf;

/// Cells at the rim of the raster that are padding: 45 m beyond the measured points, rounded down to whole cells of 5
/// m.
const PADDING: usize = 8;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/rockfall/tschamut2014")
}

fn table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(folder().join(name)).unwrap();
    let mut rows = text
        .lines()
        .map(|l| l.split(',').map(str::to_owned).collect::<Vec<_>>());
    (rows.next().unwrap(), rows.collect())
}

/// A table as a function of row and column name.
fn cells(name: &str) -> (usize, impl Fn(usize, &str) -> String) {
    let (header, rows) = table(name);
    let cell = {
        let rows = rows.clone();
        move |row: usize, column: &str| {
            rows[row][header.iter().position(|h| h == column).unwrap()].clone()
        }
    };
    (rows.len(), cell)
}

/// The raster without its padding; `None` where the data are absent.
pub fn terrain() -> Option<Grid> {
    let text = std::fs::read_to_string(folder().join("terrain.asc")).ok()?;
    let grid = klast_geometry::terrain::read_esri_ascii(&text).unwrap();
    let (columns, rows) = (grid.columns() - 2 * PADDING, grid.rows() - 2 * PADDING);
    let heights = (0..rows).flat_map(|r| {
        let start = (r + PADDING) * grid.columns() + PADDING;
        grid.heights()[start..start + columns].to_vec()
    });
    let origin = grid.origin().truncate() + DVec2::splat(PADDING as f64 * grid.cell());
    Some(Grid::new(columns, rows, grid.cell(), origin, heights.collect()).unwrap())
}

/// The campaign.
pub fn campaign(terrain: &Grid) -> Campaign<'_> {
    let (blocks, block) = cells("block_metadata.csv");
    let (releases, release) = cells("calibration_release_points.csv");
    let (_, rest) = cells("calibration_observed_deposition.csv");
    let number = |text: String| text.parse::<f64>().unwrap();
    let origin = terrain.origin().truncate();
    let rocks = (0..blocks).map(|k| FieldRock {
        sizes: DVec3::from(["size_x_m", "size_y_m", "size_z_m"].map(|c| number(block(k, c)))),
        mass: number(block(k, "mass_kg")),
        density: 2650.0,
        class: 0,
    });
    let runs = (0..releases).map(|k| {
        assert_eq!(release(k, "trajectory_id"), rest(k, "trajectory_id"));
        ObservedRun {
            name: release(k, "trajectory_id"),
            release: DVec2::from(["x_m", "y_m"].map(|c| number(release(k, c)))) - origin,
            velocity: DVec3::from(["vx_mps", "vy_mps", "vz_mps"].map(|c| number(release(k, c)))),
            rock: (0..blocks)
                .position(|b| block(b, "block_id") == release(k, "block_id"))
                .unwrap(),
            deposition: DVec2::from(["x_m", "y_m"].map(|c| number(rest(k, c)))) - origin,
        }
    });
    Campaign {
        terrain,
        rocks: rocks.collect(),
        runs: runs.collect(),
        stop: StopConditions {
            maximum_time: 60.0,
            ..StopConditions::default()
        },
        contact_step: Some(0.01),
        drag_height: 0.5,
        least_runout: 5.0,
        seed: 1,
    }
}
