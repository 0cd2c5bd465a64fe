//! Limits of each model: the sentences that every report and reference page of a kind repeats.

/// The limits of a kind of scene.
#[must_use]
pub fn of(kind: &str) -> &'static [&'static str] {
    match kind {
        "rockfall" | "rockfall_study" => &[
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
        ],
        "rockfall_calibration" => &[
            "Rocks do not break, wear or hit one another; each rock runs alone.",
            "The ground does not change by erosion or snow. Trees are modelled only as drag.",
            "Restitution and friction represent all losses of energy in a contact; they are calibrated values, not properties that a laboratory measures.",
            "Unevenness smaller than a cell of the terrain is modelled only by the roughness, so results depend on the resolution of the survey.",
            "A lumped mass that slides looks every 0.25 m whether it is on another material. It does not see areas of a material that it crosses within less.",
            "The calibrated parameters hold for the ground and the rocks of the campaign.",
        ],
        "thrown" => &[
            "Each throw is one rigid convex body on rigid ground. The restitution describes all losses of energy, also the energy of marks on the ground and of broken pieces.",
            "Friction and restitution are the same for every impact of every throw; they do not depend on speed, angle or position.",
            "The measured start of each throw is taken as exact; only the samples after the first impact are compared.",
            "Confidence intervals come from the scatter between throws. They do not include an error of length, slope or time that is the same in all throws.",
            "The coefficients hold for this body and this ground; rocks of other sizes, or a ground of other roughness, need other coefficients.",
        ],
        "rockfill" => &[
            "Rocks are rigid convex polyhedra that do not break. A real rock that shatters takes less energy from the projectile.",
            "Contacts follow a penalty law with damping and Coulomb friction; the stiffness of the law is an input.",
            "The projectile is rigid and does not deform, and neither fluid nor dust between the rocks is modelled.",
            "One layer is one random sample. Runs with several seeds show the scatter between layers.",
        ],
        "assembly" | "assembly_sweep" => &[
            "Blocks move along one line; they do not rock, lift off or move across the basin.",
            "An impact takes no time and has a coefficient of restitution. Blocks are rigid, without waves inside them.",
            "Friction of a block on the floor is Coulomb's, with one coefficient at rest and in motion.",
            "Motions with many impacts are sensitive to small changes. A single simulation is only an example; use statistics of many simulations.",
        ],
        "rocking" | "rocking_fragility" => &[
            "The block moves in one plane; it neither twists nor wobbles.",
            "The block is rigid and its edges do not crush. The base does not tilt; it is rigid unless the scene states a compliant base.",
            "An impact takes no time and has a coefficient of restitution that does not depend on the velocity.",
            "Restrainers are elastic up to their strength and then break; they have no pretension, ductility or mass.",
            "A block with restrainers or on a compliant base does not slip. The engine `slide_rock` accepts neither restrainers nor a compliant base.",
            "If the scene states no friction, the foot neither slides nor jumps. The results of the kinds `rocking` and `assess` state the friction that this motion needs.",
            "Near the border of overturning, small changes of the motion change the outcome. A single simulation is only an example.",
        ],
        "rocking_map" | "rocking_spectrum" => &[
            "The block moves in one plane; it neither twists nor wobbles.",
            "The block is rigid and its edges do not crush. The base is rigid and does not tilt.",
            "An impact takes no time and has a coefficient of restitution that does not depend on the velocity.",
            "The block stands free, without restrainers and without a compliant base.",
            "If the scene states no friction, the foot neither slides nor jumps.",
            "Near the border of overturning, small changes of the motion change the outcome. A single simulation is only an example.",
        ],
        "rocking_fit" => &[
            "The block moves in one plane; it neither twists nor wobbles.",
            "The block is rigid and its edges do not crush. The base is rigid and does not tilt.",
            "An impact takes no time and has a coefficient of restitution that does not depend on the velocity.",
            "The block stands free, without restrainers and without a compliant base. Its foot neither slides nor jumps.",
            "Near the border of overturning, small changes of the motion change the outcome.",
        ],
        "assess" => &[],
        "stack" => &[
            "Blocks move in one plane and are rigid; edges do not crush.",
            "With the engines `no_slip` and `newmark`, blocks neither slide nor jump. With the engine `contact`, they can slide and jump. The result of `no_slip` states the friction that the motion needs.",
            "An impact takes no time. A complementarity problem determines which interfaces open, and the stated restitution determines the dissipated energy.",
            "Blocks stand free on a rigid base; there are no restrainers, no compliant base and no dowels between blocks.",
            "Motions of stacks are sensitive to small changes. A single simulation is only an example.",
        ],
        "stack_map" => &[
            "Blocks move in one plane and are rigid; edges do not crush.",
            "Blocks neither slide nor jump. Only the engine `contact` of a scene of kind `stack` computes slip and jumps.",
            "An impact takes no time. A complementarity problem determines which interfaces open, and the stated restitution determines the dissipated energy.",
            "Blocks stand free on a rigid base; there are no restrainers, no compliant base and no dowels between blocks.",
            "Motions of stacks are sensitive to small changes. Near a border of a map, neighbouring cells can have different outcomes without a pattern.",
        ],
        "stack_scale" => &[
            "Blocks move in one plane and are rigid; edges do not crush.",
            "Blocks neither slide nor jump. Only the engine `contact` of a scene of kind `stack` computes slip and jumps.",
            "An impact takes no time. A complementarity problem determines which interfaces open, and the stated restitution determines the dissipated energy.",
            "Blocks stand free on a rigid base; there are no restrainers, no compliant base and no dowels between blocks.",
            "Motions of stacks are sensitive to small changes. Neighbouring scale factors can have different outcomes without a pattern.",
        ],
        "column" => &[
            "Drums are rigid and convex. A round drum is a prism with the stated number of sides. Edges do not crush.",
            "Impacts are plastic. Contacts have Coulomb's friction with one coefficient at rest and in motion. There are no mortar, dowels, clamps or restrainers.",
            "The motion is computed in time steps. The error is of second order in the step while contacts stick or are open, and of first order where contacts begin or cease to slide. The verdict depends on two runs, one of them with half of the step, unless the scene switches the second run off.",
            "Motions of columns are sensitive to small changes, which can change the outcome. A single simulation is only an example.",
        ],
        "bodies" => &[
            "Bodies are rigid and convex, and do not break.",
            "Contacts have Coulomb's friction with one coefficient at rest and in motion, without cohesion or mortar. Only spheres can have rolling resistance.",
            "Equilibrium does not always determine the forces of rigid contacts. The result then has one of many possible sets of forces. With friction, another set can give another motion: a wall can fall under a lateral load that is applied at once, and stand under the same load that is applied slowly. The verdict \"falls\" does not exclude an equilibrium.",
            "How a body turns while it slides on flat contacts depends on how the normal force is shared among their corners, where equilibrium leaves this free. It then depends on the boxes into which a flat floor is divided.",
            "Bodies that bounce within a time step collide at the times of their impacts, to first order in their rotation over the step. A run with a shorter step shows whether the verdict depends on the step.",
            "The bounds of the warnings on gained energy and on the work of stabilisation are parts of the energy of the bodies that touched another one. A heavy body that touches something raises these bounds, and can hide such a warning for other bodies.",
        ],
        _ => &[],
    }
}
