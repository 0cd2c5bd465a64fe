//! Loads, limits and rows of bodies by other balances than the tables'.

use glam::DVec2;
use serde::Deserialize;

use super::reading::Reading;

#[derive(Deserialize)]
struct Both {
    id: String,
    friction: f64,
}

#[derive(Deserialize)]
struct One {
    id: String,
    angle_deg: f64,
    friction: f64,
}

/// A square that slides: Newton's second law and Euler's as linear equations in the accelerations and the loads.
#[test]
fn loads_on_corners_that_slide() {
    let mut reading = Reading::open("rockfall/scarring", "loads_on_corners_that_slide");
    let gravity = reading.input("gravity_m_per_s2");
    let mass = reading.number("mass", "printed").unwrap();
    let slope = reading.input("slope_deg").to_radians();
    let half = reading.input("half_side_m");
    let weight = mass * gravity * slope.cos();
    let gyration = reading.number("inertia-y", "printed").unwrap() / mass;
    for case in reading.inputs::<Vec<Both>>("both") {
        // No acceleration along the normal, no turning: front + rear = weight, and the moment of friction about the
        // centre, half a side above, is carried by the difference.
        let friction = case.friction * weight;
        let difference = friction * half / half;
        reading.holds(
            &format!("{}/rear", case.id),
            "closed_form",
            0.5 * (weight - difference),
            1e-8,
        );
        reading.holds(
            &format!("{}/front", case.id),
            "closed_form",
            0.5 * (weight + difference),
            1e-8,
        );
    }
    // The rear load falls in proportion to the friction: from its values without friction and with 1/2 to none.
    let rear = |mu: f64| 0.5 * (weight - mu * weight * half / half);
    let lift = 0.5 * rear(0.0) / (rear(0.0) - rear(0.5));
    reading.holds("lift", "closed_form", lift, 1e-12);
    for case in reading.inputs::<Vec<One>>("one") {
        let turn = case.angle_deg.to_radians();
        // From the centre to the front lower corner; the rear one is lifted, so this one went further under the centre.
        let arm = DVec2::from_angle(-std::f64::consts::FRAC_PI_4 - turn) * (half * 2.0_f64.sqrt());
        // The corner keeps its height: ÿ + θ̈ x = 0 with m ÿ = N − weight and m k² θ̈ = x N − y (−μ N).
        let load = |r: DVec2| weight / (1.0 + r.x * (r.x + case.friction * r.y) / gyration);
        reading.holds(&format!("{}/load", case.id), "closed_form", load(arm), 1e-8);
    }
}

/// Cubes on springs: a column of springs in series with the weight above each joint; a block on a slope by its two
/// rows of springs, whose lengths give sinking and turning.
#[test]
fn cubes_on_springs() {
    let mut reading = Reading::open("statics/springs", "cubes_on_springs");
    let weight = reading.input("density_kg_per_m3") * 9.81;
    let k = reading.inputs::<Vec<f64>>("stiffness_n_per_m")[0];
    let cubes = reading.input("cubes") as i32;
    // Each joint of four springs carries what is above it.
    let joint = |i: i32| f64::from(i) * weight / (4.0 * k);
    let sink: f64 = (1..=cubes).map(joint).sum();
    let energy: f64 = (1..=cubes).map(|i| 2.0 * k * joint(i).powi(2)).sum();
    reading.holds("column, sink", "statics", sink, 2e-5 * sink);
    reading.holds("column, energy", "statics", energy, 2e-5 * energy.min(1.0));
    // The pull acts half a side above the base: the four normal springs, half a side from its middle, turn it by the
    // moment over k, and the centre goes along.
    let pull = weight * reading.input("slope_rad").sin();
    let turn = 0.5 * pull / (4.0 * k * 0.5 * 0.5);
    let way = pull / (4.0 * k) + 0.5 * turn;
    reading.holds("incline, way", "statics", way, 2e-5 * way);
}

/// Bodies in a row: one joint after the other, or all at once with the others shut, by momentum and by the law at the
/// joint, as a linear system.
#[test]
fn rows_of_bodies() {
    let mut reading = Reading::open("statics/cradle", "rows_of_bodies");
    let rows: Vec<String> = reading.table.rows.iter().map(|r| r.id.clone()).collect();
    for id in rows {
        // `3 bodies, newton, e 1, body 1`
        let words: Vec<&str> = id.split(", ").collect();
        let [count, law, e, body] = words[..] else {
            continue;
        };
        let Ok(count) = count.trim_end_matches(" bodies").parse::<usize>() else {
            continue;
        };
        let Ok(e) = e.trim_start_matches("e ").parse::<f64>() else {
            continue;
        };
        let Ok(body) = body.trim_start_matches("body ").parse::<usize>() else {
            continue;
        };
        let mut v = vec![0.0; count];
        v[0] = 1.0;
        match law {
            "time stepping" | "newton" | "sequential" | "simultaneous" => {
                // The first leaves the others, which stay together: v_rest − v_1 = e, momentum 1.
                let rest = (1.0 + e) / count as f64;
                v[0] = rest - e;
                v[1..].fill(rest);
            }
            "time stepping in turn" | "poisson" | "stronge" => {
                for k in 1..count {
                    let closing = v[k - 1] - v[k];
                    let change = 0.5 * (1.0 + e) * closing;
                    v[k - 1] -= change;
                    v[k] += change;
                }
            }
            _ => continue,
        }
        reading.holds(&id, "derived", v[body - 1], 1e-8);
    }
    reading.whole("derived", &[]);
}

