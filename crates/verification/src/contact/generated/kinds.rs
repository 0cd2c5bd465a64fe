//! Problems of the kinds of the four that are too large for the project. Each is made from a seed; what it has in
//! common with the published one is what the table compares: contacts, rank, spread of the pivots, size of the
//! velocities.

use glam::{DMat3, DQuat, DVec3};
use klast_numerics::SplitMix64;

use super::bodies::{Body, Heap, Touch};
use crate::contact::natural_map::Posed;

/// What gravity adds in a step of half a millisecond.
const FALL: DVec3 = DVec3::new(0.0, 0.0, -9.81 * 5e-4);

fn vector(random: &mut SplitMix64) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| random.between(-1.0, 1.0)))
}

/// BoxesStack1: thirteen boxes of two hundredths of a kilogram on each other, four contacts a joint; the uppermost
/// arrives at 32 m/s.
pub(super) fn boxes() -> Posed {
    const BOXES: usize = 13;
    let mut random = SplitMix64::new(1);
    let mut heap = Heap::default();
    let (mut base, mut below) = (0.0, f64::INFINITY);
    for k in 0..BOXES {
        let side = random.between(0.10, 0.12);
        let mass = 0.02 / (1.0 + k as f64 / BOXES as f64);
        let astray = 5e-4 * vector(&mut random);
        heap.bodies.push(Body {
            mass,
            inverse_inertia: DMat3::IDENTITY * (6.0 / (mass * side * side)),
            centre: DVec3::new(astray.x, astray.y, base + 0.5 * side),
            velocity: if k + 1 == BOXES {
                DVec3::Z * -32.0
            } else {
                FALL
            },
            spin: DVec3::ZERO,
        });
        let half = 0.5 * side.min(below);
        for (x, y) in [(-half, -half), (-half, half), (half, -half), (half, half)] {
            heap.touches.push(Touch {
                first: k,
                second: k.checked_sub(1),
                point: DVec3::new(x, y, base),
                normal: DVec3::Z,
            });
        }
        (base, below) = (base + side, side);
    }
    heap.posed(0.7)
}

/// Capsules: twenty heaps of one to fifteen capsules that lie side by side and on each other, two contacts with each
/// neighbour. A contact lies between two surfaces, up to half of `apart` before or behind where they would touch: if
/// all lay on their lines, some motions would be of no contact at all, and so they are of hardly any. From heap to heap
/// that goes from 6 cm down to `least`: the published operators have some fourteen eigenvalues that reach from a
/// thousandth of the largest down to the least.
pub fn capsules(seed: u64, least: f64, speed: f64) -> Posed {
    const LAYERS: [usize; 20] = [5, 5, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1];
    const MAX_RADIUS: f64 = 0.06;
    let mut random = SplitMix64::new(seed);
    let mut heap = Heap::default();
    for (number, layers) in LAYERS.into_iter().enumerate() {
        let before = heap.touches.len();
        pyramid(&mut heap, layers, 20.0 * number as f64, speed, &mut random);
        // Seven has no divisor with twenty in common: every share comes once, to heaps of all sizes.
        let share = (7 * number % LAYERS.len()) as f64 / (LAYERS.len() - 1) as f64;
        let apart = MAX_RADIUS * libm::pow(least / MAX_RADIUS, share);
        for touch in &mut heap.touches[before..] {
            touch.point += random.between(-0.5, 0.5) * apart * touch.normal;
        }
    }
    heap.posed(0.7)
}

/// Capsules of radius 0.5 m whose axes are 2 m long and lie along y, as many layers as the lowest has capsules.
fn pyramid(heap: &mut Heap, layers: usize, from: f64, speed: f64, random: &mut SplitMix64) {
    const RADIUS: f64 = 0.5;
    const HALF: f64 = 1.0;
    const PITCH: f64 = 2.2 * RADIUS;
    let rise = (4.0 * RADIUS * RADIUS - 0.25 * PITCH * PITCH).sqrt();
    let mut below = 0;
    for layer in 0..layers {
        let first = heap.bodies.len();
        for k in 0..layers - layer {
            let mass = random.between(1.0, 1.5);
            let along = 0.4 * mass * RADIUS * RADIUS;
            let across = mass * (HALF * HALF / 3.0 + 0.5 * RADIUS * RADIUS);
            let centre = DVec3::new(
                from + PITCH * (k as f64 + 0.5 * layer as f64),
                0.0,
                RADIUS + rise * layer as f64,
            );
            // The uppermost ones of some heaps leave upwards.
            let leaves = layer + 1 == layers && random.unit() < 0.6;
            let aside = 0.4 * vector(random);
            let thrown = speed * DVec3::new(aside.x, aside.y, random.between(0.2, 1.0));
            heap.bodies.push(Body {
                mass,
                inverse_inertia: DMat3::from_diagonal(DVec3::new(
                    1.0 / across,
                    1.0 / along,
                    1.0 / across,
                )),
                centre,
                velocity: if leaves { FALL + thrown } else { FALL },
                spin: DVec3::ZERO,
            });
            let others = match layer {
                0 => vec![None],
                _ => vec![Some(below + k), Some(below + k + 1)],
            };
            for second in others {
                let to = second.map_or(DVec3::Z, |b| (centre - heap.bodies[b].centre).normalize());
                for end in [-HALF, HALF] {
                    heap.touches.push(Touch {
                        first: first + k,
                        second,
                        point: centre - RADIUS * to + DVec3::Y * end,
                        normal: to,
                    });
                }
            }
        }
        below = first;
    }
}

/// Confeti-ex13: 23 flat discs of hundreds of tonnes, each with its neighbours in a ball and some with a wall, and a
/// Delassus operator that is printed with eleven decimals. Rounding alone makes it indefinite and of nearly full rank.
pub(super) fn flakes() -> Posed {
    const FLAKES: usize = 23;
    const CONTACTS: usize = 107;
    let mut random = SplitMix64::new(3);
    let mut heap = Heap::default();
    for _ in 0..FLAKES {
        let mass = 1e5 * random.between(1.0, 4.0);
        let axis = vector(&mut random).normalize();
        let turn = DMat3::from_quat(DQuat::from_rotation_arc(DVec3::Z, axis));
        let inverse = DMat3::from_diagonal(DVec3::new(4.0, 4.0, 2.0) / mass);
        heap.bodies.push(Body {
            mass,
            inverse_inertia: turn * inverse * turn.transpose(),
            centre: 1.7 * vector(&mut random),
            velocity: 120.0 * vector(&mut random),
            spin: 40.0 * vector(&mut random),
        });
    }
    for i in 0..CONTACTS {
        let first = i % FLAKES;
        let centre = |k: usize| heap.bodies[k].centre;
        let mut near: Vec<usize> = (0..FLAKES).filter(|k| *k != first).collect();
        near.sort_by(|a, b| {
            let far = |k: usize| centre(k).distance_squared(centre(first));
            far(*a).total_cmp(&far(*b))
        });
        let second = (i % 12 != 0).then(|| near[random.below(7)]);
        let other = second.map_or(centre(first) * 1.5, centre);
        heap.touches.push(Touch {
            first,
            second,
            point: 0.5 * (centre(first) + other) + 0.5 * vector(&mut random),
            normal: (centre(first) - other).normalize(),
        });
    }
    let mut posed = heap.posed(0.04);
    for (_, _, block) in &mut posed.blocks {
        let printed = block.to_cols_array().map(|x| (x * 1e11).round() / 1e11);
        *block = DMat3::from_cols_array(&printed);
    }
    posed
}
