//! What a run answers: a verdict in plain words and the three figures that decide it. The page, the terminal and
//! `result.json` all say this one sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Verdict of the run and the numbers that decide it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// The verdict in a sentence, with the results that decide it and the assumptions on which it rests.
    pub verdict: String,
    /// Judgement of the verdict.
    pub judgement: Judgement,
    /// The verdict as a short name without numbers. The value of a key at which this name changes is a limit.
    pub outcome: String,
    /// The three numbers that decide the verdict.
    pub figures: [Figure; 3],
}

/// Meaning of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// The condition that the scene states is met.
    Holds,
    /// The condition that the scene states is not met.
    Fails,
    /// The run cannot decide whether the condition is met.
    Undecided,
    /// The scene states no condition; the run gives results only.
    Measured,
}

/// A number that decides the verdict of a run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Figure {
    /// Name of the quantity in words.
    pub quantity: String,
    /// Value of the quantity; null if the run does not compute it.
    pub value: Option<f64>,
    /// Unit of the quantity; empty for a plain number, `%` for a percentage.
    pub unit: &'static str,
}

impl Figure {
    /// A figure; a value that is not finite is none.
    #[must_use]
    pub fn new(quantity: &str, value: impl Into<Option<f64>>, unit: &'static str) -> Self {
        Self {
            quantity: quantity.to_owned(),
            value: value.into().filter(|v: &f64| v.is_finite()),
            unit,
        }
    }

    /// The friction coefficient that a motion without slip needs; infinite where the block would jump, which none
    /// prevents.
    #[must_use]
    pub fn needed_friction(quantity: &str, value: Option<f64>) -> Self {
        match value {
            Some(f64::INFINITY) => Self::new(
                &format!("{quantity} (uplift: no friction prevents it)"),
                None,
                "",
            ),
            value => Self::new(quantity, value, ""),
        }
    }

    /// A number of things.
    #[must_use]
    pub fn count(quantity: &str, value: impl TryInto<u64>) -> Self {
        let value = value.try_into().ok().map(|n: u64| n as f64);
        Self::new(quantity, value, "")
    }

    /// Value and unit in words.
    #[must_use]
    pub fn words(&self) -> String {
        match (self.value, self.unit) {
            (None, _) => "none".to_owned(),
            (Some(value), "") => short(value),
            (Some(value), unit) => format!("{} {unit}", short(value)),
        }
    }
}

/// A summary with the answer before it, as `result.json` holds them.
#[derive(Debug, Serialize)]
pub struct Answered<'a, S: Serialize> {
    answer: Answer,
    #[serde(flatten)]
    summary: &'a S,
}

impl<'a, S: Serialize> Answered<'a, S> {
    /// Both.
    #[must_use]
    pub fn new(answer: Answer, summary: &'a S) -> Self {
        Self { answer, summary }
    }
}

/// A number to four figures as a reader writes it: no exponent between a thousandth and a hundred million, thousands
/// apart.
#[must_use]
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 {
            "0".into()
        } else {
            value.to_string()
        };
    }
    if !(1e-3..1e8).contains(&size) {
        return scientific(value);
    }
    let places = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.places$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    thousands(text)
}

/// 1234567.5 as 1 234 567.5, with narrow spaces that do not break: a comma would part two numbers of a list.
fn thousands(text: &str) -> String {
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text), |rest| ("-", rest));
    let (whole, part) = rest
        .split_once('.')
        .map_or((rest, None), |(w, p)| (w, Some(p)));
    if whole.len() < 5 {
        return text.to_owned();
    }
    let mut grouped = String::new();
    for (k, digit) in whole.chars().enumerate() {
        if k > 0 && (whole.len() - k).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    match part {
        Some(part) => format!("{sign}{grouped}.{part}"),
        None => format!("{sign}{grouped}"),
    }
}

/// 1.5e-6 as 1.5·10⁻⁶.
fn scientific(value: f64) -> String {
    let text = format!("{value:.3e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| match c.to_digit(10) {
        Some(d) => digits.get(d as usize).copied().unwrap_or(c),
        None => '⁻',
    };
    let exponent: String = exponent.chars().map(raised).collect();
    format!("{mantissa}·10{exponent}")
}

/// A length in the unit that suits it: 0.0000012 m as 1.2 µm.
#[must_use]
pub fn length(metres: f64) -> String {
    let size = metres.abs();
    match size {
        s if s == 0.0 || s >= 0.1 => format!("{} m", short(metres)),
        s if s >= 1e-4 => format!("{} mm", short(1e3 * metres)),
        s if s >= 1e-7 => format!("{} µm", short(1e6 * metres)),
        _ => format!("{} nm", short(1e9 * metres)),
    }
}

/// A share as a percentage: two figures under 10 %.
#[must_use]
pub fn percent(share: f64) -> String {
    let value = 100.0 * share;
    match value {
        v if v == 0.0 || v >= 99.95 => format!("{v:.0} %"),
        v if v < 0.1 => "under 0.1 %".to_owned(),
        v if !(10.0..=90.0).contains(&v) => format!("{v:.1} %"),
        v => format!("{v:.0} %"),
    }
}

/// "1 rock", "2 rocks".
#[must_use]
pub fn counted(count: u64, one: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{} {one}{s}", short(count as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_a_reader_writes_them() {
        for (value, said) in [
            (0.0, "0"),
            (812.3456, "812.3"),
            (1.5, "1.5"),
            (-0.012345, "-0.01235"),
            (1234.0, "1234"),
            (123_456.7, "123\u{202f}457"),
            (1.5e-6, "1.5·10⁻⁶"),
            (3e12, "3·10¹²"),
        ] {
            assert_eq!(short(value), said);
        }
        assert_eq!(length(1.2e-6), "1.2 µm");
        assert_eq!(length(0.0345), "34.5 mm");
        assert_eq!(
            [percent(0.362), percent(0.0721), percent(1.0)],
            ["36 %", "7.2 %", "100 %"]
        );
        assert_eq!(
            [counted(1, "rock"), counted(20_000, "rock")],
            ["1 rock", "20\u{202f}000 rocks"]
        );
    }
}
