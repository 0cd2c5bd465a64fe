//! The Chant Sura flights (EnviDat doi 10.16904/envidat.174) are ballistic within their sampling error, where the data
//! are at hand.

use glam::DVec3;
use klast_rockfall::segment::{FlightSample, check_flight};
use std::collections::BTreeMap;
use std::path::Path;

#[test]
fn observed_flights_are_ballistic_within_their_sampling_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(
        "../../../shared/data/rockfall/chant_sura_2020/observed_trajectories_contact_extended.csv",
    );
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: the Chant Sura flights are not at hand");
        return;
    };
    let mut flights: BTreeMap<&str, Vec<FlightSample>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let at = |k: usize| cells[k].parse::<f64>().unwrap();
        flights.entry(cells[0]).or_default().push(FlightSample {
            time: at(2),
            position: DVec3::new(at(3), at(4), at(5)),
            velocity: DVec3::new(at(6), at(7), at(8)),
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
