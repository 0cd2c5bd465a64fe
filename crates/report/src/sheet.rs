//! Where figures and tables go: the page, and files of their own.

use klast_runs::error::{Outside as _, Result};
use klast_runs::files::{Files, FilesExt as _};
use schemars::JsonSchema;
use serde::Serialize;

use crate::page::{Page, Picture, Section};
use crate::view::View;
use crate::words::{Ordered, Words, table};

/// Rows of a table on the page at most; files have all.
pub const SHOWN: usize = 40;

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

    /// Writes the figure that answers the question of the scene: it stands beside the verdict, not among the others.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn picture(&mut self, name: &str, svg: &str, caption: &str) -> Result<Picture> {
        self.files.text(name, svg)?;
        Ok(Picture::new(svg, caption))
    }

    /// A table of typed rows, of which a file has all; its header is what their type says.
    ///
    /// # Errors
    /// None that rows of a result could have.
    pub fn rows<R: Serialize + JsonSchema>(
        &mut self,
        heading: &str,
        file: &str,
        rows: &[R],
    ) -> Result<()> {
        self.rows_of(heading, file, rows, rows.len())
    }

    /// The same of rows that each may stand for several of the file, which has so many.
    ///
    /// # Errors
    /// None that rows of a result could have.
    pub fn rows_of<R: Serialize + JsonSchema>(
        &mut self,
        heading: &str,
        file: &str,
        rows: &[R],
        count: usize,
    ) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let shown = serde_json::to_string(&rows[..rows.len().min(SHOWN)]).outside()?;
        let Ordered::List(items) = Ordered::read(&shown) else {
            return Ok(());
        };
        let schema = schemars::schema_for!(R).into();
        self.page.heading(Section::Results, heading);
        self.page.table(
            Section::Results,
            table(&items, Words::of(&schema, ""), SHOWN),
        );
        let more = match (rows.len() > SHOWN, count == rows.len()) {
            (false, true) => String::new(),
            (true, true) => format!("The first {SHOWN} of {count}; all are in {file}."),
            (cut, false) => format!(
                "{}Events that follow one another within a thousandth of the run are one row; all {count} are in {file}.",
                match cut {
                    true => format!("The first {SHOWN} of {} rows. ", rows.len()),
                    false => String::new(),
                }
            ),
        };
        if !more.is_empty() {
            self.page.text(Section::Results, &more);
        }
        Ok(())
    }

    /// A view in space on the page, and the same as a glTF file for other programs.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn view(&mut self, view: &View, caption: &str) -> Result<()> {
        self.page.view(view.json()?, caption);
        self.files.text("scene.gltf", &view.gltf()?)
    }
}
