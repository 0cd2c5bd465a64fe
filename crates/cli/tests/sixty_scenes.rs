//! Sixty broken scenes: all that is wrong with each in one go, in words that need no programmer.

use std::path::Path;

use klast_scenes::Scene;

/// What is broken in an example: the file, pieces of text that become others, and a piece of each line that must be
/// said.
type Broken = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const SCENES: [Broken; 60] = [
    (
        "rocking.json",
        &[("\"width_m\"", "\"widht_m\"")],
        &["unknown key `widht_m`"],
    ),
    (
        "rocking.json",
        &[("0.5,", "\"0.5\",")],
        &["block.width_m: \"0.5\" is a text; a number is needed"],
    ),
    ("rocking.json", &[("10.0", "-1")], &["duration_s"]),
    (
        "rocking.json",
        &[("10.0", "-1"), ("\"sample_s\"", "\"sampel_s\"")],
        &["unknown key `sampel_s`", "duration_s"],
    ),
    (
        "rocking.json",
        &[("\"housner\"", "\"hausner\"")],
        &["`hausner` is not known; accepted:"],
    ),
    (
        "rocking.json",
        &[("\"duration_s\": 10.0,", "")],
        &["`duration_s` is missing"],
    ),
    (
        "rocking.json",
        &[("\"waves\"", "\"wave\"")],
        &["`wave` is not known"],
    ),
    (
        "rocking.json",
        &[("2.0 },\n  \"rest", "true },\n  \"rest")],
        &["true is a yes or no; a number is needed"],
    ),
    (
        "rocking.json",
        &[("0.6", "[0.6]")],
        &["a list [ ] stands here; a number is needed"],
    ),
    (
        "rocking.json",
        &[("0.6", "null, \"fricton\": 1")],
        &["unknown key `fricton`"],
    ),
    ("rocking.json", &[("0.005", "0")], &["sample_s"]),
    ("rocking.json", &[("0.6", "-0.6")], &["friction"]),
    (
        "rocking.json",
        &[("4.8065,", "4.8065")],
        &["a comma, or the } that closes the object, is missing"],
    ),
    (
        "rocking.json",
        &[("4.8065", "4,8065")],
        &["a decimal comma; accepted: 4.8065"],
    ),
    ("rocking.json", &[("4.8065", "NaN")], &["NaN"]),
    (
        "rocking.json",
        &[("\"rectangle\"", "rectangle")],
        &["no value of JSON"],
    ),
    (
        "rocking.json",
        &[("0.6\n", "0.6,\n")],
        &["a comma too much"],
    ),
    (
        "rocking.json",
        &[("\"schema\": 1", "\"schema\": 7")],
        &["schema 7; accepted: 1"],
    ),
    (
        "rocking.json",
        &[("\"rocking\"", "\"rockin\"")],
        &["nearest known: rocking"],
    ),
    (
        "rocking.json",
        &[("0.5, \"height_m\": 2.0", "-0.5, \"height_m\": \"tall\"")],
        &[
            "block.width_m: width is -0.5",
            "block.height_m: \"tall\" is a text",
        ],
    ),
    (
        "stack.json",
        &[("\"engine\"", "\"engin\"")],
        &["unknown key `engin`"],
    ),
    (
        "stack.json",
        &[("\"no_slip\"", "\"noslip\"")],
        &["`noslip` is not known; accepted: no_slip"],
    ),
    (
        "stack.json",
        &[("\"mass_kg\": 1.0\n    },", "\"mass_kg\": -1.0\n    },")],
        &["mass"],
    ),
    (
        "stack.json",
        &[("\"duration_s\": 60", "\"duration_s\": \"ten\"")],
        &["duration_s: \"ten\" is a text; a number is needed"],
    ),
    (
        "stack.json",
        &[(
            "\"duration_s\": 60",
            "\"duration_s\": \"ten\", \"sample_s\": false",
        )],
        &["duration_s: \"ten\"", "sample_s: false is a yes or no"],
    ),
    (
        "stack.json",
        &[("\"blocks\"", "\"bricks\"")],
        &["unknown key `bricks`"],
    ),
    (
        "rockfall.json",
        &[("\"rocks\": 300", "\"rocks\": -3")],
        &["sources[0].rocks: -3 is a number; a whole number from 0 is needed"],
    ),
    (
        "rockfall.json",
        &[("\"rocks\": 300", "\"rocks\": 3.5")],
        &["3.5 is a number with a fraction; a whole number from 0 is needed"],
    ),
    (
        "rockfall.json",
        &[("\"rocks\": 300", "\"rocks\": 0")],
        &["rocks"],
    ),
    (
        "rockfall.json",
        &[("\"height_m\": 4", "\"heigth_m\": 4")],
        &["unknown key `heigth_m`"],
    ),
    (
        "rockfall.json",
        &[
            ("\"height_m\": 4", "\"height_m\": \"4\""),
            ("\"capacity_kj\": 1000", "\"capacity_kj\": \"1000\""),
        ],
        &[
            "barriers[0].height_m: \"4\" is a text",
            "barriers[0].capacity_kj: \"1000\" is a text",
        ],
    ),
    (
        "rockfall.json",
        &[("\"height_m\": 4", "\"height_m\": -4")],
        &["height"],
    ),
    (
        "rockfall.json",
        &[("rockfall-terrain.asc", "rockfall-terain.asc")],
        &["rockfall-terain.asc: cannot be read"],
    ),
    (
        "rockfall.json",
        &[("rockfall-release.geojson", "release.geojson")],
        &["release.geojson: cannot be read"],
    ),
    (
        "rockfall.json",
        &[("{\"uniform\": [0.5, 3.0]}", "{\"unifrom\": [0.5, 3.0]}")],
        &["unknown key `unifrom`"],
    ),
    (
        "rockfall.json",
        &[("\"cube\"", "\"kube\"")],
        &["`kube` is not known"],
    ),
    (
        "rockfall.json",
        &[("\"map_cell_m\": 5", "\"map_cell_m\": \"5\"")],
        &["map_cell_m: \"5\" is a text; a number is needed"],
    ),
    (
        "rockfall.json",
        &[("\"map_cell_m\": 5", "\"map_cell_m\": 0")],
        &["cell"],
    ),
    (
        "rockfall.json",
        &[
            ("\"map_cell_m\": 5", "\"map_cel_m\": 5"),
            ("\"seed\": 5", "\"sed\": 2"),
        ],
        &["unknown key `map_cel_m`", "unknown key `sed`"],
    ),
    (
        "rockfall.json",
        &[
            ("\"seed\": 5", "\"seed\": \"two\""),
            ("\"map_cell_m\": 5", "\"map_cell_m\": \"5\""),
        ],
        &["seed: \"two\" is a text", "map_cell_m: \"5\" is a text"],
    ),
    (
        "rockfall.json",
        &[(
            "[[2600150, 1200020], [2600150, 1200180]]",
            "[[2600150], [2600150, 1200180]]",
        )],
        &["a list of 2 numbers is needed"],
    ),
    (
        "rockfall.json",
        &[("\"rigid_body\"", "\"rigid\"")],
        &["`rigid` is not known; accepted: lumped_mass, rigid_body"],
    ),
    (
        "rockfall.json",
        &[("\"name\": \"road\"", "\"name\": \"net\"")],
        &["collectors[0].name"],
    ),
    (
        "rockfall.json",
        &[(
            "\"annual_frequency\": 0.5",
            "\"annual_frequency\": \"often\"",
        )],
        &["sources[0].annual_frequency: \"often\" is a text"],
    ),
    (
        "bodies.json",
        &[("\"step_s\"", "\"step\"")],
        &["unknown key `step`"],
    ),
    (
        "bodies.json",
        &[(
            "\"material\": \"wood\",\n      \"shape\"",
            "\"material\": \"oak\",\n      \"shape\"",
        )],
        &["'oak'"],
    ),
    (
        "bodies.json",
        &[("\"step_s\": 0.001", "\"step_s\": -0.001")],
        &["step"],
    ),
    (
        "bodies.json",
        &[("\"kind\": \"box\"", "\"kind\": \"bax\"")],
        &["`bax` is not known"],
    ),
    (
        "bodies.json",
        &[
            ("\"duration_s\": 2.5", "\"duration_s\": [2.5]"),
            ("\"step_s\": 0.001", "\"step_s\": \"fast\""),
        ],
        &[
            "duration_s: a list [ ] stands here",
            "solver.step_s: \"fast\" is a text",
        ],
    ),
    (
        "bodies.json",
        &[("\"relative_to\": \"table\"", "\"relative_to\": \"desk\"")],
        &["desk"],
    ),
    (
        "assembly.json",
        &[("\"length_m\": 0.394", "\"length_m\": -0.394")],
        &["length"],
    ),
    (
        "assembly.json",
        &[("\"count\": 4", "\"count\": 4.5")],
        &["4.5 is a number with a fraction; a whole number from 0 is needed"],
    ),
    (
        "assembly.json",
        &[("\"lowest_first\"", "\"highest_first\"")],
        &["`highest_first` is not known"],
    ),
    (
        "assembly.json",
        &[
            ("\"duration_s\": 4.0", "\"duration_s\": -4.0"),
            ("\"sample_s\": 0.005", "\"sample_s\": -0.005"),
        ],
        &["duration_s", "sample_s"],
    ),
    (
        "assess.json",
        &[("\"pga_m_s2\": 2.8", "\"pga_m_s2\": \"2.8\"")],
        &["\"2.8\" is a text"],
    ),
    (
        "assess.json",
        &[("\"allowed_probability\": 0.5", "\"allowed_probability\": 5")],
        &["probability"],
    ),
    (
        "rocking-map.json",
        &[("\"count\": 200 },\n", "\"count\": 0 },\n")],
        &["count"],
    ),
    (
        "rocking-fit.json",
        &[("rocking-history.csv", "history.csv")],
        &["history.csv: cannot be read"],
    ),
    (
        "stack-map.json",
        &[("\"frequency_over_p\"", "\"frequency_over_q\"")],
        &["unknown key `frequency_over_q`"],
    ),
    (
        "stack-scale.json",
        &[("\"as_factor\"", "\"factor\"")],
        &["unknown key `factor`"],
    ),
];

