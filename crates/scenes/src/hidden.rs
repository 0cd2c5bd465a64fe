//! The errors behind the first that a check of values finds.

use std::ops::Range;

use anyhow::Error;

use crate::job::Job;
use crate::problems::{Problem, Problems};
use crate::scene::Scene;
use crate::spans::{Member, members};

/// More than these are told by the next attempt.
const MOST: usize = 20;

/// The first error and those behind it, each where it stands in the text. An error that names no value of the scene ends the search.
pub fn collect(scene: &Scene, first: Error) -> Error {
    let original = scene.text().text.clone();
    let (mut text, mut error) = (original.clone(), first);
    let mut found: Vec<Problem> = Vec::new();
    // Values of another type stand before all others: behind them the checks of values begin.
    if let Some(problems) = error.chain().find_map(|e| e.downcast_ref::<Problems>()) {
        found.clone_from(&problems.list);
        for span in problems.list.iter().filter_map(|p| p.span.clone()) {
            put_right(scene, &mut text, span);
        }
        match job(scene, &text) {
            Err(next) if !next.chain().any(|e| e.is::<Problems>()) => error = next,
            _ => return error,
        }
    }
    while found.len() < MOST {
        let said = bare(&format!("{error:#}"), &scene.text().name);
        let member = refused(&text, &said, &found);
        let known = found.iter().any(|p| p.said == said);
        if known {
            break;
        }
        let Some(member) = member else {
            found.push(Problem::at_line(0, "", said));
            break;
        };
        let line = 1 + text.as_bytes()[..member.value.start]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        let mut problem = Problem::at_line(line, "", said);
        problem.span = Some(member.value.clone());
        found.push(problem);
        put_right(scene, &mut text, member.value.clone());
        match job(scene, &text) {
            Ok(_) => break,
            Err(next) if next.chain().any(|e| e.is::<Problems>()) => break,
            Err(next) => error = next,
        }
    }
    let name = scene.text().name.clone();
    Error::new(Problems::new(found, &original)).context(name)
}

/// The job of another text.
fn job(scene: &Scene, text: &str) -> anyhow::Result<Box<dyn Job>> {
    let of = scene.text();
    Scene::named(&of.name, text, of.folder.clone()).and_then(|(scene, _)| scene.job())
}

/// Another value in the place of a single one.
fn put_right(scene: &Scene, text: &mut String, place: Range<usize>) {
    let Some(member) = members(text).into_iter().find(|m| m.value == place) else {
        return;
    };
    let old = text.get(place.clone()).unwrap_or("").to_owned();
    if old.starts_with(['{', '[']) {
        return;
    }
    let (new, wide) = (accepted(scene, &member.name, &old), place.len());
    text.replace_range(place, &format!("{new:wide$}"));
}

/// An error without the name of its scene.
fn bare(said: &str, name: &str) -> String {
    let rest = said
        .strip_prefix(name)
        .map_or(said, |r| r.trim_start_matches(':').trim_start());
    rest.to_owned()
}

/// The member of the scene that an error is about: its value stands in the words before what is accepted, and a word of its key too.
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
    let mut near: Vec<Member> = members(text).into_iter().filter(fits).collect();
    near.sort_by_key(|m| std::cmp::Reverse(score(m)));
    match &near[..] {
        [] => None,
        [one] => Some(one.clone()),
        [best, ..] if score(best) > 0 => Some(best.clone()),
        _ => None,
    }
}

/// A value that the key of a kind's example has, a number near 1 without one; no longer than the one that it replaces, so that
/// all places of the text stay.
fn accepted(scene: &Scene, key: &str, refused: &str) -> String {
    let example = scene.kind().example;
    let own = members(example).into_iter().find(|m| m.name == key);
    let own = own.and_then(|m| example.get(m.value).map(str::to_owned));
    let number = own.filter(|v| v.parse::<f64>().is_ok());
    let mut tries = number.into_iter().chain(
        ["0.5".to_owned()]
            .into_iter()
            .filter(|_| refused.contains('.')),
    );
    tries
        .find(|v| v.len() <= refused.len())
        .unwrap_or_else(|| "1".to_owned())
}
