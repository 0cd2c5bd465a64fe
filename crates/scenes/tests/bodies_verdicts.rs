//! A scene of bodies says "stands" or "falls" where its contact problems carry that, and "undecided" where they do not.

use crate::common::refused::{one_names, paths};
use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use serde_json::{Value, json};

fn run(scene: &Value) -> (Bodies, Vec<String>) {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let bodies = outcome.results.take::<Bodies>().unwrap();
    (*bodies, outcome.warnings)
}

fn scene(bodies: Value, friction: f64, step: f64, effort: Option<Value>) -> Value {
    let mut scene = json!({
        "schema": 1, "kind": "bodies",
        "materials": {"stone": {"friction": friction, "density_kg_m3": 2400}},
        "bodies": bodies,
        "planes": [{"material": "stone", "normal": [0, 0, 1]}],
        "solver": {"step_s": step},
        "duration_s": 1, "frames": 0, "stands_within_m": 0.001
    });
    if let Some(effort) = effort {
        scene["solver"]["effort"] = effort;
    }
    scene
}

/// A semicircular arch of equal voussoirs, thickness 0.12 of the mean radius of 1 m: 0.1075 is the least that stands
/// (Heyman 1969, Milankovitch 1907), for blocks without end more.
fn arch(count: u32, effort: Option<Value>) -> Value {
    let half = std::f64::consts::PI / f64::from(count);
    let (inner, outer) = (0.94, 1.06);
    let corners = [
        [inner, 0.0],
        [outer, 0.0],
        [outer * half.cos(), outer * half.sin()],
        [inner * half.cos(), inner * half.sin()],
    ];
    let bodies = json!([{
        "name": "voussoir", "material": "stone",
        "shape": {"kind": "outline", "corners_m": corners, "depth_m": 1.0},
        "copies": [{"count": count, "turn": {"axis": [0, -1, 0], "angle_deg": 180.0 / f64::from(count)}}]
    }]);
    scene(bodies, 0.8, 0.005, effort)
}

fn column(count: u32, effort: Option<Value>) -> Value {
    let bodies = json!([{
        "name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
        "at_m": [0, 0, 0.5], "copies": [{"count": count, "shift_m": [0, 0, 1]}]
    }]);
    scene(bodies, 0.6, 0.0025, effort)
}

/// A boulder of 2 m on four cubes of 0.1 m, 8,000 times lighter.
fn heavy(effort: Option<Value>) -> Value {
    let bodies = json!([
        {"name": "pebbles", "material": "stone", "shape": {"kind": "box", "edges_m": [0.1, 0.1, 0.1]},
         "at_m": [-0.6, -0.6, 0.05],
         "copies": [{"count": 2, "shift_m": [1.2, 0, 0]}, {"count": 2, "shift_m": [0, 1.2, 0]}]},
        {"name": "boulder", "material": "stone", "shape": {"kind": "box", "edges_m": [2, 2, 2]}, "at_m": [0, 0, 1.1]}
    ]);
    scene(bodies, 0.6, 0.0025, effort)
}

/// Statics says that all of them stand; with the defaults they do, to a hundred-thousandth of a block.
#[test]
fn structures_stand_with_the_defaults() {
    for (name, scene) in [
        ("arch of 15", arch(15, None)),
        ("arch of 31", arch(31, None)),
        ("column of 30", column(30, None)),
        ("boulder", heavy(None)),
    ] {
        let (bodies, warnings) = run(&scene);
        let s = &bodies.summary;
        assert_eq!(
            s.verdict,
            Some(Verdict::Stands),
            "{name}: {}",
            bodies.sentence()
        );
        assert!(s.max_displacement_m < 1e-6, "{name}: {}", bodies.sentence());
        assert!(s.max_residual <= 1e-6, "{name}: {}", bodies.sentence());
        let about_mass = |w: &String| w.contains("mass");
        assert!(warnings.iter().all(about_mass), "{name}: {warnings:?}");
    }
}

