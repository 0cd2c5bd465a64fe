//! What the model of this kind leaves out: the report and the reference page repeat it.

/// Limits of the model, one sentence or more each.
pub const LIMITS: &[&str] = &[
    "Rocks do not break, wear or hit one another; each rock runs alone.",
    "The ground does not change by erosion or snow. Trees are modelled only as drag.",
    "Restitution and friction represent all losses of energy in a contact; they are calibrated values, not properties that a laboratory measures.",
    "Unevenness smaller than a cell of the terrain is modelled only by the roughness, so results depend on the resolution of the survey.",
    "A lumped mass that slides looks every 0.25 m whether it is on another material. It does not see areas of a material that it crosses within less.",
    "The calibrated parameters hold for the ground and the rocks of the campaign.",
];
