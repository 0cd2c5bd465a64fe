//! How far a run of the tables is, said every few seconds on the standard error stream.

use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A line is written this often.
const INTERVAL: Duration = Duration::from_secs(4);

/// Which tables run and how many are done; nothing is written unless [`Progress::watch`] is around the run.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    tables: Arc<Mutex<Tables>>,
}

#[derive(Debug, Default)]
struct Tables {
    count: usize,
    done: usize,
    running: BTreeSet<String>,
}

impl Progress {
    /// Runs `work` and writes a line every few seconds until it ends.
    pub fn watch<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let (ended, end) = channel::<()>();
        let (start, tables) = (Instant::now(), self.clone());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while end.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    eprintln!("{} ({} s)", tables.line(), start.elapsed().as_secs());
                }
            });
            let result = work();
            drop(ended);
            result
        })
    }

    pub(crate) fn expect(&self, count: usize) {
        self.change(|t| t.count = count);
    }

    /// Runs one table.
    pub(crate) fn table<T>(&self, id: &str, run: impl FnOnce() -> T) -> T {
        self.change(|t| {
            t.running.insert(id.to_owned());
        });
        let result = run();
        self.change(|t| {
            t.running.remove(id);
            t.done += 1;
        });
        result
    }

    fn change(&self, change: impl FnOnce(&mut Tables)) {
        change(&mut self.tables.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn line(&self) -> String {
        let tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let running: Vec<&str> = tables.running.iter().map(String::as_str).collect();
        format!(
            "{} of {} tables, running {}",
            tables.done,
            tables.count,
            running.join(", ")
        )
    }
}
