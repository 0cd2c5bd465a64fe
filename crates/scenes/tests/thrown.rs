//! Throws of a body, through the program's own readers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::common::refused::paths;
use klast_rockfall_jobs::thrown::result::Results as Thrown;
use klast_rockfall_jobs::thrown::scene::Law;
use klast_scenes::Scene;
use klast_scenes::kinds::find;

use klast_runs::answer::Judgement;
use klast_runs::fit::{Beside, Interval, Optimum};

/// The example with edits, and other tracks in place of its own.
fn scene(edits: &[(&str, &str)], tracks: Option<&str>) -> klast_runs::error::Result<Scene> {
    let mut text = find("thrown").unwrap().example.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let (scene, _) = Scene::parse(&text, folder)?;
    let attached = tracks.map(|t| ("thrown-tracks.csv".to_owned(), t.as_bytes().to_vec()));
    Ok(scene.with_files(BTreeMap::from_iter(attached)))
}

fn job(
    edits: &[(&str, &str)],
    tracks: Option<&str>,
) -> klast_runs::error::Result<Box<dyn klast_runs::Job>> {
    scene(edits, tracks)?.job()
}

fn refused(edits: &[(&str, &str)], tracks: Option<&str>) -> String {
    format!("{:#}", job(edits, tracks).err().unwrap())
}

fn run(edits: &[(&str, &str)], tracks: Option<&str>) -> (Thrown, Vec<String>) {
    let scene = scene(edits, tracks).unwrap();
    let outcome = scene.job().unwrap().run_silently().unwrap();
    let results = outcome.results.take::<Thrown>().unwrap();
    (*results, outcome.warnings)
}

/// Less work than the example asks for.
const SMALL: (&str, &str) = (
    "\"position_error_m\": 0.002",
    "\"position_error_m\": 0.002, \"values\": 9, \"resamples\": 200",
);
/// The same with two laws.
const SMALLER: (&str, &str) = (
    "\"position_error_m\": 0.002",
    "\"position_error_m\": 0.002, \"values\": 9, \"resamples\": 200, \"laws\": [\"newton\", \"stronge\"]",
);
const TRACKS: &str = include_str!("../../../examples/thrown-tracks.csv");

