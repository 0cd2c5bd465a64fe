//! What Ctrl-C does, and a scheduler that ends a job with SIGTERM.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result};
use klast_scenes::files::between_files;

use crate::terminal::stderr_line;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the command at work looks at [`INTERRUPTED`] and keeps what it has.
static KEEPS_STATE: AtomicBool = AtomicBool::new(true);

/// Sets the answer to Ctrl-C and to SIGTERM.
///
/// # Errors
/// If the system does not take it.
pub fn prepare() -> Result<()> {
    ctrlc::set_handler(|| {
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
