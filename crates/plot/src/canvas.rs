use crate::svg::{Anchor, INK, NAME, SMALL, Svg, TITLE, n, stroke, width};
use crate::{Axis, Colour};

/// Colour of the lines behind a chart.
const GRID: Colour = Colour(226, 226, 226);
/// Least room to the right of the axes.
const RIGHT: f64 = 22.0;
/// Between labels of a horizontal axis (px).
const GAP: f64 = 10.0;
const BELOW: f64 = 48.0;

/// Where the axes of a chart lie in the picture (px), and their ends in axis coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub title: &'a str,
    pub x: &'a Axis,
    pub y: &'a Axis,
    pub ends: ((f64, f64), (f64, f64)),
    /// Room to the right of the axes.
    pub right: f64,
    /// Left, top, width and height of the space between the axes.
    pub area: [f64; 4],
}

/// An axis and its ends, in axis coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    pub axis: &'a Axis,
    pub ends: (f64, f64),
}

impl Axis {
    /// The axis between two ends.
    pub(crate) fn spanned(&self, ends: (f64, f64)) -> Span<'_> {
        Span { axis: self, ends }
    }
}

impl<'a> Frame<'a> {
    /// A frame that fills a picture of a size.
    pub fn new(title: &'a str, x: Span<'a>, y: Span<'a>, size: (u32, u32)) -> Self {
        let ends = (x.ends, y.ends);
        let (x, y) = (x.axis, y.axis);
        let top = if title.is_empty() { 14.0 } else { 38.0 };
        let top = top + if x.also.is_some() { 42.0 } else { 0.0 };
        // The last label of the horizontal axis may stand at its very end.
        let widest = x
            .ticks(ends.0, 9)
            .into_iter()
            .map(|t| width(&x.tick(t, ends.0), SMALL));
        let half = 6.0 + 0.5 * widest.fold(0.0, f64::max);
        let right = if y.also.is_some() {
            74.0
        } else {
            RIGHT.max(half)
        };
        let labels = y.ticks(ends.1, 7);
        let longest = labels.iter().map(|t| width(&y.tick(*t, ends.1), SMALL));
        let left = 38.0 + longest.fold(14.0, f64::max);
        let (w, h) = (f64::from(size.0), f64::from(size.1));
        Self {
            title,
            x,
            y,
            ends,
            right,
            area: [
                left,
                top,
                (w - left - right).max(20.0),
                (h - top - BELOW).max(20.0),
            ],
        }
    }

    /// The same with at least so much room to the left and to the right of the axes.
    pub fn between(mut self, (left, right): (f64, f64)) -> Self {
        let (more, less) = (
            (left - self.area[0]).max(0.0),
            (right - self.right).max(0.0),
        );
        self.area[0] += more;
        self.right += less;
        self.area[2] = (self.area[2] - more - less).max(20.0);
        self
    }

    /// The same with a metre as long in both directions: the area shrinks, the ends stay.
    pub fn to_scale(mut self, tallest: f64) -> Self {
        let ((a, b), (c, d)) = self.ends;
        let ratio = (d - c) / (b - a);
        let [_, _, w, _] = self.area;
        let h = (w * ratio).min(tallest);
        self.area[2] = h / ratio;
        self.area[3] = h;
        self
    }

    /// Width and height of the picture without a key.
    pub fn size(&self, least: f64) -> (f64, f64) {
        let [l, t, w, h] = self.area;
        ((l + w + self.right).max(least), t + h + BELOW)
    }

    /// A point in axis coordinates, in pixels from the corner of the area.
    pub fn inside(&self, (px, py): (f64, f64)) -> (f64, f64) {
        let ((a, b), (c, d)) = self.ends;
        let [_, _, w, h] = self.area;
        ((px - a) / (b - a) * w, h - (py - c) / (d - c) * h)
    }

