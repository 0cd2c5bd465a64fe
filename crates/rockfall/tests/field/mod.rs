//! The Tschamut 2014 runs (EnviDat doi 10.16904/envidat.34); source, licence and changes stand beside the data in
//! `docs/recipes/tschamut-2014`.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Terrain};
use klast_rockfall::StopConditions;
use klast_rockfall::calibrate::{Campaign, FieldRock, ObservedRun};

/// Cells at the rim of the raster that are padding: 45 m beyond the measured points, rounded down to whole cells of 5
/// m.
const PADDING: usize = 8;

/// The rows of a table below its head.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().skip(1).map(|line| line.split(',').collect())
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

/// A raster whose header is that of the file here: six lines, the corner of the south-western cell, no missing data.
fn grid(text: &str) -> Grid {
    let mut words = text.split_whitespace();
    let header: Vec<f64> = (0..6)
        .map(|_| words.nth(1).and_then(|word| word.parse().ok()).unwrap())
        .collect();
    let (columns, rows, cell) = (header[0] as usize, header[1] as usize, header[4]);
    let values: Vec<f64> = words.map(number).collect();
    let from_the_south = values.chunks(columns).rev().flatten().copied().collect();
    let origin = DVec2::new(header[2], header[3]) + DVec2::splat(0.5 * cell);
    Grid::new(columns, rows, cell, origin, from_the_south).unwrap()
}

/// The raster without its padding.
pub fn terrain() -> Grid {
    let grid = grid(include_str!(
        "../../../../docs/recipes/tschamut-2014/terrain.asc"
    ));
    let (columns, rows) = (grid.columns() - 2 * PADDING, grid.rows() - 2 * PADDING);
    let heights = (0..rows).flat_map(|r| {
        let start = (r + PADDING) * grid.columns() + PADDING;
        (start..start + columns)
            .filter_map(|k| grid.heights().get(k))
            .collect::<Vec<f64>>()
    });
    let origin = grid.origin().truncate() + DVec2::splat(PADDING as f64 * grid.cell());
    Grid::new(columns, rows, grid.cell(), origin, heights.collect()).unwrap()
}

/// The campaign.
pub fn campaign(terrain: &Grid) -> Campaign<'_> {
    let origin = terrain.origin().truncate();
    let (mut names, mut rocks) = (Vec::new(), Vec::new());
    for row in rows(include_str!(
        "../../../../docs/recipes/tschamut-2014/blocks.csv"
    )) {
        names.push(row[0]);
        rocks.push(FieldRock {
            sizes: DVec3::new(number(row[2]), number(row[3]), number(row[4])),
            mass: number(row[1]),
            density: 2650.0,
            class: 0,
        });
    }
    let at = |x: &str, y: &str| DVec2::new(number(x), number(y)) - origin;
    let releases = rows(include_str!(
        "../../../../docs/recipes/tschamut-2014/releases.csv"
    ));
    let depositions = rows(include_str!(
        "../../../../docs/recipes/tschamut-2014/depositions.csv"
    ));
    let runs = releases.zip(depositions).map(|(release, rest)| {
        assert_eq!(release[0], rest[0]);
        ObservedRun {
            name: release[0].to_owned(),
            release: at(release[1], release[2]),
            velocity: DVec3::new(number(release[3]), number(release[4]), number(release[5])),
            rock: names.iter().position(|name| *name == release[6]).unwrap(),
            deposition: at(rest[1], rest[2]),
        }
    });
    Campaign {
        terrain,
        runs: runs.collect(),
        rocks,
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
