//! Rocking blocks by the balance of moments of momentum, the pendulum and quadrature, where the tables have closed
//! forms.

use serde::Deserialize;

use super::one_block::{self, Case};
use super::reading::{Reading, table};

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

/// Where a condition that holds at the lower end stops to hold, by halving.
fn halved(holds: impl Fn(f64) -> bool, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..80 {
        let middle = 0.5 * (low + high);
        match holds(middle) {
            true => low = middle,
            false => high = middle,
        }
    }
    0.5 * (low + high)
}

/// The angle whose tangent is b/h, by halving on sine and cosine.
fn slenderness(width: f64, height: f64) -> f64 {
    let less = |angle: f64| width * angle.cos() > height * angle.sin();
    halved(less, 0.0, std::f64::consts::FRAC_PI_2)
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
    let mut reading = Reading::open("rocking/table-4.1", "coefficients_and_geometry");
    for block in reading.inputs::<Vec<Block>>("blocks") {
        let eta = rate(1.0, block.height_over_width, 1.0);
        reading.holds(&block.id, "reference", eta, 1e-13);
    }
    reading.whole("reference", &[]);

    let mut reading = Reading::open("rocking/table-4.2", "coefficients_and_geometry");
    for b in reading.inputs::<Vec<Block>>("blocks") {
        let alpha = slenderness(b.width_m, b.height_m);
        reading.holds(&format!("{}-alpha", b.id), "reference", alpha, 1e-13);
        let radius = half_diagonal(b.width_m, b.height_m);
        reading.holds(&format!("{}-R", b.id), "reference", radius, 1e-13);
    }
    reading.whole("reference", &[]);

    // The strip is touched at its inner edge, or on the whole of it.
    let mut reading = Reading::open("rocking/table-4.4", "coefficients_and_geometry");
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
    let more = |k: f64| material * rate(b.width_m, b.height_m, k) > b.measured_eta;
    halved(more, 0.0, 2.0)
}

#[test]
fn positions_of_the_impulse() {
    let mut reading = Reading::open("rocking/table-4.5", "positions_of_the_impulse");
    let material = reading.input("eta_mat_stated");
    for b in reading.inputs::<Vec<Block>>("blocks") {
        let k = position(&b, material);
        reading.may_hold(&format!("{}-k", b.id), "reference", k, 1e-12);
        let lever = 0.5 * k * b.width_m;
        reading.may_hold(&format!("{}-bbar", b.id), "reference", lever, 1e-12);
    }
    let blocks = reading.inputs::<Vec<Block>>("blocks");
    for row in reading.rows("mean-") {
        // `mean-B2-k` is that of a slenderness, `mean-S-k` that of a scale.
        let Some(group) = row.strip_prefix("mean-").and_then(|r| r.strip_suffix("-k")) else {
            continue;
        };
        let of = |b: &&Block| {
            let (shape, scale) = b.id.split_at(b.id.len() - 1);
            group == shape || group == scale
        };
        let positions: Vec<f64> = blocks
            .iter()
            .filter(of)
            .map(|b| position(b, material))
            .collect();
        let mean = positions.iter().sum::<f64>() / positions.len() as f64;
        reading.may_hold(&row, "reference", mean, 1e-12);
    }
    reading.whole("reference", &[]);
}

