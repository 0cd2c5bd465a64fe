//! Embankments and ditches in a raster, and rasters at another cell.

use glam::DVec2;
use klast_geometry::terrain::{Grid, Terrain};
use klast_runs::ensure;
use klast_runs::error::{Context as _, Result};

use super::crest_loss::Crest;
use super::scene::{Earthwork, Form};
use super::sources::points;
use klast_runs::faults::Fault;
use klast_runs::text::SceneText;

/// Puts earthworks into a raster, each on the ground that the ones before it leave, and tells what the raster leaves of
/// their crests.
///
/// # Errors
/// A line or a cross-section that is none; one that no node of the raster meets.
pub fn stamped(grid: Grid, works: &[Earthwork], text: &SceneText) -> Result<Grid> {
    works.iter().try_fold(grid, |grid, work| {
        let (made, crest) =
            stamp(&grid, work).with_context(|| format!("earthwork '{}'", work.name))?;
        if let Some(crest) = crest {
            crest.tell(work, &made, text);
        }
        Ok(made)
    })
}

fn stamp(grid: &Grid, work: &Earthwork) -> Result<(Grid, Option<Crest>)> {
    let line = points(&work.line_m);
    let length = line.windows(2).map(|w| w[0].distance(w[1])).sum::<f64>();
    ensure!(
        line.len() >= 2 && length > 0.0 && line.iter().all(|p| p.is_finite()),
        "line_m: accepted: two or more different points"
    );
    let section = &work.cross_section_m;
    let rising = section.windows(2).all(|w| w[0][0] < w[1][0]);
    ensure!(
        section.len() >= 2 && rising && section.iter().flatten().all(|x| x.is_finite()),
        "cross_section_m: accepted: two or more points whose offsets increase"
    );
    let origin = grid.origin().truncate();
    let mut line: Vec<DVec2> = line.iter().map(|p| *p - origin).collect();
    line.dedup();
    let mut heights = grid.heights().iter().collect::<Vec<f64>>();
    let mut met = 0;
    for (k, height) in heights.iter_mut().enumerate() {
        // There is no ground where heights are missing.
        if height.is_nan() {
            continue;
        }
        let node = DVec2::new((k % grid.columns()) as f64, (k / grid.columns()) as f64);
        let Some((offset, foot)) = nearest(&line, node * grid.cell()) else {
            continue;
        };
        let (Some(over), Some(base)) = (height_at(section, offset), grid.surface(foot.x, foot.y))
        else {
            continue;
        };
        let wanted = base.height + over;
        *height = match work.form {
            Form::Embankment => height.max(wanted),
            Form::Ditch => height.min(wanted),
        };
        met += 1;
    }
    ensure!(
        met > 0,
        "no node of the raster (cells of {} m) lies within its cross-section; accepted: a wider one, or finer cells",
        grid.cell()
    );
    let made = like(grid, (grid.columns(), grid.rows()), grid.cell(), heights)?;
    let crest = Crest::of(work, &line, grid, &made);
    Ok((made, crest))
}

/// Offset to the left of the nearest piece of a line, and the foot on it; `None` beyond its ends.
fn nearest(line: &[DVec2], p: DVec2) -> Option<(f64, DVec2)> {
    let mut best: Option<(f64, Option<f64>, DVec2)> = None;
    let last = line.len().saturating_sub(2);
    for (k, w) in line.windows(2).enumerate() {
        let along = w[1] - w[0];
        let length = along.length();
        if length == 0.0 {
            continue;
        }
        let share = (p - w[0]).dot(along) / (length * length);
        let foot = w[0] + along * share.clamp(0.0, 1.0);
        let distance = p.distance(foot);
        // A hair, so that a node on the end of the line in decimals is on it.
        let beyond = (k == 0 && share < -1e-9) || (k == last && share > 1.0 + 1e-9);
        // Beyond a vertex one piece alone does not tell the sides apart: the middle of both directions does.
        let other = match share {
            s if s < 0.0 => k.checked_sub(1).map(|before| (w[0], before)),
            s if s > 1.0 => Some((w[1], k + 1)),
            _ => None,
        };
        let turned = other.and_then(|(vertex, n)| {
            let next = (*line.get(n + 1)? - *line.get(n)?).normalize_or_zero();
            Some((along / length + next).perp_dot(p - vertex))
        });
        let side = turned.unwrap_or_else(|| along.perp_dot(p - w[0]));
        let offset = side.signum() * distance;
        let offset = (!beyond).then_some(offset);
        if best.is_none_or(|(d, ..)| distance < d) {
            best = Some((distance, offset, foot));
        }
    }
    best.and_then(|(_, offset, foot)| Some((offset?, foot)))
}

