//! Old spellings of kinds, keys and values, and the present ones.
//!
//! They are changed in the text, so that errors keep their line and their key; each is told in a warning.

use crate::spans::{blank, members};
use crate::title_block;

/// Kinds.
const KINDS: [(&str, &str); 7] = [
    ("rocking-map", "rocking_map"),
    ("rocking-fit", "rocking_fit"),
    ("rocking-spectrum", "rocking_spectrum"),
    ("rocking-fragility", "rocking_fragility"),
    ("stack-map", "stack_map"),
    ("stack-scale", "stack_scale"),
    ("assembly-sweep", "assembly_sweep"),
];

/// Units at the end of any key.
const UNITS: [(&str, &str); 5] = [
    ("_m_per_s2", "_m_s2"),
    ("_m_per_s", "_m_s"),
    ("_rad_per_s2", "_rad_s2"),
    ("_rad_per_s", "_rad_s"),
    ("_kg_per_m3", "_kg_m3"),
];

/// A key in objects of one place.
struct Rename {
    /// What the name of the kind begins with.
    kinds: &'static str,
    /// The key of the object that holds it; empty for the scene itself.
    within: &'static str,
    old: &'static str,
    new: &'static str,
}

const fn key(
    kinds: &'static str,
    within: &'static str,
    old: &'static str,
    new: &'static str,
) -> Rename {
    Rename {
        kinds,
        within,
        old,
        new,
    }
}

/// Keys in objects of one place.
const KEYS: [Rename; 21] = [
    key("rocking", "block", "shape", "kind"),
    key("rocking", "restitution", "model", "kind"),
    key("assess", "block", "shape", "kind"),
    key("assess", "restitution", "model", "kind"),
    key("stack", "restitution", "law", "kind"),
    key("stack", "base_restitution", "law", "kind"),
    key("stack", "engine", "type", "kind"),
    key("bodies", "shape", "type", "kind"),
    key("bodies", "shapes", "type", "kind"),
    key("bodies", "moved_by", "type", "kind"),
    key("bodies", "effort", "type", "kind"),
    key(
        "bodies",
        "solver",
        "bounce_above_m_per_s",
        "restitution_threshold_m_s",
    ),
    key("bodies", "solver", "recovery", "overlap_correction"),
    key("rockfall", "materials", "friction_coefficient", "friction"),
    key("rockfall", "", "second_heat_rocks", "refinement_rocks"),
    key("rockfall", "", "kept_shares", "retained_fractions"),
    key("rockfall", "", "least_runout_m", "minimum_runout_m"),
    key("rockfill", "shot", "longest_ms", "maximum_time_ms"),
    key("assembly", "", "longest_period", "maximum_period"),
    key("", "*", "g_m_per_s2", "gravity_m_s2"),
    key("", "*", "g_m_s2", "gravity_m_s2"),
];

/// A key of a scene that is still read and has no single key in its place.
const REPLACED: [(&str, &str, &str); 1] = [(
    "rockfall",
    "gates",
    "barriers' (with height_m and capacity_kj) and 'collectors",
)];

/// Values by the key that they stand under.
const VALUES: [(&str, &str, &str); 4] = [
    ("quantity", "amplitude_m_per_s2", "amplitude_m_s2"),
    ("unit", "m_per_s2", "m_s2"),
    ("unit", "cm_per_s2", "cm_s2"),
    ("unit", "mm_per_s2", "mm_s2"),
];

/// Whether a key of the scene itself is one that every kind has.
fn is_of_header(key: &str) -> bool {
    ["schema", "kind", "$schema"].contains(&key)
        || title_block::KEYS.iter().any(|(k, ..)| *k == key)
}

/// A text in present spellings.
pub struct Present {
    /// The kind.
    pub kind: String,
    /// The text, line by line where it was, without the header.
    pub body: String,
    /// What was changed.
    pub warnings: Vec<String>,
}

/// The text of a scene of a kind in present spellings, without the keys that every kind has.
pub fn present(kind: &str, text: &str) -> Present {
    let found = members(text);
    let mut warnings: Vec<String> = Vec::new();
    let mut warn = |at: usize, place: &str, old: &str, new: &str| {
        let same = format!("{place}'{old}' is an old spelling; write '{new}'");
        // Once a place: the items of a list repeat their keys.
        if !warnings.iter().any(|w| w.ends_with(&same)) {
            let line = 1 + text.as_bytes()[..at]
                .iter()
                .filter(|b| **b == b'\n')
                .count();
            warnings.push(format!("line {line}, {same}"));
        }
    };
    let present = KINDS.iter().find(|(old, _)| *old == kind);
    let name = present.map_or(kind, |(_, new)| new);
    let mut body = text.as_bytes().to_vec();
    let mut edits = Vec::new();
    for member in &found {
        if member.parents.is_empty() && is_of_header(&member.name) {
            if member.name == "kind" && name != kind {
                warn(member.key.start, "kind: ", kind, name);
            }
            blank(&mut body, member);
            continue;
        }
        let parents: Vec<&str> = member
            .parents
            .iter()
            .filter_map(|&k| found.get(k))
            .map(|m| m.name.as_str())
            .collect();
        if let Some(new) = new_key(name, &parents, &member.name) {
            let place: String = parents.iter().map(|p| format!("{p}.")).collect();
            let place = match place.trim_end_matches('.') {
                "" => String::new(),
                place => format!("{place}: "),
            };
            warn(member.key.start, &place, &member.name, &new);
            edits.push((member.key.clone(), new));
        }
        let replaced = REPLACED
            .iter()
            .find(|(kind, old, _)| parents.is_empty() && *kind == name && *old == member.name);
        if let Some((_, old, new)) = replaced {
            warn(member.key.start, "", old, new);
        }
        let value = text.get(member.value.clone()).unwrap_or_default();
        let old = value.trim_matches('"');
        let new = VALUES
            .iter()
            .find(|(key, from, _)| *key == member.name && *from == old);
        if let Some((key, _, new)) = new {
            warn(member.value.start, &format!("{key}: "), old, new);
            edits.push((member.value.clone(), format!("\"{new}\"")));
        }
    }
    // From the end, so that what stands before keeps its place.
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    for (range, new) in edits {
        body.splice(range, new.into_bytes());
    }
    Present {
        kind: name.to_owned(),
        body: String::from_utf8_lossy(&body).into_owned(),
        warnings,
    }
}