/// The example's tracks were made by Stronge's law with μ = 0.35, e = 0.55 and an error of 1 mm in each coordinate,
/// then rounded to a tenth of that.
#[test]
fn the_example_finds_the_law_that_made_its_tracks() {
    let (results, warnings) = run(&[SMALL], None);
    let (s, answer) = (&results.summary, results.answer());
    assert_eq!(
        (s.law, s.law_is_decided),
        (Law::Stronge, true),
        "{}",
        answer.verdict
    );
    let (friction, restitution) = (s.friction, s.normal_restitution);
    assert!((friction.low..=friction.high).contains(&0.35));
    assert!((restitution.low..=restitution.high).contains(&0.55));
    assert!(friction.high - friction.low < 0.05);
    for found in [friction, restitution] {
        assert_eq!(
            (found.optimum, found.interval),
            (Optimum::Inside, Interval::Closed)
        );
    }
    assert_eq!(s.held_out.beside_reference, Beside::Better);
    assert!(
        s.held_out_rms_m
            .is_some_and(|unseen| unseen >= s.rms_m && unseen < 1.1 * s.rms_m)
    );
    // √3 mm, and two of its standard errors of 120 samples.
    assert!((s.rms_m - 1.732e-3).abs() < 2e-4, "{}", s.rms_m);
    assert_eq!(answer.judgement, Judgement::Measured);
    assert!(warnings.is_empty(), "{warnings:?}");
    let shares: f64 = results.laws.iter().map(|l| l.least_share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    // Without attitudes the positions are all that is compared.
    assert_eq!(s.position_rms_m, s.rms_m);
    // A tenth of the error is not the misfit.
    let (results, _) = run(
        &[("0.002", "0.0002, \"values\": 5, \"resamples\": 100")],
        None,
    );
    let answer = results.answer();
    assert_eq!(answer.judgement, Judgement::Fails);
}

/// A box that falls flat rebounds flat, in closed form; its attitudes are measured 0.1 rad off, to either side in turn.
#[test]
fn an_error_of_attitudes_is_none_of_positions() {
    let (restitution, angle) = (0.6, 0.1_f64);
    let mut tracks = String::from("throw,time_s,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s\n");
    for k in 0..5 {
        let fall = 0.2 + 0.02 * f64::from(k);
        let height = 0.075 + 0.5 * 9.81 * fall * fall;
        tracks += &format!("{k},0,0,0,{height},1,0,0,0,0,0,0\n");
        let rebound = restitution * 9.81 * fall;
        for i in 1..=10 {
            let after = 0.015 * f64::from(i);
            let z = 0.075 + rebound * after - 0.5 * 9.81 * after * after;
            let half = 0.5 * angle * if i % 2 == 0 { 1.0 } else { -1.0 };
            let (w, y) = (half.cos(), half.sin());
            tracks += &format!("{k},{},0,0,{z},{w},0,{y},0,,,\n", fall + after);
        }
    }
    let edits = [
        ("15.0", "0.0"),
        (
            "\"position_error_m\": 0.002",
            "\"position_error_m\": 0.001, \"values\": 5, \"resamples\": 100, \"laws\": [\"newton\"]",
        ),
    ];
    let (results, _) = run(&edits, Some(&tracks));
    let (s, answer) = (&results.summary, results.answer());
    // 2 sin(a/2) times the radius of gyration about y.
    let expected = 2.0 * (0.5 * angle).sin() * ((0.3_f64.powi(2) + 0.15_f64.powi(2)) / 12.0).sqrt();
    // Equal sums are those within a millionth, so that positions are off by a thousandth of it at most.
    assert!((s.rms_m - expected).abs() < 1e-6, "{} {expected}", s.rms_m);
    assert!(s.position_rms_m < 2e-5, "{}", s.position_rms_m);
    assert_eq!(answer.judgement, Judgement::Measured, "{}", answer.verdict);
}

const PROFILE: (&str, &str) = (
    "\"kind\": \"plane\", \"slope_deg\": 15.0",
    "\"kind\": \"profile\", \"points_m\": [[-2, 0], [2, 0]]",
);
const HEAD: &str = "throw,time_s,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s\n";

#[test]
fn throws_in_or_beside_a_profile_are_refused() {
    let (inside, beside) = (
        format!("{HEAD}a,0,0,0,0.05,1,0,0\na,0.5,0.4,0,0.075,,,\n"),
        format!("{HEAD}a,0,0,0,0.08,5,0,0\na,0.5,2.5,0,0.075,,,\n"),
    );
    for (tracks, told) in [
        (&inside, "'a': it starts in the ground"),
        (&beside, "row 2: x_m is 2.5, y_m is 0 in throw 'a'"),
    ] {
        assert_eq!(paths(job(&[PROFILE], Some(tracks))), ["tracks"]);
        let said = refused(&[PROFILE], Some(tracks));
        assert!(said.contains(told), "{said}");
    }
    // Just above the ground it is no fault.
    let tracks = format!("{HEAD}a,0,0,0,0.0751,1,0,0\na,0.5,0.4,0,0.075,,,\n");
    scene(&[PROFILE], Some(&tracks)).unwrap().job().unwrap();
}

/// Boxes that were measured to stop, on ground that is said to be almost smooth: computed ones slide beyond its end.
#[test]
fn a_run_that_leaves_the_profile_is_told() {
    let tracks: String = (0..2)
        .map(|k| format!("{k},0,-1,0,0.0751,3,0,0\n{k},0.5,0,0,0.075,,,\n{k},2,0.2,0,0.075,,,\n"))
        .collect();
    let edits = [
        PROFILE,
        (
            "\"position_error_m\": 0.002",
            "\"friction\": [0, 0.01], \"values\": 5, \"resamples\": 100, \"laws\": [\"newton\"]",
        ),
    ];
    let (results, warnings) = run(&edits, Some(&format!("{HEAD}{tracks}")));
    assert_eq!(results.laws[0].cut_off, 2);
    assert!(
        warnings
            .iter()
            .any(|w| w.starts_with("Newton") && w.contains("2 of 2")),
        "{warnings:?}"
    );
}

#[test]
fn a_search_with_too_many_sums_is_refused() {
    let edit = (
        "\"position_error_m\": 0.002",
        "\"values\": 101, \"resamples\": 100000",
    );
    assert_eq!(paths(job(&[edit], None)), ["values"]);
}

#[test]
fn a_start_without_a_velocity_takes_that_of_its_first_flight() {
    // Without the columns of the velocity; the attitude and the spin stay.
    let tracks: Vec<String> = TRACKS
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [&cells[..9], &cells[12..]].concat().join(",")
        })
        .collect();
    let (results, warnings) = run(&[SMALLER], Some(&tracks.join("\n")));
    assert!(
        warnings
            .iter()
            .any(|w| w.contains("no velocity at the start")),
        "{warnings:?}"
    );
    let s = &results.summary;
    // A velocity from 20 samples with an error of 1 mm is off by 4 mm/s: less than 1 % of what an impact changes.
    assert!(
        (s.normal_restitution.value - 0.55).abs() < 0.03,
        "{:?}",
        s.normal_restitution
    );
    assert!((s.friction.value - 0.35).abs() < 0.05, "{:?}", s.friction);
}

