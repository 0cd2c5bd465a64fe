//! Two blocks on each other: the eight explicit configurations of chapter 6, and the two angles by Lagrange's
//! equations.

#[path = "../../../stacks/tests/eight/mod.rs"]
mod eight;

use std::collections::BTreeMap;

use eight::{Config, Dual};
use klast_ground_motion::{Component, Frequency};
use rayon::prelude::*;
use serde::Deserialize;

use super::GRAVITY;
use super::reading::Reading;
use super::two_blocks::{Fate, Stack};

fn dual([b, h1, h2, m1, m2]: [f64; 5]) -> Dual {
    Dual {
        b,
        h1,
        h2,
        m1,
        m2,
        g: GRAVITY,
        keeps: [1.0; 2],
    }
}

fn kounadis(reading: &Reading) -> Dual {
    let (r, alpha) = (
        reading.input("half_diagonal_m"),
        reading.input("slenderness_rad"),
    );
    let height = 2.0 * r * alpha.cos();
    dual([2.0 * r * alpha.sin(), height, height, 1.0, 1.0])
}

fn config(name: &str) -> Config {
    match name {
        "1a" => Config::A1,
        "1b" => Config::B1,
        "2a" => Config::A2,
        "2b" => Config::B2,
        "3a" => Config::A3,
        "3b" => Config::B3,
        "4a" => Config::A4,
        "4b" => Config::B4,
        _ => Config::Rest,
    }
}

/// The base acceleration at which a shut interface opens: what it is short of opening by is linear in it.
fn critical(dual: &Dual, from: Config, to: Config, state: [f64; 4]) -> f64 {
    let short = |u: f64| {
        let reserves = dual.reserves(from, &state, u);
        reserves.into_iter().find(|r| r.0 == to).unwrap().1
    };
    let (none, one) = (short(0.0), short(1.0));
    none / (none - one)
}

#[test]
fn openings_of_all_configurations() {
    #[derive(Deserialize)]
    struct Opening {
        stack: [f64; 5],
        names: [String; 2],
        angle_rad: f64,
        rate_rad_per_s: f64,
    }
    let mut reading = Reading::open("stacks/openings", "openings_of_all_configurations");
    for (row, case) in reading.inputs::<BTreeMap<String, Opening>>("cases") {
        let (angle, rate) = (case.angle_rad, case.rate_rad_per_s);
        let from = config(&case.names[0]);
        let state = match from {
            Config::A4 | Config::B4 => [0.0, angle, 0.0, rate],
            _ => [angle, 0.0, rate, 0.0],
        };
        let found = critical(&dual(case.stack), from, config(&case.names[1]), state);
        reading.holds(&row, "exact", found, 1e-9);
    }
    reading.whole("exact", &[]);
}

#[test]
fn thresholds_of_a_constant_acceleration() {
    const TEST: &str = "thresholds_of_a_constant_acceleration";
    let mut reading = Reading::open("stacks/constant-acceleration", TEST);
    let (b, h, m) = (
        reading.input("width_m"),
        reading.input("height_m"),
        reading.input("mass_kg"),
    );
    let stack = dual([b, h, h, m, m]);
    let still = [0.0; 4];
    let both = critical(&stack, Config::Rest, Config::A3, still) / GRAVITY;
    reading.holds("threshold 3a", "reference", both, 1e-12);
    // Wherever the upper block alone could start, its reaction tips the lower one too.
    let upper = critical(&stack, Config::Rest, Config::A4, still) / GRAVITY;
    let alone = |share: f64| {
        let reserves = stack.reserves(Config::A4, &still, share * GRAVITY);
        share >= upper && reserves.into_iter().all(|(_, reserve)| reserve > 0.0)
    };
    assert!(!(1..=2000).any(|k| alone(0.01 * f64::from(k))));
    reading.says("threshold 4a", "reference", "never");
    for ratio in ["2.25", "4.5", "9"] {
        let height: f64 = ratio.parse().unwrap();
        let equal = dual([1.0, height, height, 1.0, 1.0]);
        let found = critical(&equal, Config::A3, Config::A2, still) / GRAVITY;
        reading.holds(&format!("2a-from {ratio}"), "reference", found, 1e-9);
    }
    reading.whole("reference", &[]);
}

