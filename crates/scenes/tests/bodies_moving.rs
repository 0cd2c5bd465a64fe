//! Verdicts beside a base that turns, on bodies that still move when the run ends, and on impacts that were not solved.

use klast_bodies_jobs::bodies::result::Results as Bodies;
use klast_bodies_jobs::bodies::verdict::Verdict;
use klast_scenes::Scene;
use serde_json::{Value, json};

fn run(scene: &Value) -> Result<(Bodies, Vec<String>), String> {
    let (scene, _) = Scene::parse(&scene.to_string(), ".").map_err(|e| format!("{e:#}"))?;
    let job = scene.job().map_err(|e| format!("{e:#}"))?;
    let outcome = job.run_silently().map_err(|e| format!("{e:#}"))?;
    match outcome.results.take::<Bodies>() {
        Some(bodies) => Ok((*bodies, outcome.warnings)),
        None => Err("results of another kind".to_owned()),
    }
}

fn scene(bodies: Value, duration: f64, bar: f64) -> Value {
    json!({
        "schema": 1, "kind": "bodies",
        "materials": {"stone": {"friction": 0.6, "density_kg_m3": 2400}},
        "bodies": bodies,
        "planes": [{"material": "stone", "normal": [0, 0, 1]}],
        "solver": {"step_s": 0.0025},
        "duration_s": duration, "frames": 0, "stands_within_m": bar
    })
}

/// A block rides on a turntable at a distance r: relative to the table it does not move. In space it goes a chord of
/// 2 r sin(ω t/2), 0.96 m. A step h moves it along the tangent, which takes it (ω h)² r/2 outwards: ω² r h t/2 in all.
#[test]
fn what_rides_on_a_turning_table_stands() {
    let (spin, at, step, time) = (0.5, 1.0, 0.001, 2.0);
    let bodies = json!([
        {"name": "table", "material": "stone", "shape": {"kind": "box", "edges_m": [6, 6, 1]}, "at_m": [0, 0, -0.5],
         "moved_by": {"kind": "steady", "velocity_m_s": [0.2, 0, 0], "spin_rad_s": [0, 0, spin]}},
        {"name": "block", "material": "stone", "shape": {"kind": "box", "edges_m": [0.3, 0.3, 0.2]},
         "at_m": [at, 0, 0.1], "velocity_m_s": [0.2, spin * at, 0], "spin_rad_s": [0, 0, spin]}
    ]);
    let mut scene = scene(bodies, time, 0.01);
    scene["planes"] = json!([]);
    scene["solver"]["step_s"] = json!(step);
    scene["relative_to"] = json!("table");
    let (found, _) = run(&scene).unwrap();
    let s = &found.summary;
    assert_eq!(s.verdict, Some(Verdict::Stands), "{}", found.sentence());
    let drift = 0.5 * spin * spin * at * step * time;
    // The drift itself moves the block outwards by 3e-4 of r, and its share of the way is not above 1 %.
    assert!(s.max_displacement_m < 1.01 * drift, "{}", found.sentence());
}

/// A leaning tower whose mass centre lies beyond the edge of its base by `beyond` (m).
fn leaning(beyond: f64, duration: f64, bar: f64) -> Value {
    let top = 4.0 + 2.0 * beyond;
    let bodies = json!([{
        "name": "tower", "material": "stone",
        "shape": {"kind": "outline", "corners_m": [[-2, 0], [2, 0], [2.0 + top, 20], [top - 2.0, 20]], "depth_m": 4}
    }]);
    scene(bodies, duration, bar)
}