    /// The title over the axes; one that is wider than the picture in two smaller lines.
    fn draw_title(&self, svg: &mut Svg) {
        let [l, _, w, _] = self.area;
        let middle = l + 0.5 * w;
        let room = 2.0 * middle.min(0.5 * w + self.right);
        if self.title.is_empty() {
            return;
        }
        if width(self.title, TITLE) <= room {
            svg.text((middle, 24.0), Anchor::Middle, TITLE, self.title);
            return;
        }
        let half = self.title.len() / 2;
        let spaces = self.title.match_indices(' ').map(|(k, _)| k);
        let cut = spaces.min_by_key(|k| k.abs_diff(half)).unwrap_or(0);
        let lines = [self.title[..cut].trim(), self.title[cut..].trim()];
        let longest = lines.map(|line| width(line, SMALL)).into_iter();
        // Of the widths that are estimated, 12 points are still read in print.
        let size = SMALL * (room / longest.fold(room, f64::max)).max(12.0 / SMALL);
        for (line, y) in lines.into_iter().zip([14.0, 31.0]) {
            svg.text((middle, y), Anchor::Middle, size, line);
        }
    }

    /// So many ticks stand on the horizontal axis that no label touches the next.
    fn across(&self) -> usize {
        let most = (self.area[2] / 70.0).clamp(2.0, 9.0) as usize;
        let apart = |most: &usize| {
            let places = self.x.ticks(self.ends.0, *most);
            let at = |place: f64| self.inside((place, self.ends.1.0)).0;
            let half = |place: f64| 0.5 * width(&self.x.tick(place, self.ends.0), SMALL);
            places.windows(2).all(|pair| {
                let (a, b) = (pair[0], pair[1]);
                at(b) - half(b) - at(a) - half(a) >= GAP
            })
        };
        (2..=most).rev().find(apart).unwrap_or(2)
    }

    /// Title, axes, ticks, names, and a grid unless cells cover it.
    pub fn draw(&self, svg: &mut Svg, grid: bool) {
        let [l, t, w, h] = self.area;
        self.draw_title(svg);
        let (mut lines, mut ticks) = (String::new(), String::new());
        svg.raw("<g class=\"ticks\">");
        let across = self.across();
        let mut end = f64::NEG_INFINITY;
        for place in self.x.ticks(self.ends.0, across) {
            let x = l + self.inside((place, self.ends.1.0)).0;
            lines.push_str(&format!("M{0} {1}v{2}", n(x), n(t), n(h)));
            ticks.push_str(&format!("M{0} {1}v5", n(x), n(t + h)));
            let words = self.x.tick(place, self.ends.0);
            // Three long numbers are more than a narrow picture has room for.
            let half = 0.5 * width(&words, SMALL);
            if x - half >= end {
                svg.text((x, t + h + 19.0), Anchor::Middle, SMALL, &words);
                end = x + half + GAP;
            }
        }
        let up = (h / 40.0).clamp(2.0, 7.0) as usize;
        for place in self.y.ticks(self.ends.1, up) {
            let y = t + self.inside((self.ends.0.0, place)).1;
            lines.push_str(&format!("M{0} {1}h{2}", n(l), n(y), n(w)));
            ticks.push_str(&format!("M{0} {1}h-5", n(l), n(y)));
            let words = self.y.tick(place, self.ends.1);
            svg.text((l - 8.0, y + 4.5), Anchor::End, SMALL, &words);
        }
        if grid {
            svg.path(&lines, &stroke(GRID, 1.0));
        }
        self.other_sides(svg, &mut ticks, (across, up));
        svg.path(&ticks, &stroke(INK, 1.0));
        svg.raw("</g>");
        svg.text(
            (l + 0.5 * w, t + h + 40.0),
            Anchor::Middle,
            NAME,
            &self.x.label,
        );
        self.draw_upright_name(svg);
    }

    /// The name of the vertical axis; one that is longer than the picture is high in two smaller lines.
    fn draw_upright_name(&self, svg: &mut Svg) {
        let [_, t, _, h] = self.area;
        let (words, middle) = (self.y.label.as_str(), t + 0.5 * h);
        let half = words.len() / 2;
        let spaces = words.match_indices(' ').map(|(k, _)| k);
        let cut = spaces.min_by_key(|k| k.abs_diff(half));
        match cut.filter(|_| width(words, NAME) > 2.0 * middle.min(0.5 * h + BELOW)) {
            None => svg.upright((16.0, middle), NAME, words),
            Some(cut) => {
                svg.upright((12.0, middle), SMALL, words[..cut].trim());
                svg.upright((27.0, middle), SMALL, words[cut..].trim());
            }
        }
    }