#[test]
fn impacts_of_two_blocks() {
    let mut reading = Reading::open("stacks/impact-constants", "impacts_of_two_blocks");
    for (name, [b, h]) in
        reading.inputs::<BTreeMap<String, [f64; 2]>>("equal_blocks_width_height_m")
    {
        let stack = dual([b, h, h, 1.0, 1.0]);
        let after = |from, upper, state: [f64; 4]| {
            let (_, lower_rate, upper_rate) = stack.impact(from, upper, &state);
            (lower_rate, upper_rate)
        };
        let relative = |(lower, upper): (f64, f64)| upper - lower;
        let lone = after(Config::A4, true, [0.0, 0.0, 0.0, 1.0]);
        for (what, value) in [
            (
                "1a-2a",
                relative(after(Config::A1, true, [-0.07, 0.0, 0.3, 0.4])) / 0.4,
            ),
            (
                "2a-1a",
                relative(after(Config::A2, true, [-0.07, 0.0, 0.3, -0.4])) / -0.4,
            ),
            (
                "1a-2b",
                after(Config::A1, false, [0.0, 0.0, 0.4, 0.2]).0 / 0.4,
            ),
            (
                "2b-1a",
                after(Config::B2, false, [0.0, 0.0, -0.4, 0.2]).0 / -0.4,
            ),
            ("4a-1b lower", lone.0),
            ("4a-1b upper", lone.1),
        ] {
            reading.may_hold(&format!("{name} {what}"), "reference", value, 1e-10);
        }
    }
    reading.whole("reference", &[]);

    #[derive(Deserialize)]
    struct Before {
        rotations_rad: [f64; 2],
        rates_rad_per_s: [f64; 2],
    }
    let mut reading = Reading::open("stacks/impacts-as-printed", "impacts_of_two_blocks");
    let dual = kounadis(&reading);
    let stack = Stack {
        b: dual.b,
        h: [dual.h1, dual.h2],
        m: [dual.m1, dual.m2],
        keeps: 1.0,
    };
    for (event, before) in reading.inputs::<BTreeMap<String, Before>>("states") {
        let (from, to) = event.split_once('-').unwrap();
        let ([t1, t2], [w1, w2]) = (before.rotations_rad, before.rates_rad_per_s);
        let upper = t1 != 0.0;
        let (found, v1, v2) = dual.impact(config(from), upper, &[t1, t2 - t1, w1, w2 - w1]);
        assert_eq!(found.name(), to, "{event}");
        let energy = |name: &str, rates| stack.kinetic(pivots(name), [t1, t2], rates);
        let ratio = energy(to, [v1, v2]) / energy(from, [w1, w2]);
        reading.holds(&format!("{event} corrected"), "reference", ratio, 1e-11);
    }
    reading.whole("reference", &["printed"]);
}

/// Corners about which the two interfaces are open: `a` is to the left.
fn pivots(name: &str) -> [i8; 2] {
    let side = if name.ends_with('a') { -1 } else { 1 };
    match &name[..1] {
        "1" => [side, side],
        "2" => [side, -side],
        "3" => [side, 0],
        _ => [0, side],
    }
}

#[test]
fn events_of_the_kounadis_stack() {
    for ratio in ["10.7808", "10.8696", "10.989"] {
        let mut reading = Reading::open(
            &format!("stacks/kounadis-{ratio}"),
            "events_of_the_kounadis_stack",
        );
        let dual = kounadis(&reading);
        let amplitude =
            ratio.parse::<f64>().unwrap() * GRAVITY * 0.5 * reading.input("slenderness_rad");
        let omega = reading.input("omega_rad_per_s");
        let wave = Component::waves(amplitude, Frequency::rad_per_s(omega), 0.0, 1.0).unwrap();
        // The law that acts on the relative rate alone is not of this form.
        for (law, keeps) in [
            ("housner", [1.0; 2]),
            ("all-between", [1.0, 0.95]),
            ("all", [0.95; 2]),
        ] {
            let dual = Dual { keeps, ..dual };
            let events = eight::simulate(dual, &wave, (Config::Rest, [0.0; 4]), 3.0);
            for (k, (time, to)) in events.iter().enumerate() {
                let row = format!("{law} {:02}", k + 1);
                let after = reading.word(&format!("{row} configuration"), "reference");
                // Impacts that come ever faster are ended by each program at a rate of its own: up to there.
                let Some(after) = after.filter(|a| !a.starts_with('3') || a == to.name()) else {
                    break;
                };
                assert_eq!(after, to.name(), "{ratio}: {row}");
                reading.holds(&format!("{row} time"), "reference", *time, 1e-8);
                reading.says(&format!("{row} configuration"), "reference", to.name());
            }
        }
        let events = eight::simulate(dual, &wave, (Config::Rest, [0.0; 4]), 3.0);
        if ratio == "10.7808" {
            opening(&dual, &wave, &events);
        }
    }
}

