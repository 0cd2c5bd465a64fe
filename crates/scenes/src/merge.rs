//! The scene that parts were run from, to merge them with.

use crate::job::Job;
use crate::manifest::Manifest;
use crate::scene::Scene;
use anyhow::{Result, bail, ensure};

impl Manifest {
    /// The job of the scene that a part was run from, to merge the parts with: it is of the same text, reads the same
    /// files, and is run by the same version.
    ///
    /// # Errors
    /// What differs; a scene that is wrong.
    pub fn job(&self, scene: &Scene) -> Result<Box<dyn Job>> {
        let text = scene.text();
        ensure!(
            text.sha256() == self.scene_sha256,
            "{}: not the scene that the parts were run from; accepted: the same text",
            text.name
        );
        let job = scene.job()?;
        let inputs = text.inputs();
        let differs = |name: &&String| inputs.get(*name) != self.inputs_sha256.get(*name);
        if let Some(name) = inputs.keys().find(differs) {
            bail!(
                "{}: not the file that the parts were run with; accepted: the same bytes",
                text.path(name).display()
            );
        }
        ensure!(
            self.klast == env!("CARGO_PKG_VERSION"),
            "parts of version {}; accepted: {}",
            self.klast,
            env!("CARGO_PKG_VERSION")
        );
        Ok(job)
    }
}
