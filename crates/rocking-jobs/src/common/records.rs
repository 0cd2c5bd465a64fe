//! Sets of records: folders and patterns of files.

use std::path::Path;

use klast_ground_motion::Component;
use klast_runs::ensure;
use klast_runs::error::{Context as _, Outside as _, Result};
use schemars::JsonSchema;
use serde::Deserialize;

use klast_files::record::RecordComponent;
use klast_runs::common::motion::{Motion, Unit, reading, record_file, record_remarks, told};
use klast_runs::common::vertical::{is_length, is_named_vertical, is_vertical, vertical_caution};
use klast_runs::faults::{Fault, Faults};
use klast_runs::text::SceneText;

/// Records of a folder or a pattern.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSet {
    /// A folder of which all files are read, or a pattern with * and ?, such as `records/*.AT2`. The path starts at the
    /// folder of the scene.
    files: String,
    /// Unit of the records whose files state no unit. It is required if there are such files.
    #[serde(default)]
    unit: Option<Unit>,
    /// Value of g (m/s²) for records in g, above 0; the standard value 9.80665 unless stated.
    #[serde(default)]
    gravity_m_s2: Option<f64>,
    /// Time step of the record (s), above 0. It is required if the file has values but no times.
    #[serde(default)]
    step_s: Option<f64>,
    /// Components that are taken from a file with several components; `only` unless stated.
    #[serde(default)]
    components: Components,
}

/// Choice of the components of a file.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Components {
    /// The only component of the file. A file with several components is refused, and the error names them.
    #[default]
    Only,
    /// All components except those whose names denote the vertical direction or the length of a vector. Two components
    /// of one instrument count as two records, although they are not independent.
    Horizontal,
    /// The components with these names.
    Named(Vec<String>),
}

/// A record with its name.
#[derive(Debug, Clone)]
pub struct NamedMotion {
    /// File, and component where the file has several.
    pub name: String,
    /// The motion of the base.
    pub motion: Component,
}

/// Whether a file is one that systems and spreadsheets put into folders, such as .DS_Store, Thumbs.db and ~$table.csv.
fn is_of_a_system(path: &std::path::Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let own = ["thumbs.db", "desktop.ini"];
    name.starts_with('.') || name.starts_with("~$") || own.contains(&name.to_lowercase().as_str())
}

/// Messages in lines; what is accepted is said by the first of those that accept the same.
fn once<'a>(said: impl Iterator<Item = &'a str>) -> String {
    let mut told: Vec<&str> = Vec::new();
    let line = |message: &'a str| match message.split_once("; accepted: ") {
        Some((cause, accepted)) if told.contains(&accepted) => cause,
        Some((_, accepted)) => {
            told.push(accepted);
            message
        }
        None => message,
    };
    said.map(line).collect::<Vec<_>>().join("\n")
}

/// A set is larger than this by mistake.
const MOST_FILES: usize = 10_000;

impl RecordSet {
    /// The records in the order of their names, and what their reader has to know. Every file that cannot be read is
    /// told.
    ///
    /// # Errors
    /// No file, too many, or any that is no record.
    pub fn build(&self, scene: &SceneText) -> Result<(Vec<NamedMotion>, Vec<String>)> {
        let files = self.files(scene)?;
        let (mut motions, mut remarks) = (Vec::new(), Vec::new());
        let (mut good, mut faults) = (Vec::new(), Vec::new());
        for file in &files {
            match self.read(scene, file) {
                Ok((found, said)) => {
                    motions.extend(found);
                    remarks.extend(said);
                    good.push(file.as_str());
                }
                Err(error) => faults.push((file.as_str(), format!("{error:#}"))),
            }
        }
        ensure!(
            faults.is_empty(),
            "{}: {} of {} files are no records:\n{}{}",
            self.files,
            faults.len(),
            files.len(),
            once(faults.iter().map(|(_, said)| said.as_str())),
            self.narrower(&good, &faults)
        );
        Ok((motions, remarks))
    }

    /// The patterns of the endings that are those of records only; empty if there are none such.
    fn narrower(&self, good: &[&str], faults: &[(&str, String)]) -> String {
        let ending = |file: &str| {
            Path::new(file)
                .extension()
                .map(|e| e.to_string_lossy().into_owned())
        };
        let bad: Vec<_> = faults.iter().map(|(file, _)| ending(file)).collect();
        let mut patterns: Vec<String> = good
            .iter()
            .filter(|file| !bad.contains(&ending(file)))
            .filter_map(|file| {
                let folder = Path::new(file)
                    .parent()?
                    .join(format!("*.{}", ending(file)?));
                Some(folder.to_string_lossy().replace('\\', "/"))
            })
            .collect();
        patterns.sort();
        patterns.dedup();
        match patterns.is_empty() {
            true => String::new(),
            false => format!("\naccepted as \"files\": {}", patterns.join(", ")),
        }
    }

