//! A value, and what a schema wants, in words.

use serde_json::Value;

/// The name of a value's type in a schema.
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value as it was found.
pub fn found(value: &Value) -> String {
    match value {
        Value::Null => "null is no value".to_owned(),
        Value::Bool(yes) => format!("{yes} is a yes or no"),
        Value::Number(n) => match n.as_f64().filter(|_| n.is_f64()) {
            Some(x) if x.fract() == 0.0 => format!("{n} is not written as a whole number"),
            Some(_) => format!("{n} is a number with a fraction"),
            None => format!("{n} is a number"),
        },
        Value::String(text) => format!("{text:?} is a text"),
        Value::Array(_) => "a list [ ] stands here".to_owned(),
        Value::Object(_) => "an object { } stands here".to_owned(),
    }
}

/// What a schema wants.
pub fn wanted(schema: &Value) -> String {
    let types = match &schema["type"] {
        Value::String(one) => Some(one.as_str()),
        types => types.as_array().and_then(|t| t.first()?.as_str()),
    };
    let families = schema["oneOf"].as_array();
    match types {
        Some("number") => "a number".to_owned(),
        Some("integer") => match schema["minimum"].as_u64() {
            Some(least) => format!("a whole number from {least}"),
            None => "a whole number".to_owned(),
        },
        Some("string") => "a text in double quotes".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") => match (
            schema["minItems"].as_u64(),
            schema["items"]["type"].as_str(),
        ) {
            (Some(count), Some("number")) => format!("a list of {count} numbers"),
            (Some(count), _) => format!("a list of {count}"),
            (None, _) => "a list [ ]".to_owned(),
        },
        Some("object") if families.is_some() => {
            let each = families.into_iter().flatten().filter_map(|family| {
                let (key, schema) = family["properties"].as_object()?.iter().next()?;
                Some(format!("`{key}` ({})", wanted(schema)))
            });
            let each: Vec<String> = each.collect();
            format!("an object with one of {}", each.join(", "))
        }
        _ => "an object { } with its keys".to_owned(),
    }
}

/// The names of a choice of forms; none of another schema.
pub fn names<'a>(schema: &'a Value, root: &'a Value) -> Vec<&'a str> {
    let branches = schema["oneOf"].as_array().into_iter().flatten();
    let branches = branches.map(|branch| {
        let name = branch["$ref"].as_str().and_then(|r| r.rsplit('/').next());
        name.map_or(branch, |name| &root["$defs"][name])
    });
    branches
        .filter_map(|branch| {
            let word = branch["const"].as_str();
            word.or_else(|| match branch["properties"].as_object()?.iter().next()? {
                (key, schema) if schema["const"].is_null() => Some(key.as_str()),
                _ => None,
            })
        })
        .collect()
}
