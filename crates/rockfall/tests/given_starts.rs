//! Starts that are given one by one: what a start does not give comes from its own group.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::terrain::Grid;
use klast_rockfall::*;
use klast_sampling::{Distribution, Family};
use scenes::{LUMPED, ground, thrower};

const NOTHING_BUT_A_PLACE: GivenStart = GivenStart {
    place: DVec2::new(3.0, 3.0),
    elevation: None,
    attitude: None,
    velocity: None,
    spin: None,
    group: None,
    mass: None,
};

/// The rocks of a source of 100 kg at 2700 kg/m³ and 8000 kg at 2000 kg/m³.
fn rocks(starts: Vec<GivenStart>) -> Vec<RockResult> {
    let mut seeder = thrower(DVec2::new(3.0, 3.0));
    let group = |mass: f64, density: f64| RockGroup {
        size: RockSize::Mass(Distribution::constant(mass)),
        density: Distribution::constant(density),
        ..seeder.groups[0].clone()
    };
    let drawn = Distribution::new(Family::Uniform {
        lower: 1.0,
        upper: 2.0,
    });
    let by_volume = RockGroup {
        size: RockSize::Volume(drawn.unwrap()),
        ..group(1.0, 2500.0)
    };
    seeder.groups = vec![group(100.0, 2700.0), group(8000.0, 2000.0), by_volume];
    seeder.count = 60;
    seeder.starts = starts;
    let simulation = Simulation::new(Scene {
        raster: None,
        terrain: Box::new(Grid::new(9, 9, 1.0, DVec2::ZERO, vec![0.0; 81]).unwrap()),
        ground: ground(0.3, 0.8, 0.6),
        seeders: vec![seeder],
        engine: LUMPED,
        stop: StopConditions::default(),
        gravity: DVec3::new(0.0, 0.0, -9.81),
        collectors: Vec::new(),
        seed: 7,
    })
    .unwrap();
    (0..60).map(|k| simulation.rock(k, &mut |_| {})).collect()
}

#[test]
fn a_rock_has_size_and_density_of_the_shape_that_its_start_names() {
    let of = |group, mass| GivenStart {
        group: Some(group),
        mass,
        ..NOTHING_BUT_A_PLACE
    };
    let starts = vec![of(0, None), of(1, None), of(1, Some(500.0)), of(2, None)];
    for (k, rock) in rocks(starts).iter().enumerate() {
        // Volume is mass over density.
        let wanted = match k % 4 {
            0 => (0, 100.0, 100.0 / 2700.0),
            1 => (1, 8000.0, 4.0),
            2 => (1, 500.0, 0.25),
            _ => {
                assert!((1.0..=2.0).contains(&rock.volume));
                (2, 2500.0 * rock.volume, rock.volume)
            }
        };
        assert_eq!(rock.group, wanted.0);
        assert!((rock.mass / wanted.1 - 1.0).abs() < 1e-15, "{rock:?}");
        assert!((rock.volume / wanted.2 - 1.0).abs() < 1e-15, "{rock:?}");
    }
}

/// A start that names no shape gets the rock that a source without starts draws.
#[test]
fn a_rock_whose_start_names_no_shape_is_drawn() {
    let drawn = rocks(Vec::new());
    for (given, drawn) in rocks(vec![NOTHING_BUT_A_PLACE]).iter().zip(&drawn) {
        let both = [given, drawn].map(|r| (r.group, r.mass.to_bits()));
        assert_eq!(both[0], both[1]);
        // Mass over density, which is mass over volume: three roundings.
        assert!((given.volume / drawn.volume - 1.0).abs() <= 3.0 * f64::EPSILON);
    }
    assert!((0..3).all(|group| drawn.iter().any(|r| r.group == group)));
}
