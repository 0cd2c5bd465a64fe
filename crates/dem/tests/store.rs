//! A study that was stopped goes on from its folder and comes out the same.

use glam::DVec3;
use klast_dem::{Packing, Store, StudyPlan, StudyRun, Variation};
use std::ops::ControlFlow;

fn tiny() -> StudyPlan {
    let run = |variation: Variation| StudyRun {
        layer: DVec3::new(1.0, 0.7, 0.7),
        size: 0.3,
        seed: 2,
        variation,
    };
    StudyPlan {
        fit: run(Variation::Base),
        fit_residual: 1180.0,
        speed: 1200.0,
        start_mass: 60.0,
        runs: vec![
            run(Variation::Base),
            run(Variation::Friction(0.0)),
            run(Variation::Conservative),
        ],
    }
}

#[test]
fn a_stopped_study_goes_on_and_comes_out_the_same() {
    let folder = std::env::temp_dir().join(format!("klast-store-test-{}", std::process::id()));
    let go = |_: &klast_dem::StudyStatus| ControlFlow::Continue(());
    let whole = Store::new(&folder.join("whole")).unwrap();
    let expected = whole.study(&tiny(), &mut { go }).unwrap().unwrap();
    assert!((expected.runs[0].residual - 1180.0).abs() < 1.0);
    assert!(expected.runs.iter().all(|r| r.mass == expected.mass));

    let broken = Store::new(&folder.join("broken")).unwrap();
    // Stopped at the last shot.
    let stop = |s: &klast_dem::StudyStatus| match s.done {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert!(broken.study(&tiny(), &mut { stop }).unwrap().is_none());
    let mut told = Vec::new();
    let resumed = broken
        .study(&tiny(), &mut |s| {
            told.push(s.done);
            ControlFlow::Continue(())
        })
        .unwrap()
        .unwrap();
    assert_eq!(resumed, expected);
    // Only the last shot was left to do.
    assert!(told.iter().all(|done| *done == 3));

    // A damaged layer is made again.
    let spec = tiny().fit.packing().unwrap();
    let path = broken.packing_path(&spec);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let (packing, cached) = broken.packing(&spec, |_| {}).unwrap();
    assert!(!cached);
    assert_eq!(packing.to_bytes(), bytes);
    assert_eq!(
        Packing::from_bytes(&std::fs::read(&path).unwrap())
            .unwrap()
            .to_bytes(),
        bytes
    );
    std::fs::remove_dir_all(&folder).unwrap();
}
