//! What a sweep of a row of blocks gives.

use std::fmt::Display;

use klast_assembly::analysis::{Goal, Pattern, Response, rank};
use klast_runs::error::Result;
use schemars::JsonSchema;
use serde::Serialize;

use klast_runs::answer::Answer;
use klast_runs::files::{Files, FilesExt as _};
use klast_runs::results::KindResults;
use klast_runs::table::Columns;

/// The results of a scene of kind `assembly_sweep`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Results {
    /// Numbers and verdict of the run: the file `result.json`.
    pub summary: Summary,
    /// Response at each point of the sweep: the rows of `sweep.csv`.
    pub sweep: Vec<Point>,
    /// Sections at the ends of the drive periods: the rows of `sections.csv`.
    pub sections: Vec<Section>,
    /// The swept parameters, of which the last runs fastest.
    #[serde(skip)]
    pub axes: Vec<Axis>,
    /// Rows of blocks that could not be run.
    #[serde(skip)]
    pub failed: usize,
}

/// A swept parameter.
#[derive(Debug, Clone)]
pub struct Axis {
    /// As a scene says it, with its unit.
    pub name: &'static str,
    /// As an axis of a figure says it.
    pub label: &'static str,
    /// Values of the cells.
    pub values: Vec<f64>,
}

/// The ten points with the largest values of each measure; for `most_densified`, with the least values.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// The swept parameters, in the order of `values`.
    pub parameters: Vec<&'static str>,
    /// Points with the largest energy of approach of an impact (J).
    pub largest_impact: Vec<Best>,
    /// Points with the largest number of impacts in a drive period.
    pub most_impacts: Vec<Best>,
    /// Points with the largest kinetic index.
    pub largest_energy: Vec<Best>,
    /// Points at which the row is most spread: those with the largest mean inertia index.
    pub most_rarified: Vec<Best>,
    /// Points at which the row is most compact: those with the least mean inertia index.
    pub most_densified: Vec<Best>,
}

/// One of the ten points of a measure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Best {
    /// Values of the swept parameters.
    pub values: Vec<f64>,
    /// Value of the measure.
    pub score: f64,
}

/// Response after a long time at one point of the sweep. The results are null if klast could not run the point.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Point {
    /// The parameters.
    #[serde(flatten)]
    pub parameters: Columns,
    /// Period of the motion, as a number of drive periods; the text `none` if the motion does not repeat.
    pub period: String,
    /// Residual of the search for a period: largest difference between two states one period apart. Positions are
    /// divided by the amplitude u0 of the drive, and velocities by u0 Ω. If no period is found, the value is the
    /// smallest residual of all periods that were tried. It is null if no states could be compared.
    pub residual: Option<f64>,
    /// Least inertia index.
    pub inertia_index_min: Option<f64>,
    /// Mean inertia index.
    pub inertia_index_mean: Option<f64>,
    /// Largest inertia index.
    pub inertia_index_max: Option<f64>,
    /// Mean kinetic index.
    pub kinetic_index_mean: Option<f64>,
    /// Largest kinetic index.
    pub kinetic_index_max: Option<f64>,
    /// Mean number of impacts in a drive period.
    pub impacts_per_period: Option<f64>,
    /// Mean number of impacts on the walls in a drive period.
    pub wall_impacts_per_period: Option<f64>,
    /// Largest energy of approach of an impact (J).
    pub max_approach_energy_j: Option<f64>,
    /// Pattern of the motion: `densified` (the row stays together), `rarified` (the row stays spread) or `breathing`
    /// (the row opens and closes again).
    pub pattern: Option<&'static str>,
    /// Reason why klast could not run the point; null if klast ran the point.
    pub error: Option<String>,
}

/// The mass centre of the row at the end of one drive period.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
pub struct Section {
    /// The parameters.
    #[serde(flatten)]
    pub parameters: Columns,
    /// Number of the section.
    pub section: usize,
    /// Position of the mass centre of the row in the basin (m).
    pub centroid_m: f64,
    /// Velocity of the mass centre of the row in the basin (m/s).
    pub slip_m_s: f64,
}

