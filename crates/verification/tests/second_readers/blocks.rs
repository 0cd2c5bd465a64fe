//! Rocking blocks by the balance of moments of momentum, the pendulum and quadrature, where the tables have closed forms.

use serde::Deserialize;

use crate::reading::Reading;

#[derive(Deserialize)]
struct Block {
    id: String,
    #[serde(default)]
    width_m: f64,
    #[serde(default)]
    height_m: f64,
    #[serde(default)]
    measured_eta: f64,
    #[serde(default)]
    height_over_width: f64,
}

/// Rate after over rate before an impact of a block of unit mass that turns about bars at ±k half widths: its moment of
/// momentum about the struck bar stays.
fn rate(width: f64, height: f64, k: f64) -> f64 {
    let own = (width * width + height * height) / 12.0;
    let (from, to) = (-0.5 * k * width, 0.5 * k * width);
    // From a bar to the centre, at (0, h/2).
    let dot = |a: f64, b: f64| a * b + 0.25 * height * height;
    (own + dot(-to, -from)) / (own + dot(-to, -to))
}

/// The angle whose tangent is b/h, by halving on sine and cosine.
fn slenderness(width: f64, height: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let (sine, cosine) = middle.sin_cos();
        match width * cosine > height * sine {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

fn half_diagonal(width: f64, height: f64) -> f64 {
    0.5 * (width * width + height * height).sqrt()
}

/// Frequency of the block as a pendulum about its corner.
fn frequency(width: f64, height: f64, gravity: f64) -> f64 {
    let radius = half_diagonal(width, height);
    let own = (width * width + height * height) / 12.0;
    (gravity * radius / (own + radius * radius)).sqrt()
}

#[test]
fn coefficients_and_geometry() {
    let mut reading = Reading::open("rocking/table-4.1");
    for block in reading.inputs::<Vec<Block>>("blocks") {
        let eta = rate(1.0, block.height_over_width, 1.0);
        reading.holds(&block.id, "reference", eta, 1e-13);
    }
    reading.whole("reference", &[]);

    let mut reading = Reading::open("rocking/table-4.2");
    for b in reading.inputs::<Vec<Block>>("blocks") {
        let alpha = slenderness(b.width_m, b.height_m);
        reading.holds(&format!("{}-alpha", b.id), "reference", alpha, 1e-13);
        let radius = half_diagonal(b.width_m, b.height_m);
        reading.holds(&format!("{}-R", b.id), "reference", radius, 1e-13);
    }
    reading.whole("reference", &[]);

    // The strip is touched at its inner edge, or on the whole of it.
    let mut reading = Reading::open("rocking/table-4.4");
    let strip = reading.input("contact_m");
    for scale in ["S", "M", "L"] {
        let half = 0.5 * reading.input(&format!("widths_m/{scale}"));
        let (inner, middle) = (half - strip, half - 0.5 * strip);
        reading.holds(&format!("{scale}-k1"), "reference", inner / half, 1e-13);
        reading.holds(&format!("{scale}-k2"), "reference", middle / half, 1e-13);
    }
}

/// The position of the impulse at which a block loses what was measured, by halving.
fn position(b: &Block, material: f64) -> f64 {
    let (mut low, mut high) = (0.0, 2.0);
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        match material * rate(b.width_m, b.height_m, middle) > b.measured_eta {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

#[test]
fn positions_of_the_impulse() {
    let mut reading = Reading::open("rocking/table-4.5");
    let material = reading.input("eta_mat_stated");
    for b in reading.inputs::<Vec<Block>>("blocks") {
        let k = position(&b, material);
        reading.may_hold(&format!("{}-k", b.id), "reference", k, 1e-12);
        let lever = 0.5 * k * b.width_m;
        reading.may_hold(&format!("{}-bbar", b.id), "reference", lever, 1e-12);
    }
    reading.whole("reference", &["mean"]);
}

#[test]
fn blocks_of_the_table() {
    let mut reading = Reading::open("rocking/table-5.1");
    let gravity = reading.input("gravity_m_per_s2");
    for b in reading.inputs::<Vec<Block>>("blocks") {
        let (w, h) = (b.width_m, b.height_m);
        let k = reading.input(&format!("k/{}", &b.id[2..]));
        let mut holds = |what: &str, value: f64| {
            reading.holds(&format!("{}-{what}", b.id), "reference", value, 1e-12);
        };
        holds("alpha", slenderness(w, h));
        holds("R", half_diagonal(w, h));
        holds("p", frequency(w, h, gravity));
        holds("eta_H", rate(w, h, 1.0));
        holds("eta_M", rate(w, h, k));
    }
    reading.whole("reference", &[]);

    let mut reading = Reading::open("rocking/texts");
    let (w, h) = (0.02, 0.09);
    let ratio = frequency(w, h, 9.81) / frequency(0.5 * w, 0.5 * h, 9.81);
    for (row, value) in [
        ("air-track-alpha", slenderness(w, h)),
        ("air-track-r", half_diagonal(w, h)),
        ("p-ratio", ratio),
        ("mass-ratio", (0.02 * 0.09 * 0.02) / (0.01 * 0.045 * 0.01)),
    ] {
        reading.holds(row, "reference", value, 1e-12);
    }
    reading.whole("reference", &[]);
}

/// Mean misses of Housner's coefficient, by scale and for earlier experiments; whether a low block sticks.
#[test]
fn misses_of_the_coefficients() {
    let mut reading = Reading::open("rocking/chapter-4");
    let blocks = reading.inputs::<Vec<Block>>("blocks");
    for scale in ["S", "M", "L"] {
        let of = blocks.iter().filter(|b| b.id.ends_with(scale));
        let misses: Vec<f64> = of
            .map(|b| (rate(b.width_m, b.height_m, 1.0) - b.measured_eta).abs())
            .collect();
        let mean = misses.iter().sum::<f64>() / misses.len() as f64;
        let row = format!("nearer: mean miss of Housner's {scale}");
        reading.holds(&row, "exact", mean, 1e-12);
    }
    let earlier = Reading::open("rocking/table-4.1").inputs::<Vec<Block>>("blocks");
    let miss = |b: &Block| (rate(1.0, b.height_over_width, 1.0) - b.measured_eta).abs();
    let mean = earlier.iter().map(miss).sum::<f64>() / earlier.len() as f64;
    reading.holds("earlier: mean miss of Housner's", "exact", mean, 1e-12);
    assert!(rate(1.0, 0.44, 1.0) < 0.0, "it sticks");
}

#[test]
fn stacks_of_two_have_their_geometry() {
    let mut reading = Reading::open("stacks/geometry");
    type Stacks = std::collections::BTreeMap<String, [f64; 5]>;
    for (name, [b, lower, upper, _, _]) in
        reading.inputs::<Stacks>("stacks_width_heights_m_masses_kg")
    {
        let total = lower + upper;
        for (what, value) in [
            ("htot", total),
            ("htot/b", total / b),
            ("alpha_i", slenderness(b, lower)),
            ("alpha1", slenderness(b, lower)),
            ("alpha2", slenderness(b, upper)),
            ("alpha_tot", slenderness(b, total)),
            ("R_i", half_diagonal(b, lower)),
            ("R_tot", half_diagonal(b, total)),
            ("h1/b", lower / b),
            ("h2/b", upper / b),
        ] {
            reading.may_hold(&format!("{name} {what}"), "reference", value, 1e-13);
        }
    }
    reading.whole("reference", &[]);
}

/// Time from rest at an angle to the impact of a block that rocks freely, from the integral of its energy; the root at
/// the turn is taken out by φ = φ₀ cos s.
fn quarter(alpha: f64, p: f64, from: f64) -> f64 {
    const STEPS: usize = 2000;
    let rate = |s: f64| {
        let angle = from * s.cos();
        let fall = 2.0 * p * p * ((alpha - angle).cos() - (alpha - from).cos()).abs();
        match s == 0.0 {
            // φ'' at the turn: φ̇² = 2 |φ''| (φ₀ − φ), and φ₀ − φ = φ₀ s²/2.
            true => from / (p * p * (alpha - from).sin() * from).sqrt(),
            false => from * s.sin() / fall.sqrt(),
        }
    };
    let h = std::f64::consts::FRAC_PI_2 / STEPS as f64;
    let weight = |k: usize| match k {
        0 | STEPS => 1.0,
        k if k % 2 == 1 => 4.0,
        _ => 2.0,
    };
    (0..=STEPS)
        .map(|k| weight(k) * rate(k as f64 * h))
        .sum::<f64>()
        * h
        / 3.0
}

/// Hops are halved until the last is a millionth of the first: the rest of a geometric series is left out.
#[test]
fn a_free_block_comes_to_rest_in_the_time_of_its_hops() {
    let mut reading = Reading::open("rocking/motion");
    for (row, width, height, from) in [
        ("settling-B6L", 0.06, 0.27, 0.15),
        ("settling-B2L", 0.06, 0.09, 0.5),
    ] {
        let (alpha, p) = (slenderness(width, height), frequency(width, height, 9.81));
        let eta = rate(width, height, 1.0);
        let (mut angle, mut time, mut ways) = (from, 0.0, 1.0);
        while angle > 1e-9 {
            time += ways * quarter(alpha, p, angle);
            ways = 2.0;
            // cos(α − φ) − cos α is the height of the hop; an impact leaves η² of it.
            let hop = eta * eta * ((alpha - angle).cos() - alpha.cos());
            let (mut low, mut high) = (0.0, angle);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                match (alpha - middle).cos() - alpha.cos() < hop {
                    true => low = middle,
                    false => high = middle,
                }
            }
            angle = 0.5 * (low + high);
        }
        reading.holds(row, "reference", time, 1e-4);
    }
}
