//! Stations along a profile.

use crate::scenes;

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Profile, Terrain};
use klast_rockfall::*;
use klast_sampling::Distribution;
use scenes::{LUMPED, ground, thrower};

/// Masses that fly, slide and stop over facets of 2 m, whose edges are borders of stations: to each station belongs the
/// greatest of what belongs to its quarters.
#[test]
fn a_station_knows_what_its_quarters_know() {
    let point = |k: u32| {
        let scatter = f64::from(k * k * 7919 % 601) / 1000.0 - 0.3;
        let height = 80.0 * libm::pow(0.96, f64::from(k)) + scatter;
        DVec2::new(2.0 * f64::from(k), (1000.0 * height).round() / 1000.0)
    };
    let visits = |speed: f64, length: f64| {
        let profile = Profile::new((0..100).map(point).collect()).unwrap();
        let mut seeder = thrower(DVec2::new(4.0, 0.0));
        seeder.velocity = [speed, 0.0, 0.0].map(Distribution::constant);
        seeder.height = Distribution::constant(1.0);
        let scene = Scene {
            raster: Some(RasterFrame::stations(profile.extent(), length).unwrap()),
            terrain: Box::new(profile),
            ground: ground(0.35, 0.82, 0.55),
            seeders: vec![seeder],
            engine: LUMPED,
            stop: StopConditions::default(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            collectors: Vec::new(),
            seed: 1,
        };
        let rock = Simulation::new(scene).unwrap().rock(0, &mut |_| {});
        assert_eq!(rock.outcome, Outcome::Stopped);
        rock.visits
    };
    for k in 0..40 {
        let speed = 0.5 + 0.1 * f64::from(k);
        let quarters = visits(speed, 0.25);
        for whole in visits(speed, 1.0) {
            let parts = || quarters.iter().filter(|v| v.cell / 4 == whole.cell);
            let greatest = |value: fn(&CellVisit) -> f64| parts().map(value).fold(0.0, f64::max);
            let found = [whole.speed, whole.energy, whole.height];
            let wanted = [
                greatest(|v| v.speed),
                greatest(|v| v.energy),
                greatest(|v| v.height),
            ];
            for (found, wanted) in found.into_iter().zip(wanted) {
                // Places are rounded to 3e-14 m: of v² by 3e-13 m²/s² where a mass slows down by 5 m/s².
                assert!(
                    (found - wanted).abs() <= 1e-10 * (1.0 + wanted),
                    "{speed} {}: {found} {wanted}",
                    whole.cell
                );
            }
        }
    }
}
