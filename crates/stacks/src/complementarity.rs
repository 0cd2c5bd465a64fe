//! The search for the one set of pivots that fits: every shut interface pushes at both corners, every opening one opens
//! to its side.
//!
//! Both problems of a stack have this form: accelerations (`opening`) and impacts (`impact`). A trial says which
//! interfaces contradict it and what they would rather be; following that advice mostly ends in a trial or two. If it
//! runs in a circle, all combinations of few free interfaces are tried; of more, the advice is followed once more from
//! the solution of the complementarity problem of their corners (`corners`).

use super::configuration::{Configuration, Pivot};

/// What came of solving one trial configuration.
pub(super) struct Trial<T> {
    /// The configuration with every contradicting interface changed; the trial itself when nothing contradicts.
    pub advice: Configuration,
    /// Sum of the contradictions, relative to what the problem moves; 0 when admissible.
    pub violation: f64,
    pub value: T,
}

/// The configuration found.
pub(super) struct Found<T> {
    pub configuration: Configuration,
    pub value: T,
    /// False when no configuration was admissible and the least contradicting one was taken.
    pub admissible: bool,
}

/// Steps of advice from one guess.
const ADVISED: usize = 12;

/// Up to so many free interfaces all 3^n combinations are tried.
pub(super) const ENUMERATED: usize = 3;

/// Finds an admissible configuration from `guess`, changing only `free` interfaces to what `choices` allows them;
/// `corners` is the guess that the complementarity problem of their corners makes.
pub(super) fn search<T>(
    guess: Configuration,
    free: &[usize],
    choices: impl Fn(usize) -> [Option<Pivot>; 3],
    corners: impl FnOnce() -> Configuration,
    mut solve: impl FnMut(&Configuration) -> Trial<T>,
) -> Found<T> {
    let mut best = follow_advice(guess, &mut solve);
    if best.1 > 0.0 && free.len() > ENUMERATED {
        let other = follow_advice(corners(), &mut solve);
        if other.1 < best.1 {
            best = other;
        }
    } else if best.1 > 0.0 {
        for candidate in combinations(guess, free, &choices) {
            let trial = solve(&candidate);
            if trial.violation < best.1 {
                best = (candidate, trial.violation, trial.value);
                if best.1 == 0.0 {
                    break;
                }
            }
        }
    }
    let (configuration, violation, value) = best;
    Found {
        configuration,
        value,
        admissible: violation == 0.0,
    }
}

/// Follows the advice of trials from `guess`; the last of them, with its violation.
fn follow_advice<T>(
    guess: Configuration,
    solve: &mut impl FnMut(&Configuration) -> Trial<T>,
) -> (Configuration, f64, T) {
    let mut configuration = guess;
    let mut trial = solve(&configuration);
    for _ in 0..ADVISED {
        if trial.violation == 0.0 || trial.advice == configuration {
            break;
        }
        configuration = trial.advice;
        trial = solve(&configuration);
    }
    (configuration, trial.violation, trial.value)
}

/// All configurations that differ from `start` in the free interfaces only, within their choices.
pub(super) fn combinations(
    start: Configuration,
    free: &[usize],
    choices: &impl Fn(usize) -> [Option<Pivot>; 3],
) -> Vec<Configuration> {
    let mut all = vec![start];
    for &interface in free {
        all = all
            .into_iter()
            .flat_map(|made| {
                choices(interface).into_iter().flatten().map(move |pivot| {
                    let mut next = made;
                    next.set(interface, pivot);
                    next
                })
            })
            .collect();
    }
    all
}
