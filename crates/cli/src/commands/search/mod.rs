//! `klast sweep` and `klast limit`: a scene of any kind over values of its keys.

mod figures;
mod limit;
mod sheet;
mod sweep;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use klast_runs::answer::Answer;
use klast_runs::run_folder::earlier_files;
use klast_scenes::Scene;
use serde_json::Value;

use crate::failure::{Stopped, input};
use crate::interrupt::interrupted;
use crate::scene_file;
use crate::session::Options;

pub use limit::{Limit, limit};
pub use sweep::{Sweep, sweep};

/// One run: its values of the keys and what it answered.
struct Point {
    values: Vec<Value>,
    answer: Result<Answer, String>,
}

/// The scene that is run again and again.
struct Study<'a> {
    scene: Scene,
    keys: Vec<String>,
    options: &'a Options,
}

impl<'a> Study<'a> {
    fn new(path: &Path, sets: &[String], keys: Vec<String>, options: &'a Options) -> Result<Self> {
        let (scene, _) = scene_file::read(path, sets)?;
        let study = Self {
            scene,
            keys,
            options,
        };
        Ok(study)
    }

    /// The scene with these values can be run with the options: what is wrong at an end is wrong with the command.
    fn check(&self, values: &[Value]) -> Result<()> {
        let job = self.job(values)?;
        super::accepts(&*job, &self.scene, self.options)
    }

    /// A scene with these values, checked.
    fn job(&self, values: &[Value]) -> Result<Box<dyn klast_runs::Job>> {
        let mut text = self.scene.text().text.clone();
        let mut options = Vec::new();
        for (key, new) in self.keys.iter().zip(values) {
            scene_file::put(&mut text, key, new)?;
            options.push((key.as_str(), format!("{key} = {new}")));
        }
        let (scene, _) = scene_file::with(&self.scene, &text)?;
        let job = scene.job();
        job.map_err(|error| scene_file::said_of_options(error, &scene, &options).into())
    }

    fn run(&self, values: Vec<Value>) -> Result<Point> {
        if interrupted() {
            bail!(Stopped("nothing is written"));
        }
        let answered = || -> Result<Answer> {
            let job = self.job(&values)?;
            let mut files = klast_runs::files::Memory::default();
            let mut run = klast_runs::Run::new(&klast_runs::Silent, &mut files);
            run.seed = self.options.seed.filter(|_| job.draws());
            let results = job.run(&mut run)?;
            results.answer().context("a part of a run has no answer")
        };
        Ok(Point {
            answer: answered().map_err(|e| format!("{e:#}")),
            values,
        })
    }

    /// Where the results go.
    fn folder(&self, what: &str) -> Result<(PathBuf, Vec<String>)> {
        let stem = Path::new(&self.scene.text().name).file_stem();
        let stem = stem.unwrap_or("scene".as_ref()).to_string_lossy();
        let named = || Path::new("out").join(format!("{stem}-{what}"));
        let folder = self.options.out.clone().unwrap_or_else(named);
        let earlier = input(earlier_files(&folder))?;
        Ok((folder, earlier))
    }
}

/// A number as a scene writes it: without a fraction where it has none, so that a key that counts takes it.
fn number(x: f64) -> Value {
    match x.fract() == 0.0 && x.abs() < 9e15 {
        true => Value::from(x as i64),
        false => Value::from(x),
    }
}
