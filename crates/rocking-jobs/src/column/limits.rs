//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Drums are rigid and convex. A round drum is a prism with the stated number of sides. Edges do not crush.",
    "Impacts are plastic. Contacts have Coulomb's friction with one coefficient at rest and in motion. There are no mortar, dowels, clamps or restrainers.",
    "The motion is computed in time steps. The error is of second order in the step while contacts stick or are open, and of first order where contacts begin or cease to slide. The verdict depends on two runs, one of them with half of the step, unless the scene switches the second run off.",
    "Motions of columns are sensitive to small changes, which can change the outcome. A single simulation is only an example.",
];
