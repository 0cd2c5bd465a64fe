//! What a run gives, whatever its kind.

use std::any::Any;
use std::fmt::Debug;

use crate::error::{Outside as _, Result};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::answer::{Answer, Answered};
use crate::files::{Files, FilesExt as _};

/// The file of the answer and the summary.
pub const RESULT: &str = "result.json";

/// The results of a scene of any kind. A kind implements [`KindResults`].
pub trait Results: Any + Send + Sync + Debug {
    /// Writes everything but figures: summary, tables, maps, paths.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write(&self, files: &mut dyn Files) -> Result<()>;

    /// The verdict in plain words and the three figures that decide it; none of a part of a run.
    fn answer(&self) -> Option<Answer>;

    /// The numbers of the summary as JSON in the order of their type.
    ///
    /// # Errors
    /// None that the results of a run could have.
    fn summary_json(&self) -> Result<String>;

    /// The schema of the results, which describes the summary; none of a part of a run.
    fn schema(&self) -> Option<Value>;
}

/// The results of one kind of scene: rows and a summary.
pub trait KindResults: Any + Send + Sync + Debug + JsonSchema {
    /// The numbers of `result.json`.
    type Summary: Serialize;

    /// The numbers of `result.json`.
    fn summary(&self) -> &Self::Summary;

    /// The verdict in plain words and the three figures that decide it.
    fn verdict(&self) -> Answer;

    /// Writes everything but figures and the summary.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write_tables(&self, files: &mut dyn Files) -> Result<()>;
}

impl<R: KindResults> Results for R {
    fn write(&self, files: &mut dyn Files) -> Result<()> {
        files.json(RESULT, &Answered::new(self.verdict(), self.summary()))?;
        self.write_tables(files)
    }

    fn answer(&self) -> Option<Answer> {
        Some(self.verdict())
    }

    fn summary_json(&self) -> Result<String> {
        serde_json::to_string(self.summary()).outside()
    }

    fn schema(&self) -> Option<Value> {
        Some(schemars::schema_for!(R).into())
    }
}

impl dyn Results {
    /// The results of one kind; none of another.
    #[must_use]
    pub fn of<R: Results>(&self) -> Option<&R> {
        (self as &dyn Any).downcast_ref()
    }

    /// The same, taken out.
    #[must_use]
    pub fn take<R: Results>(self: Box<Self>) -> Option<Box<R>> {
        (self as Box<dyn Any>).downcast().ok()
    }

    /// What `result.json` holds: the answer and the numbers.
    ///
    /// # Errors
    /// None that the results of a run could have.
    pub fn summary(&self) -> Result<Value> {
        let mut summary: Value = serde_json::from_str(&self.summary_json()?).outside()?;
        if let (Some(keys), Some(answer)) = (summary.as_object_mut(), self.answer()) {
            keys.insert("answer".to_owned(), serde_json::to_value(answer).outside()?);
        }
        Ok(summary)
    }

    /// The verdict; none of a part of a run.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        self.answer().map(|answer| answer.verdict)
    }
}

/// A part of an ensemble, in a file of its own until all parts are joined.
#[derive(Debug, Clone)]
pub struct Part {
    /// The file that holds it.
    pub file: &'static str,
    /// Counts and fractions of this part alone: its `result.json`, to look at before all parts are joined.
    pub numbers: Value,
}

impl Results for Part {
    fn write(&self, files: &mut dyn Files) -> Result<()> {
        files.json(RESULT, &self.numbers)
    }

    fn answer(&self) -> Option<Answer> {
        None
    }

    fn summary_json(&self) -> Result<String> {
        serde_json::to_string(&self.numbers).outside()
    }

    fn schema(&self) -> Option<Value> {
        None
    }
}
