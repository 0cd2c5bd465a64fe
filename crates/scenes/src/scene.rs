//! A scene: read, checked, run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};

use crate::kinds::{find, names};
use klast_runs::Job;
use klast_runs::kind::Kind;
use klast_runs::manifest::Manifest;
use klast_runs::plausible::doubts;
use klast_runs::text::SceneText;

/// A scene whose header was read and whose kind is known.
#[derive(Clone)]
pub struct Scene {
    text: SceneText,
    kind: &'static Kind,
}

impl Scene {
    /// Reads a scene from a text. Files that it names are looked for from `base`.
    ///
    /// # Errors
    /// What is not a scene of a known kind and version.
    pub fn parse(text: &str, base: impl Into<PathBuf>) -> Result<(Self, Vec<String>)> {
        Self::named("scene", text, base)
    }

    /// The same with a name for its errors and warnings.
    ///
    /// # Errors
    /// As [`Scene::parse`].
    pub fn named(name: &str, text: &str, base: impl Into<PathBuf>) -> Result<(Self, Vec<String>)> {
        Self::of(SceneText::new(name, base.into(), text.to_owned()))
    }

    /// Reads a scene file. Files that it names are looked for from its own folder.
    ///
    /// # Errors
    /// A file that cannot be read; as [`Scene::parse`].
    pub fn read(path: &Path) -> Result<(Self, Vec<String>)> {
        Self::of(SceneText::read(path))
    }

    /// The same with files at hand, by their names in the scene; all others are on the disk.
    #[must_use]
    pub fn with_files(mut self, files: BTreeMap<String, Vec<u8>>) -> Self {
        self.text = self.text.with_files(files);
        self
    }

    fn of(text: Result<SceneText>) -> Result<(Self, Vec<String>)> {
        let text = text?;
        let kind = match text.kind.as_str() {
            "" => Err(klast_runs::said!(
                "no \"kind\"; accepted: {}",
                names().join(", ")
            )),
            name => find(name),
        };
        let kind = kind.with_context(|| text.name.clone())?;
        let doubts = doubts(&text.text).into_iter();
        let warnings = doubts.map(|said| format!("{}: {said}", text.name));
        let warnings = warnings.collect();
        Ok((Self { text, kind }, warnings))
    }

    /// The kind.
    #[must_use]
    pub fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The text, with what is known of it: its name, its folder, the files that were read.
    #[must_use]
    pub fn text(&self) -> &SceneText {
        &self.text
    }

    /// Checks the scene and reads every file that it names.
    ///
    /// # Errors
    /// [`klast_runs::faults::Faults`]: all that is wrong, each with its path, what was found and what is accepted.
    pub fn job(&self) -> Result<Box<dyn Job>> {
        let text = &self.text;
        let job = text.checked((self.kind.prepare)(text));
        job.with_context(|| text.name.clone())
    }

    /// The job of the scene that a part was run from, to merge the parts with: it is of the same text, reads the same
    /// files, and is run by the same version.
    ///
    /// # Errors
    /// What differs; a scene that is wrong.
    pub fn job_of_parts(&self, part: &Manifest) -> Result<Box<dyn Job>> {
        let text = &self.text;
        ensure!(
            text.sha256() == part.scene_sha256,
            "{}: not the scene that the parts were run from; accepted: the same text",
            text.name
        );
        let job = self.job()?;
        let inputs = text.inputs();
        let differs = |name: &&String| inputs.get(*name) != part.inputs_sha256.get(*name);
        if let Some(name) = inputs.keys().find(differs) {
            bail!(
                "{}: not the file that the parts were run with; accepted: the same bytes",
                text.path(name).display()
            );
        }
        ensure!(
            part.klast == env!("CARGO_PKG_VERSION"),
            "parts of version {}; accepted: {}",
            part.klast,
            env!("CARGO_PKG_VERSION")
        );
        Ok(job)
    }
}
