//! A run on a thread of its own while the calling thread answers signals and tells how far it is.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use klast_rockfall::RockResult;
use klast_runs::Progress;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long a signal waits at most.
const ASK: Duration = Duration::from_millis(50);

/// How far a run is.
#[derive(Default)]
struct Stage {
    what: String,
    done: u64,
    total: u64,
    ended: bool,
}

/// What hears of a run, and stops it.
#[derive(Default)]
pub struct Watch {
    stop: AtomicBool,
    stage: Mutex<Stage>,
    end: Condvar,
    rocks: Option<Mutex<Vec<(u64, RockResult)>>>,
}

impl Watch {
    /// One that keeps what every rock came to.
    pub fn keeping_rocks() -> Self {
        Self {
            rocks: Some(Mutex::default()),
            ..Self::default()
        }
    }

    /// Rises when the work shall stop.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The rocks that were kept.
    pub fn into_rocks(self) -> Option<Vec<(u64, RockResult)>> {
        let rocks = self.rocks?.into_inner();
        Some(rocks.unwrap_or_else(PoisonError::into_inner))
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end, but not long.
    fn ended(&self) -> bool {
        let until_ended = |stage: &mut Stage| !stage.ended;
        let waited = self.end.wait_timeout_while(self.stage(), ASK, until_ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    /// Tells a callable `(what, done, total)`.
    fn tell(&self, progress: Option<&Bound<PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else {
            return Ok(());
        };
        let told = {
            let stage = self.stage();
            (stage.what.clone(), stage.done, stage.total)
        };
        if told.2 > 0 {
            progress.call1(told)?;
        }
        Ok(())
    }
}

impl Progress for Watch {
    fn begin(&self, what: &str, total: u64) {
        let mut stage = self.stage();
        *stage = Stage {
            what: what.to_owned(),
            total,
            ..Stage::default()
        };
    }

    fn add(&self, parts: u64) {
        self.stage().done += parts;
    }

    fn item(&self, number: u64, item: &dyn Any) {
        if let (Some(rocks), Some(rock)) = (&self.rocks, item.downcast_ref::<RockResult>()) {
            let kept = RockResult {
                passages: Vec::new(),
                visits: Vec::new(),
                ..rock.clone()
            };
            let mut rocks = rocks.lock().unwrap_or_else(PoisonError::into_inner);
            rocks.push((number, kept));
        }
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Says that a run has ended, also where it panics.
struct Ending<'a>(&'a Watch);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.stage().ended = true;
        self.0.end.notify_all();
    }
}

/// Does the work on another thread, with so many rayon threads if a number is given. The calling thread answers signals
/// and tells the progress; what either raises stops the work and is raised when it has ended.
pub fn watched<T: Send>(
    py: Python,
    watch: &Watch,
    threads: Option<usize>,
    progress: Option<&Bound<PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let pool = threads.map(pool).transpose()?;
    let mut raised = None;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _ending = Ending(watch);
            match &pool {
                Some(pool) => pool.install(work),
                None => work(),
            }
        });
        while !py.detach(|| watch.ended()) {
            if raised.is_none()
                && let Err(error) = py.check_signals().and_then(|()| watch.tell(progress))
            {
                watch.stop.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        py.detach(|| worker.join())
    });
    match (raised, result) {
        (Some(error), _) => Err(error),
        (None, Ok(value)) => watch.tell(progress).map(|()| value),
        (None, Err(_)) => Err(PyRuntimeError::new_err(
            "the run ended in a fault of klast itself: please report it with the scene",
        )),
    }
}

fn pool(threads: usize) -> PyResult<rayon::ThreadPool> {
    if !(1..=4096).contains(&threads) {
        return Err(crate::errors::input(anyhow::anyhow!(
            "threads: {threads}; accepted: 1 to 4096"
        )));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(crate::errors::failed)
}

/// Does steps until none is left, off the lock of the interpreter, and answers signals between stretches of them.
/// `step` says whether another one follows.
pub fn stepped(
    py: Python,
    mut step: impl FnMut() -> Result<bool, anyhow::Error> + Send,
) -> PyResult<()> {
    loop {
        let more: anyhow::Result<bool> = py.detach(|| {
            let clock = Instant::now();
            while clock.elapsed() < ASK {
                if !step()? {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        if !more.map_err(crate::errors::failed)? {
            return Ok(());
        }
        py.check_signals()?;
    }
}