/// The base that is hit twice, by steps of a microsecond with the friction of its track.
#[test]
fn a_base_that_is_hit_twice() {
    let mut reading = Reading::open("stacks/base-history", "a_base_that_is_hit_twice");
    let (peak, rise) = (
        reading.input("peak_velocity_m_per_s"),
        reading.input("rise_time_s"),
    );
    let slowing = reading.input("friction") * reading.input("gravity_m_per_s2");
    let (gap, e) = (reading.input("gap_m"), reading.input("restitution"));
    const H: f64 = 1e-7;
    // The pulse raises the speed evenly; the stopper turns it, evenly in the same time.
    let (mut x, mut v) = (0.0_f64, 0.0_f64);
    let mut turn: Option<(f64, f64)> = None;
    let seen = |row: &str| {
        row.split(" at ")
            .nth(1)?
            .trim_end_matches(" s")
            .parse::<f64>()
            .ok()
    };
    let rows: Vec<String> = reading.table.rows.iter().map(|r| r.id.clone()).collect();
    for step in 0..1_700_000 {
        let t = f64::from(step) * H;
        if turn.is_none() && x >= gap {
            turn = Some((t, v));
        }
        let a = match turn {
            None if t < rise => peak / rise,
            None => -slowing,
            Some((from, speed)) if t < from + rise => -(1.0 + e) * speed / rise,
            Some(_) if v < 0.0 => slowing.min(-v / H),
            Some(_) => 0.0,
        };
        for row in &rows {
            let Some(time) = seen(row) else { continue };
            if (time - t).abs() > 0.5 * H {
                continue;
            }
            let (value, size) = match row.split(' ').next() {
                Some("velocity") => (v, peak),
                Some("acceleration") => (a, a.abs().max(1.0)),
                _ => (x, gap),
            };
            // A step of time is what the instants are known to.
            let slack = 1e-5 * size + 700.0 * H;
            reading.holds(row, "exact", value, slack);
        }
        (x, v) = (x + H * (v + 0.5 * H * a), v + H * a);
    }
    reading.whole("exact", &[]);
}

/// One block on an incline, towers of planks: which of the motions that a load can drive needs the least of it.
#[test]
fn limits_by_mechanisms() {
    let mut reading = Reading::open("statics/incline", "limits_by_mechanisms");
    let width = reading.input("width_m");
    let [flat, rough]: [f64; 2] = reading.inputs("friction");
    let [low, high]: [f64; 2] = reading.inputs("height_m");
    let [below, above]: [f64; 2] = reading.inputs("slope_over_limit");
    for (what, mu, height) in [("slide", flat, low), ("tip", rough, high)] {
        // Tipping turns about the lower edge: the weight works over half a width, the load over half a height.
        let limit = mu.min(0.5 * width / (0.5 * height));
        for (side, share) in [("below", below), ("above", above)] {
            let slope = share * if what == "slide" { mu } else { width / height };
            let word = if slope > limit { "falls" } else { "stands" };
            reading.says(&format!("{what} {side}"), "statics", word);
        }
    }
    reading.whole("statics", &[]);

    limits_of_towers(Reading::open("statics/tower", "limits_by_mechanisms"));
    limits_of_towers(Reading::open("statics/tower-20", "limits_by_mechanisms"));
}

/// A plank tips alone, or the tower overturns as a whole.
fn limits_of_towers(mut reading: Reading) {
    let [length, height, thickness]: [f64; 3] = reading.inputs("plank_m");
    for levels in reading.inputs::<Vec<f64>>("levels") {
        // A plank on edge tips with all that it carries on top: a load at its upper edge and its own at half its
        // height.
        let tips = thickness / height;
        let overturns = length / (levels * height);
        let limit = tips.min(overturns).min(reading.input("friction"));
        reading.holds(&format!("{levels} levels"), "statics", limit, 1e-9);
        let stated = reading.number(&format!("{levels} levels"), "statics");
        for (side, share) in [("below", 0.99), ("above", 1.01)] {
            let word = match share * stated.unwrap() > limit {
                true => "falls",
                false => "stands",
            };
            reading.says(&format!("{levels} levels, {side}"), "statics", word);
        }
    }
    reading.whole("statics", &[]);
}
