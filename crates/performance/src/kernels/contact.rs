//! One frictional contact problem.

use std::hint::black_box;

use anyhow::{Result, ensure};
use glam::{DMat3, DVec3};
use klast_contact::bodies::{BodyInertia, BodyVelocity, ContactPair, Problem};
use klast_contact::{SolveOptions, Workspace};

use crate::Work;

/// Half the size of a brick (m).
const HALF: DVec3 = DVec3::new(0.2, 0.1, 0.1);

/// A running-bond wall under its weight, as many bricks long as high, pushed along by a tenth of it; solved to 1e-8.
pub fn friction_wall(size: usize) -> Result<Work> {
    let mass = 1000.0 * 8.0 * HALF.x * HALF.y * HALF.z;
    let square = HALF * HALF;
    let inertia = DVec3::new(
        square.y + square.z,
        square.x + square.z,
        square.x + square.y,
    ) * (mass / 3.0);
    let node = BodyInertia {
        inverse_mass: 1.0 / mass,
        inverse_inertia: DMat3::from_diagonal(inertia.recip()),
    };
    let fall = 9.81 * 5e-3;
    let velocity = BodyVelocity {
        linear: DVec3::new(0.1 * fall, 0.0, -fall),
        angular: DVec3::ZERO,
    };
    let bricks = size * size;
    let mut factored = Problem::new();
    factored.load(&vec![node; bricks], &vec![velocity; bricks], &links(size))?;
    let problem = factored.assemble()?;
    let options = SolveOptions {
        tolerance: 1e-8,
        ..SolveOptions::default()
    };
    let mut workspace = Workspace::new();
    Ok(Box::new(move || {
        let solution = black_box(workspace.solve(&problem, &options, None));
        ensure!(solution.converged(), "the wall is not solved");
        Ok(problem.contacts() as u64)
    }))
}

/// Four corners under each brick where it lies on the floor, and of each half where it lies on two bricks.
fn links(size: usize) -> Vec<ContactPair> {
    let mut links = Vec::new();
    for (course, k) in (0..size).flat_map(|c| (0..size).map(move |k| (c, k))) {
        let brick = course * size + k;
        if course == 0 {
            rest(&mut links, brick, None, 0.0);
            continue;
        }
        // Odd courses stand half a brick to the right of even ones.
        let right = course % 2 == 1;
        let (left_below, right_below) = if right {
            (Some(k), k + 1)
        } else {
            (k.checked_sub(1), k)
        };
        if let Some(below) = left_below {
            rest(
                &mut links,
                brick,
                Some((course - 1) * size + below),
                -HALF.x,
            );
        }
        if right_below < size {
            rest(
                &mut links,
                brick,
                Some((course - 1) * size + right_below),
                HALF.x,
            );
        }
    }
    links
}

/// The corners of the rectangle in which a brick rests on another whose centre is `shift` off along x.
fn rest(links: &mut Vec<ContactPair>, brick: usize, below: Option<usize>, shift: f64) {
    let (low, high) = ((-HALF.x).max(shift - HALF.x), HALF.x.min(shift + HALF.x));
    for (x, y) in [
        (low, -HALF.y),
        (high, -HALF.y),
        (low, HALF.y),
        (high, HALF.y),
    ] {
        links.push(ContactPair {
            first: brick,
            second: below,
            normal: DVec3::Z,
            arm_first: DVec3::new(x, y, -HALF.z),
            arm_second: DVec3::new(x - shift, y, HALF.z),
            bias: DVec3::ZERO,
            mu: 0.6,
            impulse: DVec3::ZERO,
        });
    }
}
