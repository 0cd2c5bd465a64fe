//! Numbers in a text, and whether two texts agree but for the last digit of their numbers.

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// What is no number.
    Text(String),
    /// A number as it is written.
    Number(String),
}

/// The parts of a text. A number begins with a digit that follows no letter, and may have a sign, a point and an
/// exponent.
pub fn parts(text: &str) -> Vec<Part> {
    let chars: Vec<char> = text.chars().collect();
    let (mut parts, mut words, mut at) = (Vec::new(), String::new(), 0);
    while at < chars.len() {
        let before = at.checked_sub(1).map(|k| chars[k]);
        let inside_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if !chars[at].is_ascii_digit() || inside_word {
            words.push(chars[at]);
            at += 1;
            continue;
        }
        let end = end_of_number(&chars, at);
        let mut number: String = chars[at..end].iter().collect();
        // A sign belongs to a number where nothing that could be subtracted from stands before it.
        let signed = words.ends_with(['-', '−']);
        let subtracted = match words.chars().rev().nth(1) {
            Some(c) => c.is_alphanumeric() || c == ')',
            None => !parts.is_empty(),
        };
        if signed && !subtracted {
            words.pop();
            number.insert(0, '-');
        }
        if !words.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut words)));
        }
        parts.push(Part::Number(number));
        at = end;
    }
    if !words.is_empty() {
        parts.push(Part::Text(words));
    }
    parts
}

fn end_of_number(chars: &[char], mut at: usize) -> usize {
    let digit = |k: usize| chars.get(k).is_some_and(char::is_ascii_digit);
    // 92,000 is one number, "1, 2" and "0,1,2" are several.
    let thousands =
        |k: usize| chars.get(k) == Some(&',') && (1..4).all(|n| digit(k + n)) && !digit(k + 4);
    while digit(at) || thousands(at) {
        at += 1;
    }
    if chars.get(at) == Some(&'.') && digit(at + 1) {
        at += 1;
        while digit(at) {
            at += 1;
        }
    }
    if matches!(chars.get(at), Some('e' | 'E')) {
        let sign = usize::from(matches!(chars.get(at + 1), Some('-' | '+')));
        if digit(at + 1 + sign) {
            at += 1 + sign;
            while digit(at) {
                at += 1;
            }
        }
    }
    at
}

/// Value of a number as it is written, and half a unit of its last digit.
pub fn value(number: &str) -> (f64, f64) {
    let plain = number.replace(',', "");
    let value: f64 = plain.parse().unwrap();
    let (digits, exponent) = plain.split_once(['e', 'E']).unwrap_or((&plain, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, after)| after.len());
    let decimals = i32::try_from(decimals).unwrap();
    (
        value,
        0.5 * 10f64.powi(exponent.parse::<i32>().unwrap() - decimals),
    )
}

/// Whether a number as it is written may be the rounding of a value.
pub fn rounds_to(found: f64, written: &str) -> bool {
    let (value, half) = value(written);
    (found - value).abs() <= half * (1.0 + 1e-9)
}

/// Whether two texts are the same but for a unit of the last digit of their numbers; whole numbers are the same.
pub fn agree(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (parts(shown), parts(printed));
    shown.len() == printed.len()
        && shown.iter().zip(&printed).all(|pair| match pair {
            (Part::Number(a), Part::Number(b)) if a.contains('.') && b.contains('.') => {
                let ((a, half_a), (b, half_b)) = (value(a), value(b));
                (a - b).abs() <= 2.0 * half_a.min(half_b) * (1.0 + 1e-9)
            }
            (a, b) => a == b,
        })
}

/// A number as it is written, with four digits where it has more and is not whole.
pub fn short(number: &str) -> String {
    match number.parse::<f64>() {
        Ok(value) if number.contains('.') && value != 0.0 && number.len() > 6 => {
            let before = value.abs().log10().floor();
            let decimals = (3.0 - before).clamp(0.0, 12.0);
            format!("{value:.*}", decimals as usize)
        }
        _ => number.to_owned(),
    }
}

/// The numbers of a text as they are written.
pub fn numbers(text: &str) -> Vec<String> {
    let number = |part| match part {
        Part::Number(number) => Some(number),
        Part::Text(_) => None,
    };
    parts(text).into_iter().filter_map(number).collect()
}

#[test]
fn numbers_are_read_as_they_are_written() {
    let found = numbers("R_n 0.35 in -3.5e-4 of 92,000 (1,2) k_n2 1.0.0 6-7 −2 m 10⁻¹¹");
    assert_eq!(
        found,
        [
            "0.35", "-3.5e-4", "92,000", "1", "2", "1.0", "6", "7", "-2", "10"
        ]
    );
    assert!(rounds_to(1051.03, "1051") && rounds_to(0.1449, "0.14") && !rounds_to(0.1449, "0.15"));
    assert!(agree("it falls after 3.28 s", "it falls after 3.29 s"));
    assert!(!agree("it falls after 3.28 s", "it falls after 3.30 s"));
    assert!(!agree("it falls after 3.28 s", "it stands after 3.28 s"));
    assert!(!agree("3 fall", "2 fall") && !agree("1 m", "0.9 m"));
    assert_eq!(
        ["1134.8367", "0.08842589", "-0.0", "9775"].map(short),
        ["1135", "0.08843", "-0.0", "9775"]
    );
}
