//! Chapters 6 to 8 of the thesis on rocking: stacks of two and three blocks.

mod all_openings;
mod base_history;
mod chapter7;
mod chapter8;
mod counts;
mod geometry;
mod impacts;
mod inputs;
mod kounadis;
mod maps;
mod newmark;
mod openings;
mod printed;
mod second_scale;

use crate::Case;

/// Cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "stacks/excitation",
        run: kounadis::excitation,
    },
    Case {
        id: "stacks/geometry",
        run: geometry::run,
    },
    Case {
        id: "stacks/kounadis-10.7808",
        run: kounadis::events,
    },
    Case {
        id: "stacks/kounadis-10.8696",
        run: kounadis::events,
    },
    Case {
        id: "stacks/kounadis-10.989",
        run: kounadis::events,
    },
    Case {
        id: "stacks/newmark",
        run: kounadis::fixed_step,
    },
    Case {
        id: "stacks/first-overturning",
        run: kounadis::first_overturning,
    },
    Case {
        id: "stacks/opening-6.108",
        run: openings::run,
    },
    Case {
        id: "stacks/impact-constants",
        run: impacts::constants,
    },
    Case {
        id: "stacks/impacts-as-printed",
        run: impacts::as_printed,
    },
    Case {
        id: "stacks/impact-rule",
        run: impacts::rule,
    },
    Case {
        id: "stacks/constant-acceleration",
        run: chapter7::constant_acceleration,
    },
    Case {
        id: "stacks/double-pulse",
        run: chapter8::double_pulse,
    },
    Case {
        id: "stacks/double-pulse-scale-2",
        run: second_scale::second_scale,
    },
    Case {
        id: "stacks/double-pulse-friction",
        run: chapter8::with_friction,
    },
    Case {
        id: "stacks/openings",
        run: all_openings::run,
    },
    Case {
        id: "stacks/base-history",
        run: base_history::run,
    },
    Case {
        id: "stacks/chapter-7",
        run: counts::run,
    },
    Case {
        id: "stacks/maps",
        run: maps::run,
    },
];
