//! What tells one loaded problem from another, so that a solver knows when what it has stored is of another one.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

/// Unique for each load of any problem; equal for clones. It orders nothing and decides no digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Revision {
    /// 0 for a problem that was never loaded.
    thread: u32,
    count: u64,
}

/// Threads that have loaded problems.
static THREADS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    // Counted by thread: no memory that several threads write to at each load.
    static LAST: Cell<Revision> = const { Cell::new(Revision { thread: 0, count: 0 }) };
}

impl Revision {
    /// Another one than any before.
    pub fn next() -> Self {
        LAST.with(|last| {
            let mut revision = last.get();
            if revision.thread == 0 {
                revision.thread = THREADS.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
            }
            revision.count += 1;
            last.set(revision);
            revision
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_of_several_threads_differ() {
        let own = || (0..100).map(|_| Revision::next()).collect::<Vec<_>>();
        let threads = [(); 4].map(|()| std::thread::spawn(own));
        let mut all: Vec<_> = threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .chain(own())
            .map(|r| (r.thread, r.count))
            .collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 500);
        assert!(all.iter().all(|r| r.0 > 0));
    }
}
