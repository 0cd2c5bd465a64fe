//! What a run of many rocks adds up to.

use super::rock_result::RockResult;
use crate::RockfallError;
use crate::beside::{Followed, Missed};
use crate::collector_statistics::{CollectorStatistics, Settled};
use crate::ground_spread::BySet;
use crate::histogram::Histogram;
use crate::raster::{HazardRaster, RasterFrame};
use crate::stop::Outcome;
use rayon::prelude::*;
use std::mem::take;

/// A quantity of a rock; none where it is not counted.
type Quantity = fn(&RockResult) -> Option<f64>;

/// How the rocks ended: seeded = stopped + left the map + timed out + unresolved + caught, always.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Account {
    /// Rocks released.
    pub seeded: u64,
    /// Came to rest.
    pub stopped: u64,
    /// Left the map, or were released outside of it, where there is no ground or below it.
    pub left_map: u64,
    /// Of these, released where there is no ground.
    pub released_off_map: u64,
    /// Of these, released below the ground: not run.
    pub released_below_ground: u64,
    /// Would have started in the ground and were raised to stand on it, whatever their end.
    #[cfg_attr(feature = "serde", serde(default))]
    pub raised_starts: u64,
    /// Ran out of time or steps.
    pub timed_out: u64,
    /// Held up by the length of its steps.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unresolved: u64,
    /// Held by each collector.
    pub caught: Vec<u64>,
}

impl Account {
    /// Whether every seeded rock has exactly one end.
    pub fn balances(&self) -> bool {
        self.seeded
            == self.stopped
                + self.left_map
                + self.timed_out
                + self.unresolved
                + self.caught.iter().sum::<u64>()
    }
}

/// Statistics over rocks, in memory that does not grow with their number. Adding is exact (whole numbers), so any split
/// of the rocks merges to the same.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Results {
    /// How rocks ended.
    pub account: Account,
    /// Distance in plan from release to end of the rocks that stopped or were caught (m).
    pub runout: Histogram,
    /// Travel time of all rocks (s).
    pub time: Histogram,
    /// Greatest speed of each rock (m/s).
    #[cfg_attr(feature = "serde", serde(default))]
    pub speed: Histogram,
    /// Greatest height of each rock's mass centre over the ground in flight (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub height: Histogram,
    /// By collector.
    pub collectors: Vec<CollectorStatistics>,
    /// Hazard raster, if asked for.
    pub raster: Option<HazardRaster>,
    /// By set of ground parameters, where the ground has several.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sets: Option<BySet>,
    /// Contact problems that missed their tolerance.
    pub unconverged: u64,
    /// Impacts whose law makes energy, refused or not.
    pub energy_gains: u64,
    /// Stretches of sustained contact in which energy rose.
    #[cfg_attr(feature = "serde", serde(default))]
    pub energy_rises: u64,
    /// Energy given by taking rocks out of ground into which a step had put them (mJ).
    #[cfg_attr(feature = "serde", serde(default))]
    pub lifted_mj: u64,
    /// Largest part that this is of a rock's largest kinetic energy.
    #[cfg_attr(feature = "serde", serde(default))]
    pub lifted_part: f64,
    /// Energy taken by impacts in which the ground yielded (whole mJ of each rock).
    #[cfg_attr(feature = "serde", serde(default))]
    pub dug_mj: u64,
    /// Greatest depth of such an impact (m).
    #[cfg_attr(feature = "serde", serde(default))]
    pub deepest: f64,
    /// Steps taken without a load because nothing else moved a rock on.
    pub forced: u64,
    /// Rocks that stopped because they only swung in place.
    pub swinging: u64,
    /// Edges that lumped masses passed as smooth ground because their kink is below the vertical resolution of the
    /// ground.
    pub unresolved_edges: u64,
    /// Kinetic energy that lumped masses lost in impacts (whole mJ of each rock, so that sums are exact).
    pub impact_loss_mj: u64,
    /// Of this, in impacts whose normal speed the vertical resolution leaves open by a tenth or more (mJ).
    pub unresolved_loss_mj: u64,
    /// Rocks seeded by rank: the first 100, to 200, to 400, …
    by_rank: Vec<u64>,
}

impl Results {
    /// Nothing yet.
    pub fn new(collectors: usize, raster: Option<RasterFrame>) -> Self {
        Results {
            account: Account {
                caught: vec![0; collectors],
                ..Account::default()
            },
            runout: Histogram::default(),
            time: Histogram::default(),
            speed: Histogram::default(),
            height: Histogram::default(),
            collectors: vec![CollectorStatistics::default(); collectors],
            raster: raster.map(HazardRaster::new),
            sets: None,
            unconverged: 0,
            energy_gains: 0,
            energy_rises: 0,
            lifted_mj: 0,
            lifted_part: 0.0,
            dug_mj: 0,
            deepest: 0.0,
            forced: 0,
            swinging: 0,
            unresolved_edges: 0,
            impact_loss_mj: 0,
            unresolved_loss_mj: 0,
            by_rank: Vec::new(),
        }
    }

