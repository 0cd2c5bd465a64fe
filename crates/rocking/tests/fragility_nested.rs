//! Fragilities of nested states never cross, bands rise with the intensity, and a band near 0 to 1 says so.
use klast_rocking::fragility::{
    Answer, BandOptions, Campaign, DamageState, Fragility, FragilityWarning, Intensities, Response,
    Trial,
};
use klast_sampling::{Purpose, Streams, open_uniform};

/// Chains of states from the least to the most severe; each is implied by all that follow.
const CHAINS: [&[DamageState]; 5] = [
    &[
        DamageState::Rotation(0.1),
        DamageState::Rotation(0.5),
        DamageState::Rotation(1.0),
        DamageState::Overturning,
        DamageState::TotalOverturning,
    ],
    &[
        DamageState::Slip(0.02),
        DamageState::Slip(0.1),
        DamageState::Overturning,
    ],
    &[
        DamageState::Landing(0.3),
        DamageState::Landing(0.9),
        DamageState::TotalOverturning,
    ],
    &[
        DamageState::Gap(0.1),
        DamageState::Gap(0.3),
        DamageState::Overturning,
    ],
    &[
        DamageState::Pull(0.5),
        DamageState::Pull(1.0),
        DamageState::Rupture,
    ],
];

/// A drawn campaign of 2 to 12 records at 3 to 8 scales whose peaks grow with the scale, each with noise of its own and
/// wider the larger it is: fits of single states then differ in dispersion, and cross.
fn drawn(seed: u64) -> (Campaign, Intensities) {
    let mut rng = Streams::new(seed).rng(Purpose::Custom(0x0E57), 0);
    let mut uniform = || open_uniform(&mut rng);
    let records = 2 + (11.0 * uniform()) as usize;
    let scales: Vec<f64> = (1..=3 + (6.0 * uniform()) as usize)
        .map(|k| k as f64)
        .collect();
    let (growth, noise) = (0.3 + uniform(), 0.2 + 2.0 * uniform());
    let values: Vec<f64> = (0..records).map(|_| 0.5 + uniform()).collect();
    let mut responses = Vec::new();
    for value in &values {
        let own = noise * (uniform() - 0.5);
        for scale in &scales {
            let mean = 0.1 * (value * scale).powf(2.0 * growth);
            let mut peak = || mean * (own + noise * mean.min(1.0) * (uniform() - 0.5)).exp();
            let (peak, pull) = (peak(), peak());
            responses.push(Response {
                peak,
                slip: 0.1 * peak * peak,
                landing: peak.sqrt(),
                reach: 0.3 * peak,
                pull: pull.min(1.0),
                broken: pull > 1.4,
                overturned: peak > 1.3,
                total: peak > 1.6,
                undecided: false,
            });
        }
    }
    let intensities = Intensities::proportional(scales.clone(), &values);
    let campaign = Campaign::new(records, scales, responses).unwrap();
    (campaign, intensities)
}

/// Whatever the records: what implies another state is never the more probable of the two, no end of a band falls where
/// the intensity grows, each band holds its curve, and medians come in the order of the states.
#[test]
fn nested_states_never_cross_and_bands_rise() {
    let options = BandOptions {
        replicates: 20,
        ..BandOptions::default()
    };
    let (mut curves, mut crossing, mut turning) = (0, 0, 0);
    let intensities: Vec<f64> = (0..60).map(|k| 0.05 * 1.12f64.powi(k)).collect();
    for seed in 0..1000 {
        let (campaign, values) = drawn(seed);
        for chain in CHAINS {
            let answers = chain.iter().map(|state| {
                let trials = campaign.trials(*state, &values);
                (*state, Answer::of(&trials, &options).unwrap())
            });
            let answers: Vec<(DamageState, Answer)> = answers.collect();
            let apart: Vec<Fragility> = answers
                .iter()
                .filter_map(|(_, a)| a.curve().cloned())
                .collect();
            let nested = Answer::nested(answers.clone());
            let nested: Vec<&Fragility> = nested.iter().filter_map(|(_, a)| a.curve()).collect();
            curves += nested.len();
            for pair in nested.windows(2) {
                assert!(pair[0].median() <= pair[1].median(), "{seed}");
                for x in &intensities {
                    let told = format!("{seed} at {x}");
                    assert!(pair[0].probability(*x) >= pair[1].probability(*x), "{told}");
                    let ((a, b), (c, d)) = (pair[0].band(*x), pair[1].band(*x));
                    assert!(a >= c && b >= d, "{told}");
                }
            }
            for curve in &nested {
                let mut before = [0.0f64; 5];
                for x in &intensities {
                    let (low, high) = curve.band(*x);
                    let (from, to) = curve.binomial_band(*x, 1.96);
                    let p = curve.probability(*x);
                    assert!(low <= p && p <= high, "{seed} at {x}: {low} {p} {high}");
                    let now = [low, p, high, from, to];
                    assert!(
                        now.iter().zip(before).all(|(n, b)| *n >= b),
                        "{seed} at {x}: {now:?} {before:?}"
                    );
                    before = now;
                }
            }
            crossing += usize::from(apart.windows(2).any(|pair| {
                intensities
                    .iter()
                    .any(|x| pair[0].probability(*x) < pair[1].probability(*x))
            }));
            turning += usize::from(nested.iter().any(|curve| {
                curve
                    .warnings()
                    .iter()
                    .any(|warning| matches!(warning, FragilityWarning::WideBand { .. }))
            }));
        }
    }
    // The draws do meet what is excluded.
    assert!(
        curves > 1000 && crossing > 100 && turning > 20,
        "{curves} {crossing} {turning}"
    );
}

/// Two records of which one overturns at the least scale and not at the next: the band is nearly 0 to 1, and the curve
/// says so.
#[test]
fn a_band_near_0_to_1_says_so() {
    let trials: Vec<Trial> = [
        (0, 1.0, false),
        (0, 2.0, true),
        (0, 3.0, true),
        (1, 1.0, true),
        (1, 2.0, false),
        (1, 3.0, true),
    ]
    .into_iter()
    .map(|(record, intensity, reached)| Trial {
        record,
        scale: intensity,
        intensity,
        reached,
    })
    .collect();
    let answer = Answer::of(&trials, &BandOptions::default()).unwrap();
    let curve = answer.curve().expect("outcomes that overlap");
    let warnings = curve.warnings();
    assert!(warnings.contains(&FragilityWarning::FewRecords { records: 2 }));
    let wide = warnings.iter().find_map(|warning| match warning {
        FragilityWarning::WideBand { low, high } => Some((*low, *high)),
        _ => None,
    });
    // Student's t of one degree of freedom is 12.7.
    assert_eq!(wide, Some(curve.band(curve.median())));
}
