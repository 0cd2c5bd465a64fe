//! A page as HTML text.

use std::fmt::Write as _;

use super::{Block, NONE, Page, Section, Table, tone};

const STYLE: &str = include_str!("style.css");
const CHARTS: &str = include_str!("charts.js");
const SCENE: &str = include_str!("../view/scene.js");

/// Letters from which on a verdict is long.
const LONG: usize = 260;

impl Page {
    /// The whole page: one file that needs no other and no network.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut body = String::new();
        self.head(&mut body);
        let mut used: Vec<Section> = Vec::new();
        for section in Section::ALL {
            let blocks: Vec<&Block> = self.section(section).collect();
            let warnings: Vec<&str> = self.warnings(section).collect();
            if !(blocks.is_empty() && warnings.is_empty()) {
                used.push(section);
                let (id, heading) = (section.id(), section.heading());
                let _ = writeln!(body, "<section id=\"{id}\"><h2>{heading}</h2>");
                write_warnings(&mut body, &warnings);
                blocks.iter().for_each(|block| write(&mut body, block));
                body.push_str("</section>\n");
            }
        }
        let link = |s: &Section| format!("<a href=\"#{}\">{}</a>", s.id(), s.heading());
        let links: Vec<String> = used.iter().map(link).collect();
        let body = body.replacen("<!--contents-->", &links.join(""), 1);
        let drawn = |block: &Block| matches!(block, Block::Figure { .. });
        let figures = self.picture.is_some() || self.section(Section::Results).any(drawn);
        let view = self.section(Section::View).next().is_some();
        let script = |used: bool, text: &str| match used {
            true => format!("<script>\n{text}</script>\n"),
            false => String::new(),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <meta name=\"color-scheme\" content=\"light dark\">\
             <link rel=\"icon\" href=\"data:,\"><title>{title}</title>\n<style>\n{STYLE}</style></head>\n\
             <body>\n{body}{}{}</body></html>\n",
            script(figures, CHARTS),
            script(view, SCENE)
        )
    }

    /// The first page: whose it is, the verdict with its figures, the picture, and on paper where it is signed.
    fn head(&self, out: &mut String) {
        out.push_str("<div id=\"first\">\n");
        self.header(out);
        if let Some(answer) = &self.answer {
            let (class, word) = tone(answer.judgement);
            // A long verdict is set smaller, so that the picture stays on the page.
            let long = match answer.verdict.chars().count() > LONG {
                true => " long",
                false => "",
            };
            let _ = writeln!(
                out,
                "<section id=\"answer\" class=\"{class}{long}\"><p class=\"word\">{word}</p>"
            );
            for line in answer.verdict.lines() {
                let _ = writeln!(out, "<p class=\"verdict\">{}</p>", escape(line));
            }
            out.push_str("<dl>");
            for figure in &answer.figures {
                let _ = write!(
                    out,
                    "<div><dd>{}</dd><dt>{}</dt></div>",
                    escape(figure.words()),
                    escape(&figure.quantity)
                );
            }
            out.push_str("</dl>");
            for remark in &self.remarks {
                let _ = write!(out, "<p class=\"remark\">{}</p>", escape(remark));
            }
            self.count_warnings(out);
            out.push_str("</section>\n");
        }
        if let Some(picture) = &self.picture {
            out.push_str("<div id=\"picture\">");
            match picture.svg.is_empty() {
                true => write(out, &Block::Text(picture.caption.clone())),
                false => write_figure(out, &picture.svg, &picture.caption),
            }
            out.push_str("</div>\n");
        }
        // On paper only: whoever answers for the document signs.
        out.push_str("<p class=\"signature\">Place, date <span></span> Signature <span></span></p>\n</div>\n");
        out.push_str("<nav><!--contents--></nav>\n");
    }

    fn header(&self, out: &mut String) {
        let about = &self.about;
        // A document has one date: its own, or else that of the run.
        let dated = about
            .title_block
            .iter()
            .any(|(heading, _)| *heading == "Date");
        let date = about.date.as_deref().filter(|_| !dated);
        let parts = [Some(about.kind.as_str()), date];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|p| !p.is_empty())
            .map(escape)
            .collect();
        let _ = writeln!(
            out,
            "<header><p class=\"about\">{}</p><h1>{}</h1>{}</header>",
            parts.join(" · "),
            escape(&self.title),
            title_block(&about.title_block)
        );
    }

    /// How many warnings there are, and in which sections they stand.
    fn count_warnings(&self, out: &mut String) {
        let count = self.warnings.len();
        if count == 0 {
            out.push_str("<p class=\"warned\">No warnings.</p>");
            return;
        }
        let used = Section::ALL.into_iter();
        let used = used.filter(|section| self.warnings(*section).next().is_some());
        let link = |s: Section| format!("<a href=\"#{}\">{}</a>", s.id(), s.heading());
        let links: Vec<String> = used.map(link).collect();
        let s = if count == 1 { "" } else { "s" };
        let _ = write!(
            out,
            "<p class=\"warned some\"><b>{count} warning{s}</b> under {}</p>",
            links.join(", ")
        );
    }
}

