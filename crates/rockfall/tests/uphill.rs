//! Lumped masses thrown uphill where friction cannot hold them: each turns and slides down, and none stops.

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Profile, Slope, Terrain};
use klast_rockfall::lumped::{LumpedLaw, LumpedState, ReboundLaw};
use klast_rockfall::*;
use rand::RngExt;
use rand_pcg::Pcg64;
use std::ops::ControlFlow;

const G: f64 = 9.81;

fn engine<'a>(
    terrain: &'a dyn Terrain,
    ground: &'a Ground,
    stop: &'a StopConditions,
    rotation: bool,
) -> LumpedRock<'a> {
    let law = LumpedLaw {
        rotation,
        ..LumpedLaw::default()
    };
    LumpedRock {
        law: ReboundLaw::Manual(law),
        ..LumpedRock::new(terrain, ground, stop)
    }
}

fn material(normal: f64, tangential: f64, friction: f64) -> (Ground, [MaterialSample; 1]) {
    let sample = MaterialSample {
        normal_restitution: normal,
        tangential_restitution: tangential,
        friction,
        ..MaterialSample::default()
    };
    (
        Ground::uniform(SlopeMaterial::constant(
            "m",
            GroundCoefficients {
                normal_restitution: normal,
                tangential_restitution: tangential,
                friction,
            },
        ))
        .unwrap(),
        [sample],
    )
}

/// A raster of a plane that falls along a direction, its heights rounded to a number of decimals.
fn plane(fall: DVec2, cell: f64, decimals: i32) -> Grid {
    let scale = libm::pow(10.0, f64::from(decimals));
    let height = |k: usize| {
        let p = DVec2::new((k % 81) as f64, (k / 81) as f64) * cell;
        ((500.0 - fall.dot(p)) * scale).round() / scale
    };
    Grid::new(
        81,
        81,
        cell,
        DVec2::ZERO,
        (0..81 * 81).map(height).collect(),
    )
    .unwrap()
}

/// How many of `count` masses stop.
fn stopped(count: u32, seed: u64) -> u32 {
    let mut rng: Pcg64 =
        klast_sampling::Streams::new(seed).rng(klast_sampling::Purpose::Velocity, 0);
    let mut stopped = 0;
    let mut terrain: Box<dyn Terrain> = Box::new(Slope::downhill_x(0.5).unwrap());
    let mut fall = DVec2::X;
    for k in 0..count {
        if k % 50 == 0 {
            let slope = libm::tan(rng.random_range(5.0..65.0f64).to_radians());
            let aspect = rng.random_range(0.0..360.0f64).to_radians();
            fall = DVec2::new(libm::cos(aspect), libm::sin(aspect)) * slope;
            terrain = match (k / 50) % 3 {
                0 => {
                    fall = DVec2::X * slope;
                    Box::new(Slope::downhill_x(libm::atan(slope)).unwrap())
                }
                1 => {
                    fall = DVec2::X * slope;
                    let at = |k: i32| DVec2::new(f64::from(k), 300.0 - slope * f64::from(k));
                    Box::new(Profile::new((0..80).map(at).collect()).unwrap())
                }
                _ => Box::new(plane(
                    fall,
                    rng.random_range(0.7..3.0),
                    rng.random_range(3..12),
                )),
            };
        }
        let steep = fall.length();
        // Rounding to 3 decimals changes the slope of a facet by 2e-3 at most.
        let mu = (rng.random_range(0.0..0.98) * (steep - 5e-3)).max(0.0);
        let (ground, samples) =
            material(rng.random_range(0.0..0.7), rng.random_range(0.3..1.0), mu);
        let stop = StopConditions {
            maximum_time: 20.0,
            ..StopConditions::default()
        };
        let rock = engine(&*terrain, &ground, &stop, k % 2 == 0);
        let middle = match terrain.extent().upper {
            u if u.is_finite() => 0.5 * u,
            u if u.x.is_finite() => DVec2::new(0.5 * u.x, 0.0),
            _ => DVec2::ZERO,
        };
        let up = -fall / steep;
        let turned = match k % 4 {
            0 => 0.0,
            1 => rng.random_range(-1e-9..1e-9),
            _ => rng.random_range(-1.5..1.5f64),
        };
        let direction = DVec2::from_angle(turned).rotate(up);
        let speed = rng.random_range(0.0..8.0);
        let along = direction.extend(-fall.dot(direction)) * speed;
        let height = terrain.surface(middle.x, middle.y).unwrap().height;
        let lifted = if k % 3 == 0 {
            rng.random_range(0.0..1.0)
        } else {
            0.0
        };
        let start = LumpedState {
            position: middle.extend(height + lifted),
            velocity: along,
            spin: DVec3::ZERO,
        };
        let (outcome, end, _) =
            rock.run(&LumpedMass::default(), &samples, start, None, &mut |_| {
                ControlFlow::Continue(())
            });
        if outcome == Outcome::Stopped {
            stopped += 1;
            println!("{k} {fall:?} mu {mu} {start:?} {end:?}");
        }
    }
    stopped
}

