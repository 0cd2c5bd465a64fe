//! How often the band over records of a fragility covers a known truth, campaign by campaign.
//!
//! `cargo run --release -p klast-rocking --example fragility_coverage [campaigns [replicates]]`
//!
//! The capacity of a record is lognormal, between records and within a record; its intensity at scale 1 is lognormal
//! too; ten scales a record. For 24 and 100 records and three shares of the two spreads the table gives the share of
//! campaigns whose 95 % band holds the true probability, where that is 0.1 to 0.9, and the binomial band beside it.

use klast_dynamics::{Purpose, Streams, open_uniform};
use klast_rocking::fragility::{Answer, BandOptions, Trial};

/// Quantiles of 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9.
const QUANTILES: [f64; 7] = [
    -1.281_552, -0.841_621, -0.385_320, 0.0, 0.385_320, 0.841_621, 1.281_552,
];

fn main() -> Result<(), klast_rocking::RockingError> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|a| a.parse::<u64>().ok());
    let campaigns = arguments.next().unwrap_or(2000);
    let replicates = arguments.next().unwrap_or(500) as usize;
    println!(
        "records between within | p = 0.1 0.2 0.35 0.5 0.65 0.8 0.9, band over records | binomial band | without curve"
    );
    for records in [24, 100] {
        for (between, within) in [(0.35, 0.2), (0.15, 0.4), (0.4, 0.05)] {
            let (mut band, mut binomial, mut none) = ([0u64; 7], [0u64; 7], 0);
            for seed in 0..campaigns {
                let trials = campaign(seed, records, between, within);
                let options = BandOptions {
                    replicates,
                    seed,
                    confidence: 0.95,
                };
                let answer = Answer::of(&trials, &options)?;
                let Some(curve) = answer.curve() else {
                    none += 1;
                    continue;
                };
                for (k, z) in QUANTILES.iter().enumerate() {
                    let x = libm::exp(between.hypot(within) * z);
                    let p = 0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2);
                    let holds = |(low, high): (f64, f64)| u64::from(low <= p && p <= high);
                    band[k] += holds(curve.band(x));
                    binomial[k] += holds(curve.binomial_band(x, 1.96));
                }
            }
            let share = |counts: [u64; 7]| {
                counts
                    .map(|c| format!("{:.3}", c as f64 / (campaigns - none) as f64))
                    .join(" ")
            };
            println!(
                "{records:7} {between:7} {within:6} | {} | {} | {none}",
                share(band),
                share(binomial)
            );
        }
    }
    Ok(())
}

fn campaign(seed: u64, records: usize, between: f64, within: f64) -> Vec<Trial> {
    let mut generator = Streams::new(seed).rng(Purpose::Custom(78), 0);
    let mut normal = || {
        let (u, v) = (open_uniform(&mut generator), open_uniform(&mut generator));
        (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
    };
    let mut trials = Vec::new();
    for record in 0..records {
        let (own, capacity) = (0.4 * normal(), between * normal());
        for k in 1..=10 {
            let scale = 0.25 * f64::from(k);
            let x = own + libm::log(scale);
            let reached = x + capacity + within * normal() > 0.0;
            trials.push(Trial {
                record,
                scale,
                intensity: libm::exp(x),
                reached,
            });
        }
    }
    trials
}
