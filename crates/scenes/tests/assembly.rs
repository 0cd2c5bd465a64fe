//! Scenes of kind `assembly`: the search for a period takes place as the scene says.

use klast_basin_jobs::assembly;
use std::sync::atomic::{AtomicUsize, Ordering};

use klast_runs::Outcome;
use klast_runs::files::Memory;
use klast_runs::job::Run;
use klast_runs::progress::Progress;
use klast_scenes::Scene;

fn scene(blocks: usize, more: &str) -> String {
    format!(
        r#"{{"schema": 1, "kind": "assembly", "row": {{
            "basin": {{"length_m": 2.0, "restitution_wall": 0.6, "restitution_block": 0.6}},
            "drive": {{"harmonic": {{"amplitude_m": 0.04, "frequency_hz": 2.0}}}},
            "blocks": [{{"count": {blocks}, "size_m": 0.01, "mass_kg": 0.05, "friction": 0.03}}],
            "start": "at_rest", "rule": "lowest_first"}},
            "duration_s": 0.1, "sample_s": 0.05{more}}}"#
    )
}

fn run(text: &str) -> klast_runs::error::Result<Outcome> {
    Scene::parse(text, ".")?.0.job()?.run_silently()
}

/// Whether a period was searched for.
fn searched(outcome: &Outcome) -> bool {
    let results = outcome.results.of::<assembly::result::Results>().unwrap();
    assert_eq!(
        results.summary.period.is_some(),
        !results.sections.is_empty()
    );
    results.summary.period.is_some()
}

#[test]
fn a_period_is_searched_for_as_the_scene_says() {
    for (blocks, more, expected) in [
        (2, "", true),
        (2, r#", "search_periods": 0"#, false),
        (2, r#", "search_periods": 20"#, true),
        (65, "", false),
        (65, r#", "search_periods": 12"#, true),
    ] {
        let outcome = run(&scene(blocks, more)).unwrap();
        assert_eq!(searched(&outcome), expected, "{blocks} blocks{more}");
        // What is left out without being asked for is said.
        let said = outcome.warnings.iter().any(|w| w.contains("no period"));
        assert_eq!(
            said,
            blocks > 64 && more.is_empty(),
            "{blocks} blocks{more}"
        );
    }
    let error = run(&scene(2, r#", "search_periods": 11"#)).unwrap_err();
    let faults = error.faults().unwrap();
    assert_eq!(faults.list[0].path, "search_periods");
}

/// Stops a run when it was asked so often.
struct StopsAfter(AtomicUsize);

impl Progress for StopsAfter {
    fn interrupted(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn a_search_for_a_period_can_be_interrupted() {
    // The motion itself asks twice; every drive period of the search asks once.
    for asked in [1, 2, 3, 60, 120] {
        let (scene, _) = Scene::parse(&scene(2, ""), ".").unwrap();
        let progress = StopsAfter(AtomicUsize::new(asked));
        let mut files = Memory::default();
        let mut run = Run::new(&progress, &mut files);
        let Err(error) = scene.job().unwrap().run(&mut run) else {
            panic!("the run was not stopped: {asked}");
        };
        assert!(error.is_interrupted(), "{asked}: {error:#}");
    }
}
