//! What of a value is not of the shape that the JSON Schema of its type describes: all of it, in one pass.
//!
//! The schemas are those that `schemars` makes of our types: objects with closed keys, lists, numbers, words, and
//! choices (`oneOf`) by a word, by the one key of an object, or by a tag.

use serde_json::Value;

use super::words::{found, kind_of, names, wanted};
use crate::faults::{Fault, Mend};
use crate::nearest::nearest;

/// Everything in a value that is not as its schema says.
pub fn faults(schema: &Value, value: &Value) -> Vec<Fault> {
    let mut shape = Shape {
        root: schema,
        faults: Vec::new(),
    };
    shape.check(schema, value, "");
    shape.faults
}

struct Shape<'a> {
    root: &'a Value,
    faults: Vec<Fault>,
}

/// A key below a path.
fn below(path: &str, key: &str) -> String {
    match path {
        "" => key.to_owned(),
        path => format!("{path}.{key}"),
    }
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema[key].as_array().map_or(&[], Vec::as_slice)
}

impl<'a> Shape<'a> {
    fn resolve(&self, schema: &'a Value) -> &'a Value {
        let name = schema["$ref"].as_str().and_then(|r| r.rsplit('/').next());
        name.map_or(schema, |name| &self.root["$defs"][name])
    }

    fn check(&mut self, schema: &'a Value, value: &Value, path: &str) {
        let own = self.resolve(schema);
        if let any @ [_, ..] = list(own, "anyOf") {
            return self.any(any, value, path);
        }
        if own["properties"].is_null()
            && let one @ [_, ..] = list(own, "oneOf")
        {
            return self.one(one, value, path);
        }
        let types = match &own["type"] {
            Value::String(one) => vec![one.as_str()],
            types => types
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect(),
        };
        let kind = kind_of(value);
        let fits = |t: &&str| *t == kind || (*t == "number" && kind == "integer");
        if !types.is_empty() && !types.iter().any(fits) {
            let mut fault =
                Fault::new(path, format!("{}; {} is needed", found(value), wanted(own)));
            fault.mend = number_like(&types, value).map(Mend::Replace);
            return self.faults.push(fault);
        }
        match value {
            Value::Object(_) => self.object(&[own], value, path),
            Value::Array(items) => self.list(own, items, path),
            Value::Number(number) => self.number(own, number, path),
            _ => {}
        }
    }

    /// One of several shapes; null where it may be left out.
    fn any(&mut self, branches: &'a [Value], value: &Value, path: &str) {
        let kind = kind_of(value);
        let branches: Vec<&Value> = branches.iter().map(|b| self.resolve(b)).collect();
        let own = |b: &&&Value| {
            let kind_of_branch = b["type"].as_str().unwrap_or("");
            kind_of_branch == kind || (kind_of_branch == "number" && kind == "integer")
        };
        let mut others = branches.iter().filter(|b| b["type"] != "null");
        match (branches.iter().find(own), others.next(), others.next()) {
            (Some(branch), ..) | (None, Some(branch), None) => self.check(branch, value, path),
            _ => {
                let forms = branches.iter().filter(|b| b["type"] != "null");
                let forms: Vec<String> = forms.map(|b| wanted(b)).collect();
                let fault = Fault::new(path, found(value)).accepted(forms.join(", or "));
                self.faults.push(fault);
            }
        }
    }

    /// One of several forms, told apart by a word, by the one key of an object, or by a tag.
    fn one(&mut self, branches: &'a [Value], value: &Value, path: &str) {
        let branches: Vec<&Value> = branches.iter().map(|b| self.resolve(b)).collect();
        if let Some(tag) = tag(&branches) {
            return self.tagged(&branches, tag, value, path);
        }
        let words: Vec<&str> = branches.iter().flat_map(|b| words(b)).collect();
        let known: Vec<&str> = branches.iter().flat_map(|b| words_and_key(b)).collect();
        let unknown = |name: &str| {
            Fault::new(path, format!("`{name}` is not known"))
                .accepted(known.join(", "))
                .nearest(nearest(name, known.iter().copied()).filter(|_| !name.is_empty()))
        };
        let form = |name: &str| {
            branches
                .iter()
                .find(|b| b["properties"].get(name).is_some())
        };
        let fault = match value {
            Value::String(name) if words.contains(&&**name) => return,
            Value::String(name) if form(name).is_some() => {
                let one = format!(
                    "the name `{name}` stands here alone; an object {{ }} with it as its key is needed"
                );
                Fault::new(path, one)
            }
            Value::String(name) => unknown(name),
            Value::Object(keys) if keys.len() == 1 && known.len() > words.len() => {
                let Some((name, inner)) = keys.iter().next() else {
                    return;
                };
                match form(name) {
                    Some(form) => {
                        return self.check(&form["properties"][name], inner, &below(path, name));
                    }
                    None if words.contains(&&**name) => Fault::new(
                        path,
                        format!("`{name}` has no keys; it stands alone, as \"{name}\""),
                    ),
                    None => unknown(name),
                }
            }
            Value::Object(_) if known.len() > words.len() => {
                let one = "a name or an object with one of the names as its key is needed";
                Fault::new(path, one).accepted(known.join(", "))
            }
            _ => Fault::new(path, found(value)).accepted(known.join(", ")),
        };
        self.faults.push(fault);
    }

    /// One of several objects, told apart by the word under a key.
    fn tagged(&mut self, branches: &[&'a Value], tag: &str, value: &Value, path: &str) {
        let names: Vec<&str> = branches
            .iter()
            .filter_map(|b| b["properties"][tag]["const"].as_str())
            .collect();
        let accepted = names.join(", ");
        let Some(keys) = value.as_object() else {
            let fault = Fault::new(path, found(value));
            return self
                .faults
                .push(fault.accepted(format!("an object {{ }} with `{tag}`: {accepted}")));
        };
        match keys.get(tag) {
            None => {
                let fault = Fault::new(path, format!("`{tag}` is missing")).accepted(accepted);
                self.faults.push(fault);
            }
            Some(Value::String(name)) => {
                let own = names.iter().position(|n| n == name);
                match own.and_then(|k| branches.get(k)) {
                    Some(branch) => self.object(&[branch], value, path),
                    None => {
                        let fault = Fault::new(below(path, tag), format!("`{name}` is not known"));
                        let near = nearest(name, names).filter(|_| !name.is_empty());
                        self.faults.push(fault.accepted(accepted).nearest(near));
                    }
                }
            }
            Some(other) => {
                let fault = Fault::new(below(path, tag), found(other)).accepted(accepted);
                self.faults.push(fault);
            }
        }
    }

    /// The keys of an object, which several schemas may describe together.
    fn object(&mut self, schemas: &[&'a Value], value: &Value, path: &str) {
        let schema = schemas[0];
        let mut parts = vec![schema];
        parts.extend(Some(self.resolve(schema)).filter(|own| !std::ptr::eq(*own, schema)));
        let families: Vec<&Value> = list(schema, "oneOf")
            .iter()
            .map(|b| self.resolve(b))
            .collect();
        let Some(keys) = value.as_object() else {
            return;
        };
        let properties = |part: &&'a Value| part["properties"].as_object();
        let own: Vec<(&str, &Value)> = parts
            .iter()
            .chain(&families)
            .filter_map(properties)
            .flatten()
            .map(|(key, schema)| (key.as_str(), schema))
            .collect();
        let known: Vec<&str> = own.iter().map(|(key, _)| *key).collect();
        let further = &schema["additionalProperties"];
        let required = parts.iter().flat_map(|part| list(part, "required"));
        let missing: Vec<&str> = required
            .filter_map(Value::as_str)
            .filter(|key| !keys.contains_key(*key))
            .collect();
        let mut meant: Vec<&str> = Vec::new();
        for (key, inner) in keys {
            let path_of_key = below(path, key);
            if let Some((_, schema)) = own.iter().find(|(name, _)| name == key) {
                self.check(schema, inner, &path_of_key);
            } else if further.is_object() {
                self.check(further, inner, &path_of_key);
            } else if further == false || !families.is_empty() {
                let near = nearest(key, known.iter().copied());
                meant.extend(near);
                let mut fault = unknown_key(path, key, &known, near);
                if let Some(name) = near.filter(|name| missing.contains(name)) {
                    fault.mend = Some(Mend::Rename(name.to_owned()));
                }
                self.faults.push(fault);
            }
        }
        for key in missing {
            if meant.contains(&key) {
                continue;
            }
            let schema = own.iter().find(|(name, _)| *name == key);
            let names = schema.map_or(Vec::new(), |(_, s)| names(self.resolve(s), self.root));
            let mut fault = Fault::new(path, format!("`{key}` is missing"));
            if !names.is_empty() {
                fault = fault.accepted(names.join(", "));
            }
            self.faults.push(fault);
        }
        let of_family = |family: &&&Value| {
            let required = list(family, "required").iter().filter_map(Value::as_str);
            required.clone().count() > 0 && required.into_iter().all(|key| keys.contains_key(key))
        };
        if !families.is_empty()
            && meant.is_empty()
            && families.iter().filter(of_family).count() != 1
        {
            let fault = Fault::new(path, found(value));
            self.faults.push(fault.accepted(wanted(schema)));
        }
    }

    fn list(&mut self, schema: &'a Value, items: &[Value], path: &str) {
        let bound = |key: &str| schema[key].as_u64().and_then(|n| usize::try_from(n).ok());
        let (least, most) = (bound("minItems"), bound("maxItems"));
        if least.is_some_and(|n| items.len() < n) || most.is_some_and(|n| items.len() > n) {
            let one = format!("{} items; {} is needed", items.len(), wanted(schema));
            return self.faults.push(Fault::new(path, one));
        }
        let places = list(schema, "prefixItems");
        for (k, item) in items.iter().enumerate() {
            let own = places.get(k).unwrap_or(&schema["items"]);
            if own.is_object() {
                self.check(own, item, &format!("{path}[{k}]"));
            }
        }
    }

    fn number(&mut self, schema: &Value, number: &serde_json::Number, path: &str) {
        let value = number.as_f64().unwrap_or(f64::NAN);
        let too_small = schema["minimum"]
            .as_f64()
            .is_some_and(|least| value < least);
        let too_large = match schema["format"].as_str() {
            Some("uint32") => value > f64::from(u32::MAX),
            _ => schema["maximum"].as_f64().is_some_and(|most| value > most),
        };
        if too_small || too_large {
            let more = if too_large { ", not so large," } else { "" };
            let one = format!("{number} is a number; {}{more} is needed", wanted(schema));
            let mut fault = Fault::new(path, one);
            fault.mend = Some(Mend::Replace(1.into()));
            self.faults.push(fault);
        }
    }
}

/// The key that tells the forms apart, if every one of them has a word of its own under it.
fn tag<'a>(branches: &[&'a Value]) -> Option<&'a str> {
    let first = branches.first()?["properties"].as_object()?;
    let tags = first.keys().map(String::as_str);
    let mut tags = tags.filter(|tag| {
        let word = |b: &&Value| b["properties"][*tag]["const"].is_string();
        branches.iter().all(word)
    });
    tags.next()
}

