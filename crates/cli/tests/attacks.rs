//! Input as an attacker would write it: one line with a cause, exit code 2, no panic, nothing written, no hang.

use std::path::Path;
use std::process::{Command, Output};

use klast_scenes::Scene;
use klast_scenes::kinds::KINDS;
use serde_json::Value;

fn klast(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// What reading and validating says, in this process: a panic fails the test.
fn verdict(text: &str) -> Result<(), String> {
    let scene = Scene::named("scene.json", text, examples());
    let checked = scene.and_then(|(s, _)| s.job().map(|_| ()));
    checked.map_err(|e| format!("{e:#}"))
}

/// Texts that no scene can be, whatever its kind.
fn texts(example: &str) -> Vec<(&'static str, String)> {
    let open = example.trim_end().trim_end_matches('}').trim_end();
    let with = |tail: &str| format!("{open},\n{tail}}}");
    let swap = |from: &str, to: &str| example.replacen(from, to, 1);
    let kind = r#""schema": 1, "kind": "#;
    vec![
        ("only a mark of byte order", "\u{feff}".into()),
        ("only comments", "// {\n// }\n".into()),
        ("zeros", "\0".repeat(1000)),
        ("lists in lists", "[".repeat(100_000)),
        ("objects in objects", "{\"a\":".repeat(100_000)),
        (
            "a deep unknown key",
            with(&format!(
                "\"x\": {}1{}",
                "[".repeat(50_000),
                "]".repeat(50_000)
            )),
        ),
        (
            "a key of a megabyte",
            with(&format!("\"{}\": 1", "k".repeat(1 << 20))),
        ),
        (
            "a kind of a megabyte",
            format!("{{{kind}\"{}\"}}", "k".repeat(1 << 20)),
        ),
        ("a key that is empty", with("\"\": 1")),
        ("a key with a zero", with("\"a\\u0000b\": 1")),
        ("half a surrogate", with("\"note\": \"\\ud800\"")),
        ("an unknown escape", with("\"note\": \"\\x41\"")),
        ("a control character", with("\"note\": \"\u{1}\"")),
        ("a string without an end", format!("{open}, \"note\": \"")),
        ("a comma too many", format!("{open},}}")),
        ("a comma too few", swap(",", " ")),
        ("single quotes", example.replace('"', "'")),
        ("keys without quotes", swap("\"schema\"", "schema")),
        ("a comment in a line", swap(",", ", /* one */")),
        ("1e400", swap("\"schema\": 1", "\"schema\": 1e400")),
        ("infinity", swap("\"schema\": 1", "\"schema\": Infinity")),
        (
            "minus infinity",
            swap("\"schema\": 1", "\"schema\": -Infinity"),
        ),
        ("undefined", swap("\"schema\": 1", "\"schema\": undefined")),
        ("a plus", swap("\"schema\": 1", "\"schema\": +1")),
        ("a leading zero", swap("\"schema\": 1", "\"schema\": 01")),
        ("hexadecimal", swap("\"schema\": 1", "\"schema\": 0x1")),
        ("half a version", swap("\"schema\": 1", "\"schema\": 1.5")),
        (
            "a version below zero",
            swap("\"schema\": 1", "\"schema\": -1"),
        ),
        (
            "a version of 20 digits",
            swap("\"schema\": 1", "\"schema\": 99999999999999999999"),
        ),
        (
            "a version that is true",
            swap("\"schema\": 1", "\"schema\": true"),
        ),
        ("a kind without letters", format!("{{{kind}\"\"}}")),
        ("a kind with a space", format!("{{{kind}\"bodies \"}}")),
        ("a kind in capitals", format!("{{{kind}\"BODIES\"}}")),
        ("a kind that is a path", format!("{{{kind}\"../bodies\"}}")),
        ("a kind that is a list", format!("{{{kind}[\"bodies\"]}}")),
        (
            "nothing but schema and kind with a typing error",
            format!("{{{kind}\"bodie\"}}"),
        ),
        ("the scene twice", format!("{example}\n{example}")),
    ]
}

#[test]
fn no_kind_takes_a_text_that_is_no_scene() {
    for kind in KINDS {
        for (name, text) in texts(kind.example) {
            let said = verdict(&text).expect_err(&format!("{}: {name}", kind.name));
            assert!(said.contains("scene.json"), "{}: {name}", kind.name);
        }
    }
}

/// Every value replaced by what it cannot be, and every string by names of what is no file; a key taken away.
#[test]
fn every_value_may_be_anything_without_a_panic() {
    for kind in KINDS {
        let scene: Value = serde_json::from_str(kind.example).unwrap();
        let mut places = Vec::new();
        every_place(&scene, String::new(), &mut places);
        for place in places {
            let old = scene.pointer(&place).unwrap();
            let mut wrong: Vec<(Value, bool)> = Vec::new();
            match old {
                Value::String(_) => {
                    for name in ["", "/", "..", ".", "\0", "/dev/zero", "a\nb"] {
                        wrong.push((Value::from(name), false));
                    }
                    wrong.push((Value::from("x".repeat(100_000)), false));
                    wrong.push((Value::from(3), true));
                    wrong.push((Value::Array(vec![]), false));
                }
                Value::Array(_) => {
                    wrong.push((Value::Array(vec![]), false));
                    wrong.push((Value::Array(vec![Value::Null]), true));
                    wrong.push((serde_json::json!([[[]]]), true));
                    wrong.push((serde_json::json!({}), true));
                    wrong.push((Value::from("all"), false));
                }
                Value::Object(_) => {
                    wrong.push((Value::Array(vec![]), true));
                    wrong.push((serde_json::json!({"colour_of_rock": 1}), true));
                    wrong.push((Value::from(false), true));
                }
                Value::Bool(_) => wrong.push((Value::from("yes"), true)),
                _ => {}
            }
            for (value, never) in wrong {
                let mut broken = scene.clone();
                *broken.pointer_mut(&place).unwrap() = value.clone();
                let said = verdict(&broken.to_string());
                let short: String = value.to_string().chars().take(40).collect();
                assert!(!never || said.is_err(), "{}: {place}: {short}", kind.name);
            }
        }
    }
}

/// JSON pointers to everything but the scene itself.
fn every_place(value: &Value, place: String, found: &mut Vec<String>) {
    if !place.is_empty() {
        found.push(place.clone());
    }
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                every_place(item, format!("{place}/{i}"), found);
            }
        }
        Value::Object(keys) => {
            for (key, item) in keys {
                every_place(item, format!("{place}/{key}"), found);
            }
        }
        _ => {}
    }
}

