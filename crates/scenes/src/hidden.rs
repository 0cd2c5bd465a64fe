//! The errors behind the first that a check of values finds.

use std::ops::Range;

use anyhow::Error;

use crate::scene::Scene;
use klast_runs::problems::{Problem, Problems};
use klast_runs::spans::{Member, members};

/// More than these are told by the next attempt.
const MOST: usize = 20;

/// The first error and those behind it, each where it stands in the text. An error that names no value of the scene
/// ends the search.
///
/// What is refused is put right in two copies of the text by two values: an error behind it is one of the scene if both
/// have it.
fn collect(scene: &Scene, first: Error) -> Error {
    let original = scene.text().text.clone();
    let (mut copies, mut error) = ([original.clone(), original.clone()], first);
    let mut found: Vec<Problem> = Vec::new();
    // Values of another type stand before all others: behind them the checks of values begin.
    if let Some(problems) = error.chain().find_map(|e| e.downcast_ref::<Problems>()) {
        found.clone_from(&problems.list);
        for span in problems.list.iter().filter_map(|p| p.span.clone()) {
            put_right(scene, &mut copies, &span);
        }
        match next(scene, &copies) {
            Some(next) => error = next,
            None => return error,
        }
    }
    while found.len() < MOST {
        let said = bare(&format!("{error:#}"), &scene.text().name);
        let member = refused(&copies[0], &said, &found);
        let known = found.iter().any(|p| p.said == said);
        if known {
            break;
        }
        let Some(member) = member else {
            found.push(Problem::at_line(0, "", said));
            break;
        };
        let line = 1 + original.as_bytes()[..member.value.start]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        let mut problem = Problem::at_line(line, "", said);
        problem.span = Some(member.value.clone());
        found.push(problem);
        put_right(scene, &mut copies, &member.value);
        match next(scene, &copies) {
            Some(next) => error = next,
            None => break,
        }
    }
    let name = scene.text().name.clone();
    Error::new(Problems::new(found, &original)).context(name)
}

/// The error that both copies have; none if one of them is a scene, or they differ by what was put in.
fn next(scene: &Scene, copies: &[String; 2]) -> Option<Error> {
    let [one, other] = [0, 1].map(|k| scene.with_text(&copies[k]).and_then(|s| s.job()).err());
    let (one, other) = (one?, other?);
    let of_types = |e: &Error| e.chain().any(|e| e.is::<Problems>());
    // What is accepted may be up to a value that was put in.
    let found = |e: &Error| format!("{e:#}").split("accepted").next().map(str::to_owned);
    (!of_types(&one) && found(&one) == found(&other)).then_some(one)
}

/// Other values in the place of a single one.
fn put_right(scene: &Scene, copies: &mut [String; 2], place: &Range<usize>) {
    for (which, text) in copies.iter_mut().enumerate() {
        let Some(member) = members(text).into_iter().find(|m| m.value == *place) else {
            return;
        };
        let old = text.get(place.clone()).unwrap_or("").to_owned();
        if old.starts_with(['{', '[']) {
            return;
        }
        let tries = accepted(scene, &member.name, &old);
        let Some(new) = tries.get(which).or(tries.last()) else {
            return;
        };
        text.replace_range(place.clone(), &format!("{new:wide$}", wide = place.len()));
    }
}

/// An error without the name of its scene.
fn bare(said: &str, name: &str) -> String {
    let rest = said
        .strip_prefix(name)
        .map_or(said, |r| r.trim_start_matches(':').trim_start());
    rest.to_owned()
}

/// The member of the scene that an error is about: its value stands in the words before what is accepted, and a word of
/// its key too.
fn refused(text: &str, said: &str, found: &[Problem]) -> Option<Member> {
    let before = said.split("accepted").next()?;
    let token = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
    let numbers: Vec<f64> = before
        .split(token)
        .map(|t| t.trim_end_matches('.'))
        .filter_map(|t| t.parse().ok())
        .collect();
    let lower = before.to_lowercase();
    let fits = |m: &Member| {
        let value = text
            .get(m.value.clone())
            .and_then(|v| v.parse::<f64>().ok());
        let told = found
            .iter()
            .any(|p| p.span.as_ref().is_some_and(|s| s.start == m.value.start));
        !told
            && value.is_some_and(|v| {
                numbers
                    .iter()
                    .any(|n| n.to_bits() == v.to_bits() || (n - v).abs() <= 1e-12 * v.abs())
            })
    };
    let score = |m: &Member| {
        let words = m
            .name
            .split('_')
            .filter(|w| w.len() > 2 && lower.contains(w));
        words.count() + 3 * usize::from(lower.contains(&m.name))
    };
    let all = members(text);
    // Words about a file are about no number of the scene but those that stand beside its name.
    let file = all.iter().rfind(|m| {
        let value = text.get(m.value.clone()).unwrap_or_default();
        let Some(value) = value.strip_prefix('"').map(|v| v.trim_end_matches('"')) else {
            return false;
        };
        value.contains('.') && before.contains(&format!("{value}: "))
    });
    if let Some(file) = file {
        let beside = |m: &&Member| m.parents == file.parents && fits(m) && lower.contains(&m.name);
        let own = all.iter().find(beside).unwrap_or(file);
        return Some(own.clone());
    }
    // Words about an item of a list are about no value elsewhere.
    let list = said.split_once('[').and_then(|(name, _)| {
        let of_name = |m: &&Member| m.parents.is_empty() && m.name == name;
        all.iter().find(of_name).map(|m| m.value.clone())
    });
    let within = |m: &Member| {
        list.as_ref()
            .is_none_or(|l| l.start <= m.value.start && m.value.end <= l.end)
    };
    let mut near: Vec<Member> = all
        .iter()
        .filter(|m| fits(m) && within(m))
        .cloned()
        .collect();
    near.sort_by_key(|m| std::cmp::Reverse(score(m)));
    match &near[..] {
        [] => None,
        [one] => Some(one.clone()),
        [best, ..] if score(best) > 0 => Some(best.clone()),
        _ => None,
    }
}

/// Values that may be accepted: that of the key in the example of the kind, or a number near 1, and one near it; none
/// longer than the one that they replace, so that all places of the text stay.
fn accepted(scene: &Scene, key: &str, refused: &str) -> Vec<String> {
    let example = scene.kind().example;
    let own = members(example).into_iter().find(|m| m.name == key);
    let own = own.and_then(|m| example.get(m.value).map(str::to_owned));
    let number = own.filter(|v| v.parse::<f64>().is_ok());
    let half = refused.contains('.').then(|| "0.5".to_owned());
    let mut tries = number.into_iter().chain(half).chain(["1".to_owned()]);
    let fits = |v: &String| v.len() <= refused.len();
    let Some(first) = tries.find(fits) else {
        return Vec::new();
    };
    let near = match first.parse::<u64>() {
        Ok(whole) => (whole + 1).to_string(),
        Err(_) => first
            .parse::<f64>()
            .map_or(first.clone(), |v| (0.75 * v).to_string()),
    };
    let near = near.get(..refused.len()).unwrap_or(&near).to_owned();
    vec![first, near]
}

impl Scene {
    /// An error of [`Scene::job`] with those that it hides: what it refuses is put right in a copy, and the copy
    /// checked again.
    #[must_use]
    pub fn with_hidden(&self, first: anyhow::Error) -> anyhow::Error {
        collect(self, first)
    }
}
