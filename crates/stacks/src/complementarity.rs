//! The search for the one set of pivots that fits: every shut interface pushes at both corners, every opening one opens
//! to its side.
//!
//! Both problems of a stack have this form: accelerations (`opening`) and impacts (`impact`). A trial says which
//! interfaces contradict it and what they would rather be; following that advice mostly ends in a trial or two. If it
//! runs in a circle, all combinations are tried.

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

/// Steps of advice before all combinations are tried.
const ADVISED: usize = 12;

/// Finds an admissible configuration from `guess`, changing only `free` interfaces to what `choices` allows them.
pub(super) fn search<T>(
    guess: Configuration,
    free: &[usize],
    choices: impl Fn(usize) -> [Option<Pivot>; 3],
    mut solve: impl FnMut(&Configuration) -> Trial<T>,
) -> Found<T> {
    let mut configuration = guess;
    let mut trial = solve(&configuration);
    for _ in 0..ADVISED {
        if trial.violation == 0.0 {
            return Found {
                configuration,
                value: trial.value,
                admissible: true,
            };
        }
        if trial.advice == configuration {
            break;
        }
        configuration = trial.advice;
        trial = solve(&configuration);
    }
    let mut best = Found {
        configuration,
        value: trial.value,
        admissible: trial.violation == 0.0,
    };
    let mut least = trial.violation;
    if best.admissible {
        return best;
    }
    for candidate in combinations(guess, free, &choices) {
        let trial = solve(&candidate);
        if trial.violation < least {
            least = trial.violation;
            best = Found {
                configuration: candidate,
                value: trial.value,
                admissible: trial.violation == 0.0,
            };
            if best.admissible {
                break;
            }
        }
    }
    best
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
