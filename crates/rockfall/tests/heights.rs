//! The greatest height of a flight over ground that breaks off under it.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Diagonal, Grid, Mesh, Profile, Terrain};
use klast_rockfall::*;
use klast_sampling::Distribution;
use scenes::{LUMPED, ground, thrower};

/// Heights of level ground that breaks off by 50 m in front of a foot at x (m).
fn cliff(x: f64, foot: f64) -> f64 {
    if x < foot { 100.0 } else { 50.0 }
}

fn grid(diagonal: Diagonal) -> Grid {
    let heights = (0..151 * 61).map(|k| cliff(f64::from(k % 151), 21.0));
    let grid = Grid::new(151, 61, 1.0, DVec2::ZERO, heights.collect()).unwrap();
    grid.with_diagonal(diagonal)
}

fn mesh() -> Mesh {
    let corner = |x: f64, y: f64| DVec3::new(x, y, cliff(x, 21.0));
    let points: Vec<DVec3> = [0.0, 20.0, 21.0, 150.0]
        .iter()
        .flat_map(|x| [corner(*x, 0.0), corner(*x, 60.0)])
        .collect();
    let triangles =
        (0..3).flat_map(|k| [[2 * k, 2 * k + 2, 2 * k + 3], [2 * k, 2 * k + 3, 2 * k + 1]]);
    Mesh::new(&points, &triangles.collect::<Vec<_>>()).unwrap()
}

/// A mass thrown level at 20 m/s along x from 2 m over the edge's ground, 10 m in front of the edge at x = 20 m, at
/// some speed along y.
fn thrown(terrain: Box<dyn Terrain>, across: f64, raster: RasterFrame) -> RockResult {
    let mut seeder = thrower(DVec2::new(10.0, 5.0));
    seeder.velocity = [20.0, across, 0.0].map(Distribution::constant);
    seeder.height = Distribution::constant(2.0);
    let scene = Scene {
        raster: Some(raster),
        terrain,
        ground: ground(0.3, 0.8, 0.6),
        seeders: vec![seeder],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: Vec::new(),
        seed: 1,
    };
    Simulation::new(scene).unwrap().rock(0, &mut |_| {})
}

/// The face is steeper than the flight anywhere, so the height is greatest where the face ends, at x: 52 m less the
/// fall ½ g ((x − 10)/20)².
#[test]
fn a_flight_over_a_cliff_is_highest_at_its_foot() {
    let level = |x: f64| 52.0 - 0.5 * 9.81 * ((x - 10.0) / 20.0f64).powi(2);
    let foot = 20.0 + 1e-3;
    let profile = || {
        let points = [(0.0, 100.0), (20.0, 100.0), (foot, 50.0), (150.0, 50.0)];
        Box::new(Profile::new(points.map(|(x, z)| DVec2::new(x, z)).to_vec()).unwrap())
    };
    let mut cases: Vec<(Box<dyn Terrain>, f64)> = vec![(profile(), foot), (Box::new(mesh()), 21.0)];
    for diagonal in [Diagonal::Rising, Diagonal::Falling, Diagonal::Bilinear(4)] {
        cases.push((Box::new(grid(diagonal)), 21.0));
    }
    for (number, (terrain, foot)) in cases.into_iter().enumerate() {
        let across = 7.0 * f64::from(number as u32 % 2);
        let cell = 11.0;
        let raster = RasterFrame {
            corner: DVec2::ZERO,
            cell,
            columns: 14,
            rows: 6,
            strip: false,
        };
        let rock = thrown(terrain, across, raster);
        let wanted = level(foot);
        // The place of the foot is known to 1e-14 m, and the face of the profile falls by 50 m over a millimetre.
        let bound = 1e-9;
        let found = rock.greatest_height;
        assert!((found - wanted).abs() < bound, "{number}: {found} {wanted}");
        // The cell of the foot, and the next one, which begins a metre or more behind it.
        let under = |x: f64| {
            let column = (x / cell).floor() as u32;
            let visits = rock.visits.iter().filter(|v| v.cell % 14 == column);
            visits.map(|v| v.height).fold(0.0, f64::max)
        };
        assert!((under(foot) - wanted).abs() < bound, "{number}");
        assert!((under(23.0) - level(22.0)).abs() < bound, "{number}");
    }
}

