//! Where the files of a run go: a folder in which every file is whole, or memory.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use crate::bail;
use crate::error::{Context as _, Outside as _, Result};
use serde::Serialize;

use crate::table;

/// What fills a file.
pub type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> Result<()>;

/// Named files that are written whole.
pub trait Files {
    /// Writes a file; a reader finds it whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, name: &str, content: Content) -> Result<()>;

    /// What is in a file of this run or an earlier one; none if there is no such file.
    fn read(&self, name: &str) -> Option<Vec<u8>>;

    /// Counts a file that an interrupted run has left and that this one keeps.
    fn keep(&mut self, name: &str);

    /// Takes a file away that has served, if it is there.
    fn remove(&mut self, name: &str);

    /// Names of the files written so far.
    fn names(&self) -> &[String];
}

/// What is written often.
pub trait FilesExt: Files {
    /// A file of these bytes.
    ///
    /// # Errors
    /// If it cannot be written.
    fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write(name, &mut |out| out.write_all(bytes).outside())
    }

    /// A text file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn text(&mut self, name: &str, text: &str) -> Result<()> {
        self.bytes(name, text.as_bytes())
    }

    /// A value as indented JSON.
    ///
    /// # Errors
    /// If it cannot be written.
    fn json(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string_pretty(value).outside()?;
        text.push('\n');
        self.text(name, &text)
    }

    /// A value as JSON without white space, straight into the file: for what is large and read by programs.
    ///
    /// # Errors
    /// If it cannot be written.
    fn data(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        self.write(name, &mut |out| serde_json::to_writer(out, value).outside())
    }

    /// A state to continue from, with the digest of it before it: what is broken is known as such.
    ///
    /// # Errors
    /// If it cannot be written.
    fn state(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        let state = serde_json::to_vec(value).outside()?;
        let digest = klast_files::reading::sha256(&state);
        self.write(name, &mut |out| {
            out.write_all(digest.as_bytes()).outside()?;
            out.write_all(b"\n").outside()?;
            out.write_all(&state).outside()
        })
    }

    /// The state of an earlier run; none if there is none, or if it is not whole.
    fn kept_state<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        let bytes = self.read(name)?;
        let (digest, state) = bytes.split_at_checked(64)?;
        let state = state.strip_prefix(b"\n")?;
        let whole = klast_files::reading::sha256(state).as_bytes() == digest;
        whole.then(|| serde_json::from_slice(state).ok())?
    }

    /// Rows as CSV, their columns in the order of the row's fields.
    ///
    /// # Errors
    /// If it cannot be written.
    fn table<R: Serialize + Default>(&mut self, name: &str, rows: &[R]) -> Result<()> {
        self.table_like(name, &R::default(), rows)
    }

    /// The same where the rows hold lists: `like` says how long they are if there is no row.
    ///
    /// # Errors
    /// If it cannot be written.
    fn table_like<R: Serialize>(&mut self, name: &str, like: &R, rows: &[R]) -> Result<()> {
        self.write(name, &mut |out| {
            table::write(like, rows, out).with_context(|| name.to_owned())
        })
    }
}

impl<F: Files + ?Sized> FilesExt for F {}

static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is half written, and lets none begin while the answer lives.
pub fn between_files() -> MutexGuard<'static, ()> {
    WRITING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Names of files in the order in which they were first written. A run by tiles may write a million.
#[derive(Debug, Clone, Default)]
struct Names {
    list: Vec<String>,
    seen: HashSet<String>,
}

impl Names {
    fn keep(&mut self, name: &str) {
        if self.seen.insert(name.to_owned()) {
            self.list.push(name.to_owned());
        }
    }

    fn remove(&mut self, name: &str) {
        if self.seen.remove(name) {
            self.list.retain(|f| f != name);
        }
    }
}

/// A folder: files are written beside their place and renamed into it.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    names: Names,
}

