use crate::PlotError;

/// Decades under which a logarithmic axis has the ticks of a linear one, and up to which it has ticks at 1, 2 and 5.
const A_DECADE: f64 = 1.0;
const FEW_DECADES: f64 = 3.5;

/// One axis: a label with its unit, a range, linear or logarithmic.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Name and unit, for example `t [s]`.
    pub label: String,
    /// Fixed ends; without them the data decide.
    pub range: Option<(f64, f64)>,
    /// Logarithmic to base 10.
    pub log: bool,
    /// Of whole numbers: no tick stands between two of them.
    pub whole: bool,
    /// The same values in another unit, on the other side of the chart: its name and the factor on a value.
    pub also: Option<(String, f64)>,
}

impl Axis {
    /// A linear axis whose range follows the data.
    #[must_use]
    pub fn new(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            range: None,
            log: false,
            whole: false,
            also: None,
        }
    }

    /// A logarithmic axis whose range follows the data.
    #[must_use]
    pub fn log(label: &str) -> Self {
        Self {
            log: true,
            ..Self::new(label)
        }
    }

    /// The same axis with fixed ends.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some((low, high));
        self
    }

    /// The same axis of numbers that count something.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self
    }

    /// The same axis with its values times a factor on the other side of the chart, under a name of their own.
    #[must_use]
    pub fn also(mut self, label: &str, factor: f64) -> Self {
        self.also = (factor.is_finite() && factor > 0.0).then(|| (label.to_owned(), factor));
        self
    }

    /// The axis on the other side and its ends in axis coordinates.
    pub(crate) fn other(&self, ends: (f64, f64)) -> Option<(Self, (f64, f64))> {
        let (label, factor) = self.also.as_ref()?;
        let scaled = |end: f64| match self.log {
            true => end + factor.log10(),
            false => end * factor,
        };
        let other = Self {
            label: label.clone(),
            log: self.log,
            ..Self::new("")
        };
        Some((other, (scaled(ends.0), scaled(ends.1))))
    }

    /// A value in axis coordinates (its logarithm on a logarithmic axis); not finite if it has no place.
    pub(crate) fn place(&self, value: f64) -> f64 {
        if self.log { value.log10() } else { value }
    }

    /// The ends in axis coordinates: the fixed range, or the data widened by 4 %.
    pub(crate) fn ends(
        &self,
        chart: &str,
        values: impl Iterator<Item = f64>,
    ) -> Result<(f64, f64), PlotError> {
        if let Some((low, high)) = self.range {
            let (a, b) = (self.place(low), self.place(high));
            return if a < b && drawable(a) && drawable(b) {
                Ok((a, b))
            } else {
                Err(PlotError::Range {
                    axis: self.label.clone(),
                    low,
                    high,
                })
            };
        }
        let (low, high) = values
            .map(|v| self.place(v))
            .filter(|v| v.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
                (a.min(v), b.max(v))
            });
        if low > high {
            return Err(PlotError::Empty {
                chart: chart.to_owned(),
            });
        }
        if !(drawable(low) && drawable(high)) {
            return Err(PlotError::Range {
                axis: self.label.clone(),
                low,
                high,
            });
        }
        let span = high - low;
        // A constant that wavers by rounding is a constant: it gets an axis of its own size.
        let margin = if span > 1e-9 * low.abs().max(high.abs()) {
            0.04 * span
        } else {
            0.5 * low.abs().max(1.0)
        };
        Ok((low - margin, high + margin))
    }

    /// Where ticks stand, in axis coordinates: at round values, some `most` of them.
    pub(crate) fn ticks(&self, ends: (f64, f64), most: usize) -> Vec<f64> {
        let span = ends.1 - ends.0;
        if !self.log {
            // Two numbers or fewer do not say how an axis runs.
            let finer = (most..=2 * most).map(|m| round(ends, m));
            let enough = |ticks: &Vec<f64>| ticks.len() > 2;
            let ticks = finer.into_iter().find(enough);
            let ticks = ticks.unwrap_or_else(|| round(ends, most));
            let close = ticks.windows(2).any(|t| t[1] - t[0] < 0.99);
            return match self.whole && (close || ticks.len() < 2) {
                true => multiples(ends, 1.0),
                false => ticks,
            };
        }
        let inside = |place: &f64| (ends.0..=ends.1).contains(place);
        if let Some(values) = within_a_decade(ends) {
            let places = round(values, most).into_iter().map(f64::log10);
            return places.filter(inside).collect();
        }
        let (low, high) = (ends.0.floor() as i32, ends.1.ceil() as i32);
        let steps: &[f64] = if span <= FEW_DECADES {
            &[1.0, 2.0, 5.0]
        } else {
            &[1.0]
        };
        let apart = 1 + (high - low) as usize / (2 * most);
        let decades = (low..=high).step_by(apart);
        decades
            .flat_map(|decade| steps.iter().map(move |s| f64::from(decade) + s.log10()))
            .filter(inside)
            .collect()
    }

    /// The tick label at an axis coordinate.
    pub(crate) fn tick(&self, place: f64, ends: (f64, f64)) -> String {
        if self.log {
            let span = within_a_decade(ends).map_or(0.0, |(low, high)| high - low);
            number(10f64.powf((place * 1e9).round() * 1e-9), span)
        } else {
            number(place, ends.1 - ends.0)
        }
    }
}

