//! The paths of the first rocks: a table, GeoJSON and VTK.

use glam::DVec3;
use klast_rockfall::{Arc, Motion, Simulation};
use klast_runs::error::Result;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::frame::Frame;
use klast_files::mesh::vtk::{PolyData, Values};
use klast_files::shapes::geojson;
use klast_runs::files::{Files, FilesExt as _};

/// Envelopes are taken over so many rocks, if there are as many.
const ENVELOPE: u64 = 200;
/// A way of more moments is written without those of contact that are closer than this (s).
const LONG: usize = 2000;
const PICTURE: f64 = 0.05;

/// State of a rock at one time, in map coordinates.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct Moment {
    /// Number of the rock, counted from 0.
    pub rock: u64,
    /// Time (s).
    pub time_s: f64,
    /// Position of the mass centre, x (m).
    pub x_m: f64,
    /// Position of the mass centre, y (m).
    pub y_m: f64,
    /// Position of the mass centre, z (m).
    pub z_m: f64,
    /// Velocity along x (m/s).
    pub vx_m_s: f64,
    /// Velocity along y (m/s).
    pub vy_m_s: f64,
    /// Velocity along z (m/s).
    pub vz_m_s: f64,
    /// Kinetic energy of the rotation (J).
    pub rotational_energy_j: f64,
    /// Height of the mass centre over the ground (m); null where there is no ground.
    pub height_m: Option<f64>,
    /// `flight` or `contact`.
    pub motion: &'static str,
    /// Spin about x (rad/s); null in the rows within an arc of constant acceleration.
    pub wx_rad_s: Option<f64>,
    /// Spin about y (rad/s); null in the same rows as `wx_rad_s`.
    pub wy_rad_s: Option<f64>,
    /// Spin about z (rad/s); null in the same rows as `wx_rad_s`.
    pub wz_rad_s: Option<f64>,
}

/// One rock from release to its end.
#[derive(Debug, Clone)]
pub struct Path {
    /// Number of the rock, counted from 0.
    pub rock: u64,
    /// How it ended.
    pub outcome: String,
    /// Mass (kg).
    pub mass: f64,
    /// Moments in order of time.
    pub moments: Vec<Moment>,
}

impl Moment {
    /// Speed (m/s).
    #[must_use]
    pub fn speed(&self) -> f64 {
        (self.vx_m_s * self.vx_m_s + self.vy_m_s * self.vy_m_s + self.vz_m_s * self.vz_m_s).sqrt()
    }
}

impl Path {
    /// Kinetic energy at a moment (J).
    #[must_use]
    pub fn energy(&self, m: &Moment) -> f64 {
        let speed = m.speed();
        0.5 * self.mass * speed * speed + m.rotational_energy_j
    }
}

/// Which moments of a path are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kept {
    /// Where stretches begin and end, and each 0.05 s between; of a long way on the ground as many as its picture
    /// needs.
    Picture,
    /// The same of every stretch, however many there are: the steps of a program that is followed.
    Steps,
    /// The states of flights at multiples of an interval (s), as a program has them that stores states; nothing else of
    /// a flight is known. `isotropic` tells that all rocks have three equal moments of inertia: then their spin is
    /// known there too.
    Stored {
        /// The interval (s).
        every: f64,
        /// Whether the spin in flight is constant.
        isotropic: bool,
    },
}

/// Those of the first `written` rocks, and as many as envelopes are taken over.
#[must_use]
pub fn paths(simulation: &Simulation, kept: Kept, written: u64) -> Vec<Path> {
    if written == 0 {
        return Vec::new();
    }
    let followed = written.max(ENVELOPE).min(simulation.count());
    (0..followed)
        .into_par_iter()
        .map(|rock| follow(simulation, kept, rock))
        .filter(|p| p.moments.len() > 1)
        .collect()
}

fn follow(simulation: &Simulation, kept: Kept, rock: u64) -> Path {
    let terrain = &simulation.scene().terrain;
    let origin = terrain.origin();
    let mut moments = Vec::new();
    let mut take = |arc: &Arc, t: f64, spin: Option<DVec3>| {
        let local = arc.position_at(t);
        let (p, v) = (local + origin, arc.velocity_at(t));
        let ground = terrain.surface(local.x, local.y);
        moments.push(Moment {
            rock,
            time_s: arc.time + t,
            x_m: p.x,
            y_m: p.y,
            z_m: p.z,
            vx_m_s: v.x,
            vy_m_s: v.y,
            vz_m_s: v.z,
            rotational_energy_j: arc.rotational_energy,
            height_m: ground.map(|s| local.z - s.height),
            motion: match arc.motion {
                Motion::Flight => "flight",
                Motion::Contact => "contact",
            },
            wx_rad_s: spin.map(|w| w.x),
            wy_rad_s: spin.map(|w| w.y),
            wz_rad_s: spin.map(|w| w.z),
        });
    };
    let result = simulation.rock(rock, &mut |arc| match (kept, arc.motion) {
        (Kept::Stored { every, isotropic }, Motion::Flight) => {
            // A moment on the border of two flights is the later one's.
            let first = (arc.time / every).ceil();
            let count = ((arc.time + arc.duration) / every - first).ceil().max(0.0) as u32;
            for k in 0..count {
                let t = (first + f64::from(k)) * every - arc.time;
                take(arc, t, isotropic.then_some(arc.spin));
            }
        }
        _ => {
            // A point each 0.05 s shows the bend of an arc, and no class of the envelopes is flown over.
            let pieces = (arc.duration / 0.05).ceil().clamp(1.0, 200.0) as u32;
            for k in 0..=pieces {
                let t = arc.duration * f64::from(k) / f64::from(pieces);
                take(arc, t, (k == 0).then_some(arc.spin));
            }
        }
    });
    Path {
        rock,
        outcome: format!("{:?}", result.outcome),
        mass: result.mass,
        moments: match kept {
            Kept::Picture => thinned(moments),
            Kept::Steps | Kept::Stored { .. } => moments,
        },
    }
}