/// Height of a cross-section at an offset; `None` outside of it.
fn height_at(section: &[[f64; 2]], offset: f64) -> Option<f64> {
    let w = section
        .windows(2)
        .find(|w| (w[0][0]..=w[1][0]).contains(&offset))?;
    let share = (offset - w[0][0]) / (w[1][0] - w[0][0]);
    Some(w[0][1] + share * (w[1][1] - w[0][1]))
}

/// A raster with what another one says of itself.
fn like(
    grid: &Grid,
    (columns, rows): (usize, usize),
    cell: f64,
    heights: Vec<f64>,
) -> Result<Grid> {
    let origin = grid.origin().truncate();
    let made = Grid::new(columns, rows, cell, origin, heights)?;
    let made = made
        .with_diagonal(grid.diagonal())
        .with_vertical_resolution(grid.vertical_resolution());
    Ok(match grid.crs() {
        Some(crs) => made.with_crs(crs),
        None => made,
    })
}

/// Sides of a raster in plan (m).
fn size(grid: &Grid) -> DVec2 {
    DVec2::new((grid.columns() - 1) as f64, (grid.rows() - 1) as f64) * grid.cell()
}

/// Refuses a cell that no raster of this ground can have.
///
/// # Errors
/// With the cell and what is accepted.
pub fn check_cell(grid: &Grid, cell: f64) -> Result<()> {
    let size = size(grid);
    let widest = 0.5 * size.min_element();
    ensure!(
        cell > 0.0 && cell <= widest && (size / cell).element_product() < 1e8,
        "{cell}; accepted: above 0 m, up to half of the raster ({widest} m), and fewer than 1e8 cells"
    );
    Ok(())
}

/// A raster read off another one at other cells; missing where that is.
///
/// # Errors
/// A cell that is none, or larger than the raster.
pub fn resampled(grid: &Grid, cell: f64) -> Result<Grid> {
    check_cell(grid, cell)?;
    let size = size(grid);
    let nodes = (size / cell + 1e-9).floor();
    let (columns, rows) = (nodes.x as usize + 1, nodes.y as usize + 1);
    let height = |k: usize| {
        let node = DVec2::new((k % columns) as f64, (k / columns) as f64) * cell;
        let p = node.min(size);
        grid.surface(p.x, p.y).map_or(f64::NAN, |s| s.height)
    };
    let heights = (0..columns * rows).map(height).collect();
    like(grid, (columns, rows), cell, heights)
}