    /// The same with statistics by set of ground parameters; unchanged without weights.
    pub(crate) fn with_sets(self, weights: &[f64]) -> Self {
        let sets = BySet::new(weights, self.collectors.len());
        Results {
            sets: (!weights.is_empty()).then_some(sets),
            ..self
        }
    }

    /// Adds some rocks.
    pub(crate) fn add_all(&mut self, rocks: &[Box<Followed>]) {
        self.add_each(&rocks.iter().map(|rock| &rock.0));
        for rock in rocks {
            self.add_missed(&rock.1);
        }
    }

    /// Adds rocks by all threads: each takes a quantity of all rocks, or some of the cells, so that sums are made as
    /// one thread makes them; one of them counts.
    pub fn add_each<'a>(&mut self, rocks: &(impl Iterator<Item = &'a RockResult> + Clone + Sync)) {
        let mut others = Results {
            runout: take(&mut self.runout),
            time: take(&mut self.time),
            speed: take(&mut self.speed),
            height: take(&mut self.height),
            collectors: take(&mut self.collectors),
            raster: self.raster.take(),
            sets: self.sets.take(),
            ..Results::new(0, None)
        };
        rayon::join(
            || others.add_statistics(rocks),
            || rocks.clone().for_each(|rock| self.count(rock)),
        );
        (self.runout, self.time) = (others.runout, others.time);
        (self.speed, self.height) = (others.speed, others.height);
        (self.raster, self.sets) = (others.raster, others.sets);
        self.collectors = others.collectors;
    }

    /// Adds what is not a count.
    fn add_statistics<'a>(
        &mut self,
        rocks: &(impl Iterator<Item = &'a RockResult> + Clone + Sync),
    ) {
        let quantities = [
            (&mut self.time, (|rock| Some(rock.time)) as Quantity),
            (&mut self.speed, |rock| Some(rock.greatest_speed)),
            (&mut self.height, |rock| Some(rock.greatest_height)),
            (&mut self.runout, |rock| {
                rock.settles().then(|| rock.runout())
            }),
        ];
        let on_the_way = || {
            quantities.into_par_iter().for_each(|(histogram, value)| {
                let values = |rock: &'a RockResult| Some((value(rock)?, rock.weight));
                histogram.add_each(rocks.clone().filter_map(values));
            });
        };
        let collectors = self.collectors.par_iter_mut().enumerate();
        let at_collectors = || {
            collectors.for_each(|(number, collector)| {
                let passages = rocks.clone().flat_map(|rock| {
                    let all = rock.passages.iter();
                    let here = all.filter(move |p| p.collector as usize == number);
                    let doubling = doubling(rock.rank);
                    here.enumerate()
                        .map(move |(k, passage)| (passage, k > 0, rock.weight, doubling))
                });
                collector.add_each(&passages);
            });
        };
        let (raster, sets) = (&mut self.raster, &mut self.sets);
        let by_cell = || {
            if let Some(raster) = raster {
                let visits = |rock: &'a RockResult| (rock.visits.as_slice(), rock.weight);
                raster.add_all(rocks.clone().map(visits));
                let stopped = |rock: &&RockResult| rock.outcome == Outcome::Stopped;
                let ends = rocks.clone().filter(stopped);
                ends.for_each(|rock| raster.deposit(rock.end.truncate()));
            }
        };
        let by_set = || {
            if let Some(sets) = sets {
                rocks.clone().for_each(|rock| sets.add(rock));
            }
        };
        rayon::join(
            || rayon::join(on_the_way, at_collectors),
            || rayon::join(by_cell, by_set),
        );
    }

    /// Counts one rock, and adds up what it has one number of.
    fn count(&mut self, rock: &RockResult) {
        let account = &mut self.account;
        account.seeded += 1;
        account.released_off_map += u64::from(rock.off_map);
        account.released_below_ground += u64::from(rock.below_ground);
        account.raised_starts += u64::from(rock.raised);
        match rock.outcome {
            Outcome::Stopped => account.stopped += 1,
            Outcome::LeftMap => account.left_map += 1,
            Outcome::TimedOut => account.timed_out += 1,
            Outcome::Unresolved => account.unresolved += 1,
            Outcome::Caught { barrier } => {
                // A number out of range cannot come from a run; growing keeps the account whole all the same.
                let k = barrier as usize;
                if account.caught.len() <= k {
                    account.caught.resize(k + 1, 0);
                }
                account.caught[k] += 1;
            }
        }
        let doubling = doubling(rock.rank);
        if self.by_rank.len() <= doubling {
            self.by_rank.resize(doubling + 1, 0);
        }
        self.by_rank[doubling] += 1;
        // A cast of a float saturates; so does the sum of rocks too large for any slope. Most are 0.
        let whole = |joule: f64| match joule == 0.0 {
            true => 0,
            false => (joule * 1e3).round() as u64,
        };
        self.unconverged += u64::from(rock.unconverged);
        self.energy_gains += u64::from(rock.energy_gains);
        self.energy_rises += u64::from(rock.energy_rises);
        self.lifted_mj = self.lifted_mj.saturating_add(whole(rock.lifted));
        self.lifted_part = self.lifted_part.max(rock.lifted_part);
        self.dug_mj = self.dug_mj.saturating_add(whole(rock.dug));
        self.deepest = self.deepest.max(rock.depth);
        self.forced += u64::from(rock.forced);
        self.swinging += u64::from(rock.swinging);
        self.unresolved_edges += u64::from(rock.unresolved_edges);
        self.impact_loss_mj = self.impact_loss_mj.saturating_add(whole(rock.impact_loss));
        self.unresolved_loss_mj = self
            .unresolved_loss_mj
            .saturating_add(whole(rock.unresolved_loss));
    }

    /// Adds the barriers and collectors at which one rock does not arrive.
    fn add_missed(&mut self, missed: &Missed) {
        let (Missed::Beside(numbers) | Missed::Behind(numbers)) = missed;
        for number in numbers {
            let Some(screen) = self.collectors.get_mut(*number as usize) else {
                continue;
            };
            match missed {
                Missed::Beside(_) => screen.beside += 1,
                Missed::Behind(_) => screen.held_before += 1,
            }
        }
    }

    /// The share of the energy lost in impacts that was lost in those whose normal speed the vertical resolution of the
    /// ground leaves open by a tenth or more; 0 without impacts.
    pub fn unresolved_share(&self) -> f64 {
        match self.impact_loss_mj {
            0 => 0.0,
            all => self.unresolved_loss_mj as f64 / all as f64,
        }
    }

    /// How the 95 % energy at a collector has settled after 100, 200, 400, … rocks of the run: are they enough? The
    /// same however the rocks were split.
    pub fn settling(&self, collector: usize) -> Vec<Settled> {
        self.collectors
            .get(collector)
            .map_or(Vec::new(), |g| g.settling(&self.by_rank))
    }

    /// Adds the rocks of another part of the same run.
    pub fn merge(&mut self, other: &Results) -> Result<(), RockfallError> {
        if self.collectors.len() != other.collectors.len()
            || self.raster.is_some() != other.raster.is_some()
            || self.sets.is_some() != other.sets.is_some()
        {
            return Err(RockfallError::Merge {
                what: "collectors or rasters",
            });
        }
        if let (Some(mine), Some(theirs)) = (&mut self.raster, &other.raster) {
            mine.merge(theirs)?;
        }
        if let (Some(mine), Some(theirs)) = (&mut self.sets, &other.sets) {
            mine.merge(theirs)?;
        }
        let (mine, theirs) = (&mut self.account, &other.account);
        mine.seeded += theirs.seeded;
        mine.stopped += theirs.stopped;
        mine.left_map += theirs.left_map;
        mine.released_off_map += theirs.released_off_map;
        mine.released_below_ground += theirs.released_below_ground;
        mine.raised_starts += theirs.raised_starts;
        mine.timed_out += theirs.timed_out;
        mine.unresolved += theirs.unresolved;
        mine.caught
            .iter_mut()
            .zip(&theirs.caught)
            .for_each(|(a, b)| *a += b);
        self.runout.merge(&other.runout);
        self.time.merge(&other.time);
        self.speed.merge(&other.speed);
        self.height.merge(&other.height);
        self.collectors
            .iter_mut()
            .zip(&other.collectors)
            .for_each(|(a, b)| a.merge(b));
        self.unconverged += other.unconverged;
        self.energy_gains += other.energy_gains;
        self.energy_rises += other.energy_rises;
        self.lifted_mj = self.lifted_mj.saturating_add(other.lifted_mj);
        self.lifted_part = self.lifted_part.max(other.lifted_part);
        self.dug_mj = self.dug_mj.saturating_add(other.dug_mj);
        self.deepest = self.deepest.max(other.deepest);
        self.forced += other.forced;
        self.swinging += other.swinging;
        self.unresolved_edges += other.unresolved_edges;
        self.impact_loss_mj = self.impact_loss_mj.saturating_add(other.impact_loss_mj);
        self.unresolved_loss_mj = self
            .unresolved_loss_mj
            .saturating_add(other.unresolved_loss_mj);
        if self.by_rank.len() < other.by_rank.len() {
            self.by_rank.resize(other.by_rank.len(), 0);
        }
        self.by_rank
            .iter_mut()
            .zip(&other.by_rank)
            .for_each(|(a, b)| *a += b);
        Ok(())
    }
}

/// In which doubling a rank lies: below 100, 200, 400, …
fn doubling(rank: u64) -> usize {
    (rank / 100).checked_ilog2().map_or(0, |k| k as usize + 1)
}
