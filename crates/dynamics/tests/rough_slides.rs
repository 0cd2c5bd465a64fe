//! Plates, slabs and cubes laid flat on rough slopes that are steeper than their friction holds.

use glam::{DQuat, DVec2, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, Run, SingleBody, StopReason, Workspace,
};
use klast_dynamics::{Body, State};
use klast_geometry::terrain::{Area, FacetPatch, Grid, Terrain, terrain_separation};
use klast_geometry::{Pose, Solid};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const GRAVITY: f64 = 9.81;

/// A body laid flat on a rough slope, and the friction of the ground.
struct Case {
    ground: Grid,
    body: Body,
    start: State,
    friction: f64,
}

/// A slope (rad) along x with noise on its nodes.
fn rough(slope: f64, cell: f64, noise: f64, rng: &mut Pcg64) -> Grid {
    let (columns, rows) = ((60.0 / cell) as usize, (12.0 / cell) as usize);
    let mut heights = Vec::new();
    for _ in 0..rows {
        for i in 0..columns {
            let plane = -slope.tan() * i as f64 * cell;
            heights.push(plane + noise * rng.random_range(-1.0..1.0));
        }
    }
    Grid::new(columns, rows, cell, DVec2::ZERO, heights).unwrap()
}

fn case(seed: u64) -> Case {
    let mut rng = Pcg64::seed_from_u64(seed);
    let friction = rng.random_range(0.1..0.5_f64);
    let slope = friction.atan() + rng.random_range(4.0..15.0_f64).to_radians();
    let noise = [0.005, 0.01, 0.02][(seed % 3) as usize];
    let cell = [0.5, 1.0, 2.0][(seed / 3 % 3) as usize];
    let ground = rough(slope, cell, noise, &mut rng);
    let edges = match seed % 4 {
        0 => DVec3::new(1.0, 0.8, 0.25),
        1 => DVec3::new(4.0, 4.0, 1.0),
        2 => DVec3::new(3.0, 2.0, 1.0),
        _ => DVec3::ONE,
    };
    let volume = [0.3, 1.0, 3.0][(seed / 4 % 3) as usize];
    let body = Body::uniform(&Solid::Box { edges }.with_volume(volume).unwrap(), 2700.0).unwrap();
    let place = DVec2::new(rng.random_range(4.0..6.0), rng.random_range(5.0..7.0));
    let yaw = rng.random_range(0.0..std::f64::consts::TAU);
    let start = laid(&body, &ground, place, slope, yaw);
    Case {
        ground,
        body,
        start,
        friction,
    }
}

/// A body flat along a slope, raised until it is clear of the ground.
fn laid(body: &Body, ground: &Grid, place: DVec2, slope: f64, yaw: f64) -> State {
    let rotation = DQuat::from_rotation_y(slope) * DQuat::from_rotation_z(yaw);
    let surface = ground.surface(place.x, place.y).unwrap().height;
    let mut pose = Pose {
        rotation,
        translation: place.extend(surface),
    };
    let radius = body.shape().radius();
    let (mut facets, mut patch) = (Vec::new(), FacetPatch::default());
    ground.facets(Area::around(place, radius), &mut facets);
    for _ in 0..50 {
        let near = terrain_separation(body.shape(), &pose, &facets, f64::INFINITY, &mut patch);
        let gap = near.map_or(0.0, |n| n.gap);
        if gap >= 0.0 {
            break;
        }
        pose.translation.z += 1e-9 - gap;
    }
    State::at_rest(pose)
}

fn run(case: &Case, step: Option<f64>, time: f64, shift: f64) -> Run {
    let options = Options {
        limits: Limits {
            time,
            normal_velocity: 0.1,
            stopped_velocity: 0.01,
            ..Limits::default()
        },
        contact_step: step,
        ..Options::default()
    };
    let single = SingleBody::new(&case.ground, options).unwrap();
    let mut law = Coefficients::new(Restitution(0.2), Friction(case.friction)).unwrap();
    let mut start = case.start;
    start.pose.translation.z += shift;
    single.run(
        &case.body,
        start,
        &mut law,
        &mut (),
        &mut Workspace::default(),
    )
}

/// The way of a run (m), with the start raised by a shift (m).
fn way(case: &Case, step: Option<f64>, shift: f64) -> f64 {
    let run = run(case, step, 3.0, shift);
    assert_ne!(run.reason, StopReason::AtRest, "{run:?}");
    (run.state.pose.translation - case.start.pose.translation).length()
}

