//! The text of an SVG picture: numbers to a hundredth of a pixel, one look of letters and lines for all charts.

use std::fmt::Write as _;

use crate::Colour;

/// The letters of all pictures.
const FONT: &str = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif";
/// Colour of letters, and of axes.
pub(crate) const INK: Colour = Colour(34, 34, 34);
/// Size of labels of ticks and of the key, of names of axes, of titles (px): none is under 12.
pub(crate) const SMALL: f64 = 13.0;
pub(crate) const NAME: f64 = 14.0;
pub(crate) const TITLE: f64 = 16.0;

/// Where a text stands to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that grows element by element.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
}

impl Svg {
    /// Plain markup.
    pub fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
        self.body.push('\n');
    }

    /// A line of text with its baseline at a point.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, size: f64, words: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" font-size=\"{}\" fill=\"{INK}\">{}</text>",
            n(x),
            n(y),
            n(size),
            escape(words)
        );
    }

    /// The same with a pale edge, to be read over a map.
    pub fn halo(&mut self, at: (f64, f64), anchor: Anchor, size: f64, words: &str) {
        self.raw("<g paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3.5\" stroke-linejoin=\"round\">");
        self.text(at, anchor, size, words);
        self.raw("</g>");
    }

    /// A light ground under what must be read on any colour.
    pub fn plate(&mut self, (x, y): (f64, f64), (w, h): (f64, f64)) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#ffffff\" fill-opacity=\"0.75\"/>",
            n(x),
            n(y),
            n(w),
            n(h)
        );
    }

    /// A text that reads upwards.
    pub fn upright(&mut self, (x, y): (f64, f64), size: f64, words: &str) {
        let _ = writeln!(
            self.body,
            "<text transform=\"translate({},{}) rotate(-90)\" text-anchor=\"middle\" font-size=\"{}\" fill=\"{INK}\">{}</text>",
            n(x),
            n(y),
            n(size),
            escape(words)
        );
    }

    /// A filled rectangle, with an edge if a colour for it is given.
    pub fn rectangle(
        &mut self,
        (x, y): (f64, f64),
        (w, h): (f64, f64),
        fill: &str,
        edge: Option<Colour>,
    ) {
        let edge = edge.map_or(String::new(), |c| format!(" stroke=\"{c}\""));
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"{edge}/>",
            n(x),
            n(y),
            n(w),
            n(h)
        );
    }

    /// A path with attributes of its own.
    pub fn path(&mut self, d: &str, attributes: &str) {
        if !d.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{d}\" {attributes}/>");
        }
    }

    /// A straight line.
    pub fn line(&mut self, a: (f64, f64), b: (f64, f64), colour: Colour, width: f64) {
        let d = format!("M{} {}L{} {}", n(a.0), n(a.1), n(b.0), n(b.1));
        self.path(&d, &stroke(colour, width));
    }

    /// The whole picture on white paper. The words say what is seen to who cannot see it; `data` tells scripts of a
    /// page the axes.
    pub fn finish(self, size: (f64, f64), words: &str, data: &str) -> String {
        // What rounding adds is no pixel.
        let (w, h) = (n((size.0 - 1e-6).ceil()), n((size.1 - 1e-6).ceil()));
        format!(
            "<svg width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" aria-label=\"{0}\" font-family=\"{FONT}\"{data} \
             xmlns=\"http://www.w3.org/2000/svg\">\n<title>{0}</title>\n<rect width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n{1}</svg>\n",
            escape(words),
            self.body
        )
    }
}

/// Attributes of a line that is not filled, as wide after a zoom as before.
pub(crate) fn stroke(colour: Colour, width: f64) -> String {
    format!(
        "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linejoin=\"round\" vector-effect=\"non-scaling-stroke\"",
        n(width)
    )
}

/// A number to a hundredth, as short as it can be.
pub(crate) fn n(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    match short {
        "-0" | "" => "0".to_owned(),
        _ => short.to_owned(),
    }
}

/// A run of points as a path; points that lie within a twentieth of a pixel of the last are passed over.
pub(crate) fn polyline(points: &[(f64, f64)], closed: bool) -> String {
    const NEAR: f64 = 0.05;
    let mut d = String::new();
    let mut last: Option<(f64, f64)> = None;
    for (k, &(x, y)) in points.iter().enumerate() {
        let near = last.is_some_and(|(a, b)| (x - a).abs() < NEAR && (y - b).abs() < NEAR);
        if near && k + 1 < points.len() {
            continue;
        }
        let letter = if last.is_none() { 'M' } else { 'L' };
        let _ = write!(d, "{letter}{} {}", n(x), n(y));
        last = Some((x, y));
    }
    if closed && last.is_some() {
        d.push('Z');
    }
    d
}

/// About how long a text is (px).
pub(crate) fn width(words: &str, size: f64) -> f64 {
    0.56 * size * words.chars().count() as f64
}

/// A text as XML has it. Characters that no XML text may hold (controls, which names in files of others have) are shown
/// as U+FFFD, so that the picture stays well-formed and the name is seen to be odd.
pub fn escape(text: &str) -> String {
    text.replace(is_no_xml, "\u{fffd}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// What is outside of the characters of XML 1.0 (section 2.2); surrogates are no `char`.
fn is_no_xml(c: char) -> bool {
    c.is_control() && !['\t', '\n', '\r'].contains(&c) || ['\u{fffe}', '\u{ffff}'].contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters of XML 1.0 by their ranges; C1 controls are allowed there and shown as odd here.
    #[test]
    fn no_text_holds_what_xml_has_not() {
        for code in 0..=0x2_ffff {
            let Some(c) = char::from_u32(code) else {
                continue;
            };
            let good = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
            let made = escape(&format!("a{c}b"));
            assert!(made.chars().all(good), "{code:x}");
            assert!(made.starts_with('a') && made.ends_with('b'), "{code:x}");
        }
        assert_eq!(escape("net \u{b} upper"), "net \u{fffd} upper");
        assert_eq!(escape("Bächli & <Söhne>"), "Bächli &amp; &lt;Söhne&gt;");
    }

    #[test]
    fn numbers_are_short_and_never_minus_zero() {
        assert_eq!(
            [1.0, 0.126, -0.001, 100.0, 2.5].map(n),
            ["1", "0.13", "0", "100", "2.5"]
        );
    }

    #[test]
    fn the_last_point_of_a_path_is_kept() {
        assert_eq!(
            polyline(&[(0.0, 0.0), (0.01, 0.0), (0.02, 0.0)], false),
            "M0 0L0.02 0"
        );
    }
}
