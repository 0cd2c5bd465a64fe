//! Tracks of throws from a table.

use glam::{DQuat, DVec3};
use klast_dynamics::{State, Twist};
use klast_geometry::Pose;
use klast_rockfall::thrown::{Experiment, Sample, Throw, first_flight};
use klast_runs::error::{Context as _, Result};

use klast_files::table::{self, Faults, Row};
use klast_runs::text::SceneText;

const PLACE: [&str; 3] = ["x_m", "y_m", "z_m"];
const ATTITUDE: [&str; 4] = ["qw", "qx", "qy", "qz"];
const VELOCITY: [&str; 3] = ["vx_m_s", "vy_m_s", "vz_m_s"];
const SPIN: [&str; 3] = ["wx_rad_s", "wy_rad_s", "wz_rad_s"];

/// A throw as its rows say it.
struct Track {
    name: String,
    begins: f64,
    samples: Vec<Sample>,
    velocity: Option<DVec3>,
    spin: Option<DVec3>,
}

/// Reads all throws; everything that is wrong with the table is in one error.
///
/// # Errors
/// A table that cannot be read or has rows that are no samples; throws that never meet the ground.
pub fn read(file: &str, text: &SceneText, experiment: &Experiment) -> Result<Vec<Throw>> {
    let rows = table::rows(&text.path(file), &text.read_bytes(file)?)?;
    let (tracks, mut wrong) = tracks(file, &rows, experiment);
    let mut throws = Vec::new();
    if wrong.is_empty() {
        for track in &tracks {
            let found = throw(track, experiment);
            let found = found.with_context(|| format!("{file}: throw '{}'", track.name));
            throws.extend(wrong.keep(found));
        }
    }
    wrong.none()?;
    let sphere = experiment.body.sphere_radius().is_some();
    understood(file, &tracks, sphere, text);
    Ok(throws)
}

/// What is taken for granted; a sphere has no attitude that matters.
fn understood(file: &str, tracks: &[Track], sphere: bool, text: &SceneText) {
    let samples: usize = tracks.iter().map(|t| t.samples.len()).sum();
    text.note(format!(
        "{file}: {} throws, {samples} samples",
        tracks.len()
    ));
    let count = |is: fn(&Track) -> bool| tracks.iter().filter(|t| is(t)).count();
    let lacks = [
        (
            count(|t| t.velocity.is_none()),
            "no velocity at the start: it is that of the samples before the first impact",
        ),
        (
            count(|t| t.spin.is_none()),
            "no spin at the start: taken as none",
        ),
        (
            match sphere {
                true => 0,
                false => count(|t| t.samples.first().is_none_or(|s| s.attitude.is_none())),
            },
            "no attitude at the start: taken as not turned from how the shape stands in the scene",
        ),
    ];
    for (of, what) in lacks.into_iter().filter(|(of, _)| *of > 0) {
        text.caution(format!(
            "{file}: {of} of {} throws have {what}",
            tracks.len()
        ));
    }
}

fn tracks(file: &str, rows: &[Row], experiment: &Experiment) -> (Vec<Track>, Faults) {
    let (mut tracks, mut wrong) = (Vec::new(), Faults::default());
    let groups = || [&ATTITUDE[..], &VELOCITY, &SPIN].into_iter();
    if let Some(row) = rows.first() {
        let known = |name: &&str| {
            ["throw", "time_s"].contains(name)
                || PLACE.contains(name)
                || groups().any(|g| g.contains(name))
        };
        let unknown: Vec<&str> = row.columns().filter(|c| !known(c)).collect();
        if !unknown.is_empty() {
            wrong.add(format!(
                "{file}: columns {}; accepted: throw, time_s, {}",
                unknown.join(", "),
                [&PLACE[..], &ATTITUDE, &VELOCITY, &SPIN]
                    .concat()
                    .join(", ")
            ));
        }
        for group in groups() {
            let found = group.iter().filter(|c| row.has(c)).count();
            if found > 0 && found < group.len() {
                wrong.add(format!(
                    "{file}: {found} of the columns {}; accepted: all of them or none",
                    group.join(", ")
                ));
            }
        }
        let needed = ["throw", "time_s"].into_iter().chain(PLACE);
        if let Some(said) = table::lacking(file, rows, needed) {
            wrong.add(said);
        }
    }
    if !wrong.is_empty() {
        return (tracks, wrong);
    }
    for row in rows {
        wrong.keep(enter(row, experiment, &mut tracks));
    }
    (tracks, wrong)
}