impl Results {
    /// The results of all points of a sweep.
    #[must_use]
    pub fn of<E: Display>(axes: Vec<Axis>, points: &[Result<Response, E>]) -> Self {
        let best = |goal: Goal| -> Vec<Best> {
            let ranked = rank(points, goal);
            let ten = ranked.iter().take(10);
            ten.filter_map(|r| {
                Some(Best {
                    values: points.get(r.index)?.as_ref().ok()?.values.clone(),
                    score: r.score,
                })
            })
            .collect()
        };
        let summary = Summary {
            parameters: axes.iter().map(|a| a.name).collect(),
            largest_impact: best(Goal::LargestImpact),
            most_impacts: best(Goal::MostImpacts),
            largest_energy: best(Goal::LargestEnergy),
            most_rarified: best(Goal::MostRarified),
            most_densified: best(Goal::MostDensified),
        };
        let named = |values: &[f64]| {
            let names = axes.iter().map(|a| a.name);
            Columns::of(names.zip(values.iter().copied()))
        };
        let sections = points.iter().flatten().flat_map(|r| {
            let sections = r.sections.iter().enumerate();
            sections.map(|(section, s)| Section {
                parameters: named(&r.values),
                section,
                centroid_m: s.0,
                slip_m_s: s.1,
            })
        });
        let point = |(index, point): (usize, &Result<Response, E>)| match point {
            Ok(r) => Point::of(named(&r.values), r),
            Err(error) => Point {
                parameters: named(&values(&axes, index)),
                error: Some(error.to_string()),
                ..Point::default()
            },
        };
        Self {
            summary,
            sections: sections.collect(),
            sweep: points.iter().enumerate().map(point).collect(),
            failed: points.iter().filter(|p| p.is_err()).count(),
            axes,
        }
    }
}

impl Point {
    fn of(parameters: Columns, r: &Response) -> Self {
        let (inertia, kinetic) = (r.inertia_index, r.kinetic_index);
        Self {
            parameters,
            period: r
                .period
                .map_or_else(|| "none".to_owned(), |p| p.to_string()),
            residual: Some(r.residual),
            inertia_index_min: Some(inertia.0),
            inertia_index_mean: Some(inertia.1),
            inertia_index_max: Some(inertia.2),
            kinetic_index_mean: Some(kinetic.0),
            kinetic_index_max: Some(kinetic.1),
            impacts_per_period: Some(r.impacts.0),
            wall_impacts_per_period: Some(r.impacts.1),
            max_approach_energy_j: Some(r.largest_impact),
            pattern: Some(match r.pattern {
                Pattern::Densified => "densified",
                Pattern::Breathing => "breathing",
                Pattern::Rarified => "rarified",
            }),
            error: None,
        }
    }
}

/// The values of the parameters at one point of the sweep, of which the last runs fastest.
fn values(axes: &[Axis], mut index: usize) -> Vec<f64> {
    let mut values = Vec::new();
    for axis in axes.iter().rev() {
        let count = axis.values.len().max(1);
        values.push(axis.values.get(index % count).copied().unwrap_or(f64::NAN));
        index /= count;
    }
    values.reverse();
    values
}

impl KindResults for Results {
    type Summary = Summary;

    fn summary(&self) -> &Summary {
        &self.summary
    }

    fn verdict(&self) -> Answer {
        self.answer()
    }

    fn write_tables(&self, files: &mut dyn Files) -> Result<()> {
        let parameters = Columns::of(self.axes.iter().map(|a| (a.name, 0.0)));
        let like = Point {
            parameters: parameters.clone(),
            ..Point::default()
        };
        files.table_like("sweep.csv", &like, &self.sweep)?;
        let like = Section {
            parameters,
            ..Section::default()
        };
        files.table_like("sections.csv", &like, &self.sections)
    }
}
