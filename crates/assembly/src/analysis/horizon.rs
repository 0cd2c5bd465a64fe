//! For how long a run can be trusted digit by digit.

use crate::assembly::Assembly;
use crate::error::AssemblyError;

/// The horizon of predictability of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Horizon {
    /// Time, s, at which a disturbance of 1e-13 of the free travel had grown to 1e-9 of it, or at which two impacts
    /// fell within rounding of each other, whichever is earlier; `None` if neither happened.
    pub time: Option<f64>,
    /// Distance of the disturbed run at the end, in parts of the free travel.
    pub final_distance: f64,
    /// Time until which the run was watched, s.
    pub watched: f64,
}

/// The disturbance: some thousand times rounding, so the horizon is on the safe side.
const DISTURBANCE: f64 = 1e-13;
/// The distance at which digits count as lost.
const LOST: f64 = 1e-9;

/// Advances `run` to `until` together with a twin whose clusters are displaced by 1e-13 of the free travel, and
/// compares them `samples` times.
///
/// # Errors
/// An end before the present time.
pub fn horizon(run: &mut Assembly, until: f64, samples: u64) -> Result<Horizon, AssemblyError> {
    let free = run.free_travel();
    let (mut y, w) = run.phase_point();
    for (k, (c, last)) in run.clusters().into_iter().enumerate() {
        // Alternating, so that the twin is no shifted copy; away from the wall that is touched.
        let away = if y[c] <= 0.0 || (k % 2 == 0 && y[c] < free) {
            1.0
        } else {
            -1.0
        };
        for place in &mut y[c..=last] {
            *place += away * DISTURBANCE * free;
        }
    }
    let mut twin = run.restarted(&y, &w);
    let begin = run.time();
    let mut report = Horizon {
        time: None,
        final_distance: 0.0,
        watched: until,
    };
    for k in 1..=samples.max(1) {
        let time = begin + (until - begin) * (k as f64 / samples.max(1) as f64);
        run.advance_to(time)?;
        // The twin's clock differs from the run's by rounding at most.
        twin.advance_to(time.max(twin.time()))?;
        let apart = run
            .phase_point()
            .0
            .iter()
            .zip(&twin.phase_point().0)
            .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        report.final_distance = if free > 0.0 { apart / free } else { 0.0 };
        if report.final_distance > LOST && report.time.is_none() {
            report.time = Some(time);
        }
    }
    for met in [run.first_coincidence(), twin.first_coincidence()] {
        if let Some(time) = met.filter(|t| *t >= begin) {
            report.time = Some(report.time.map_or(time, |t| t.min(time)));
        }
    }
    Ok(report)
}
