//! The paper on rockfill made of convex polyhedra, and a projectile through it.

mod cause;
mod collisions;
mod features;
mod figures;
mod full_width;
mod layer;
mod plan;
mod procedure;
mod random_pairs;
mod readings;
mod rotation;
mod shots;
mod statements;
mod study;

use crate::Case;

/// Cases of this paper.
pub const CASES: &[Case] = &[
    Case {
        id: "dem/features",
        run: features::run,
    },
    Case {
        id: "dem/random-pairs",
        run: random_pairs::run,
    },
    Case {
        id: "dem/random-pairs-full",
        run: random_pairs::run,
    },
    Case {
        id: "dem/rotation",
        run: rotation::run,
    },
    Case {
        id: "dem/elastic-collisions",
        run: collisions::run,
    },
    Case {
        id: "dem/layer",
        run: layer::numbers,
    },
    Case {
        id: "dem/layer-290",
        run: full_width::run,
    },
    Case {
        id: "dem/procedure",
        run: procedure::run,
    },
    Case {
        id: "dem/projectile",
        run: layer::projectile,
    },
    Case {
        id: "dem/cause",
        run: cause::run,
    },
    Case {
        id: "dem/readings",
        run: readings::run,
    },
    Case {
        id: "dem/penetration-small",
        run: study::run,
    },
    Case {
        id: "dem/penetration-reduced",
        run: study::run,
    },
    Case {
        id: "dem/penetration-full",
        run: study::run,
    },
];
