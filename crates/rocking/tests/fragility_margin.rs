//! HCLPF, annual frequency and acceptable intensity of a fragility, against quadrature.
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Fragility, Hazard, Intensities, Response,
};
use klast_sampling::{Purpose, Streams, open_uniform};

/// Density of the standard normal distribution.
fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

/// Simpson's rule over [a, b] in 2n parts.
fn simpson(a: f64, b: f64, n: usize, f: impl Fn(f64) -> f64) -> f64 {
    let h = (b - a) / (2 * n) as f64;
    let inner: f64 = (1..2 * n)
        .map(|k| f(a + h * k as f64) * if k % 2 == 1 { 4.0 } else { 2.0 })
        .sum();
    h / 3.0 * (f(a) + inner + f(b))
}

/// Φ by quadrature of its density from the middle.
fn phi(x: f64) -> f64 {
    0.5 + simpson(0.0, x, 2000, density)
}

/// A campaign of 40 records whose peaks are exact powers of the scale about a drawn strength of each record.
fn campaign() -> (Campaign, Intensities) {
    let mut rng = Streams::new(11).rng(Purpose::Custom(0x3A6), 0);
    let mut uniform = || open_uniform(&mut rng);
    let scales: Vec<f64> = (1..=24).map(|k| 0.25 * f64::from(k)).collect();
    let mut responses = Vec::new();
    for _ in 0..40 {
        let strength = (0.8 * (uniform() + uniform() + uniform() - 1.5)).exp();
        for scale in &scales {
            let peak = 0.35 * scale * strength * (0.3 * (uniform() - 0.5)).exp();
            responses.push(Response {
                peak,
                overturned: peak > 1.2,
                total: peak > 1.2,
                ..Response::default()
            });
        }
    }
    let intensities = Intensities::proportional(scales.clone(), &[1.0; 40]);
    let campaign = Campaign::new(40, scales, responses).unwrap();
    (campaign, intensities)
}

fn fragility(state: DamageState) -> Fragility {
    let (campaign, intensities) = campaign();
    let states = [state, DamageState::Overturning];
    let answers = states.map(|state| {
        let trials = campaign.trials(state, &intensities);
        (state, Answer::of(&trials, &BandOptions::default()).unwrap())
    });
    let nested = Answer::nested(answers.to_vec());
    nested[0].1.curve().expect("outcomes that overlap").clone()
}

fn hazard() -> Hazard {
    Hazard::new(&[0.05, 0.4, 1.0, 3.0, 8.0], &[0.3, 2e-2, 3e-3, 1e-4, 2e-6]).unwrap()
}

/// λ = H₁ P₁ + ∫ H dP against Simpson's rule in ln x, where P is the largest of several lognormals that cross.
#[test]
fn the_annual_frequency_is_that_of_a_quadrature() {
    let table = hazard();
    let sets: [&[(f64, f64)]; 4] = [
        &[(0.7, 0.4)],
        &[(1.8, 0.15)],
        &[(0.2, 0.9), (0.5, 0.3), (0.3, 0.6)],
        &[(-3.5, 0.4), (2.5, 0.5)],
    ];
    for lognormals in sets {
        let probability = |y: f64| {
            let of = |(m, beta): &(f64, f64)| 0.5 * libm::erfc(-(y - m) / beta * 0.5f64.sqrt());
            lognormals.iter().map(of).fold(0.0, f64::max)
        };
        // −∫ P dH with H = K x^(−k) between the points: each a smooth integral but for the crossings of lognormals,
        // whose kinks a fine rule meets to its square.
        let points: [f64; 5] = [0.05, 0.4, 1.0, 3.0, 8.0];
        let rates: [f64; 5] = [0.3, 2e-2, 3e-3, 1e-4, 2e-6];
        let mut wanted = rates[4] * probability(points[4].ln());
        for n in 0..4 {
            let k = (rates[n] / rates[n + 1]).ln() / (points[n + 1] / points[n]).ln();
            let (a, b) = (points[n].ln(), points[n + 1].ln());
            let h = |y: f64| rates[n] * (-k * (y - a)).exp();
            wanted += simpson(a, b, 100_000, |y| probability(y) * k * h(y));
        }
        let found = table.annual(lognormals).frequency;
        assert!((found / wanted - 1.0).abs() < 1e-8, "{found} {wanted}");
    }
    // A step at an intensity of the table is exceeded as often as the table says.
    let step = table.annual(&[(2.0f64.ln(), 1e-4)]);
    let wanted = table.frequency(2.0).unwrap();
    // The power law over a dispersion of 1e-4 adds (k β)²/2, under 1e-7.
    assert!((step.frequency / wanted - 1.0).abs() < 2e-7 && step.outside < 1e-300);
    assert_eq!(table.frequency(0.01), None);
}

