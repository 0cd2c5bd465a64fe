//! Errata of statements on the row of blocks, chapter 9.

use std::f64::consts::PI;

use super::Check;
use super::steps::root;

pub const CHECKS: &[Check] = &[
    ("T60", period_of_the_end),
    ("T61", two_restitutions),
    ("T62", amplitude_of_the_basin),
    ("T64", blocks_of_the_series),
];

/// Period of the motion's end in the basin d_2π with e = 0.8, in periods of the drive: none by the text; of the motion
/// that is followed from impact to impact; and of the orbit whose impacts are half a period apart, in closed form, with
/// a speed that the motion has in the end.
fn period_of_the_end() -> [f64; 3] {
    let e = 0.8;
    let way = (1.0 + e) * 2.0 * PI;
    // Lengths over u₀ and times over 1/Ω. Both walls move by sin t.
    let (mut x, mut v, mut t) = (0.0, 1.0 + e, 0.0);
    let (mut left, mut speed) = (Vec::new(), 0.0);
    for _ in 0..600 {
        let gaps = |s: f64| [x + v * (s - t) - s.sin(), way + s.sin() - x - v * (s - t)];
        let apart = |s: f64| gaps(s)[0].min(gaps(s)[1]);
        let mut next = t + 1e-3;
        while apart(next) > 0.0 {
            next += 1e-3;
        }
        let hit = root(apart, next - 1e-3, next);
        if gaps(hit)[0] < gaps(hit)[1] {
            left.push(hit);
        }
        x += v * (hit - t);
        v = hit.cos() - e * (v - hit.cos());
        (t, speed) = (hit, v.abs());
    }
    let last = left.len() - 1;
    let followed = (left[last] - left[last - 1]) / (2.0 * PI);
    // At a wall v = (1 + e)/(1 − e) cos t; from wall to wall in π: π v = d − s − 2 sin t. One of its two orbits holds.
    let closed = |t: f64| (1.0 + e) / (1.0 - e) * t.cos();
    let phase = root(|t| way - 2.0 * t.sin() - PI * closed(t), 1.5 * PI, 2.0 * PI);
    let orbit = closed(phase);
    let flight = (way - 2.0 * phase.sin()) / orbit;
    let same = (speed / orbit - 1.0).abs() < 1e-9;
    let second = if same { flight / PI } else { f64::NAN };
    [0.0, followed, second]
}

/// Velocity over u₀Ω of a block that a wall hits from rest: with e₂ of section 9.7, with e₂ of Table 9.3, and the
/// latter from the momentum of a wall 1e9 times as heavy.
fn two_restitutions() -> [f64; 3] {
    let (heavy, e) = (1e9, 0.3);
    let impulse = (1.0 + e) * heavy / (1.0 + heavy);
    [1.0 + 0.6, 1.0 + e, impulse]
}

/// Amplitude (mm) for which 394 mm is d_π with four blocks of 40 mm and e = 0.6: that of the series, by Table 9.1 with
/// n = 0, and the one with which a front in small steps is at the far wall as its velocity is largest.
fn amplitude_of_the_basin() -> [f64; 3] {
    let (free, e) = (394.0 - 4.0 * 40.0, 0.6);
    let left = |u0: f64| {
        let (n, mut front) = (1000, 0.0);
        for _ in 0..n {
            front += (1.0 + e) * u0 * PI / f64::from(n);
        }
        free + u0 * PI.sin() - front
    };
    [40.0, free / ((1.0 + e) * PI), root(left, 1.0, 200.0)]
}

/// Blocks of section 9.7.2.2: as its text counts them, from the free way of series B, and laid one by one into the
/// basin until no more than that is free.
fn blocks_of_the_series() -> [f64; 3] {
    let (basin, size, free) = (394, 40, 74);
    let (mut laid, mut left) = (0, basin);
    while left > free {
        left -= size;
        laid += 1;
    }
    [4.0, f64::from((basin - free) / size), f64::from(laid)]
}