/// The values at the ends of a logarithmic axis that is shorter than a decade, where they have room for ticks.
fn within_a_decade((low, high): (f64, f64)) -> Option<(f64, f64)> {
    let values = (10f64.powf(low), 10f64.powf(high));
    (high - low < A_DECADE && values.0.is_normal() && drawable(values.1)).then_some(values)
}

/// At most so many round values between two ends, 1, 2 or 5 times a power of ten apart.
fn round((low, high): (f64, f64), most: usize) -> Vec<f64> {
    let least = (high - low) / most.max(1) as f64;
    let decade = 10f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * decade);
    let Some(step) = step.into_iter().find(|s| *s >= least * (1.0 - 1e-12)) else {
        return Vec::new();
    };
    multiples((low, high), step)
}

/// The multiples of a step between two ends, ends included.
fn multiples((low, high): (f64, f64), step: f64) -> Vec<f64> {
    const MAX_TICKS: f64 = 200.0;
    let slack = 1e-9;
    let (first, last) = ((low / step - slack).ceil(), (high / step + slack).floor());
    if !(step > 0.0 && last - first < MAX_TICKS) {
        return Vec::new();
    }
    (0..=(last - first).max(-1.0) as i64)
        .take(if last < first { 0 } else { usize::MAX })
        .map(|k| (first + k as f64) * step)
        .collect()
}

/// Ends of an axis have a length and room for ticks.
fn drawable(end: f64) -> bool {
    end.abs() < 1e300
}

/// A short decimal: as many places as the span asks for; powers of ten only where they are shorter.
pub(crate) fn number(value: f64, span: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (span > 0.0 && size < span * 1e-9) {
        return "0".to_owned();
    }
    // Map coordinates: what differs along the axis must show, however large the number.
    let fine = span > 0.0 && span < 1e-2 * size;
    let plain = (1e-3..1e7).contains(&size) || (fine && size < 1e9);
    if !plain {
        let text = format!("{value:.2e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return match trimmed(mantissa) {
            "1" => format!("10{}", raised(exponent)),
            "-1" => format!("-10{}", raised(exponent)),
            short => format!("{short}·10{}", raised(exponent)),
        };
    }
    let places = if span > 0.0 {
        (2.0 - span.log10()).ceil().clamp(0.0, 6.0) as usize
    } else {
        (1.0 - size.log10().floor()).clamp(0.0, 6.0) as usize
    };
    trimmed(&format!("{value:.places$}")).to_owned()
}

/// An exponent as it is written over the line.
fn raised(exponent: &str) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let letter = |c: char| match c {
        '-' => '⁻',
        c => c
            .to_digit(10)
            .and_then(|d| digits.get(d as usize).copied())
            .unwrap_or(c),
    };
    exponent.chars().map(letter).collect()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.5, 10.0), "0.5");
        assert_eq!(number(120.0, 1000.0), "120");
        assert_eq!(number(1e-17, 1.0), "0");
        assert_eq!(number(2.5e8, 1e9), "2.5·10⁸");
        assert_eq!(number(1e-5, 1e-4), "10⁻⁵");
        assert_eq!(number(381_000.0, 5000.0), "381000");
        assert_eq!(number(0.1, 0.0), "0.1");
        assert_eq!(number(2_600_125.0, 500.0), "2600125");
    }

    #[test]
    fn ticks_of_a_logarithmic_axis_are_round() {
        let labels = |low: f64, high: f64| {
            let axis = Axis::log("x");
            let ends = (low.log10(), high.log10());
            let ticks = axis.ticks(ends, 8);
            ticks
                .into_iter()
                .map(|t| axis.tick(t, ends))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(99.0, 310.0), ["100", "150", "200", "250", "300"]);
        assert_eq!(
            labels(0.1, 12.0),
            ["0.1", "0.2", "0.5", "1", "2", "5", "10"]
        );
        assert_eq!(labels(0.5, 2e4), ["1", "10", "100", "1000", "10000"]);
        assert!((4..=17).contains(&labels(1e-40, 1e60).len()));
        // a decade that is no range of numbers with room for ticks
        for (low, high) in [(2e307, 1.79e308), (5e-324, 4e-323)] {
            assert!(labels(low, high).len() < 4, "{low}");
        }
    }

    #[test]
    fn a_range_must_be_open_and_positive_on_a_log_axis() {
        let ends = |axis: Axis| axis.ends("c", std::iter::empty());
        assert!(matches!(
            ends(Axis::new("x").range(1.0, 1.0)),
            Err(PlotError::Range { .. })
        ));
        assert!(matches!(
            ends(Axis::log("x").range(0.0, 1.0)),
            Err(PlotError::Range { .. })
        ));
        let wide = Axis::new("x").ends("c", [-1e308, 1e308].into_iter());
        assert!(matches!(wide, Err(PlotError::Range { .. })));
        assert!(matches!(ends(Axis::new("x")), Err(PlotError::Empty { .. })));
        assert_eq!(ends(Axis::log("x").range(0.1, 100.0)), Ok((-1.0, 2.0)));
    }
}
