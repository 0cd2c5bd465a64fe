//! A run that was interrupted goes on from its state, and gives the files of one that was not, bit by bit.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use klast_scenes::files::{Files as _, Memory};
use klast_scenes::{Keeps, Progress, Run, Scene, Silent};

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
fn run(scene: &Scene, progress: &dyn Progress, mut files: Memory) -> (Memory, bool) {
    let job = scene.job().unwrap();
    assert_ne!(job.keeps(), Keeps::Nothing, "{}", scene.kind().name);
    let ran = job.run(&mut Run::new(progress, &mut files));
    match &ran {
        Ok(results) => results.write(&mut files).unwrap(),
        Err(error) => assert!(error.is::<klast_scenes::job::Interrupted>(), "{error:#}"),
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
        ("assembly_sweep", &[][..], 1),
        ("rocking_spectrum", &[][..], 33),
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
                ("\"sets\": 6", "\"sets\": 9"),
                (
                    "\"fit_rocks\": 2",
                    "\"fit_rocks\": 2, \"refinement_rocks\": 0",
                ),
                ("\"rocks\": 12", "\"rocks\": 2"),
                ("\"maximum_time_s\": 30", "\"maximum_time_s\": 5"),
                ("0.125, 0.25", "1.0"),
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
        klast_scenes::files::FilesExt::bytes(&mut broken, &state, &bytes).unwrap();
        same(&run(&scene, &Silent, broken).0);
    }
}
