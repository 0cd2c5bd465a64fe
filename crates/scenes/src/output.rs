//! A folder of results in which every file is whole.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use anyhow::{Context as _, Result};
use serde::Serialize;

/// A line on the standard output.
///
/// # Errors
/// If it cannot be written. A reader that has seen enough, as `head` has, is no failure.
pub fn say(line: impl std::fmt::Display) -> Result<()> {
    match writeln!(std::io::stdout(), "{line}") {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("the standard output cannot be written"),
    }
}

/// A line on the standard error stream; where nobody reads it, the run goes on.
pub fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is half written, and lets none begin while the answer lives.
pub fn between_files() -> MutexGuard<'static, ()> {
    WRITING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A folder of results: files are written beside their place and renamed into it.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    files: Vec<String>,
}

impl Output {
    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            files: Vec::new(),
        })
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Names of the files written so far.
    #[must_use]
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Counts a file that an interrupted run has left and that this one goes on with.
    pub fn keep(&mut self, name: &str) {
        if !self.files.iter().any(|f| f == name) {
            self.files.push(name.to_owned());
        }
    }

    /// Writes a file whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        let beside = self.folder.join(format!(".{name}.part"));
        let _writing = between_files();
        let written = std::fs::write(&beside, bytes)
            .and_then(|()| std::fs::rename(&beside, &path))
            .map_err(anyhow::Error::from);
        self.whole(name, written)
    }

    /// Writes a text file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn text(&mut self, name: &str, text: &str) -> Result<()> {
        self.bytes(name, text.as_bytes())
    }

    /// Writes a value as indented JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn json(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        self.text(name, &text)
    }

    /// Writes a value as JSON without white space, straight into the file: for what is large and read by programs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn data(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        let path = self.folder.join(name);
        let beside = self.folder.join(format!(".{name}.part"));
        let _writing = between_files();
        let write = || -> Result<()> {
            let mut file = std::io::BufWriter::new(std::fs::File::create(&beside)?);
            serde_json::to_writer(&mut file, value)?;
            file.into_inner()?;
            Ok(std::fs::rename(&beside, &path)?)
        };
        self.whole(name, write())
    }

    /// Counts a file that is in its place; what was begun beside it goes with one that is not.
    fn whole(&mut self, name: &str, written: Result<()>) -> Result<()> {
        if written.is_err() {
            let _ = std::fs::remove_file(self.folder.join(format!(".{name}.part")));
        } else {
            self.keep(name);
        }
        written.with_context(|| format!("{}: cannot be written", self.folder.join(name).display()))
    }

    /// Takes a file away that has served, if it is there.
    pub fn remove(&mut self, name: &str) {
        let _ = std::fs::remove_file(self.folder.join(name));
        self.files.retain(|f| f != name);
    }

    /// Writes a table: a header with units in the names, and rows of numbers or words; as Parquet too
    /// if the program was built with it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn csv<R, C>(&mut self, name: &str, header: &[&str], rows: R) -> Result<()>
    where
        R: IntoIterator<Item = C>,
        C: IntoIterator<Item = String>,
    {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header)?;
        #[cfg(feature = "parquet")]
        let mut kept = Vec::new();
        for row in rows {
            #[cfg(feature = "parquet")]
            let row: Vec<String> = row.into_iter().collect();
            #[cfg(feature = "parquet")]
            kept.push(row.clone());
            writer.write_record(row)?;
        }
        let bytes = writer
            .into_inner()
            .with_context(|| format!("{name}: cannot be written"))?;
        self.bytes(name, &bytes)?;
        #[cfg(feature = "parquet")]
        {
            let beside = Path::new(name).with_extension("parquet");
            let table = crate::formats::parquet::write(header, &kept)?;
            self.bytes(&beside.to_string_lossy(), &table)?;
        }
        Ok(())
    }
}
