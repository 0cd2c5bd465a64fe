//! What Ctrl-C does, and the signals by which a system or a scheduler ends programs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use klast_runs::Keeps;
use klast_runs::files::between_files;

use crate::terminal::stderr_line;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What the command at work keeps when it is stopped.
static KEEPS: Mutex<Keeps> = Mutex::new(Keeps::WhenStopped);
/// How long a run whose state of the last minute is kept may take to come to the end of a piece.
const PATIENCE: Duration = Duration::from_secs(3);

/// Sets the answer to Ctrl-C, SIGTERM and SIGHUP.
///
/// # Errors
/// If the system does not take it.
pub fn prepare() -> Result<()> {
    listen(|| {
        // A run without a state to continue from ends here; the second time the user means it anyway.
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        let keeps = KEEPS.lock().map_or(Keeps::WhenStopped, |k| *k);
        match keeps {
            _ if again => end("the next run goes on from the state that was kept, if one was"),
            Keeps::Nothing => end("the next run starts anew"),
            Keeps::EveryMinute => {
                std::thread::spawn(|| {
                    std::thread::sleep(PATIENCE);
                    end("the next run goes on from the state of the last minute, if one was kept");
                });
            }
            Keeps::WhenStopped => {}
        }
    })
    .context("the answer to Ctrl-C cannot be set")
}

/// Ctrl-C, an end asked for by the system, a terminal that closes: the last unless the run was started with `nohup`.
#[cfg(unix)]
fn listen(answer: impl Fn() + Send + 'static) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut list = vec![SIGINT, SIGTERM];
    if !ignored(SIGHUP) {
        list.push(SIGHUP);
    }
    let mut signals = signal_hook::iterator::Signals::new(list)?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| answer()))?;
    Ok(())
}

/// Whether whoever started this program had a signal ignored (as far as the system says).
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|l| l.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|m| u64::from_str_radix(m.trim(), 16).ok());
    mask.is_some_and(|m| m >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn listen(answer: impl Fn() + Send + 'static) -> Result<()> {
    Ok(ctrlc::set_handler(answer)?)
}

/// Ends the program between two files.
fn end(next: &str) -> ! {
    let _whole = between_files();
    stderr_line(format!(
        "klast: interrupted; what is written is whole, {next}"
    ));
    std::process::exit(130);
}

/// Says what the run to come keeps when the user stops it. One that keeps nothing is ended by the program at once, one
/// that keeps its state every minute after a few seconds, if it has not ended by itself.
pub fn expect(keeps: Keeps) {
    if let Ok(mut now) = KEEPS.lock() {
        *now = keeps;
    }
}

/// Whether the user asked to stop.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
