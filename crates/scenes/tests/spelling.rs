//! One spelling of keys and kinds.

use klast_scenes::kinds::KINDS;
use serde_json::Value;

/// Every key of every kind follows the one spelling: snake_case, a tag called `kind`, units without "per" where they
/// are those of velocity, acceleration or density.
#[test]
fn every_key_and_every_kind_is_spelled_one_way() {
    let mut keys = Vec::new();
    for kind in KINDS {
        keys.push(kind.name.to_owned());
        collect(&kind.schema(), &mut keys);
        collect(&Value::from((kind.results)()), &mut keys);
    }
    // One key is spelled as editors look for it.
    for key in keys.into_iter().filter(|key| key != "$schema") {
        let snake = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(key.chars().all(snake), "{key}");
        for old in [
            "_m_per_s",
            "_m_per_s2",
            "_rad_per_s",
            "_rad_per_s2",
            "_kg_per_m3",
        ] {
            assert!(!key.ends_with(old), "{key}");
        }
        // As a word of its own: `jumps` is none of speeds.
        assert!(!key.split('_').any(|word| word == "mps"), "{key}");
        assert!(!["type", "model", "law"].contains(&key.as_str()), "{key}");
    }
}

fn collect(schema: &Value, keys: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            if let Some(properties) = map.get("properties").and_then(Value::as_object) {
                keys.extend(properties.keys().cloned());
            }
            map.values().for_each(|v| collect(v, keys));
        }
        Value::Array(list) => list.iter().for_each(|v| collect(v, keys)),
        _ => {}
    }
}
