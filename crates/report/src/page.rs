//! A self-contained HTML report: text, tables and SVG pictures in one file.

use std::fmt::Write as _;

use serde_json::Value;

/// A page that grows from top to bottom.
#[derive(Debug, Clone, Default)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// An empty page.
    #[must_use]
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            body: String::new(),
        }
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    /// A paragraph.
    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    /// A table.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        self.body.push_str("<table><tr>");
        for name in header {
            let _ = write!(self.body, "<th>{}</th>", escape(name));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                let _ = write!(self.body, "<td>{}</td>", escape(cell));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table>\n");
    }

    /// A figure with a line under it.
    pub fn figure(&mut self, svg: &str, caption: &str) {
        let _ = writeln!(
            self.body,
            "<figure>{svg}<figcaption>{}</figcaption></figure>",
            escape(caption)
        );
    }

    /// The numbers of a JSON object as a table; lists of more than a few numbers stay in the file.
    pub fn numbers(&mut self, heading: &str, value: &Value) {
        let mut rows = Vec::new();
        flatten("", value, &mut rows);
        if !rows.is_empty() {
            self.heading(heading);
            self.table(&["", "value"], &rows);
        }
    }

    /// The names of files beside the page, as links.
    pub fn files(&mut self, names: &[String]) {
        self.heading("Files");
        let link = |name: &String| format!("<a href=\"{0}\">{0}</a>", escape(name));
        let links: Vec<String> = names.iter().map(link).collect();
        let _ = writeln!(self.body, "<p>{}</p>", links.join(", "));
    }

    /// The whole page.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
             <style>body{{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}\
             table{{border-collapse:collapse}}td,th{{border:1px solid #bbb;padding:.2em .6em;text-align:right}}td:first-child{{text-align:left}}\
             figure{{margin:1.5em 0}}svg{{max-width:100%;height:auto}}figcaption{{color:#444}}</style></head>\n\
             <body><h1>{title}</h1>\n{}</body></html>\n",
            self.body
        )
    }
}

/// One row a number: the names on the way to it, and what it is.
fn flatten(name: &str, value: &Value, rows: &mut Vec<Vec<String>>) {
    let words = |name: &str| name.replace('_', " ");
    match value {
        Value::Null => {}
        Value::Object(entries) => {
            for (key, entry) in entries {
                let whole = if name.is_empty() {
                    words(key)
                } else {
                    format!("{name}, {}", words(key))
                };
                flatten(&whole, entry, rows);
            }
        }
        Value::Array(entries) => {
            if (1..=8).contains(&entries.len()) && !entries.iter().any(|e| e.is_object()) {
                let list: Vec<String> = entries.iter().map(number).collect();
                rows.push(vec![name.to_owned(), list.join(", ")]);
            }
        }
        other => rows.push(vec![name.to_owned(), number(other)]),
    }
}

/// A number as a reader wants it; the files hold all digits.
fn number(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(n) if n.is_f64() => {
            let x = n.as_f64().unwrap_or(f64::NAN);
            if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
                let digits = 5 - x.abs().max(1e-3).log10().floor() as i32;
                let text = format!("{x:.*}", digits.clamp(0, 8) as usize);
                if text.contains('.') {
                    text.trim_end_matches('0').trim_end_matches('.').to_owned()
                } else {
                    text
                }
            } else {
                format!("{x:.5e}")
            }
        }
        other => other.to_string(),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_flat_short_and_without_gaps() {
        let mut page = Page::new("a < b");
        let value = serde_json::json!({
            "end_time_s": 2.5, "tiny": 1.25e-7, "large": 123456.789, "nothing": null, "count": 12,
            "energy_j": {"kinetic": 0.1 + 0.2}, "range_rad": [-0.5, 0.5], "long": [1, 2, 3, 4, 5, 6, 7, 8, 9],
        });
        page.numbers("Results", &value);
        let html = page.html();
        for row in [
            "<td>end time s</td><td>2.5</td>",
            "<td>tiny</td><td>1.25000e-7</td>",
            "<td>large</td><td>123457</td>",
            "<td>count</td><td>12</td>",
            "<td>energy j, kinetic</td><td>0.3</td>",
            "<td>range rad</td><td>-0.5, 0.5</td>",
            "<h1>a &lt; b</h1>",
        ] {
            assert!(html.contains(row), "{row} in {html}");
        }
        assert!(!html.contains("nothing") && !html.contains("long"));
    }
}
