//! Where figures go: the page, and files of their own.

use anyhow::Result;
use klast_scenes::files::{Files, FilesExt as _};

use crate::page::Page;

/// The page of a run and its files.
pub struct Sheet<'a> {
    /// The page.
    pub page: &'a mut Page,
    /// The files.
    pub files: &'a mut dyn Files,
}

impl Sheet<'_> {
    /// Writes a figure and puts it on the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn figure(&mut self, name: &str, svg: &str, caption: &str) -> Result<()> {
        self.page.figure(svg, caption);
        self.files.text(name, svg)
    }
}
