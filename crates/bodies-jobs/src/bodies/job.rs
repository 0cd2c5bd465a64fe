//! Runs a scene of many bodies, or goes on with a stopped one.

use klast_dynamics::Effort;
use klast_runs::bail;
use klast_runs::error::Result;

use super::build::Built;
use super::frames::frame;
use super::history::{FILE, Pause, Record};
use super::result::{self, Stop};
use super::scene::Scene;
use super::{fallen, verdict};
use klast_runs::Results;
use klast_runs::answer::counted;
use klast_runs::files::FilesExt as _;
use klast_runs::job::{Job, Keeps, Run};
use klast_runs::progress::Interrupted;
use klast_runs::progress::Percent;
use klast_runs::text::SceneText;

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

impl Job for BodiesJob {
    fn describe(&self) -> String {
        let (world, s) = (&self.built.world, self.built.world.settings());
        let effort = match s.effort {
            Effort::Sweeps(count) => format!("{count} sweeps a step"),
            Effort::Auto { tolerance } => {
                format!("each step as it needs, to a residual of {tolerance:e} where bodies stand")
            }
            Effort::Residual { tolerance, .. } => {
                format!("each step to a residual of {tolerance:e}")
            }
        };
        let free = (0..world.len()).filter(|&i| world.is_free(i)).count();
        format!(
            "bodies: {free} free, {} fixed or moved, {}; {} s in steps of {} s, {effort}",
            world.len() - free,
            counted(world.planes().len() as u64, "plane"),
            self.scene.duration_s,
            s.step
        )
    }

    fn keeps(&self) -> Keeps {
        Keeps::WhenStopped
    }

    fn draws(&self) -> bool {
        self.scene.by_chance()
    }

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
        let seed = run.seed.unwrap_or(self.scene.seed);
        run.seed = self.scene.by_chance().then_some(seed);
        let start = match seed == self.scene.seed {
            true => self.built.clone(),
            false => self.scene.build(&self.text, seed)?,
        };
        run.warnings(&start.remarks);
        let mut built = start.clone();
        let mut record = Record::new(&self.scene, &built);
        if let Some(pause) = Pause::read(run.files, &self.text.key(), seed) {
            built.world.restore(&pause.snapshot)?;
            record = pause.record;
            for (_, file) in &record.frames {
                run.files.keep(file);
            }
        }
        let stop = self.advance(&mut built, &mut record, seed, run)?;
        self.ask(&start, (&built, seed), &mut record, run)?;
        record.close(&built.world);
        record.keep_view(&self.scene, &built.world, true);
        count(&built, &record, run);
        run.warnings(&verdict::warnings(&self.scene, &built, &record));
        // The pause of a finished run has served.
        run.files.remove(FILE);
        let results = result::Results::of(&self.scene, start, built, &record, stop);
        Ok(Box::new(results))
    }
}

fn count(built: &Built, record: &Record, run: &mut Run) {
    let ledger = built.world.ledger();
    run.count("bodies", built.world.len());
    run.count("steps", ledger.steps);
    run.count("contacts", ledger.contacts);
    run.count("energy_gains", ledger.gains);
    run.count("unconverged", ledger.unconverged);
    run.count("unsolved_impacts", ledger.events.unsolved_impacts);
    run.count("refused_impacts", ledger.events.refused_impacts);
    run.count("unsettled_rolling_steps", ledger.events.unsettled_rolling);
    run.count("max_residual", record.residual);
}

impl BodiesJob {
    fn advance(
        &self,
        built: &mut Built,
        record: &mut Record,
        seed: u64,
        run: &mut Run,
    ) -> Result<Stop> {
        let scene = &self.scene;
        let end = scene.duration_s - 0.5 * built.world.settings().step;
        let progress = run.progress;
        let mut display = Percent::begin(progress, "time");
        let stop = loop {
            self.keep_frame(built, record, run)?;
            record.keep_view(scene, &built.world, false);
            if record.rest_at.is_some() {
                break Stop::Rest;
            }
            if built.world.time() >= end {
                break Stop::Duration;
            }
            if progress.interrupted() {
                return self.pause(built, record, seed, run);
            }
            built.remove_due()?;
            let report = built.world.step()?;
            record.enter(scene, built, &report);
            display.reach(built.world.time() / scene.duration_s);
        };
        progress.finish();
        Ok(stop)
    }

    /// Keeps the run for the next call, and ends it.
    fn pause<T>(&self, built: &Built, record: &Record, seed: u64, run: &mut Run) -> Result<T> {
        let pause = Pause {
            key: self.text.key(),
            seed,
            snapshot: built.world.snapshot(),
            record: record.clone(),
        };
        run.files.state(FILE, &pause)?;
        bail!(Interrupted)
    }

    /// Asks statics and half the step of bodies that have fallen.
    fn ask(
        &self,
        start: &Built,
        (built, seed): (&Built, u64),
        record: &mut Record,
        run: &mut Run,
    ) -> Result<()> {
        let progress = run.progress;
        let fallen = fallen::ask(
            &self.scene,
            start,
            record,
            &mut || match progress.interrupted() {
                true => self.pause(built, record, seed, run),
                false => Ok(()),
            },
        )?;
        record.fallen = fallen;
        Ok(())
    }

    /// A frame and the states of all bodies, if the time for them has come.
    fn keep_frame(&self, built: &Built, record: &mut Record, run: &mut Run) -> Result<()> {
        let (frames, time) = (self.scene.frames, built.world.time());
        let last = record.rest_at.is_some();
        let due = self.scene.duration_s * record.frames.len() as f64 / f64::from(frames.max(1));
        let half = 0.5 * built.world.settings().step;
        if frames == 0 || (time + half < due && !last) {
            return Ok(());
        }
        let file = format!("frame-{:04}.vtp", record.frames.len());
        run.files.text(&file, &frame(&built.world).vtp())?;
        record.frames.push((time, file));
        record.states_of(&built.world);
        Ok(())
    }
}