    /// The names of the files from the folder of the scene, in order.
    fn files(&self, scene: &SceneText) -> Result<Vec<String>> {
        let whole = scene.path(&self.files);
        let pattern = if whole.is_dir() {
            whole.join("*")
        } else {
            whole
        };
        // Files at hand have their names from the folder of the scene.
        let own = pattern.strip_prefix(&scene.folder).unwrap_or(&pattern);
        let at_hand = self.at_hand(scene, &own.to_string_lossy())?;
        let pattern = pattern.to_string_lossy().into_owned();
        let found = glob::glob(&pattern)
            .map_err(|error| klast_runs::said!("files {}: {error}", self.files))?;
        let mut files = at_hand;
        // What a scene names in full is meant.
        let whole_name = !pattern.contains(['*', '?', '[']);
        for path in found {
            let path = path
                .outside()
                .with_context(|| format!("files {}", self.files))?;
            let chosen = whole_name || !is_of_a_system(&path);
            if path.is_file() && chosen {
                let own = path.strip_prefix(&scene.folder).unwrap_or(&path);
                files.push(own.to_string_lossy().into_owned());
            }
        }
        files.sort();
        files.dedup();
        ensure!(
            (1..=MOST_FILES).contains(&files.len()),
            Fault::new("files", format!("{}: {} files", self.files, files.len())).accepted(
                format!("1 to {MOST_FILES}, as a folder or a pattern with * and ?")
            )
        );
        Ok(files)
    }

    /// Files at hand that the pattern names, or that stand in the folder of that name.
    fn at_hand(&self, scene: &SceneText, pattern: &str) -> Result<Vec<String>> {
        let options = glob::MatchOptions {
            require_literal_separator: true,
            ..Default::default()
        };
        let folder = format!("{}/*", glob::Pattern::escape(pattern));
        let pattern = match pattern.contains(['*', '?', '[']) {
            true => pattern,
            false => &folder,
        };
        let whole = glob::Pattern::new(pattern)
            .map_err(|error| klast_runs::said!("files {}: {error}", self.files))?;
        let matches = |file: &&str| *file == self.files || whole.matches_with(file, options);
        Ok(scene
            .attached()
            .filter(matches)
            .map(str::to_owned)
            .collect())
    }

    fn read(&self, scene: &SceneText, file: &str) -> Result<(Vec<NamedMotion>, Vec<String>)> {
        let options = reading(file, self.unit, self.gravity_m_s2, self.step_s)?;
        let read = record_file(scene, file, &options)?;
        let chosen: Vec<&RecordComponent> = match &self.components {
            Components::Only => vec![read.component(None).with_context(|| file.to_owned())?],
            Components::Horizontal => read
                .components
                .iter()
                .filter(|c| !is_vertical(&c.name) && !is_length(&c.name))
                .filter(|c| !c.name.is_empty() || !is_named_vertical(file))
                .collect(),
            Components::Named(names) => {
                let named = names.iter().map(|name| read.component(Some(name)));
                named
                    .collect::<Result<_, _>>()
                    .with_context(|| file.to_owned())?
            }
        };
        if chosen.is_empty() {
            scene.note(format!("{file}: no component along the ground; left out"));
            return Ok(Default::default());
        }
        if matches!(self.components, Components::Horizontal) {
            let lengths = read.components.iter().filter(|c| is_length(&c.name));
            for one in lengths {
                let name = &one.name;
                scene.note(format!(
                    "{file}: {name} is the length of a vector; left out"
                ));
            }
        }
        let several = read.components.len() > 1;
        let (mut motions, mut remarks) = (Vec::new(), Vec::new());
        for component in chosen {
            scene.note(told(file, read.format, component)?);
            let name = if several {
                format!("{file}, {}", component.name)
            } else {
                file.to_owned()
            };
            let mut said = record_remarks(file, &read, &component.record)?;
            said.iter().for_each(|remark| scene.note(remark.clone()));
            // Names that the scene gives are meant.
            if matches!(self.components, Components::Only) {
                let caution = vertical_caution(file, &component.name);
                caution.iter().for_each(|c| scene.caution(c.clone()));
                said.extend(caution);
            }
            remarks.extend(said);
            motions.push(NamedMotion {
                name,
                motion: component.record.component(1.0)?,
            });
        }
        remarks.dedup();
        Ok((motions, remarks))
    }
}

/// Motions one by one and sets of records, with what their reader has to know.
///
/// # Errors
/// What [`Motion::build`] and [`RecordSet::build`] refuse; nothing at all.
pub fn motions(
    scene: &SceneText,
    single: &[Motion],
    sets: &[RecordSet],
) -> Result<(Vec<NamedMotion>, Vec<String>), Faults> {
    let (mut motions, mut remarks) = (Vec::new(), Vec::new());
    let mut faults = Faults::default();
    for (k, motion) in single.iter().enumerate() {
        let place = format!("motions[{k}]");
        let name = match motion {
            Motion::Record { file, .. } => file.clone(),
            _ => place.clone(),
        };
        let Some(built) = faults.take(&place, motion.build(scene)) else {
            continue;
        };
        remarks.extend(
            faults
                .take(&place, motion.remarks(scene))
                .unwrap_or_default(),
        );
        if let Some(caution) = motion.vertical_caution() {
            scene.caution(caution.clone());
            remarks.push(caution);
        }
        motions.push(NamedMotion {
            name,
            motion: built,
        });
    }
    for (k, set) in sets.iter().enumerate() {
        if let Some((found, said)) = faults.take(&format!("records[{k}]"), set.build(scene)) {
            motions.extend(found);
            remarks.extend(said);
        }
    }
    faults.check(!single.is_empty() || !sets.is_empty(), || {
        Fault::new("", "neither `motions` nor `records`").accepted("one or more motions")
    });
    faults.or_all(|| Some((motions, remarks)))
}
