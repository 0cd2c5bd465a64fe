//! Why a text is no JSON, in words that need no knowledge of the reader.

use crate::faults::Fault;

/// Why a text is no JSON, with what stands at the place. The reader of JSON has no other name for a cause than its
/// message.
pub fn fault(error: &serde_json::Error, text: &str) -> Fault {
    let message = error.to_string();
    let cause = message.rsplit_once(" at line ").map_or(&*message, |m| m.0);
    let mut fault = Fault::new("", format!("{}{}", plain(cause), before(error, text)));
    let lines = text.split_inclusive('\n').map(str::len);
    let start: usize = lines.take(error.line().saturating_sub(1)).sum();
    let at = start + error.column().saturating_sub(1);
    let at = at.min(text.len().saturating_sub(1));
    let letter = text.get(at..).and_then(|rest| rest.chars().next());
    fault.span = letter.map(|letter| at..at + letter.len_utf8());
    (fault.line, fault.column) = (error.line(), error.column());
    fault
}

/// What stands at a place where the text is no JSON, with the key before it: `; found "height_m": NaN`.
fn before(error: &serde_json::Error, text: &str) -> String {
    const SHOWN: usize = 40;
    let line = text.lines().nth(error.line().saturating_sub(1));
    let parts = line.and_then(|line| line.split_at_checked(error.column()));
    let Some((head, rest)) = parts else {
        return String::new();
    };
    let rest = rest.split([',', ']', '}', ' ', '\t']).next().unwrap_or("");
    let found: Vec<char> = head.trim_start().chars().chain(rest.chars()).collect();
    let from = found.len().saturating_sub(SHOWN);
    let found: String = found.iter().skip(from).collect();
    match found.is_empty() {
        true => found,
        false => format!("; found {found}"),
    }
}

fn plain(cause: &str) -> &str {
    match cause {
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
    }
}
