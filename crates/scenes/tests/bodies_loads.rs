//! Scenes with loads, ties, cohesion and removals: what statics says of them, and their energy balance.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::standing::Equilibrium;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use serde_json::{Value, json};

const G: f64 = 9.81;

fn run(scene: &Value) -> Bodies {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let found = *outcome.results.take::<Bodies>().unwrap();
    let s = &found.summary;
    assert_eq!(
        (s.steps_with_energy_gain, s.energy_generating_contacts),
        (0, 0)
    );
    // What the terms of the balance leave is rounding, of what they handle.
    for row in &found.energy {
        let handled = row.kinetic_j + row.potential_j.abs() + row.tied_j + row.load_work_j.abs();
        assert!(row.energy_residual_j.abs() <= 1e-10 * handled, "{row:?}");
    }
    found
}

/// Paths of the faults of a scene that is refused.
fn refused(scene: &Value) -> String {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    match scene.job() {
        Ok(_) => panic!("accepted"),
        Err(error) => format!("{error:#}"),
    }
}

/// A block of 2 m × 1 m × 3 m of 2,400 kg/m³ on a floor.
fn scene(friction: f64) -> Value {
    json!({
        "schema": 1, "kind": "bodies",
        "materials": {"stone": {"friction": friction, "density_kg_m3": 2400}},
        "bodies": [{"name": "dam", "material": "stone", "at_m": [0, 0, 1.5],
                    "shape": {"kind": "box", "edges_m": [2, 1, 3]}}],
        "planes": [{"material": "stone", "normal": [0, 0, 1]}],
        "solver": {"step_s": 0.0025},
        "duration_s": 0.5, "frames": 0, "stands_within_m": 1e-4
    })
}

fn verdict(scene: &Value) -> Option<Verdict> {
    run(scene).summary.verdict
}

/// Water with uplift in the joint: `½ ρ g H² = μ (W − ½ ρ g H b)` is the level at which the dam slides.
#[test]
fn a_dam_with_uplift_slides_at_its_level() {
    let (friction, weight) = (0.3f64, 2400.0 * 6.0);
    // H² + μ b H − 2 μ W / ρ = 0.
    let half: f64 = 0.5 * friction * 2.0;
    let level = (half * half + 2.0 * friction * weight / 1000.0).sqrt() - half;
    assert!(level < 3.0);
    for (part, expected) in [(0.999, Verdict::Stands), (1.001, Verdict::Falls)] {
        let level = part * level;
        let mut scene = scene(friction);
        scene["loads"] = json!([
            {"body": "dam", "acts": {"kind": "water", "level_m": level, "face": [-1, 0, 0]}},
            {"body": "dam", "acts": {"kind": "joint", "face": [0, 0, -1],
                "from_m": [-1, 0, 0], "from_pa": 1000.0 * G * level, "to_m": [1, 0, 0], "to_pa": 0}}
        ]);
        // 0.1 % beyond the limit it goes 2 mm in a second.
        scene["duration_s"] = json!(1.0);
        scene["limit_analysis"] = json!({"towards": [1, 0, 0]});
        let found = run(&scene).summary;
        assert_eq!(found.verdict, Some(expected), "{part}");
        // Limit analysis: what is left of the friction, over the weight; beyond the limit there is no equilibrium.
        let left = friction * (weight - 1000.0 * level) - 500.0 * level * level;
        let most = found.limit_analysis.and_then(|limit| limit.load_multiplier);
        match expected {
            Verdict::Stands => assert!((most.unwrap() - left / weight).abs() < 1e-6, "{most:?}"),
            _ => assert_eq!(most, None),
        }
        let fallen = found.fallen.map(|fallen| fallen.equilibrium);
        assert!(
            fallen.is_none_or(|found| found == Equilibrium::None),
            "{fallen:?}"
        );
    }
}

