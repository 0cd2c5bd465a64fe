//! The step of equally spaced values, as the lines above them state it.

use super::text::{fortran_format, number, words};

/// Whether a header states the step of the values below it.
pub fn states_a_step(header: &[&str]) -> bool {
    let mut steps = header
        .iter()
        .map(|line| stated_step(line).or_else(|| stated_rate(line)));
    steps.any(|step| step.is_some())
}

/// Words for the step, in the languages that headers come in.
const STEPS: [&str; 14] = [
    "DT",
    "STEP",
    "STEP_S",
    "DT_S",
    "INTERVAL",
    "INTERVALS",
    "SPACING",
    "INTERVALO",
    "PASO",
    "INTERVALLO",
    "PASSO",
    "INTERVALLE",
    "ABTASTINTERVALL",
    "ZEITSCHRITT",
];

/// Words between the one for the step and its number.
const PASSED_OVER: [&str; 16] = [
    "OF",
    "IS",
    "S",
    "SEC",
    ",",
    "#",
    "%",
    "DE",
    "DI",
    "DEL",
    "MUESTREO",
    "TIEMPO",
    "CAMPIONAMENTO",
    "TEMPO",
    "TEMPS",
    "SEG",
];

/// The number of values and their step (s) in the line above them that SHAKE reads, with the format of the values in
/// Fortran's words: "1000 0.010 8F9.6", "4096 .01 (8F10.6)".
pub fn count_and_step(line: &str) -> Option<(usize, f64)> {
    let words: Vec<String> = words(line).into_iter().filter(|word| word != ",").collect();
    let [count, step, format] = &words[..] else {
        return None;
    };
    fortran_format(&format!("({format})"))?;
    let (count, step) = (count.parse().ok()?, number(step)?);
    (count > 1 && step > 0.0).then_some((count, step))
}

/// The step (s) that a line of text states.
pub fn stated_step(line: &str) -> Option<f64> {
    if let Some((_, step)) = count_and_step(line) {
        return Some(step);
    }
    let words = words(line);
    let after = words
        .iter()
        .position(|word| STEPS.contains(&word.as_str()))?;
    let mut behind = words[after + 1..]
        .iter()
        .filter(|word| !PASSED_OVER.contains(&word.as_str()));
    let step = number(behind.next()?)?;
    let at = words.iter().position(|word| number(word) == Some(step))?;
    // Milliseconds are another step.
    let unit = words.get(at + 1).map(|unit| unit.trim_end_matches('.'));
    // "Paso alto" is a filter, and so is what has a frequency.
    if unit.is_some_and(|unit| unit.starts_with("HZ")) {
        return None;
    }
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
