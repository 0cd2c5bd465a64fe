//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Blocks move along one line; they do not rock, lift off or move across the basin.",
    "An impact takes no time and has a coefficient of restitution. Blocks are rigid, without waves inside them.",
    "Friction of a block on the floor is Coulomb's, with one coefficient at rest and in motion.",
    "Motions with many impacts are sensitive to small changes. A single simulation is only an example; use statistics of many simulations.",
];