/// Condition (6.108) on the motion of both blocks as one, by fixed steps of Runge and Kutta from the first event to the
/// second.
fn opening(dual: &Dual, wave: &Component, events: &[(f64, Config)]) {
    let mut reading = Reading::open("stacks/opening-6.108", "events_of_the_kounadis_stack");
    let (start, end) = (events[0].0, events[1].0);
    reading.holds("corrected first", "reference", end, 1e-8);
    let (half, m) = (0.5 * dual.b, dual.m2);
    let (r, alpha) = (0.5 * dual.b.hypot(dual.h2), dual.b.atan2(dual.h2));
    let rise = dual.h1 + 0.5 * dual.h2;
    let (far, lean) = (half.hypot(rise), half.atan2(rise));
    let turn = |t: f64, q: f64| {
        let push = wave.acceleration(t);
        dual.accelerations(Config::A3, q, q, 0.0, 0.0, push).0
    };
    const H: f64 = 1e-5;
    let (mut t, mut q, mut v) = (start, 0.0, 0.0);
    let (mut calls, mut corrected) = (Vec::new(), false);
    while t + H < end {
        let k1 = (v, turn(t, q));
        let k2 = (v + 0.5 * H * k1.1, turn(t + 0.5 * H, q + 0.5 * H * k1.0));
        let k3 = (v + 0.5 * H * k2.1, turn(t + 0.5 * H, q + 0.5 * H * k2.0));
        let k4 = (v + H * k3.1, turn(t + H, q + H * k3.0));
        q += H / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        v += H / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
        t += H;
        let (push, spin) = (wave.acceleration(t), turn(t, q));
        let inertial = m * r * r / 3.0 * spin + m * far * spin * r * (alpha - lean).cos();
        let over = |sign: f64| {
            let holds = m * GRAVITY * r * (alpha + q).sin()
                - m * far * v * v * r * (alpha - lean).sin()
                + sign * inertial;
            m * push * r * (alpha + q).cos() > holds
        };
        if over(1.0) {
            calls.push(t);
        }
        corrected |= over(-1.0);
    }
    reading.holds("printed from", "reference", calls[0], 1e-3);
    reading.holds("printed until", "reference", calls[calls.len() - 1], 1e-3);
    assert!(!corrected, "the corrected form calls before");
    reading.says("corrected before", "reference", "never");
    reading.whole("reference", &[]);
}

#[test]
fn stacks_of_two_blocks_are_counted_again() {
    const TEST: &str = "stacks_of_two_blocks_are_counted_again";
    let mut reading = Reading::open("stacks/chapter-7", TEST);
    let cells = reading.input("cells") as usize;
    let sizes: BTreeMap<String, [f64; 5]> = reading.inputs("stacks_width_heights_m_masses_kg");
    let mut maps = BTreeMap::new();
    for (name, [b, h1, h2, m1, m2]) in sizes {
        let stack = Stack {
            b,
            h: [h1, h2],
            m: [m1, m2],
            keeps: 1.0,
        };
        let total = h1 + h2;
        let p = (1.5 * GRAVITY / b.hypot(total)).sqrt();
        let middle =
            |low: f64, high: f64, k: usize| low + (high - low) * (k as f64 + 0.5) / cells as f64;
        let fate = |k: usize| {
            let amplitude = middle(0.1, 30.0, k / cells) * GRAVITY * b / total;
            stack.fate(amplitude, middle(0.1, 15.0, k % cells) * p, 40.0 / p)
        };
        let map: Vec<Fate> = (0..cells * cells).into_par_iter().map(fate).collect();
        for (word, fate) in [
            ("standing", Fate::Standing),
            ("partial", Fate::Partial),
            ("total", Fate::Total),
        ] {
            let count = map.iter().filter(|f| **f == fate).count() as f64;
            reading.holds(&format!("{name} {word}"), "engine", count, 1e-12);
        }
        if name == "Kounadis" {
            border(
                &mut reading,
                &Stack {
                    keeps: 0.95,
                    ..stack
                },
                p,
                total,
            );
        }
        maps.insert(name, map);
    }
    for (small, large) in [("DB3M3M", "DB3L3L"), ("DB6M6M", "DB6L6L")] {
        let cells = maps[small].iter().zip(&maps[large]);
        let other = cells.filter(|(a, b)| a != b).count() as f64;
        reading.holds(
            &format!("similar: {small} and {large}"),
            "exact",
            other,
            1e-12,
        );
    }
    reading.whole("engine", &[]);
    reading.whole("exact", &[]);
}

/// The least amplitude that overturns the stack of Kounadis, with its loss of 5 % between the blocks, at the
/// frequencies of the remark in section 7.2.2.1: the first of a grid of 0.1, then halved.
fn border(reading: &mut Reading, stack: &Stack, p: f64, height: f64) {
    for ratio in ["11", "12", "13"] {
        let omega = ratio.parse::<f64>().unwrap() * p;
        let falls = |amplitude: f64| {
            let peak = amplitude * GRAVITY * stack.b / height;
            stack.fate(peak, omega, 40.0 / p) != Fate::Standing
        };
        let grid: Vec<bool> = (1..=300)
            .into_par_iter()
            .map(|k| falls(0.1 * f64::from(k)))
            .collect();
        let first = 1 + grid.iter().position(|falls| *falls).unwrap();
        let (mut low, mut high) = (0.1 * (first - 1) as f64, 0.1 * first as f64);
        while high - low > 1e-7 {
            let middle = 0.5 * (low + high);
            *(if falls(middle) { &mut high } else { &mut low }) = middle;
        }
        reading.holds(
            &format!("Kounadis border at {ratio} p"),
            "engine",
            high,
            1e-6,
        );
    }
}
