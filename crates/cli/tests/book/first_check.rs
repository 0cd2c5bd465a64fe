//! Runouts of every class of ground on three slopes, beside published angles of energy lines: the table of the page of
//! grounds is what the program computes.

use klast_rockfall::ground_class::{CLASSES, ClassSource, GroundClass, MadeFor};
use serde_json::{Value, json};
use std::process::Command;

use super::reference::inserted;
use super::{read, source};

/// Slopes (°) of the table, in the order of its columns.
const SLOPES: [f64; 3] = [30.0, 38.0, 45.0];
/// Height of each slope above the level ground at its foot (m).
const HEIGHT: f64 = 100.0;
/// Length of that ground (m): beyond what a rock of the shadow angle of Evans and Hungr reaches.
const LEVEL: f64 = 1000.0;
/// Rocks of each run.
const ROCKS: u32 = 100;

/// What a user writes to try a class.
fn scene(class: &GroundClass, slope: f64) -> Value {
    let foot = HEIGHT / slope.to_radians().tan();
    let (engine, shape) = match class.source.made_for {
        MadeFor::LumpedMass => (json!({"lumped_mass": {}}), "sphere"),
        MadeFor::RigidBody => (json!({"rigid_body": {}}), "cube"),
    };
    json!({
        "schema": 1, "kind": "rockfall",
        "terrain": {"profile": {"points_m": [[0, HEIGHT], [foot, 0], [foot + LEVEL, 0]]}},
        "materials": [{"name": "ground", "class": class.name}],
        "sources": [{"name": "top", "release": {"point": [1, 0]}, "rocks": ROCKS, "height_m": 5,
                     "shapes": [{"shape": shape, "volume_m3": 0.1}]}],
        "engine": engine,
        "write_trajectories": 0,
        "seed": 1
    })
}

/// Angles (°) of the lines from the release to the end of each rock, the smallest first; none of rocks that did not
/// come to rest.
fn angles(rows: &str) -> Vec<f64> {
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|h| h == name).unwrap();
    let columns = ["release_z_m", "end_z_m", "runout_m"].map(column);
    let ended = column("outcome");
    let rows = reader.records().map(Result::unwrap);
    let rest = rows.filter(|row| &row[ended] == "stopped");
    let angle = rest.map(|row| {
        let [from, to, runout] = columns.map(|c| row[c].parse::<f64>().unwrap());
        (from - to).atan2(runout).to_degrees()
    });
    let mut angles: Vec<f64> = angle.collect();
    angles.sort_by(f64::total_cmp);
    angles
}

/// The angles of a scene, by the program.
fn run(scene: &Value) -> Vec<f64> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    std::fs::write(&path, scene.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(["run", "scene.json", "--out", "out"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    angles(&std::fs::read_to_string(folder.path().join("out/rocks.csv")).unwrap())
}

/// Angle below which a class runs farther than Evans and Hungr (1993) found boulders to go from the top of a talus.
const LEAST: f64 = 27.5;

/// The angle that 5 % of the rocks undercut, and the one that half of them do. What did not come to rest ran beyond the
/// level ground, or for too long.
fn cell(angles: &[f64]) -> String {
    let lost = ROCKS as usize - angles.len();
    if angles.is_empty() {
        return format!("none of {ROCKS} at rest");
    }
    let far = angles[(angles.len() - 1) / 20];
    let median = angles[(angles.len() - 1) / 2];
    let mark = if far < LEAST { " ◂" } else { "" };
    match lost {
        0 => format!("{far:.1}° / {median:.1}°{mark}"),
        n => format!("{far:.1}° / {median:.1}°, {n} not at rest{mark}"),
    }
}

/// Classes of one source with the same numbers run alike: they are one row.
fn alike(a: &GroundClass, b: &GroundClass) -> bool {
    let same_source = |a: &ClassSource, b: &ClassSource| a.document == b.document;
    let numbers = |c: &GroundClass| {
        let own = [c.normal_restitution, c.friction];
        (own, c.tangential_restitution, c.scarring, c.fitted)
    };
    same_source(a.source, b.source) && numbers(a) == numbers(b)
}

fn table() -> String {
    let titles = SLOPES.map(|slope| format!(" {slope}° |"));
    let mut text = format!("| class |{}\n|---|---|---|---|\n", titles.concat());
    for (k, class) in CLASSES.iter().enumerate() {
        if CLASSES[..k].iter().any(|before| alike(before, class)) {
            continue;
        }
        let same = CLASSES.iter().filter(|c| alike(c, class));
        let names: Vec<String> = same.map(|c| format!("`{}`", c.name)).collect();
        let cells = SLOPES.map(|slope| format!(" {} |", cell(&run(&scene(class, slope)))));
        text += &format!("| {} |{}\n", names.join(", "), cells.concat());
    }
    text
}

/// `KLAST_BOOK=renew` writes the table anew.
#[test]
fn the_first_check_of_the_classes_is_what_the_program_computes() {
    let page = source().join("questions/ground.md");
    let old = read(&page);
    let new = inserted(&old, "first check", &table());
    if std::env::var("KLAST_BOOK").is_ok_and(|v| v == "renew") {
        std::fs::write(&page, new).unwrap();
        return;
    }
    assert_eq!(old, new, "KLAST_BOOK=renew enters it anew");
}

/// A mass that slides from rest down a slope of 45° and over the kink at its foot ends at an angle in closed form.
#[test]
fn the_angle_of_a_mass_that_slides_is_that_of_a_closed_form() {
    let (friction, slope) = (0.5, 45.0);
    let mut scene = scene(&CLASSES[0], slope);
    scene["materials"] = json!([{"name": "ground", "normal_restitution": 0.0,
                                 "tangential_restitution": 1.0, "friction": friction}]);
    scene["sources"][0]["height_m"] = json!(0.0);
    scene["engine"] = json!({"lumped_mass": {"rebound": "rocfall3_translation"}});
    let found = run(&scene);
    // v² = 2 g H (1 − μ cot α) at the foot, where R_n 0 takes its normal part: v² cos² α of it goes on, for v²/(2 μ g).
    let (sin, cos) = slope.to_radians().sin_cos();
    let from = HEIGHT - sin / cos;
    let down = from * (1.0 - friction * cos / sin);
    let level = down * cos * cos / friction;
    let right = (from / (from * cos / sin + level)).atan().to_degrees();
    for angle in &found {
        // Coordinates of the table are millimetres of some 150 m; the cutoffs of speed leave a few more.
        assert!((angle - right).abs() < 0.02, "{angle} {right}");
    }
    assert_eq!(found.len(), ROCKS as usize);
}