/// An anchor holds a block that a force would overturn, up to its strength; a force that grows with time breaks it, and
/// the result says so.
#[test]
fn an_anchor_holds_up_to_its_strength() {
    // About the toe: F · 3 = W · 1 + T · 2, the anchor at the heel.
    let (weight, strength) = (2400.0 * 6.0 * G, 50e3);
    let limit = (weight + 2.0 * strength) / 3.0;
    for (part, broken) in [(0.97, false), (1.03, true)] {
        let mut scene = scene(0.9);
        scene["loads"] = json!([{"body": "dam", "factors": [[0, 0], [0.4, 1]],
            "acts": {"kind": "force", "force_n": [part * limit, 0, 0], "at_m": [-1, 0, 3]}}]);
        scene["ties"] = json!([{"name": "anchor", "stiffness_n_per_m": 1e8, "strength_n": strength,
            "ends": [{"body": "dam", "at_m": [-1, 0, 3]}, {"at_m": [-1, 0, -7]}]}]);
        scene["duration_s"] = json!(0.8);
        scene["stands_within_m"] = json!(0.01);
        let found = run(&scene);
        let tie = &found.summary.ties[0];
        assert_eq!(
            (tie.name.as_str(), tie.broken),
            ("anchor", broken),
            "{tie:?}"
        );
        let expected = if broken {
            Verdict::Falls
        } else {
            Verdict::Stands
        };
        assert_eq!(found.summary.verdict, Some(expected), "{part}");
        if !broken {
            let force = (3.0 * part * limit - weight) / 2.0;
            // It leans by half a millimetre in two metres, which moves the weight; and it still swings by a little.
            assert!(
                (tie.force_n - force).abs() < 3e-3 * force,
                "{tie:?} {force}"
            );
        }
    }
}

/// A column whose lowest block is taken out falls by its height, and what was taken out is in the balance. Mortar holds
/// a block to a ceiling until the pull is beyond its strength.
#[test]
fn removals_and_mortar() {
    let mut column = scene(0.6);
    column["bodies"] = json!([{"name": "block", "material": "stone", "at_m": [0, 0, 0.25],
        "shape": {"kind": "box", "edges_m": [0.5, 0.5, 0.5]},
        "copies": [{"count": 3, "shift_m": [0, 0, 0.5]}]}]);
    column["removals"] = json!([{"body": "block 1", "at_s": 0.1}]);
    column["duration_s"] = json!(1.0);
    let found = run(&column);
    let s = &found.summary;
    assert_eq!(s.verdict, Some(Verdict::Falls));
    assert!(
        (s.max_displacement_m - 0.5).abs() < 1e-3,
        "{}",
        s.max_displacement_m
    );
    assert!((s.removed_energy_j - 300.0 * G * 0.25).abs() < 0.1);
    for (part, expected) in [(0.98, Verdict::Stands), (1.02, Verdict::Falls)] {
        let (strength, weight) = (30e3, 2400.0 * 6.0 * G);
        let mut scene = scene(0.6);
        scene["pairs"] = json!([{"materials": ["stone", "stone"], "friction": 0.6,
            "cohesion_pa": 60e3, "tensile_strength_pa": strength}]);
        let force = weight + part * strength * 2.0;
        scene["loads"] =
            json!([{"body": "dam", "acts": {"kind": "force", "force_n": [0, 0, force]}}]);
        assert_eq!(verdict(&scene), Some(expected), "{part}");
    }
}

/// What is refused, and where: names that are not there, bodies that are not free, numbers out of range.
#[test]
fn refusals_name_their_place() {
    let force = json!({"kind": "force", "force_n": [1, 0, 0]});
    for (key, value, path) in [
        (
            "loads",
            json!([{"body": "damm", "acts": force}]),
            "loads[0].body",
        ),
        (
            "removals",
            json!([{"body": "dam", "at_s": 7}]),
            "removals[0].at_s",
        ),
        (
            "removals",
            json!([{"body": "dam", "at_s": 0}, {"body": "x", "at_s": 0}]),
            "removals[1].body",
        ),
    ] {
        let mut scene = scene(0.5);
        scene[key] = value;
        let found = refused(&scene);
        assert!(found.contains(path), "{found}");
    }
    let mut scene = scene(0.5);
    scene["ties"] = json!([{"name": "t", "stiffness_n_per_m": -1.0,
        "ends": [{"body": "dam", "at_m": [0, 0, 3]}, {"at_m": [0, 0, 9]}]}]);
    assert!(refused(&scene).contains("ties[0]"));
    scene["ties"] = json!([]);
    scene["pairs"] = json!([{"materials": ["stone", "stone"], "friction": 0.5,
        "cohesion_pa": 10.0, "tensile_strength_pa": 30.0}]);
    assert!(refused(&scene).contains("pairs"));
    // Statics does not know ties: a load multiplier without them would be none of this structure.
    let mut scene = self::scene(0.5);
    scene["limit_analysis"] = json!({"towards": [1, 0, 0]});
    scene["ties"] = json!([{"name": "t", "stiffness_n_per_m": 1e6,
        "ends": [{"body": "dam", "at_m": [0, 0, 3]}, {"at_m": [0, 0, 9]}]}]);
    let found = refused(&scene);
    assert!(
        found.contains("limit_analysis") && found.contains("ties"),
        "{found}"
    );
}
