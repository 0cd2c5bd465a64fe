//! Manners of the program: exit codes, options, folders of results, reports, interruption.

use crate::review;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use klast_scenes::kinds::KINDS;
use serde_json::Value;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn klast(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn succeeds(arguments: &[&str], folder: &Path) -> String {
    let output = klast(arguments, folder);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line a refusal says.
fn refused(arguments: &[&str], folder: &Path) -> String {
    let output = klast(arguments, folder);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    let told = said.lines().filter(|l| l.starts_with("klast: "));
    assert_eq!(told.count(), 1, "{said}");
    said
}

fn example(name: &str) -> String {
    examples().join(name).to_str().unwrap().to_owned()
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn every_example_runs_into_a_whole_folder_with_a_report() {
    let work = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let scene = std::fs::read_dir(examples())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|p| std::fs::read_to_string(p).is_ok_and(|text| text == kind.example))
            .unwrap_or_else(|| panic!("{}: its example is not in examples/", kind.name));
        let folder = work.path().join(kind.name);
        // The tests of the book run all of its sets.
        let fewer: &[&str] = match kind.name {
            "rockfall_calibration" => &["--set", "sets=8"],
            _ => &[],
        };
        let run = ["run", scene.to_str().unwrap(), "--out", kind.name];
        let said = succeeds(&[&run, fewer].concat(), work.path());
        let manifest = manifest(&folder);
        assert_eq!(manifest["kind"], kind.name);
        assert_eq!(manifest["klast"], env!("CARGO_PKG_VERSION"));
        assert_eq!(manifest["complete"], true);
        assert_eq!(manifest["scene_sha256"].as_str().unwrap().len(), 64);
        assert!(manifest["wall_time_s"].as_f64().unwrap() >= 0.0);
        assert!(manifest["counts"].is_object());
        let listed: Vec<&str> = manifest["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|f| f.as_str().unwrap())
            .collect();
        let mut found: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "manifest.json")
            .collect();
        found.sort();
        let mut sorted = listed.clone();
        sorted.sort_unstable();
        assert_eq!(found, sorted, "{}: the manifest and the folder", kind.name);
        let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
        let result = std::fs::read_to_string(folder.join("result.json")).unwrap();
        let result: Value = serde_json::from_str(&result).unwrap();
        let verdict = result["answer"]["verdict"].as_str().unwrap();
        // One sentence: in the results, on the terminal, on the page.
        assert!(said.starts_with(verdict), "{}: {said}", kind.name);
        assert!(said.lines().count() >= 5, "{}: {said}", kind.name);
        review::review(kind.name, verdict, &page);
        for name in listed {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            assert!(!bytes.is_empty(), "{name}");
            if name.ends_with(".csv") {
                // The reader refuses rows of another length than the header.
                for row in csv::Reader::from_reader(&bytes[..]).records() {
                    row.unwrap_or_else(|e| panic!("{}/{name}: {e}", kind.name));
                }
            } else if name.ends_with("json") {
                serde_json::from_slice::<Value>(&bytes).unwrap();
            }
        }
    }
}

#[test]
fn every_scene_among_the_examples_is_valid() {
    let work = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let path = path.to_str().unwrap();
            let told = succeeds(&["check", path, "--json"], work.path());
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["file"], path);
            assert!(!told["understood"].as_array().unwrap().is_empty(), "{told}");
        }
    }
}

#[test]
fn exit_codes_are_as_documented() {
    let work = tempfile::tempdir().unwrap();
    let code = |arguments: &[&str]| klast(arguments, work.path()).status.code();
    assert_eq!(code(&["check", &example("rocking.json")]), Some(0));
    assert_eq!(code(&["run", "nowhere.json"]), Some(2));
    assert_eq!(code(&["run"]), Some(2), "wrong usage is wrong input");
    assert_eq!(code(&["fly"]), Some(2));
    // The input is right, and there is no place for the result: the run failed.
    let terrain = example("rockfall-terrain.asc");
    std::fs::write(work.path().join("file"), "").unwrap();
    assert_eq!(code(&["convert", &terrain, "file/terrain.asc"]), Some(1));
}