/// Words of the reader of JSON and of the language that it is written in.
const FOREIGN: [&str; 14] = [
    "invalid type",
    "invalid value",
    "invalid length",
    "expected",
    "f64",
    "u64",
    "usize",
    "struct",
    "enum",
    "variant",
    "untagged",
    "Option",
    "::",
    "unwrap",
];

fn said(example: &str, edits: &[(&str, &str)]) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut text = std::fs::read_to_string(examples.join(example)).unwrap();
    for (from, to) in edits {
        assert!(text.contains(from), "{example} has no {from}");
        text = text.replacen(from, to, 1);
    }
    let error = match Scene::named("scene.json", &text, examples) {
        Ok((scene, _)) => scene.job().err(),
        Err(error) => Some(error),
    };
    format!(
        "{:#}",
        error.unwrap_or_else(|| panic!("{example}: {edits:?} is a scene"))
    )
}

/// Files at hand are read where they are, and a refused value is no reason to doubt another.
#[test]
fn a_fault_is_told_once_and_causes_no_other() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let text = std::fs::read_to_string(examples.join("rocking-fit.json")).unwrap();
    let history = std::fs::read(examples.join("rocking-history.csv")).unwrap();
    let files = [("rocking-history.csv".to_owned(), history)];
    let from = "\"height_m\": ";
    assert!(text.contains(from));
    let text = text.replacen(from, "\"height_m\": -", 1);
    let nowhere = tempfile::tempdir().unwrap();
    let (scene, _) = Scene::named("scene.json", &text, nowhere.path()).unwrap();
    let scene = scene.with_files(files.into());
    let said = format!("{:#}", scene.job().err().unwrap());
    assert!(
        said.contains("height") && said.lines().count() == 1,
        "{said}"
    );

    // Without a duration nothing is known of how many samples it has.
    let said = self::said(
        "rocking.json",
        &[("10.0", "-1"), ("\"sample_s\": 0.005", "\"sample_s\": 1.5")],
    );
    assert!(
        said.contains("duration_s") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn sixty_broken_scenes_say_all_that_is_wrong_in_plain_words() {
    let mut failed = Vec::new();
    for (example, edits, needed) in SCENES {
        let said = said(example, edits);
        let missing: Vec<&&str> = needed.iter().filter(|n| !said.contains(**n)).collect();
        let foreign: Vec<&&str> = FOREIGN.iter().filter(|f| said.contains(**f)).collect();
        let lines = said.lines().count();
        if !missing.is_empty() || !foreign.is_empty() || lines != needed.len() {
            failed.push(format!("{example} {edits:?}\n  missing {missing:?}, foreign {foreign:?}, {lines} lines:\n{said}"));
        }
    }
    assert!(
        failed.is_empty(),
        "{} of {}:\n{}",
        failed.len(),
        SCENES.len(),
        failed.join("\n\n")
    );
}
