//! Well-known text of coordinate reference systems (WKT 1 of OGC and ESRI, WKT 2): what of it names a system.

/// More levels of brackets stand in no definition.
use crate::refusal::{Result, bail, ensure};

const DEEPEST: usize = 32;

/// `KEYWORD["text", number, CHILD[…]]`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// In capitals.
    pub keyword: String,
    /// Texts and numbers in their order.
    pub values: Vec<String>,
    /// Nodes within.
    pub children: Vec<Node>,
}

impl Node {
    /// Reads a text that is one node, or a system in plan and one of heights one behind the other, as ESRI writes a
    /// compound system.
    ///
    /// # Errors
    /// What is neither.
    pub fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader {
            rest: text.trim_start(),
        };
        let plan = reader.node(0)?;
        reader.rest = reader.rest.trim_start();
        if !reader.take(&[',']) {
            reader.end()?;
            return Ok(plan);
        }
        reader.rest = reader.rest.trim_start();
        let heights = reader.node(0)?;
        ensure!(
            heights.keyword == "VERTCS",
            Crs, "WKT: '{}' after the end of a system", heights.keyword; "VERTCS there, as ESRI writes heights"
        );
        reader.end()?;
        Ok(Self {
            keyword: "COMPD_CS".to_owned(),
            values: vec![format!("{} + {}", plan.name(), heights.name())],
            children: vec![plan, heights],
        })
    }

    /// The text of a system in plan, without the heights that ESRI writes behind it.
    #[must_use]
    pub fn plan_of(text: &str) -> &str {
        let mut reader = Reader {
            rest: text.trim_start(),
        };
        match reader.node(0) {
            Ok(_) => text[..text.len() - reader.rest.len()].trim(),
            Err(_) => text,
        }
    }

    /// The first child with one of these keywords.
    #[must_use]
    pub fn child(&self, keywords: &[&str]) -> Option<&Self> {
        self.children
            .iter()
            .find(|c| keywords.contains(&c.keyword.as_str()))
    }

    /// A node with one of these keywords at any depth.
    #[must_use]
    pub fn find(&self, keywords: &[&str]) -> Option<&Self> {
        if keywords.contains(&self.keyword.as_str()) {
            return Some(self);
        }
        self.children.iter().find_map(|c| c.find(keywords))
    }

    /// The name: the first text.
    #[must_use]
    pub fn name(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// The EPSG code of this very node.
    #[must_use]
    pub fn epsg(&self) -> Option<u32> {
        let authority = self.child(&["AUTHORITY", "ID"])?;
        let named = authority.name().eq_ignore_ascii_case("EPSG");
        named.then(|| authority.values.get(1)?.parse().ok())?
    }

    /// The factor of a unit to its SI unit.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        self.values.get(1)?.parse().ok()
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn node(&mut self, depth: usize) -> Result<Node> {
        ensure!(depth < DEEPEST, Crs, "WKT with more than {DEEPEST} levels");
        let end = self
            .rest
            .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .unwrap_or(self.rest.len());
        let keyword = self.rest[..end].to_ascii_uppercase();
        ensure!(
            !keyword.is_empty(),
            Crs,
            "WKT: no keyword at '{}'",
            self.shown()
        );
        self.rest = self.rest[end..].trim_start();
        let mut node = Node {
            keyword,
            ..Node::default()
        };
        if !self.take(&['[', '(']) {
            // A word such as EAST or ellipsoidal: a value of its parent.
            return Ok(node);
        }
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.chars().next() {
                Some('"') => {
                    let text = self.quoted()?;
                    node.values.push(text);
                }
                Some(c) if c.is_ascii_digit() || "+-.".contains(c) => {
                    let end = self
                        .rest
                        .find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))
                        .unwrap_or(self.rest.len());
                    node.values.push(self.rest[..end].to_owned());
                    self.rest = &self.rest[end..];
                }
                Some(c) if c.is_ascii_alphabetic() => {
                    let child = self.node(depth + 1)?;
                    if child.values.is_empty() && child.children.is_empty() {
                        node.values.push(child.keyword);
                    } else {
                        node.children.push(child);
                    }
                }
                _ => bail!(Crs, "WKT: broken at '{}'", self.shown()),
            }
            self.rest = self.rest.trim_start();
            if self.take(&[']', ')']) {
                return Ok(node);
            }
            ensure!(self.take(&[',']), Crs, "WKT: broken at '{}'", self.shown());
        }
    }

    fn end(&self) -> Result<()> {
        ensure!(
            self.rest.trim().is_empty(),
            Crs,
            "text after the end of the WKT"
        );
        Ok(())
    }

    fn take(&mut self, wanted: &[char]) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn quoted(&mut self) -> Result<String> {
        let mut text = String::new();
        loop {
            let inner = &self.rest[1..];
            let Some(end) = inner.find('"') else {
                bail!(Crs, "WKT: a text that does not end");
            };
            text.push_str(&inner[..end]);
            self.rest = &inner[end + 1..];
            // A quote within a text is written twice.
            match self.rest.starts_with('"') {
                true => text.push('"'),
                false => return Ok(text),
            }
        }
    }

    fn shown(&self) -> String {
        self.rest.chars().take(20).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_give_their_code_and_unit() {
        let one = r#"PROJCS["A ""b""",GEOGCS["G",DATUM["D",SPHEROID["S",1,2]],AUTHORITY["EPSG","4150"]],
            UNIT["metre",1],AXIS["E",EAST],AUTHORITY["EPSG","2056"]]"#;
        let node = Node::parse(one).unwrap();
        assert_eq!((node.name(), node.epsg()), ("A \"b\"", Some(2056)));
        assert_eq!(node.child(&["UNIT"]).unwrap().factor(), Some(1.0));
        let two = "PROJCRS[\"A\",CS[Cartesian,2],ID[\"EPSG\",2056]]";
        assert_eq!(Node::parse(two).unwrap().epsg(), Some(2056));
    }

    #[test]
    fn broken_texts_are_errors() {
        let text = "PROJCS[\"A\",UNIT[\"metre\",1],AXIS[\"E\",EAST]]";
        for end in 0..text.len() {
            let cut = Node::parse(&text[..end]);
            assert!(cut.is_err() || end <= 6, "{end}");
        }
        assert!(Node::parse(&"A[".repeat(100)).is_err());
        assert!(Node::parse("é[1]").is_err());
    }
}
