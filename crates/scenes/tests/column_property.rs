//! Drawn columns at two steps and two numbers of points: a finer step or more points never turn "stands" into "falls"
//! or back, only into "undecided".

use klast_runs::answer::Judgement;
use klast_sampling::{Purpose, Streams, open_uniform};
use klast_scenes::Scene;
use serde_json::{Value, json};

/// Scenes that are drawn, with seeds from 0.
const SCENES: u64 = 10;

/// One or two bodies, prisms and drums, under a pulse each along x and y between what rocks them and what overturns
/// nearly all.
fn drawn(seed: u64) -> Value {
    let mut rng = Streams::new(seed).rng(Purpose::Custom(0xC01), 0);
    let mut between = |low: f64, high: f64| low + (high - low) * open_uniform(&mut rng);
    let bodies = 1 + between(0.0, 2.0) as usize;
    let width = between(0.3, 0.6);
    let drums = (0..bodies).map(|_| {
        let height = between(2.5, 4.0) * width / bodies as f64;
        match between(0.0, 2.0) < 1.0 {
            true => json!({"kind": "prism", "width_m": width, "depth_m": between(0.8, 1.2) * width, "height_m": height}),
            false => json!({"kind": "cylinder", "radius_m": 0.5 * width, "height_m": height}),
        }
    });
    let drums: Vec<Value> = drums.collect();
    let mut wave = |most: f64| {
        json!({"kind": "waves", "amplitude_m_s2": between(0.4, most), "frequency_hz": between(0.8, 1.6),
            "waves": 1, "phase_rad": between(0.0, 6.0)})
    };
    let (horizontal, transverse) = (wave(7.0), wave(4.0));
    json!({"schema": 1, "kind": "column", "drums": drums, "density_kg_m3": 2500, "friction": between(0.4, 0.9),
        "duration_s": 4, "horizontal": horizontal, "transverse": transverse, "sample_s": 1})
}

fn judged(scene: &Value, step: f64, facets: usize) -> Judgement {
    let mut scene = scene.clone();
    scene["step_s"] = json!(step);
    scene["facets"] = json!(facets);
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    outcome.results.answer().unwrap().judgement
}

#[test]
fn a_finer_step_or_more_points_only_turn_a_verdict_into_undecided() {
    let (mut holds, mut fails) = (0, 0);
    for seed in 0..SCENES {
        let scene = drawn(seed);
        let variants = [(1e-3, 12), (5e-4, 12), (1e-3, 24)];
        let said = variants.map(|(step, facets)| judged(&scene, step, facets));
        let stands = said.contains(&Judgement::Holds);
        let falls = said.contains(&Judgement::Fails);
        assert!(!(stands && falls), "{seed}: {said:?} {scene}");
        holds += usize::from(stands);
        fails += usize::from(falls);
    }
    assert!(holds > 2 && fails > 2, "{holds} {fails}");
}
