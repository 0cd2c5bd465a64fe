//! Progress with rate and time left: a bar on a terminal, plain lines otherwise.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use klast_runs::Progress;

use crate::interrupt::interrupted;
use crate::terminal::stderr_line;

/// Shows a run on the standard error stream, and stops it when the user asks.
#[derive(Debug)]
pub struct Terminal {
    quiet: bool,
    display: RwLock<Display>,
}

/// What is shown of the piece of work at hand.
#[derive(Debug)]
enum Display {
    None,
    Bar {
        bar: ProgressBar,
        /// Parts that an earlier run has done.
        skipped: Arc<AtomicU64>,
    },
    Lines {
        what: String,
        total: u64,
        done: AtomicU64,
        /// The tenth that was last announced.
        told: AtomicU64,
        /// Parts that an earlier run has done.
        skipped: AtomicU64,
        started: Instant,
    },
}

impl Terminal {
    /// A display; a quiet one shows warnings only.
    #[must_use]
    pub fn new(quiet: bool) -> Self {
        Self {
            quiet,
            display: RwLock::new(Display::None),
        }
    }

    fn show(&self, display: Display) {
        *self.display.write().unwrap_or_else(PoisonError::into_inner) = display;
    }
}

impl Progress for Terminal {
    fn begin(&self, what: &str, total: u64) {
        if self.quiet {
            return;
        }
        self.show(if std::io::stderr().is_terminal() {
            let skipped = Arc::new(AtomicU64::new(0));
            let bar = ProgressBar::new(total).with_message(what.to_owned());
            bar.set_style(style(&skipped));
            Display::Bar { bar, skipped }
        } else {
            Display::Lines {
                what: what.to_owned(),
                total,
                done: AtomicU64::new(0),
                told: AtomicU64::new(0),
                skipped: AtomicU64::new(0),
                started: Instant::now(),
            }
        });
    }

    fn skip(&self, parts: u64) {
        match &*self.display.read().unwrap_or_else(PoisonError::into_inner) {
            Display::None => {}
            Display::Bar { skipped, .. } => {
                skipped.fetch_add(parts, Ordering::Relaxed);
            }
            Display::Lines { skipped, .. } => {
                skipped.fetch_add(parts, Ordering::Relaxed);
            }
        }
        self.add(parts);
    }

    fn add(&self, parts: u64) {
        match &*self.display.read().unwrap_or_else(PoisonError::into_inner) {
            Display::None => {}
            Display::Bar { bar, .. } => bar.inc(parts),
            Display::Lines {
                what,
                total,
                done,
                told,
                skipped,
                started,
            } => {
                let done = done.fetch_add(parts, Ordering::Relaxed) + parts;
                let tenth = 10 * done / (*total).max(1);
                if tenth > told.fetch_max(tenth, Ordering::Relaxed) {
                    let own = done.saturating_sub(skipped.load(Ordering::Relaxed));
                    let pace = pace(own, total.saturating_sub(done), started.elapsed());
                    stderr_line(format_args!(
                        "{what}: {done} of {total} ({} %), {pace}",
                        10 * tenth
                    ));
                }
            }
        }
    }

    fn finish(&self) {
        if let Display::Bar { bar, .. } =
            &*self.display.read().unwrap_or_else(PoisonError::into_inner)
        {
            bar.finish_and_clear();
        }
        self.show(Display::None);
    }

    fn warning(&self, text: &str) {
        stderr_line(format_args!("klast: warning: {text}"));
    }

    fn interrupted(&self) -> bool {
        interrupted()
    }
}

/// The rate is the mean of this run: pieces differ much in what they cost, and a rate of the last few seconds would
/// jump.
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
        Ok(time) => format!("{}/s, {:#} left", three_digits(rate), HumanDuration(time)),
        Err(_) => "time left not known".into(),
    }
}

/// A positive number to three significant digits, without an exponent; whole numbers keep all their digits.
fn three_digits(value: f64) -> String {
    // 9.996 has the digits of 10.0.
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
    let before = rounded.log10().floor() as i32;
    let decimals = 2_i32.saturating_sub(before).clamp(0, 9) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_what_the_mean_rate_needs() {
        assert_eq!(pace(50, 100, Duration::from_secs(10)), "5.00/s, 20s left");
        assert!(pace(9996, 1, Duration::from_secs(1000)).starts_with("10.0/s"));
        assert_eq!(
            pace(500_000, 1, Duration::from_secs(3)),
            "166667/s, 0s left"
        );
        assert_eq!(pace(1, 1, Duration::from_secs(80)), "0.0125/s, 80s left");
        assert_eq!(pace(0, 100, Duration::from_secs(1)), "time left not known");
        assert_eq!(pace(7, 0, Duration::from_secs(7)), "1.00/s, 0s left");
    }
}