/// Twenty sweeps solve none of these: they may move by anything, and no verdict is given.
#[test]
fn sweeps_that_solve_nothing_give_no_verdict() {
    let sweeps = || Some(json!({"kind": "sweeps", "count": 20}));
    for (name, scene) in [
        ("arch of 15", arch(15, sweeps())),
        ("column of 30", column(30, sweeps())),
        ("boulder", heavy(sweeps())),
    ] {
        let (bodies, warnings) = run(&scene);
        assert_eq!(
            bodies.summary.verdict,
            Some(Verdict::Undecided),
            "{name}: {}",
            bodies.sentence()
        );
        assert!(one_names(&warnings, &["residual"]), "{name}: {warnings:?}");
    }
}

/// A plank on end whose foot is narrower than the offset of its centre falls, and the verdict says so.
#[test]
fn what_falls_is_said_to_fall() {
    let bodies = json!([{
        "name": "plank", "material": "stone", "shape": {"kind": "box", "edges_m": [0.1, 0.5, 1]},
        "at_m": [0, 0, 0.52], "turn": {"axis": [0, 1, 0], "angle_deg": 8}
    }]);
    let (bodies, _) = run(&scene(bodies, 0.6, 0.0025, None));
    assert_eq!(
        bodies.summary.verdict,
        Some(Verdict::Falls),
        "{}",
        bodies.sentence()
    );
}

/// Two cubes in a slot 0.1 mm too narrow: wedged, by name.
#[test]
fn what_does_not_fit_is_named() {
    let bodies = json!([
        {"name": "wall", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 3, 3]}, "at_m": [-0.5, 0, 1.5],
         "moved_by": {"kind": "fixed"}, "copies": [{"count": 2, "shift_m": [2.9999, 0, 0]}]},
        {"name": "block", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]}, "at_m": [0.499975, 0, 0.5],
         "copies": [{"count": 2, "shift_m": [0.99995, 0, 0]}]}
    ]);
    let mut scene = scene(bodies, 0.5, 0.0025, None);
    scene["duration_s"] = json!(0.1);
    let (bodies, warnings) = run(&scene);
    assert!(
        bodies.summary.max_displacement_m < 3e-4,
        "{}",
        bodies.sentence()
    );
    assert_eq!(bodies.summary.wedged.len(), 2);
    assert!(
        one_names(&warnings, &["block 1", "block 2"]),
        "{warnings:?}"
    );
}

/// A column that is set down at 3 m/s: the fall is the largest velocity of its first contact problem, a hundred times
/// that which gravity gives in the step. A relative residual of 1e-4 may then hide 3e-4 m/s, which is 0.12 m/s² over
/// the step, where 0.002 m/s² carry a verdict on 1 mm in 1 s; at rest the same residual hides 0.001 m/s².
#[test]
fn a_fast_step_is_judged_by_what_its_residual_hides() {
    let loose = || Some(json!({"kind": "residual", "tolerance": 1e-4}));
    for (speed, expected) in [(0.0, Verdict::Stands), (3.0, Verdict::Undecided)] {
        let mut scene = column(8, loose());
        scene["bodies"][0]["velocity_m_s"] = json!([0, 0, -speed]);
        let (bodies, _) = run(&scene);
        assert!(bodies.summary.max_residual <= 1e-4);
        assert_eq!(
            bodies.summary.verdict,
            Some(expected),
            "{}",
            bodies.sentence()
        );
    }
}

/// A sphere that rolls on level ground comes to rest after v²/(2 a), a = c g/(R (1 + 2/5)): 1.4 · 0.5/(2 · 0.1 · 9.81)
/// of v² for R = 0.5 m and c = 0.1 m.
#[test]
fn a_sphere_rolls_out_by_its_resistance() {
    let bodies = json!([{
        "name": "ball", "material": "stone", "shape": {"kind": "sphere", "diameter_m": 1.0},
        "at_m": [0, 0, 0.5], "velocity_m_s": [0.5, 0, 0], "spin_rad_s": [0, 1, 0],
        "rolling_resistance_m": 0.1
    }]);
    let mut rolls = scene(bodies, 0.6, 0.001, None);
    rolls.as_object_mut().unwrap().remove("stands_within_m");
    let (found, warnings) = run(&rolls);
    assert!(warnings.is_empty(), "{warnings:?}");
    let way = 0.25 * 1.4 * 0.5 / (2.0 * 0.1 * 9.81);
    let moved = found.summary.max_displacement_m;
    // Half a step of the first speed.
    assert!((moved - way).abs() < 0.5e-3, "{moved} {way}");
}

