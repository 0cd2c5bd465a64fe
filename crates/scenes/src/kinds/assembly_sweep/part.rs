//! A part of a sweep in a file, until all parts are joined.

use anyhow::{Context as _, Result};
use klast_assembly::analysis::{Pattern, Response};
use serde::{Deserialize, Serialize};

/// Name of the file.
pub const PART: &str = "part.json";

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

/// A number by its bits where JSON has no word for it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    Finite(f64),
    Bits { bits: u64 },
}

#[derive(Serialize, Deserialize)]
pub enum Word {
    Densified,
    Breathing,
    Rarified,
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        match value.is_finite() {
            true => Self::Finite(value),
            false => Self::Bits {
                bits: value.to_bits(),
            },
        }
    }
}

impl From<Number> for f64 {
    fn from(number: Number) -> Self {
        match number {
            Number::Finite(value) => value,
            Number::Bits { bits } => Self::from_bits(bits),
        }
    }
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

/// The points of a part.
///
/// # Errors
/// A file that cannot be read, or is no part.
pub fn read(file: &std::path::Path) -> Result<Vec<Point>> {
    let text = crate::reading::text(file)?;
    serde_json::from_str(&text)
        .with_context(|| format!("{}: not a part of a sweep", file.display()))
}
