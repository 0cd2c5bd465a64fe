//! One motion of a row of blocks.

use klast_assembly::analysis::{
    IndexReference, PeriodSearch, Scenario, Survey, find_period_checked, floquet, history, horizon,
    survey,
};
use klast_runs::error::Result;

use super::result::{self, EventRow, LongTime as Response, PeriodFound, Sample, Section, Summary};
use super::scene::{LongTime, Scene};
use klast_runs::Results;
use klast_runs::answer::short;
use klast_runs::common::duration::interval;
use klast_runs::faults::{Fault, Faults};
use klast_runs::job::{Job, Run};
use klast_runs::text::SceneText;

/// More blocks are searched for a period, and their multipliers computed, only if the scene asks for it: both take many
/// times as long as the motion itself.
const MOST_BLOCKS: usize = 64;

/// Fewer sections cannot show a period: twelve must repeat.
const LEAST_PERIODS: u64 = 12;

struct AssemblyJob {
    scenario: Scenario,
    duration: f64,
    sample: f64,
    search: PeriodSearch,
    long_time: Option<Survey>,
    remarks: Vec<String>,
}

/// Reads and validates.
pub fn prepare(text: &SceneText) -> Result<Box<dyn Job>> {
    let scene: Scene = text.parse()?;
    let mut faults = Faults::default();
    let end = faults.take("", scene.duration_s.seconds());
    faults.take("", interval("sample_s", scene.sample_s, end, 1e7));
    let scenario = faults.take("row", scene.row.build(text));
    let asked = scene.search_periods;
    faults.check(asked.is_none_or(|n| n == 0 || n >= LEAST_PERIODS), || {
        Fault::new("search_periods", asked.unwrap_or(0))
            .accepted(format!("0 for no search, or {LEAST_PERIODS} and more"))
    });
    let periodic = scenario
        .as_ref()
        .is_none_or(|s| s.basin.motion.period().is_some());
    faults.check(periodic || scene.long_time.is_none(), || {
        Fault::new("row.drive", "long_time beside a motion without a period")
            .accepted("harmonic, or waves of one sine")
    });
    let (duration, scenario) = faults.or_all(|| end.zip(scenario))?;
    let mut remarks = scene.row.remarks(text)?;
    let mut search = PeriodSearch::default();
    let blocks = scenario.row.blocks().len();
    match asked {
        Some(periods) => search.sections = periods,
        None if blocks > MOST_BLOCKS && scenario.basin.motion.period().is_some() => {
            search.sections = 0;
            remarks.push(format!(
                "no period of the motion is searched for: the row has {blocks} blocks, and a search without \
                 'search_periods' takes place up to {MOST_BLOCKS}; give 'search_periods' for a search"
            ));
        }
        None => {}
    }
    Ok(Box::new(AssemblyJob {
        scenario,
        search,
        long_time: scene.long_time.map(LongTime::plan),
        remarks,
        duration,
        sample: scene.sample_s,
    }))
}

impl LongTime {
    /// The plan of the library.
    fn plan(self) -> Survey {
        let search = PeriodSearch {
            sections: self.search_periods,
            longest: self.maximum_period,
            ..PeriodSearch::default()
        };
        Survey {
            transient: self.transient_periods,
            search,
            ..Survey::default()
        }
    }
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

    fn run(&self, run: &mut Run) -> Result<Box<dyn Results>> {
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
        let (period, sections) = self.period(run)?;
        let long_time = match &self.long_time {
            Some(plan) => {
                let response = survey(&self.scenario, plan, || run.check_interrupted())?;
                Some(Response::from(&response))
            }
            None => None,
        };
        Ok(Box::new(result::Results {
            summary: Summary::of(&row, watched.time, (period, long_time)),
            history: samples.iter().map(Sample::from).collect(),
            events: events.iter().map(EventRow::from).collect(),
            sections,
            basin_length: self.scenario.basin.length,
        }))
    }
}

impl AssemblyJob {
    /// Period, multipliers and sections of the long-time motion of a periodic drive.
    fn period(&self, run: &Run) -> Result<(Option<PeriodFound>, Vec<Section>)> {
        if self.search.sections == 0 || self.scenario.basin.motion.period().is_none() {
            return Ok((None, Vec::new()));
        }
        let mut row = self.scenario.release()?;
        let found = find_period_checked(&mut row, &self.search, || run.check_interrupted())?;
        let multipliers = match found.period {
            // Each cluster takes eight disturbed runs: for large rows that is no side result.
            Some(p) if row.clusters().len() <= MOST_BLOCKS => {
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
