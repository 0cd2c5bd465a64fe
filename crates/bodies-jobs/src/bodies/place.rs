//! Where bodies start: poses, copies of them, and lists of poses from files.

use glam::{DQuat, DVec3};
use klast_geometry::Pose;
use klast_runs::error::{Context as _, Result};
use klast_runs::{bail, ensure};
use klast_sampling::{Purpose, Streams, open_uniform};
use schemars::JsonSchema;
use serde::Deserialize;

use klast_runs::common::number_table::rows;
use klast_runs::faults::{At as _, Fault};
use klast_runs::text::SceneText;

/// More bodies than this are a mistake.
pub const MOST_BODIES: usize = 50_000;

/// A rotation about an axis through the origin of the shape or, for copies, through the point `about_m`.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Axis of the turn, a vector of any length but 0.
    axis: [f64; 3],
    /// Angle (degrees), right-handed about the axis.
    angle_deg: f64,
}

impl Turn {
    fn rotation(&self) -> Result<DQuat> {
        let axis = DVec3::from(self.axis);
        ensure!(
            axis.is_finite() && axis.length() > 0.0 && axis.length().is_finite(),
            Fault::new("axis", format!("{:?}", self.axis)).accepted("finite and not zero")
        );
        ensure!(
            self.angle_deg.is_finite(),
            Fault::new("angle_deg", self.angle_deg).accepted("finite")
        );
        let (sin, cos) = libm::sincos(0.5 * self.angle_deg.to_radians());
        let v = axis / axis.length() * sin;
        Ok(DQuat::from_xyzw(v.x, v.y, v.z, cos))
    }
}

/// Copies of a body. Copy number k, counted from 0, is shifted k times by `shift_m` and turned k times by `turn`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Copies {
    /// Number of bodies, including the first body: 1 or more. A scene has at most 50,000 bodies.
    count: u32,
    /// Shift from one body to the next along x, y and z (m); 0 unless stated.
    #[serde(default)]
    shift_m: [f64; 3],
    /// Turn from one body to the next. Without this key the copies are not turned.
    #[serde(default)]
    turn: Option<Turn>,
    /// Point through which the axis of the turn passes (m); the origin unless stated.
    #[serde(default)]
    about_m: [f64; 3],
}

/// Where the bodies of one entry start.
#[derive(Debug, Clone)]
pub struct Placing<'a> {
    /// Origin of the shape (m).
    pub at: [f64; 3],
    /// Rotation by axis and angle.
    pub turn: Option<Turn>,
    /// Rotation by quaternion w, x, y, z.
    pub quaternion: Option<[f64; 4]>,
    /// Copies, each list over all those before.
    pub copies: &'a [Copies],
    /// A file with a pose a line in place of the one above.
    pub file: Option<&'a str>,
    /// Every body is turned by chance.
    pub tumbled: bool,
}

impl Placing<'_> {
    /// The poses of the shapes; `first` is the number of the first body, for its stream of chance.
    pub fn poses(&self, scene: &SceneText, seed: u64, first: usize) -> Result<Vec<Pose>> {
        let mut poses = match self.file {
            Some(file) => from_file(scene, file).at("poses_file")?,
            None => vec![self.pose()?],
        };
        for (k, copies) in self.copies.iter().enumerate() {
            poses = copies.of(&poses).at(format!("copies[{k}]"))?;
        }
        ensure!(
            poses.len() + first <= MOST_BODIES,
            "more than {MOST_BODIES} bodies"
        );
        if self.tumbled {
            let streams = Streams::new(seed);
            for (k, pose) in poses.iter_mut().enumerate() {
                pose.rotation = by_chance(&streams, (first + k) as u64);
            }
        }
        Ok(poses)
    }

    fn pose(&self) -> Result<Pose> {
        let rotation = match (&self.turn, self.quaternion) {
            (Some(_), Some(_)) => {
                bail!(Fault::new("turn", "beside quaternion_wxyz").accepted("one of them"))
            }
            (Some(turn), None) => turn.rotation().at("turn")?,
            (None, Some([w, x, y, z])) => DQuat::from_xyzw(x, y, z, w),
            (None, None) => DQuat::IDENTITY,
        };
        Ok(Pose::new(rotation, DVec3::from(self.at))?)
    }
}

impl Copies {
    fn of(&self, poses: &[Pose]) -> Result<Vec<Pose>> {
        let count = self.count as usize;
        ensure!(
            count >= 1 && count.saturating_mul(poses.len()) <= MOST_BODIES,
            Fault::new("count", format!("{count} of {}", poses.len()))
                .accepted(format!("1 or more, {MOST_BODIES} bodies in all"))
        );
        let about = DVec3::from(self.about_m);
        let shift = DVec3::from(self.shift_m);
        let mut all = Vec::with_capacity(count * poses.len());
        for k in 0..self.count {
            let times = f64::from(k);
            let turn = self.turn.map_or(Ok(DQuat::IDENTITY), |t| {
                Turn {
                    angle_deg: t.angle_deg * times,
                    ..t
                }
                .rotation()
            })?;
            for pose in poses {
                let at = about + turn * (pose.translation - about) + shift * times;
                all.push(Pose::new(turn * pose.rotation, at)?);
            }
        }
        Ok(all)
    }
}

/// A rotation, uniform over all of them (Shoemake 1992).
fn by_chance(streams: &Streams, index: u64) -> DQuat {
    let mut dice = streams.rng(Purpose::Attitude, index);
    let mut next = || open_uniform(&mut dice);
    let (u, a, b) = (next(), next(), next());
    let circle = |turn: f64| libm::sincos(std::f64::consts::TAU * turn);
    let ((sin_a, cos_a), (sin_b, cos_b)) = (circle(a), circle(b));
    let (p, q) = ((1.0 - u).sqrt(), u.sqrt());
    DQuat::from_xyzw(p * sin_a, p * cos_a, q * sin_b, q * cos_b)
}

/// Poses x y z and the quaternion w x y z (or x y z alone) on each line.
fn from_file(scene: &SceneText, file: &str) -> Result<Vec<Pose>> {
    let path = scene.path(file);
    let name = path.display().to_string();
    let text = scene.read_text(file)?;
    let pose = |(line, n): (usize, Vec<f64>)| -> Result<Pose> {
        let (rotation, at) = match n[..] {
            [x, y, z] => (DQuat::IDENTITY, DVec3::new(x, y, z)),
            [x, y, z, w, i, j, k] => (DQuat::from_xyzw(i, j, k, w), DVec3::new(x, y, z)),
            _ => bail!(
                "line {line}: {} numbers; accepted: x y z, or x y z and a quaternion w x y z",
                n.len()
            ),
        };
        Pose::new(rotation, at).with_context(|| format!("line {line}"))
    };
    let poses: Result<Vec<Pose>> =
        rows(&text, true).and_then(|r| r.into_iter().map(pose).collect());
    let poses = poses.with_context(|| name.clone())?;
    ensure!(!poses.is_empty(), "{name}: no pose");
    Ok(poses)
}
