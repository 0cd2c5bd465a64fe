//! What a run gives, by kind of scene.

use anyhow::Result;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::answer::Answer;
use crate::files::{Files, FilesExt as _};
use crate::kinds::assembly::result as assembly;
use crate::kinds::assembly_sweep::result as assembly_sweep;
use crate::kinds::assess::result as assess;
use crate::kinds::bodies::result as bodies;
use crate::kinds::column::result as column;
use crate::kinds::rockfall::result as rockfall;
use crate::kinds::rockfall_calibration::result as rockfall_calibration;
use crate::kinds::rockfall_study::result as rockfall_study;
use crate::kinds::rockfill::result as rockfill;
use crate::kinds::rocking::result as rocking;
use crate::kinds::rocking_fit::result as rocking_fit;
use crate::kinds::rocking_fragility::result as rocking_fragility;
use crate::kinds::rocking_map::result as rocking_map;
use crate::kinds::rocking_spectrum::result as rocking_spectrum;
use crate::kinds::stack::result as stack;
use crate::kinds::stack_map::result as stack_map;
use crate::kinds::stack_scale::result as stack_scale;
use crate::kinds::thrown::result as thrown;

/// The results of a scene.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Results {
    /// Rocks released on a terrain.
    Rockfall(Box<rockfall::Results>),
    /// Observed runs of a campaign, each forecast from the others.
    RockfallCalibration(Box<rockfall_calibration::Results>),
    /// A rockfall many times over.
    RockfallStudy(Box<rockfall_study::Results>),
    /// A body thrown and measured.
    Thrown(Box<thrown::Results>),
    /// A shot through a layer of rock.
    Rockfill(Box<rockfill::Results>),
    /// One motion of a row of blocks in a shaken basin.
    Assembly(assembly::Results),
    /// The long-time response of a row of blocks over one or two parameters.
    AssemblySweep(assembly_sweep::Results),
    /// One motion of one rocking block.
    Rocking(rocking::Results),
    /// The fate of a block over two parameters.
    RockingMap(rocking_map::Results),
    /// A fit of the restitution to a measured history.
    RockingFit(rocking_fit::Results),
    /// A rocking spectrum.
    RockingSpectrum(rocking_spectrum::Results),
    /// A fragility of a rocking block.
    RockingFragility(Box<rocking_fragility::Results>),
    /// An assessment of an object that stands free.
    Assess(Box<assess::Results>),
    /// One motion of a stack of blocks.
    Stack(stack::Results),
    /// Overturning of a stack over the amplitude and the frequency of a wave.
    StackMap(stack_map::Results),
    /// Outcomes of a stack over the scale of a motion.
    StackScale(stack_scale::Results),
    /// A prism, a cylinder or a column of drums in space.
    Column(Box<column::Results>),
    /// Bodies in contact: do they stand, where do they come to rest.
    Bodies(Box<bodies::Results>),
    /// A part of an ensemble, in a file of its own until all parts are joined.
    Part(Part),
}

/// A part of an ensemble.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Part {
    /// The file that holds it.
    pub file: &'static str,
    /// Counts and fractions of this part alone: its `result.json`, to look at before all parts are joined.
    pub numbers: Value,
}

