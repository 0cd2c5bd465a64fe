//! Words of errors.

use crate::nearest::nearest;
use serde_json::Value;

/// More errors than this are told by the next attempt.
pub(super) const MOST_ERRORS: usize = 20;

/// The message without its place.
pub(super) fn cause(message: &str) -> &str {
    message
        .rsplit_once(" at line ")
        .map_or(message, |(cause, _)| cause)
}

/// A value in the words of serde's errors.
pub(super) fn told(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(yes) => format!("boolean `{yes}`"),
        Value::Number(n) if n.is_f64() => format!("floating point `{n}`"),
        Value::Number(n) => format!("integer `{n}`"),
        Value::String(s) => format!("string {s:?}"),
        Value::Array(_) => "sequence".to_owned(),
        Value::Object(_) => "map".to_owned(),
    }
}

/// The known name closest to the unknown one, if the message lists them.
pub(super) fn hint(cause: &str) -> Option<String> {
    if !cause.starts_with("unknown ") {
        return None;
    }
    let mut quoted = cause.split('`').skip(1).step_by(2);
    let unknown = quoted.next().filter(|name| !name.is_empty())?;
    let nearest = nearest(unknown, quoted)?;
    Some(format!("; nearest known: `{nearest}`"))
}