#[test]
fn a_misspelt_command_is_answered_with_the_nearest() {
    let work = tempfile::tempdir().unwrap();
    for (typed, meant) in [("rnu", "run"), ("chek", "check"), ("swep", "sweep")] {
        let said = refused(&[typed, "x.json"], work.path());
        assert!(said.contains(&format!("'{meant}'")), "{said}");
    }
}

#[test]
fn a_help_lists_what_applies_with_an_example() {
    let work = tempfile::tempdir().unwrap();
    let run = succeeds(&["run", "--help"], work.path());
    assert!(
        run.contains("--shard") && run.contains("Examples:") && run.contains("--set"),
        "{run}"
    );
    let schema = succeeds(&["schema", "--help"], work.path());
    assert!(
        !schema.contains("--shard") && !schema.contains("--seed"),
        "{schema}"
    );
    assert!(schema.contains("Examples:"), "{schema}");
    let man = succeeds(&["man"], work.path());
    assert!(
        man.lines().any(|line| line.starts_with(".TH")) && man.contains("sweep"),
        "{}",
        &man[..200]
    );
    let bash = succeeds(&["completions", "bash"], work.path());
    assert!(bash.contains("_klast"), "{}", &bash[..200]);
    let version = succeeds(&["--version"], work.path());
    assert!(
        version.starts_with(concat!("klast ", env!("CARGO_PKG_VERSION"))),
        "{version}"
    );
}

#[test]
fn a_scene_comes_from_a_pipe_with_values_of_the_command_line() {
    use std::io::Write as _;
    let work = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(example("rocking.json")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args([
            "run",
            "-",
            "--set",
            "horizontal.amplitude_m_s2=1",
            "--out",
            "o",
            "--json",
        ])
        .current_dir(work.path())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    // 1 m/s² does not lift it off: g tan α is 2.45 m/s².
    assert_eq!(json["result"]["outcome"], "rest");
    assert_eq!(json["result"]["answer"]["judgement"], "holds");
    let said = refused(
        &["run", &example("rocking.json"), "--set", "friction.0=1"],
        work.path(),
    );
    assert!(said.contains("friction"), "{said}");
}

/// What an option puts into a scene stands in no line of its file.
#[test]
fn an_error_of_a_value_that_is_set_names_the_option() {
    let work = tempfile::tempdir().unwrap();
    let rocking = example("rocking.json");
    for (set, said) in [
        ("block.width_m=-1", "width is -1"),
        ("duration_s=-3", ": -3;"),
        ("block.breadth_m=1", "unknown key `breadth_m`"),
        ("horizontal.amplitude_m_s2=much", "is a text"),
    ] {
        for command in ["run", "check"] {
            let told = refused(&[command, &rocking, "--set", set], work.path());
            let named = format!("rocking.json: --set {set}: ");
            assert!(told.contains(&named) && told.contains(said), "{told}");
            assert!(!told.contains("line "), "{told}");
        }
    }
    // What is wrong with the file itself stands where it stands in the file.
    let text = std::fs::read_to_string(&rocking).unwrap();
    std::fs::write(
        work.path().join("s.json"),
        text.replace("\"sample_s\": 0.005", "\"sample_s\": -1"),
    )
    .unwrap();
    let sets = ["--set", "block.width_m=-1", "--set", "duration_s=5"];
    let output = klast(&[&["run", "s.json"][..], &sets].concat(), work.path());
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    for (option, path) in [(true, "block.width_m"), (false, "sample_s")] {
        let of = |line: &&str| line.contains(path) && line.contains("-1");
        let line = told.lines().find(of).unwrap();
        assert_eq!(line.contains("--set"), option, "{told}");
        assert_eq!(line.contains("line 8"), !option, "{told}");
    }
    let over = ["--over", "duration_s=-1,2"];
    let told = refused(&[&["sweep", &rocking][..], &over].concat(), work.path());
    assert!(told.contains("duration_s = -1: "), "{told}");
}

#[test]
fn errors_are_json_where_results_are() {
    let work = tempfile::tempdir().unwrap();
    let broken = std::fs::read_to_string(example("rocking.json"))
        .unwrap()
        .replace("10.0", "-1");
    std::fs::write(work.path().join("s.json"), broken).unwrap();
    let output = klast(&["run", "s.json", "--json"], work.path());
    assert_eq!(output.status.code(), Some(2));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["error"]["exit_code"], 2);
    assert_eq!(json["error"]["problems"][0]["line"], 7);
    assert!(
        json["error"]["message"]
            .as_str()
            .unwrap()
            .contains("duration_s")
    );
}