/// Of a long way on the ground the moments that are as far apart as those of a flight: steps in contact are shorter
/// than their picture needs. Ends of flights stay.
fn thinned(moments: Vec<Moment>) -> Vec<Moment> {
    if moments.len() <= LONG {
        return moments;
    }
    let last = moments.len() - 1;
    let mut kept: Vec<Moment> = Vec::new();
    for (k, moment) in moments.iter().enumerate() {
        let flies = |m: Option<&Moment>| m.is_some_and(|m| m.motion == "flight");
        let near = kept
            .last()
            .is_some_and(|m| moment.time_s - m.time_s < PICTURE);
        let end = k == last || flies(Some(moment)) || flies(moments.get(k + 1));
        if end || !near {
            kept.push(*moment);
        }
    }
    kept
}

/// The moments of the paths that are written.
#[must_use]
pub fn rows(paths: &[Path], written: u64) -> Vec<Moment> {
    let first = paths.iter().filter(|p| p.rock < written);
    first.flat_map(|p| p.moments.iter().copied()).collect()
}

/// To so many parts of a unit.
fn rounded(value: f64, parts: f64) -> f64 {
    (parts * value).round() / parts
}

impl Moment {
    /// As it is written of a picture: to a tenth of a millimetre and a millionth of a second, metre per second, radian
    /// per second and joule.
    #[must_use]
    pub fn for_a_picture(&self) -> Self {
        let place = |x: f64| rounded(x, 1e4);
        let fine = |x: f64| rounded(x, 1e6);
        Self {
            time_s: fine(self.time_s),
            x_m: place(self.x_m),
            y_m: place(self.y_m),
            z_m: place(self.z_m),
            vx_m_s: fine(self.vx_m_s),
            vy_m_s: fine(self.vy_m_s),
            vz_m_s: fine(self.vz_m_s),
            rotational_energy_j: fine(self.rotational_energy_j),
            height_m: self.height_m.map(place),
            wx_rad_s: self.wx_rad_s.map(fine),
            wy_rad_s: self.wy_rad_s.map(fine),
            wz_rad_s: self.wz_rad_s.map(fine),
            ..*self
        }
    }
}

/// The paths without moments that are where and as fast as the one before: one stretch ends where the next begins.
fn without_joints(paths: &[Path]) -> Vec<Path> {
    let same = |a: &Moment, b: &Moment| {
        (a.x_m, a.y_m, a.z_m, a.speed()) == (b.x_m, b.y_m, b.z_m, b.speed())
            && a.rotational_energy_j == b.rotational_energy_j
    };
    let of = |path: &Path| {
        let mut path = path.clone();
        path.moments.dedup_by(|b, a| same(a, b));
        path
    };
    paths.iter().map(of).collect()
}

/// Writes the paths as lines.
///
/// # Errors
/// If a file cannot be written.
pub fn write(paths: &[Path], written: u64, frame: &Frame, files: &mut dyn Files) -> Result<()> {
    let shown = without_joints(paths);
    let first: Vec<&Path> = shown.iter().filter(|p| p.rock < written).collect();
    frame.write("trajectories", lines(&first), files)?;
    files.text("trajectories.vtp", &vtp(&first))
}

fn lines(paths: &[&Path]) -> Vec<geojson::Line> {
    let line = |path: &&Path| {
        let mut properties = serde_json::Map::new();
        properties.insert("rock".into(), path.rock.into());
        properties.insert("outcome".into(), path.outcome.clone().into());
        properties.insert("mass_kg".into(), path.mass.into());
        let points = path.moments.iter().map(|m| vec![m.x_m, m.y_m, m.z_m]);
        (points.collect(), properties)
    };
    paths.iter().map(line).collect()
}

/// The paths as lines with time, speed and energy at each point.
fn vtp(paths: &[&Path]) -> String {
    let mut data = PolyData::default();
    let (mut times, mut speeds, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    for path in paths {
        let from = data.points.len();
        for m in &path.moments {
            data.points.push([m.x_m, m.y_m, m.z_m]);
            times.push(m.time_s);
            speeds.push(rounded(m.speed(), 1e6));
            energies.push(rounded(1e-3 * path.energy(m), 1e6));
        }
        data.lines.push((from..data.points.len()).collect());
    }
    data.point_values = vec![
        Values::new("time_s", 1, times),
        Values::new("speed_m_s", 1, speeds),
        Values::new("energy_kj", 1, energies),
    ];
    data.vtp()
}
