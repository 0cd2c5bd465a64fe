//! Releases over an area get rocks by the true area of the ground, not by its plan: a steep face has more of it.
//!
//! A place is drawn evenly in plan and kept with the probability of 1/n_z there over the largest 1/n_z of the ground
//! around the release, n_z the upward part of the unit normal (rejection, von Neumann 1951).

use crate::release_area::Release;
use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Area, Facet, Terrain};
use klast_sampling::open_uniform;
use rand::Rng;

/// Most true area for an area in plan: ground steeper than 89.9° counts as of 89.9°.
const MAX_AREA_RATIO: f64 = 573.0;

/// Side of the squares in which facets are looked at, in cells of the ground.
const SQUARE: f64 = 64.0;

/// Most places drawn for one rock.
const DRAWS: usize = 1_000_000;

/// The true area for an area in plan under a normal.
fn area_of(normal: DVec3) -> f64 {
    (1.0 / normal.z).clamp(1.0, MAX_AREA_RATIO)
}

/// The largest true area for an area in plan around a release; 1 of points and lines, which have none, and of a plane.
pub(crate) fn steepest(terrain: &dyn Terrain, release: &Release) -> f64 {
    if terrain.as_plane().is_some() {
        return 1.0;
    }
    let origin = terrain.origin().truncate();
    let mut facets = Vec::new();
    match release {
        Release::Point(_) | Release::Line(_) => 1.0,
        Release::Area(polygon) => {
            let (lower, upper) = polygon.corners();
            let (lower, upper) = (lower - origin, upper - origin);
            steepest_in(terrain, Area { lower, upper }, &mut facets)
        }
        Release::Cells { centres, cell } => {
            let around = centres
                .iter()
                .map(|c| Area::around(*c - origin, 0.5 * cell));
            around.fold(1.0, |most, area| {
                steepest_in(terrain, area, &mut facets).max(most)
            })
        }
        Release::Parts(parts) => {
            let most = parts.iter().map(|part| steepest(terrain, part));
            most.fold(1.0, f64::max)
        }
    }
}

fn steepest_in(terrain: &dyn Terrain, area: Area, facets: &mut Vec<Facet>) -> f64 {
    let extent = terrain.extent();
    let (lower, upper) = (area.lower.max(extent.lower), area.upper.min(extent.upper));
    let side = SQUARE * terrain.resolution();
    let mut most = 1.0f64;
    if lower.cmpgt(upper).any() {
        return most;
    }
    let mut corner = lower;
    while corner.y <= upper.y {
        let end = corner + DVec2::splat(side);
        let square = Area {
            lower: corner,
            upper: end.min(upper),
        };
        facets.clear();
        terrain.facets(square, facets);
        let areas = facets.iter().map(|f| area_of(f.normal));
        most = areas.fold(most, f64::max);
        corner = match end.x <= upper.x {
            true => DVec2::new(end.x, corner.y),
            false => DVec2::new(lower.x, end.y),
        };
        if !side.is_finite() {
            break;
        }
    }
    most
}

/// Draws a place of a release in map coordinates by the true area of the ground. Off the map it is by plan.
pub(crate) fn place(
    terrain: &dyn Terrain,
    (release, steepest): (&Release, f64),
    rng: &mut impl Rng,
) -> DVec2 {
    let origin = terrain.origin().truncate();
    let mut place = release.draw(rng);
    for _ in 0..DRAWS {
        let local = place - origin;
        let area = match steepest > 1.0 {
            true => terrain
                .surface(local.x, local.y)
                .map_or(1.0, |s| area_of(s.normal)),
            false => steepest,
        };
        // Ground of one slope needs no choice.
        if area >= steepest * (1.0 - 1e-9) || open_uniform(rng) * steepest < area {
            break;
        }
        place = release.draw(rng);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::Polygon;
    use klast_geometry::terrain::Grid;
    use klast_sampling::{Purpose, Streams};

    /// Two faces of 45° and 80° of equal plan: tan 80° is 5.671, their areas are as √2 and 1/cos 80° = 5.759, 1 to
    /// 4.072.
    #[test]
    fn two_faces_get_rocks_by_their_area() {
        let steep = libm::tan(80f64.to_radians());
        let height = |i: usize| match i {
            0..=10 => i as f64,
            _ => 10.0 + steep * (i as f64 - 10.0),
        };
        let heights = (0..21 * 21).map(|k| height(k % 21)).collect();
        let ground = Grid::new(21, 21, 1.0, DVec2::new(500.0, 70.0), heights).unwrap();
        let ring = |x: [f64; 2]| {
            let corner = |x: f64, y: f64| DVec2::new(500.0 + x, 70.0 + y);
            let ring = vec![
                corner(x[0], 3.0),
                corner(x[1], 3.0),
                corner(x[1], 13.0),
                corner(x[0], 13.0),
            ];
            Polygon::new(vec![ring]).unwrap()
        };
        let cells = (0..20).map(|k| DVec2::new(500.5 + f64::from(k), 75.5));
        let releases = [
            Release::Area(ring([2.0, 18.0])),
            Release::Parts(vec![
                Release::Area(ring([2.0, 8.0])),
                Release::Area(ring([12.0, 18.0])),
            ]),
            Release::Cells {
                centres: cells.collect(),
                cell: 1.0,
            },
        ];
        for release in releases {
            let most = steepest(&ground, &release);
            assert!((most - 1.0 / libm::cos(80f64.to_radians())).abs() < 1e-9);
            let mut rng = Streams::new(3).rng(Purpose::Position, 0);
            let n = 40_000;
            let flat = (0..n)
                .filter(|_| place(&ground, (&release, most), &mut rng).x < 510.0)
                .count() as f64;
            // 1 in 5.072 lies on the flatter face: 7886 ± 80.
            let right = f64::from(n) / 5.0721;
            assert!((flat - right).abs() < 400.0, "{flat} {right}");
        }
    }
}