#[test]
fn new_writes_plain_json_that_names_its_schema() {
    let work = tempfile::tempdir().unwrap();
    succeeds(&["new", "stack", "--out", "s"], work.path());
    let text = std::fs::read_to_string(work.path().join("s/stack.json")).unwrap();
    let scene: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(scene["$schema"], "stack.schema.json");
    let schema = std::fs::read_to_string(work.path().join("s/stack.schema.json")).unwrap();
    assert!(serde_json::from_str::<Value>(&schema).unwrap()["properties"]["blocks"].is_object());
    succeeds(&["check", "s/stack.json"], work.path());
    succeeds(&["new", "stack", "--comments", "--out", "c"], work.path());
    succeeds(&["check", "c/stack.jsonc"], work.path());
}

#[test]
fn a_sweep_and_a_limit_answer_for_any_kind() {
    let work = tempfile::tempdir().unwrap();
    let rocking = example("rocking.json");
    let set = ["--set", "duration_s=3", "--set", "friction=null"];
    let sweep = [
        "sweep",
        &rocking,
        "--over",
        "horizontal.amplitude_m_s2=2:8:3",
        "--out",
        "s",
    ];
    succeeds(&[&sweep[..], &set[..]].concat(), work.path());
    let table = std::fs::read_to_string(work.path().join("s/study.csv")).unwrap();
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(work.path().join("s/study.svg").is_file());
    // It rocks where the base exceeds g tan α = 9.81 / 4 = 2.4525 m/s².
    let limit = [
        "limit",
        &rocking,
        "--over",
        "horizontal.amplitude_m_s2",
        "--from",
        "2",
        "--to",
        "2.6",
        "--tolerance",
        "0.001",
    ];
    let said = succeeds(
        &[
            &limit[..],
            &["--out", "l", "--json"][..],
            &["--set", "duration_s=1"][..],
        ]
        .concat(),
        work.path(),
    );
    let json: Value = serde_json::from_str(&said).unwrap();
    let limit = &json["result"]["limit"];
    let (before, after) = (limit["before"].as_f64(), limit["after"].as_f64());
    let width = after.unwrap() - before.unwrap();
    assert!(0.0 < width && width <= 0.0006, "{limit}");
    assert!(
        before < Some(9.81 / 4.0) && Some(9.81 / 4.0) < after,
        "{limit}"
    );
    // No value has more digits than the search can tell apart.
    let table = std::fs::read_to_string(work.path().join("l/study.csv")).unwrap();
    let values = table.lines().skip(1).map(|l| l.split(',').next().unwrap());
    assert!(
        values.clone().count() > 8 && values.clone().all(|v| v.len() < 9),
        "{table}"
    );
    let same = [
        "limit",
        &rocking,
        "--over",
        "horizontal.amplitude_m_s2",
        "--from",
        "1",
        "--to",
        "2",
        "--json",
        "--out",
        "n",
    ];
    // Without a change between the ends the search decides nothing.
    let json: Value = serde_json::from_str(&succeeds(&same, work.path())).unwrap();
    assert_eq!(json["result"]["answer"]["judgement"], "undecided");
    assert!(json["result"]["limit"].is_null());
}