/// Whose document it is, where the scene says so.
fn title_block(entries: &[(&str, String)]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let entry = |(heading, value): &(&str, String)| {
        format!("<div><dt>{heading}</dt><dd>{}</dd></div>", escape(value))
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("<dl class=\"title-block\">{entries}</dl>")
}

fn write(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Heading(text) => writeln!(out, "<h3>{}</h3>", escape(text)),
        Block::Text(text) => writeln!(out, "<p>{}</p>", escape(text)),
        Block::List(lines) => {
            let items: String = lines
                .iter()
                .map(|l| format!("<li>{}</li>", escape(l)))
                .collect();
            writeln!(out, "<ul>{items}</ul>")
        }
        Block::Table(table) => {
            write_table(out, table);
            Ok(())
        }
        Block::Figure { svg, caption } => {
            write_figure(out, svg, caption);
            Ok(())
        }
        Block::View { data, caption } => writeln!(
            out,
            "<figure class=\"scene\"><div class=\"stage\"></div><figcaption>{}</figcaption>\
             <noscript><p>The view needs a browser that runs scripts.</p></noscript>\
             <script type=\"application/json\">{}</script></figure>",
            escape(caption),
            // No text may end the script, or begin a comment in it.
            data.replace('<', "\\u003c")
        ),
        Block::Links(names) => {
            let link = |name: &String| format!("<li><a href=\"{0}\">{0}</a></li>", escape(name));
            let links: String = names.iter().take(LINKS).map(link).collect();
            let more = match names.len().saturating_sub(LINKS) {
                0 => String::new(),
                more => format!("<li>and {more} more in the folder</li>"),
            };
            writeln!(out, "<ul class=\"links\">{links}{more}</ul>")
        }
    };
}

/// A page names at most so many files: a run by tiles may have a million.
const LINKS: usize = 200;

/// Warnings at the head of the section that they concern.
fn write_warnings(out: &mut String, warnings: &[&str]) {
    if warnings.is_empty() {
        return;
    }
    out.push_str("<ul class=\"warnings\">");
    for warning in warnings {
        let _ = write!(out, "<li><b>Warning.</b> {}</li>", escape(warning));
    }
    out.push_str("</ul>\n");
}

/// A picture with its size for the style, which scales it on paper, and its caption.
fn write_figure(out: &mut String, svg: &str, caption: &str) {
    let size = klast_plot::size(svg);
    let _ = writeln!(
        out,
        "<figure><div class=\"paper\" style=\"--w:{};--h:{}\">{svg}</div><figcaption>{}</figcaption></figure>",
        size.0.max(1),
        size.1.max(1),
        escape(caption)
    );
}

