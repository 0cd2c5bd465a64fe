//! Observed flights against exact ballistics, and what observed impacts look like as restitution.

use crate::RockfallError;
use glam::{DVec2, DVec3};
use klast_dynamics::single::Flight;
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Terrain;
use klast_geometry::{Pose, Solid};

/// One sample of a flight as a table prints it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlightSample {
    /// Time (s).
    pub time: f64,
    /// Mass centre (m).
    pub position: DVec3,
    /// Its velocity (m/s).
    pub velocity: DVec3,
}

/// How far the samples of a flight are from the one that leaves from the first of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlightCheck {
    /// Samples.
    pub samples: usize,
    /// From the first to the last (s).
    pub duration: f64,
    /// Greatest distance of each coordinate (m).
    pub position_error: DVec3,
    /// Greatest difference of each velocity (m/s).
    pub velocity_error: DVec3,
    /// Greatest part of its sampling error that any of these takes: up to 1 the flight is ballistic as far as the
    /// samples tell.
    pub part_of_sampling_error: f64,
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
pub fn check_flight(
    samples: &[FlightSample],
    digits: i32,
    gravity: DVec3,
) -> Result<Option<FlightCheck>, RockfallError> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
        return Ok(None);
    };
    if samples.len() < 2 {
        return Ok(None);
    }
    // The mass centre of any rock flies alike; local coordinates keep the map's size out of the arithmetic.
    let body = Body::uniform(&Solid::Cube.with_size(1.0)?, 1.0)?;
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
    Ok(Some(check))
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

/// Velocities before and after an impact as ratios, along and across the ground's normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ApparentRestitution {
    /// −v'ₙ/vₙ; negative where the rock goes on into the ground as it is drawn.
    pub normal: f64,
    /// |v'ₜ|/|vₜ|.
    pub tangential: f64,
    /// |v'|/|v|.
    pub speed: f64,
    /// Slope of the ground there (rad).
    pub slope: f64,
}

/// The apparent restitution of the mass centre at a place (local coordinates of the terrain). The ground's normal is
/// that of central differences over one `reach` to each side, about the rock's radius; `None` at the rim of the
/// terrain.
pub fn apparent_restitution(
    terrain: &dyn Terrain,
    place: DVec2,
    reach: f64,
    before: DVec3,
    after: DVec3,
) -> Option<ApparentRestitution> {
    let height = |d: DVec2| {
        terrain
            .surface(place.x + d.x, place.y + d.y)
            .map(|s| s.height)
    };
    let rise = |d: DVec2| Some((height(d)? - height(-d)?) / (2.0 * reach));
    let (x, y) = (rise(DVec2::X * reach)?, rise(DVec2::Y * reach)?);
    let normal = DVec3::new(-x, -y, 1.0).normalize();
    let (a, b) = (before.dot(normal), after.dot(normal));
    Some(ApparentRestitution {
        normal: -b / a,
        tangential: (after - b * normal).length() / (before - a * normal).length(),
        speed: after.length() / before.length(),
        slope: libm::acos(normal.z),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use klast_geometry::Plane;
    use klast_geometry::terrain::Slope;

    const G: DVec3 = DVec3::new(0.0, 0.0, -9.81);

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
        let check = check_flight(&parabola(9.81), 12, G).unwrap().unwrap();
        assert!(check.part_of_sampling_error <= 1.0, "{check:?}");
        // 0.01 m/s² more makes 5 mm in a second, against 1e-8 m of the digits.
        let check = check_flight(&parabola(9.82), 12, G).unwrap().unwrap();
        assert!((check.position_error.z - 0.005).abs() < 1e-12);
        assert!(check.part_of_sampling_error > 1e5);
        assert_eq!(check_flight(&parabola(9.81)[..1], 12, G).unwrap(), None);
    }

    #[test]
    fn restitution_on_a_slope_of_45_degrees() {
        let s = std::f64::consts::FRAC_1_SQRT_2;
        let (normal, along) = (DVec3::new(s, 0.0, s), DVec3::new(s, 0.0, -s));
        let slope = Slope::new(Plane {
            normal,
            offset: 0.0,
        })
        .unwrap();
        let found = apparent_restitution(
            &slope,
            DVec2::new(3.0, 1.0),
            0.1,
            along - 2.0 * normal,
            0.5 * along + 0.6 * normal,
        )
        .unwrap();
        // Rounding of the central differences.
        assert!((found.normal - 0.3).abs() < 1e-12);
        assert!((found.tangential - 0.5).abs() < 1e-12);
        assert!((found.slope - 45f64.to_radians()).abs() < 1e-12);
    }
}