/// The words that a form may be.
fn words(branch: &Value) -> Vec<&str> {
    let several = list(branch, "enum").iter();
    several
        .chain([&branch["const"]])
        .filter_map(Value::as_str)
        .collect()
}

/// The same, and the key of a form that is an object.
fn words_and_key(branch: &Value) -> Vec<&str> {
    let key = list(branch, "required").iter().filter_map(Value::as_str);
    words(branch).into_iter().chain(key).collect()
}

fn unknown_key(path: &str, key: &str, known: &[&str], near: Option<&str>) -> Fault {
    let found = format!("unknown key `{key}`{}", elsewhere(key));
    let mut fault = Fault::new(below(path, key), found);
    fault = match known.is_empty() {
        true => fault.accepted("no keys"),
        false => fault.accepted(known.join(", ")).nearest(near),
    };
    (fault.is_key, fault.mend) = (true, Some(Mend::Remove));
    fault
}

/// A number where one is needed and something else stands: the one in a text, or any.
fn number_like(types: &[&str], value: &Value) -> Option<Value> {
    let (real, whole) = (types.contains(&"number"), types.contains(&"integer"));
    let meant = value.as_str().map_or("", str::trim);
    let meant = meant.parse::<f64>().ok().filter(|n| n.is_finite());
    match (real, whole) {
        (true, _) => Some(meant.unwrap_or(1.0).into()),
        (_, true) => Some(1.into()),
        _ => None,
    }
}

/// Why a key that other kinds of scene have is none of this one.
fn elsewhere(key: &str) -> &'static str {
    match key {
        "restrainers" => {
            ": restrainers hold one block in the plane, in the kinds rocking, rocking_map, rocking_fragility and assess"
        }
        "base" => {
            ": a compliant base is that of one block in the plane, in the kinds rocking, rocking_map, \
             rocking_fragility and assess"
        }
        _ => "",
    }
}
