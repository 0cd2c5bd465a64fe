//! Hulls of boxes with a narrow chamfer, and of thin plates, in random attitudes: how many are refused, and why. The
//! first argument is the number of attitudes of each, 10,000 unless stated.

use glam::{DQuat, DVec3};
use klast_geometry::ConvexPolyhedron;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A unit box, the edge at (½, y, ½) chamfered to a width.
fn chamfered(width: f64) -> Vec<DVec3> {
    let cut = width / 2f64.sqrt();
    let section = [
        (-0.5, -0.5),
        (0.5, -0.5),
        (0.5, 0.5 - cut),
        (0.5 - cut, 0.5),
        (-0.5, 0.5),
    ];
    let both = section
        .iter()
        .flat_map(|(x, z)| [-0.5, 0.5].map(|y| DVec3::new(*x, y, *z)));
    both.collect()
}

fn plate(thickness: f64) -> Vec<DVec3> {
    let corner = |k: u32| [0, 1, 2].map(|a| f64::from((k >> a) & 1) - 0.5);
    let scale = DVec3::new(1.0, 1.0, thickness);
    (0..8)
        .map(|k| DVec3::from_array(corner(k)) * scale)
        .collect()
}

/// A rotation, uniform over all of them (Shoemake 1992).
fn rotation(dice: &mut Pcg64) -> DQuat {
    let [u, a, b] = std::array::from_fn(|_| dice.random::<f64>());
    let turn = |x: f64| (std::f64::consts::TAU * x).sin_cos();
    let ((p, q), (r, s)) = (turn(a), turn(b));
    let (v, w) = ((1.0 - u).sqrt(), u.sqrt());
    DQuat::from_xyzw(v * p, v * q, w * r, w * s)
}

fn main() {
    let count = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(10_000);
    let chamfers = [
        1e-12, 1e-11, 1e-10, 1e-9, 1.5e-9, 2e-9, 3e-9, 5e-9, 7e-9, 1e-8, 2e-8, 1e-7, 1e-6,
    ];
    let plates = [1.01e-10, 1.5e-10, 3e-10, 1e-9, 1e-8, 1e-6, 1e-3];
    let solids = chamfers.map(|w| ("chamfer", w, chamfered(w)));
    for (name, size, points) in solids
        .into_iter()
        .chain(plates.map(|t| ("plate", t, plate(t))))
    {
        let mut dice = Pcg64::seed_from_u64(58);
        let (mut refused, mut first) = (0, String::new());
        for _ in 0..count {
            let turn = rotation(&mut dice);
            let turned: Vec<DVec3> = points.iter().map(|p| turn * *p).collect();
            if let Err(error) = ConvexPolyhedron::from_points(&turned) {
                refused += 1;
                first = error.to_string();
            }
        }
        println!("{name} {size:e}: {refused} of {count} refused {first}");
    }
}
