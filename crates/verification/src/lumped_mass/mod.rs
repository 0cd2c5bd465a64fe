//! The lumped-mass manual of RocFall3: impacts, flight, sliding, two whole trajectories; each also as a scene with the
//! defaults.

mod law;
mod scene;
mod slides;
mod trajectory;

use crate::Case;

/// Cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "lumped_mass/impacts",
        run: law::impacts,
    },
    Case {
        id: "lumped_mass/world-frame",
        run: law::world_frame,
    },
    Case {
        id: "lumped_mass/flight",
        run: law::flight,
    },
    Case {
        id: "lumped_mass/laws",
        run: slides::run,
    },
    Case {
        id: "lumped_mass/trajectory-without-rotation",
        run: trajectory::run,
    },
    Case {
        id: "lumped_mass/trajectory-with-rotation",
        run: trajectory::run,
    },
];
