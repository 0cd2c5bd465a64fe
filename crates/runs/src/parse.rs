//! JSON as the type of a scene: everything that is wrong with its shape, each with its path.

mod shape;
mod syntax;
mod words;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::faults::{Fault, Faults};
use crate::spans::locate;

/// A text as a value.
///
/// # Errors
/// [`Faults`]: why it is no JSON, or the key that an object has twice, of which a map would keep the last value and say
/// nothing.
pub fn value(text: &str) -> Result<Value, Faults> {
    let one = |fault| Err(Faults::of(vec![fault], text));
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = serde::Deserialize::deserialize(&mut reader);
    let value: Value = match read {
        Ok(value) => value,
        Err(error) => return one(syntax::fault(&error, text)),
    };
    if let Err(error) = reader.end() {
        return one(syntax::fault(&error, text));
    }
    match klast_files::json::keys_once(text) {
        Ok(()) => Ok(value),
        Err(twice) => {
            let mut fault = Fault::new("", format!("`{}` is there twice", twice.key));
            (fault.line, fault.column) = (twice.line, twice.column);
            one(fault)
        }
    }
}

/// A value as a type, with what of the value had to be mended for that: keys that the type does not know, numbers that
/// are none; `text` is where it stands.
///
/// # Errors
/// [`Faults`]: everything that is wrong with its shape; of what the schema of the type does not know, the first.
pub fn parse<T: DeserializeOwned + JsonSchema>(
    value: &Value,
    text: &str,
) -> Result<(T, Vec<Fault>), Faults> {
    let error = match serde_path_to_error::deserialize(value) {
        Ok(read) => return Ok((read, Vec::new())),
        Err(error) => error,
    };
    let mut found = shape::faults(&schemars::schema_for!(T).into(), value);
    if found.is_empty() {
        let path = error.path().to_string();
        let path = path.trim_end_matches(['?', '.']).to_owned();
        found.push(Fault::new(path, error.into_inner()));
    } else {
        // What can be mended hides nothing else that is wrong.
        let mut known = value.clone();
        for fault in &found {
            fault.mend_in(&mut known);
        }
        // The same reader as above: a second one of every type would be a tenth of the build.
        if let Ok(read) = serde_path_to_error::deserialize(&known) {
            return Ok((read, found));
        }
    }
    for fault in found.iter_mut().filter(|fault| fault.path.is_empty()) {
        fault.span = locate(text, &[]);
    }
    Err(Faults::of(found, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::SceneText;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Toy {
        height_m: f64,
    }

    fn error<T: JsonSchema + DeserializeOwned>(text: &str) -> crate::Error {
        match SceneText::new("s.json", ".".into(), text.to_owned()) {
            Ok(scene) => {
                let read = scene.parse::<T>().map(|_| ()).map_err(Into::into);
                scene.checked(read).unwrap_err().into()
            }
            Err(error) => error,
        }
    }

    /// What is wrong with a text.
    fn refused<T: JsonSchema + DeserializeOwned>(text: &str) -> Vec<Fault> {
        error::<T>(text).faults().unwrap().list.clone()
    }

    fn places(faults: &[Fault]) -> Vec<(usize, &str)> {
        faults.iter().map(|f| (f.line, f.path.as_str())).collect()
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Place {
        point: [f64; 2],
    }

    /// A point with a height, where one in plan is needed.
    #[test]
    fn a_list_that_is_too_long_is_no_text_behind_the_scene() {
        let text = "{\"schema\": 1, \"kind\": \"toy\", \"point\": [1, 2, 3]}";
        assert_eq!(places(&refused::<Place>(text)), [(1, "point")]);
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its keys matter")]
    struct Forms {
        plain: Outside,
        tagged: Inside,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[expect(dead_code, reason = "only its names matter")]
    enum Outside {
        Slope { angle_deg: f64 },
        Mesh { file: String },
    }

    #[derive(Debug, Deserialize, JsonSchema)]
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
            refused::<Forms>(&text)
        };
        let good = "{\"slope\": {\"angle_deg\": 1}}";
        let accepted = |faults: &[Fault]| faults[0].accepted.clone();
        for plain in ["{}", "3", "[]", "null", "{\"\": {}}"] {
            let found = said(plain, "{}");
            assert_eq!(places(&found)[0], (2, "plain"), "{plain}");
            assert_eq!(accepted(&found).as_deref(), Some("slope, mesh"), "{plain}");
        }
        let found = said(good, "{}");
        assert_eq!(places(&found), [(3, "tagged")]);
        assert_eq!(accepted(&found).as_deref(), Some("no_slip, contact"));
        let found = said("\"slop\"", "{\"type\": \"no_slip\", \"tolerance\": 1}");
        assert_eq!(accepted(&found).as_deref(), Some("slope, mesh"));
        assert!(found[0].hint.is_some());
        // A form that lacks a number has no other forms to tell.
        let found = said(good, "{\"type\": \"contact\"}");
        assert_eq!(
            (places(&found), accepted(&found)),
            (vec![(3, "tagged")], None)
        );
        let found = said(
            "{\"slope\": {\"angle_deg\": \"1\"}}",
            "{\"type\": \"contact\"}",
        );
        assert!(found.iter().all(|fault| fault.accepted.is_none()));
    }

    #[test]
    fn all_keys_that_are_not_known_are_told_at_once() {
        let found = refused::<Toy>(
            "{\"schema\": 1, \"kind\": \"toy\",\n\"heigth_m\": 2,\n\"colour\": [1, {\"a\": 2}],\n\"height_m\": \"2\"}",
        );
        let expected = [(2, "heigth_m"), (3, "colour"), (4, "height_m")];
        assert_eq!(places(&found), expected);
        let is_key: Vec<bool> = found.iter().map(|fault| fault.is_key).collect();
        assert_eq!(is_key, [true, true, false]);
        // A key that is missing because it is misspelled is told once.
        let found = refused::<Toy>("{\"schema\": 1, \"kind\": \"toy\", \"heigth_m\": 2}");
        assert_eq!(places(&found), [(1, "heigth_m")]);
        let found = refused::<Toy>("{\"schema\": 1, \"kind\": \"toy\"}");
        assert_eq!(found.len(), 1);
    }

    /// The sentence of each kind of fault: of a key that is not known, a value of another type, a version, a text that
    /// is no object, and one that ends.
    #[test]
    fn errors_name_line_key_cause_and_hint() {
        for (text, said) in [
            (
                "{\"schema\": 1, \"kind\": \"toy\", \"height_m\": 1,\n\"heigth_m\": 2}",
                "nearest known: `height_m`",
            ),
            (
                "{\"schema\": 1, \"kind\": \"toy\",\n\n\"height_m\": \"2\"}",
                "line 3, height_m: \"2\" is a text",
            ),
            (
                "{\"schema\": 2, \"kind\": \"toy\"}",
                "schema 2; accepted: 1",
            ),
            ("[]", "line 1"),
            ("", "ends too early"),
        ] {
            let found = format!("{:#}", error::<Toy>(text));
            assert!(found.contains(said), "{found}");
        }
    }
}
