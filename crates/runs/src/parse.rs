//! JSON as the type of a scene: all causes, one place and one hint each.

mod repair;
mod words;

use words::{MOST_ERRORS, cause, hint, told};

use anyhow::Result;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::plain_words::plain;
use crate::problems::{Problem, Problems};
use crate::spans::{blank, members};

type Fault = serde_path_to_error::Error<serde_json::Error>;

/// A text as a type.
///
/// # Errors
/// [`Problems`]: everything that is wrong with its shape, each with key path, line, the cause, and the nearest known
/// key.
pub fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    let mut told: Vec<Problem> = Vec::new();
    let mut known = text.to_owned();
    loop {
        let (problem, unknown, syntax) = match once::<T>(&known) {
            Ok(value) if told.is_empty() => return Ok(value),
            Ok(_) => break,
            Err(found) => *found,
        };
        // Without the key that is not known, the next fault shows.
        let rest = unknown.and_then(|(key, line)| without(&known, &key, line));
        match rest {
            Some(rest) if told.len() < MOST_ERRORS => {
                told.push(problem);
                known = rest;
            }
            _ if syntax => {
                told.push(problem);
                break;
            }
            _ => {
                repair::faults::<T>(&known, problem, &mut told);
                break;
            }
        }
    }
    Err(Problems::new(told, text).into())
}

/// Refuses a key that an object has twice, of which a map would keep the last value and say nothing. Of a type with
/// keys of its own [`parse`] tells the place better, and comes first.
///
/// # Errors
/// [`Problems`]: the key, with the line of the second.
pub fn keys_once(text: &str) -> Result<()> {
    let Err(error) = klast_files::json::keys_once(text) else {
        return Ok(());
    };
    let message = error.to_string();
    let cause = cause(&message);
    let mut problem = Problem::at_line(error.line(), "", plain(cause));
    problem.column = error.column();
    problem.key = unknown_key(cause);
    Err(Problems::new(vec![problem], text).into())
}

/// A fault, the key with its line if it is one that is not known, and whether the text is no JSON.
type FirstFault = Box<(Problem, Option<(String, usize)>, bool)>;

/// The first fault, and the key with its line if it is one that is not known.
fn once<T: DeserializeOwned>(text: &str) -> Result<T, FirstFault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value: T = serde_path_to_error::deserialize(&mut reader).map_err(|e| {
        let (message, line) = (e.inner().to_string(), e.inner().line());
        let unknown = message
            .strip_prefix("unknown field `")
            .and_then(|rest| Some((rest.split_once('`')?.0.to_owned(), line)));
        let syntax = e.inner().is_syntax() || e.inner().is_eof();
        Box::new((explain(&e, text, variants::<T>(&e, text)), unknown, syntax))
    })?;
    reader.end().map_err(|e| {
        let problem = Problem::at_line(e.line(), "", "text after the end of the scene".to_owned());
        Box::new((problem, None, true))
    })?;
    Ok(value)
}

/// The text without the last member of a name up to a line; its other members keep their places.
fn without(text: &str, key: &str, line: usize) -> Option<String> {
    let line_of = |at: usize| {
        1 + text.as_bytes()[..at]
            .iter()
            .filter(|b| **b == b'\n')
            .count()
    };
    let found = members(text)
        .into_iter()
        .rfind(|m| m.name == key && line_of(m.key.start) <= line)?;
    let mut bytes = text.as_bytes().to_vec();
    blank(&mut bytes, &found);
    String::from_utf8(bytes).ok()
}

/// "line 4, barriers[0].height: unknown key `height`; nearest known: `height_m`".
fn explain(error: &Fault, text: &str, variants: Option<String>) -> Problem {
    let inner = error.inner();
    let message = inner.to_string();
    let cause = cause(&message);
    let mut path = error.path().to_string();
    // The reader's sign for a place that it does not know.
    for unknown in ["?", "."] {
        path.truncate(path.trim_end_matches(unknown).len());
    }
    path.push_str(&lost_key(error.path(), cause, text).unwrap_or_default());
    let hint = match variants {
        Some(variants) => Some(format!("; accepted: {variants}")),
        None if inner.is_syntax() => before(inner, text),
        None => hint(cause),
    };
    // An object { } without a key where a form has to be named is valid JSON, whatever the reader calls it.
    let nameless =
        cause == "expected value" && hint.as_ref().is_some_and(|h| h.starts_with("; accepted"));
    // A list that goes on where a value of fixed length ends: what follows the whole text is told by `once`.
    let longer = cause == "trailing characters" && !path.is_empty();
    let plain = match (nameless, longer) {
        (true, _) => "a name or an object with one of the names as its key is needed".to_owned(),
        (_, true) => "a list with more values than are accepted here".to_owned(),
        _ => plain(cause),
    };
    let said = plain + &hint.unwrap_or_default();
    let mut problem = Problem::at_line(inner.line(), path.trim_start_matches('.'), said);
    problem.column = inner.column();
    if inner.is_syntax() || inner.is_eof() {
        // The reader stopped there; the key that it was in began elsewhere.
        problem.span = problem.byte(text);
    }
    problem.key = unknown_key(cause);
    problem
}

