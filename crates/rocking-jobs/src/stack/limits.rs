//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Blocks move in one plane and are rigid; edges do not crush.",
    "With the engine `no_slip`, blocks neither slide nor jump. With the engine `contact`, they can slide and jump. The result of `no_slip` states the friction that the motion needs.",
    "An impact takes no time. A complementarity problem determines which interfaces open, and the stated restitution determines the dissipated energy.",
    "Blocks stand free on a rigid base; there are no restrainers, no compliant base and no dowels between blocks.",
    "Motions of stacks are sensitive to small changes. A single simulation is only an example.",
];