/// A manifest may say anything: a search removes names in its own folder alone. And no cell is a formula.
#[test]
fn a_search_harms_nothing_outside_its_folder() {
    let work = tempfile::tempdir().unwrap();
    let kept = work.path().join("kept.txt");
    std::fs::write(&kept, "mine").unwrap();
    let folder = work.path().join("s");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("old.svg"), "").unwrap();
    let planted = serde_json::json!({
        "klast": "0.1.0", "files": ["../kept.txt", kept.to_str().unwrap(), "..", "", "old.svg"],
    });
    std::fs::write(folder.join("manifest.json"), planted.to_string()).unwrap();
    let over = "project==1+1,@SUM(A1),plain";
    let rocking = example("rocking.json");
    let arguments = ["sweep", &rocking, "--over", over, "--out", "s"];
    let set = ["--set", "duration_s=0.5"];
    succeeds(&[&arguments[..], &set[..]].concat(), work.path());
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "mine");
    assert!(!folder.join("old.svg").exists());
    let table = std::fs::read_to_string(folder.join("study.csv")).unwrap();
    for cell in ["\n'=1+1,", "\n'@SUM(A1),", "\nplain,"] {
        assert!(table.contains(cell), "{table}");
    }
}

#[test]
fn the_mass_of_a_mesh_needs_a_density() {
    let work = tempfile::tempdir().unwrap();
    let said = refused(&["mass", "t.obj"], work.path());
    assert!(said.contains("--density"), "{said}");
}

/// A cube of 120 mm whose numbers are taken for metres weighs 2500 kg/m³ x 120³ m³.
#[test]
fn a_mesh_says_its_size_and_a_large_one_is_doubted() {
    let work = tempfile::tempdir().unwrap();
    let cube = |head: &str, a: f64| {
        let corners = (0..8).map(|k: usize| {
            let at = |bit: usize| if k >> bit & 1 == 1 { a } else { 0.0 };
            format!("v {} {} {}\n", at(0), at(1), at(2))
        });
        let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
        std::fs::write(
            work.path().join("cube.obj"),
            format!("{head}{}{faces}", corners.collect::<String>()),
        )
        .unwrap();
        klast(&["mass", "cube.obj", "--density", "2500"], work.path())
    };
    let small = cube("# File units = meters\n", 0.12);
    let said = String::from_utf8(small.stdout).unwrap();
    let line = |name: &str| said.lines().find_map(|line| line.strip_prefix(name));
    assert_eq!(line("extent "), Some("0.120000 x 0.120000 x 0.120000 m"));
    assert_eq!(line("mass "), Some("4.320000 kg"));
    assert!(small.stderr.is_empty());
    let large = cube("", 120.0);
    let warned = String::from_utf8(large.stderr).unwrap();
    assert!(
        warned.contains("cube.obj") && warned.contains("120 m"),
        "{warned}"
    );
    let stated = cube("# File units = millimeters\n", 120.0);
    let said = String::from_utf8(stated.stderr).unwrap();
    assert_eq!(stated.status.code(), Some(2));
    assert_eq!(said.matches("0.001").count(), 2, "{said}");
}

/// An octahedron of half-diagonals of 1 m has 4/3 m³ and touches the ground in one point.
/// Ten waves of 1 Hz leave no velocity; an offset of 0.6 m/s² over 10 s leaves 6 m/s, which a run would warn of too.
#[test]
fn a_record_with_an_offset_is_warned_of() {
    let work = tempfile::tempdir().unwrap();
    let record = |offset: f64, arguments: &[&str]| {
        let rows = (0..=1000).map(|k| {
            let time = 0.01 * f64::from(k);
            let wave = (std::f64::consts::TAU * time).sin();
            format!("{time:.2},{:.9}\n", offset + wave)
        });
        let text = format!("time_s,acceleration_m_s2\n{}", rows.collect::<String>());
        std::fs::write(work.path().join("record.csv"), text).unwrap();
        klast(
            &[&["record", "record.csv"], arguments].concat(),
            work.path(),
        )
    };
    let said = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said(&record(0.0, &[])), "");
    let warned = said(&record(0.6, &[]));
    assert!(
        warned.lines().count() == 1 && warned.contains("6.0"),
        "{warned}"
    );
    let json: Value = serde_json::from_slice(&record(0.6, &["--json"]).stdout).unwrap();
    let warnings = json["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{json}");
}

