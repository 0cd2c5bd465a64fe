//! How often the band over records of a fragility covers a known truth, campaign by campaign.
//!
//! `cargo run --release -p klast-rocking --example fragility_coverage [campaigns [replicates]]`
//!
//! The capacity of a record is lognormal, between records, between the angles at which it comes in, and within an
//! angle; its intensity at scale 1 is lognormal too; ten scales an angle. For 24 and 100 records in a plane and three
//! shares of the spreads, and for 30 records in space at eight angles, the table gives the share of campaigns whose 95
//! % band holds the true probability, where that is 0.1 to 0.9, and the binomial band beside it.

use klast_rocking::fragility::{Answer, BandOptions, Trial};
use klast_sampling::{Purpose, Streams, open_uniform};

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
        "records angles between turned within | p = 0.1 0.2 0.35 0.5 0.65 0.8 0.9, band over records | binomial band | without curve"
    );
    for spread in SPREADS {
        let (mut band, mut binomial, mut none) = ([0u64; 7], [0u64; 7], 0);
        for seed in 0..campaigns {
            let trials = campaign(seed, &spread);
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
                let x = libm::exp(spread.whole() * z);
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
        let Spread {
            records,
            angles,
            between,
            turned,
            within,
        } = spread;
        println!(
            "{records:7} {angles:6} {between:7} {turned:6} {within:6} | {} | {} | {none}",
            share(band),
            share(binomial)
        );
    }
    Ok(())
}

/// Records, and the spreads of ln(capacity).
#[derive(Clone, Copy)]
struct Spread {
    records: usize,
    angles: usize,
    between: f64,
    turned: f64,
    within: f64,
}

impl Spread {
    const fn plane(records: usize, between: f64, within: f64) -> Self {
        Self {
            records,
            angles: 1,
            between,
            turned: 0.0,
            within,
        }
    }

    fn whole(&self) -> f64 {
        self.between.hypot(self.turned).hypot(self.within)
    }
}

const SPREADS: [Spread; 8] = [
    Spread::plane(24, 0.35, 0.2),
    Spread::plane(24, 0.15, 0.4),
    Spread::plane(24, 0.4, 0.05),
    Spread::plane(100, 0.35, 0.2),
    Spread::plane(100, 0.15, 0.4),
    Spread::plane(100, 0.4, 0.05),
    Spread {
        records: 30,
        angles: 8,
        between: 0.3,
        turned: 0.2,
        within: 0.15,
    },
    Spread {
        records: 30,
        angles: 8,
        between: 0.15,
        turned: 0.35,
        within: 0.15,
    },
];

fn campaign(seed: u64, spread: &Spread) -> Vec<Trial> {
    let mut generator = Streams::new(seed).rng(Purpose::Custom(78), 0);
    let mut normal = || {
        let (u, v) = (open_uniform(&mut generator), open_uniform(&mut generator));
        (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
    };
    let mut trials = Vec::new();
    for record in 0..spread.records {
        let (own, capacity) = (0.4 * normal(), spread.between * normal());
        for _ in 0..spread.angles {
            let turned = match spread.angles {
                1 => 0.0,
                _ => spread.turned * normal(),
            };
            for k in 1..=10 {
                let scale = 0.25 * f64::from(k);
                let x = own + libm::log(scale);
                let reached = x + capacity + turned + spread.within * normal() > 0.0;
                trials.push(Trial {
                    record,
                    scale,
                    intensity: libm::exp(x),
                    reached,
                });
            }
        }
    }
    trials
}
