//! What a kind of scene is.

use crate::error::Result;
use serde_json::{Value, json};

use crate::job::Job;
use crate::text::SceneText;
use crate::title_block;

/// One kind of scene.
///
/// A kind without the limits of its model does not compile:
///
/// ```compile_fail,E0063
/// # use klast_runs::kind::Kind;
/// # fn like(known: Kind) -> Kind {
/// Kind {
///     name: "new",
///     summary: known.summary,
///     example: known.example,
///     files: known.files,
///     scene: known.scene,
///     results: known.results,
///     prepare: known.prepare,
/// }
/// # }
/// ```
pub struct Kind {
    /// The value of the scene's `kind`.
    pub name: &'static str,
    /// One line for the list of kinds.
    pub summary: &'static str,
    /// A runnable example.
    pub example: &'static str,
    /// The files that the example names: name, bytes.
    pub files: &'static [(&'static str, &'static [u8])],
    /// What its model leaves out: every report and reference page repeats it.
    pub limits: &'static [&'static str],
    /// The JSON Schema of the scene's type, without the header that all kinds share.
    pub scene: fn() -> schemars::Schema,
    /// The JSON Schema of the results.
    pub results: fn() -> schemars::Schema,
    /// Reads and validates; reads every file that the scene names.
    pub prepare: fn(&SceneText) -> Result<Box<dyn Job>>,
}

impl Kind {
    /// The JSON Schema of the results, with the answer that `result.json` begins with.
    #[must_use]
    pub fn results_schema(&self) -> Value {
        let mut schema = Value::from((self.results)());
        let mut answer = Value::from(schemars::schema_for!(crate::answer::Answer));
        let parts = answer.as_object_mut().and_then(|a| a.remove("$defs"));
        if let Some(parts) = parts.as_ref().and_then(Value::as_object) {
            for (name, part) in parts {
                schema["$defs"][name] = part.clone();
            }
        }
        schema["$defs"]["Summary"]["properties"]["answer"] = answer;
        schema
    }

    /// The JSON Schema of a whole scene file.
    #[must_use]
    pub fn schema(&self) -> Value {
        let mut schema = Value::from((self.scene)());
        schema["properties"]["schema"] = json!({
            "description": "Version of the format: 1.",
            "const": 1,
        });
        schema["properties"]["kind"] = json!({
            "description": format!("`{}`.", self.name),
            "const": self.name,
        });
        for (key, _, description) in title_block::KEYS {
            schema["properties"][key] = json!({ "description": description, "type": "string" });
        }
        schema["properties"]["$schema"] = json!({
            "description": "Path of the JSON Schema file of this kind, which editors read; the program does not read it.",
            "type": "string",
        });
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let header = ["schema", "kind"].map(Value::from);
        schema["required"] = header.into_iter().chain(required).collect();
        schema
    }
}
