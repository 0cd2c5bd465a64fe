//! Errors name the scene, the key and the value, wherever serde or a constructor found them.

use std::path::Path;

use crate::common::refused::paths;
use klast_scenes::Scene;

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A job of an example in which one piece of text is another.
fn job(example: &str, from: &str, to: &str) -> klast_runs::error::Result<Box<dyn klast_runs::Job>> {
    let text = std::fs::read_to_string(examples().join(example)).unwrap();
    assert!(text.contains(from), "{example}: {from}");
    let text = text.replacen(from, to, 1);
    Scene::named("scene.json", &text, examples()).and_then(|(s, _)| s.job())
}

/// What `klast check` says of it.
fn said(example: &str, from: &str, to: &str) -> String {
    format!("{:#}", job(example, from, to).err().unwrap())
}

#[test]
fn every_error_of_a_scene_names_the_scene_once() {
    for (example, from, to) in [
        ("rocking.json", "\"duration_s\": 10.0", "\"duration_s\": -1"),
        ("rockfall.json", "\"rocks\": 300", "\"rocks\": 0"),
        ("bodies.json", "\"step_s\"", "\"step\""),
        ("assembly.json", "\"duration_s\": ", "\"duration_s\": -"),
        ("rocking-fit.json", "rocking-history.csv", "none.csv"),
    ] {
        let said = said(example, from, to);
        assert!(said.starts_with("scene.json:"), "{said}");
        assert_eq!(said.matches("scene.json").count(), 1, "{said}");
    }
}

/// Where a key chooses the form of an object, serde forgets which of its keys held the value.
#[test]
fn a_value_of_the_wrong_type_is_named_by_its_key() {
    for (example, from, to, key) in [
        (
            "rocking.json",
            "\"width_m\": 0.5",
            "\"width_m\": \"0.5\"",
            ", block.width_m: \"0.5\" is a text; a number is needed",
        ),
        (
            "rocking.json",
            "\"width_m\": 0.5",
            "\"width_m\": null",
            ", block.width_m: null is no value",
        ),
        (
            "bodies.json",
            "\"waves\": 5",
            "\"waves\": true",
            "moved_by.horizontal.waves: true is a yes or no",
        ),
        (
            "rockfall.json",
            "\"rocks\": 300",
            "\"rocks\": -3",
            ", sources[0].rocks: -3 is a number; a whole number from 0 is needed",
        ),
    ] {
        let said = said(example, from, to);
        assert!(said.contains(key), "{said}");
    }
}

#[test]
fn what_is_no_json_is_quoted_with_its_key() {
    for value in ["NaN", "1e999", "-Infinity", "1,5"] {
        let to = format!("\"duration_s\": {value}");
        let said = said("rocking.json", "\"duration_s\": 10.0", &to);
        assert!(said.contains("; found \""), "{value}: {said}");
    }
    let said = said(
        "rocking.json",
        "\"duration_s\": 10.0",
        "\"duration_s\": NaN",
    );
    assert!(said.ends_with("found \"duration_s\": NaN"), "{said}");
}

#[test]
fn a_number_that_is_none_is_told_what_numbers_there_are() {
    let said = said(
        "rockfall.json",
        "\"rocks\": 300",
        "\"rocks\": 300, \"height_m\": {\"normal\": 3}",
    );
    assert!(said.contains("is there twice"), "{said}");
    let said = self::said("rockfall.json", "{\"uniform\"", "{\"uniformly\"");
    assert!(said.contains("nearest known: `uniform`"), "{said}");
}

#[test]
fn a_release_has_one_height() {
    let refused = job(
        "rockfall.json",
        "\"rocks\": 300",
        "\"rocks\": 300, \"elevation_m\": 900",
    );
    assert_eq!(paths(refused), ["sources[0].height_m"]);
}

#[test]
fn a_calibration_checks_what_its_rocks_run_with() {
    for (from, to, key) in [
        (
            "\"contact_step_s\": 0.02",
            "\"contact_step_s\": -1",
            "contact_step is -1",
        ),
        (
            "\"contact_step_s\": 0.02",
            "\"contact_step_s\": 0",
            "contact_step is 0",
        ),
        (
            "\"drag_height_m\": 1.0",
            "\"drag_height_m\": -1",
            "drag_height is -1",
        ),
        (
            "\"minimum_runout_m\": 5",
            "\"minimum_runout_m\": -5",
            "least_runout is -5",
        ),
    ] {
        let said = said("rockfall-calibration.json", from, to);
        assert!(said.contains(key), "{said}");
    }
}

/// What is read decides the results, so the manifest and the key of a kept state hold its digest.
#[test]
fn every_file_of_every_example_is_an_input() {
    for kind in klast_scenes::kinds::KINDS {
        let (scene, _) = Scene::parse(kind.example, examples()).unwrap();
        scene.job().unwrap();
        for (file, _) in kind.files {
            let read = scene.text().inputs().contains_key(*file);
            assert!(read, "{}: {file}", kind.name);
        }
    }
}

