//! The rigid-body manual of RocFall3: impacts, slides and three rocks on a slope.

mod as_run;
mod figures;
mod impacts;
mod laws;
mod on_plane;
mod pictures;
mod planar;
mod scene_runs;
mod section5;
mod setting;
mod shipped;
mod slope;
mod unit_sets;

use crate::Case;

pub const CASES: &[Case] = &[
    Case {
        id: "rocfall3/table-1.1",
        run: shipped::table_1_1,
    },
    Case {
        id: "rocfall3/table-1.2",
        run: shipped::table_1_2,
    },
    Case {
        id: "rocfall3/table-1.3",
        run: shipped::table_1_3,
    },
    Case {
        id: "rocfall3/table-2.1",
        run: shipped::table_2_1,
    },
    Case {
        id: "rocfall3/table-2.2",
        run: shipped::table_2_2,
    },
    Case {
        id: "rocfall3/table-3.1-2d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.1-3d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.2-2d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.2-3d",
        run: shipped::one_drop,
    },
    Case {
        id: "rocfall3/table-3.3",
        run: shipped::friction_angles,
    },
    Case {
        id: "rocfall3/table-4.2",
        run: shipped::three_rocks,
    },
    Case {
        id: "rocfall3/impact-laws",
        run: laws::run,
    },
    Case {
        id: "rocfall3/section5",
        run: section5::run,
    },
];
