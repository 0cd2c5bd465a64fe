use crate::svg::{Anchor, INK, SMALL, Svg, TITLE, n, stroke, width};
use crate::{Colour, PlotError};

/// Within a limit, beyond it, and without one.
const WITHIN: Colour = Colour(64, 130, 92);
const BEYOND: Colour = Colour(176, 48, 40);
const FREE: Colour = Colour(120, 130, 140);

/// Height of the title, of a row, of its words above its bar, and of the bar (px).
const HEAD: f64 = 36.0;
const ROW: f64 = 46.0;
const BASELINE: f64 = 14.0;
const BAR: f64 = 15.0;
const SIDE: f64 = 12.0;

/// One bar: a value, what is known of it, and what it must not exceed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// Name, to the left above the bar.
    pub name: String,
    /// Value and limit in words, to the right above the bar.
    pub words: String,
    /// Value; from 0.
    pub value: f64,
    /// Ends of its confidence interval; an end that is not finite is not drawn.
    pub interval: Option<(f64, f64)>,
    /// Limit, a mark across the bar.
    pub limit: Option<f64>,
}

/// Values against their limits, a bar each, all to one scale from 0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels {
    /// Title above the bars.
    pub title: String,
    /// The bars.
    pub rows: Vec<Level>,
    /// Width in pixels.
    pub width: u32,
}

impl Levels {
    /// The picture as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Empty`] without a finite value.
    pub fn svg(&self) -> Result<String, PlotError> {
        let most = self
            .rows
            .iter()
            .flat_map(Level::numbers)
            .fold(0.0, f64::max);
        if !self.rows.iter().any(|row| row.value.is_finite()) {
            return Err(PlotError::Empty {
                chart: self.title.clone(),
            });
        }
        let wide = f64::from(self.width);
        let scale = (wide - 2.0 * SIDE - 6.0) / most.max(f64::MIN_POSITIVE);
        let mut svg = Svg::default();
        svg.text((SIDE, 22.0), Anchor::Start, TITLE, &self.title);
        for (k, row) in self.rows.iter().enumerate() {
            row.draw(&mut svg, (HEAD + ROW * k as f64, wide), scale);
        }
        let height = HEAD + ROW * self.rows.len() as f64 + 4.0;
        let said = self.rows.iter();
        let said: Vec<String> = said
            .map(|row| format!("{}: {}", row.name, row.words))
            .collect();
        let words = format!("{}: {}", self.title, said.join("; "));
        Ok(svg.finish((wide, height), &words, ""))
    }
}

impl Level {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let (low, high) = self.interval.unzip();
        [Some(self.value), low, high, self.limit]
            .into_iter()
            .flatten()
            .filter(|x| x.is_finite())
    }

    fn draw(&self, svg: &mut Svg, (top, wide): (f64, f64), scale: f64) {
        let room = wide - 2.0 * SIDE - width(&self.words, SMALL) - 12.0;
        let name = shortened(&self.name, room);
        svg.text((SIDE, top + BASELINE), Anchor::Start, SMALL, &name);
        svg.text(
            (wide - SIDE, top + BASELINE),
            Anchor::End,
            SMALL,
            &self.words,
        );
        let y = top + BASELINE + 6.0;
        let at = |value: f64| SIDE + scale * value.max(0.0);
        let middle = y + 0.5 * BAR;
        svg.line(
            (SIDE, middle),
            (wide - SIDE, middle),
            Colour(214, 218, 222),
            1.0,
        );
        if self.value.is_finite() {
            let colour = match self.limit {
                None => FREE,
                Some(limit) if self.value <= limit => WITHIN,
                Some(_) => BEYOND,
            };
            let size = (at(self.value) - SIDE, BAR);
            svg.rectangle((SIDE, y), size, &colour.to_string(), None);
        }
        if let Some((low, high)) = self.interval {
            let ends = [low, high].map(|end| at(end.clamp(0.0, f64::MAX)));
            let shown = [low, high].map(f64::is_finite);
            let from = if shown[0] { ends[0] } else { at(self.value) };
            let to = if shown[1] { ends[1] } else { wide - SIDE };
            let mut path = format!("M{} {1}L{2} {1}", n(from), n(middle), n(to));
            for (end, _) in ends.iter().zip(shown).filter(|(_, shown)| *shown) {
                path.push_str(&format!("M{} {}v8", n(*end), n(middle - 4.0)));
            }
            svg.path(&path, &stroke(INK, 1.4));
        }
        if let Some(limit) = self.limit.filter(|limit| limit.is_finite()) {
            svg.line((at(limit), y - 4.0), (at(limit), y + BAR + 4.0), INK, 3.5);
        }
    }
}

/// A name in a room (px), with its end left away where it is longer.
fn shortened(name: &str, room: f64) -> String {
    if width(name, SMALL) <= room {
        return name.to_owned();
    }
    let kept = name.chars().count().saturating_sub(1);
    let fits = |count: &usize| width(name, SMALL) * *count as f64 <= room * (kept + 1) as f64;
    let count = (1..=kept).rev().find(fits).unwrap_or(1);
    let kept: String = name.chars().take(count.saturating_sub(1).max(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(value: f64, limit: Option<f64>) -> Level {
        Level {
            name: "net <upper>".to_owned(),
            words: "5".to_owned(),
            value,
            interval: Some((0.5 * value, f64::INFINITY)),
            limit,
        }
    }

    fn picture(rows: Vec<Level>) -> Result<String, PlotError> {
        Levels {
            title: "Energy".to_owned(),
            rows,
            width: 340,
        }
        .svg()
    }

    /// The colour tells a value beyond its limit from one within; a limit is met at equality.
    #[test]
    fn a_bar_has_the_colour_of_its_side_of_the_limit() {
        for (value, limit, colour) in [
            (5.0, Some(5.0), WITHIN),
            (5.1, Some(5.0), BEYOND),
            (5.0, None, FREE),
        ] {
            let svg = picture(vec![level(value, limit)]).unwrap();
            for other in [WITHIN, BEYOND, FREE] {
                let drawn = svg.contains(&format!("fill=\"{other}\""));
                assert_eq!(drawn, other == colour, "{value} {limit:?}");
            }
        }
    }

    /// Bars are to one scale: twice the value is twice the width.
    #[test]
    fn bars_are_to_one_scale() {
        let svg = picture(vec![level(2.0, None), level(4.0, None)]).unwrap();
        let widths: Vec<f64> = svg
            .split("<rect ")
            .skip(2)
            .filter_map(|r| r.split_once(" width=\"")?.1.split_once('"')?.0.parse().ok())
            .collect();
        assert!((widths[1] / widths[0] - 2.0).abs() < 1e-3, "{widths:?}");
    }

    #[test]
    fn a_picture_without_a_value_is_refused() {
        for rows in [vec![], vec![level(f64::NAN, Some(1.0))]] {
            assert!(matches!(picture(rows), Err(PlotError::Empty { .. })));
        }
    }
}
