//! What is said of structures whose limit is known.

use super::structures::{Noise, Structure};
use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::standing::Equilibrium;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use serde_json::Value;

/// Bar of the verdicts (m), of structures of about a metre.
pub const BAR: f64 = 1e-3;

/// Outcomes of scenes of known limits.
#[derive(Default)]
pub struct Tally {
    pub stand: usize,
    pub fall: usize,
    pub fall_below: usize,
    /// Under a record whose peak is beyond the limit.
    pub stand_beyond: usize,
    /// Verdicts that are compared with those of Newmark's sliding block.
    pub slides: usize,
    pub undecided: Vec<String>,
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn all(&self) -> usize {
        self.stand
            + self.stand_beyond
            + self.fall
            + self.fall_below
            + self.undecided.len()
            + self.wrong.len()
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
            "{} scenes: {} stand below their limit, {} fall below it though an equilibrium exists, {} fall beyond it, {} stand beyond it for a moment, {} slide as Newmark's block, {} undecided, {} wrong\n{}\n{}",
            self.all(),
            self.stand,
            self.fall_below,
            self.fall,
            self.stand_beyond,
            self.slides,
            self.undecided.len(),
            self.wrong.len(),
            self.undecided.join("\n"),
            self.wrong.join("\n")
        )
    }
}

/// Runs a scene of bodies.
pub fn run(scene: &Value) -> Bodies {
    run_in(scene, ".")
}

/// Runs a structure on a ground that moves as a record, and enters the outcome. Below its limit what holds for loads
/// that stay holds for the peak. Beyond it a structure may stand all the same: it is pushed for a moment, and moves by
/// less than is asked for. So only a fall is judged: no equilibrium exists under the accelerations until then, or it
/// falls with half the step too.
pub fn enter_record(tally: &mut Tally, structure: &Structure, limit: f64, of: (f64, f64, u64)) {
    let (factor, duration, seed) = of;
    let noise = Noise::new(seed, duration, 9.81 * factor * limit);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("record.txt"), noise.text()).unwrap();
    let found = run_in(&structure.recorded(duration, BAR), folder.path());
    let s = &found.summary;
    let told = format!(
        "{} {factor} {duration} s: {}",
        structure.name,
        found.sentence()
    );
    match (s.verdict, s.fallen) {
        _ if factor < 1.0 => tally.enter(&structure.name, (limit, factor), &found),
        (Some(Verdict::Undecided), _) => tally.undecided.push(told),
        (Some(Verdict::Stands), _) => {
            tally.stand_beyond += 1;
            if s.max_displacement_m > BAR {
                tally.wrong.push(told);
            }
        }
        (Some(Verdict::Falls), Some(fallen)) => {
            let not = fallen.equilibrium == Equilibrium::None;
            match not || fallen.half_step_falls == Some(true) {
                true => tally.fall += 1,
                false => tally.wrong.push(format!("{told} {fallen:?}")),
            }
        }
        _ => tally.wrong.push(told),
    }
    // A block that slides before it overturns: the slip of Newmark's block, where it decides by a quarter.
    let slides = structure.name.starts_with("slope") && (limit - structure.friction()).abs() < 1e-6;
    let slip = noise.slip(structure.friction());
    let right = match slip {
        _ if !slides => None,
        slip if slip < 0.8 * BAR => Some(Verdict::Stands),
        slip if slip > 1.25 * BAR => Some(Verdict::Falls),
        _ => None,
    };
    if right.is_some() && s.verdict != right {
        tally.wrong.push(format!(
            "{} {factor} {duration} s: {:?}, where Newmark's block slips by {slip} m",
            structure.name, s.verdict
        ));
    }
    tally.slides += usize::from(right.is_some());
}

fn run_in(scene: &Value, folder: impl AsRef<std::path::Path>) -> Bodies {
    let (scene, _) = Scene::parse(&scene.to_string(), folder.as_ref()).unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    *outcome.results.take::<Bodies>().unwrap()
}
