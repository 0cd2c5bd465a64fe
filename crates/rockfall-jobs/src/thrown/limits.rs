//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Each throw is one rigid convex body on rigid ground. The restitution describes all losses of energy, also the energy of marks on the ground and of broken pieces.",
    "Friction and restitution are the same for every impact of every throw; they do not depend on speed, angle or position.",
    "The measured start of each throw is taken as exact; only the samples after the first impact are compared.",
    "Confidence intervals come from the scatter between throws. They do not include an error of length, slope or time that is the same in all throws.",
    "The coefficients hold for this body and this ground; rocks of other sizes, or a ground of other roughness, need other coefficients.",
];
