//! The step of equally spaced values, as the lines above them state it.

use super::text::{number, words};

/// Whether a header states the step of the values below it.
pub fn states_a_step(header: &[&str]) -> bool {
    let mut steps = header
        .iter()
        .map(|line| stated_step(line).or_else(|| stated_rate(line)));
    steps.any(|step| step.is_some())
}

/// The step (s) that a line of text states.
pub fn stated_step(line: &str) -> Option<f64> {
    let words = words(line);
    let after = words.iter().position(|word| {
        [
            "DT",
            "STEP",
            "STEP_S",
            "DT_S",
            "INTERVAL",
            "INTERVALS",
            "SPACING",
        ]
        .contains(&word.as_str())
    })?;
    let mut behind = words[after + 1..]
        .iter()
        .filter(|word| !["OF", "IS", "S", "SEC", ",", "#", "%"].contains(&word.as_str()));
    let step = number(behind.next()?)?;
    let at = words.iter().position(|word| number(word) == Some(step))?;
    // Milliseconds are another step.
    let unit = words.get(at + 1).map(|unit| unit.trim_end_matches('.'));
    let in_milliseconds = unit.is_some_and(|unit| ["MS", "MSEC", "MILLISECONDS"].contains(&unit));
    (step > 0.0).then_some(if in_milliseconds { 1e-3 * step } else { step })
}

/// The step (s) of a sampling rate that a line of text states: "Sampling frequency: 200 Hz".
pub fn stated_rate(line: &str) -> Option<f64> {
    let words = words(line);
    let named = |word: &String| {
        let begins = |part| word.starts_with(part);
        // "4096 samples" is a number of values.
        word != "SAMPLES"
            && ["SAMPL", "MUESTREO", "CAMPIONAMENTO"]
                .into_iter()
                .any(begins)
    };
    let at = words.iter().position(named)?;
    let rates = ["HZ", "SPS", "SAMPLES/S", "SAMPLES/SEC", "PTS/SEC"];
    let rate = |k: usize| {
        let word = words.get(k)?;
        let unit = words
            .get(k + 1)
            .map(|unit| unit.trim_matches(['.', '[', ']']));
        match number(word) {
            Some(rate) => unit
                .is_some_and(|unit| rates.contains(&unit))
                .then_some(rate),
            None => number(word.strip_suffix("HZ")?),
        }
    };
    // "SAMPLING FREQUENCY (HZ) = 200" has its unit in the name.
    let in_name = |k: usize| {
        let unit = words.get(k.checked_sub(1)?)?;
        rates
            .contains(&unit.as_str())
            .then(|| number(words.get(k)?))?
    };
    // The frequencies of a filter are no rates.
    let of_filter = |word: &String| {
        let bare = word.trim_start_matches(|c: char| !c.is_alphabetic());
        let names = ["FILT", "LOW", "HIGH", "BAND", "CORNER", "CUT", "ANTI"];
        names.iter().any(|name| bare.starts_with(name))
    };
    let filter = words[at..].iter().position(of_filter);
    let behind = at + 1..filter.map_or(words.len(), |filter| at + filter);
    let rate = behind
        .clone()
        .find_map(rate)
        .or_else(|| behind.clone().find_map(in_name))?;
    (rate > 0.0).then_some(1.0 / rate)
}