/// The tower topples from rest: it moves less than 20 mm in 2 s, and accelerates all the time. The verdict is not that
/// it stands; the other tower, inside its base by as much, does.
#[test]
fn what_topples_slowly_does_not_stand() {
    for (duration, bar) in [(2.0, 0.02), (2.0, 0.1), (1.0, 0.02)] {
        let (found, warnings) = run(&leaning(0.01, duration, bar)).unwrap();
        let s = &found.summary;
        assert_eq!(s.verdict, Some(Verdict::Undecided), "{}", found.sentence());
        let why = s.undecided_because.clone().unwrap();
        assert!(why.starts_with("'tower' still moving at "), "{why}");
        assert!(
            warnings.iter().any(|w| w.contains("longer duration_s")),
            "{warnings:?}"
        );
        let (stands, _) = run(&leaning(-0.01, duration, bar)).unwrap();
        let verdict = stands.summary.verdict;
        assert_eq!(verdict, Some(Verdict::Stands), "{}", stands.sentence());
    }
    // Followed for longer it goes beyond any bar: the verdict is then one.
    let (found, _) = run(&leaning(0.01, 4.0, 0.02)).unwrap();
    assert_eq!(found.summary.verdict, Some(Verdict::Falls));
}

/// A block that slides to rest by v²/(2 μ g) has stopped, and one on springs swings about its rest: both stand.
#[test]
fn what_comes_to_rest_or_swings_stands() {
    let cube = |velocity: f64| {
        json!([{"name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
                "at_m": [0, 0, 0.5], "velocity_m_s": [velocity, 0, 0]}])
    };
    // 0.034 s of sliding, over 8.5 mm.
    let (slides, _) = run(&scene(cube(0.2), 0.5, 0.01)).unwrap();
    assert_eq!(slides.summary.verdict, Some(Verdict::Stands));
    for duration in [0.5, 0.53, 0.56, 0.59, 0.62] {
        let mut springs = scene(cube(0.0), duration, 0.01);
        // Periods of 0.1 s and less, 5 mm from one end of the swing to the other and less.
        springs["solver"]["stiffness_n_per_m"] = json!(2.4e6);
        let (swings, _) = run(&springs).unwrap();
        let verdict = swings.summary.verdict;
        assert_eq!(verdict, Some(Verdict::Stands), "{}", swings.sentence());
    }
}

/// A ball thrown up at 2 m/s is within 0.3 m of its start for 0.52 s, and never at rest but at 0.204 s: it rises, falls
/// back, or falls below its start. Over the last tenth of T its mean velocity is 2 − g · 0.95 T.
#[test]
fn a_ball_in_flight_does_not_stand() {
    let (speed, g) = (2.0, 9.81);
    for duration in [0.1, 0.3, 0.36, 0.44] {
        let ball = json!([{"name": "ball", "material": "stone", "shape": {"kind": "sphere", "diameter_m": 0.2},
                           "at_m": [0, 0, 2], "velocity_m_s": [0, 0, speed]}]);
        let (found, _) = run(&scene(ball, duration, 0.3)).unwrap();
        let s = &found.summary;
        assert_eq!(s.verdict, Some(Verdict::Undecided), "{}", found.sentence());
        let why = s.undecided_because.clone().unwrap();
        let told = why.strip_prefix("'ball' still moving at ").unwrap();
        let told: f64 = told.split(' ').next().unwrap().parse().unwrap();
        let mean = f64::abs(speed - g * 0.95 * duration);
        // The end begins up to a step earlier, and a step takes the velocity at its end: g h each, and 3 digits are
        // told.
        assert!(
            (told - mean).abs() < 2.0 * g * 0.0025 + 5e-3,
            "{why}: {mean}"
        );
    }
}

/// A block on springs swings about its rest within the bar, 1 to 2.5 mm to each side, in periods of 0.099 s. In the
/// last tenth of the run, more than half a period, it turns round: it stands, wherever in its swing the run ends.
#[test]
fn what_still_swings_on_springs_stands() {
    for k in 0..8 {
        let cube = json!([{"name": "cube", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
                           "at_m": [0, 0, 0.5]}]);
        let mut springs = scene(cube, 0.6 + 0.0125 * f64::from(k), 0.01);
        springs["solver"] = json!({"step_s": 0.0002, "stiffness_n_per_m": 2.4e6,
                                   "effort": {"kind": "residual", "tolerance": 1e-9}});
        let (swings, _) = run(&springs).unwrap();
        let verdict = swings.summary.verdict;
        assert_eq!(verdict, Some(Verdict::Stands), "{}", swings.sentence());
    }
}

