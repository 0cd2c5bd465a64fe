//! What a reader of JSON says, in words that need no knowledge of the reader.

/// A cause in plain words.
#[must_use]
pub fn plain(cause: &str) -> String {
    let quoted = |start: &str| {
        let rest = cause.strip_prefix(start)?;
        rest.split_once('`')
            .map(|(name, rest)| (name.to_owned(), rest.to_owned()))
    };
    if let Some((key, _)) = quoted("missing field `") {
        return format!("`{key}` is missing");
    }
    if let Some((key, rest)) = quoted("unknown field `") {
        return match rest.contains("no fields") {
            true => format!("unknown key `{key}`; no keys are accepted here"),
            false => format!("unknown key `{key}`{}{}", elsewhere(&key), list(&rest)),
        };
    }
    if let Some((name, rest)) = quoted("unknown variant `") {
        return format!("`{name}` is not known{}", list(&rest));
    }
    if let Some((key, _)) = quoted("duplicate field `") {
        return format!("`{key}` is there twice");
    }
    for start in ["invalid type: ", "invalid value: "] {
        if let Some(rest) = cause.strip_prefix(start) {
            let (found, expected) = rest
                .split_once(", expected ")
                .unwrap_or((rest, "something else"));
            return match expected.strip_prefix("accepted: ") {
                Some(accepted) => format!("{}; accepted: {accepted}", value(found)),
                None => format!("{}; {} is needed", value(found), wanted(expected)),
            };
        }
    }
    if let Some(rest) = cause.strip_prefix("invalid length ") {
        let (count, expected) = rest
            .split_once(", expected ")
            .unwrap_or((rest, "another number"));
        return format!("{count} items; {} is needed", wanted(expected));
    }
    syntax(cause)
}

/// Why a key that other kinds of scene have is none of this one.
fn elsewhere(key: &str) -> &'static str {
    match key {
        "restrainers" => {
            ": restrainers hold one block in the plane that does not slip, in the kinds rocking, rocking_fragility and assess"
        }
        "base" => {
            ": a compliant base is that of one block in the plane that does not slip, in the kinds rocking, \
             rocking_fragility and assess"
        }
        _ => "",
    }
}

/// `, expected one of `a`, `b`` as `; accepted: a, b`.
fn list(rest: &str) -> String {
    let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; accepted: {}", names.join(", ")),
    }
}

/// A value as it was found.
fn value(found: &str) -> String {
    let bare = |start: &str| {
        found
            .strip_prefix(start)
            .map(|r| r.trim_matches('`').to_owned())
    };
    if let Some(text) = found.strip_prefix("string ") {
        return format!("{text} is a text");
    }
    if let Some(number) = bare("floating point ") {
        return match number.parse::<f64>() {
            Ok(x) if x.fract() == 0.0 => format!("{number} is not written as a whole number"),
            _ => format!("{number} is a number with a fraction"),
        };
    }
    if let Some(number) = bare("integer ") {
        return format!("{number} is a number");
    }
    if let Some(yes) = bare("boolean ") {
        return format!("{yes} is a yes or no");
    }
    match found {
        "null" | "unit" | "unit value" => "null is no value".to_owned(),
        "map" => "an object { } stands here".to_owned(),
        "sequence" => "a list [ ] stands here".to_owned(),
        "unit variant" => "a name alone stands here".to_owned(),
        other => other.to_owned(),
    }
}

/// What is needed.
fn wanted(expected: &str) -> String {
    let said = match expected {
        "f64" | "f32" => "a number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "a string" | "string" | "a borrowed string" => "a text in double quotes",
        "a boolean" | "bool" => "true or false",
        "a sequence" => "a list [ ]",
        "a map" => "an object { }",
        e if e.starts_with("a nonzero") => "a whole number from 1",
        e if e.starts_with("struct ")
            || e.starts_with("internally tagged enum")
            || e.starts_with("adjacently tagged") =>
        {
            "an object { } with its keys"
        }
        e if e.starts_with("tuple of ") || e.contains("array of length") => {
            let count = e
                .split(|c: char| !c.is_ascii_digit())
                .find(|d| !d.is_empty());
            return count.map_or("a list [ ]".to_owned(), |n| {
                format!("a list of {n} numbers")
            });
        }
        e if e.contains("enum") || e.contains("variant") => {
            "the name of a form, or an object with that name as its key"
        }
        other => other,
    };
    said.to_owned()
}

/// What is no JSON.
fn syntax(cause: &str) -> String {
    let said = match cause {
        c if c.starts_with("EOF while parsing a value") => {
            "the text ends too early: a value is missing"
        }
        c if c.starts_with("EOF while parsing a string") => {
            "the text ends too early: a text is not closed by \""
        }
        c if c.starts_with("EOF while parsing a list") => {
            "the text ends too early: a list is not closed by ]"
        }
        c if c.starts_with("EOF while parsing an object") => {
            "the text ends too early: an object is not closed by }"
        }
        "expected `:`" => "a colon is missing between a key and its value",
        "expected `,` or `]`" => "a comma, or the ] that closes the list, is missing before this",
        "expected `,` or `}`" => "a comma, or the } that closes the object, is missing before this",
        "expected ident" | "expected value" => {
            "no value of JSON: a number, a text in double quotes, true, false, null, [ ] or { } is needed"
        }
        "trailing comma" => "a comma too much: nothing follows it",
        "key must be a string" => "a key in double quotes is needed here",
        "number out of range" => "a number too large to be kept",
        "invalid number" => "no number of JSON: write 0.5, -3 or 1e-6",
        "control character (\\u0000-\\u001F) found while parsing a string" => {
            "a line break or another control character within a text"
        }
        "invalid escape" => "a \\ within a text that begins nothing known; write \\\\ for one",
        "trailing characters" => "text after the end of the scene",
        "recursion limit exceeded" => "objects and lists in one another more than 128 deep",
        other => other,
    };
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_that_only_a_programmer_knows_is_said() {
        for (cause, said) in [
            ("missing field `height_m`", "`height_m` is missing"),
            (
                "unknown field `heigth`, expected `height_m` or `width_m`",
                "unknown key `heigth`; accepted: height_m, width_m",
            ),
            (
                "unknown variant `cone`, expected one of `box`, `mesh`",
                "`cone` is not known; accepted: box, mesh",
            ),
            (
                "invalid type: string \"2\", expected f64",
                "\"2\" is a text; a number is needed",
            ),
            (
                "invalid value: integer `-3`, expected u64",
                "-3 is a number; a whole number from 0 is needed",
            ),
            (
                "invalid type: map, expected a sequence",
                "an object { } stands here; a list [ ] is needed",
            ),
            (
                "invalid length 2, expected an array of length 3",
                "2 items; a list of 3 numbers is needed",
            ),
            (
                "key must be a string",
                "a key in double quotes is needed here",
            ),
            (
                "invalid type: unit variant, expected struct variant",
                "a name alone stands here; an object { } with its keys is needed",
            ),
        ] {
            assert_eq!(plain(cause), said);
        }
    }
}