/// The key of a cause that begins with it.
fn unknown_key(cause: &str) -> Option<String> {
    let named = ["unknown field `", "duplicate field `"];
    let rest = named.iter().find_map(|start| cause.strip_prefix(start))?;
    Some(rest.split_once('`')?.0.to_owned())
}

/// The JSON pointer to a place; none within a form of a value, which has no key of its own.
fn pointer(path: &serde_path_to_error::Path) -> Option<String> {
    let segments = path.iter().map(|segment| match segment {
        Segment::Seq { index } => Some(format!("/{index}")),
        Segment::Map { key } => Some(format!("/{}", key.replace('~', "~0").replace('/', "~1"))),
        _ => None,
    });
    segments.collect()
}

/// The forms that a value with none of them can have: `one of `raster`, `mesh``. serde tells them only to who names a
/// form that there is not, so that the scene is read again with the empty name there.
fn variants<T: DeserializeOwned>(error: &Fault, text: &str) -> Option<String> {
    let message = error.inner().to_string();
    if message.starts_with("unknown ") {
        return None; // tells them itself
    }
    let mut scene: Value = serde_json::from_str(text).ok()?;
    let value = scene.pointer_mut(&pointer(error.path())?)?;
    match cause(&message).strip_prefix("missing field `") {
        Some(key) => {
            let key = key.strip_suffix('`')?.to_owned();
            value.as_object_mut()?.insert(key, Value::from(""));
        }
        None => *value = Value::from(""),
    }
    let again = serde_path_to_error::deserialize::<_, T>(scene).err()?;
    let (there, here) = (again.path().to_string(), error.path().to_string());
    let message = again.inner().to_string();
    let forms = message.strip_prefix("unknown variant ``, expected ")?;
    let names: Vec<&str> = forms.split('`').skip(1).step_by(2).collect();
    (here == "." || there.starts_with(&here)).then(|| names.join(", "))
}

/// What stands at a place where the text is no JSON, with the key before it: `; found "height_m": NaN`.
fn before(error: &serde_json::Error, text: &str) -> Option<String> {
    const SHOWN: usize = 40;
    let line = text.lines().nth(error.line().checked_sub(1)?)?;
    let (head, rest) = line.split_at_checked(error.column())?;
    let rest = rest.split([',', ']', '}', ' ', '\t']).next()?;
    let found: Vec<char> = head.trim_start().chars().chain(rest.chars()).collect();
    let from = found.len().saturating_sub(SHOWN);
    let found: String = found.iter().skip(from).collect();
    Some(format!("; found {found}"))
}

