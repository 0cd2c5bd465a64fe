//! What each model leaves out: the sentences that stand on every page of a kind.

/// The limits of a kind of scene.
#[must_use]
pub fn of(kind: &str) -> &'static [&'static str] {
    match kind {
        "rockfall" | "rockfall_calibration" | "rockfall_study" => &[
            "Rocks do not break, do not wear and do not hit one another; each runs as if it were alone.",
            "The ground does not change: no erosion by earlier rocks, no snow, no trees unless vegetation is given as drag.",
            "Restitution and friction stand for all that a contact loses; they are calibrated values, not properties that a laboratory measures.",
            "A barrier holds a rock by its energy and its height at first passage; its deformation, repeated hits and damage are not modelled.",
            "Ground finer than the terrain model is in the roughness or nowhere: results depend on the resolution of the survey.",
            "Quantiles hold for the release, the sizes and the materials that were given; how often rocks fall at all is an input.",
        ],
        "thrown" => &[
            "Each throw is one rigid convex body on ground that neither gives nor breaks; what a mark or a splinter takes is in the restitution.",
            "Friction and restitution are the same for every impact of every throw: they depend on neither speed nor angle nor place.",
            "The start of each throw is taken as it was measured; only samples after the first impact tell of the ground.",
            "Bands come from the scatter between throws: an error that all of them share, of scale, slope or time, is in none.",
            "Coefficients belong to this body and this ground; a slope with other sizes and roughness needs its own.",
        ],
        "rockfill" => &[
            "Rocks are rigid convex polyhedra that do not break; a rock that would shatter takes less of the energy than it does here.",
            "Contacts are springs with damping and Coulomb friction; their stiffness is an input.",
            "The projectile is rigid and does not deform, and neither fluid nor dust between the rocks is modelled.",
            "One layer is one sample: another seed gives another path. Several seeds show the scatter.",
        ],
        "assembly" | "assembly_sweep" => &[
            "Blocks move along one line: no rocking, no lifting, no motion across the basin.",
            "Impacts are instants with a coefficient of restitution; blocks are rigid and waves within them are not followed.",
            "Friction of a block on the floor is Coulomb's, with one coefficient at rest and in motion.",
            "Motions of many impacts are sensitive to small changes: single histories are examples, statistics are results.",
        ],
        "rocking" | "rocking_map" | "rocking_fit" | "rocking_spectrum" | "rocking_fragility" => &[
            "The block moves in one plane: no twisting, no wobbling, no rolling on an edge.",
            "The block is rigid and its edges do not crush; the base does not tilt, and gives only where a compliant base is stated.",
            "An impact is an instant with a coefficient of restitution; its loss does not depend on the velocity.",
            "Restrainers pull elastically and break at once: no pretension, no ductility, no mass.",
            "Without a friction the foot does not slide and does not jump: the result says what friction that needs.",
            "Near the border of overturning small changes of the motion change the outcome: a single run is an example.",
        ],
        "assess" => &[],
        "stack" | "stack_map" | "stack_scale" => &[
            "Blocks move in one plane and are rigid; edges do not crush.",
            "In the motion without slip no interface slides and none jumps; the result says when that would need more than there is.",
            "Impacts are instants; which interfaces open in one is decided by complementarity, its loss by the restitution that was given.",
            "Motions of stacks are sensitive: near a border of a map neighbouring cells may differ without a pattern.",
        ],
        "bodies" => &[
            "Bodies are rigid and convex, and do not break.",
            "Contacts are Coulomb's with one coefficient at rest and in motion, without cohesion, mortar or rolling resistance.",
            "Forces of rigid contacts that hold each other in more than one way are one admissible set of many; the motion is not affected.",
            "Time goes in steps: what happens within one is resolved at its end. A shorter step shows whether a verdict rests on it.",
        ],
        _ => &[],
    }
}
