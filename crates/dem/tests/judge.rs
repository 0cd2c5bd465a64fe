//! Each statement can fail: a study that agrees is met everywhere, and one change at a time turns its verdict.

use glam::DVec3;
use klast_dem::{Judgement, RunSummary, StudyPlan, StudyRun, Variation, judge};

fn shot(run: &StudyRun) -> RunSummary {
    let residual = match run.variation {
        Variation::ProjectileRestitution(e) => 600.0 + 400.0 * e,
        Variation::Stiffness(x) => 1085.0 + 2.0 * x,
        Variation::Friction(_) => 1090.0,
        Variation::Step(_) => 1000.0 + 500.0 * run.size + 0.1,
        _ if run.size > 0.25 => 1160.0,
        _ => 1000.0 + 500.0 * run.size,
    };
    RunSummary {
        run: *run,
        mass: 60.0,
        rocks: 1000,
        strike: 5e-4,
        exit: Some(3.6e-3),
        exit_by_integral: 3.602e-3,
        step: 5e-6,
        residual,
        velocity_deflection: 0.05,
        axis_deflection: 0.2,
        affected_radius: 6.5 * run.size,
        fluctuation: 0.1 + run.size,
        mean_resistance: 2e6,
        peak_resistance: 4e6,
        energy_drift: 1e-6,
        momentum_drift: 1e-15,
        steps: 800,
        hash: 1,
        history: vec![],
    }
}

fn verdict(runs: &[RunSummary], id: &str) -> Judgement {
    let statements = judge(runs);
    let statement = statements.iter().find(|s| s.id == id);
    statement
        .unwrap_or_else(|| panic!("no statement {id}"))
        .judgement
}

#[test]
fn every_statement_can_be_met_and_can_fail() {
    let good: Vec<RunSummary> = StudyPlan::full().runs.iter().map(shot).collect();
    for s in judge(&good) {
        assert_eq!(s.judgement, Judgement::Met, "{}: {}", s.id, s.found);
    }
    let base = |r: &RunSummary| r.run.variation == Variation::Base;
    type Spoil = fn(&mut RunSummary);
    let spoils: [(&str, Spoil); 15] = [
        ("one-mass", |r| r.mass += r.run.size),
        ("residual", |r| r.residual -= 200.0),
        ("largest-faster", |r| r.residual = 1010.0),
        ("rank", |r| r.residual = 1100.0 - 300.0 * r.run.size),
        ("deflection", |r| r.axis_deflection = 0.5),
        ("strike", |r| r.strike += 1e-8),
        ("exit", |r| r.exit_by_integral += 1e-5),
        ("exit", |r| r.exit = None),
        ("zone", |r| r.affected_radius *= 2.0),
        ("fluctuation", |r| r.fluctuation = 1.0 - r.run.size),
        ("energy", |r| r.energy_drift = 0.02),
        ("momentum", |r| r.momentum_drift = 1e-11),
        ("step", |r| {
            r.residual += if matches!(r.run.variation, Variation::Step(_)) {
                2.0
            } else {
                0.0
            }
        }),
        ("stiffness", |r| {
            r.residual += if matches!(r.run.variation, Variation::Stiffness(_)) {
                90.0
            } else {
                0.0
            }
        }),
        ("friction", |r| {
            r.residual += if matches!(r.run.variation, Variation::Friction(_)) {
                90.0
            } else {
                0.0
            }
        }),
    ];
    for (id, spoil) in spoils {
        let mut bad = good.clone();
        bad.iter_mut().for_each(spoil);
        assert_eq!(verdict(&bad, id), Judgement::NotMet, "{id}");
    }
    let mut bad = good.clone();
    for r in &mut bad {
        if let Variation::ProjectileRestitution(e) = r.run.variation {
            r.residual = 1200.0 - 100.0 * e;
        }
    }
    assert_eq!(verdict(&bad, "restitution"), Judgement::NotMet);
    // Without the shots there is no verdict.
    let only: Vec<RunSummary> = good.iter().filter(|r| base(r)).cloned().collect();
    for id in [
        "restitution",
        "energy",
        "momentum",
        "step",
        "stiffness",
        "friction",
    ] {
        assert_eq!(verdict(&only, id), Judgement::NotTested, "{id}");
    }
    assert!(
        judge(&[])
            .iter()
            .all(|s| s.judgement == Judgement::NotTested)
    );
}

#[test]
fn the_full_study_is_the_one_asked_for() {
    let plan = StudyPlan::full();
    let layer = DVec3::new(3.5, 2.7, 3.5);
    assert!(plan.runs.iter().all(|r| r.layer == layer));
    // The mass comes from the size that the acceptance table names, through the full thickness.
    assert_eq!((plan.fit.size, plan.fit.layer.x), (0.1, 3.5));
    assert_eq!(plan.fit_residual, 1010.0);
    for (size, seeds) in [(0.1, 1), (0.13, 3), (0.175, 3), (0.2, 3), (0.29, 5)] {
        let found = plan
            .runs
            .iter()
            .filter(|r| r.size == size && r.variation == Variation::Base);
        assert_eq!(found.count(), seeds, "{size}");
    }
    let names: std::collections::BTreeSet<String> = plan.runs.iter().map(StudyRun::name).collect();
    assert_eq!(names.len(), plan.runs.len());
}