    /// Ticks and names of the axes on the other sides.
    fn other_sides(&self, svg: &mut Svg, ticks: &mut String, (across, up): (usize, usize)) {
        let [l, t, w, h] = self.area;
        let share = |(a, b): (f64, f64), place: f64| (place - a) / (b - a);
        if let Some((axis, ends)) = self.x.other(self.ends.0) {
            for place in axis.ticks(ends, across) {
                let x = l + share(ends, place) * w;
                ticks.push_str(&format!("M{0} {1}v-5", n(x), n(t)));
                let words = axis.tick(place, ends);
                svg.text((x, t - 9.0), Anchor::Middle, SMALL, &words);
            }
            svg.text((l + 0.5 * w, t - 27.0), Anchor::Middle, NAME, &axis.label);
        }
        if let Some((axis, ends)) = self.y.other(self.ends.1) {
            for place in axis.ticks(ends, up) {
                let y = t + h - share(ends, place) * h;
                ticks.push_str(&format!("M{0} {1}h5", n(l + w), n(y)));
                let words = axis.tick(place, ends);
                svg.text((l + w + 8.0, y + 4.5), Anchor::Start, SMALL, &words);
            }
            svg.upright((l + w + 66.0, t + 0.5 * h), NAME, &axis.label);
        }
    }

    /// Opens the space between the axes: what is drawn is cut at its borders, its origin is the upper left corner.
    pub fn open(&self, svg: &mut Svg) {
        let [l, t, w, h] = self.area.map(n);
        svg.raw(&format!(
            "<svg class=\"area\" x=\"{l}\" y=\"{t}\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" preserveAspectRatio=\"none\">"
        ));
    }

    /// Closes it with a border.
    pub fn close(&self, svg: &mut Svg) {
        svg.raw("</svg>");
        let [l, t, w, h] = self.area;
        svg.rectangle((l, t), (w, h), "none", Some(INK));
    }

    /// What a script needs to know of the axes.
    pub fn data(&self) -> String {
        let [l, t, w, h] = self.area.map(n);
        let ((a, b), (c, d)) = self.ends;
        format!(
            " class=\"chart\" data-area=\"{l} {t} {w} {h}\" data-x=\"{a} {b} {}\" data-y=\"{c} {d} {}\"",
            u8::from(self.x.log),
            u8::from(self.y.log)
        )
    }
}

/// Draws something with its middle at a point.
pub(crate) type Mark = dyn Fn(&mut Svg, f64, f64);

/// One entry of a key: what stands before the words, drawn with its middle at a point, and the words.
pub(crate) struct Entry {
    pub words: String,
    pub mark: Box<Mark>,
    /// The series it switches, for a script.
    pub series: Option<usize>,
}

/// Height of a line of a key.
const LINE: f64 = 21.0;

/// Draws a key below a chart, in lines as wide as the picture; returns its height.
pub(crate) fn key(svg: &mut Svg, entries: &[Entry], (left, top, right): (f64, f64, f64)) -> f64 {
    const MARK: f64 = 34.0;
    const GAP: f64 = 16.0;
    let (mut x, mut row) = (left, 0.0);
    for entry in entries {
        let wide = MARK + width(&entry.words, SMALL);
        if x + wide > right && x > left {
            (x, row) = (left, row + 1.0);
        }
        let y = top + LINE * (row + 0.5);
        let series = entry
            .series
            .map_or(String::new(), |k| format!(" data-series=\"{k}\""));
        svg.raw(&format!("<g class=\"key\"{series}>"));
        (entry.mark)(svg, x + 13.0, y);
        svg.text(
            (x + MARK - 4.0, y + 4.5),
            Anchor::Start,
            SMALL,
            &entry.words,
        );
        svg.raw("</g>");
        x += wide + GAP;
    }
    if entries.is_empty() {
        0.0
    } else {
        LINE * (row + 1.0) + 8.0
    }
}