#[test]
fn a_body_without_a_base_has_a_mass() {
    let work = tempfile::tempdir().unwrap();
    let corners = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n";
    let faces = "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::fs::write(work.path().join("o.obj"), format!("{corners}{faces}")).unwrap();
    let arguments = ["mass", "o.obj", "--density", "2700"];
    let said = succeeds(&arguments, work.path());
    assert!(said.contains("mass 3600.000000"), "{said}");
    let json = succeeds(&[&arguments[..], &["--json"]].concat(), work.path());
    let told: Value = serde_json::from_str(&json).unwrap();
    assert!(told.get("block").is_none() && told["no_block"].is_string());
    assert!(told.get("least_stable").is_none());
    // A column of 1 m x 1 m that leans by 3 m: its mass centre is 1 m beside its base.
    let corner = |k: u8| {
        let (x, y, z) = (k & 1, k >> 1 & 1, k >> 2);
        format!("v {} {y} {z}\n", x + 3 * z)
    };
    let corners: String = (0..8).map(corner).collect();
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(work.path().join("lean.obj"), format!("{corners}{faces}")).unwrap();
    let lean = ["mass", "lean.obj", "--density", "2700", "--json"];
    let told: Value = serde_json::from_str(&succeeds(&lean, work.path())).unwrap();
    assert!(told["no_block"].is_string() && told.get("least_stable").is_none());
    let wide = [&arguments[..], &["--base-tolerance", "1.5"]].concat();
    assert!(succeeds(&wide, work.path()).contains("\"block\": "));
    let none = [&arguments[..], &["--base-tolerance", "0"]].concat();
    assert!(refused(&none, work.path()).contains("tolerance"));
}

