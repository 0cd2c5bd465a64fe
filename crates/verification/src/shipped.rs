//! A case as a user runs it: the text of a scene with the defaults, through the same reader, job and files as `klast run`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, ensure};
use glam::DVec3;
use klast_scenes::kinds;
use klast_scenes::scene::SceneText;
use klast_scenes::session::{Options, Session};

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

    /// What comes before and after the first impact that ends a flight.
    pub fn first_impact(&self) -> Result<(&Stretch, &Stretch)> {
        let found = self.path.windows(2).find_map(|w| match w {
            [before, after] if before.flight => Some((before, after)),
            _ => None,
        });
        found.context("no impact")
    }
}

/// Files beside the scene: name and text.
pub type Files<'a> = &'a [(&'a str, String)];

/// Runs a scene in a folder of its own.
pub fn run(scene: &serde_json::Value, files: Files) -> Result<Shipped> {
    let folder = Folder::new()?;
    for (name, text) in files {
        std::fs::write(folder.0.join(name), text)?;
    }
    let text = SceneText::new("scene.json", folder.0.clone(), scene.to_string())?;
    let out = folder.0.join("out");
    let options = Options {
        out: Some(out.clone()),
        quiet: true,
        ..Options::default()
    };
    let job = kinds::prepare(&text)?;
    let mut session = Session::start(&text, &options)?;
    job.run(&mut session)?;
    session.finish()?;
    let read = |name: &str| std::fs::read_to_string(out.join(name));
    let account: serde_json::Value = serde_json::from_str(&read("account.json")?)?;
    let count = |key: &str| account[key].as_u64().with_context(|| format!("no {key}"));
    Ok(Shipped {
        path: stretches(&read("trajectories.csv").unwrap_or_default())?,
        stopped: count("stopped")?,
        seeded: count("seeded")?,
    })
}

/// The stretches of the first rock of a table of trajectories: each begins where a spin stands.
fn stretches(table: &str) -> Result<Vec<Stretch>> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        let found = header.iter().position(|h| *h == name);
        found.with_context(|| format!("no column {name}"))
    };
    let mut path: Vec<Stretch> = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |name: &str| -> Result<f64> {
            let cell = cells.get(column(name)?).context("a short line")?;
            cell.parse().with_context(|| format!("{name}: '{cell}'"))
        };
        if cells.first() != Some(&"0") {
            break;
        }
        let vector = |names: [&str; 3]| -> Result<DVec3> {
            Ok(DVec3::new(
                number(names[0])?,
                number(names[1])?,
                number(names[2])?,
            ))
        };
        let (time, position) = (number("time_s")?, vector(["x_m", "y_m", "z_m"])?);
        let velocity = vector(["vx_m_per_s", "vy_m_per_s", "vz_m_per_s"])?;
        let spun = cells.get(column("wx_rad_per_s")?) != Some(&"");
        if spun {
            path.push(Stretch {
                flight: cells.get(column("motion")?) == Some(&"flight"),
                time: [time; 2],
                position: [position; 2],
                velocity: [velocity; 2],
                spin: vector(["wx_rad_per_s", "wy_rad_per_s", "wz_rad_per_s"])?,
                rotational: number("rotational_energy_j")?,
            });
        }
        let last = path.last_mut().context("a stretch without a beginning")?;
        (last.time[1], last.position[1], last.velocity[1]) = (time, position, velocity);
    }
    ensure!(
        path.iter().all(|s| s.time[1] >= s.time[0]),
        "times that go back"
    );
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
