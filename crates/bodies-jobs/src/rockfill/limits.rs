//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Rocks are rigid convex polyhedra that do not break. A real rock that shatters takes less energy from the projectile.",
    "Contacts follow a penalty law with damping and Coulomb friction; the stiffness of the law is an input.",
    "The projectile is rigid and does not deform, and neither fluid nor dust between the rocks is modelled.",
    "One layer is one random sample. Runs with several seeds show the scatter between layers.",
];
