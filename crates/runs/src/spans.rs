//! Where the keys and values of a JSON text stand in it.

use std::ops::Range;

/// A member of an object: `"key": value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Keys on the way to the object that holds it; the items of a list have no name of their own.
    pub parents: Vec<usize>,
    /// The key.
    pub name: String,
    /// The key in the text, without its quotes.
    pub key: Range<usize>,
    /// The value in the text.
    pub value: Range<usize>,
}

/// The members of all objects of a JSON text, each behind those that hold it; `parents` are places in this list.
/// The text was parsed before: of another it finds some members or none.
#[must_use]
pub fn members(text: &str) -> Vec<Member> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
        depth: 0,
        members: Vec::new(),
    };
    let _ = scanner.value(&[]);
    scanner.members
}

/// Objects and lists in one another, as many as the parser takes.
const DEEPEST: usize = 128;

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    depth: usize,
    members: Vec<Member>,
}

impl Scanner<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        while self.byte()?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.byte()
    }

    fn value(&mut self, parents: &[usize]) -> Option<()> {
        // What is deeper is refused when it is parsed.
        if self.depth > DEEPEST {
            return None;
        }
        match self.next()? {
            b'{' => self.object(parents),
            b'[' => self.list(parents),
            b'"' => self.string().map(|_| ()),
            _ => {
                let from = self.at;
                let ends = |b: u8| b.is_ascii_whitespace() || b",]}".contains(&b);
                while self.byte().is_some_and(|b| !ends(b)) {
                    self.at += 1;
                }
                (self.at > from).then_some(())
            }
        }
    }

    /// What is between the quotes.
    fn string(&mut self) -> Option<Range<usize>> {
        self.at += 1;
        let from = self.at;
        loop {
            match self.byte()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(from..self.at - 1)
    }

    fn object(&mut self, parents: &[usize]) -> Option<()> {
        self.at += 1;
        loop {
            match self.next()? {
                b'"' => {}
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => break,
            }
            let key = self.string()?;
            if self.next()? != b':' {
                return None;
            }
            self.at += 1;
            self.next()?;
            let (from, own) = (self.at, self.members.len());
            let name = String::from_utf8_lossy(self.text.get(key.clone())?).into_owned();
            self.members.push(Member {
                parents: parents.to_vec(),
                name,
                key,
                value: from..from,
            });
            let below: Vec<usize> = parents.iter().copied().chain([own]).collect();
            self.depth += 1;
            self.value(&below)?;
            self.depth -= 1;
            self.members.get_mut(own)?.value.end = self.at;
        }
        self.at += 1;
        Some(())
    }

    fn list(&mut self, parents: &[usize]) -> Option<()> {
        self.at += 1;
        loop {
            match self.next()? {
                b']' => break,
                b',' => self.at += 1,
                _ => {
                    self.depth += 1;
                    self.value(parents)?;
                    self.depth -= 1;
                }
            }
        }
        self.at += 1;
        Some(())
    }
}

/// The bytes of the value that a way of keys and places in lists leads to; of the last object or list on it where the
/// way ends early.
#[must_use]
pub fn locate(text: &str, way: &[String]) -> Option<Range<usize>> {
    let mut scanner = Scanner {
        text: text.as_bytes(),
        at: 0,
        depth: 0,
        members: Vec::new(),
    };
    let mut found = None;
    for step in way {
        let from = scanner.skip_to(step);
        if from.is_none() {
            break;
        }
        found = from;
    }
    let from = found.or_else(|| {
        scanner.next()?;
        Some(scanner.at)
    })?;
    scanner.at = from;
    scanner.value(&[])?;
    Some(from..scanner.at)
}

impl Scanner<'_> {
    /// Where the value of a key, or of a place in a list, begins; the scanner then stands there.
    fn skip_to(&mut self, step: &str) -> Option<usize> {
        let (opens, start) = (self.next()?, self.at);
        self.at += 1;
        let wanted: Option<usize> = step.parse().ok();
        let mut count = 0;
        loop {
            match self.next()? {
                b',' => {
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => break,
                _ => {}
            }
            let own = match opens {
                b'{' => {
                    let key = self.string()?;
                    if self.next()? != b':' {
                        return None;
                    }
                    self.at += 1;
                    self.next()?;
                    self.text.get(key)? == step.as_bytes()
                }
                b'[' => wanted == Some(count),
                _ => return None,
            };
            if own {
                return Some(self.at);
            }
            count += 1;
            self.value(&[])?;
        }
        self.at = start;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_with_their_parents_and_values() {
        let text = r#" {"a": [{"b\"": 1e3}, {"c": "x,}"}], "d" : {"e": null } }"#;
        let found = members(text);
        let told: Vec<(Vec<&str>, &str, &str)> = found
            .iter()
            .map(|m| {
                let parents = m.parents.iter().map(|&k| found[k].name.as_str());
                (parents.collect(), m.name.as_str(), &text[m.value.clone()])
            })
            .collect();
        assert_eq!(
            told,
            [
                (vec![], "a", r#"[{"b\"": 1e3}, {"c": "x,}"}]"#),
                (vec!["a"], r#"b\""#, "1e3"),
                (vec!["a"], "c", r#""x,}""#),
                (vec![], "d", r#"{"e": null }"#),
                (vec!["d"], "e", "null"),
            ]
        );
    }

    #[test]
    fn values_are_located_by_the_way_to_them() {
        let text = r#"{"a": [{"b": 1}, {"b": [2, 33]}], "c": {"d": "x"}}"#;
        let at = |way: &[&str]| {
            let way: Vec<String> = way.iter().map(|s| (*s).to_owned()).collect();
            locate(text, &way).map(|r| &text[r])
        };
        assert_eq!(at(&["a", "1", "b", "1"]), Some("33"));
        assert_eq!(at(&["c", "d"]), Some("\"x\""));
        assert_eq!(at(&["c", "missing"]), Some("{\"d\": \"x\"}"));
        assert_eq!(at(&[]), Some(text));
    }

    #[test]
    fn any_text_has_an_end() {
        for text in [
            "",
            "{",
            "{\"a\"",
            "{\"a\":",
            "[",
            "[{\"a\": \"\\",
            "}",
            "{]",
            "[}",
            "{:}",
        ] {
            let _ = members(text);
        }
        let _ = members(&"[".repeat(1_000_000));
        let _ = members(&"{\"a\":".repeat(1_000_000));
    }
}