#[test]
fn none_of_many_stops() {
    assert_eq!(stopped(600, 1), 0);
}

/// Straight uphill and back: up v²/(2 (sin θ + μ cos θ) g), then down with g (sin θ − μ cos θ).
#[test]
fn a_mass_turns_where_the_closed_form_does() {
    for (degrees, mu, speed) in [
        (30.0f64, 0.4, 0.8),
        (30.0, 0.57, 3.0),
        (60.0, 0.1, 12.0),
        (10.0, 0.0, 5.0),
    ] {
        let angle = degrees.to_radians();
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let terrain = Slope::downhill_x(angle).unwrap();
        let (ground, samples) = material(0.3, 0.9, mu);
        let stop = StopConditions {
            maximum_time: 10.0,
            ..StopConditions::default()
        };
        let start = LumpedState {
            velocity: DVec3::new(-cosine, 0.0, sine) * speed,
            ..LumpedState::default()
        };
        let rock = engine(&terrain, &ground, &stop, true);
        let (outcome, end, _) =
            rock.run(&LumpedMass::default(), &samples, start, None, &mut |_| {
                ControlFlow::Continue(())
            });
        assert_eq!(outcome, Outcome::TimedOut);
        let (up, down) = (G * (sine + mu * cosine), G * (sine - mu * cosine));
        let left = 10.0 - speed / up;
        let way = 0.5 * down * left * left - 0.5 * speed * speed / up;
        assert!(
            (end.position.x / cosine - way).abs() < 1e-11 * way,
            "{} {way}",
            end.position.x / cosine
        );
    }
}

/// Into a valley whose far side is too steep to rest on: the bottom holds.
#[test]
fn a_mass_ends_at_the_bottom_of_a_valley() {
    let terrain = Profile::new(
        [(0.0, 50.0), (40.0, 10.0), (90.0, 30.0)]
            .map(DVec2::from)
            .to_vec(),
    )
    .unwrap();
    let (ground, samples) = material(0.05, 0.9, 0.1);
    let stop = StopConditions::default();
    for rotation in [false, true] {
        let rock = engine(&terrain, &ground, &stop, rotation);
        for k in 0..200 {
            let start = LumpedState {
                position: DVec3::new(5.0, 0.0, 45.5 + 0.0225 * f64::from(k)),
                velocity: DVec3::X * (0.0149 * f64::from(k)),
                spin: DVec3::ZERO,
            };
            let (outcome, end, _) =
                rock.run(&LumpedMass::default(), &samples, start, None, &mut |_| {
                    ControlFlow::Continue(())
                });
            assert_eq!(outcome, Outcome::Stopped);
            assert!((end.position.x - 40.0).abs() < 1e-6, "{k}: {end:?}");
        }
    }
}

/// Where friction holds, a mass thrown uphill stays: the static test works both ways.
#[test]
fn a_mass_that_can_rest_does() {
    let angle = 30f64.to_radians();
    let terrain = Slope::downhill_x(angle).unwrap();
    let (ground, samples) = material(0.3, 0.9, 0.6);
    let stop = StopConditions {
        stopped_velocity_cutoff: 0.0,
        ..StopConditions::default()
    };
    let start = LumpedState {
        velocity: DVec3::new(-libm::cos(angle), 0.0, libm::sin(angle)) * 2.0,
        ..LumpedState::default()
    };
    let rock = engine(&terrain, &ground, &stop, true);
    let (outcome, end, _) = rock.run(&LumpedMass::default(), &samples, start, None, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(outcome, Outcome::Stopped);
    let way = 2.0 / (G * (libm::sin(angle) + 0.6 * libm::cos(angle)));
    assert!((end.position.length() - way).abs() < 1e-12, "{end:?}");
}