/// Only a sphere has a rolling resistance.
#[test]
fn a_box_has_no_rolling_resistance() {
    let bodies = json!([{
        "name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
        "at_m": [0, 0, 0.5], "rolling_resistance_m": 0.1
    }]);
    let (scene, _) = Scene::parse(&scene(bodies, 0.6, 0.001, None).to_string(), ".").unwrap();
    let error = scene
        .job()
        .and_then(|job| job.run_silently())
        .err()
        .unwrap();
    assert!(
        format!("{error:#}").contains("rolling_resistance_m"),
        "{error:#}"
    );
}

/// Of shapes in turn the spheres alone have one, which a remark says.
#[test]
fn of_shapes_in_turn_the_spheres_have_the_rolling_resistance() {
    let bodies = json!([{
        "name": "mixed", "material": "stone",
        "shape": {"kind": "in_turn", "shapes": [
            {"kind": "sphere", "diameter_m": 1.0}, {"kind": "box", "edges_m": [1, 1, 1]}
        ]},
        "at_m": [0, 0, 0.5], "rolling_resistance_m": 0.1,
        "copies": [{"count": 2, "shift_m": [3, 0, 0]}]
    }]);
    let (_, warnings) = run(&scene(bodies, 0.6, 0.001, None));
    let remark = ["mixed", "rolling_resistance_m", "0.1"];
    assert!(one_names(&warnings, &remark), "{warnings:?}");
}

/// No Newton step is no bound that a solution could keep.
#[test]
fn a_bound_of_no_newton_step_is_refused() {
    let text = column(2, Some(json!({"kind": "auto", "max_newton_steps": 0}))).to_string();
    let (scene, _) = Scene::parse(&text, ".").unwrap();
    let read = scene.job().and_then(|job| job.run_silently());
    assert_eq!(paths(read), ["solver.effort.max_newton_steps"]);
}

/// Where automatic effort meets the bound on the work of a step the verdict is "undecided", and a warning says what
/// helps; with the default bound the same column stands.
#[test]
fn work_beyond_the_bound_of_a_step_is_undecided() {
    let auto = |steps: u32| Some(json!({"kind": "auto", "max_newton_steps": steps}));
    let (bounded, warnings) = run(&column(30, auto(1)));
    assert_eq!(bounded.summary.verdict, Some(Verdict::Undecided));
    let over = bounded.summary.over_budget_islands;
    assert!(over > 0 && over <= bounded.summary.unconverged_islands);
    assert!(
        warnings.iter().any(|w| w.contains("max_newton_steps")),
        "{warnings:?}"
    );
    let (found, warnings) = run(&column(30, None));
    assert_eq!(found.summary.verdict, Some(Verdict::Stands));
    assert_eq!(found.summary.over_budget_islands, 0);
    assert!(warnings.is_empty(), "{warnings:?}");
}

/// Three drums with circular edges on one another stand, the middle of each lower face where the scene has it; on a
/// slope a drum on its side rolls (2/3) g sin β t²/2 = 1.6350 m in a second with sin β = 0.5; with another number of
/// points too.
#[test]
fn drums_stand_on_their_faces_and_roll_on_their_circles() {
    let drum =
        |points: u32| json!({"kind": "drum", "diameter_m": 0.6, "height_m": 0.5, "points": points});
    let column = json!([{"name": "drum", "material": "stone", "shape": drum(24),
        "copies": [{"count": 3, "shift_m": [0, 0, 0.5]}]}]);
    let (found, _) = run(&scene(column, 0.6, 0.0025, None));
    assert_eq!(found.summary.verdict, Some(Verdict::Stands));
    for points in [5, 24] {
        let rolls = json!([{"name": "drum", "material": "stone", "shape": drum(points),
            "at_m": [0, 0, 0.3], "turn": {"axis": [1, 0, 0], "angle_deg": 90.0}}]);
        let mut scene = scene(rolls, 0.9, 0.001, None);
        scene["gravity_m_s2"] = json!([9.81 * 0.5, 0, -9.81 * 0.75f64.sqrt()]);
        let (found, _) = run(&scene);
        // A scheme of first order: a t h is 3.3 mm.
        let way = found.summary.max_displacement_m;
        assert!((way - 1.635).abs() < 5e-3, "{points}: {way}");
    }
}