/// A talus of which both sheets go on under each other: a mass thrown level is highest over the line where they cross,
/// at x = 40: 32 m over it less the fall ½ g (30/20)².
#[test]
fn a_flight_is_highest_over_the_line_where_two_sheets_cross() {
    let sheet = |z: fn(f64) -> f64| {
        [(0.0, 0.0), (150.0, 0.0), (150.0, 60.0), (0.0, 60.0)].map(|(x, y)| DVec3::new(x, y, z(x)))
    };
    let points = [sheet(|x| 110.0 - x), sheet(|x| 50.0 + 0.5 * x)].concat();
    let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
    let raster = RasterFrame {
        corner: DVec2::ZERO,
        cell: 11.0,
        columns: 14,
        rows: 6,
        strip: false,
    };
    let mesh = || Box::new(Mesh::new(&points, &triangles).unwrap());
    for across in [0.0, 7.0] {
        let rock = thrown(mesh(), across, raster);
        let wanted = 102.0 - 70.0 - 0.5 * 9.81 * (30.0 / 20.0f64).powi(2);
        let found = rock.greatest_height;
        assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        let highest = rock.visits.iter().map(|v| v.height).fold(0.0, f64::max);
        assert!((highest - wanted).abs() < 1e-9, "{highest} {wanted}");
    }
}

/// One station from end to end knows as much as stations of a metre.
#[test]
fn the_greatest_height_does_not_depend_on_the_stations() {
    let found = [0.7, 1.0, 50.0, 150.0].map(|length| {
        let profile = Profile::new(
            [
                (0.0, 100.0),
                (20.0, 100.0),
                (20.5, 50.0),
                (40.0, 60.0),
                (150.0, 50.0),
            ]
            .map(|(x, z)| DVec2::new(x, z))
            .to_vec(),
        )
        .unwrap();
        let frame = RasterFrame::stations(profile.extent(), length).unwrap();
        let rock = thrown(Box::new(profile), 0.0, frame);
        let visits = rock.visits.iter().map(|v| v.height);
        (visits.fold(0.0, f64::max), rock.greatest_height)
    });
    let wanted = 52.0 - 0.5 * 9.81 * (10.5 / 20.0f64).powi(2);
    for (station, rock) in found {
        assert!(
            (station - wanted).abs() < 1e-9 && (rock - wanted).abs() < 1e-9,
            "{station} {rock}"
        );
    }
}

/// A mass that slides over facets and cells is at a height of 0 in each of them, not at what rounding leaves.
#[test]
fn a_slide_is_on_the_ground() {
    let heights = (0..31 * 9).map(|n| 40.0 - 0.36 * f64::from(n % 31));
    let grid = Grid::new(31, 9, 5.0, DVec2::ZERO, heights.collect()).unwrap();
    let mut seeder = thrower(DVec2::new(7.0, 22.0));
    seeder.velocity = [12.0, 1.0, -0.072 * 12.0].map(Distribution::constant);
    seeder.height = Distribution::constant(0.0);
    let scene = Scene {
        raster: Some(RasterFrame {
            corner: DVec2::ZERO,
            cell: 3.0,
            columns: 50,
            rows: 13,
            strip: false,
        }),
        terrain: Box::new(grid),
        ground: ground(0.0, 1.0, 0.3),
        seeders: vec![seeder],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: Vec::new(),
        seed: 1,
    };
    let rock = Simulation::new(scene).unwrap().rock(0, &mut |_| {});
    assert!(rock.visits.len() > 5, "{}", rock.visits.len());
    for visit in &rock.visits {
        assert_eq!(visit.height, 0.0, "{visit:?}");
    }
}