#[test]
fn blocks_of_the_table() {
    let mut reading = Reading::open("rocking/table-5.1", "blocks_of_the_table");
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

    let mut reading = Reading::open("rocking/texts", "blocks_of_the_table");
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

/// Signs, crossings and misses of both coefficients against the measured one.
#[test]
fn misses_of_the_coefficients() {
    let mut reading = Reading::open("rocking/chapter-4", "misses_of_the_coefficients");
    let blocks = reading.inputs::<Vec<Block>>("blocks");
    let material = reading.input("eta_mat");
    let excess = |b: &Block| b.measured_eta - rate(b.width_m, b.height_m, 1.0);
    for scale in ["S", "M", "L"] {
        let of: Vec<&Block> = blocks.iter().filter(|b| b.id.ends_with(scale)).collect();
        let mean = |miss: &dyn Fn(&Block) -> f64| {
            of.iter().map(|b| miss(b)).sum::<f64>() / of.len() as f64
        };
        let mut holds = |row: &str, value: f64| {
            reading.holds(&format!("{row} {scale}"), "exact", value, 1e-12);
        };
        holds("nearer: mean miss of Housner's", mean(&|b| excess(b).abs()));
        let (k, edge) = (
            table("rocking/chapter-4").input(&format!("mean_k/{scale}")),
            table("rocking/chapter-4").input_as::<[f64; 2]>(&format!("edge_k/{scale}")),
        );
        let (k, [inner, _]) = (k.unwrap(), edge.unwrap());
        let improved =
            |b: &Block| (b.measured_eta - material * rate(b.width_m, b.height_m, k)).abs();
        holds("nearer: mean miss of the improved", mean(&improved));
        let rigid = |b: &&Block| (b.measured_eta / material - rate(b.width_m, b.height_m, k)).abs();
        let largest = of.iter().map(rigid).fold(0.0, f64::max);
        holds("figure-4.21 largest difference", largest);
        let above = of
            .iter()
            .filter(|b| b.measured_eta > rate(b.width_m, b.height_m, inner));
        holds("bound: full contacts above k1", above.count() as f64);
        // Along the straight line between two neighbours the sign changes.
        let pair = of
            .windows(2)
            .find(|p| excess(p[0]) > 0.0 && excess(p[1]) <= 0.0);
        let [before, after] = pair.unwrap() else {
            panic!("two blocks")
        };
        let between = |x: f64, y: f64, share: f64| (1.0 - share) * x + share * y;
        let share = halved(
            |t| between(excess(before), excess(after), t) > 0.0,
            0.0,
            1.0,
        );
        let slender = |b: &Block| b.height_m / b.width_m;
        holds("crossing", between(slender(before), slender(after), share));
    }
    for (row, id) in [
        ("bulky: Housner's for B2M", "B2M"),
        ("figure-4.10 Housner's for B6M", "B6M"),
        ("figure-4.10 Housner's for B10M", "B10M"),
    ] {
        let block = blocks.iter().find(|b| b.id == id).unwrap();
        let word = match excess(block) > 0.0 {
            true => "under the measured",
            false => "over the measured",
        };
        reading.says(row, "exact", word);
    }
    let sticks = rate(1.0, 0.44, 1.0) < 0.0;
    reading.says(
        "sticking: h/b of 0.44",
        "exact",
        if sticks { "sticks" } else { "rocks" },
    );
    let earlier = table("rocking/table-4.1")
        .input_as::<Vec<Block>>("blocks")
        .unwrap();
    for (row, k) in [
        ("earlier: mean miss of Housner's", 1.0),
        ("improved: mean miss with k 0.75", 0.75),
    ] {
        let miss = |b: &Block| (rate(1.0, b.height_over_width, k) - b.measured_eta).abs();
        let mean = earlier.iter().map(miss).sum::<f64>() / earlier.len() as f64;
        reading.holds(row, "exact", mean, 1e-12);
    }
    reading.whole("exact", &[]);
}

#[test]
fn stacks_of_two_have_their_geometry() {
    let mut reading = Reading::open("stacks/geometry", "stacks_of_two_have_their_geometry");
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
        // cos(α − φ) − cos(α − φ₀) as a product, without a difference of near numbers.
        let sum = alpha - 0.5 * from * (1.0 + s.cos());
        let fall = 4.0 * p * p * sum.sin() * (from * (0.5 * s).sin().powi(2)).sin();
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

/// A block that rocks freely: time of each hop to its end, until a hop is a billionth; the angle falls with the energy.
fn impacts(alpha: f64, p: f64, eta: f64, from: f64, mut each: impl FnMut(f64)) {
    let (mut angle, mut time, mut ways) = (from, 0.0, 1.0);
    while angle > 1e-9 {
        time += ways * quarter(alpha, p, angle);
        each(time);
        ways = 2.0;
        // cos(α − φ) − cos α is the height of the hop; an impact leaves η² of it.
        let height = |angle: f64| (alpha - angle).cos() - alpha.cos();
        let hop = eta * eta * height(angle);
        angle = halved(|a| height(a) < hop, 0.0, angle);
    }
}

/// One step of Runge and Kutta of q̈ = a(t, q).
fn step(a: &impl Fn(f64, f64) -> f64, t: f64, (q, v): (f64, f64), h: f64) -> (f64, f64) {
    let k1 = (v, a(t, q));
    let k2 = (v + 0.5 * h * k1.1, a(t + 0.5 * h, q + 0.5 * h * k1.0));
    let k3 = (v + 0.5 * h * k2.1, a(t + 0.5 * h, q + 0.5 * h * k2.0));
    let k4 = (v + h * k3.1, a(t + h, q + h * k3.0));
    (
        q + h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0),
        v + h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1),
    )
}