/// Names in a scene begin at its folder, and so do the commands that cure its files.
#[test]
fn a_refusal_names_the_folder_of_its_commands() {
    let work = tempfile::tempdir().unwrap();
    succeeds(&["new", "rockfall", "--out", "slope"], work.path());
    let scene = work.path().join("slope/rockfall.json");
    let text = std::fs::read_to_string(&scene).unwrap();
    let drawing = text.replace("rockfall-release.geojson", "cliff.dxf");
    assert_ne!(text, drawing);
    std::fs::write(&scene, drawing).unwrap();
    std::fs::write(work.path().join("slope/cliff.dxf"), "0\nSECTION\n").unwrap();
    let told = |file: &str, folder: &Path| {
        let output = klast(&["check", file], folder);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let said = told("slope/rockfall.json", work.path());
    let command = said.split('`').nth(1);
    assert_eq!(command, Some("ogr2ogr cliff.geojson cliff.dxf"), "{said}");
    assert!(said.ends_with(" slope\n"), "{said}");
    let said = told("rockfall.json", &work.path().join("slope"));
    assert!(!said.contains(" slope"), "{said}");
}

#[test]
fn a_watch_runs_and_open_finds_the_report() {
    let work = tempfile::tempdir().unwrap();
    succeeds(
        &[
            "watch",
            &example("rocking.json"),
            "--runs",
            "1",
            "--out",
            "w",
        ],
        work.path(),
    );
    let page = succeeds(&["open", "w", "--print"], work.path());
    assert!(page.trim_end().ends_with("index.html"), "{page}");
}

#[test]
fn a_contact_problem_is_answered_contact_by_contact() {
    let work = tempfile::tempdir().unwrap();
    // A body of 1 kg falls at 1 m/s and slides at 0.3 m/s, friction 0.5: it stops both. At 0.8 m/s it slides on at 0.3
    // m/s.
    let block = "[0, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1]]";
    let problem = |slip: f64| {
        format!("{{\"contacts\": 1, \"mu\": [0.5], \"q\": [-1, {slip}, 0], \"blocks\": [{block}]}}")
    };
    std::fs::write(work.path().join("a.json"), problem(0.3)).unwrap();
    std::fs::write(work.path().join("b.json"), problem(0.8)).unwrap();
    let json = succeeds(
        &[
            "contact", "solve", "a.json", "b.json", "--json", "--out", "o",
        ],
        work.path(),
    );
    let json: Value = serde_json::from_str(&json).unwrap();
    for (k, (state, impulse, velocity)) in [("sticks", -0.3, 0.0), ("slides", -0.5, 0.3)]
        .into_iter()
        .enumerate()
    {
        let row = &json[k]["rows"][0];
        assert_eq!(row["state"], state);
        let close = |key: &str, value: f64| (row[key].as_f64().unwrap() - value).abs() < 1e-7;
        assert!(
            close("impulse_tangent_1_n_s", impulse) && close("velocity_tangent_1_m_s", velocity),
            "{row}"
        );
        assert!(close("impulse_normal_n_s", 1.0), "{row}");
    }
    let table = std::fs::read_to_string(work.path().join("o/b.csv")).unwrap();
    assert!(table.lines().nth(1).unwrap().ends_with("slides"), "{table}");
    // No result is written over a problem or over another result.
    std::fs::create_dir(work.path().join("p")).unwrap();
    std::fs::copy(work.path().join("a.json"), work.path().join("p/A.json")).unwrap();
    let solve = |rest: &[&str]| refused(&[&["contact", "solve"], rest].concat(), work.path());
    let said = solve(&["a.json", "--out", "."]);
    assert!(said.contains("a.json"), "{said}");
    let said = solve(&["a.json", "p/A.json", "--out", "o"]);
    assert!(
        said.contains("a.json") && said.contains("p/A.json"),
        "{said}"
    );
    // A problem that is not solved leaves one document of JSON.
    let strict = [
        "contact",
        "solve",
        "b.json",
        "--json",
        "--max-iterations",
        "1",
        "--tol",
        "1e-300",
    ];
    let output = klast(&strict, work.path());
    assert_eq!(output.status.code(), Some(1));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json[0]["converged"], false);
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let work = tempfile::tempdir().unwrap();
    let rocking = example("rocking.json");
    let said = refused(&["run", &rocking, "--seed", "3"], work.path());
    assert!(said.contains("--seed"), "{said}");
    let said = refused(&["run", &rocking, "--shard", "1/2"], work.path());
    assert!(said.contains("--shard"), "{said}");
    let over = ["--over", "duration_s=1,2"];
    let ends = ["--over", "duration_s", "--from", "1", "--to", "2"];
    for option in [["--seed", "3"], ["--shard", "1/2"]] {
        for command in [
            [&["sweep", &rocking][..], &over].concat(),
            [&["limit", &rocking][..], &ends].concat(),
            vec!["contact", "solve", "a.json"],
            vec!["new", "rocking"],
        ] {
            let said = refused(&[&command[..], &option].concat(), work.path());
            assert!(said.contains(option[0]), "{said}");
        }
    }
    let two = [
        "--over",
        "duration_s=1:2:9000",
        "--over",
        "tilt_rad=0:1:9000",
    ];
    let said = refused(&[&["sweep", &rocking][..], &two].concat(), work.path());
    assert!(said.contains("81000000 runs"), "{said}");
    let said = refused(&["run", &rocking, "--threads", "0"], work.path());
    assert!(said.contains("--threads"), "{said}");
    assert!(std::fs::read_dir(work.path()).unwrap().next().is_none());
}

#[test]
fn json_is_json_and_quiet_is_quiet() {
    let work = tempfile::tempdir().unwrap();
    let rocking = example("rocking.json");
    let json: Value =
        serde_json::from_str(&succeeds(&["run", &rocking, "--json"], work.path())).unwrap();
    assert_eq!(json["kind"], "rocking");
    assert!(json["result"]["outcome"].is_string(), "{json}");
    let output = klast(&["run", &rocking, "--quiet", "--out", "q"], work.path());
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    // Without --out the folder has the scene's name.
    assert!(work.path().join("out/rocking/manifest.json").is_file());
}

