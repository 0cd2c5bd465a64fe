//! A case as a user runs it: the text of a scene with the defaults, through the reader and the job of `klast run`.

use klast_rockfall_jobs::rockfall;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail, ensure};
use glam::DVec3;
use klast_rockfall_jobs::rockfall::paths::Moment;
use klast_runs::plausible::doubts;
use klast_runs::text::SceneText;

use crate::files::embedded_file;

/// A stretch of a trajectory as it is written: a flight, a slide or a step on the ground.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// Whether it is a flight.
    pub flight: bool,
    /// Time (s) at its ends.
    pub time: [f64; 2],
    /// Position (m) at its ends.
    pub position: [DVec3; 2],
    /// Velocity (m/s) at its ends.
    pub velocity: [DVec3; 2],
    /// Spin at its beginning (rad/s).
    pub spin: DVec3,
    /// Rotational energy (J).
    pub rotational: f64,
}

/// What a run left behind.
pub struct Shipped {
    /// The first rock, from release to its end.
    pub path: Vec<Stretch>,
    /// The rocks after the first one whose trajectories are written.
    pub others: Vec<Vec<Stretch>>,
    /// How many rocks stopped.
    pub stopped: u64,
    /// Of how many.
    pub seeded: u64,
}

impl Shipped {
    /// The last stretch.
    pub fn last(&self) -> Result<&Stretch> {
        self.path.last().context("no trajectory was written")
    }

    /// The paths that are written.
    pub fn paths(&self) -> impl Iterator<Item = &[Stretch]> {
        let others = self.others.iter().map(Vec::as_slice);
        std::iter::once(self.path.as_slice()).chain(others)
    }
}

/// What comes before and after the first impact that ends a flight.
pub fn first_impact(path: &[Stretch]) -> Result<(&Stretch, &Stretch)> {
    let found = path.windows(2).find_map(|w| match w {
        [before, after] if before.flight => Some((before, after)),
        _ => None,
    });
    found.context("no impact")
}

/// Files beside the scene: name and text.
pub type Files<'a> = &'a [(&'a str, String)];

/// Runs a scene in a folder of its own.
pub fn run(scene: &serde_json::Value, files: Files) -> Result<Shipped> {
    run_text(&scene.to_string(), files)
}

/// Runs the scene of a file under `verification/`, as `klast run` does with that file.
pub fn run_file(name: &str) -> Result<Shipped> {
    let text = embedded_file(name).with_context(|| format!("no scene verification/{name}"))?;
    run_text(text, &[]).with_context(|| name.to_owned())
}

fn run_text(scene: &str, files: Files) -> Result<Shipped> {
    let folder = Folder::new()?;
    for (name, text) in files {
        std::fs::write(folder.0.join(name), text)?;
    }
    let text = SceneText::new("scene", folder.0.clone(), scene.to_owned())?;
    ensure!(text.kind == rockfall::KIND.name, "not a scene of rocks");
    let warnings = doubts(&text.text);
    ensure!(warnings.is_empty(), "a doubtful scene: {warnings:?}");
    let job = text.checked((rockfall::KIND.prepare)(&text))?;
    let outcome = job.run_silently()?;
    let Some(results) = outcome.results.take::<rockfall::result::Results>() else {
        bail!("no rockfall");
    };
    let paths = results.paths.iter().map(|p| stretches(&p.moments));
    let mut paths = paths.collect::<Result<Vec<_>>>()?.into_iter();
    Ok(Shipped {
        path: paths.next().unwrap_or_default(),
        others: paths.collect(),
        stopped: results.summary.stopped,
        seeded: results.summary.seeded,
    })
}

/// The stretches of a trajectory: each begins where a spin stands, or where a flight ends in a contact that stays.
fn stretches(moments: &[Moment]) -> Result<Vec<Stretch>> {
    let mut path: Vec<Stretch> = Vec::new();
    for m in moments {
        let position = DVec3::new(m.x_m, m.y_m, m.z_m);
        let velocity = DVec3::new(m.vx_m_s, m.vy_m_s, m.vz_m_s);
        let flight = m.motion == "flight";
        let landed = path.last().filter(|s| s.flight && !flight).map(|s| s.spin);
        let spin = match (m.wx_rad_s, m.wy_rad_s, m.wz_rad_s) {
            (Some(x), Some(y), Some(z)) => Some(DVec3::new(x, y, z)),
            _ => landed,
        };
        if let Some(spin) = spin {
            path.push(Stretch {
                flight,
                time: [m.time_s; 2],
                position: [position; 2],
                velocity: [velocity; 2],
                spin,
                rotational: m.rotational_energy_j,
            });
        }
        let last = path.last_mut().context("a stretch without a beginning")?;
        (last.time[1], last.position[1], last.velocity[1]) = (m.time_s, position, velocity);
    }
    Ok(path)
}

/// A folder that goes when it is done with.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("klast-verify-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
