//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "The block moves in one plane; it neither twists nor wobbles. A body in space, which `rocking_fragility` and `assess` accept as `space`, does; its impacts are plastic, and it has no restrainers and no compliant base.",
    "The block is rigid and its edges do not crush. During the motion the base does not turn; it is level unless a scene of kind `rocking` states its tilt, and rigid unless the scene states a compliant base.",
    "An impact takes no time and has a coefficient of restitution that does not depend on the velocity.",
    "Restrainers are elastic up to their strength; they then break, or yield without hardening until they break. They have no mass. A compliant base is elastic with viscous damping and has no lasting settlement; no restitution acts on it.",
    "If the scene states no friction, the foot neither slides nor jumps. The results of the kinds `rocking` and `assess` state the friction that this motion needs.",
    "Near the border of overturning, small changes of the motion change the outcome. A single simulation is only an example.",
];
