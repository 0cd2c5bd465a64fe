//! What a collector has measured, and the sheet that a designer reads.

use crate::collector::{Collector, Passage};
use crate::histogram::Histogram;
use rayon::prelude::*;

/// A passage, whether its rock has been here before, the weight of the rock (1/a), and the doubling in which its rank
/// lies.
pub(crate) type Counted<'a> = (&'a Passage, bool, f64, usize);

/// A quantity of a passage; none where it is not counted.
type Quantity = fn(&Passage) -> Option<f64>;

/// What a collector has measured: of each rock its first passage.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollectorStatistics {
    /// Rocks held.
    pub held: u64,
    /// Of these, with more than the service energy of a flexible barrier.
    #[cfg_attr(feature = "serde", serde(default))]
    pub above_service: u64,
    /// Rocks that tear a flexible barrier.
    #[cfg_attr(feature = "serde", serde(default))]
    pub torn: u64,
    /// Rocks that pass beside the ends of a barrier: they cross its line, prolonged at both ends to the edge of the
    /// map, never arrive at the barrier itself, and are held by no other.
    #[cfg_attr(feature = "serde", serde(default))]
    pub beside: u64,
    /// Rocks that a barrier holds before they arrive at a collector: their straight way on in plan, from the release
    /// through the place where they are held, crosses it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub held_before: u64,
    /// Energy (J) behind it of the rocks that pass: what is left of those that tear it, all of those that fly over it
    /// or that a barrier which does not tear does not hold.
    #[cfg_attr(feature = "serde", serde(default))]
    pub residual: Histogram,
    /// Passages, those of rocks that come again included.
    pub passages: u64,
    /// Speed (m/s).
    pub speed: Histogram,
    /// Height of the mass centre over the ground (m).
    pub height: Histogram,
    /// Height of the top over the ground (m).
    pub top: Histogram,
    /// Translational energy (J).
    pub translational: Histogram,
    /// Rotational energy (J).
    pub rotational: Histogram,
    /// Total kinetic energy (J).
    pub energy: Histogram,
    /// The same by the rank of the rock: the first 100, to 200, to 400, …
    by_rank: Vec<Histogram>,
}

/// How the 95 % energy at a collector has settled after a number of rocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Rocks seeded.
    pub rocks: u64,
    /// 95 % energy (J).
    pub energy: f64,
    /// Its 95 % confidence interval (J); infinite above where there are too few rocks.
    pub interval: (f64, f64),
}

impl CollectorStatistics {
    /// Adds passages of rocks: each with whether its rock comes again, its weight (1/a) and the doubling in which its
    /// rank lies. Threads share the quantities.
    pub(crate) fn add_each<'a>(
        &mut self,
        all: &(impl Iterator<Item = Counted<'a>> + Clone + Sync),
    ) {
        for (passage, ..) in all.clone() {
            self.passages += 1;
            self.held += u64::from(passage.held);
            self.above_service += u64::from(passage.above_service);
            self.torn += u64::from(passage.residual.is_some());
        }
        let first = all.clone().filter(|(_, again, ..)| !again);
        let quantities = [
            (&mut self.residual, Passage::left as Quantity),
            (&mut self.speed, |p| Some(p.speed)),
            (&mut self.height, |p| Some(p.height)),
            (&mut self.top, |p| Some(p.top)),
            (&mut self.translational, |p| Some(p.translational)),
            (&mut self.rotational, |p| Some(p.rotational)),
            (&mut self.energy, |p| Some(p.translational + p.rotational)),
        ];
        let by_rank = &mut self.by_rank;
        rayon::join(
            || {
                quantities.into_par_iter().for_each(|(histogram, value)| {
                    let values = |(p, _, weight, _): Counted| Some((value(p)?, weight));
                    histogram.add_each(first.clone().filter_map(values));
                });
            },
            || {
                for (passage, _, weight, doubling) in first.clone() {
                    if by_rank.len() <= doubling {
                        by_rank.resize(doubling + 1, Histogram::default());
                    }
                    if let Some(histogram) = by_rank.get_mut(doubling) {
                        histogram.add(passage.translational + passage.rotational, weight);
                    }
                }
            },
        );
    }

    pub(crate) fn settling(&self, seeded: &[u64]) -> Vec<Settled> {
        let (mut rocks, mut so_far) = (0, Histogram::default());
        let mut rows = Vec::new();
        for (k, count) in seeded.iter().enumerate() {
            rocks += count;
            if let Some(part) = self.by_rank.get(k) {
                so_far.merge(part);
            }
            if let (true, Some(energy), Some(interval)) = (
                *count > 0,
                so_far.quantile(0.95),
                so_far.quantile_interval(0.95),
            ) {
                rows.push(Settled {
                    rocks,
                    energy,
                    interval,
                });
            }
        }
        rows
    }

    pub(crate) fn merge(&mut self, other: &CollectorStatistics) {
        self.held += other.held;
        self.above_service += other.above_service;
        self.torn += other.torn;
        self.beside += other.beside;
        self.held_before += other.held_before;
        self.residual.merge(&other.residual);
        self.passages += other.passages;
        for (mine, theirs) in [
            (&mut self.speed, &other.speed),
            (&mut self.height, &other.height),
            (&mut self.top, &other.top),
            (&mut self.translational, &other.translational),
            (&mut self.rotational, &other.rotational),
            (&mut self.energy, &other.energy),
        ] {
            mine.merge(theirs);
        }
        if self.by_rank.len() < other.by_rank.len() {
            self.by_rank
                .resize(other.by_rank.len(), Histogram::default());
        }
        for (mine, theirs) in self.by_rank.iter_mut().zip(&other.by_rank) {
            mine.merge(theirs);
        }
    }

    /// Rocks that came to the collector.
    pub fn arrived(&self) -> u64 {
        self.energy.count()
    }
}

/// The sheet of a collector, as a designer reads it.
#[derive(Debug, Clone, PartialEq)]
pub struct DesignSheet {
    /// Rocks that came to the collector.
    pub arrived: u64,
    /// Rocks held.
    pub held: u64,
    /// Share of the seeded rocks that pass the collector after all.
    pub residual_rate: f64,
    /// 95 % energy (J) with its 95 % confidence interval.
    pub energy_95: (f64, f64, f64),
    /// 99 % energy (J) with its 95 % confidence interval.
    pub energy_99: (f64, f64, f64),
    /// 95 % height of the top of the rock (m).
    pub top_95: f64,
    /// 99 % height of the top of the rock (m).
    pub top_99: f64,
    /// Height left above the 95 and 99 % top under the barrier's height (m); negative where rocks fly over.
    pub clearance: Option<(f64, f64)>,
}

impl CollectorStatistics {
    /// The design sheet; `None` if no rock came.
    pub fn sheet(&self, collector: &Collector, seeded: u64) -> Option<DesignSheet> {
        let with_interval = |p: f64| {
            let (low, high) = self.energy.quantile_interval(p)?;
            Some((self.energy.quantile(p)?, low, high))
        };
        let (top_95, top_99) = (self.top.quantile(0.95)?, self.top.quantile(0.99)?);
        Some(DesignSheet {
            arrived: self.arrived(),
            held: self.held,
            residual_rate: self.arrived().saturating_sub(self.held) as f64 / seeded.max(1) as f64,
            energy_95: with_interval(0.95)?,
            energy_99: with_interval(0.99)?,
            top_95,
            top_99,
            clearance: collector
                .barrier
                .map(|b| (b.height - top_95, b.height - top_99)),
        })
    }
}
