//! One run of the program: its options, its folder, its manifest.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::failure::{Interrupted, input};
use crate::output::{self, Output};
use crate::page::Page;
use crate::progress::Progress;
use crate::scene::SceneText;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether the command at work looks at [`INTERRUPTED`] and keeps what it has.
static KEEPS_STATE: AtomicBool = AtomicBool::new(true);

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
    /// Refuses the options of runs where a command draws nothing at random, has no parts and names its own files.
    ///
    /// # Errors
    /// `--seed`, `--shard` or `--out`.
    pub fn no_run(&self, command: &str) -> Result<()> {
        let given = [
            ("--seed", self.seed.is_some()),
            ("--shard", self.shard.is_some()),
            ("--out", self.out.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((option, _)) => input(Err(anyhow::anyhow!(
                "{option}: 'klast {command}' has no use for it"
            ))),
            None => Ok(()),
        }
    }

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
                .build_global()
                .with_context(|| format!("--threads {threads}: they cannot be started"))?;
        }
        ctrlc::set_handler(|| {
            // A run with nothing to go on from ends here; the second time the user means it anyway.
            let again = INTERRUPTED.swap(true, Ordering::SeqCst);
            if again || !KEEPS_STATE.load(Ordering::SeqCst) {
                let _whole = output::between_files();
                crate::output::tell(
                    "klast: interrupted; what is written is whole, the next run starts anew",
                );
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

/// SHA-256 of a text or of bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let digest = Sha256::digest(bytes.as_ref());
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
    /// The report, from top to bottom.
    pub page: Page,
    result: Option<serde_json::Value>,
    warnings: Vec<String>,
    scene: SceneText,
    scene_file: PathBuf,
    scene_sha256: String,
    /// Files of an earlier run into the same folder.
    earlier: Vec<String>,
    started: Instant,
}

const MANIFEST: &str = "manifest.json";
const REPORT: &str = "index.html";

impl Session {
    /// Where the results of a scene go.
    #[must_use]
    pub fn folder(scene: &SceneText, options: &Options) -> PathBuf {
        let stem = Path::new(&scene.name).file_stem();
        let named = || Path::new("out").join(stem.unwrap_or("scene".as_ref()));
        options.out.clone().unwrap_or_else(named)
    }

    /// Opens the folder of results: a new or empty one, or that of an earlier run, which is replaced.
    ///
    /// # Errors
    /// A folder that holds files of something else, which is bad input; one that cannot be made or written.
    pub fn start(scene: &SceneText, options: &Options) -> Result<Self> {
        let folder = Self::folder(scene, options);
        let earlier = input(earlier_files(&folder))?;
        let stem = Path::new(&scene.name)
            .file_stem()
            .unwrap_or("scene".as_ref());
        let file = std::path::absolute(&scene.name).unwrap_or_else(|_| scene.name.clone().into());
        let mut session = Self {
            output: Output::open(&folder)?,
            options: options.clone(),
            counts: serde_json::Map::new(),
            seed: options.seed,
            page: Page::new(&format!("{}: {}", scene.kind, stem.to_string_lossy())),
            result: None,
            warnings: Vec::new(),
            scene: scene.clone(),
            scene_file: file,
            scene_sha256: sha256(&scene.text),
            earlier,
            started: Instant::now(),
        };
        // From the first moment on the folder says whose it is and that it is not complete.
        session.unfinished()?;
        Ok(session)
    }

    /// The manifest of a run that is not complete: every file in the folder, so that the next run may replace it.
    fn unfinished(&mut self) -> Result<()> {
        let mut manifest = self.manifest(false);
        let written = self.output.files().iter().filter(|f| *f != MANIFEST);
        let mut files: Vec<&String> = self.earlier.iter().chain(written).collect();
        files.sort();
        files.dedup();
        manifest["files"] = serde_json::to_value(files)?;
        self.output.json(MANIFEST, &manifest)
    }

    /// The run ends before its end: the manifest says what it has written. What kept it from ending is told elsewhere.
    pub fn leave(mut self) {
        let _ = self.unfinished();
    }

    /// A name for what decides the results but the seed and the part: the version, the scene, and the files that it names.
    #[must_use]
    pub fn key(&self) -> String {
        let (version, inputs) = (env!("CARGO_PKG_VERSION"), self.scene.inputs());
        sha256(format!("{version} {} {inputs:?}", self.scene_sha256))
    }

    /// A progress display for `total` pieces of work.
    #[must_use]
    pub fn progress(&self, what: &str, total: u64) -> Progress {
        Progress::new(what, total, self.options.quiet || self.options.json)
    }

    /// Says whether the run to come keeps its state when the user stops it; one that does not is
    /// ended by the program at once, between two files.
    pub fn keeps_state(yes: bool) {
        KEEPS_STATE.store(yes, Ordering::SeqCst);
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

    /// The part of `count` pieces of work that is this run's: all of them without `--shard`.
    #[must_use]
    pub fn part(&self, count: usize) -> std::ops::Range<usize> {
        let range = self.options.shard.map(|s| s.range(count as u64));
        range.map_or(0..count, |r| r.start as usize..r.end as usize)
    }

    /// Says what is allowed and probably not meant: on the error stream, in the report and in the manifest.
    pub fn warning(&mut self, text: &str) {
        crate::output::tell(format_args!("klast: warning: {text}"));
        self.page.text(&format!("Warning: {text}"));
        self.warnings.push(text.to_owned());
    }

    /// Writes a picture and puts it into the report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn picture(&mut self, name: &str, svg: &str, caption: &str) -> Result<()> {
        self.page.picture(svg, caption);
        self.output.text(name, svg)
    }

    /// Writes `result.json` and puts its figures into the report.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn result(&mut self, value: serde_json::Value) -> Result<()> {
        self.page.figures("Results", &value);
        self.output.json("result.json", &value)?;
        self.result = Some(value);
        Ok(())
    }

    /// Writes the report and `manifest.json`, removes what an earlier run left, and says where the results are.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        // The report holds no time: the same scene gives the same bytes.
        let about = serde_json::json!({
            "klast": env!("CARGO_PKG_VERSION"),
            "scene_sha256": self.scene_sha256,
            "seed": self.seed,
            "counts": self.counts,
        });
        self.page.figures("This run", &about);
        self.page.files(self.output.files());
        self.output.text(REPORT, &self.page.html())?;
        for name in &self.earlier {
            if !self.output.files().contains(name) && Path::new(name).components().count() == 1 {
                let _ = std::fs::remove_file(self.output.folder().join(name));
            }
        }
        let mut manifest = self.manifest(true);
        self.output.json(MANIFEST, &manifest)?;
        if self.options.json {
            manifest["result"] = self.result.into();
            crate::output::say(serde_json::to_string_pretty(&manifest)?)?;
        } else if !self.options.quiet {
            let report = self.output.folder().join(REPORT);
            crate::output::say(format_args!("results: {}", report.display()))?;
        }
        Ok(())
    }

    fn manifest(&self, complete: bool) -> serde_json::Value {
        serde_json::json!({
            "klast": env!("CARGO_PKG_VERSION"),
            "kind": self.scene.kind,
            "scene": self.scene_file,
            "scene_sha256": self.scene_sha256,
            "inputs_sha256": self.scene.inputs(),
            "seed": self.seed,
            "shard": self.options.shard.map(|s| format!("{}/{}", s.index, s.count)),
            "complete": complete,
            "counts": self.counts,
            "warnings": self.warnings,
            "wall_time_s": self.started.elapsed().as_secs_f64(),
            "files": self.output.files().iter().filter(|f| *f != MANIFEST).collect::<Vec<_>>(),
        })
    }
}

/// The files that an earlier run of klast wrote into a folder.
fn earlier_files(folder: &Path) -> Result<Vec<String>> {
    let Ok(mut entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    if entries.next().is_none() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(manifest) if manifest.get("klast").is_some() => Ok(manifest["files"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|f| f.as_str().map(str::to_owned))
            .collect()),
        _ => bail!(
            "{}: holds files of something else; accepted: a new or empty folder, or one of an earlier run (--out DIR)",
            folder.display()
        ),
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