fn write_table(out: &mut String, table: &Table) {
    // Few columns wrap on a narrow screen, others are moved sideways, many are set small; on paper a long list of few
    // stands in two columns.
    let class = match table.header.len() {
        0..=3 if table.rows.len() > 7 => " class=\"few long\"",
        0..=3 => " class=\"few\"",
        4..=10 => "",
        _ => " class=\"many\"",
    };
    let _ = write!(out, "<div class=\"wide\"><table{class}>");
    // Names and what they are: no column of numbers.
    let named = table.header.iter().any(|(words, _)| !words.is_empty());
    if named {
        write_header(out, table);
    }
    out.push_str("<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let number = is_number(cell) || (cell == NONE && of_numbers(table, column));
            let class = match cell {
                _ if named && number => " class=\"n\"",
                cell if is_digest(cell) => " class=\"digest\"",
                _ => "",
            };
            let _ = write!(out, "<td{class}>{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
}

fn write_header(out: &mut String, table: &Table) {
    out.push_str("<thead><tr>");
    for (column, (words, unit)) in table.header.iter().enumerate() {
        let unit = match unit.as_str() {
            "" => String::new(),
            unit => format!(" <span class=\"unit\">[{}]</span>", escape(unit)),
        };
        // A name stands over its numbers.
        let class = match of_numbers(table, column) {
            true => " class=\"n\"",
            false => "",
        };
        let _ = write!(out, "<th scope=\"col\"{class}>{}{unit}</th>", escape(words));
    }
    out.push_str("</tr></thead>");
}

/// Whether a column holds numbers alone.
fn of_numbers(table: &Table, column: usize) -> bool {
    let mut cells = table.rows.iter().filter_map(|row| row.get(column));
    cells.all(|cell| cell == NONE || is_number(cell))
}

fn is_number(cell: &str) -> bool {
    let first = cell.trim_start_matches('-').chars().next();
    let date = cell.split('-').filter(|part| !part.is_empty()).count() > 2 && !cell.contains(' ');
    first.is_some_and(|c| c.is_ascii_digit()) && !cell.contains(char::is_alphabetic) && !date
}

fn is_digest(cell: &str) -> bool {
    cell.len() == 64 && cell.bytes().all(|b| b.is_ascii_hexdigit())
}

pub(crate) fn escape(text: impl AsRef<str>) -> String {
    klast_plot::escape(text.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::introduce;
    use klast_scenes::Scene;

    #[test]
    fn no_name_ends_the_data_of_a_view() {
        let data = r#"{"name": "<!--<script></script>"}"#;
        let mut page = Page::new("a view");
        page.view(data.to_owned(), "");
        let html = page.html();
        let (_, after) = html
            .split_once("<script type=\"application/json\">")
            .unwrap();
        let (kept, _) = after.split_once("</script>").unwrap();
        assert!(!kept.contains('<'), "{kept}");
        let read: serde_json::Value = serde_json::from_str(kept).unwrap();
        assert_eq!(read["name"], "<!--<script></script>");
    }

    /// A scene that states whose document it is has a title block, in which no text is markup; others have none.
    #[test]
    fn a_title_block_shows_what_the_scene_states() {
        let page = |keys: &str| {
            let text = format!(
                r#"{{"schema": 1, "kind": "rocking", "duration_s": 2, "tilt_rad": 0.1, {keys}
                "block": {{"kind": "rectangle", "width_m": 0.5, "height_m": 2.0}}}}"#
            );
            let (scene, _) = Scene::parse(&text, ".").unwrap();
            let mut page = Page::new("a block");
            introduce(&scene, &mut page);
            page.about.date = Some("2001-02-03".to_owned());
            page.html()
        };
        let html = page(r#""project": "Hall 3", "client": "<b>Museum</b>", "version": "2","#);
        assert!(html.contains("<div><dt>Project</dt><dd>Hall 3</dd></div>"));
        assert!(html.contains("<dt>Client</dt><dd>&lt;b&gt;Museum&lt;/b&gt;</dd>"));
        assert!(html.contains("<dt>Version</dt><dd>2</dd>"));
        assert!(!html.contains("<dt>Author</dt>"));
        assert!(!page("").contains("<dl class=\"title-block\">"));
        assert!(page("").contains("2001-02-03"));
        let dated = page(r#""date": "2030-01-01","#);
        assert!(
            dated.contains("<dt>Date</dt><dd>2030-01-01</dd>") && !dated.contains("2001-02-03")
        );
    }
}