/// 500 plates, slabs and cubes go as far in three seconds as with a tenth of the step: within 3 % of it, or within two
/// standard deviations of what a start that is raised by up to 5.5 mm changes (twelve of them).
#[test]
fn bodies_laid_flat_slide_as_with_a_tenth_of_the_step() {
    let (mut ratios, mut scattered) = (Vec::new(), 0);
    for seed in 0..500 {
        let case = case(seed);
        let step = 0.06 * (case.body.shape().radius() / GRAVITY).sqrt();
        let (usual, fine) = (way(&case, None, 0.0), way(&case, Some(0.1 * step), 0.0));
        ratios.push(usual / fine);
        if (usual / fine - 1.0).abs() <= 0.03 {
            continue;
        }
        scattered += 1;
        let ways: Vec<f64> = (0..12)
            .map(|k| way(&case, None, 5e-4 * f64::from(k)))
            .collect();
        let mean = ways.iter().sum::<f64>() / 12.0;
        let variance = ways.iter().map(|w| (w - mean).powi(2)).sum::<f64>() / 11.0;
        assert!(
            (fine - mean).abs() <= 2.0 * variance.sqrt(),
            "{seed}: {usual} m of {fine} m; {mean} ± {}",
            variance.sqrt()
        );
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "ways over those with a tenth of the step: {:.3} to {:.3}, median {:.4}; {scattered} off by over 3 %",
        ratios[0], ratios[499], ratios[250]
    );
    assert!(scattered <= 8 && ratios[0] > 0.9 && ratios[499] < 1.03);
    assert!((ratios[250] - 1.0).abs() < 0.005);
}

/// A plate of 3 m³ on 15° with a friction angle of 8.5° and 2 cm of noise on a raster of 1 m, which two corners of the
/// ground carried in turn. On the even slope it goes g (sin 15° - 0.15 cos 15°) t²/2 = 5.03 m in three seconds.
#[test]
fn a_plate_on_two_corners_of_the_ground_slides() {
    // Rows from the north, metres below 298 m.
    const HEIGHTS: [[f64; 10]; 9] = [
        [
            0.395705, 0.119978, -0.174359, -0.429273, -0.632999, -0.948447, -1.244659, -1.477729,
            -1.724551, -2.000727,
        ],
        [
            0.377816, 0.113963, -0.147379, -0.406018, -0.681567, -0.961353, -1.186401, -1.484523,
            -1.725827, -1.987765,
        ],
        [
            0.420073, 0.119443, -0.162107, -0.394558, -0.698100, -0.923366, -1.238456, -1.507111,
            -1.768895, -2.045112,
        ],
        [
            0.383915, 0.121874, -0.157621, -0.426735, -0.689596, -0.932696, -1.221050, -1.481550,
            -1.713249, -2.019600,
        ],
        [
            0.383548, 0.139672, -0.156431, -0.379506, -0.667271, -0.914491, -1.200697, -1.494513,
            -1.774713, -2.025713,
        ],
        [
            0.372763, 0.088595, -0.176539, -0.374565, -0.682098, -0.959132, -1.206770, -1.505761,
            -1.721974, -2.008161,
        ],
        [
            0.397172, 0.134746, -0.141395, -0.411028, -0.691286, -0.958759, -1.225000, -1.483442,
            -1.760665, -2.000960,
        ],
        [
            0.395484, 0.082125, -0.150843, -0.403485, -0.676788, -0.953510, -1.215588, -1.507174,
            -1.744926, -2.038475,
        ],
        [
            0.408854, 0.145224, -0.127450, -0.422538, -0.709221, -0.951787, -1.226785, -1.466270,
            -1.788459, -2.059645,
        ],
    ];
    let heights = HEIGHTS.iter().rev().flatten().copied().collect();
    let ground = Grid::new(10, 9, 1.0, DVec2::ZERO, heights).unwrap();
    let edges = DVec3::new(1.0, 0.8, 0.25);
    let body = Body::uniform(&Solid::Box { edges }.with_volume(3.0).unwrap(), 2700.0).unwrap();
    let slope = 15f64.to_radians();
    let start = laid(&body, &ground, DVec2::new(3.8, 3.8), slope, 0.0);
    let case = Case {
        ground,
        body,
        start,
        friction: 0.15,
    };
    let run = run(&case, None, 3.0, 0.0);
    let way = (run.state.pose.translation - start.pose.translation).length();
    let even = 0.5 * GRAVITY * (slope.sin() - 0.15 * slope.cos()) * 9.0;
    // The noise of 2 cm costs it up to 2 % of the way, which with a tenth of the step is 5.02 m.
    assert!(
        run.reason != StopReason::AtRest && (way / even - 1.0).abs() < 0.03,
        "{way} {even} {run:?}"
    );
}

/// Where the usual step leaves a body on the noise of the ground, that is said: it never "stops" there.
#[test]
fn what_the_step_holds_up_is_not_at_rest() {
    let mut unresolved = 0;
    for k in 0..12 {
        let run = run(&case(485), None, 30.0, 5e-4 * f64::from(k));
        assert_ne!(run.reason, StopReason::AtRest, "{run:?}");
        unresolved += u32::from(run.reason == StopReason::Unresolved);
    }
    println!("{unresolved} of 12 unresolved");
}
