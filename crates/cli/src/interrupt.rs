//! What Ctrl-C does, and the signals by which a system or a scheduler ends programs.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use klast_scenes::files::between_files;

use crate::terminal::stderr_line;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the command at work looks at [`INTERRUPTED`] and keeps what it has.
static KEEPS_STATE: AtomicBool = AtomicBool::new(true);

/// Sets the answer to Ctrl-C, SIGTERM and SIGHUP.
///
/// # Errors
/// If the system does not take it.
pub fn prepare() -> Result<()> {
    listen(|| {
        // A run without a state to continue from ends here; the second time the user means it anyway.
        let again = INTERRUPTED.swap(true, Ordering::SeqCst);
        if again || !KEEPS_STATE.load(Ordering::SeqCst) {
            let _whole = between_files();
            stderr_line("klast: interrupted; what is written is whole, the next run starts anew");
            std::process::exit(130);
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

/// Says whether the run to come keeps its state when the user stops it; one that does not is ended by the program at
/// once, between two files.
pub fn keeps_state(yes: bool) {
    KEEPS_STATE.store(yes, Ordering::SeqCst);
}

/// Whether the user asked to stop.
#[must_use]
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
