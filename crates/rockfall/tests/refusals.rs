//! Input that cannot be is refused by name.

use crate::scenes;

use glam::{DQuat, DVec2, DVec3};
use klast_geometry::terrain::{Grid, TerrainError};
use klast_rockfall::*;
use klast_sampling::{Distribution, Family, Purpose, Streams};
use scenes::{LUMPED, ground, raster, rigid};

#[test]
fn bad_scenes_are_refused() {
    let group = RockGroup {
        share: 1.0,
        shape: RockShape::Sphere,
        size: RockSize::Volume(Distribution::constant(1.0)),
        density: Distribution::constant(2700.0),
        class: 0,
    };
    let seeder = Seeder::new(
        "s",
        Release::Point(DVec2::new(2.6e6 + 5.0, 1.2e6 + 5.0)),
        3,
        group,
    );
    let scene = |seeder: &Seeder, collectors: Vec<Collector>| Scene {
        raster: None,
        terrain: Box::new(raster(1, true)),
        ground: ground(0.3, 0.8, 0.6),
        seeders: vec![seeder.clone()],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors,
        seed: 1,
    };
    let error =
        |seeder: &Seeder, collectors| Simulation::new(scene(seeder, collectors)).err().unwrap();
    // The quantity that is out of range.
    let field = |seeder: &Seeder| match error(seeder, vec![]) {
        RockfallError::OutOfRange { field, .. } => field,
        other => panic!("{other}"),
    };
    let mut off = seeder.clone();
    off.release = Release::Point(DVec2::ZERO);
    assert!(matches!(error(&off, vec![]), RockfallError::OffMap { .. }));
    // Over the hole in the data.
    off.release = Release::Point(DVec2::new(2.6e6 + 24.2, 1.2e6 + 24.2));
    assert!(matches!(error(&off, vec![]), RockfallError::OffMap { .. }));
    let mut below = seeder.clone();
    below.height = Distribution::constant(-1.0);
    assert_eq!(field(&below), "release height over the ground");
    let mut buried = seeder.clone();
    buried.elevation = Some(Distribution::constant(90.0));
    assert!(matches!(
        error(&buried, vec![]),
        RockfallError::BelowGround { height: 90.0, .. }
    ));
    // A band at 45° of a width √2 w takes 2 w/(40 + w) of its box, near enough.
    let strip = |width: f64| {
        let (a, b, across) = (
            DVec2::new(2.6e6, 1.2e6),
            DVec2::new(2.6e6 + 40.0, 1.2e6 + 40.0),
            DVec2::new(width, -width),
        );
        Release::Area(Polygon::new(vec![vec![a, b, b + across, a + across]]).unwrap())
    };
    let mut narrow = seeder.clone();
    narrow.release = strip(1e-3);
    assert_eq!(field(&narrow), "part of its box that a release area fills");
    narrow.release = strip(0.02);
    assert!(Simulation::new(scene(&narrow, vec![])).is_ok());
    let mut nowhere = seeder.clone();
    nowhere.attitude = Attitude::Fixed(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert!(matches!(
        error(&nowhere, vec![]),
        RockfallError::Geometry(_)
    ));
    let mut fast = seeder.clone();
    fast.velocity[0] = Distribution::constant(1.1e6);
    assert!(matches!(
        error(&fast, vec![]),
        RockfallError::OutOfRange {
            field: "release velocity",
            found: 1.1e6,
            ..
        }
    ));
    fast.velocity[0] = Distribution::new(Family::Uniform {
        lower: -1e308,
        upper: 1e308,
    })
    .unwrap();
    assert_eq!(field(&fast), "release velocity");
    // A normal distribution has no end; what can be drawn of it has.
    fast.velocity[0] = Distribution::new(Family::Normal { mean: 5.0, sd: 2.0 }).unwrap();
    assert!(Simulation::new(scene(&fast, vec![])).is_ok());
    let mut spinning = seeder.clone();
    spinning.spin[2] = Distribution::constant(-1e155);
    assert_eq!(field(&spinning), "release spin");
    // The sum of two would be no number.
    let mut shared = seeder.clone();
    shared.groups = vec![shared.groups[0].clone(), shared.groups[0].clone()];
    shared.groups.iter_mut().for_each(|g| g.share = 1e308);
    assert_eq!(field(&shared), "share of a rock group");
    let area = klast_geometry::terrain::Terrain::extent(&raster(1, true));
    for cell in [0.0, -1.0, 1e308, f64::NAN] {
        assert!(RasterFrame::over(area, cell).is_err(), "{cell}");
    }
    for engine in [LUMPED, rigid()] {
        let mut heavy = scene(&seeder, vec![]);
        heavy.engine = engine;
        heavy.seeders[0].groups[0].size = RockSize::Volume(Distribution::constant(1e300));
        heavy.seeders[0].groups[0].density = Distribution::constant(1e300);
        assert!(Simulation::new(heavy).is_err());
    }
    let collector = |line| {
        vec![Collector {
            name: "g".into(),
            line,
            barrier: None,
        }]
    };
    for (line, wrong) in [
        (vec![DVec2::ZERO, DVec2::X], LineFault::NoGround),
        (vec![DVec2::ZERO], LineFault::FewPoints),
        (vec![DVec2::NAN, DVec2::ONE], LineFault::NotFinite),
        (vec![DVec2::ONE, DVec2::ONE], LineFault::NoLength),
    ] {
        assert!(matches!(
            error(&seeder, collector(line)),
            RockfallError::Barrier { reason, .. } if reason == wrong
        ));
    }
    assert!(
        Ground::uniform(SlopeMaterial::constant(
            "m",
            GroundCoefficients {
                normal_restitution: 1.3,
                tangential_restitution: 0.8,
                friction: 0.6
            }
        ))
        .is_err()
    );
    let unbounded = SlopeMaterial {
        friction: Distribution::new(Family::Normal { mean: 0.5, sd: 0.1 }).unwrap(),
        ..SlopeMaterial::constant(
            "m",
            GroundCoefficients {
                normal_restitution: 0.3,
                tangential_restitution: 0.8,
                friction: 0.6,
            },
        )
    };
    assert!(Ground::uniform(unbounded).is_err());
    assert!(Simulation::new(scene(&seeder, vec![])).is_ok());
}

#[test]
fn bad_terrain_and_distributions_are_refused() {
    use klast_geometry::terrain::Profile;
    let raster =
        |rows: usize, height: f64| Grid::new(5, rows, 1.0, DVec2::ZERO, vec![height; 5 * rows]);
    // One row is no surface; a NaN is missing data, but all of them missing is no terrain; an infinite height is none.
    assert!(matches!(
        raster(1, 0.0),
        Err(TerrainError::OutOfRange(out)) if out.field == "raster rows"
    ));
    assert!(raster(3, f64::NAN).is_err() && raster(3, f64::INFINITY).is_err());
    let folded = [(0.0, 10.0), (5.0, 8.0), (4.0, 3.0)].map(|(x, z)| DVec2::new(x, z));
    assert!(Profile::new(folded.to_vec()).is_err());
    for bad in [
        Distribution::new(Family::Normal {
            mean: 1.0,
            sd: -0.1,
        }),
        Distribution::truncated(Family::Normal { mean: 1.0, sd: 0.1 }, 2.0, 1.0),
        Distribution::truncated(
            Family::Uniform {
                lower: 0.0,
                upper: 1.0,
            },
            2.0,
            3.0,
        ),
        Distribution::new(Family::Uniform {
            lower: 1.0,
            upper: 0.0,
        }),
    ] {
        assert!(bad.is_err());
    }
}

/// Every rock of a band askew starts at a place of its own inside it.
#[test]
fn a_narrow_area_is_drawn_from_evenly() {
    let band = [(0.0, 0.0), (1000.0, 1000.0), (1001.0, 1000.0), (1.0, 0.0)];
    let polygon = Polygon::new(vec![band.map(|(x, y)| DVec2::new(x, y)).to_vec()]).unwrap();
    let release = Release::Area(polygon.clone());
    let mut rng = Streams::new(5).rng(Purpose::Position, 0);
    let mut places: Vec<DVec2> = (0..2000).map(|_| release.draw(&mut rng)).collect();
    assert!(places.iter().all(|p| polygon.contains(*p)));
    let mean = places.iter().map(|p| p.y).sum::<f64>() / 2000.0;
    // Uniform over 1000 m: four standard errors of 1000/√12/√2000 m.
    assert!((mean - 500.0).abs() < 4.0 * 6.5, "{mean}");
    places.sort_by(|a, b| a.y.total_cmp(&b.y));
    places.dedup();
    assert_eq!(places.len(), 2000);
}

/// Every part of a release gives its share of the rocks: areas by area, lines by length, points alike.
#[test]
fn all_parts_of_a_release_give_rocks() {
    let square = |x: f64, side: f64| {
        let ring = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
        let ring = ring.map(|(u, v)| DVec2::new(x + u, v)).to_vec();
        Release::Area(Polygon::new(vec![ring]).unwrap())
    };
    let line = |x: f64, length: f64| Release::Line(vec![DVec2::new(x, 0.0), DVec2::new(x, length)]);
    let point = |x: f64| Release::Point(DVec2::new(x, 0.0));
    for (parts, first) in [
        (vec![square(0.0, 1.0), square(10.0, 3.0)], 0.1),
        (vec![line(0.0, 1.0), line(10.0, 3.0)], 0.25),
        (vec![point(0.0), point(10.0), point(20.0)], 1.0 / 3.0),
    ] {
        let release = Release::Parts(parts);
        let mut rng = Streams::new(1).rng(Purpose::Position, 0);
        let n = 20_000;
        let hits = (0..n).filter(|_| release.draw(&mut rng).x < 5.0).count();
        // Five standard deviations.
        let bound = 5.0 * (first * (1.0 - first) / f64::from(n)).sqrt();
        let share = hits as f64 / f64::from(n);
        assert!((share - first).abs() < bound, "{share} {first}");
    }
    let refused = |parts| {
        let group = RockGroup {
            share: 1.0,
            shape: RockShape::Sphere,
            size: RockSize::Volume(Distribution::constant(1.0)),
            density: Distribution::constant(2700.0),
            class: 0,
        };
        let seeder = Seeder::new("s", Release::Parts(parts), 1, group);
        assert!(seeder.validate().is_err());
    };
    refused(vec![]);
    refused(vec![point(0.0), line(0.0, 1.0)]);
    refused(vec![Release::Parts(vec![point(0.0)])]);
}
