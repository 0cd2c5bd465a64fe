//! A part of a sweep in a file, until all parts are joined.

use klast_assembly::analysis::{Pattern, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use klast_runs::parts::{Number, fraction};

/// The response at a point, or why there is none.
#[derive(Serialize, Deserialize)]
pub enum Point {
    Ran {
        values: Vec<f64>,
        period: Option<u64>,
        residual: Number,
        sections: Vec<(f64, f64)>,
        inertia_index: [Number; 3],
        kinetic_index: [Number; 2],
        impacts: (f64, f64),
        largest_impact: Number,
        clusters: (usize, usize),
        pattern: Word,
    },
    Failed(String),
}

/// What points of a part say before all are joined.
#[must_use]
pub fn numbers(points: &[Point]) -> Value {
    let of = |holds: fn(&Point) -> bool| {
        let found = points.iter().filter(|p| holds(p)).count();
        fraction(found, points.len())
    };
    json!({
        "rows": points.len(),
        "failed_fraction": of(|p| matches!(p, Point::Failed(_))),
        "periodic_fraction": of(|p| matches!(p, Point::Ran { period: Some(_), .. })),
    })
}

#[derive(Serialize, Deserialize)]
pub enum Word {
    Densified,
    Breathing,
    Rarified,
}

impl Point {
    /// What is kept of a point.
    pub fn of<E: std::fmt::Display>(point: &Result<Response, E>) -> Self {
        let r = match point {
            Ok(response) => response,
            Err(error) => return Self::Failed(error.to_string()),
        };
        let (inertia, kinetic) = (r.inertia_index, r.kinetic_index);
        Self::Ran {
            values: r.values.clone(),
            period: r.period,
            residual: r.residual.into(),
            sections: r.sections.clone(),
            inertia_index: [inertia.0, inertia.1, inertia.2].map(Number::from),
            kinetic_index: [kinetic.0, kinetic.1].map(Number::from),
            impacts: r.impacts,
            largest_impact: r.largest_impact.into(),
            clusters: r.clusters,
            pattern: match r.pattern {
                Pattern::Densified => Word::Densified,
                Pattern::Breathing => Word::Breathing,
                Pattern::Rarified => Word::Rarified,
            },
        }
    }

    /// The point itself.
    pub fn response(self) -> Result<Response, String> {
        match self {
            Self::Failed(why) => Err(why),
            Self::Ran {
                values,
                period,
                residual,
                sections,
                inertia_index: [least, mean, largest],
                kinetic_index: [kinetic_mean, kinetic_largest],
                impacts,
                largest_impact,
                clusters,
                pattern,
            } => Ok(Response {
                values,
                period,
                residual: residual.into(),
                sections,
                inertia_index: (least.into(), mean.into(), largest.into()),
                kinetic_index: (kinetic_mean.into(), kinetic_largest.into()),
                impacts,
                largest_impact: largest_impact.into(),
                clusters,
                pattern: match pattern {
                    Word::Densified => Pattern::Densified,
                    Word::Breathing => Pattern::Breathing,
                    Word::Rarified => Pattern::Rarified,
                },
            }),
        }
    }
}
