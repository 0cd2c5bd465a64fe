//! One run of the program: its options, its folder, its manifest.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::failure::{Interrupted, input};
use crate::output::Output;
use crate::progress::Progress;
use crate::scene::SceneText;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
pub struct Options {
    /// Worker threads; all cores without it. Results do not depend on it
    #[arg(long, global = true)]
    pub threads: Option<usize>,
    /// Seed in place of the scene's
    #[arg(long, global = true)]
    pub seed: Option<u64>,
    /// Folder for the results; named after the scene without it
    #[arg(long, global = true, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run part i of n (i from 1); `klast merge` joins the parts
    #[arg(long, global = true, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Errors only
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Print the results as JSON
    #[arg(long, global = true)]
    pub json: bool,
}

impl Options {
    /// Sets the threads and the answer to an interruption.
    ///
    /// # Errors
    /// A number of threads of 0 or beyond reason.
    pub fn prepare(&self) -> Result<()> {
        if let Some(threads) = self.threads {
            if !(1..=4096).contains(&threads) {
                return input(Err(anyhow::anyhow!(
                    "--threads {threads}; accepted: 1 to 4096"
                )));
            }
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build_global()?;
        }
        ctrlc::set_handler(|| {
            // The second time the user means it.
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        })
        .context("the answer to Ctrl-C cannot be set")
    }
}

/// Part `index` of `count`, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 1.
    pub index: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// The part of `0..n` that is this shard's: parts differ by one at most and join without a gap.
    #[must_use]
    pub fn range(self, n: u64) -> std::ops::Range<u64> {
        let cut = |i: u64| (u128::from(n) * u128::from(i) / u128::from(self.count)) as u64;
        cut(self.index - 1)..cut(self.index)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index, count }),
            _ => Err(format!(
                "'{text}'; accepted: I/N with 1 <= I <= N, for example 2/4"
            )),
        }
    }
}

/// SHA-256 of a text, in hexadecimal digits.
#[must_use]
pub fn sha256(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

/// A run in progress.
#[derive(Debug)]
pub struct Session {
    /// Where results go.
    pub output: Output,
    /// The options of the command.
    pub options: Options,
    /// Counts and figures of the run for the manifest: rocks, cells, events.
    pub counts: serde_json::Map<String, serde_json::Value>,
    /// The seed that was used, if any.
    pub seed: Option<u64>,
    scene_kind: String,
    scene_file: PathBuf,
    scene_sha256: String,
    started: Instant,
}

impl Session {
    /// Opens the folder of results.
    ///
    /// # Errors
    /// A folder that cannot be made or written.
    pub fn start(scene: &SceneText, options: &Options) -> Result<Self> {
        let folder = options.out.clone().unwrap_or_else(|| {
            let stem = std::path::Path::new(&scene.name).file_stem();
            PathBuf::from("out").join(stem.unwrap_or("scene".as_ref()))
        });
        let file = std::path::absolute(&scene.name).unwrap_or_else(|_| scene.name.clone().into());
        Ok(Self {
            output: Output::open(&folder)?,
            options: options.clone(),
            counts: serde_json::Map::new(),
            seed: options.seed,
            scene_kind: scene.kind.clone(),
            scene_file: file,
            scene_sha256: sha256(&scene.text),
            started: Instant::now(),
        })
    }

    /// SHA-256 of the scene's text.
    #[must_use]
    pub fn scene_sha256(&self) -> &str {
        &self.scene_sha256
    }

    /// A progress display for `total` pieces of work.
    #[must_use]
    pub fn progress(&self, what: &str, total: u64) -> Progress {
        Progress::new(what, total, self.options.quiet || self.options.json)
    }

    /// Whether the user asked to stop.
    #[must_use]
    pub fn interrupted() -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }

    /// An error if the user asked to stop.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn go_on() -> Result<()> {
        if Self::interrupted() {
            bail!(Interrupted)
        } else {
            Ok(())
        }
    }

    /// Records a count or figure for the manifest.
    pub fn count(&mut self, name: &str, value: impl Into<serde_json::Value>) {
        self.counts.insert(name.to_owned(), value.into());
    }

    /// Writes `manifest.json` and says where the results are.
    ///
    /// # Errors
    /// If the manifest cannot be written.
    pub fn finish(mut self) -> Result<()> {
        let manifest = serde_json::json!({
            "klast": env!("CARGO_PKG_VERSION"),
            "kind": self.scene_kind,
            "scene": self.scene_file,
            "scene_sha256": self.scene_sha256,
            "seed": self.seed,
            "shard": self.options.shard.map(|s| format!("{}/{}", s.index, s.count)),
            "counts": self.counts,
            "wall_time_s": self.started.elapsed().as_secs_f64(),
            "files": self.output.files(),
        });
        self.output.json("manifest.json", &manifest)?;
        if self.options.json {
            println!("{}", serde_json::to_string_pretty(&manifest)?);
        } else if !self.options.quiet {
            println!("results: {}", self.output.folder().display());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_join_without_gap_or_overlap() {
        for (n, count) in [(0, 1), (10, 3), (7, 7), (3, 5), (u64::MAX, 9)] {
            let mut next = 0;
            for index in 1..=count {
                let range = Shard { index, count }.range(n);
                assert_eq!(range.start, next);
                next = range.end;
            }
            assert_eq!(next, n);
        }
    }

    #[test]
    fn shards_are_read_strictly() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, count: 4 }));
        for bad in ["0/4", "5/4", "1", "a/b", "1/0", "-1/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
