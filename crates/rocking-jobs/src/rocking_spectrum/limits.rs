//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "The block moves in one plane; it neither twists nor wobbles.",
    "The block is rigid and its edges do not crush. The base is rigid and does not tilt.",
    "An impact takes no time and has a coefficient of restitution that does not depend on the velocity.",
    "The block stands free, without restrainers and without a compliant base.",
    "If the scene states no friction, the foot neither slides nor jumps.",
    "Near the border of overturning, small changes of the motion change the outcome. A single simulation is only an example.",
];
