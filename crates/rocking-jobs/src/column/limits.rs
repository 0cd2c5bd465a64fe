//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Drums are rigid and convex. Round drums roll on their circles, without loss. Edges do not crush. A lone round drum that comes within 1e-6 rad of the level strikes the base with its face, and one with less than a millionth of the energy that overturns it is at rest.",
    "Impacts are plastic. Contacts have Coulomb's friction with one coefficient at rest and in motion. There are no mortar, dowels, clamps or restrainers.",
    "The motion is computed in time steps. The error is of second order in the step while contacts stick or are open, and of first order where contacts begin or cease to slide. The verdict depends on two runs, one of them with half of the step, unless the scene switches the second run off.",
    "Motions of columns are sensitive to small changes, which can change the outcome. A single simulation is only an example.",
];
