//! One run of the program: its options, its folder, its manifest.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use klast_report::{Page, Section, Table, introduce, report};
use klast_runs::answer::{Answer, Judgement, short};
use klast_runs::files::{Files as _, FilesExt as _, Folder};
use klast_runs::manifest::Manifest;
use klast_runs::run_folder::{RunFolder, earlier_files};
use klast_runs::shard::Shard;
use klast_runs::text::SceneText;
use klast_runs::{Outcome, Run};
use klast_scenes::Scene;

use crate::failure::input;
use crate::interrupt;
use crate::progress::Terminal;
use crate::terminal::{Colour, painted, stderr_line, stdout_line};

/// Options of every command.
#[derive(Debug, Clone, Default, Args)]
pub struct Options {
    /// Number of threads, 1 to 4096; all cores unless stated. It does not change the results
    #[arg(long, global = true)]
    pub threads: Option<usize>,
    /// Seed that replaces the seed of the scene
    #[arg(long, global = true)]
    pub seed: Option<u64>,
    /// Folder into which the command writes its files; for a run, out/NAME unless stated, with the name of the scene
    #[arg(long, global = true, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Run only part I of N parts (I from 1 to N); `klast merge` merges the parts
    #[arg(long, global = true, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Print only errors and warnings
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Print the results, or the error, as JSON on the standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Print each stage of the run and its time
    #[arg(long, global = true)]
    pub verbose: bool,
}

