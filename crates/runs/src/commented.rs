//! An example scene with what its schema says of each key, as `//` lines that the scene reader passes over.

use serde_json::Value;

/// The example with a comment above each line that opens with a key for the first time, and the keys it leaves out at
/// the end.
#[must_use]
pub fn commented(example: &str, schema: &Value) -> String {
    let mut text = String::new();
    let mut path: Vec<&str> = Vec::new();
    let mut told: Vec<Vec<&str>> = Vec::new();
    let mut last = "";
    for line in example.lines() {
        let bare = line.trim();
        let closes = bare.starts_with(['}', ']']);
        if closes {
            path.pop();
        }
        if closes && path.is_empty() {
            left_out(&mut text, example, schema);
        }
        if let Some(key) = key_of(bare) {
            last = key;
            let whole: Vec<&str> = path.iter().copied().chain([key]).collect();
            let indent = &line[..line.len() - line.trim_start().len()];
            if !told.contains(&whole) {
                for sentence in description(schema, &whole).unwrap_or_default().lines() {
                    text.push_str(&format!("{indent}// {sentence}\n"));
                }
                told.push(whole);
            }
        }
        text.push_str(line);
        text.push('\n');
        if bare.ends_with(['{', '[']) {
            // The scene itself and the items of a list have no name.
            path.push(if bare == "{" || bare == "[" { "" } else { last });
        }
    }
    text
}

fn key_of(line: &str) -> Option<&str> {
    let (key, rest) = line.strip_prefix('"')?.split_once('"')?;
    rest.trim_start().starts_with(':').then_some(key)
}

/// Keys of the scene that the example does not have, each with its description.
fn left_out(text: &mut String, example: &str, schema: &Value) {
    let Some(keys) = schema["properties"].as_object() else {
        return;
    };
    for key in keys
        .keys()
        .filter(|k| !example.contains(&format!("\"{k}\"")))
    {
        let told = description(schema, &["", key])
            .unwrap_or_default()
            .replace('\n', " ");
        text.push_str(&format!("  // also \"{key}\": {told}\n"));
    }
}

/// What the schema says of the key at the end of a path; the path begins with the empty name of the scene itself.
fn description(schema: &Value, path: &[&str]) -> Option<String> {
    let mut places = vec![schema];
    let mut found = None;
    for key in path.iter().filter(|k| !k.is_empty()) {
        places = places
            .iter()
            .flat_map(|p| forms(schema, p))
            .filter_map(|p| p["properties"].get(key))
            .collect();
        found = places.iter().find_map(|p| {
            forms(schema, p)
                .into_iter()
                .find_map(|form| form["description"].as_str())
        });
    }
    found.map(str::to_owned)
}

/// A place in the schema, what it refers to, its alternatives and its items.
fn forms<'a>(schema: &'a Value, place: &'a Value) -> Vec<&'a Value> {
    let mut forms = vec![place];
    let mut next = 0;
    while let Some(&form) = forms.get(next) {
        next += 1;
        let reference = form["$ref"]
            .as_str()
            .and_then(|r| schema.pointer(r.trim_start_matches('#')));
        forms.extend(reference);
        for list in ["oneOf", "anyOf", "allOf"] {
            forms.extend(form[list].as_array().into_iter().flatten());
        }
        forms.extend(form.get("items"));
        // Schemas may refer to themselves; nothing real nests as deep as this.
        if forms.len() > 200 {
            break;
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_carry_their_descriptions_and_missing_keys_are_named() {
        let schema = serde_json::json!({
            "properties": {
                "mass_kg": {"description": "Mass."},
                "block": {"$ref": "#/$defs/Block"},
                "friction": {"description": "Friction\ncoefficient."},
            },
            "$defs": {"Block": {"description": "The block.", "oneOf": [{"properties": {"width_m": {"description": "Width."}}}]}},
        });
        let example = "{\n  \"mass_kg\": 1,\n  \"block\": {\n    \"width_m\": 2\n  }\n}\n";
        let expected = "{\n  // Mass.\n  \"mass_kg\": 1,\n  // The block.\n  \"block\": {\n    // Width.\n    \
                        \"width_m\": 2\n  }\n  // also \"friction\": Friction coefficient.\n}\n";
        assert_eq!(commented(example, &schema), expected);
    }

    #[test]
    fn keys_of_items_in_a_list_are_described_once() {
        let schema = serde_json::json!({
            "properties": {"blocks": {"description": "Blocks.", "items": {"$ref": "#/$defs/Block"}}},
            "$defs": {"Block": {"properties": {"width_m": {"description": "Width."}}}},
        });
        let example = "{\n\"blocks\": [\n{\n\"width_m\": 2\n},\n{\n\"width_m\": 3\n}\n]\n}\n";
        let text = commented(example, &schema);
        assert_eq!(text.matches("// Width.").count(), 1, "{text}");
        assert!(text.contains("// Width.\n\"width_m\": 2"), "{text}");
    }
}
