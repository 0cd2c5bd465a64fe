//! What each set of ground parameters makes of the rocks: how far results depend on what is not known of the ground.

use std::collections::BTreeMap;

use super::rock_result::RockResult;
use crate::RockfallError;
use crate::histogram::Histogram;

/// Rocks of one set in one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "(u32, u64)", into = "(u32, u64)"))]
pub struct SetCell {
    /// Rocks that reach it.
    pub rocks: u32,
    /// Sum of their greatest energies there (whole J).
    pub energy: u64,
}

// Two numbers in a list: there are as many as cells times sets.
impl From<(u32, u64)> for SetCell {
    fn from((rocks, energy): (u32, u64)) -> Self {
        SetCell { rocks, energy }
    }
}

impl From<SetCell> for (u32, u64) {
    fn from(cell: SetCell) -> Self {
        (cell.rocks, cell.energy)
    }
}

/// What one set makes of the rocks at one barrier or collector.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SetCollector {
    /// Rocks that it holds.
    pub held: u64,
    /// Kinetic energy at the first passage (J).
    pub energy: Histogram,
    /// Height of the top at the first passage (m).
    pub top: Histogram,
}

/// Statistics by set. Adding is exact, so any split of the rocks merges to the same.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BySet {
    weights: Vec<f64>,
    seeded: Vec<u64>,
    // By collector, then by set.
    collectors: Vec<Vec<SetCollector>>,
    // By number of the cell, of those that rocks came to.
    cells: BTreeMap<u32, Box<[SetCell]>>,
}

/// A quantity over the sets: the mean, and 5 and 95 % of the sets, by their weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// 5 % of the sets are at or below it.
    pub low: f64,
    /// 95 % of the sets are at or below it.
    pub high: f64,
}

impl BySet {
    /// Nothing yet, of sets with these weights.
    pub fn new(weights: &[f64], collectors: usize) -> Self {
        let count = weights.len();
        BySet {
            weights: weights.to_vec(),
            seeded: vec![0; count],
            collectors: vec![vec![SetCollector::default(); count]; collectors],
            cells: BTreeMap::new(),
        }
    }

    /// How many sets there are.
    pub fn count(&self) -> usize {
        self.weights.len()
    }

    /// Rocks of each set.
    pub fn seeded(&self) -> &[u64] {
        &self.seeded
    }