/// The present spelling of a key, if it is an old one.
fn new_key(kind: &str, parents: &[&str], name: &str) -> Option<String> {
    let within = parents.last().copied().unwrap_or_default();
    let rule = KEYS.iter().find(|r| {
        r.old == name && kind.starts_with(r.kinds) && (r.within == "*" || r.within == within)
    });
    if let Some(rule) = rule {
        return Some(rule.new.to_owned());
    }
    // The names of materials are the user's.
    if kind == "bodies" && within == "materials" {
        return None;
    }
    UNITS.iter().find_map(|(old, new)| {
        let stem = name.strip_suffix(old)?;
        Some(format!("{stem}{new}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn body(kind: &str, text: &str) -> Value {
        serde_json::from_str(&present(kind, text).body).unwrap()
    }

    #[test]
    fn the_header_goes_and_the_lines_stay() {
        for text in [
            "{\"schema\": 1,\n\"kind\": \"rocking\",\n\"a\": 1}",
            "{\"a\": 1,\n\"schema\": 1,\n\"kind\": \"rocking\"}",
            "{\"kind\": \"rocking\",\n\"a\": 1,\n\"schema\" : 1 }",
        ] {
            let present = present("rocking", text);
            assert_eq!(
                serde_json::from_str::<Value>(&present.body).unwrap(),
                json!({"a": 1})
            );
            assert_eq!(present.body.lines().count(), 3);
            assert!(present.warnings.is_empty());
        }
        assert_eq!(body("x", "{\"schema\":1,\"kind\":\"x\"}"), json!({}));
    }

    #[test]
    fn every_old_kind_is_read_with_a_warning() {
        for (old, new) in KINDS {
            let text = format!("{{\"schema\": 1, \"kind\": \"{old}\"}}");
            let present = present(old, &text);
            assert_eq!(present.kind, new);
            let warning = format!("line 1, kind: '{old}' is an old spelling; write '{new}'");
            assert_eq!(present.warnings, [warning]);
        }
    }

    #[test]
    fn every_old_key_is_read_with_a_warning() {
        for rule in KEYS {
            let kind = match rule.kinds {
                "" => "rocking",
                kind => kind,
            };
            let within = match rule.within {
                "*" => "horizontal",
                within => within,
            };
            let inner = |key: &str| match within {
                "" => json!({key: 1}),
                within => json!({within: [{key: 1}, {key: 1}]}),
            };
            let present = present(kind, &inner(rule.old).to_string());
            let read: Value = serde_json::from_str(&present.body).unwrap();
            assert_eq!(read, inner(rule.new), "{}", rule.old);
            assert_eq!(present.warnings.len(), 1, "{:?}", present.warnings);
            assert!(present.warnings[0].contains(rule.old));
            assert!(present.warnings[0].ends_with(&format!("write '{}'", rule.new)));
        }
        for (old, new) in UNITS {
            let text = json!({"a": {format!("x{old}"): 1}}).to_string();
            assert_eq!(body("rocking", &text), json!({"a": {format!("x{new}"): 1}}));
        }
        for (key, old, new) in VALUES {
            let text = json!({"a": {key: old}}).to_string();
            assert_eq!(body("rocking", &text), json!({"a": {key: new}}));
        }
    }

    #[test]
    fn a_list_that_became_two_is_warned_of_and_left() {
        for (kind, old, new) in REPLACED {
            let text = json!({old: []}).to_string();
            let present = present(kind, &text);
            assert_eq!(present.body, text);
            let warning = format!("line 1, '{old}' is an old spelling; write '{new}'");
            assert_eq!(present.warnings, [warning]);
        }
    }

    #[test]
    fn names_of_the_user_are_left_alone() {
        let text = json!({"materials": {"x_m_per_s": {"density_kg_per_m3": 1}}}).to_string();
        let expected = json!({"materials": {"x_m_per_s": {"density_kg_m3": 1}}});
        assert_eq!(body("bodies", &text), expected);
    }

    #[test]
    fn an_old_key_beside_the_present_one_is_there_twice() {
        let text = "{\"duration_s\": 1, \"v_m_per_s\": 1, \"v_m_s\": 2}";
        assert_eq!(present("rocking", text).body.matches("v_m_s\"").count(), 2);
    }
}
