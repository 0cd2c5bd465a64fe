//! Sizes of rocks. The size of a polyhedron is the diameter of the sphere of equal volume.

use crate::error::DemError;
use klast_numerics::OutOfRange;
use klast_numerics::check::{require, within};
use klast_sampling::{Distribution, Family, open_uniform};
use rand::Rng;

/// A range of sizes and its share by number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeClass {
    /// Smallest size, m.
    pub low: f64,
    /// Largest size, m.
    pub high: f64,
    /// Share of the number of rocks; shares need not add up to one.
    pub share: f64,
}

/// Which sizes a packing has.
#[derive(Clone, Debug, PartialEq)]
pub enum Grading {
    /// Normal about the mean, cut at `mean (1 ± spread)`; the standard deviation is half of `spread · mean`.
    Normal {
        /// Mean size, m.
        mean: f64,
        /// Half width over mean, 0 to below 1.
        spread: f64,
    },
    /// Uniform within classes: what the shrink factor of [`shrink_fraction`] gives with a uniform `ω`.
    Classes(Vec<SizeClass>),
}

/// Of a thousand sizes drawn with a seed that does not change.
pub(crate) struct SizeSample {
    /// Mean of the cube, m³: sets the number of rocks of a layer.
    pub mean_cube: f64,
    /// m.
    pub largest: f64,
}

impl Grading {
    /// `count` sizes in ascending order, m.
    ///
    /// # Errors
    /// A mean or class that is no size.
    pub fn sizes(&self, count: usize, rng: &mut impl Rng) -> Result<Vec<f64>, DemError> {
        self.check()?;
        let mut sizes = match self {
            Grading::Normal { mean, spread } if *spread == 0.0 => vec![*mean; count],
            Grading::Normal { mean, spread } => {
                let (mean, half) = (*mean, mean * spread);
                let family = Family::Normal {
                    mean,
                    sd: 0.5 * half,
                };
                let normal = Distribution::truncated(family, mean - half, mean + half)
                    .map_err(|e| DemError::Distribution(e.to_string()))?;
                (0..count).map(|_| normal.sample(rng)).collect()
            }
            Grading::Classes(classes) => (0..count).map(|_| class_size(classes, rng)).collect(),
        };
        sizes.sort_by(f64::total_cmp);
        Ok(sizes)
    }

    /// What a thousand sizes say of the grading.
    pub(crate) fn sample(&self) -> Result<SizeSample, DemError> {
        let mut rng = klast_sampling::Streams::new(0).rng(klast_sampling::Purpose::Shape, 0);
        let sizes = self.sizes(1000, &mut rng)?;
        Ok(SizeSample {
            mean_cube: sizes.iter().map(|d| d * d * d).sum::<f64>() / sizes.len() as f64,
            largest: sizes.last().copied().unwrap_or(0.0),
        })
    }

    fn check(&self) -> Result<(), DemError> {
        match self {
            Grading::Normal { mean, spread } => {
                require("mean size", *mean, *mean > 0.0, "> 0 m")?;
                within("spread", *spread, (0.0, 0.95), "0 to 0.95")?;
            }
            Grading::Classes(classes) => {
                if classes.is_empty() {
                    return Err(OutOfRange::new("number of size classes", 0, "1 or more").into());
                }
                for class in classes {
                    require("smallest size", class.low, class.low > 0.0, "> 0 m")?;
                    within(
                        "largest size",
                        class.high,
                        (class.low, f64::MAX),
                        ">= the smallest",
                    )?;
                    require("share", class.share, class.share > 0.0, "> 0")?;
                }
            }
        }
        Ok(())
    }
}

fn class_size(classes: &[SizeClass], rng: &mut impl Rng) -> f64 {
    let total: f64 = classes.iter().map(|c| c.share).sum();
    let mut pick = open_uniform(rng) * total;
    let omega = open_uniform(rng);
    let mut size = 0.0;
    for class in classes {
        size = class.high - omega * (class.high - class.low);
        pick -= class.share;
        if pick <= 0.0 {
            break;
        }
    }
    size
}

/// Fraction by which the vectors from seed to vertices are shortened so that a cell of size `largest` gets a size in
/// `low..=high`: `q = 1 − high/largest + ω (high − low)/largest` (Feng and others, rockfill paper, section 4.1).
///
/// The scale of the cell is `1 − q`, between `low/largest` (ω = 1) and `high/largest` (ω = 0). It presumes that every
/// cell has the size `largest`; Poisson–Voronoi cells scatter by 15 %, so a packing here scales each cell by its own
/// size instead.
///
/// # Errors
/// Sizes out of order, ω outside 0 to 1.
pub fn shrink_fraction(low: f64, high: f64, largest: f64, omega: f64) -> Result<f64, DemError> {
    require("smallest size", low, low > 0.0, "> 0 m")?;
    within(
        "largest size of the class",
        high,
        (low, f64::MAX),
        ">= the smallest",
    )?;
    within(
        "largest size",
        largest,
        (high, f64::MAX),
        ">= that of the class",
    )?;
    within("omega", omega, (0.0, 1.0), "0 to 1")?;
    Ok(1.0 - high / largest + omega * (high - low) / largest)
}
