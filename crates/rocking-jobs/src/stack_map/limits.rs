//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Blocks move in one plane and are rigid; edges do not crush.",
    "Blocks neither slide nor jump. Only the engine `contact` of a scene of kind `stack` computes slip and jumps.",
    "An impact takes no time. A complementarity problem determines which interfaces open, and the stated restitution determines the dissipated energy.",
    "Blocks stand free on a rigid base; there are no restrainers, no compliant base and no dowels between blocks.",
    "Motions of stacks are sensitive to small changes. Near a border of a map, neighbouring cells can have different outcomes without a pattern.",
];
