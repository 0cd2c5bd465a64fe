//! Random bodies, a small part of what `cargo run --release -p klast-dynamics --example random_bodies` throws.

#[path = "../examples/random_bodies/campaign.rs"]
mod campaign;

use campaign::{Ground, ended, survey, survey_body, survey_run, throw};
use klast_dynamics::single::Workspace;

/// No contact missed, no energy that the ledger does not show, none ended by a limit of steps.
#[test]
fn on_planes_and_rasters() {
    let mut workspace = Workspace::default();
    for (ground, count) in [(Ground::Plane, 100), (Ground::Raster, 60)] {
        for seed in 0..count {
            let Some(seen) = throw(seed, ground, &mut workspace) else {
                continue;
            };
            assert!(ended(seen.run.reason), "{ground:?} {seed}: {seen:?}");
            // What is shown is lifted out of ground without kinetic energy to pay for it: slow landings on planes,
            // hollow edges on rasters.
            let most = if ground == Ground::Plane { 1e-4 } else { 0.1 };
            assert!(seen.shown < most, "{ground:?} {seed}: {seen:?}");
            assert_eq!(seen.run.tally.forced, 0, "{ground:?} {seed}: {seen:?}");
            assert!(seen.unseen < 1e-9, "{ground:?} {seed}: {seen:?}");
            // What a step sinks is lifted out but for 1e-5 of the radius that a body without kinetic energy keeps.
            assert!(seen.depth < 1e-5, "{ground:?} {seed}: {seen:?}");
        }
    }
}

#[test]
fn on_a_triangulated_slope() {
    let mut workspace = Workspace::default();
    for noise in [0.05, 0.5] {
        let mesh = survey(1, noise);
        for (scanned, count) in [(false, 8), (true, 1)] {
            for seed in 0..count {
                let body = survey_body(seed, scanned).unwrap();
                let (run, deepest) = survey_run(seed, &body, &mesh, &mut workspace).unwrap();
                assert!(ended(run.reason), "{noise} {scanned} {seed}: {run:?}");
                assert_eq!(
                    run.tally.unconverged, 0,
                    "{noise} {scanned} {seed}: {run:?}"
                );
                assert_eq!(run.tally.forced, 0, "{noise} {scanned} {seed}: {run:?}");
                // A step looks at the ground in its middle and moves a body by a tenth of its radius at most.
                assert!(deepest < 0.1, "{noise} {scanned} {seed}: {deepest}");
            }
        }
    }
}
