//! A column of three drums under recorded motions: response and overturning scale factors.

use klast_dynamics::ground_motion::{AccelerationUnit, GroundMotion, Record};
use klast_rocking::stack::{Stack, StackBlock, StackOptions, StackOutcome, StackState, StackStop};
use std::path::Path;

/// Drums of 1.5 m height that taper from 1.0 to 0.92 m.
fn column() -> Stack {
    let drums = [(1.0, 3063.0), (0.96, 2823.0), (0.92, 2592.0)]
        .map(|(b, m)| StackBlock::new(b, 1.5, m).expect("a drum"));
    Stack::new(&drums, 9.81).expect("a stack")
}

#[test]
fn response_and_overturning_factors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ground_motion");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is absent", folder.display());
        return;
    };
    let mut names: Vec<_> = files
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "AT2"))
        .collect();
    names.sort();
    let mut seen = 0;
    for path in names {
        let text = std::fs::read_to_string(&path).expect("a record");
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let record =
            Record::read_at2(&text, Some(AccelerationUnit::StandardGravity)).expect("a record");
        let motion = GroundMotion::horizontal(record.component(1.0).expect("a component"));
        let options = StackOptions::until(motion.duration() + 20.0);
        let run = column()
            .run(&motion, &StackState::rest(3), &options)
            .expect("a run");
        assert!(
            matches!(
                run.stop,
                StackStop::Rest | StackStop::Duration | StackStop::Overturned
            ),
            "{name}: {:?}",
            run.stop
        );
        // Without slip a column lifts off only when the base passes g tan α of the whole: 1.0 m over 4.5 m.
        let lift_off = 9.81 / 4.5;
        let peak = motion.horizontal.intensity().pga;
        assert_eq!(run.events.is_empty(), peak < lift_off, "{name}: {peak}");
        let found = column()
            .overturning_scale(&motion, &options, (0.5, 12.0), 47)
            .expect("a scan");
        println!(
            "{name}: PGA {peak:.2} m/s², outcome {:?}, overturning factor {found:?}",
            run.outcome()
        );
        if let Some(found) = found {
            // Just below the factor found the column stands, at it blocks fall.
            let at = |factor: f64| {
                column()
                    .run(&motion.scaled(factor), &StackState::rest(3), &options)
                    .expect("a run")
                    .outcome()
            };
            assert!(
                matches!(
                    at(found.factor),
                    StackOutcome::Partial { .. } | StackOutcome::Total { .. }
                ),
                "{name}"
            );
            assert!(
                matches!(
                    at(found.factor * (1.0 - 2e-9)),
                    StackOutcome::Rest | StackOutcome::Rocking
                ),
                "{name}"
            );
            assert!(found.factor * peak > lift_off);
        }
        seen += 1;
    }
    assert!(seen > 0, "no record in {}", folder.display());
}