/// A wall of three blocks rides on a base that five waves of 2 m/s² shake, where friction carries 0.6 g. Measured from
/// the base it does not move, while the base does (at 1.25 s its waves end).
#[test]
fn a_wall_that_rides_on_a_shaken_base_stands() {
    let wall = json!([
        {"name": "base", "material": "stone", "shape": {"kind": "box", "edges_m": [4, 2, 0.5]}, "at_m": [0, 0, -0.25],
         "moved_by": {"kind": "shaken", "along": [1, 0, 0],
                      "horizontal": {"kind": "waves", "amplitude_m_s2": 2.0, "frequency_hz": 4.0, "waves": 5}}},
        {"name": "wall", "material": "stone", "shape": {"kind": "box", "edges_m": [1, 0.5, 0.3]}, "at_m": [0, 0, 0.15],
         "copies": [{"count": 3, "shift_m": [0, 0, 0.3]}]}
    ]);
    for duration in [0.8, 0.9, 1.0, 1.6] {
        let mut scene = scene(wall.clone(), duration, 0.02);
        scene["planes"] = json!([]);
        scene["relative_to"] = json!("base");
        let (found, _) = run(&scene).unwrap();
        let verdict = found.summary.verdict;
        assert_eq!(verdict, Some(Verdict::Stands), "{}", found.sentence());
    }
}

/// A ball between two cubes of 10⁸ times its mass that close in on it bounces thousands of times in a step: the impacts
/// are cut short. That is said of impacts, not of contact problems, which are solved.
#[test]
fn impacts_that_are_cut_short_are_counted_as_such() {
    let cube = |name: &str, x: f64, velocity: f64| {
        json!({"name": name, "material": "stone", "shape": {"kind": "box", "edges_m": [1, 1, 1]},
               "at_m": [x, 0, 0], "velocity_m_s": [velocity, 0, 0]})
    };
    let ball = json!({"name": "ball", "material": "stone", "shape": {"kind": "sphere", "diameter_m": 0.002},
                      "at_m": [0, 0, 0]});
    let mut scene = scene(
        json!([
            cube("left", -0.50101, 0.1),
            ball,
            cube("right", 0.50101, -0.1)
        ]),
        0.001,
        0.1,
    );
    scene["gravity_m_s2"] = json!([0, 0, 0]);
    scene["planes"] = json!([]);
    scene["materials"]["stone"]["restitution"] = json!(1.0);
    scene["materials"]["stone"]["friction"] = json!(0.0);
    scene["solver"]["step_s"] = json!(0.0005);
    let (found, warnings) = run(&scene).unwrap();
    let s = &found.summary;
    assert!(s.unsolved_impacts > 0, "{s:?}");
    assert_eq!(s.unconverged_islands, 0, "{s:?}");
    let said = |what: &str| warnings.iter().any(|w| w.contains(what));
    assert!(said("impacts that were cut short"), "{warnings:?}");
    assert!(!said("contact problems in"), "{warnings:?}");
}

/// A velocity of a body that does not move freely would be ignored: it is refused.
#[test]
fn a_velocity_of_a_body_that_is_not_free_is_refused() {
    for (key, moved_by) in [
        ("velocity_m_s", json!({"kind": "fixed"})),
        ("spin_rad_s", json!({"kind": "fixed"})),
        (
            "velocity_m_s",
            json!({"kind": "steady", "velocity_m_s": [1, 0, 0]}),
        ),
    ] {
        let mut body = json!({"name": "wall", "material": "stone", "at_m": [3, 0, 0.5], "moved_by": moved_by,
                              "shape": {"kind": "box", "edges_m": [1, 1, 1]}});
        let free = json!({"name": "cube", "material": "stone", "at_m": [0, 0, 0.5],
                          "shape": {"kind": "box", "edges_m": [1, 1, 1]}});
        assert!(run(&scene(json!([body, free]), 0.01, 0.1)).is_ok());
        body[key] = json!([0.5, 0, 0]);
        let error = run(&scene(json!([body, free]), 0.01, 0.1)).err();
        let error = error.unwrap_or_default();
        assert!(
            error.contains(key) && error.contains("accepted: 0"),
            "{error}"
        );
    }
}