/// Adds a row to its throw.
fn enter(row: &Row, experiment: &Experiment, tracks: &mut Vec<Track>) -> Result<()> {
    let name = row.word("throw")?;
    let (time, centre) = (row.number("time_s")?, row.vector(PLACE)?);
    over_ground(row, name, centre, experiment)?;
    let attitude = group(row, ATTITUDE)?.map(|[w, x, y, z]| DQuat::from_xyzw(x, y, z, w));
    let attitude = match attitude {
        Some(q) if q.length_squared() == 0.0 => {
            return Err(klast_runs::said!(
                "{}: a quaternion of length 0; accepted: any other",
                row.place()
            ));
        }
        Some(q) => Some(
            experiment
                .body
                .pose_of(&Pose::new(q, DVec3::ZERO)?)
                .rotation,
        ),
        None => None,
    };
    let (velocity, spin) = (group(row, VELOCITY)?, group(row, SPIN)?);
    let sample = |begins: f64| Sample {
        time: time - begins,
        centre,
        attitude,
    };
    let Some(track) = tracks.iter_mut().find(|t| t.name == name) else {
        tracks.push(Track {
            name: name.to_owned(),
            begins: time,
            samples: vec![sample(time)],
            velocity: velocity.map(DVec3::from),
            spin: spin.map(DVec3::from),
        });
        return Ok(());
    };
    let sample = sample(track.begins);
    let last = track.samples.last().map_or(0.0, |s| s.time);
    if sample.time <= last {
        return Err(klast_runs::said!(
            "{}: time_s is {time} in throw '{name}'; accepted: above {}, that of its last row",
            row.place(),
            track.begins + last
        ));
    }
    track.samples.push(sample);
    Ok(())
}

/// Refuses a sample beside the ground, where nothing could be computed.
fn over_ground(row: &Row, name: &str, centre: DVec3, experiment: &Experiment) -> Result<()> {
    let ground = experiment.terrain;
    if ground.surface(centre.x, centre.y).is_some() {
        return Ok(());
    }
    let extent = ground.extent();
    Err(klast_runs::said!(
        "{}: x_m is {}, y_m is {} in throw '{name}', where there is no ground; accepted: x_m from {} to {}",
        row.place(),
        centre.x,
        centre.y,
        extent.lower.x,
        extent.upper.x
    ))
}

/// The numbers of a group of columns; none where it is missing or its cells are empty.
fn group<const N: usize>(row: &Row, columns: [&'static str; N]) -> Result<Option<[f64; N]>> {
    let full = |column: &&str| row.has(column) && row.word(column).is_ok_and(|w| !w.is_empty());
    match columns.iter().filter(|c| full(c)).count() {
        0 => Ok(None),
        n if n == N => {
            let mut numbers = [0.0; N];
            for (number, column) in numbers.iter_mut().zip(columns) {
                *number = row.number(column)?;
            }
            Ok(Some(numbers))
        }
        n => Err(klast_runs::said!(
            "{}: {n} of {} are given; accepted: all of them or none",
            row.place(),
            columns.join(", ")
        )),
    }
}

/// The start of a track and the samples after it, of which one at least lies behind the first impact.
fn throw(track: &Track, experiment: &Experiment) -> Result<Throw> {
    let [first, samples @ ..] = track.samples.as_slice() else {
        return Err(klast_runs::said!("no samples; accepted: two or more"));
    };
    if samples.is_empty() {
        return Err(klast_runs::said!("one sample; accepted: two or more"));
    }
    let turned = experiment.body.pose_of(&Pose::IDENTITY).rotation;
    let mut start = State::new(
        Pose::new(first.attitude.unwrap_or(turned), first.centre)?,
        Twist {
            linear: track.velocity.unwrap_or_default(),
            angular: track.spin.unwrap_or_default(),
        },
    )?;
    if track.velocity.is_none() {
        let found = first_flight(experiment, start, &track.samples)?;
        start = found
            .ok_or_else(|| {
                klast_runs::said!(
                    "less than two samples before the first impact, and no velocity; accepted: {}, or more samples",
                    VELOCITY.join(", ")
                )
            })?
            .start;
    }
    let throw = Throw {
        name: track.name.clone(),
        start,
        samples: samples.to_vec(),
    };
    if experiment.starts_below(&throw)? {
        return Err(klast_runs::said!(
            "it starts in the ground, its mass centre at {} m in its first row; accepted: no point of the body below the ground",
            start.pose.translation
        ));
    }
    let first = experiment.first_impact(start, throw.end())?;
    let touched = first.map_or(f64::INFINITY, |first| first.time);
    let compared = |s: &&Sample| s.time > touched && s.time - touched <= experiment.until;
    if throw.samples.iter().filter(compared).count() == 0 {
        return Err(match touched.is_finite() {
            true => klast_runs::said!(
                "no sample between the first impact, {touched:.4} s after its start, and until_s after it; accepted: one or more"
            ),
            false => klast_runs::said!(
                "it does not meet the ground within its {} s; accepted: samples after the first impact",
                throw.end()
            ),
        });
    }
    Ok(throw)
}
