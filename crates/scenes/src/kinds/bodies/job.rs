//! Runs a scene of many bodies, or goes on with a stopped one.

use anyhow::{Result, bail};
use klast_dynamics::Effort;

use super::build::Built;
use super::frames::frame;
use super::history::{FILE, Pause, Record};
use super::pictures::Stage;
use super::report;
use super::scene::Scene;
use crate::failure::Interrupted;
use crate::kinds::Job;
use crate::scene::SceneText;
use crate::session::Session;

struct BodiesJob {
    scene: Scene,
    text: SceneText,
    built: Built,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let built = scene.build(text, scene.seed)?;
    Ok(Box::new(BodiesJob {
        scene,
        text: text.clone(),
        built,
    }))
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// All was still.
    Rest,
    /// The time was up.
    Duration,
}

impl Job for BodiesJob {
    fn describe(&self) -> String {
        let (world, s) = (&self.built.world, self.built.world.settings());
        let effort = match s.effort {
            Effort::Sweeps(count) => format!("{count} sweeps a step"),
            Effort::Residual { tolerance, .. } => {
                format!("each step to a residual of {tolerance:e}")
            }
        };
        let free = (0..world.len()).filter(|&i| world.is_free(i)).count();
        format!(
            "bodies: {free} free, {} fixed or moved, {} planes; {} s in steps of {} s, {effort}",
            world.len() - free,
            world.planes().len(),
            self.scene.duration_s,
            s.step
        )
    }

    fn keeps_state(&self) -> bool {
        true
    }

    fn draws(&self) -> bool {
        self.scene.by_chance()
    }

    fn run(&self, session: &mut Session) -> Result<()> {
        let seed = session.options.seed.unwrap_or(self.scene.seed);
        session.seed = self.scene.by_chance().then_some(seed);
        let mut built = match seed == self.scene.seed {
            true => self.built.clone(),
            false => self.scene.build(&self.text, seed)?,
        };
        for remark in &built.remarks {
            crate::output::tell(format_args!("klast: {remark}"));
        }
        let stage = Stage::around(&built.world);
        let start = stage.picture("At the start", &built)?;
        session.output.text("start.svg", &start)?;
        let mut record = Record::new(&built);
        let pause = Pause::read(session.output.folder(), &session.key(), seed)?;
        if let Some(pause) = pause {
            built.world.restore(&pause.snapshot)?;
            record = pause.record;
            for (_, file) in &record.frames {
                session.output.keep(file);
            }
        }
        let stop = self.advance(&mut built, &mut record, seed, session)?;
        record.close(&built.world);
        let end = stage.picture(&format!("At {:.2} s", built.world.time()), &built)?;
        session.output.text("end.svg", &end)?;
        report::write(&self.scene, &built, &record, stop, [&start, &end], session)?;
        // Without a pause to remove there is nothing to do.
        let _ = std::fs::remove_file(session.output.folder().join(FILE));
        Ok(())
    }
}

impl BodiesJob {
    fn advance(
        &self,
        built: &mut Built,
        record: &mut Record,
        seed: u64,
        session: &mut Session,
    ) -> Result<Stop> {
        let scene = &self.scene;
        let end = scene.duration_s - 0.5 * built.world.settings().step;
        let display = session.progress("time [%]", 100);
        let mut told = 0;
        let stop = loop {
            self.keep_frame(built, record, session)?;
            if record.rest_at.is_some() {
                break Stop::Rest;
            }
            if built.world.time() >= end {
                break Stop::Duration;
            }
            if Session::interrupted() {
                let pause = Pause {
                    key: session.key(),
                    seed,
                    snapshot: built.world.snapshot(),
                    record: record.clone(),
                };
                session.output.json(FILE, &pause)?;
                bail!(Interrupted);
            }
            let report = built.world.step()?;
            record.enter(scene, built, &report);
            let percent = (100.0 * built.world.time() / scene.duration_s) as u64;
            display.add(percent.saturating_sub(told));
            told = told.max(percent);
        };
        display.finish();
        Ok(stop)
    }

    /// A frame and the states of all bodies, if the time for them has come.
    fn keep_frame(&self, built: &Built, record: &mut Record, session: &mut Session) -> Result<()> {
        let (frames, time) = (self.scene.frames, built.world.time());
        let last = record.rest_at.is_some();
        let due = self.scene.duration_s * record.frames.len() as f64 / f64::from(frames.max(1));
        let half = 0.5 * built.world.settings().step;
        if frames == 0 || (time + half < due && !last) {
            return Ok(());
        }
        let file = format!("frame-{:04}.vtp", record.frames.len());
        session.output.text(&file, &frame(&built.world).vtp())?;
        record.frames.push((time, file));
        record.states_of(&built.world);
        Ok(())
    }
}
