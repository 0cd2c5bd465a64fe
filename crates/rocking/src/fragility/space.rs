//! Bodies in space: the response to a record triplet that comes in at an angle, and measures over all directions.

use klast_ground_motion::Component;
use klast_numerics::check::require;

use super::intensity::IntensityMeasure;
use super::state::Response;
use crate::block::RockingBlock;
use crate::error::RockingError;
use crate::spatial::{DrumMotion, SpatialColumn, SpatialMotion, SpatialOptions, SpatialOutcome};

/// Part of the steps that may be left above the tolerance before a run is undecided.
const UNSOLVED_SHARE: f64 = 1e-3;

/// Directions over half a turn, 5° apart: the largest of them is within 0.1 % of that of all directions.
const DIRECTIONS: u32 = 36;

/// The response of a body, or of bodies on one another, on a base with `motion`: the peak is the largest tilt over the
/// critical tilt of its direction, the slip the largest way on what is below, of all bodies; it has overturned when one
/// of them has. A run that still rocks, or of which the contacts of more than one step in a thousand are not solved, is
/// undecided.
///
/// # Errors
/// Those of [`SpatialColumn::run`].
pub fn spatial_response(
    column: &SpatialColumn,
    motion: &SpatialMotion,
    gravity: f64,
    options: &SpatialOptions,
) -> Result<Response, RockingError> {
    let run = column.run(motion, gravity, options)?;
    let largest = |of: fn(&DrumMotion) -> f64| run.drums.iter().map(of).fold(0.0, f64::max);
    let overturned = matches!(run.outcome, SpatialOutcome::Overturned { .. });
    let steps = run.end_time / options.step;
    let rests = run.outcome == SpatialOutcome::Rest;
    Ok(Response {
        peak: if rests {
            0.0
        } else {
            largest(|drum| drum.largest_ratio)
        },
        slip: largest(|drum| drum.largest_offset),
        overturned,
        total: overturned,
        undecided: run.outcome == SpatialOutcome::Rocking
            || run.unconverged as f64 > UNSOLVED_SHARE * steps,
        ..Response::default()
    })
}

/// The value that a share of all horizontal directions does not exceed, of a measure of the component along them: 0.5
/// for RotD50, 1 for RotD100 (Boore 2010, Bulletin of the Seismological Society of America 100, 1830). Between two
/// directions in order of their values it is interpolated.
///
/// # Errors
/// A share that is not between 0 and 1; components without a sum; those of [`IntensityMeasure::of`].
pub fn over_directions(
    measure: IntensityMeasure,
    block: &RockingBlock,
    [x, y]: [&Component; 2],
    share: f64,
) -> Result<f64, RockingError> {
    let inside = (0.0..=1.0).contains(&share);
    require("share of the directions", share, inside, "0 to 1")?;
    let mut values = Vec::with_capacity(DIRECTIONS as usize);
    for k in 0..DIRECTIONS {
        let angle = std::f64::consts::PI * f64::from(k) / f64::from(DIRECTIONS);
        let (sin, cos) = libm::sincos(angle);
        values.push(measure.of(block, &x.combined(cos, y, sin)?)?);
    }
    values.sort_by(f64::total_cmp);
    let at = share * f64::from(DIRECTIONS - 1);
    let (low, part) = (at as usize, at.fract());
    let value = |k: usize| values.get(k).or(values.last()).copied().unwrap_or(0.0);
    Ok(value(low) + part * (value(low + 1) - value(low)))
}
