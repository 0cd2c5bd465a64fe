//! Keys of impacts and of pairs of materials in a scene of bodies.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_scenes::Scene;
use serde_json::{Value, json};

fn run(scene: &Value) -> Result<Bodies, String> {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").map_err(|e| format!("{e:#}"))?;
    let job = scene.job().map_err(|e| format!("{e:#}"))?;
    let outcome = job.run_silently().map_err(|e| format!("{e:#}"))?;
    match outcome.results.take::<Bodies>() {
        Some(bodies) => Ok(*bodies),
        None => Err("results of another kind".to_owned()),
    }
}

/// A cube that slides at 1 m/s over a plane for a second.
fn slide() -> Value {
    json!({
        "schema": 1, "kind": "bodies",
        "materials": {"floor": {"friction": 0.5}, "steel": {"friction": 0.5}},
        "bodies": [{"name": "cube", "material": "steel", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
                    "at_m": [0, 0, 0.5], "velocity_m_s": [1, 0, 0]}],
        "planes": [{"material": "floor", "normal": [0, 0, 1]}],
        "solver": {"step_s": 0.001},
        "duration_s": 1, "frames": 0
    })
}

/// v²/(2 μ g), with the friction of the pair where it has its own.
#[test]
fn a_pair_has_its_own_friction() {
    for (pairs, mu) in [
        (json!([]), 0.5),
        (
            json!([{"materials": ["floor", "steel"], "friction": 0.2}]),
            0.2,
        ),
        (
            json!([{"materials": ["steel", "steel"], "friction": 0.2}]),
            0.5,
        ),
    ] {
        let mut scene = slide();
        scene["pairs"] = pairs;
        let found = run(&scene).unwrap().summary.max_displacement_m;
        // A step brakes whole, half a step of way.
        assert!((found - 0.5 / (mu * 9.81)).abs() < 6e-4, "{mu}: {found}");
    }
}

#[test]
fn pairs_that_say_nothing_are_refused() {
    for (pairs, word) in [
        (
            json!([{"materials": ["floor", "ice"], "friction": 0.2}]),
            "ice",
        ),
        (
            json!([{"materials": ["floor", "steel"], "friction": -0.2}]),
            "friction",
        ),
        (
            json!([{"materials": ["floor", "steel"], "friction": 0.2}, {"materials": ["steel", "floor"], "friction": 0.3}]),
            "twice",
        ),
    ] {
        let mut scene = slide();
        scene["pairs"] = pairs;
        let error = run(&scene).err().unwrap_or_default();
        assert!(error.contains(word) && error.contains("pairs["), "{error}");
    }
}

/// Three cubes in a row with gaps that close within a step: binary impacts let the last fly off alone, Newton's law for
/// all at once moves all of them.
#[test]
fn the_impact_law_is_a_key() {
    for (law, last) in [
        ("newton", 1.0),
        ("poisson", 1.0),
        ("stronge", 1.0),
        ("sequential", 1.0),
        ("together", 2.0 / 3.0),
    ] {
        let mut scene = slide();
        scene["gravity_m_s2"] = json!([0, 0, 0]);
        scene["materials"]["steel"] = json!({"friction": 0, "restitution": 1});
        scene["bodies"][0]["at_m"] = json!([0, 0, 5]);
        scene["bodies"].as_array_mut().unwrap().push(json!({
            "name": "row", "material": "steel", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
            "at_m": [1, 0, 5], "copies": [{"count": 2, "shift_m": [1, 0, 0]}]
        }));
        scene["solver"]["impact_law"] = json!(law);
        scene["duration_s"] = json!(0.001);
        let found = run(&scene).unwrap().summary.max_displacement_m;
        assert!((found - 0.001 * last).abs() < 1e-9, "{law}: {found}");
    }
}

/// A rod that slips against its spin as it lands: Newton's law with friction makes energy (Kane 1984). The impact is
/// refused, and the run says so; Stronge's law makes none.
#[test]
fn impacts_that_would_make_energy_are_refused_and_told() {
    let warned = |spin: f64, law: &str| {
        let mut scene = slide();
        scene["materials"] =
            json!({"steel": {"friction": 0.3, "restitution": 0.95, "density_kg_m3": 2000}});
        scene["planes"][0]["material"] = json!("steel");
        scene["bodies"] = json!([{
            "name": "rod", "material": "steel", "shape": {"kind": "box", "edges_m": [0.6, 0.1, 0.1]},
            "at_m": [0, 0, 1], "velocity_m_s": [3, 0, 0], "spin_rad_s": [0, spin, 0]
        }]);
        scene["solver"]["impact_law"] = json!(law);
        scene["duration_s"] = json!(0.7);
        let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
        let outcome = scene.job().unwrap().run_silently().unwrap();
        let warns = |of: &str| outcome.warnings.iter().any(|w| w.starts_with(of));
        assert!(!warns("steps that gained energy"), "{:?}", outcome.warnings);
        warns("impacts whose law generates energy: 1;")
    };
    assert!(warned(-10.0, "newton"));
    assert!(!warned(10.0, "newton"));
    assert!(!warned(-10.0, "stronge"));
}

/// A cube that begins 5 cm deep in the ground is lifted by 5 cm, which is more energy than it has; a heavy ball that
/// falls beside it for a second and touches nothing has 10⁵ times that energy, and does not hide it.
#[test]
fn a_distant_fall_does_not_hide_what_taking_out_overlap_does() {
    let warned = |heavy: bool| {
        let mut scene = slide();
        scene["planes"] = json!([{"material": "steel", "normal": [0, 0, 1], "offset_m": 0}]);
        scene["bodies"] = json!([{
            "name": "cube", "material": "steel", "shape": {"kind": "box", "edges_m": [1, 1, 1]}, "at_m": [0, 0, 0.45]
        }]);
        if heavy {
            scene["bodies"].as_array_mut().unwrap().push(json!({
                "name": "ball", "material": "steel", "shape": {"kind": "sphere", "diameter_m": 10},
                "at_m": [1000, 0, 1000]
            }));
        }
        scene["duration_s"] = json!(1);
        let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
        let outcome = scene.job().unwrap().run_silently().unwrap();
        let told = |w: &String| w.starts_with("taking out overlap did work of");
        outcome.warnings.iter().any(told)
    };
    assert!(warned(false) && warned(true));
}

/// Five cubes with gaps of 1 mm and e = 1: binary impacts in turn keep the energy, of which steps of 2.5 ms once kept
/// half. 1e-9 is far above the rounding of a dozen impacts.
#[test]
fn a_row_with_gaps_keeps_its_energy_under_every_law() {
    for law in ["newton", "sequential", "poisson", "stronge", "together"] {
        let mut scene = slide();
        scene["gravity_m_s2"] = json!([0, 0, 0]);
        scene["materials"]["steel"] = json!({"friction": 0, "restitution": 1});
        scene["planes"] = json!([]);
        let row = [-0.500_062_5, 1.001, 2.002, 3.003, 4.004]
            .iter()
            .enumerate();
        let cube = |(k, x): (usize, &f64)| {
            json!({"name": format!("b{k}"), "material": "steel", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
                   "at_m": [x, 0, 0], "velocity_m_s": [f64::from(u8::from(k == 0)), 0, 0]})
        };
        scene["bodies"] = row.map(cube).collect();
        scene["solver"] = json!({"step_s": 0.0025, "impact_law": law});
        scene["duration_s"] = json!(1.2);
        let summary = run(&scene).unwrap().summary;
        let part = summary.kinetic_energy_j / summary.energy_at_start_j;
        assert!((part - 1.0).abs() < 1e-9, "{law}: {part}");
        assert_eq!((summary.refused_impacts, summary.unsolved_impacts), (0, 0));
    }
}
