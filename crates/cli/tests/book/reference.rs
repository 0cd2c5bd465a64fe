//! The pages of the reference, made from the schemas and from the arguments of the program, and what is generated into
//! other pages.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::Command;

use klast_scenes::kinds::find;
use serde_json::{Map, Value};

use super::{DIGESTS, digests, read, root, source};

/// The folder of these pages.
const FOLDER: &str = "reference/";

fn klast(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_klast"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The kinds of scene with their descriptions, as `klast new` lists them.
fn kinds() -> Vec<(String, String)> {
    let list = klast(&["new"]);
    let pair = list.lines().filter_map(|line| line.split_once(' '));
    pair.map(|(kind, what)| (kind.to_owned(), what.trim().to_owned()))
        .collect()
}

/// Units that a text names in brackets.
const UNITS: &[&str] = &[
    "N s/m²", "N s/m", "N/m²", "N/m", "kg m²", "kg/m³", "J/kg", "m/s²", "rad/s²", "rad/s", "1/m",
    "1/s", "1/a", "N s", "m/s", "m³", "m²", "degrees", "rad", "kg", "kJ", "Hz", "mm", "ms", "µs",
    "kN", "J", "N", "m", "s", "a",
];

/// The unit of a key, as the report has it; that of a number whose key says none is taken from the text.
fn unit(key: &str, what: &str, text: &str) -> String {
    let said = UNITS.iter().find(|u| text.contains(&format!("({u})")));
    let said = said.map(|u| if *u == "degrees" { "°" } else { u });
    let (_, unit) = klast_report::of_key(key);
    match said {
        Some(said) if unit.is_empty() && what == "number" => said.to_owned(),
        Some(said) if !unit.is_empty() => {
            assert!(
                text.contains(&format!("({unit})")) || said == unit,
                "`{key}` is in {unit} or in {said}: {text}"
            );
            unit
        }
        _ => unit,
    }
}

/// A cell of a table: one line, no bar.
fn cell(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('|', "\\|").replace('<', "&lt;")
}

fn description(node: &Value) -> &str {
    node["description"].as_str().unwrap_or_default()
}

fn branches(node: &Value) -> &[Value] {
    let list = node["oneOf"]
        .as_array()
        .or_else(|| node["anyOf"].as_array());
    list.map_or(&[], Vec::as_slice)
}

/// What a value may be, in words, with a link to what is described below.
fn what(node: &Value) -> String {
    if let Some(name) = node["$ref"].as_str().and_then(|r| r.rsplit('/').next()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if !node["const"].is_null() {
        return format!("`{}`", node["const"].to_string().trim_matches('"'));
    }
    if let Some(values) = node["enum"].as_array() {
        let values = values
            .iter()
            .filter_map(Value::as_str)
            .map(|v| format!("`{v}`"));
        return values.collect::<Vec<_>>().join(", ");
    }
    let of: Vec<&Value> = branches(node)
        .iter()
        .filter(|b| b["type"] != "null")
        .collect();
    if !of.is_empty() {
        return of.into_iter().map(what).collect::<Vec<_>>().join(" or ");
    }
    let name = match &node["type"] {
        Value::Array(names) => names.iter().find(|n| *n != "null").and_then(Value::as_str),
        name => name.as_str(),
    };
    match name {
        Some("array") => list(node),
        Some("object") if node["additionalProperties"].is_object() => {
            format!("names, each with {}", what(&node["additionalProperties"]))
        }
        Some("string") => "text".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => format!("whole number{}", range(node)),
        Some("number") => format!("number{}", range(node)),
        Some(other) => other.to_owned(),
        None => "any value".to_owned(),
    }
}

fn list(node: &Value) -> String {
    let count = &node["minItems"];
    match (
        &node["items"],
        count.as_u64().filter(|_| count == &node["maxItems"]),
    ) {
        (Value::Null, _) => "list".to_owned(),
        (items, Some(n)) => format!("[{n} × {}]", what(items)),
        (items, None) => format!("list of: {}", what(items)),
    }
}

/// Bounds of a number, but for the one that a count has by its nature.
fn range(node: &Value) -> String {
    let mut bounds = Vec::new();
    for (key, sign) in [
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    ] {
        let natural = key == "minimum" && node["type"] == "integer" && node[key] == 0;
        if let (Some(bound), false) = (node[key].as_f64(), natural) {
            bounds.push(format!(" {sign} {bound}"));
        }
    }
    bounds.join(",")
}

/// What holds where a key is not stated.
fn default(node: &Value, required: bool) -> String {
    match &node["default"] {
        _ if required => "required".to_owned(),
        Value::Null => "–".to_owned(),
        Value::Object(_) | Value::Array(_) => format!("`{}`", node["default"]),
        simple => simple.to_string().trim_matches('"').to_owned(),
    }
}

/// Whether a schema is that of what goes in or of what comes out.
#[derive(Clone, Copy)]
enum Side {
    Scene,
    Results,
}

/// Whether a run may give null in place of a value.
fn may_be_null(node: &Value) -> bool {
    let null = |names: &Value| names.as_array().is_some_and(|n| n.contains(&"null".into()));
    null(&node["type"]) || branches(node).iter().any(|b| b["type"] == "null")
}

/// The table of an object's keys.
fn keys(text: &mut String, node: &Value, side: Side) {
    let told = |p: &&Map<String, Value>| p.values().any(|v| v["const"].is_null());
    let Some(properties) = node["properties"].as_object().filter(told) else {
        return;
    };
    let required = node["required"].as_array().cloned().unwrap_or_default();
    text.push_str(match side {
        Side::Scene => "| key | type | unit | default | meaning |\n|---|---|---|---|---|\n",
        Side::Results => "| key | type | unit | meaning |\n|---|---|---|---|\n",
    });
    // The key that chooses a form is told above its table.
    for (key, value) in properties.iter().filter(|(_, v)| v["const"].is_null()) {
        let what = cell(&what(value));
        let meaning = cell(description(value));
        let unit = unit(key, &what, &meaning);
        let null = match side {
            Side::Results if may_be_null(value) => " or null",
            _ => "",
        };
        let given = required.contains(&Value::from(key.as_str()));
        let default = match side {
            Side::Results => String::new(),
            Side::Scene => format!("{} | ", cell(&default(value, given))),
        };
        writeln!(
            text,
            "| `{key}` | {what}{null} | {unit} | {default}{meaning} |"
        )
        .unwrap();
    }
    text.push('\n');
}

/// A definition: the keys of an object, or each form that it may take.
fn definition(text: &mut String, node: &Value, side: Side) {
    let about = cell(description(node));
    if !about.is_empty() {
        writeln!(text, "{about}\n").unwrap();
    }
    keys(text, node, side);
    let (tables, lines): (Vec<&Value>, Vec<&Value>) =
        branches(node).iter().partition(|f| has_table(f));
    for form in &lines {
        let about = cell(description(form));
        let colon = if about.is_empty() { "" } else { ": " };
        writeln!(text, "* {}{colon}{about}", in_a_line(form)).unwrap();
    }
    if !lines.is_empty() {
        text.push('\n');
    }
    for form in tables {
        let (name, inner) = form_name(form);
        writeln!(text, "**{name}** {}\n", cell(description(form))).unwrap();
        keys(text, inner, side);
    }
}

/// The only key of a form that has no other.
fn only_key(form: &Value) -> Option<(&String, &Value)> {
    let properties = form["properties"].as_object()?;
    properties.iter().next().filter(|_| properties.len() == 1)
}

/// Whether a form has keys to be listed: not a value, and not one key with a value.
fn has_table(form: &Value) -> bool {
    let simple = only_key(form).is_some_and(|(_, inner)| !inner["properties"].is_object());
    form["properties"].is_object() && !simple
}

/// A form that is a value, or one key with a value.
fn in_a_line(form: &Value) -> String {
    match only_key(form) {
        Some((key, inner)) if inner["const"].is_null() => {
            format!("`\"{key}\": …`, {}", what(inner))
        }
        Some((key, inner)) => format!("`\"{key}\": {}`", inner["const"]),
        None => what(form),
    }
}

/// How a form is told from others, by a key with one value or by its only key; and what holds its keys.
fn form_name(form: &Value) -> (String, &Value) {
    if let Some((key, inner)) = only_key(form) {
        return (format!("`\"{key}\": {{…}}`"), inner);
    }
    let properties = form["properties"].as_object();
    let chosen = properties.and_then(|p| p.iter().find(|(_, v)| !v["const"].is_null()));
    let name = chosen.map_or("an object".to_owned(), |(key, value)| {
        format!("`\"{key}\": {}`", value["const"])
    });
    (name, form)
}

/// The schema with names of types without the endings that only the program needs: `BasinScene` is `Basin`.
fn renamed(schema: &Value) -> Value {
    let parts = schema["$defs"].as_object();
    let names: Vec<&String> = parts.into_iter().flat_map(Map::keys).collect();
    let mut text = schema.to_string();
    for name in &names {
        let ending = ["Scene", "Entry"]
            .into_iter()
            .find_map(|end| name.strip_suffix(end));
        if let Some(short) = ending.filter(|short| !names.iter().any(|n| n == short)) {
            text = text.replace(&format!("#/$defs/{name}\""), &format!("#/$defs/{short}\""));
            text = text.replace(&format!("\"{name}\":"), &format!("\"{short}\":"));
        }
    }
    serde_json::from_str(&text).unwrap()
}

fn schema_text(text: &mut String, schema: &Value, side: Side) {
    let schema = &renamed(schema);
    keys(text, schema, side);
    for (name, node) in schema["$defs"].as_object().into_iter().flatten() {
        writeln!(text, "### {name}\n").unwrap();
        definition(text, node, side);
    }
}

fn kind_page(kind: &str, what: &str) -> String {
    let schema: Value = serde_json::from_str(&klast(&["schema", kind])).unwrap();
    let mut text = format!(
        "# `{kind}`\n\nA scene of kind `{kind}` computes {what}. This page lists every key of such a scene with its type, unit, \
         default and meaning. A key with the default `–` may be left out; its meaning states what then holds. `klast schema {kind}` prints the keys as a \
         JSON Schema for editors. [Vocabulary](../vocabulary.md) and [Symbols and units](../symbols.md) explain terms and symbols. \
         The results are on [another page]({kind}-results.md).\n\n## Keys\n\n"
    );
    schema_text(&mut text, &schema, Side::Scene);
    text.push_str("## Limits of the model\n\n");
    for limit in find(kind).unwrap().limits {
        writeln!(text, "* {limit}").unwrap();
    }
    text
}

fn results_page(kind: &str) -> String {
    let results: Value = serde_json::from_str(&klast(&["schema", kind, "--results"])).unwrap();
    let mut text = format!(
        "# Results of `{kind}`\n\nThis page lists every value that a run of kind [`{kind}`]({kind}.md) gives, with its type, unit and meaning. The key `summary` of the first \
         table is the file `result.json`. Every other key of this table is a list of rows, in the file `NAME.csv` for the key `NAME` unless its meaning names another file. If a type ends with \"or null\", \
         some runs give no value. Such a value is null or missing in `result.json`, and an empty cell in a CSV file. [Vocabulary](../vocabulary.md) and \
         [Symbols and units](../symbols.md) explain terms and symbols.\n\n"
    );
    schema_text(&mut text, &results, Side::Results);
    text
}

fn index_page() -> String {
    let mut text = String::from(
        "# Keys and results\n\nThese pages list every key of every kind of scene with its unit, default and meaning, and every value of the \
         results. The program itself generates them, so they always show its present keys.\n\n\
         | kind | computes | results |\n|---|---|---|\n",
    );
    for (kind, what) in kinds() {
        writeln!(
            text,
            "| [`{kind}`]({kind}.md) | {what} | [results]({kind}-results.md) |"
        )
        .unwrap();
    }
    text.push_str(
        "\nEvery scene has the keys `schema` (the version of the format, 1) and `kind`, and may have `project`. \
         The page [Vocabulary](../vocabulary.md#spelling-of-kinds-and-keys) says how keys are spelled.\n",
    );
    text
}

/// The names under "Commands:" of a help text.
fn subcommands(help: &str) -> Vec<String> {
    let after = help.split_once("Commands:\n").map_or("", |(_, rest)| rest);
    let lines = after.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn commands_page() -> String {
    let mut text = String::from(
        "# Commands\n\nThis page lists every command with its arguments and options, as the option `--help` prints them. The page [The program](../program.md) describes \
         how a run uses the options, and the files that it writes.\n\n",
    );
    let mut waiting: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(command) = waiting.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = klast(&arguments);
        let title = ["klast".to_owned()]
            .iter()
            .chain(&command)
            .cloned()
            .collect::<Vec<_>>()
            .join(" ");
        writeln!(text, "## `{title}`\n\n```text\n{}\n```\n", help.trim_end()).unwrap();
        let inner = subcommands(&help).into_iter().rev();
        waiting.extend(inner.map(|name| command.iter().cloned().chain([name]).collect()));
    }
    text.trim_end().to_owned() + "\n"
}

fn limits() -> String {
    let mut text = String::new();
    let mut told: Vec<&[&str]> = Vec::new();
    let all = kinds();
    for (kind, _) in &all {
        let limits = find(kind).unwrap().limits;
        if told.contains(&limits) {
            continue;
        }
        told.push(limits);
        let same = all
            .iter()
            .filter(|(k, _)| find(k).unwrap().limits == limits);
        let names: Vec<String> = same.map(|(k, _)| format!("`{k}`")).collect();
        writeln!(text, "\n## {}\n", names.join(", ")).unwrap();
        for limit in limits {
            writeln!(text, "* {limit}").unwrap();
        }
    }
    text + "\n"
}

/// A page with `text` between its two marks.
pub fn inserted(page: &str, name: &str, text: &str) -> String {
    let mark = |end: &str| format!("<!-- {name}: {end} -->");
    let (before, rest) = page.split_once(&mark("begin")).unwrap();
    let (_, after) = rest.split_once(&mark("end")).unwrap();
    format!("{before}{}\n{text}{}{after}", mark("begin"), mark("end"))
}

pub fn generated() -> Vec<(String, String)> {
    let mut pages = vec![
        ("reference/index.md".to_owned(), index_page()),
        ("reference/commands.md".to_owned(), commands_page()),
        (
            "limits.md".to_owned(),
            inserted(&read(&source().join("limits.md")), "limits", &limits()),
        ),
    ];
    for (kind, what) in kinds() {
        pages.push((format!("reference/{kind}.md"), kind_page(&kind, &what)));
        pages.push((format!("reference/{kind}-results.md"), results_page(&kind)));
    }
    pages
}

/// The pages of the reference are not kept in the repository: this test writes them beside the others, and compares
/// their digests. The page of limits has text of its own and is kept.
#[test]
fn the_reference_is_that_of_the_program() {
    let renew = std::env::var("KLAST_BOOK").is_ok_and(|v| v == "renew");
    let mut digests = digests();
    let known = digests.clone();
    let listed = known.keys().filter(|name| name.starts_with(FOLDER));
    let mut gone: BTreeSet<&String> = listed.collect();
    let mut old = Vec::new();
    std::fs::create_dir_all(source().join(FOLDER)).unwrap();
    for (page, text) in generated() {
        let path = source().join(&page);
        gone.remove(&page);
        let same = match page.starts_with(FOLDER) {
            true => {
                let digest = klast_files::reading::sha256(&text);
                digests.insert(page.clone(), digest.clone()) == Some(digest)
            }
            false => read(&path) == text,
        };
        if renew || page.starts_with(FOLDER) {
            // Other tests read the pages meanwhile: each is whole at any time.
            let whole = path.with_extension("new");
            std::fs::write(&whole, text).unwrap();
            std::fs::rename(&whole, &path).unwrap();
        }
        if !same {
            old.push(page);
        }
    }
    for page in gone {
        old.push(page.clone());
        digests.remove(page);
    }
    if renew {
        let lines = digests
            .iter()
            .map(|(name, digest)| format!("{digest}  {name}\n"));
        std::fs::write(root().join(DIGESTS), lines.collect::<String>()).unwrap();
        return;
    }
    assert!(
        old.is_empty(),
        "{old:?} are not what the program says: KLAST_BOOK=renew enters them anew"
    );
}

/// A text says what a key means: words, not a symbol.
fn says_something(meaning: &str) -> bool {
    meaning.len() >= 8 && meaning.contains(' ') && meaning != "The same."
}

#[test]
fn every_key_of_the_reference_says_what_it_means() {
    let mut silent = Vec::new();
    for (page, text) in generated()
        .into_iter()
        .filter(|(page, _)| page.starts_with(FOLDER))
    {
        for row in text.lines().filter(|line| line.starts_with("| `")) {
            let meaning = row
                .trim_end_matches('|')
                .rsplit(" | ")
                .next()
                .unwrap_or_default();
            if !says_something(meaning.trim()) {
                silent.push(format!("{page}: {row}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    assert!(!says_something("κ.") && !says_something("Where.") && says_something("Mass (kg)."));
}

/// Keys whose numbers may have any value: places, directions, velocities, phases and seeds.
const FREE: [&str; 37] = [
    "face",
    "factors",
    "force_n",
    "from_m",
    "level_m",
    "surface_m",
    "to_m",
    "torque_nm",
    "elevation_m",
    "phase_rad",
    "seed",
    "azimuth_deg",
    "base_x_m",
    "base_z_m",
    "block_x_m",
    "block_z_m",
    "gravity_m_s2",
    "at_m",
    "quaternion_wxyz",
    "spin_rad_s",
    "velocity_m_s",
    "low_m",
    "about_m",
    "sweeps",
    "offset_m",
    "not_before_s",
    "corners_m",
    "points_m",
    "angle_deg",
    "line_m",
    "percentile",
    "max",
    "min",
    "angular_velocity_rad_s",
    "value",
    "mass",
    "shift_m",
];

/// Numbers of rocks, from 0 on.
const COUNTS: [&str; 4] = [
    "write_paths",
    "write_rocks",
    "write_trajectories",
    "refinement_rocks",
];

/// Words of a range.
const RANGE: [&str; 10] = [
    "above",
    "below",
    "or more",
    "at least",
    "at most",
    " to ",
    "up to",
    "between",
    "within",
    "any length",
];

/// A number says which values are accepted, but for those that may be any.
#[test]
fn every_number_of_a_scene_says_its_range() {
    let scenes = generated().into_iter().filter(|(page, _)| {
        page.starts_with(FOLDER) && !page.ends_with("-results.md") && !page.ends_with("index.md")
    });
    let mut silent = Vec::new();
    for (page, text) in scenes {
        for row in text.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let (Some(key), Some(what), Some(meaning)) =
                (cells.first(), cells.get(1), cells.last())
            else {
                continue;
            };
            let key = key.trim_matches('`');
            let number = what.to_lowercase().contains("number");
            let told =
                RANGE.iter().any(|w| meaning.contains(w)) || what.contains(['≥', '>', '≤', '<']);
            if number && !told && !FREE.contains(&key) && !COUNTS.contains(&key) {
                silent.push(format!("{page}: {row}"));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
