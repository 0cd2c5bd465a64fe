//! The scene that is run again and again.

use serde_json::{Value, json};

use super::design::number;
use super::point::{Found, Point};
use super::scene::{Axis, NAME};
use crate::bail;
use crate::error::Result;
use crate::faults::{At as _, Fault, Faults};
use crate::files::Memory;
use crate::job::{Job, Outcome, Run};
use crate::kind::Kind;
use crate::progress::Interrupted;
use crate::progress::Progress;
use crate::text::SceneText;

/// The kind of a name; an error if there is none.
pub type Find = fn(&str) -> Result<&'static Kind>;

/// The scene, and the places of its keys.
pub struct Inner {
    scene: Value,
    text: SceneText,
    kind: &'static Kind,
    axes: Vec<Axis>,
    /// Paths of `result.json` that are kept of each run.
    pub look_at: Vec<String>,
    /// The path whose change is looked for.
    pub change: Option<String>,
}

impl Inner {
    /// Checks the scene's kind and the places of the keys.
    ///
    /// # Errors
    /// Each fault of both.
    pub fn new(text: &SceneText, scene: &Value, axes: &[Axis], find: Find) -> Result<Self, Faults> {
        let mut scene = scene.clone();
        let Some(keys) = scene.as_object_mut() else {
            return Err(Fault::new("scene", "no object")
                .accepted("a scene of any kind")
                .into());
        };
        keys.entry("schema").or_insert(json!(1));
        let name = keys.get("kind").and_then(Value::as_str).unwrap_or_default();
        if name == NAME {
            let fault = Fault::new("scene.kind", "a study of a study");
            return Err(fault.accepted("a scene of another kind").into());
        }
        let kind = find(name).at("scene.kind")?;
        let mut faults = Faults::default();
        for (k, axis) in axes.iter().enumerate() {
            for key in std::iter::once(&axis.key).chain(&axis.also) {
                let place = place(&mut scene.clone(), key).map(|place| place.is_number());
                if let Some(number) = faults.take(&format!("over[{k}]"), place) {
                    faults.check(number || !axis.as_factor, || {
                        let found = format!("as_factor: `{key}` is no number of the scene");
                        Fault::new(format!("over[{k}]"), found).accepted("a number that is there")
                    });
                }
            }
        }
        faults.or_all(|| {
            Some(Self {
                scene,
                text: text.clone(),
                kind,
                axes: axes.to_vec(),
                look_at: Vec::new(),
                change: None,
            })
        })
    }

    /// The name of the kind.
    pub fn kind(&self) -> &'static str {
        self.kind.name
    }

    /// The job of the scene with these values; none leaves the scene as it is.
    ///
    /// # Errors
    /// What is wrong with the scene, at the place of the key where a value is wrong.
    pub fn job(&self, values: &[Option<Value>]) -> Result<Box<dyn Job>> {
        let mut scene = self.scene.clone();
        for (axis, value) in self.axes.iter().zip(values) {
            let Some(value) = value else { continue };
            for key in std::iter::once(&axis.key).chain(&axis.also) {
                let place = place(&mut scene, key)?;
                *place = match (axis.as_factor, place.as_f64(), value.as_f64()) {
                    (true, Some(own), Some(factor)) => number(own * factor),
                    _ => value.clone(),
                };
            }
        }
        let text = self.text.inner(&scene.to_string())?;
        let made = text.checked((self.kind.prepare)(&text)).at("scene");
        made.map_err(|faults| self.of_keys(faults, values).into())
    }

    /// Faults of values of the keys, at the keys.
    fn of_keys(&self, mut faults: Faults, values: &[Option<Value>]) -> Faults {
        for fault in &mut faults.list {
            let path = fault.path.replace('[', ".").replace(']', "");
            let own = |key: &String| path == format!("scene.{key}");
            let of_axis = |axis: &Axis| own(&axis.key) || axis.also.iter().any(own);
            let mut axes = self.axes.iter().zip(values).enumerate();
            if let Some((k, (axis, Some(value)))) = axes.find(|(_, (axis, _))| of_axis(axis)) {
                let said = format!("{} = {value}: {}", axis.key, fault.sentence());
                *fault = Fault::new(format!("over[{k}]"), said);
            }
        }
        faults
    }

    /// A run with these values. What it cannot do is part of the result.
    ///
    /// # Errors
    /// [`Interrupted`].
    pub fn run(
        &self,
        values: Vec<Option<Value>>,
        seed: Option<u64>,
        progress: &dyn Progress,
    ) -> Result<Point> {
        if progress.interrupted() {
            bail!(Interrupted);
        }
        let stop = OnlyStop(progress);
        let answered = || -> Result<Outcome> {
            let job = self.job(&values)?;
            let mut files = Memory::default();
            let mut run = Run::new(&stop, &mut files);
            run.seed = seed.filter(|_| job.draws());
            let results = job.run(&mut run)?;
            Ok(run.end(results))
        };
        let found = match answered() {
            // A path that leads nowhere is a mistake of the study, and not of a run.
            Ok(outcome) => Ok(Found::of(outcome, &self.look_at, self.change.as_deref())?),
            Err(error) if error.is_interrupted() => return Err(error),
            Err(error) => Err(format!("{error:#}").replace('\n', " ")),
        };
        progress.add(1);
        let values = values.into_iter().map(Option::unwrap_or_default).collect();
        Ok(Point { values, found })
    }
}

/// Passes on that a study shall stop; the runs of a study are told as one piece of work.
struct OnlyStop<'a>(&'a dyn Progress);

impl Progress for OnlyStop<'_> {
    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}

/// The place of a key in a scene; a key that is not there yet is made, with null.
///
/// # Errors
/// A part before the last that is not there, with those that are.
fn place<'a>(scene: &'a mut Value, key: &str) -> Result<&'a mut Value> {
    let mut place = scene;
    let mut steps = key.split('.').peekable();
    while let Some(step) = steps.next() {
        let last = steps.peek().is_none();
        place = match place {
            Value::Object(keys) => {
                if !last && !keys.contains_key(step) {
                    let known: Vec<&str> = keys.keys().map(String::as_str).collect();
                    let fault = Fault::new("key", format!("{key}: no '{step}'"));
                    bail!(fault.accepted(known.join(", ")));
                }
                keys.entry(step).or_insert(Value::Null)
            }
            Value::Array(items) => {
                let count = items.len();
                let item = step.parse::<usize>().ok().and_then(|k| items.get_mut(k));
                item.ok_or_else(|| {
                    Fault::new("key", format!("{key}: no item '{step}' of {count}"))
                })?
            }
            _ => bail!(Fault::new(
                "key",
                format!("{key}: nothing is below '{step}'")
            )),
        };
    }
    Ok(place)
}
