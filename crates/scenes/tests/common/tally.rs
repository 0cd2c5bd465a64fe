//! What is said of structures whose limit is known.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::standing::Equilibrium;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use serde_json::Value;

/// Outcomes of scenes of known limits.
#[derive(Default)]
pub struct Tally {
    pub stand: usize,
    pub fall: usize,
    pub fall_below: usize,
    pub undecided: Vec<String>,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn all(&self) -> usize {
        self.stand + self.fall + self.fall_below + self.undecided.len() + self.wrong.len()
    }

    /// Enters the outcome at a factor of the limit. Beyond it nothing stands. Below it what falls is said to do so
    /// though an equilibrium exists, with half the step too, and with no more of a margin than along x.
    pub fn enter(&mut self, name: &str, (limit, factor): (f64, f64), found: &Bodies) {
        let s = &found.summary;
        let told = format!("{name} at {factor} of {limit:.4}: {}", found.sentence());
        let margin = (limit.atan() - (factor * limit).atan()).to_degrees();
        match (s.verdict, s.fallen) {
            (Some(Verdict::Undecided), _) => self.undecided.push(told),
            (Some(Verdict::Stands), _) if factor < 1.0 => self.stand += 1,
            (Some(Verdict::Falls), Some(fallen)) if factor > 1.0 => {
                match fallen.equilibrium == Equilibrium::None {
                    true => self.fall += 1,
                    false => self.wrong.push(format!("{told} {fallen:?}")),
                }
            }
            (Some(Verdict::Falls), Some(fallen)) => {
                let exists = fallen.equilibrium == Equilibrium::Exists;
                // The program is solved to 1e-8; contacts that are off by rounding.
                let least = fallen
                    .equilibrium_margin_deg
                    .is_some_and(|m| m <= margin + 1e-4);
                match exists && fallen.half_step_falls == Some(true) && least {
                    true => self.fall_below += 1,
                    false => self.wrong.push(format!("{told} {fallen:?} {margin}")),
                }
            }
            _ => self.wrong.push(told),
        }
    }

    pub fn told(&self) -> String {
        format!(
            "{} scenes: {} stand below their limit, {} fall below it though an equilibrium exists, {} fall beyond it, {} undecided, {} wrong\n{}\n{}",
            self.all(),
            self.stand,
            self.fall_below,
            self.fall,
            self.undecided.len(),
            self.wrong.len(),
            self.undecided.join("\n"),
            self.wrong.join("\n")
        )
    }
}

/// Runs a scene of bodies.
pub fn run(scene: &Value) -> Bodies {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let bodies = scene
        .job()
        .unwrap()
        .run_silently()
        .unwrap()
        .results
        .take::<Bodies>()
        .unwrap();
    *bodies
}