impl Folder {
    /// Makes the folder if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn open(path: &Path) -> Result<Self> {
        std::fs::create_dir_all(path)
            .outside()
            .with_context(|| format!("{}: the folder cannot be made", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            names: Names::default(),
        })
    }

    /// Keeps other runs out of the folder for as long as the answer lives, and no longer than this program does.
    ///
    /// # Errors
    /// Another run that is at work there.
    pub fn lock(&self) -> Result<Lock> {
        let name = self.path.display();
        let Ok(handle) = std::fs::File::open(&self.path) else {
            // Where a folder cannot be opened as a file there is nothing to hold.
            return Ok(Lock(None));
        };
        match handle.try_lock() {
            Ok(()) => Ok(Lock(Some(handle))),
            Err(std::fs::TryLockError::WouldBlock) => bail!(
                "{name}: another run is at work in this folder; accepted: a folder of its own (--out DIR), or when that run has ended"
            ),
            // A file system without locks.
            Err(std::fs::TryLockError::Error(_)) => Ok(Lock(None)),
        }
    }

    /// Takes away what a run that was killed has left half written. Only whoever holds the folder may.
    pub fn remove_halves(&self) {
        let entries = std::fs::read_dir(&self.path)
            .into_iter()
            .flatten()
            .flatten();
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') && name.ends_with(".part") {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A folder that is held; see [`Folder::lock`].
#[derive(Debug)]
#[must_use = "the folder is held for as long as this lives"]
pub struct Lock(
    #[expect(dead_code, reason = "it holds the lock until it is dropped")] Option<std::fs::File>,
);

impl Files for Folder {
    fn write(&mut self, name: &str, content: Content) -> Result<()> {
        let path = self.path.join(name);
        let beside = self.path.join(format!(".{name}.part"));
        let _writing = between_files();
        let mut whole = || -> Result<()> {
            // A link that somebody put there is taken away, never followed.
            if std::fs::symlink_metadata(&beside).is_ok() {
                std::fs::remove_file(&beside).outside()?;
            }
            let mut options = std::fs::OpenOptions::new();
            let file = options
                .write(true)
                .create_new(true)
                .open(&beside)
                .outside()?;
            let mut file = std::io::BufWriter::new(file);
            content(&mut file)?;
            file.into_inner().outside()?;
            std::fs::rename(&beside, &path).outside()
        };
        let written = whole();
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        } else {
            self.keep(name);
        }
        written.with_context(|| format!("{}: cannot be written", path.display()))
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path.join(name)).ok()
    }

    fn keep(&mut self, name: &str) {
        self.names.keep(name);
    }

    fn remove(&mut self, name: &str) {
        let _ = std::fs::remove_file(self.path.join(name));
        self.names.remove(name);
    }

    fn names(&self) -> &[String] {
        &self.names.list
    }
}

/// Files that never touch a disk.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
    names: Names,
}

impl Files for Memory {
    fn write(&mut self, name: &str, content: Content) -> Result<()> {
        let mut bytes = Vec::new();
        content(&mut bytes)?;
        self.files.insert(name.to_owned(), bytes);
        self.keep(name);
        Ok(())
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.files.get(name).cloned()
    }

    fn keep(&mut self, name: &str) {
        self.names.keep(name);
    }

    fn remove(&mut self, name: &str) {
        self.files.remove(name);
        self.names.remove(name);
    }

    fn names(&self) -> &[String] {
        &self.names.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_not_whole_is_none() {
        let mut files = Memory::default();
        files.state("state.json", &[1.5, -2.0]).unwrap();
        assert_eq!(files.kept_state("state.json"), Some([1.5, -2.0]));
        let bytes = files.read("state.json").unwrap();
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 4;
            files.bytes("state.json", &broken).unwrap();
            assert_eq!(
                files.kept_state::<[f64; 2]>("state.json"),
                None,
                "byte {at}"
            );
            files.bytes("state.json", &bytes[..at]).unwrap();
            assert_eq!(
                files.kept_state::<[f64; 2]>("state.json"),
                None,
                "cut at {at}"
            );
        }
    }

    #[test]
    fn one_run_at_a_time_and_no_link_is_followed() {
        let work = tempfile::tempdir().unwrap();
        let mut folder = Folder::open(&work.path().join("out")).unwrap();
        let held = folder.lock().unwrap();
        let said = Folder::open(folder.path())
            .unwrap()
            .lock()
            .unwrap_err()
            .to_string();
        assert!(said.contains("another run is at work"), "{said}");
        drop(held);
        let _held = folder.lock().unwrap();
        #[cfg(unix)]
        {
            let mine = work.path().join("mine");
            std::fs::write(&mine, "mine").unwrap();
            for planted in ["a.txt", ".a.txt.part"] {
                std::os::unix::fs::symlink(&mine, folder.path().join(planted)).unwrap();
            }
            folder.text("a.txt", "result").unwrap();
            assert_eq!(std::fs::read_to_string(&mine).unwrap(), "mine");
            assert_eq!(
                std::fs::read_to_string(folder.path().join("a.txt")).unwrap(),
                "result"
            );
        }
    }
}