/// A command that is refused: code 2, one line of modest length with the needed words, and no file that was not there.
fn refused(arguments: &[&str], needed: &str) {
    let work = tempfile::tempdir().unwrap();
    for file in ["rocking.json", "rockfall.json", "rocking-history.csv"] {
        std::fs::copy(examples().join(file), work.path().join(file)).unwrap();
    }
    std::fs::write(
        work.path().join("huge.asc"),
        "ncols 999999999\nnrows 999999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n",
    )
    .unwrap();
    let before = std::fs::read_dir(work.path()).unwrap().count();
    let output = klast(arguments, work.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    let told = said.lines().filter(|l| l.starts_with("klast: "));
    assert_eq!(told.count(), 1, "{arguments:?}: {said}");
    assert!(said.starts_with("klast: "), "{arguments:?}: {said}");
    assert!(said.len() < 6000, "{arguments:?}: {} bytes", said.len());
    assert!(said.contains(needed), "{arguments:?}: {said}");
    let after = std::fs::read_dir(work.path()).unwrap().count();
    assert_eq!(before, after, "{arguments:?}: something was written");
}

#[test]
fn bad_command_lines_are_refused_in_one_line() {
    let long_name = "x".repeat(5000);
    for (arguments, needed) in [
        (
            vec!["run", "rockfall.json", "--shard", "0/0"],
            "1 <= I <= N",
        ),
        (
            vec!["run", "rockfall.json", "--shard", "5/3"],
            "1 <= I <= N",
        ),
        (vec!["run", "rockfall.json", "--shard=-1/2"], "1 <= I <= N"),
        (vec!["run", "rocking.json", "--shard", "1/2"], "one piece"),
        (
            vec!["run", "rocking.json", "--seed", "1"],
            "nothing at random",
        ),
        (vec!["run", "rocking.json", "--threads", "0"], "1 to 4096"),
        (
            vec!["run", "rocking.json", "--threads", "1000000000"],
            "1 to 4096",
        ),
        (vec!["run", "rocking.json", "--threads", "-1"], "-1"),
        (
            vec!["run", "rockfall.json", "--seed", "18446744073709551616"],
            "seed",
        ),
        (vec!["run", "rocking.json", "--out", ""], "--out"),
        (
            vec!["run", "rocking.json", "--out", "."],
            "accepted: a new or empty folder",
        ),
        (vec!["run", &long_name], "cannot be read"),
        (vec!["run", ""], "SCENE"),
        (vec!["run", "."], "not a file"),
        (vec!["run", "/dev/zero"], "not a file"),
        (vec!["check", "rocking.json", "rocking.json"], "unexpected"),
        (vec!["runn", "rocking.json"], "run"),
        (vec!["run", "rocking.json", "--thread", "2"], "--threads"),
        (vec!["new", "../x"], "nearest known"),
        (vec!["new", "rocking", "--out", "."], "there already"),
        (vec!["schema", "rockin"], "rocking"),
        (vec!["merge"], "OUT"),
        (vec!["merge", "a", "b"], "accepted: a finished part"),
        (vec!["merge", "rocking.json"], "accepted: a finished part"),
        (vec!["ground-classes", "--seed", "3"], "no use for it"),
        (vec!["ground-classes", "--out", "x"], "no use for it"),
        (vec!["schema", "rocking", "--shard", "1/2"], "no use for it"),
        (vec!["convert", "huge.asc", "x.tif"], "huge.asc"),
        (vec!["convert", "rocking.json", "x.png"], "accepted"),
        (vec!["convert", "/dev/zero", "x.tif"], "not a file"),
        (vec!["contact", "solve", "rocking.json"], "accepted"),
    ] {
        refused(&arguments, needed);
    }
}

/// A scene of another kind: a line for each key that is not known, and nothing else.
#[test]
fn every_error_of_a_scene_is_a_line() {
    let other = ["check", "rocking.json", "--set", "kind=rockfill"];
    let output = klast(&other, &examples());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let told: Vec<&str> = said.lines().filter(|l| l.starts_with("klast: ")).collect();
    assert!(told.len() > 1, "{said}");
    for line in told {
        assert!(line.contains("line "), "{line}");
    }
    assert!(said.contains("unknown key `block`"), "{said}");
}

/// What looks odd and is a scene all the same.
#[test]
fn marks_of_byte_order_and_line_ends_of_all_systems_are_read() {
    for kind in KINDS {
        for text in [
            format!("\u{feff}{}", kind.example),
            kind.example.replace('\n', "\r\n"),
            kind.example.replace('\n', "\r"),
        ] {
            assert_eq!(verdict(&text), Ok(()), "{}", kind.name);
        }
    }
}

/// `klast new KIND --out DIR` writes a scene that `klast check` accepts where it stands, with the files it names.
#[test]
fn a_new_scene_of_every_kind_is_valid_where_it_was_written() {
    for kind in KINDS {
        let work = tempfile::tempdir().unwrap();
        let made = klast(&["new", kind.name, "--out", "mine"], work.path());
        assert!(made.status.success(), "{}", kind.name);
        let scene = format!("mine/{}.json", kind.name);
        let checked = klast(&["check", &scene], work.path());
        let said = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{}: {said}", kind.name);
    }
}
