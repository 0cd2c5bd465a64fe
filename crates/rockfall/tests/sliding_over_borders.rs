//! A lumped mass that slides over the border of a material in the middle of a facet: v² changes by 2 a s on each side,
//! a = g (sin θ − μ cos θ).

use glam::{DVec2, DVec3};
use klast_geometry::terrain::{Grid, Mesh, Profile, Terrain};
use klast_rockfall::lumped::LumpedState;
use klast_rockfall::*;
use std::ops::ControlFlow;

const G: f64 = 9.81;
/// Where the second material begins (m).
const BORDER: f64 = 61.3;

/// Two materials with their friction, and where the second lies.
fn ground(friction: [f64; 2], layout: Layout) -> (Ground, Vec<MaterialSample>) {
    let material = |friction: f64| {
        let coefficients = GroundCoefficients {
            normal_restitution: 0.0,
            tangential_restitution: 1.0,
            friction,
        };
        SlopeMaterial::constant("soil", coefficients)
    };
    let sample = |friction: f64| MaterialSample {
        normal_restitution: 0.0,
        tangential_restitution: 1.0,
        friction,
        ..MaterialSample::default()
    };
    let ground = Ground::new(friction.map(material).to_vec(), layout).unwrap();
    (ground, friction.map(sample).to_vec())
}

/// From x = 20 at 2 m/s down the line of steepest descent to rest; x at the end.
fn end(terrain: &dyn Terrain, start: DVec3, along: DVec3, layout: Layout) -> f64 {
    let (ground, samples) = ground([0.2, 0.6], layout);
    let stop = StopConditions::default();
    let engine = LumpedRock::new(terrain, &ground, &stop);
    let rock = LumpedMass::of_volume(0.4)
        .and_then(|m| m.with_mass(1000.0))
        .unwrap();
    let state = LumpedState {
        position: start,
        velocity: 2.0 * along,
        spin: DVec3::ZERO,
    };
    let (outcome, end, _) = engine.run(&rock, &samples, state, None, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(outcome, Outcome::Stopped);
    end.position.x
}

fn area() -> Layout {
    let ring = [
        (BORDER, -500.0),
        (900.0, -500.0),
        (900.0, 500.0),
        (BORDER, 500.0),
    ];
    let ring = ring.map(|(x, y)| DVec2::new(x, y)).to_vec();
    Layout::Polygons(vec![(Polygon::new(vec![ring]).unwrap(), 1)], 0)
}

/// Classes at nodes 0.2 m apart: the border is halfway between the nodes at 61.2 and 61.4 m.
fn classes() -> Layout {
    let columns = 2501;
    let class = |k: usize| f64::from(u8::from(k % columns >= 307));
    let values = (0..columns * 2).map(class).collect();
    let grid = Grid::new(columns, 2, 0.2, DVec2::new(0.0, 7.2), values).unwrap();
    Layout::Raster(grid, 0)
}

/// x at the end of two stretches of a slope whose forces per mass along it are `pulls` (m/s²).
fn wanted(pulls: [f64; 2], cosine: f64) -> f64 {
    let square = 4.0 + 2.0 * pulls[0] * (BORDER - 20.0) / cosine;
    BORDER + square / (-2.0 * pulls[1]) * cosine
}

#[test]
fn a_slide_takes_the_friction_of_each_place() {
    let (sine, cosine) = libm::sincos(20f64.to_radians());
    let height = |x: f64| 200.0 - x * sine / cosine;
    let wanted = wanted([0.2, 0.6].map(|mu| G * (sine - mu * cosine)), cosine);
    let profile = [0.0, 400.0].map(|x| DVec2::new(x, height(x)));
    let profile = Profile::new(profile.to_vec()).unwrap();
    let corners = [(0.0, 0.0), (400.0, 0.0), (400.0, 60.0), (0.0, 60.0)];
    let points = corners.map(|(x, y)| DVec3::new(x, y, height(x)));
    let mesh = Mesh::new(&points, &[[0, 1, 2], [0, 2, 3]]).unwrap();
    let along = DVec3::new(cosine, 0.0, -sine);
    for terrain in [&profile as &dyn Terrain, &mesh] {
        let lift = terrain.origin().z;
        let start = DVec3::new(20.0, 7.3, height(20.0) - lift);
        for layout in [area(), classes()] {
            let found = end(terrain, start, along, layout);
            // The stopped-velocity cutoff is not asked within a facet; sums of some hundred metres.
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    }
}

/// In a gutter of two walls that rise by 1 in 1 across, N1 + N2 = g cos β / cos γ presses, with the normals (f, ±1, 1)
/// and cos γ = √(1 − n_y²).
#[test]
fn a_slide_in_a_gutter_takes_the_friction_of_each_place() {
    let (sine, cosine) = libm::sincos(20f64.to_radians());
    let fall = sine / cosine;
    let height =
        |k: usize| 300.0 - fall * (k % 3) as f64 * 200.0 + ((k / 3) as f64 - 1.0).abs() * 200.0;
    let grid = Grid::new(
        3,
        3,
        200.0,
        DVec2::new(0.0, -200.0),
        (0..9).map(height).collect(),
    );
    let grid = grid.unwrap();
    let normal = DVec3::new(fall, 1.0, 1.0).normalize();
    let both = (1.0 - normal.y * normal.y).sqrt();
    let pulls = [0.2, 0.6].map(|mu| G * (sine - mu * cosine / both));
    let start = DVec3::new(20.0, 200.0, 300.0 - fall * 20.0) - DVec3::Z * grid.origin().z;
    let along = DVec3::new(cosine, 0.0, -sine);
    let found = end(&grid, start, along, area());
    let wanted = wanted(pulls, cosine);
    assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
}
