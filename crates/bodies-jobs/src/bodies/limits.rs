//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Bodies are rigid and convex, and do not break.",
    "Contacts have Coulomb's friction with one coefficient at rest and in motion. The cohesion of a joint is lost at once where it opens or slips. Only spheres can have rolling resistance.",
    "Loads act with their mean over a time step, where the body is at the start of it. Pressures are given, and do not follow the flow of water or the movement of earth.",
    "Equilibrium does not always determine the forces of rigid contacts. The result then has one of many possible sets of forces. With friction, another set can give another motion: a wall can fall under a lateral load that is applied at once, and stand under the same load that is applied slowly. The verdict \"falls\" does not exclude an equilibrium.",
    "How a body turns while it slides on flat contacts depends on how the normal force is shared among their corners, where equilibrium leaves this free. It then depends on the boxes into which a flat floor is divided.",
    "Bodies that bounce within a time step collide at the times of their impacts, to first order in their rotation over the step. A run with a shorter step shows whether the verdict depends on the step.",
    "The bounds of the warnings on gained energy and on the work of stabilisation are parts of the energy of the bodies that touched another one. A heavy body that touches something raises these bounds, and can hide such a warning for other bodies.",
];
