//! Throws bodies on the ground and counts how they end: `cargo run --release -p klast-dynamics --example rest
//! [THROWS]`, by default 100 throws of each body in each case.
//!
//! One line a case: how many rest, how many still move after 60 s (a hexagon that rolls down a slope), how many used up
//! a million steps; mean and largest number of steps; contact problems short of their tolerance, and stretches in which
//! contact made energy.

use glam::{DQuat, DVec3};
use klast_dynamics::single::{
    Coefficients, Friction, Limits, Options, Restitution, SingleBody, StopReason, Workspace,
};
use klast_dynamics::{Body, State, Twist};
use klast_geometry::terrain::Slope;
use klast_geometry::{ConvexPolyhedron, Plane, Pose, Solid};
use klast_sampling::SplitMix64;
use std::error::Error;

/// Restitution, friction, slope (degrees).
const CASES: [[f64; 3]; 6] = [
    [0.0, 0.5, 0.0],
    [0.3, 0.5, 0.0],
    [0.3, 1.0, 0.0],
    [0.5, 0.2, 0.0],
    [0.3, 1.0, 10.0],
    [0.3, 0.6, 25.0],
];

fn main() -> Result<(), Box<dyn Error>> {
    let throws = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 100,
        Some(Ok(n)) if n > 0 => n,
        Some(_) => return Err("THROWS: accepted a whole number, 1 or more".into()),
    };
    let mut rng = SplitMix64::new(11);
    for (name, shape) in shapes(&mut rng)? {
        let body = Body::uniform(&shape, 2700.0)?;
        for case in CASES {
            println!("{name}, {}", count(&body, case, throws, &mut rng)?);
        }
    }
    Ok(())
}

/// Uniform in [-1, 1).
fn centred(rng: &mut SplitMix64) -> f64 {
    (rng.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn vector(rng: &mut SplitMix64) -> DVec3 {
    DVec3::new(centred(rng), centred(rng), centred(rng))
}

fn shapes(rng: &mut SplitMix64) -> Result<Vec<(String, ConvexPolyhedron)>, Box<dyn Error>> {
    let flat = DVec3::new(1.0, 0.7, 0.4);
    let solids = [
        ("cube", Solid::Cube),
        ("box 1:0.7:0.4", Solid::Box { edges: flat }),
        ("tetrahedron", Solid::Tetrahedron),
        ("octahedron", Solid::Octahedron),
        ("dodecahedron", Solid::Dodecahedron),
        ("icosphere", Solid::Icosphere { level: 1 }),
    ];
    let mut all = Vec::new();
    for (name, solid) in solids {
        all.push((name.to_owned(), solid.with_volume(1.0)?));
    }
    for points in [6, 9, 12, 16, 20] {
        let stretch = DVec3::splat(0.75) + 0.45 * vector(rng);
        let points: Vec<_> = (0..points)
            .map(|_| vector(rng).normalize_or(DVec3::Z) * stretch)
            .collect();
        let hull = ConvexPolyhedron::from_points(&points)?;
        all.push((format!("hull of {}", hull.vertices().len()), hull));
    }
    Ok(all)
}

/// The line of a case.
fn count(
    body: &Body,
    [e, mu, degrees]: [f64; 3],
    throws: usize,
    rng: &mut SplitMix64,
) -> Result<String, Box<dyn Error>> {
    let (s, c) = degrees.to_radians().sin_cos();
    let gravity = 9.81 * DVec3::new(s, 0.0, -c);
    let limits = Limits {
        time: 60.0,
        ..Limits::default()
    };
    let mut material = Coefficients::new(Restitution(e), Friction(mu))?;
    let ground = Slope::new(Plane::new(DVec3::Z, 0.0)?)?;
    let options = Options {
        gravity,
        limits,
        ..Options::default()
    };
    let run = SingleBody::new(&ground, options)?;
    let mut workspace = Workspace::default();
    let (mut rest, mut moving, mut endless) = (0, 0, 0);
    let (mut steps, mut most, mut missed, mut rises) = (0, 0, 0, 0);
    for _ in 0..throws {
        let (axis, turn) = (vector(rng).normalize_or(DVec3::Z), 4.0 * centred(rng));
        let velocity = Twist {
            linear: 3.0 * vector(rng) * DVec3::new(1.0, 1.0, 0.0),
            angular: 2.0 * vector(rng),
        };
        let pose = Pose::new(DQuat::from_axis_angle(axis, turn), DVec3::Z * 2.5)?;
        let start = State::new(pose, velocity)?;
        let end = run.run(body, start, &mut material, &mut (), &mut workspace);
        match end.reason {
            StopReason::AtRest => rest += 1,
            StopReason::MaximumTime => moving += 1,
            _ => endless += 1,
        }
        let tally = end.tally;
        (steps, most) = (steps + tally.steps, most.max(tally.steps));
        missed += tally.unconverged;
        rises += tally.energy.rises;
    }
    let mean = steps / throws;
    Ok(format!(
        "e {e}, mu {mu}, {degrees} degrees: {rest} rest, {moving} move, {endless} endless; \
         {mean} steps, at most {most}; {missed} unconverged, {rises} rises"
    ))
}
