//! A run that was interrupted goes on from its state, and gives the files of one that was not, bit by bit.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use klast_runs::files::{Files as _, Memory};
use klast_runs::{Keeps, Progress, Run, Silent};
use klast_scenes::Scene;

/// Stops a run after some parts.
struct After(u64, AtomicU64);

impl Progress for After {
    fn add(&self, parts: u64) {
        self.1.fetch_add(parts, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

/// The files of a run, by name; those of a state too while it lasts.
fn run(scene: &Scene, progress: &dyn Progress, files: Memory) -> (Memory, bool) {
    run_seeded(scene, None, progress, files)
}

/// The same with a seed in place of the scene's.
fn run_seeded(
    scene: &Scene,
    seed: Option<u64>,
    progress: &dyn Progress,
    mut files: Memory,
) -> (Memory, bool) {
    let job = scene.job().unwrap();
    assert_ne!(job.keeps(), Keeps::Nothing, "{}", scene.kind().name);
    let mut own = Run::new(progress, &mut files);
    own.seed = seed;
    let ran = job.run(&mut own);
    match &ran {
        Ok(results) => results.write(&mut files).unwrap(),
        Err(error) => assert!(error.is_interrupted(), "{error:#}"),
    }
    (files, ran.is_ok())
}

#[test]
fn long_runs_go_on_with_the_same_bits() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (kind, edits, parts) in [
        (
            "rocking_map",
            &[
                ("\"count\": 200", "\"count\": 40"),
                ("\"count\": 200", "\"count\": 40"),
            ][..],
            512,
        ),
        (
            "stack_map",
            &[
                ("\"cells\": [", "\"adaptive_stride\": 1, \"cells\": ["),
                ("40,\n    40", "10,\n    10"),
            ][..],
            64,
        ),
        ("rocking_fragility", &[][..], 1),
        ("study", &[][..], 1),
        ("assess", &[][..], 1),
        // Within the spectra.
        ("assess", &[][..], 150),
        ("rockfall_study", &[][..], 4),
        (
            "thrown",
            &[(
                "\"position_error_m\": 0.002",
                "\"values\": 5, \"resamples\": 100",
            )][..],
            30,
        ),
        (
            "rockfall_calibration",
            &[
                ("\"sets\": 40", "\"sets\": 9"),
                (
                    "\"fit_rocks\": 2",
                    "\"fit_rocks\": 2, \"refinement_rocks\": 0",
                ),
                ("\"rocks\": 12", "\"rocks\": 2"),
                ("\"maximum_time_s\": 30", "\"maximum_time_s\": 5"),
                ("0.25, 0.5", "1.0"),
            ][..],
            8,
        ),
    ] {
        let mut text = klast_scenes::kinds::find(kind).unwrap().example.to_owned();
        for (from, to) in edits {
            assert!(text.contains(from), "{kind}: {from}");
            text = text.replacen(from, to, 1);
        }
        let (scene, _) = Scene::parse(&text, &examples).unwrap();
        let (whole, _) = run(&scene, &Silent, Memory::default());
        let (files, ended) = run(&scene, &After(parts, AtomicU64::new(0)), Memory::default());
        assert!(!ended, "{kind}: it ran to its end");
        let state = files
            .names()
            .iter()
            .find(|n| n.starts_with("state"))
            .cloned();
        let state = state.unwrap_or_else(|| panic!("{kind}: no state"));
        let (resumed, _) = run(&scene, &Silent, files.clone());
        let same = |files: &Memory| {
            assert_eq!(files.names().len(), whole.names().len(), "{kind}");
            for name in whole.names() {
                assert!(
                    files.read(name) == whole.read(name),
                    "{kind}: {name} differs"
                );
            }
        };
        same(&resumed);
        // A state that is not whole is none.
        let mut broken = files;
        let mut bytes = broken.read(&state).unwrap();
        let last = bytes.len() - 2;
        bytes[last] ^= 1;
        klast_runs::files::FilesExt::bytes(&mut broken, &state, &bytes).unwrap();
        same(&run(&scene, &Silent, broken).0);
    }
}

/// The sets of a later grid follow from the resamples, and so from the seed: what was computed with one is nothing to
/// another.
#[test]
fn throws_that_go_on_with_another_seed_give_what_that_seed_gives() {
    let text = klast_scenes::kinds::find("thrown").unwrap().example;
    let from = "\"position_error_m\": 0.002";
    assert!(text.contains(from));
    let to = "\"values\": 9, \"resamples\": 100, \"laws\": [\"newton\"]";
    let text = text.replacen(from, to, 1);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (scene, _) = Scene::parse(&text, &examples).unwrap();
    let fresh = |seed| run_seeded(&scene, Some(seed), &Silent, Memory::default()).0;
    let (one, two) = (fresh(1), fresh(2));
    // Grids of 81: the last is another by another seed, and there the run is stopped.
    let last_grid = |files: &Memory| {
        let rows = String::from_utf8(files.read("misfit.csv").unwrap()).unwrap();
        let own = rows.lines().filter(|row| row.starts_with("newton,4,"));
        own.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(last_grid(&one) != last_grid(&two), "one grid by two seeds");
    let stop = After(270, AtomicU64::new(0));
    let (files, ended) = run_seeded(&scene, Some(1), &stop, Memory::default());
    assert!(!ended && files.names().iter().any(|n| n.starts_with("state")));
    let (resumed, _) = run_seeded(&scene, Some(2), &Silent, files);
    for name in two.names() {
        assert!(resumed.read(name) == two.read(name), "{name}");
    }
}
