//! The Chant Sura flights (EnviDat doi 10.16904/envidat.174) are ballistic within their sampling error.

use glam::DVec3;
use klast_rockfall::segment::{FlightSample, check_flight};
use std::collections::BTreeMap;

#[test]
fn observed_flights_are_ballistic_within_their_sampling_error() {
    let text = include_str!("data/chant-sura-flights.csv");
    let mut flights: BTreeMap<&str, Vec<FlightSample>> = BTreeMap::new();
    for line in text.lines().skip(3) {
        let cells: Vec<&str> = line.split(',').collect();
        let at = |k: usize| cells[k].parse::<f64>().unwrap();
        flights.entry(cells[0]).or_default().push(FlightSample {
            time: at(1),
            position: DVec3::new(at(2), at(3), at(4)),
            velocity: DVec3::new(at(5), at(6), at(7)),
        });
    }
    assert_eq!(flights.len(), 16);
    for (name, samples) in flights {
        // The table prints 12 significant digits: 1e-5 m of the map coordinates, 1e-8 m of the height.
        let gravity = DVec3::new(0.0, 0.0, -9.81);
        let check = check_flight(&samples, 12, gravity).unwrap().unwrap();
        println!("{name}: {check:?}");
        assert!(check.part_of_sampling_error <= 1.0, "{name}: {check:?}");
        // A flight of other gravity is told apart: 1 % of g t²/2 is far more than the digits.
        let check = check_flight(&samples, 12, 1.01 * gravity).unwrap().unwrap();
        assert!(check.part_of_sampling_error > 1e3, "{name}");
    }
}
