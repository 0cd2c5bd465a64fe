//! Many independent runs, in parallel, with results in index order.

use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::time::{Duration, Instant};

/// Most results that are held before they are handed over: memory is bounded by twice this number of results.
const BLOCK: u64 = 512;
/// Fewest for each thread, and how long a block should take at most: a sink that shows progress or wants to break is
/// not kept waiting by slow runs. How the range is cut into blocks changes no result.
const LEAST: u64 = 4;
const WAIT: Duration = Duration::from_millis(250);

/// Evaluates `run(i)` for each index of the range in parallel and hands every result to `sink` in index order on one
/// thread.
///
/// A run depends on its index alone, and the sink sees the same sequence whatever the number of threads or the split of
/// the range into shards, so the result has the same bits. While the sink takes one block, the next is computed. When
/// the sink breaks, what was computed ahead is dropped.
///
/// Returns the first index that was not handed to the sink: the index to resume from.
pub fn ensemble<T, F, S>(range: Range<u64>, run: F, sink: S) -> u64
where
    T: Send,
    F: Fn(u64) -> T + Sync,
    S: FnMut(u64, T) -> ControlFlow<()> + Send,
{
    EnsembleWorkspace::default().run(range, run, sink)
}

/// Lists of results, kept from ensemble to ensemble.
#[derive(Debug)]
pub struct EnsembleWorkspace<T> {
    /// They change places: one is handed over while the other is filled.
    ready: Vec<T>,
    computed: Vec<T>,
}

impl<T> Default for EnsembleWorkspace<T> {
    fn default() -> Self {
        Self {
            ready: Vec::new(),
            computed: Vec::new(),
        }
    }
}

impl<T: Send> EnsembleWorkspace<T> {
    /// As [`ensemble`]: nothing is allocated but by the runs once the lists are as long as they get.
    pub fn run<F, S>(&mut self, range: Range<u64>, run: F, mut sink: S) -> u64
    where
        F: Fn(u64) -> T + Sync,
        S: FnMut(u64, T) -> ControlFlow<()> + Send,
    {
        let Self { ready, computed } = self;
        ready.clear();
        let mut ready_from = range.start;
        let mut next = range.start;
        let least = (LEAST * rayon::current_num_threads() as u64).min(BLOCK);
        let mut block = least;
        loop {
            let end = next.saturating_add(block).min(range.end);
            let clock = Instant::now();
            // No more than `BLOCK`, so it is a size on every machine.
            let count = end.saturating_sub(next) as usize;
            let compute = || {
                (0..count)
                    .into_par_iter()
                    .map(|i| run(next + i as u64))
                    .collect_into_vec(computed);
            };
            let drain = || hand_over(ready_from, ready, &mut sink);
            let (taken, ()) = rayon::join(drain, compute);
            if let Err(index) = taken {
                computed.clear();
                return index;
            }
            if computed.is_empty() {
                return next;
            }
            block = if clock.elapsed() > WAIT {
                (block / 2).max(least)
            } else {
                (2 * block).min(BLOCK)
            };
            std::mem::swap(ready, computed);
            ready_from = next;
            next = end;
        }
    }
}

/// Gives the results from `first` on to the sink; on a break says which index comes next.
fn hand_over<T>(
    first: u64,
    results: &mut Vec<T>,
    sink: &mut impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), u64> {
    let mut index = first;
    for result in results.drain(..) {
        let flow = sink(index, result);
        index = index.saturating_add(1);
        if flow.is_break() {
            return Err(index);
        }
    }
    Ok(())
}
