//! Why a text is no JSON, in words that need no knowledge of the reader.

use crate::faults::Fault;

/// Why a text is no JSON, with what stands at the place. The reader of JSON has no other name for a cause than its
/// message.
pub fn fault(error: &serde_json::Error, text: &str) -> Fault {
    let message = error.to_string();
    let cause = message.rsplit_once(" at line ").map_or(&*message, |m| m.0);
    let lines = text.split_inclusive('\n').map(str::len);
    let start: usize = lines.take(error.line().saturating_sub(1)).sum();
    let at = start + error.column().saturating_sub(1);
    let at = at.min(text.len().saturating_sub(1));
    let cause = habit(text, at).unwrap_or_else(|| plain(cause).to_owned());
    let mut fault = Fault::new("", format!("{cause}{}", before(error, text)));
    let letter = text.get(at..).and_then(|rest| rest.chars().next());
    fault.span = letter.map(|letter| at..at + letter.len_utf8());
    (fault.line, fault.column) = (error.line(), error.column());
    fault
}

/// What word processors and tables write and JSON does not know, where that stands at the place.
fn habit(text: &str, at: usize) -> Option<String> {
    let (head, rest) = text.split_at_checked(at)?;
    if rest.starts_with(['“', '”', '„', '‟', '«', '»', '‘', '’', '‚']) {
        return Some("a typographic quotation mark; accepted: the straight one, \"".to_owned());
    }
    let digits = |c: &char| c.is_ascii_digit();
    let after: String = rest.chars().take_while(digits).collect();
    let before = head.strip_suffix(',').filter(|_| !after.is_empty())?;
    let number = |c: char| !c.is_ascii_digit() && c != '-';
    let whole = &before[before.rfind(number).map_or(0, |i| i + 1)..];
    (!whole.is_empty()).then(|| format!("a decimal comma; accepted: {whole}.{after}"))
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