/// Time until a condition on (q, q̇) is met, with fixed steps, and by halving the last one.
fn until(
    a: impl Fn(f64, f64) -> f64,
    mut state: (f64, f64),
    h: f64,
    met: impl Fn((f64, f64)) -> bool,
) -> f64 {
    let mut t = 0.0;
    loop {
        let next = step(&a, t, state, h);
        if met(next) {
            return t + halved(|part| !met(step(&a, t, state, part)), 0.0, h);
        }
        (state, t) = (next, t + h);
    }
}

/// Newmark's scheme of average acceleration for the nonlinear block; the last step before an impact is shortened to end
/// there. Times of the first impacts.
fn newmark(alpha: f64, p: f64, eta: f64, from: f64, h: f64, count: usize) -> Vec<f64> {
    let a = |q: f64| -p * p * (alpha - q).sin();
    let step = |(q, v): (f64, f64), h: f64| {
        let mut next = q;
        for _ in 0..60 {
            let rate = v + 0.5 * h * (a(q) + a(next));
            next = q + 0.5 * h * (v + rate);
        }
        (next, v + 0.5 * h * (a(q) + a(next)))
    };
    let (mut t, mut state, mut found) = (0.0, (from, 0.0), Vec::new());
    while found.len() < count {
        let next = step(state, h);
        if next.0 > 0.0 {
            (state, t) = (next, t + h);
            continue;
        }
        let part = halved(|part| step(state, part).0 > 0.0, 0.0, h);
        t += part;
        found.push(t);
        state = (0.0, eta * step(state, part).1.abs());
    }
    found
}

#[test]
fn a_free_block_comes_to_rest_in_the_time_of_its_hops() {
    const TEST: &str = "a_free_block_comes_to_rest_in_the_time_of_its_hops";
    let mut reading = Reading::open("rocking/motion", TEST);
    for (row, width, height, from) in [
        ("settling-B6L", 0.06, 0.27, 0.15),
        ("settling-B2L", 0.06, 0.09, 0.5),
    ] {
        let (alpha, p) = (slenderness(width, height), frequency(width, height, 9.81));
        let mut last = 0.0;
        impacts(alpha, p, rate(width, height, 1.0), from, |t| last = t);
        reading.holds(row, "reference", last, 1e-4);
    }
    let (alpha, p, eta) = (
        slenderness(0.06, 0.27),
        frequency(0.06, 0.27, 9.81),
        rate(0.06, 0.27, 1.0),
    );
    let mut exact = Vec::new();
    impacts(alpha, p, eta, 0.15, |t| exact.push(t));
    let error = |number: usize, h: f64| {
        let times = newmark(alpha, p, eta, 0.15, h, number);
        (times[number - 1] - exact[number - 1]).abs()
    };
    reading.holds("newmark-1", "reference", error(1, 1e-3), 5e-8);
    reading.holds("newmark-6", "reference", error(6, 1e-3), 5e-8);
    let order = (error(6, 2e-3) / error(6, 2.5e-4)).log2() / 3.0;
    reading.holds("newmark-order", "reference", order, 0.025);
    // 0.5 m by 2 m under one wave of 2αg at 2 Hz, by fixed steps.
    let case = Case {
        equation: one_block::Equation::Nonlinear,
        width: 0.5,
        height: 2.0,
        eta: Case::housner(0.5, 2.0),
        amplitude: 2.0 * slenderness(0.5, 2.0) * 9.81,
        omega: 2.0 * std::f64::consts::TAU,
        phase: 0.0,
        lasting: false,
        tilt: 0.0,
    };
    let twentieth = case.impacts(2e-4)[19];
    reading.holds("reference-20", "reference", twentieth, 1e-10);
    // The energy kept is that of the product's integration: rounding.
    reading.whole("reference", &["energy"]);
}

