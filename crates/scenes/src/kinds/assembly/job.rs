//! One motion of a row of blocks.

use anyhow::Result;
use klast_assembly::analysis::{
    IndexReference, PeriodSearch, Scenario, find_period, floquet, history, horizon,
};

use super::result::{self, EventRow, PeriodFound, Sample, Section, Summary};
use super::scene::Scene;
use crate::answer::short;
use crate::common::duration::interval;
use crate::job::{Job, Run};
use crate::results::Results;
use crate::text::SceneText;

struct AssemblyJob {
    scenario: Scenario,
    duration: f64,
    sample: f64,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let end = scene.duration_s;
    interval("sample_s", scene.sample_s, end, 1e7)?;
    Ok(Box::new(AssemblyJob {
        scenario: scene.row.build(text)?,
        remarks: scene.row.remarks(text)?,
        duration: end.seconds(),
        sample: scene.sample_s,
    }))
}

impl Job for AssemblyJob {
    fn describe(&self) -> String {
        let s = &self.scenario;
        format!(
            "{} blocks in a basin of {} m, free travel {} m; {} s",
            s.row.blocks().len(),
            s.basin.length,
            short(s.basin.length - s.row.total_size()),
            self.duration
        )
    }

    fn run(&self, run: &mut Run) -> Result<Results> {
        run.warnings(&self.remarks);
        let mut row = self.scenario.release()?;
        let reference = IndexReference::present(&row);
        let watched = horizon(&mut row.clone(), self.duration, 1000)?;
        run.check_interrupted()?;
        row.record_events();
        let samples = history(&mut row, self.duration, self.sample, &reference)?;
        let events = row.take_events();
        let counts = row.counts();
        run.count("impacts", counts.impacts);
        run.count("pair_impacts", counts.pair_impacts);
        run.check_interrupted()?;
        let (period, sections) = self.period()?;
        Ok(Results::Assembly(result::Results {
            summary: Summary::of(&row, watched.time, period),
            history: samples.iter().map(Sample::from).collect(),
            events: events.iter().map(EventRow::from).collect(),
            sections,
            basin_length: self.scenario.basin.length,
        }))
    }
}

impl AssemblyJob {
    /// Period, multipliers and sections of the long-time motion of a periodic drive.
    fn period(&self) -> Result<(Option<PeriodFound>, Vec<Section>)> {
        if self.scenario.basin.motion.period().is_none() {
            return Ok((None, Vec::new()));
        }
        let mut row = self.scenario.release()?;
        let found = find_period(&mut row, &PeriodSearch::default())?;
        let multipliers = match found.period {
            // Each cluster takes eight disturbed runs: for large rows that is no side result.
            Some(p) if row.clusters().len() <= 64 => {
                let f = floquet(&row, p)?;
                f.multipliers.iter().map(|m| [m.re, m.im]).collect()
            }
            _ => Vec::new(),
        };
        let period = PeriodFound::of(&found, multipliers);
        let section = |(position_m, slip_m_s)| Section {
            position_m,
            slip_m_s,
        };
        Ok((
            Some(period),
            found.sections.into_iter().map(section).collect(),
        ))
    }
}