/// What lies outside of the table is bounded: below by its first power law, above by certainty.
#[test]
fn what_is_outside_of_the_hazard_is_told() {
    let table = hazard();
    let weak = table.annual(&[(0.02f64.ln(), 0.3)]);
    // Nearly all motions of the table reach it, and more below the table by H = K x^(−k) at e^(m + ...).
    let k = (0.3f64 / 2e-2).ln() / 8.0f64.ln();
    let all = 0.3 * (0.05f64 / 0.02).powf(k) * (0.5 * k * k * 0.09).exp();
    assert!(
        (weak.frequency + weak.outside - all).abs() < 1e-3 * all,
        "{weak:?} {all}"
    );
    let strong = table.annual(&[(3.0, 0.1)]);
    assert!((strong.outside / 2e-6 - 1.0).abs() < 1e-9, "{strong:?}");
    for (x, rate) in [
        (vec![1.0], vec![0.1]),
        (vec![1.0, 2.0], vec![0.1]),
        (vec![1.0, 1.0], vec![0.1, 0.01]),
        (vec![1.0, 2.0], vec![0.1, 0.2]),
        (vec![0.0, 2.0], vec![0.1, 0.01]),
        (vec![1.0, f64::NAN], vec![0.1, 0.01]),
    ] {
        assert!(Hazard::new(&x, &rate).is_err(), "{x:?} {rate:?}");
    }
}

/// HCLPF by its definition: the median that is exceeded with 95 % confidence, and 5 % of the motions of that intensity.
#[test]
fn hclpf_is_five_per_cent_with_95_per_cent_confidence() {
    let curve = fragility(DamageState::Overturning);
    for model in [0.0, 0.3] {
        let margin = curve.margin(model).unwrap();
        assert!((margin.uncertainty - margin.sampling.hypot(model)).abs() < 1e-15);
        let z = 1.6448536269514722;
        assert!((phi(-z) - 0.05).abs() < 1e-12);
        let sure = margin.median * (-margin.uncertainty * z).exp();
        let low = phi((margin.hclpf / sure).ln() / margin.randomness);
        assert!((low - 0.05).abs() < 1e-8, "{low}");
    }
    assert!(curve.margin(-0.1).is_err());
}

/// The standard error of ln(median) over 40 records is that of many drawn campaigns of a known spread: here it must be
/// near the spread of a record over √40.
#[test]
fn the_sampling_error_is_that_of_the_median() {
    let curve = fragility(DamageState::Overturning);
    let margin = curve.margin(0.0).unwrap();
    // Three uniform numbers have a variance of 1/4: 0.8/2 of ln; the noise within a record adds 0.3/√12 a trial.
    let spread = 0.4 / 40f64.sqrt();
    assert!(
        (0.6..1.6).contains(&(margin.sampling / spread)),
        "{margin:?}"
    );
}

/// The interval of the annual frequency holds its mean where the uncertainty is small, and grows with it; its ends are
/// those of medians that are moved.
#[test]
fn the_interval_of_the_annual_frequency_holds() {
    let curve = fragility(DamageState::Rotation(0.5));
    let rarer = fragility(DamageState::Overturning);
    let mut width = 0.0;
    for model in [0.0, 0.1, 0.3] {
        let risk = curve.annual(&hazard(), model).unwrap();
        let [low, mean, high] = [risk.lower, risk.mean, risk.upper].map(|r| r.frequency);
        assert!(low < mean && mean < high, "{risk:?}");
        assert!(high - low > width);
        width = high - low;
        let severe = rarer.annual(&hazard(), model).unwrap();
        let [l, m, h] = [severe.lower, severe.mean, severe.upper].map(|r| r.frequency);
        assert!(l <= low && m <= mean && h <= high, "{severe:?} {risk:?}");
        assert!(curve.margin(model).unwrap().hclpf <= rarer.margin(model).unwrap().hclpf);
    }
}

/// At the acceptable intensity the curve, or the upper end of its band, has the probability that is allowed.
#[test]
fn the_acceptable_intensity_has_the_allowed_probability() {
    let curve = fragility(DamageState::Rotation(0.5));
    let (fit, banded) = curve.acceptable(0.2).unwrap();
    let (fit, banded) = (fit.unwrap(), banded.unwrap());
    assert!((curve.probability(fit) - 0.2).abs() < 1e-12);
    assert!((curve.band(banded).1 - 0.2).abs() < 1e-9 && banded < fit);
    // Below all that was run nothing is told.
    assert_eq!(curve.acceptable(1e-9).unwrap(), (None, None));
    assert!(curve.acceptable(0.0).is_err() && curve.acceptable(1.0).is_err());
}
