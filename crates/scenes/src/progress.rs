//! Progress with rate and time left: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// Progress over a known number of pieces; shared by worker threads.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    done: AtomicU64,
    /// Pieces that an earlier run has done.
    skipped: Arc<AtomicU64>,
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
        let skipped = Arc::new(AtomicU64::new(0));
        let display = if quiet {
            Display::None
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total).with_message(what.to_owned());
            bar.set_style(style(&skipped));
            Display::Bar(bar)
        } else {
            Display::Lines(what.to_owned(), Mutex::new(0))
        };
        Self {
            display,
            done: AtomicU64::new(0),
            skipped,
            total,
        }
    }

    /// Counts pieces that an earlier run has done: they say nothing of the rate.
    pub fn skip(&self, pieces: u64) {
        self.skipped.fetch_add(pieces, Ordering::Relaxed);
        self.add(pieces);
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
                    crate::output::tell(format_args!(
                        "{what}: {done} of {} ({} %)",
                        self.total,
                        10 * tenth
                    ));
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

/// The rate is the mean of this run: pieces differ much in what they cost, and a rate of the last few seconds would jump.
fn style(skipped: &Arc<AtomicU64>) -> ProgressStyle {
    let skipped = Arc::clone(skipped);
    let pace = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let done = state.pos().saturating_sub(skipped.load(Ordering::Relaxed));
        let left = state.len().unwrap_or(0).saturating_sub(state.pos());
        // The line is drawn again: what cannot be written now is no loss.
        let _ = out.write_str(&pace(done, left, state.elapsed()));
    };
    let template = "{msg} {wide_bar} {human_pos}/{human_len} ({pace})";
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("pace", pace)
}

/// Rate and time left after so many pieces in a time.
fn pace(done: u64, left: u64, elapsed: Duration) -> String {
    let rate = done as f64 / elapsed.as_secs_f64().max(1e-3);
    let time = Duration::try_from_secs_f64(left as f64 / rate);
    match time {
        Ok(time) => format!("{rate:.3}/s, {:#} left", HumanDuration(time)),
        Err(_) => "time left not known".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_what_the_mean_rate_needs() {
        assert_eq!(pace(50, 100, Duration::from_secs(10)), "5.000/s, 20s left");
        assert_eq!(pace(0, 100, Duration::from_secs(1)), "time left not known");
        assert_eq!(pace(7, 0, Duration::from_secs(7)), "1.000/s, 0s left");
    }
}