impl Results {
    /// Writes everything but figures: summary, tables, maps, paths.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, files: &mut dyn Files) -> Result<()> {
        match self {
            Self::Rockfall(r) => r.write(files),
            Self::RockfallCalibration(r) => r.write(files),
            Self::RockfallStudy(r) => r.write(files),
            Self::Thrown(r) => r.write(files),
            Self::Rockfill(r) => r.write(files),
            Self::Assembly(r) => r.write(files),
            Self::AssemblySweep(r) => r.write(files),
            Self::Rocking(r) => r.write(files),
            Self::RockingMap(r) => r.write(files),
            Self::RockingFit(r) => r.write(files),
            Self::RockingSpectrum(r) => r.write(files),
            Self::RockingFragility(r) => r.write(files),
            Self::Assess(r) => r.write(files),
            Self::Stack(r) => r.write(files),
            Self::StackMap(r) => r.write(files),
            Self::StackScale(r) => r.write(files),
            Self::Column(r) => r.write(files),
            Self::Bodies(r) => r.write(files),
            Self::Part(p) => files.json("result.json", &p.numbers),
        }
    }

    /// The verdict in plain words and the three figures that decide it; none of a part of a run.
    #[must_use]
    pub fn answer(&self) -> Option<Answer> {
        Some(match self {
            Self::Rockfall(r) => r.answer(),
            Self::RockfallCalibration(r) => r.answer(),
            Self::RockfallStudy(r) => r.answer(),
            Self::Thrown(r) => r.answer(),
            Self::Rockfill(r) => r.answer(),
            Self::Assembly(r) => r.answer(),
            Self::AssemblySweep(r) => r.answer(),
            Self::Rocking(r) => r.answer(),
            Self::RockingMap(r) => r.answer(),
            Self::RockingFit(r) => r.answer(),
            Self::RockingSpectrum(r) => r.answer(),
            Self::RockingFragility(r) => r.answer(),
            Self::Assess(r) => r.answer(),
            Self::Stack(r) => r.answer(),
            Self::StackMap(r) => r.answer(),
            Self::StackScale(r) => r.answer(),
            Self::Column(r) => r.answer(),
            Self::Bodies(r) => r.answer(),
            Self::Part(_) => return None,
        })
    }

    /// The numbers of the summary as JSON in the order of their type, and the schema of the results that describes
    /// them; none of a part of a run.
    ///
    /// # Errors
    /// None that the results of a run could have.
    pub fn described(&self) -> Result<Option<(String, Value)>> {
        let text = self.told()?;
        Ok(self.schema().map(|schema| (text, schema)))
    }

    /// The numbers of the summary as JSON.
    fn told(&self) -> Result<String> {
        Ok(match self {
            Self::Rockfall(r) => serde_json::to_string(&r.summary)?,
            Self::RockfallCalibration(r) => serde_json::to_string(&r.summary)?,
            Self::RockfallStudy(r) => serde_json::to_string(&r.summary)?,
            Self::Thrown(r) => serde_json::to_string(&r.summary)?,
            Self::Rockfill(r) => serde_json::to_string(&r.summary)?,
            Self::Assembly(r) => serde_json::to_string(&r.summary)?,
            Self::AssemblySweep(r) => serde_json::to_string(&r.summary)?,
            Self::Rocking(r) => serde_json::to_string(&r.summary)?,
            Self::RockingMap(r) => serde_json::to_string(&r.summary)?,
            Self::RockingFit(r) => serde_json::to_string(&r.summary)?,
            Self::RockingSpectrum(r) => serde_json::to_string(&r.summary)?,
            Self::RockingFragility(r) => serde_json::to_string(&r.summary)?,
            Self::Assess(r) => serde_json::to_string(&r.summary)?,
            Self::Stack(r) => serde_json::to_string(&r.summary)?,
            Self::StackMap(r) => serde_json::to_string(&r.summary)?,
            Self::StackScale(r) => serde_json::to_string(&r.summary)?,
            Self::Column(r) => serde_json::to_string(&r.summary)?,
            Self::Bodies(r) => serde_json::to_string(&r.summary)?,
            Self::Part(p) => serde_json::to_string(&p.numbers)?,
        })
    }

    /// The schema of the results of this kind.
    fn schema(&self) -> Option<Value> {
        fn of<R: JsonSchema>(_: &R) -> Option<Value> {
            Some(schemars::schema_for!(R).into())
        }
        match self {
            Self::Rockfall(r) => of(&**r),
            Self::RockfallCalibration(r) => of(&**r),
            Self::RockfallStudy(r) => of(&**r),
            Self::Thrown(r) => of(&**r),
            Self::Rockfill(r) => of(&**r),
            Self::Assembly(r) => of(r),
            Self::AssemblySweep(r) => of(r),
            Self::Rocking(r) => of(r),
            Self::RockingMap(r) => of(r),
            Self::RockingFit(r) => of(r),
            Self::RockingSpectrum(r) => of(r),
            Self::RockingFragility(r) => of(&**r),
            Self::Assess(r) => of(&**r),
            Self::Stack(r) => of(r),
            Self::StackMap(r) => of(r),
            Self::StackScale(r) => of(r),
            Self::Column(r) => of(&**r),
            Self::Bodies(r) => of(&**r),
            Self::Part(_) => None,
        }
    }

    /// What `result.json` holds: the answer and the numbers.
    ///
    /// # Errors
    /// None that the results of a run could have.
    pub fn summary(&self) -> Result<Value> {
        let mut summary: Value = serde_json::from_str(&self.told()?)?;
        if let (Some(keys), Some(answer)) = (summary.as_object_mut(), self.answer()) {
            keys.insert("answer".to_owned(), serde_json::to_value(answer)?);
        }
        Ok(summary)
    }

    /// The verdict; none of a part of a run.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        self.answer().map(|answer| answer.verdict)
    }
}