/// Scenes that come with the program are in the units of their keys.
#[test]
fn examples_are_not_doubted() {
    for kind in klast_scenes::kinds::KINDS {
        let doubts = klast_runs::plausible::doubts(kind.example);
        assert_eq!(doubts, Vec::<String>::new(), "{}", kind.name);
    }
}

/// Tables and figures hold barriers and collectors by their names.
#[test]
fn barriers_and_collectors_have_names_of_their_own() {
    // It is about two keys: a fault of the scene as a whole, whose sentence has the name.
    let said = said("rockfall.json", "\"net\"", "\"road\"");
    assert!(said.contains("'road'"), "{said}");
}

/// Spreadsheets begin a table with the mark of byte order.
#[test]
fn a_mark_of_byte_order_is_no_part_of_a_header() {
    let work = tempfile::tempdir().unwrap();
    let history = std::fs::read_to_string(examples().join("rocking-history.csv")).unwrap();
    let marked = format!("\u{feff}{history}");
    std::fs::write(work.path().join("rocking-history.csv"), marked).unwrap();
    let kind = klast_scenes::kinds::find("rocking_fit").unwrap();
    let (scene, _) = Scene::parse(kind.example, work.path()).unwrap();
    assert!(scene.job().is_ok());
}

/// Bytes as other programs write them: a mark of byte order, Latin-1 in a comment, line ends of old Macs.
#[test]
fn meshes_and_grids_are_read_as_other_programs_write_them() {
    use klast_files::by_ending::{mesh_from, raster_from};
    let obj = "# hill\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let stl = "solid hill\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid hill\n";
    let asc =
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n1 2\n3 4\n";
    let variants = |text: &str| -> Vec<Vec<u8>> {
        let marked = format!("\u{feff}{text}").into_bytes();
        let latin: Vec<u8> = text
            .replace("hill", "c\u{1}te")
            .bytes()
            .map(|b| if b == 1 { 0xf4 } else { b })
            .collect();
        let old_mac = text.replace('\n', "\r").into_bytes();
        let windows = text.replace('\n', "\r\n").into_bytes();
        vec![text.as_bytes().to_vec(), marked, latin, old_mac, windows]
    };
    for (ending, text) in [("obj", obj), ("stl", stl)] {
        for bytes in variants(text) {
            let mesh = mesh_from(ending, &bytes).unwrap();
            // The first vertex is there, so that faces point at their own corners.
            assert_eq!(
                (mesh.points.len(), mesh.triangles.len()),
                (3, 1),
                "{ending}"
            );
            assert_eq!(mesh.points[0], glam::DVec3::ZERO, "{ending}");
        }
    }
    for bytes in variants(asc) {
        assert_eq!(raster_from("asc", &bytes).unwrap().heights().len(), 4);
    }
}

/// A map keeps the last value of a key that is there twice: friction 0.001 instead of 0.5, and nothing is said.
#[test]
fn a_material_named_twice_is_refused() {
    let scene = r#"{"schema": 1, "kind": "bodies",
        "materials": {"wood": {"friction": 0.5, "density_kg_m3": 600},
            "wood": {"friction": 0.001, "density_kg_m3": 600}},
        "bodies": [{"name": "a", "material": "wood", "shape": {"kind": "box", "edges_m": [0.1, 0.1, 0.1]},
            "at_m": [0, 0, 0.05]}],
        "planes": [{"material": "wood", "normal": [0, 0, 1], "offset_m": 0}],
        "solver": {"step_s": 0.001}, "duration_s": 0.3}"#;
    let error = Scene::parse(scene, ".").err().unwrap();
    let [fault] = error.faults().unwrap().list.as_slice() else {
        panic!("{error:#}");
    };
    assert_eq!(fault.line, 3, "{error:#}");
    let once = scene.replace(
        "\"wood\": {\"friction\": 0.001",
        "\"ice\": {\"friction\": 0.001",
    );
    let (read, _) = Scene::parse(&once, ".").unwrap();
    assert!(read.job().is_ok());
}

/// Every member of the example of every kind, written twice.
#[test]
fn no_key_of_a_scene_may_be_there_twice() {
    for kind in klast_scenes::kinds::KINDS {
        for member in klast_runs::spans::members(kind.example) {
            let whole = member.key.start - 1..member.value.end;
            let (text, twice) = (kind.example, &kind.example[whole]);
            let end = member.value.end;
            let text = format!("{}, {twice}{}", &text[..end], &text[end..]);
            let read = Scene::parse(&text, examples());
            let refused = read.map_or(true, |(scene, _)| scene.job().is_err());
            assert!(refused, "{}: {}", kind.name, member.name);
        }
    }
}