#[test]
fn threads_do_not_decide_and_seeds_do() {
    let work = tempfile::tempdir().unwrap();
    let rockfall = example("rockfall.json");
    let run = |out: &str, more: &[&str]| {
        let common = ["run", &rockfall, "--quiet", "--out", out];
        succeeds(&[&common[..], more].concat(), work.path());
        let read = |name: &str| std::fs::read(work.path().join(out).join(name)).unwrap();
        (
            read("energy_95.tif"),
            read("index.html"),
            read("trajectories.csv"),
        )
    };
    let one = run("one", &["--threads", "1"]);
    assert!(one == run("three", &["--threads", "3"]));
    assert!(one != run("other", &["--seed", "99"]));
    assert_eq!(manifest(&work.path().join("other"))["seed"], 99);
}

#[test]
fn progress_on_no_terminal_is_plain_lines() {
    let work = tempfile::tempdir().unwrap();
    let output = klast(
        &["run", &example("rockfall.json"), "--out", "o"],
        work.path(),
    );
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.lines().count() >= 2, "{said}");
    assert!(!said.contains(['\r', '\u{1b}']), "{said:?}");
    assert!(said.contains("100 %"), "{said}");
}

#[test]
fn a_folder_is_replaced_if_it_is_ours_and_refused_if_not() {
    let work = tempfile::tempdir().unwrap();
    succeeds(
        &["run", &example("rocking-fit.json"), "--out", "r"],
        work.path(),
    );
    assert!(work.path().join("r/fit.svg").is_file());
    succeeds(
        &["run", &example("rocking.json"), "--out", "r"],
        work.path(),
    );
    assert!(
        !work.path().join("r/fit.svg").exists(),
        "left from the run before"
    );
    assert_eq!(manifest(&work.path().join("r"))["kind"], "rocking");

    std::fs::create_dir(work.path().join("thesis")).unwrap();
    std::fs::write(work.path().join("thesis/history.csv"), "mine").unwrap();
    let said = refused(
        &["run", &example("rocking.json"), "--out", "thesis"],
        work.path(),
    );
    assert!(said.contains("thesis"), "{said}");
    assert_eq!(
        std::fs::read(work.path().join("thesis/history.csv")).unwrap(),
        b"mine"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_so_and_leaves_whole_files() {
    let work = tempfile::tempdir().unwrap();
    for (name, key, value) in [
        ("rockfall.json", "/sources/0/rocks", 2_000_000),
        ("rocking-map.json", "/rows/count", 20_000),
        ("stack-map.json", "/cells/0", 4_000),
        (
            "assembly-sweep.json",
            "/scene/long_time/transient_periods",
            10_000_000,
        ),
    ] {
        let mut scene: Value =
            serde_json::from_str(&std::fs::read_to_string(examples().join(name)).unwrap()).unwrap();
        let place = scene
            .pointer_mut(key)
            .unwrap_or_else(|| panic!("{name} has no {key}"));
        *place = value.into();
        let file = examples().join(name);
        // Beside the example's own files, which it names.
        for entry in std::fs::read_dir(file.parent().unwrap()).unwrap() {
            let from = entry.unwrap().path();
            std::fs::copy(&from, work.path().join(from.file_name().unwrap())).unwrap();
        }
        std::fs::write(work.path().join(name), scene.to_string()).unwrap();
        let mut run = Command::new(env!("CARGO_BIN_EXE_klast"))
            .args(["run", name, "--out", "long", "--quiet"])
            .current_dir(work.path())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let folder = work.path().join("long");
        let begun = std::time::Instant::now();
        while !folder.join("manifest.json").is_file() {
            assert!(run.try_wait().unwrap().is_none(), "{name}: was refused");
            assert!(begun.elapsed().as_secs() < 60, "{name}: never began");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        let told = Command::new("kill")
            .args(["-INT", &run.id().to_string()])
            .status()
            .unwrap();
        assert!(told.success());
        let output = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{name}: {said}");
        assert_eq!(manifest(&folder)["complete"], false);
        for entry in std::fs::read_dir(&folder).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            assert!(!file.ends_with(".part"), "{name}: {file}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