impl Options {
    /// Refuses options that a command has no use for and that would change what it does.
    ///
    /// # Errors
    /// `--seed`, `--shard` or `--out` among them.
    pub fn refuse(&self, command: &str, useless: &[&str]) -> Result<()> {
        let given = [
            ("seed", self.seed.is_some()),
            ("shard", self.shard.is_some()),
            ("out", self.out.is_some()),
        ];
        let found = given
            .iter()
            .find(|(o, given)| *given && useless.contains(o));
        match found {
            Some((option, _)) => input(Err(anyhow::anyhow!(
                "--{option}: 'klast {command}' has no use for it"
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
        #[cfg(feature = "tracing")]
        if self.verbose && !self.quiet {
            let lines = tracing_subscriber::fmt().with_writer(std::io::stderr);
            // Whoever calls the library may have set one already.
            let _ = lines
                .with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG)
                .without_time()
                .try_init();
        }
        interrupt::prepare()
    }
}

const REPORT: &str = "index.html";

/// A run in progress.
#[derive(Debug)]
pub struct Session {
    /// Where results go.
    pub folder: RunFolder,
    /// The report, from top to bottom.
    pub page: Page,
    options: Options,
    scene: SceneText,
}

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
    pub fn start(whole: &Scene, options: &Options) -> Result<Self> {
        let scene = whole.text();
        let folder = Self::folder(scene, options);
        let earlier = input(earlier_files(&folder))?;
        let opened = Folder::open(&folder)?;
        let lock = input(opened.lock())?;
        let commit = option_env!("KLAST_COMMIT").filter(|c| !c.is_empty());
        let manifest = Manifest {
            commit: commit.map(str::to_owned),
            ..Manifest::begun(scene, options.seed, options.shard)
        };
        let session = Self {
            folder: RunFolder::begin(opened, lock, earlier, manifest)?,
            page: page(whole),
            options: options.clone(),
            scene: scene.clone(),
        };
        for (name, digest) in scene.inputs() {
            session.log(&format!(
                "read {name}, SHA-256 {}",
                digest.get(..12).unwrap_or(&digest)
            ));
        }
        session.log(&format!("results go to {}", folder.display()));
        Ok(session)
    }

    /// What is computed, on the page.
    pub fn describe(&mut self, job: &dyn klast_runs::Job) {
        let said: Vec<String> = job.describe().lines().map(str::to_owned).collect();
        self.page.list(Section::Method, &said);
    }

    /// Runs or joins into the folder, and writes results, figures and report. A run that does not come to its end
    /// leaves a manifest that says so.
    ///
    /// # Errors
    /// What kept it from its end.
    pub fn complete(
        mut self,
        warnings: &[String],
        work: impl FnOnce(&mut Run) -> Result<Box<dyn klast_runs::Results>>,
    ) -> Result<()> {
        match self.outcome(warnings, work) {
            Ok(outcome) => self.finish(&outcome),
            Err(error) => {
                let _ = self.folder.unfinished();
                Err(error)
            }
        }
    }

    fn outcome(
        &mut self,
        warnings: &[String],
        work: impl FnOnce(&mut Run) -> Result<Box<dyn klast_runs::Results>>,
    ) -> Result<Outcome> {
        let terminal = Terminal::new(self.options.quiet || self.options.json);
        let mut run = Run::new(&terminal, &mut self.folder.files);
        (run.seed, run.shard) = (self.options.seed, self.options.shard);
        run.warnings(warnings);
        for warning in warnings {
            self.page.warning(Section::Inputs, warning);
        }
        let results = work(&mut run)?;
        let outcome = run.end(results);
        self.log("the run has ended");
        outcome.results.write(&mut self.folder.files)?;
        self.log("tables and maps are written");
        // Figures and the report are of the whole.
        if self.options.shard.is_some() {
            return Ok(outcome);
        }
        report(&outcome, &mut self.page, &mut self.folder.files)?;
        self.log("figures and the report are drawn");
        Ok(outcome)
    }

    /// A line of the log, with the time since the start.
    fn log(&self, words: &str) {
        if self.options.verbose && !self.options.quiet {
            let seconds = self.folder.elapsed_s();
            stderr_line(format_args!("klast: {seconds:8.3} s  {words}"));
        }
    }

    /// Writes the report and `manifest.json`, removes what an earlier run left, and says where the results are.
    fn finish(mut self, outcome: &Outcome) -> Result<()> {
        self.folder.manifest.end(&self.scene, outcome);
        let is_part = self.options.shard.is_some();
        if !is_part {
            about_run(&self.folder.manifest, &mut self.page);
            self.page.files(self.folder.files.names());
            self.folder.files.text(REPORT, &self.page.html())?;
        }
        self.folder.finish()?;
        if self.options.json {
            let mut told = serde_json::to_value(&self.folder.manifest)?;
            told["result"] = outcome.results.summary()?;
            stdout_line(serde_json::to_string_pretty(&told)?)?;
        } else if !self.options.quiet {
            if let Some(answer) = outcome.results.answer() {
                tell(&answer)?;
            }
            let folder = self.folder.files.path().to_owned();
            let shown = if is_part { folder } else { folder.join(REPORT) };
            stdout_line(format_args!("results: {}", shown.display()))?;
        }
        Ok(())
    }
}

/// The page of a scene before its run.
fn page(scene: &Scene) -> Page {
    let stem = Path::new(&scene.text().name).file_stem();
    let mut page = Page::new(&stem.unwrap_or("scene".as_ref()).to_string_lossy());
    introduce(scene, &mut page);
    page.about.date = Some(crate::date::today());
    page
}

/// What was run, for who wants the same again.
fn about_run(manifest: &Manifest, page: &mut Page) {
    let mut table = Table::new(&[("", ""), ("", "")]);
    let mut row = |words: &str, value: String| table.rows.push(vec![words.to_owned(), value]);
    row("Program", format!("klast {}", crate::VERSION));
    row("Kind of scene", manifest.kind.replace('_', " "));
    row("SHA-256 of the scene", manifest.scene_sha256.clone());
    if let Some(date) = &page.about.date {
        row("Date", date.clone());
    }
    if let Some(seed) = manifest.seed {
        row("Seed", seed.to_string());
    }
    for (name, value) in &manifest.counts {
        let (words, unit) = klast_report::of_key(name);
        let said = value.as_f64().map_or_else(|| value.to_string(), short);
        row(&words, format!("{said} {unit}").trim_end().to_owned());
    }
    page.table(Section::Run, table);
}

/// The verdict and its three figures on the terminal.
fn tell(answer: &Answer) -> Result<()> {
    let colour = match answer.judgement {
        Judgement::Holds => Colour::Green,
        Judgement::Fails => Colour::Red,
        Judgement::Undecided => Colour::Yellow,
        Judgement::Measured => Colour::Plain,
    };
    for line in answer.verdict.lines() {
        stdout_line(painted(line, colour))?;
    }
    for figure in &answer.figures {
        stdout_line(format_args!("  {:<44} {}", figure.quantity, figure.words()))?;
    }
    Ok(())
}