    pub(crate) fn add(&mut self, rock: &RockResult) {
        let set = rock.set as usize;
        let Some(seeded) = self.seeded.get_mut(set) else {
            return;
        };
        *seeded += 1;
        for (k, passage) in rock.passages.iter().enumerate() {
            let again = rock
                .passages
                .iter()
                .take(k)
                .any(|p| p.collector == passage.collector);
            let collector = self.collectors.get_mut(passage.collector as usize);
            let Some(collector) = collector.and_then(|g| g.get_mut(set)) else {
                continue;
            };
            collector.held += u64::from(passage.held);
            if !again {
                collector
                    .energy
                    .add(passage.translational + passage.rotational, 0.0);
                collector.top.add(passage.top, 0.0);
            }
        }
        let count = self.weights.len();
        for visit in &rock.visits {
            let cells = self.cells.entry(visit.cell);
            let cells = cells.or_insert_with(|| vec![SetCell::default(); count].into());
            if let Some(cell) = cells.get_mut(set) {
                cell.rocks += 1;
                // A cast of a float saturates.
                cell.energy = cell.energy.saturating_add(visit.energy.round() as u64);
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &BySet) -> Result<(), RockfallError> {
        if self.weights != other.weights || self.collectors.len() != other.collectors.len() {
            return Err(RockfallError::Merge {
                what: "sets of ground parameters",
            });
        }
        let seeded = self.seeded.iter_mut().zip(&other.seeded);
        seeded.for_each(|(a, b)| *a += b);
        let (mine, theirs) = (
            self.collectors.iter_mut().flatten(),
            other.collectors.iter().flatten(),
        );
        for (a, b) in mine.zip(theirs) {
            a.held += b.held;
            a.energy.merge(&b.energy);
            a.top.merge(&b.top);
        }
        for (number, theirs) in &other.cells {
            let none = || vec![SetCell::default(); theirs.len()].into();
            let mine = self.cells.entry(*number).or_insert_with(none);
            for (a, b) in mine.iter_mut().zip(theirs.iter()) {
                a.rocks += b.rocks;
                a.energy = a.energy.saturating_add(b.energy);
            }
        }
        Ok(())
    }

    /// A quantity of each set, over the sets that have it; `None` where none has.
    pub fn spread(&self, value: impl Fn(usize) -> Option<f64>) -> Option<Spread> {
        let weighted = self.weights.iter().enumerate();
        let mut found: Vec<(f64, f64)> = weighted
            .filter_map(|(set, w)| value(set).map(|v| (v, *w)))
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = found.iter().map(|f| f.1).sum();
        if found.is_empty() || total <= 0.0 {
            return None;
        }
        let at = |p: f64| {
            let mut below = 0.0;
            let reached = |(_, w): &&(f64, f64)| {
                below += w;
                below >= p * total * (1.0 - 1e-12)
            };
            found.iter().find(reached).or(found.last()).map(|f| f.0)
        };
        Some(Spread {
            mean: found.iter().map(|(v, w)| v * w).sum::<f64>() / total,
            low: at(0.05)?,
            high: at(0.95)?,
        })
    }

    /// The part of the rocks of a set that a count of them is; `None` of a set without rocks.
    fn part(&self, set: usize, rocks: u64) -> Option<f64> {
        let seeded = *self.seeded.get(set)?;
        (seeded > 0).then(|| rocks as f64 / seeded as f64)
    }

    /// The fraction of the rocks that reach a cell; `None` where no rock of any set came.
    pub fn reach(&self, cell: u32) -> Option<Spread> {
        let cells = self.cells.get(&cell)?;
        self.spread(|set| self.part(set, u64::from(cells.get(set)?.rocks)))
    }

    /// The mean of the greatest energies in a cell (J), over the sets that reach it.
    pub fn energy(&self, cell: u32) -> Option<Spread> {
        let cells = self.cells.get(&cell)?;
        self.spread(|set| {
            let cell = cells.get(set).filter(|c| c.rocks > 0)?;
            Some(cell.energy as f64 / f64::from(cell.rocks))
        })
    }

    /// The sets at a collector.
    pub fn collector(&self, collector: usize) -> &[SetCollector] {
        self.collectors.get(collector).map_or(&[], Vec::as_slice)
    }

    /// The fraction of the rocks that come to a collector.
    pub fn arrived(&self, collector: usize) -> Option<Spread> {
        let sets = self.collectors.get(collector)?;
        self.spread(|set| self.part(set, sets.get(set)?.energy.count()))
    }

    /// A quantile of the energy at a collector (J), over the sets whose rocks come to it.
    pub fn energy_at(&self, collector: usize, p: f64) -> Option<Spread> {
        let sets = self.collectors.get(collector)?;
        self.spread(|set| sets.get(set)?.energy.quantile(p))
    }

    /// A quantile of the height of the top at a collector (m), over the sets whose rocks come to it.
    pub fn top_at(&self, collector: usize, p: f64) -> Option<Spread> {
        let sets = self.collectors.get(collector)?;
        self.spread(|set| sets.get(set)?.top.quantile(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_by_weight() {
        let sets = BySet::new(&[1.0, 1.0, 2.0], 0);
        let values = [10.0, 30.0, 20.0];
        let found = sets.spread(|k| Some(values[k])).unwrap();
        // (10 + 30 + 2 · 20)/4; the quarter of the weights at 10 holds the 5 %, the last quarter at 30 the 95 %.
        assert_eq!((found.mean, found.low, found.high), (20.0, 10.0, 30.0));
        let one = sets.spread(|k| (k == 2).then_some(7.0)).unwrap();
        assert_eq!((one.mean, one.low, one.high), (7.0, 7.0, 7.0));
        assert_eq!(sets.spread(|_| None), None);
    }
}