#[test]
fn few_throws_decide_nothing() {
    let three: Vec<&str> = TRACKS
        .lines()
        .filter(|l| ["throw", "0,", "1,", "2,"].iter().any(|s| l.starts_with(s)))
        .collect();
    let (results, warnings) = run(&[SMALLER], Some(&three.join("\n")));
    assert_eq!(results.answer().judgement, Judgement::Undecided);
    assert!(
        warnings.iter().any(|w| w.starts_with("3 throws")),
        "{warnings:?}"
    );
    let one: Vec<&str> = three
        .iter()
        .copied()
        .filter(|l| !l.starts_with(['1', '2']))
        .collect();
    let (results, _) = run(&[SMALLER], Some(&one.join("\n")));
    let s = &results.summary;
    assert_eq!(s.friction.interval, Interval::None);
    assert_eq!(s.held_out.beside_reference, Beside::NotTested);
}

/// A range that does not hold the friction of the tracks, 0.35: the best value lies at its end, which is no physical
/// one.
#[test]
fn an_optimum_at_the_end_of_a_range_is_told() {
    let edit = (
        "\"position_error_m\": 0.002",
        "\"values\": 5, \"resamples\": 100, \"laws\": [\"stronge\"], \"friction\": [0.0, 0.3]",
    );
    let (results, warnings) = run(&[edit], None);
    let found = results.summary.friction;
    assert_eq!((found.value, found.optimum), (0.3, Optimum::AtUpperEnd));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn a_tangential_restitution_is_that_of_the_laws_that_know_one() {
    let edits = [
        SMALL,
        (
            "\"values\": 9",
            "\"laws\": [\"newton\", \"stronge\"], \"tangential_restitution\": [-0.5, 0.5], \"values\": 5",
        ),
    ];
    let (results, _) = run(&edits, None);
    for row in &results.laws {
        assert_eq!(row.tangential_restitution.is_some(), row.law == Law::Newton);
    }
}

#[test]
fn everything_that_is_wrong_is_said_at_once() {
    let edits = [
        ("23.4", "-1"),
        ("15.0", "95"),
        (
            "0.002",
            "0, \"values\": 2, \"friction\": [1, 0.5], \"laws\": []",
        ),
    ];
    let mut found = paths(job(&edits, None));
    found.sort();
    let expected = [
        "body.mass_kg",
        "friction",
        "ground.slope_deg",
        "laws",
        "position_error_m",
        "values",
    ];
    assert_eq!(found, expected);
    let head = TRACKS.lines().next().unwrap();
    // Rows that are none; throws under the ground, in the air all the time and without a sample after the impact;
    // columns that are none. Each is told in one refusal of the table.
    for (table, parts) in [
        (
            format!(
                "{head}\na,0,0,0,1,,,,,1,0,0,,,\na,0,0,0,1,,,,,,,,,,\na,x,0,0,1,,,,,,,,,,\na,1,0,0,1,1,,,,,,,,,"
            ),
            [
                "row 2: time_s is 0",
                "row 3: column 'time_s': 'x'",
                "row 4: 1 of qw, qx, qy, qz",
            ],
        ),
        (
            format!(
                "{head}\na,0,0,0,-1,,,,,1,0,0,,,\na,1,0,0,1,,,,,,,,,,\nb,0,0,0,9,,,,,1,0,0,,,\nb,0.1,0,0,9,,,,,,,,,,\nc,0,0,0,1,,,,,1,0,0,,,"
            ),
            [
                "'a': it starts in the ground",
                "'b': it does not meet the ground",
                "'c': one sample",
            ],
        ),
        (
            "throw,time_s,x_m,y_m,height,qw\na,0,0,0,1,1".to_owned(),
            [
                "columns height",
                "no column z_m",
                "1 of the columns qw, qx, qy, qz",
            ],
        ),
    ] {
        let said = refused(&[], Some(&table));
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    }
}

/// Throws of a sphere on level ground in closed form: the normal speed after the impact is e v_n, and of a sphere that
/// slips throughout (it needs less than 2/7 of its speed) friction takes μ (1 + e) v_n from the speed along the ground.
#[test]
fn a_sphere_is_found_to_its_digits() {
    let (friction, restitution, radius) = (0.23, 0.61, 0.1);
    let mut tracks = "throw,time_s,x_m,y_m,z_m,vx_m_s,vy_m_s,vz_m_s\n".to_owned();
    for throw in 0..6 {
        let (height, speed) = (0.3 + 0.05 * f64::from(throw), 5.0 + 0.4 * f64::from(throw));
        let fall = (2.0 * height / 9.81f64).sqrt();
        let closing = 9.81 * fall;
        let taken = friction * (1.0 + restitution) * closing;
        assert!(taken < 2.0 / 7.0 * speed);
        let up = restitution * closing;
        for sample in 0..80 {
            let time = 0.01 * f64::from(sample);
            let after = time - fall;
            // Well before the second impact.
            if after > up / 9.81 {
                break;
            }
            let (x, z) = match after < 0.0 {
                true => (speed * time, height - 0.5 * 9.81 * time * time),
                false => (
                    speed * fall + (speed - taken) * after,
                    up * after - 0.5 * 9.81 * after * after,
                ),
            };
            let start = match sample {
                0 => format!("{speed},0,0"),
                _ => ",,".to_owned(),
            };
            writeln!(
                tracks,
                "{throw},{time:.2},{x:.9},0,{:.9},{start}",
                radius + z
            )
            .unwrap();
        }
    }
    let edits = [
        (
            "\"shape\": { \"kind\": \"box\", \"edges_m\": [0.3, 0.2, 0.15] }",
            "\"shape\": { \"kind\": \"sphere\", \"diameter_m\": 0.2 }",
        ),
        ("15.0", "0"),
        (SMALLER.0, SMALLER.1),
    ];
    let told = scene(&edits, Some(&tracks))
        .unwrap()
        .job()
        .unwrap()
        .describe();
    assert!(told.contains("sphere") && told.contains("0.1 m"), "{told}");
    let (results, warnings) = run(&edits, Some(&tracks));
    // Every attitude of a sphere is the same.
    assert!(
        !warnings.iter().any(|w| w.contains("attitude")),
        "{warnings:?}"
    );
    let s = &results.summary;
    for (found, made) in [
        (s.friction.value, friction),
        (s.normal_restitution.value, restitution),
    ] {
        // The last steps of the search are a thousandth of the spacing of its last grid.
        assert!((found - made).abs() < 1e-4, "{found} {made}");
    }
    // Both laws are the same for an impact at one point without spin.
    assert!(!s.law_is_decided && s.rms_m < 1e-4, "{}", s.rms_m);
    let body = |with: &str| {
        let mut edits = edits;
        edits[0].1 = with;
        paths(job(&edits, Some(&tracks)))
    };
    let none = body("\"shape\": { \"kind\": \"sphere\", \"diameter_m\": 0 }");
    assert_eq!(none, ["body.shape.diameter_m"]);
}