#[test]
fn quarter_periods_by_quadrature() {
    for id in ["rocking/table-3.1", "rocking/table-3.2"] {
        let mut reading = Reading::open(id, "quarter_periods_by_quadrature");
        let (w, h, tilt) = (
            reading.input("width_m"),
            reading.input("height_m"),
            reading.input("tilt_rad"),
        );
        let (alpha, p) = (
            slenderness(w, h),
            frequency(w, h, reading.input("gravity_m_per_s2")),
        );
        let [linear, quasi] = [Equation::Linear, Equation::Quasi].map(|e| e.fall(alpha, p, tilt));
        let ms = reading.input("step_s");
        let stepped = newmark(alpha, p, 0.0, tilt, ms, 1)[0];
        // The end of the step in which the impact lies, by counting.
        let mut end = ms;
        while end < stepped {
            end += ms;
        }
        for (row, value) in [
            ("housner", linear),
            ("quasi_linear", quasi),
            ("nonlinear", quarter(alpha, p, tilt)),
            ("newmark", stepped),
            ("newmark_step", end),
            ("eta_h", rate(w, h, 1.0)),
            ("alpha", alpha),
            ("r", half_diagonal(w, h)),
            ("p", p),
        ] {
            reading.holds(row, "reference", value, 2e-12);
        }
        reading.whole("reference", &[]);
    }
}

/// The two linear equations of chapter 3.
#[derive(Clone, Copy)]
enum Equation {
    /// sin(α − q) is α − q, cos(α − q) is 1.
    Linear,
    /// sin(α − q) is sin α − q cos α, cos(α − q) is cos α + q sin α.
    Quasi,
}

impl Equation {
    fn acceleration(self, alpha: f64, p: f64, q: f64, push: f64) -> f64 {
        let (s, c) = match self {
            Equation::Linear => (alpha - q, 1.0),
            Equation::Quasi => (alpha.sin() - q * alpha.cos(), alpha.cos() + q * alpha.sin()),
        };
        -p * p * (s - push * c)
    }

    /// Time from rest at an angle to the base.
    fn fall(self, alpha: f64, p: f64, from: f64) -> f64 {
        until(
            |_, q| self.acceleration(alpha, p, q, 0.0),
            (from, 0.0),
            1e-4,
            |s| s.0 < 0.0,
        )
    }
}