/// Points (distance, height) of a raster along a line, a part of the spacing apart at most.
///
/// # Errors
/// A line that is none, or that leaves the raster.
pub fn section(grid: &Grid, line: &[[f64; 2]], spacing: Option<f64>) -> Result<Vec<DVec2>> {
    let spacing = spacing.unwrap_or(grid.cell());
    ensure!(
        spacing > 0.0 && spacing.is_finite(),
        Fault::new("spacing_m", spacing).accepted("above 0")
    );
    let origin = grid.origin();
    let mut found: Vec<DVec2> = Vec::new();
    let mut from = 0.0;
    for w in points(line).windows(2) {
        let length = w[0].distance(w[1]);
        let pieces = (length / spacing).ceil().clamp(1.0, 1e6) as u32;
        for k in 0..=pieces {
            let share = f64::from(k) / f64::from(pieces);
            let p = w[0].lerp(w[1], share) - origin.truncate();
            let ground = grid.surface(p.x, p.y).with_context(|| {
                let map = p + origin.truncate();
                format!(
                    "line_m: ({}, {}) is off the raster or over missing data",
                    map.x, map.y
                )
            })?;
            let point = DVec2::new(from + share * length, ground.height + origin.z);
            if found.last().is_none_or(|last| point.x > last.x) {
                found.push(point);
            }
        }
        from += length;
    }
    ensure!(
        found.len() >= 2,
        "line_m: accepted: two or more different points"
    );
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plane() -> Grid {
        let heights = (0..21 * 21).map(|k| 0.5 * f64::from(k % 21)).collect();
        Grid::new(21, 21, 1.0, DVec2::new(100.0, 200.0), heights).unwrap()
    }

    #[test]
    fn a_dam_stands_on_the_ground_under_its_line() {
        // A line along y at x = 110 (ground at 5 m), 3 m high over 2 m to either side.
        let work = Earthwork {
            name: "dam".into(),
            line_m: vec![[110.0, 200.0], [110.0, 220.0]],
            cross_section_m: vec![[-4.0, 0.0], [-2.0, 3.0], [2.0, 3.0], [4.0, 0.0]],
            form: Form::Embankment,
        };
        let grid = stamp(&plane(), &work).unwrap().0;
        let height = |x: f64| grid.surface(x, 10.0).unwrap().height;
        assert_eq!(height(10.0), 8.0);
        assert_eq!(height(8.0), 8.0);
        // Half way down on one side: 5 + 1.5 over ground of 3.5; far away nothing.
        assert_eq!(height(7.0), 6.5);
        assert_eq!(height(14.0), 7.0);
        assert_eq!(height(2.0), 1.0);
        // It ends where its line does, and missing ground stays missing.
        let mut heights = plane().heights().iter().collect::<Vec<f64>>();
        heights[10 * 21 + 10] = f64::NAN;
        let holed = Grid::new(21, 21, 1.0, DVec2::new(100.0, 200.0), heights).unwrap();
        let short = Earthwork {
            line_m: vec![[110.0, 205.0], [110.0, 215.0]],
            ..work.clone()
        };
        let grid = stamp(&holed, &short).unwrap().0;
        let at = |x: usize, y: usize| grid.heights().at([21 * y + x])[0];
        assert!(at(10, 10).is_nan());
        assert_eq!(
            [at(10, 4), at(10, 5), at(10, 15), at(10, 16)],
            [5.0, 8.0, 8.0, 5.0]
        );
        let off = Earthwork {
            line_m: vec![[500.0, 200.0], [500.0, 220.0]],
            ..work
        };
        assert!(stamp(&plane(), &off).is_err());
    }

    #[test]
    fn a_plane_stays_a_plane_at_any_cell_and_along_any_line() {
        let coarse = resampled(&plane(), 2.5).unwrap();
        assert_eq!((coarse.columns(), coarse.rows()), (9, 9));
        assert!((coarse.surface(6.0, 3.0).unwrap().height - 3.0).abs() < 1e-12);
        let points = section(&plane(), &[[102.0, 205.0], [106.0, 208.0]], Some(1.0)).unwrap();
        let last = points.last().unwrap();
        // 3-4-5: 5 m long, from 1 to 3 m.
        assert!((last.x - 5.0).abs() < 1e-12 && (last.y - 3.0).abs() < 1e-12);
        assert_eq!(points.len(), 6);
        assert!(section(&plane(), &[[102.0, 205.0], [900.0, 208.0]], None).is_err());
    }

    /// Around a vertex, the outer side of a turn lies between the normals of both pieces, at the distance from it.
    #[test]
    fn the_outer_side_of_a_turn_is_one_side_at_any_angle() {
        let vertex = DVec2::new(8.0, 3.0);
        for turn in [30.0, 89.0, 100.0, 140.0, 170.0_f64] {
            for sign in [1.0, -1.0] {
                let angle = -sign * turn.to_radians();
                let line = [
                    vertex - DVec2::new(7.0, 0.0),
                    vertex,
                    vertex + 6.0 * DVec2::from_angle(angle),
                ];
                for k in 0..=4 {
                    let along = f64::from(k) / 4.0 * angle + sign * std::f64::consts::FRAC_PI_2;
                    let p = vertex + 3.0 * DVec2::from_angle(along);
                    let (offset, _) = nearest(&line, p).unwrap();
                    assert!(
                        (offset - 3.0 * sign).abs() < 1e-12,
                        "{turn} {sign} {k}: {offset}"
                    );
                }
            }
        }
    }

    /// An embankment of 3.5 m with sides of 45° along y, on level ground, midway between nodes 5 m apart: the nodes are
    /// 2.5 m off the line, 2 m down from the edge of the crest, and the raster is level between them.
    #[test]
    fn a_crest_between_coarse_nodes_is_measured() {
        let level = |cell: f64| {
            let n = (40.0 / cell) as usize + 1;
            Grid::new(n, n, cell, DVec2::ZERO, vec![0.0; n * n]).unwrap()
        };
        let work = |x: f64, sign: f64, form| Earthwork {
            name: "dam".into(),
            line_m: vec![[x, 0.0], [x, 40.0]],
            cross_section_m: [[-4.0, 0.0], [-0.5, 3.5], [0.5, 3.5], [4.0, 0.0]]
                .map(|[x, z]| [x, sign * z])
                .to_vec(),
            form,
        };
        for (sign, form) in [(1.0, Form::Embankment), (-1.0, Form::Ditch)] {
            let crest = |x: f64, cell: f64| {
                stamp(&level(cell), &work(x, sign, form))
                    .unwrap()
                    .1
                    .unwrap()
            };
            assert_eq!(
                (crest(22.5, 5.0).least, crest(22.5, 5.0).stated),
                (1.5, 3.5)
            );
            assert_eq!(crest(20.0, 5.0).least, 3.5);
            // 95 % are within 0.5 + 0.175 m of the middle.
            let carried = crest(22.5, 5.0).carried_by;
            assert!((carried - 0.675 / 2f64.sqrt()).abs() < 1e-12);
            for x in [20.0, 20.1, 20.2, 20.25, 20.3] {
                assert!(crest(x, 0.4).least >= 0.95 * 3.5);
            }
        }
    }
}
