//! The Chant Sura flights (EnviDat doi 10.16904/envidat.174) are ballistic within their sampling error.

use std::collections::BTreeMap;

use glam::DVec3;
use klast_dynamics::single::Flight;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::{Pose, Solid};

const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);

/// One sample of a flight as a table prints it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FlightSample {
    /// Time (s).
    time: f64,
    /// Mass centre (m).
    position: DVec3,
    /// Its velocity (m/s).
    velocity: DVec3,
}

/// How far the samples of a flight are from the one that leaves from the first of them.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FlightCheck {
    /// Samples.
    samples: usize,
    /// From the first to the last (s).
    duration: f64,
    /// Greatest distance of each coordinate (m).
    position_error: DVec3,
    /// Greatest difference of each velocity (m/s).
    velocity_error: DVec3,
    /// Greatest part of its sampling error that any of these takes: up to 1 the flight is ballistic as far as the
    /// samples tell.
    part_of_sampling_error: f64,
}

/// Half a unit in the last of `digits` significant digits of a printed number.
fn printed(x: f64, digits: i32) -> f64 {
    match x == 0.0 {
        true => 0.0,
        false => {
            0.5 * libm::pow(
                10.0,
                libm::floor(libm::log10(x.abs())) - f64::from(digits - 1),
            )
        }
    }
}

/// Compares a flight with exact ballistics from its first sample; `None` below two samples.
///
/// The sampling error of a coordinate at time t after the first sample is what rounding to `digits` significant digits
/// leaves open: of the coordinate there, of the coordinate and the velocity at the start (the latter t times), of the
/// two times (times the speed and gravity t), and the rounding of the comparison itself in doubles.
fn check_flight(samples: &[FlightSample], digits: i32, gravity: DVec3) -> Option<FlightCheck> {
    let [first, .., last] = samples else {
        return None;
    };
    // The mass centre of any rock flies alike; local coordinates keep the map's size out of the arithmetic.
    let body = Body::uniform(&Solid::Cube.with_size(1.0).unwrap(), 1.0).unwrap();
    let velocity = Twist {
        linear: first.velocity,
        angular: DVec3::ZERO,
    };
    let pose = Pose::from_translation(DVec3::ZERO);
    let flight = Flight::new(&body, State { pose, velocity }, gravity);
    let mut check = FlightCheck {
        samples: samples.len(),
        duration: last.time - first.time,
        position_error: DVec3::ZERO,
        velocity_error: DVec3::ZERO,
        part_of_sampling_error: 0.0,
    };
    for sample in samples {
        let t = sample.time - first.time;
        let state = flight.state(t);
        let moved = (sample.position - first.position - state.pose.translation).abs();
        let speed = (sample.velocity - state.velocity.linear).abs();
        let (error, speed_error) = sampling_error(first, sample, digits, gravity);
        check.position_error = check.position_error.max(moved);
        check.velocity_error = check.velocity_error.max(speed);
        let part = (moved / error)
            .max_element()
            .max((speed / speed_error).max_element());
        check.part_of_sampling_error = check.part_of_sampling_error.max(part);
    }
    Some(check)
}

/// Bounds of the errors of position and velocity, see [`check_flight`].
fn sampling_error(
    first: &FlightSample,
    sample: &FlightSample,
    digits: i32,
    gravity: DVec3,
) -> (DVec3, DVec3) {
    let digit = |v: DVec3| {
        DVec3::new(
            printed(v.x, digits),
            printed(v.y, digits),
            printed(v.z, digits),
        )
    };
    let t = (sample.time - first.time).abs();
    let clock = printed(first.time, digits) + printed(sample.time, digits);
    let double = f64::EPSILON * (sample.position.abs() + first.position.abs());
    let fastest = sample.velocity.abs().max(first.velocity.abs());
    let position = digit(sample.position)
        + digit(first.position)
        + digit(first.velocity) * t
        + fastest * clock
        + double;
    let velocity = digit(sample.velocity)
        + digit(first.velocity)
        + gravity.abs() * clock
        + f64::EPSILON * (fastest + gravity.abs() * t);
    (position, velocity)
}

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
        let check = check_flight(&samples, 12, GRAVITY).unwrap();
        println!("{name}: {check:?}");
        assert!(check.part_of_sampling_error <= 1.0, "{name}: {check:?}");
        // A flight of other gravity is told apart: 1 % of g t²/2 is far more than the digits.
        let check = check_flight(&samples, 12, 1.01 * GRAVITY).unwrap();
        assert!(check.part_of_sampling_error > 1e3, "{name}");
    }
}

fn parabola(gravity: f64) -> Vec<FlightSample> {
    // By hand, with powers of two, so that nothing is rounded: x = 2 t, z = 1000 + 4 t − g t²/2.
    let sample = |k: usize| {
        let t = k as f64 / 64.0;
        FlightSample {
            time: t,
            position: DVec3::new(2.0 * t, 0.0, 1000.0 + 4.0 * t - 0.5 * gravity * t * t),
            velocity: DVec3::new(2.0, 0.0, 4.0 - gravity * t),
        }
    };
    (0..=64).map(sample).collect()
}

#[test]
fn a_parabola_is_ballistic_and_another_gravity_is_not() {
    let check = check_flight(&parabola(9.81), 12, GRAVITY).unwrap();
    assert!(check.part_of_sampling_error <= 1.0, "{check:?}");
    // 0.01 m/s² more makes 5 mm in a second, against 1e-8 m of the digits.
    let check = check_flight(&parabola(9.82), 12, GRAVITY).unwrap();
    assert!((check.position_error.z - 0.005).abs() < 1e-12);
    assert!(check.part_of_sampling_error > 1e5);
    assert_eq!(check_flight(&parabola(9.81)[..1], 12, GRAVITY), None);
}
