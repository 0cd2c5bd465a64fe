//! Whether a record that was read can be one: what its peak, its steps, its start, its mean and its velocity say
//! against the unit or the quantity that it was read in.

use klast_ground_motion::{AccelerationUnit, Record};

/// Headers give three digits or more: more than a part in a hundred off is another record than the header's.
const PEAK_TOLERANCE: f64 = 0.01;

/// The remark on values (m/s²) that do not have the peak (m/s²) that their header states.
pub fn peak_remark(stated: f64, samples: &[f64]) -> Option<String> {
    let found = samples.iter().fold(0.0f64, |m, a| m.max(a.abs()));
    let stated = stated.abs();
    // Printed to the last digit of their units: 1e-3 m/s² is one of the coarsest (0.1 gal).
    let differs = (found - stated).abs() > PEAK_TOLERANCE * stated + 1e-3;
    differs.then(|| {
        format!("the header states a peak of {stated:.5} m/s², the values have {found:.5} m/s²: cut, edited or \
            another record")
    })
}

/// Peak (m/s²) above which the unit is doubted: the strongest records reach about 4 g.
const DOUBTED_PEAK: f64 = 50.0;
/// Step (s) above which the unit of the time is doubted: records have 20 samples a second or more.
const DOUBTED_STEP: f64 = 0.1;
/// A first time (s) below which nobody wonders: instruments keep some seconds before an event.
const LATE_START: f64 = 60.0;
/// A finer step (s) is none of a recorder of motions.
const FINEST_STEP: f64 = 1e-5;

fn to_six_digits(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

/// Velocity (m/s) above which values that end with it are doubted: the largest of records are near 4 m/s.
const DOUBTED_VELOCITY: f64 = 10.0;

/// The remark on values whose velocity ends at its peak, above any record, as that of a series of one sign does.
fn doubted_velocity(record: &Record) -> Option<String> {
    let baseline = record.baseline().ok()?;
    let last = baseline.final_velocity.abs();
    // The peak itself, but for what is left of the motion at the end.
    (last > DOUBTED_VELOCITY && baseline.velocity_ratio > 0.99).then(|| {
        format!(
            "the velocity ends at its peak of {last:.1} m/s, above any record: are all values accelerations, is the \
                unit right, \
             is the mean taken off?"
        )
    })
}

/// The remarks on a record whose values, times or mean are those of another unit or quantity.
pub fn plausibility(record: &Record) -> Vec<String> {
    let mut remarks = Vec::new();
    let peak = record
        .accelerations()
        .iter()
        .fold(0.0f64, |m, a| m.max(a.abs()));
    if peak > DOUBTED_PEAK {
        remarks.push(format!(
            "a peak of {peak:.1} m/s² is above any record: is the unit right?"
        ));
    } else if peak == 0.0 {
        remarks.push("all accelerations are 0".to_owned());
    }
    let steps = || record.times().windows(2).map(|pair| pair[1] - pair[0]);
    // A difference of two times has digits of their rounding.
    let shortest = to_six_digits(steps().fold(f64::INFINITY, f64::min));
    let longest = to_six_digits(steps().fold(0.0f64, f64::max));
    if shortest > DOUBTED_STEP {
        remarks.push(format!(
            "a step of {shortest} s is too coarse for a record: are the times in seconds?"
        ));
    }
    let (first, last) = (record.times()[0], record.times()[record.times().len() - 1]);
    if first > LATE_START.max(last - first) && longest >= FINEST_STEP {
        remarks.push(format!(
            "the first time is {first} s, later than the record is long: the base is at rest until then; take that \
                time off \
             all others if it is a time of day"
        ));
    }
    if longest < FINEST_STEP {
        remarks.push(format!(
            "a step of {longest} s is finer than any record: are the times in seconds?"
        ));
    }
    let mean = record.accelerations().iter().sum::<f64>() / record.accelerations().len() as f64;
    let of_gravity = (mean.abs() - AccelerationUnit::StandardGravity.factor()).abs() < 0.5;
    if of_gravity {
        remarks.push(format!(
            "the mean of the accelerations is {mean:.2} m/s², that of gravity: take it off where it is none of the \
                motion"
        ));
    }
    if peak <= DOUBTED_PEAK && !of_gravity {
        remarks.extend(doubted_velocity(record));
    }
    // Times are printed to a digit or two less than the step.
    if longest > 1.5 * shortest {
        let gaps = steps().filter(|step| *step > 1.5 * shortest).count();
        remarks.push(format!(
            "{gaps} steps are longer than 1.5 times the shortest ({shortest} s; the longest is {longest} s): linear \
                between them"
        ));
    }
    remarks
}
