//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Rocks do not break, wear or hit one another; each rock runs alone.",
    "The ground does not change by erosion or snow. Trees are modelled only as drag, if the scene states a drag.",
    "Restitution and friction represent all losses of energy in a contact; they are calibrated values, not properties that a laboratory measures.",
    "Whether a barrier holds a rock depends on the rock's energy and height at its first passage; deformation, repeated hits and damage of the barrier are not modelled.",
    "The ground has no hollow space. The space under an overhang of a profile counts as solid, with a vertical facet under the edge of the overhang. Where triangles of a mesh lie above each other, the highest triangle is the ground. Under an edge at which a mesh overhangs stands a steep facet, whose foot is up to 0.25 m in front of the edge.",
    "A rigid rock that is in contact can pass through a wall of the ground that is thinner than a tenth of its radius, because contacts are found in the middle of a step. A smaller `contact_step_s` prevents this.",
    "The force on the roof of a gallery is not computed, because no source that prints its formula could be read. Collectors give the speeds and energies that such a formula needs. The file `paths.json` gives the masses and directions.",
    "Unevenness smaller than a cell of the terrain is modelled only by the roughness, so results depend on the resolution of the survey.",
    "A lumped mass that slides looks every 0.25 m whether it is on another material. It does not see areas of a material that it crosses within less.",
    "Quantiles hold for the stated release, sizes and materials; the frequency of rockfall is an input.",
];