#[test]
fn closed_forms_by_small_steps() {
    let mut reading = Reading::open("rocking/closed-forms", "closed_forms_by_small_steps");
    let (w, h, gravity) = (
        reading.input("width_m"),
        reading.input("height_m"),
        reading.input("gravity_m_per_s2"),
    );
    let (alpha, p) = (slenderness(w, h), frequency(w, h, gravity));
    let (time, tilt) = (reading.input("time_s"), reading.input("tilt_rad"));
    let (ratio, omega) = (
        reading.input("amplitude_over_g"),
        reading.input("omega_rad_per_s"),
    );
    let rotation = |from: f64, a: &dyn Fn(f64, f64) -> f64| {
        const STEPS: u32 = 2000;
        let h = time / f64::from(STEPS);
        let a = |t: f64, q: f64| a(t, q);
        (0..STEPS)
            .fold((from, 0.0), |s, k| step(&a, f64::from(k) * h, s, h))
            .0
    };
    let lifts = halved(
        |phase| ratio * phase.sin() < alpha,
        0.0,
        std::f64::consts::FRAC_PI_2,
    );
    reading.holds("lift-off phase", "exact", lifts, 1e-12);
    let wave = |t: f64| ratio * (omega * t + lifts).sin();
    // A bulky block lifts off at g tan α.
    let lifts_quasi = halved(
        |phase| ratio * phase.sin() < alpha.tan(),
        0.0,
        std::f64::consts::FRAC_PI_2,
    );
    let quasi = |t: f64| ratio * (omega * t + lifts_quasi).sin();
    let harmonic = rotation(0.0, &|t, q| {
        Equation::Quasi.acceleration(alpha, p, q, quasi(t))
    });
    reading.holds("quasi-linear harmonic", "equation", harmonic, 1e-9);
    for (name, phase) in [("sine", 0.0), ("cosine", std::f64::consts::FRAC_PI_2)] {
        // The acceleration, summed twice by Simpson's rule.
        let a = |t: f64| ratio * gravity * (omega * t + phase).sin();
        let n = 2000;
        let dt = time / f64::from(n);
        let (mut v, mut u) = (0.0, 0.0);
        for k in 0..n {
            let t = dt * f64::from(k);
            let [a0, a1, a2] = [0.0, 0.5, 1.0].map(|part| a(t + part * dt));
            u += v * dt + dt * dt / 6.0 * (a0 + 2.0 * a1);
            v += dt / 6.0 * (a0 + 4.0 * a1 + a2);
        }
        reading.holds(&format!("{name} wave velocity"), "exact", v, 1e-10);
        reading.holds(&format!("{name} wave position"), "exact", u, 1e-10);
    }
    for (row, value) in [
        (
            "linear free",
            rotation(tilt, &|_, q| {
                Equation::Linear.acceleration(alpha, p, q, 0.0)
            }),
        ),
        (
            "quasi-linear free",
            rotation(tilt, &|_, q| Equation::Quasi.acceleration(alpha, p, q, 0.0)),
        ),
        (
            "linear constant",
            rotation(0.0, &|_, q| {
                Equation::Linear.acceleration(alpha, p, q, ratio)
            }),
        ),
        (
            "quasi-linear constant",
            rotation(0.0, &|_, q| {
                Equation::Quasi.acceleration(alpha, p, q, ratio)
            }),
        ),
        (
            "linear harmonic",
            rotation(0.0, &|t, q| {
                Equation::Linear.acceleration(alpha, p, q, wave(t))
            }),
        ),
    ] {
        reading.holds(row, "exact", value, 1e-12);
        reading.holds(row, "equation", value, 1e-9);
    }
    // The weight of 50 g gives its energy over 0.1 m to itself, the cart and the block.
    let speed = (2.0 * 0.05 * gravity * 0.1 / (0.120 + 0.0955 + 0.05)).sqrt();
    let duration = 0.1 / (0.5 * speed);
    reading.holds("air track duration", "exact", duration, 1e-12);
    reading.holds("air track acceleration", "exact", speed / duration, 1e-12);
    for (figure, tilt) in [("figure-3.23", 0.5), ("figure-3.24", 0.1)] {
        let [linear, quasi] = [Equation::Linear, Equation::Quasi].map(|e| e.fall(alpha, p, tilt));
        let exact = quarter(alpha, p, tilt);
        for (name, value) in [
            ("linear", linear),
            ("quasi-linear", quasi),
            ("nonlinear", exact),
        ] {
            reading.holds(&format!("{figure} {name}"), "exact", value, 2e-12);
        }
        let nearer = match (linear - exact).abs() < (quasi - exact).abs() {
            true => "linear",
            false => "quasi-linear",
        };
        reading.says(&format!("{figure} nearer"), "exact", nearer);
    }
    reading.whole("exact", &[]);
    reading.whole("equation", &[]);
}

/// p t from which the motion at the end of the push carries the block over its balance.
#[test]
fn pulses_that_just_overturn() {
    #[derive(Deserialize)]
    struct Pulse {
        id: String,
        width_m: f64,
        height_m: f64,
        ratio: f64,
    }
    let mut reading = Reading::open("rocking/critical-duration", "pulses_that_just_overturn");
    for case in reading.inputs::<Vec<Pulse>>("cases") {
        // In units of α and 1/p: without the push x − 1 grows unless x − 1 + ẋ is negative.
        let linear = until(
            |_, x| x - 1.0 + case.ratio,
            (0.0, 0.0),
            1e-3,
            |(x, v)| x - 1.0 + v > 0.0,
        );
        reading.holds(&format!("{} linear", case.id), "reference", linear, 1e-9);
        let alpha = slenderness(case.width_m, case.height_m);
        let push = case.ratio * alpha;
        let row = format!("{} nonlinear", case.id);
        if push <= alpha.tan() {
            assert!(
                reading.number(&row, "reference").is_none(),
                "{row}: it is not lifted"
            );
            continue;
        }
        // Kinetic energy against the height that is left to the balance.
        let over = |(q, v): (f64, f64)| 0.5 * v * v > 1.0 - (alpha - q).cos();
        let time = until(
            |_, q| -(alpha - q).sin() + push * (alpha - q).cos(),
            (0.0, 0.0),
            1e-3,
            over,
        );
        reading.holds(&row, "reference", time, 1e-9);
    }
    reading.whole("reference", &[]);
}