/// The key of a value that cannot be, below the path of its error: where a key chooses the form of
/// an object, serde reads the object first and forgets where its values stood. None where more
/// than one value is like it.
fn lost_key(path: &serde_path_to_error::Path, cause: &str, text: &str) -> Option<String> {
    let found = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|start| cause.strip_prefix(start))?;
    let like = |value: &Value| {
        found
            .strip_prefix(&told(value))
            .is_some_and(|rest| rest.starts_with(", expected"))
    };
    let whole: Value = serde_json::from_str(text).ok()?;
    let value = whole.pointer(&pointer(path)?)?;
    let mut open = vec![(String::new(), value)];
    let mut places = Vec::new();
    while let Some((place, value)) = open.pop() {
        if like(value) {
            places.push(place.clone());
        }
        match value {
            Value::Object(map) => open.extend(map.iter().map(|(k, v)| (format!("{place}.{k}"), v))),
            Value::Array(list) => {
                open.extend(
                    list.iter()
                        .enumerate()
                        .map(|(k, v)| (format!("{place}[{k}]"), v)),
                );
            }
            _ => {}
        }
    }
    // An exact path stands at the value itself.
    match &places[..] {
        [one] => Some(one.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::text::SceneText;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Toy {
        height_m: f64,
    }

    fn toy(text: &str) -> String {
        let scene = SceneText::new("s.json", ".".into(), text.to_owned());
        format!("{:#}", scene.and_then(|s| s.parse::<Toy>()).unwrap_err())
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Place {
        point: [f64; 2],
    }

    /// A point with a height, where one in plan is needed.
    #[test]
    fn a_list_that_is_too_long_is_no_text_behind_the_scene() {
        let text = "{\"schema\": 1, \"kind\": \"toy\", \"point\": [1, 2, 3]}";
        let scene = SceneText::new("s.json", ".".into(), text.to_owned()).unwrap();
        let said = format!("{:#}", scene.parse::<Place>().unwrap_err());
        assert!(
            said.contains("point: a list with more values than are accepted here"),
            "{said}"
        );
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Forms {
        plain: Outside,
        tagged: Inside,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its names matter")]
    enum Outside {
        Slope { angle_deg: f64 },
        Mesh { file: String },
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its names matter")]
    enum Inside {
        NoSlip { tolerance: f64 },
        Contact { step_s: f64 },
    }

    #[test]
    fn a_value_of_no_form_is_told_all_of_them() {
        let said = |plain: &str, tagged: &str| {
            let text = format!(
                "{{\"schema\": 1, \"kind\": \"toy\",\n\"plain\": {plain},\n\"tagged\": {tagged}}}"
            );
            let scene = SceneText::new("s.json", ".".into(), text);
            format!("{:#}", scene.and_then(|s| s.parse::<Forms>()).unwrap_err())
        };
        let good = "{\"slope\": {\"angle_deg\": 1}}";
        for plain in ["{}", "3", "[]", "null", "{\"\": {}}"] {
            let text = said(plain, "{}");
            assert!(
                text.starts_with("s.json: line 2, plain: "),
                "{plain}: {text}"
            );
            assert!(text.contains("accepted: slope, mesh"), "{plain}: {text}");
        }
        let text = said(good, "{}");
        assert!(
            text.starts_with("s.json: line 3, tagged: `type` is missing"),
            "{text}"
        );
        assert!(text.ends_with("; accepted: no_slip, contact"), "{text}");
        let text = said("\"slop\"", "{}");
        assert!(
            text.ends_with("slope, mesh; nearest known: `slope`"),
            "{text}"
        );
        // A form that lacks a number has no other forms to tell.
        let text = said(good, "{\"type\": \"contact\"}");
        assert!(text.ends_with("`step_s` is missing"), "{text}");
        let text = said("{\"slope\": {\"angle_deg\": \"1\"}}", "{}");
        assert!(!text.contains("accepted"), "{text}");
    }

    #[test]
    fn all_keys_that_are_not_known_are_told_at_once() {
        let said = toy(
            "{\"schema\": 1, \"kind\": \"toy\",\n\"heigth_m\": 2,\n\"colour\": [1, {\"a\": 2}],\n\"height_m\": \"2\"}",
        );
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 3, "{said}");
        assert!(
            lines[0].contains("line 2") && lines[0].contains("`heigth_m`"),
            "{said}"
        );
        assert!(
            lines[1].contains("line 3") && lines[1].contains("`colour`"),
            "{said}"
        );
        assert!(
            lines[2].starts_with("line 4, height_m: \"2\" is a text; a number is needed"),
            "{said}"
        );
        // A key that is missing because it is misspelled is told once.
        let said = toy("{\"schema\": 1, \"kind\": \"toy\", \"heigth_m\": 2}");
        assert_eq!(said.lines().count(), 1, "{said}");
        let said = toy("{\"schema\": 1, \"kind\": \"toy\"}");
        assert!(said.ends_with("`height_m` is missing"), "{said}");
    }

    #[test]
    fn errors_name_line_key_cause_and_hint() {
        let unknown = toy("{\"schema\": 1, \"kind\": \"toy\", \"height_m\": 1,\n\"heigth_m\": 2}");
        assert!(unknown.starts_with("s.json: line 2"), "{unknown}");
        assert!(unknown.ends_with("nearest known: `height_m`"), "{unknown}");
        let text = toy("{\"schema\": 1, \"kind\": \"toy\",\n\n\"height_m\": \"2\"}");
        assert!(text.contains("line 3, height_m: \"2\" is a text"), "{text}");
        assert!(toy("{\"schema\": 2, \"kind\": \"toy\"}").contains("schema 2; accepted: 1"));
        assert!(toy("[]").contains("line 1"));
        assert!(toy("").contains("ends too early"));
    }
}
