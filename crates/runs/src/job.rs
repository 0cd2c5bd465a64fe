//! A scene that was read and checked, and what it needs to run.

use std::path::PathBuf;

use crate::bail;
use crate::error::Result;
use serde_json::{Map, Value};

use crate::files::{Files, Memory};
use crate::progress::{Interrupted, Progress, Silent};
use crate::results::Results;
use crate::shard::Shard;

/// What an interrupted run leaves for the same command to continue from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing: it may be ended at once.
    Nothing,
    /// Its state of every minute, and that of when it is told to stop where the piece at work ends soon.
    EveryMinute,
    /// Its state when it is told to stop, which it looks for often.
    WhenStopped,
}

/// Why a map that looks at the classes of cells before it runs the next has no parts.
pub const ADAPTIVE: &str =
    "takes from its neighbours which cells it runs, so that no part knows its own";

/// A scene that was read and validated, ready to run.
pub trait Job: Send {
    /// One or a few lines: what would be run, with counts.
    fn describe(&self) -> String;

    /// Whether `--shard` can split it.
    fn has_parts(&self) -> bool {
        false
    }

    /// Why it cannot, after "this scene".
    fn why_whole(&self) -> &'static str {
        "runs in one piece"
    }

    /// What an interrupted run leaves for the same job to continue from.
    fn keeps(&self) -> Keeps {
        Keeps::Nothing
    }

    /// Whether a seed decides its numbers.
    fn draws(&self) -> bool {
        false
    }

    /// Runs it. Files that are written on the way (frames, kept state) go to [`Run::files`]; everything else is in the
    /// results, whose [`Results::write`] makes the tables.
    ///
    /// # Errors
    /// What kept the run from ending; [`Interrupted`] if the caller stopped it.
    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>>;

    /// The results of the whole from the folders of all parts, in order.
    ///
    /// # Errors
    /// A kind that has no parts; a part that cannot be read.
    fn merge(&self, _parts: &[PathBuf], _run: &mut Run) -> Result<Box<dyn Results>> {
        bail!("runs of this kind have no parts to join")
    }

    /// Runs it whole with the scene's own seed, told to nobody and without touching a disk.
    ///
    /// # Errors
    /// As [`Job::run`].
    fn run_silently(&self) -> Result<Outcome> {
        let mut files = Memory::default();
        let mut run = Run::new(&Silent, &mut files);
        let results = self.run(&mut run)?;
        Ok(run.end(results))
    }
}

/// What a run is given, and what it tells beside its results.
pub struct Run<'a> {
    /// Seed in place of the scene's; after the run the seed that was used, if any.
    pub seed: Option<u64>,
    /// The part of the work that is this run's; all of it without one.
    pub shard: Option<Shard>,
    /// Hears of the run and may stop it.
    pub progress: &'a dyn Progress,
    /// Where files go that are written on the way.
    pub files: &'a mut dyn Files,
    counts: Map<String, Value>,
    warnings: Vec<String>,
}

impl<'a> Run<'a> {
    /// A whole run with the scene's own seed.
    pub fn new(progress: &'a dyn Progress, files: &'a mut dyn Files) -> Self {
        Self {
            seed: None,
            shard: None,
            progress,
            files,
            counts: Map::new(),
            warnings: Vec::new(),
        }
    }

    /// Records a count or a number of the run: rocks, cells, events.
    pub fn count(&mut self, name: &str, value: impl Into<Value>) {
        self.counts.insert(name.to_owned(), value.into());
    }

    /// Says what is allowed and probably not meant, or what the results do not rest on.
    pub fn warning(&mut self, text: &str) {
        self.progress.warning(text);
        self.warnings.push(text.to_owned());
    }

    /// Several of them.
    pub fn warnings(&mut self, texts: &[String]) {
        for text in texts {
            self.warning(text);
        }
    }

    /// An error if the caller asks to stop.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn check_interrupted(&self) -> Result<()> {
        if self.progress.interrupted() {
            bail!(Interrupted)
        } else {
            Ok(())
        }
    }

    /// The part of `count` pieces of work that is this run's.
    #[must_use]
    pub fn part(&self, count: usize) -> std::ops::Range<usize> {
        let range = self.shard.map(|s| s.range(count as u64));
        range.map_or(0..count, |r| r.start as usize..r.end as usize)
    }

    /// The run is over: its results with all that was told beside them.
    #[must_use]
    pub fn end(self, results: Box<dyn Results>) -> Outcome {
        Outcome {
            results,
            counts: self.counts,
            warnings: self.warnings,
            seed: self.seed,
        }
    }
}

/// What a run gives.
#[derive(Debug)]
pub struct Outcome {
    /// The results of its kind.
    pub results: Box<dyn Results>,
    /// Counts and numbers of the run: rocks, cells, events.
    pub counts: Map<String, Value>,
    /// What is allowed and probably not meant, or what the results do not rest on.
    pub warnings: Vec<String>,
    /// The seed that was used, if any.
    pub seed: Option<u64>,
}
