//! What a study leaves out: the report and the reference page repeat it.

/// Limits of the method, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "The limits of the kind of the scene that is run apply to every run.",
    "A study knows the combinations of values that it ran. Between two neighbouring values the outcome can be another.",
    "A bisection finds one change of the outcome between its ends; there can be more.",
    "Every run has the same seed: what a scene draws at random is the same in all runs, and sensitivities do not contain it.",
    "Sensitivity indices assume that the keys are independent of each other.",
];
