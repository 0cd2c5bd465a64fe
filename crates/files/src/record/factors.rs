//! Factors in a line above the values, by which they are perhaps meant to be multiplied.

use super::text::number;

/// The remark on a factor that a line above the numbers states ("scale = 0.5"): the values may be meant with it.
pub fn factor_told(text: &str) -> Option<String> {
    let is_row = |line: &&str| {
        let mut cells = line
            .split([',', ';', ' ', '\t'])
            .filter(|cell| !cell.is_empty());
        cells.clone().next().is_some() && cells.all(|cell| number(cell).is_some())
    };
    let above = text.lines().take(60).take_while(|line| !is_row(line));
    // "Full scale 2" and a magnitude on a scale are none.
    let mut stating = above
        .enumerate()
        .filter(|(_, line)| line.contains(['=', ':']));
    stating.find_map(|(k, line)| {
        let words = super::text::words(line);
        let named = |word: &String| ["SCALE", "SCALING", "FACTOR", "MULTIPLIER"].contains(&word.as_str());
        let at = words.iter().position(named)?;
        let between = |word: &&String| named(word) || ["OF", "IS", "BY"].contains(&word.as_str());
        let value = number(words[at..].iter().find(|word| !between(word))?)?;
        (value != 1.0).then(|| {
            format!("line {} states a factor of {value}, which is not applied: are the values those behind it?", k + 1)
        })
    })
}
