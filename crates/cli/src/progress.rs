//! Progress with rate and time left: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

/// Progress over a known number of pieces; shared by worker threads.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    done: AtomicU64,
    total: u64,
}

#[derive(Debug)]
enum Display {
    None,
    Bar(ProgressBar),
    /// The tenth that was last announced.
    Lines(String, Mutex<u64>),
}

impl Progress {
    /// A display for `total` pieces of `what`.
    #[must_use]
    pub fn new(what: &str, total: u64, quiet: bool) -> Self {
        let display = if quiet {
            Display::None
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total).with_message(what.to_owned());
            let style = "{msg} {wide_bar} {human_pos}/{human_len} ({per_sec}, {eta} left)";
            bar.set_style(
                ProgressStyle::with_template(style)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            Display::Bar(bar)
        } else {
            Display::Lines(what.to_owned(), Mutex::new(0))
        };
        Self {
            display,
            done: AtomicU64::new(0),
            total,
        }
    }

    /// Counts `pieces` as done.
    pub fn add(&self, pieces: u64) {
        let done = self.done.fetch_add(pieces, Ordering::Relaxed) + pieces;
        match &self.display {
            Display::None => {}
            Display::Bar(bar) => bar.inc(pieces),
            Display::Lines(what, last) => {
                let tenth = 10 * done / self.total.max(1);
                let mut last = last
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if tenth > *last {
                    *last = tenth;
                    eprintln!("{what}: {done} of {} ({} %)", self.total, 10 * tenth);
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}
