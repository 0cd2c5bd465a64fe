//! Rocking of a single block: chapters 3 to 5 of Čeh (2018), and independent references for what the thesis draws but
//! does not print.

mod chapter4;
mod closed_forms;
mod critical;
mod engine_maps;
mod figures;
mod inputs;
mod maps;
mod motion;
mod newmark;
mod tables;

use crate::Case;

/// Cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "rocking/table-3.1",
        run: motion::quarter_period,
    },
    Case {
        id: "rocking/table-3.2",
        run: motion::quarter_period,
    },
    Case {
        id: "rocking/table-4.1",
        run: tables::earlier_experiments,
    },
    Case {
        id: "rocking/table-4.2",
        run: tables::tested_blocks,
    },
    Case {
        id: "rocking/table-4.4",
        run: tables::edge_contact,
    },
    Case {
        id: "rocking/table-4.5",
        run: tables::inverse_analysis,
    },
    Case {
        id: "rocking/table-5.1",
        run: tables::shaking_table,
    },
    Case {
        id: "rocking/texts",
        run: tables::texts,
    },
    Case {
        id: "rocking/closed-forms",
        run: closed_forms::run,
    },
    Case {
        id: "rocking/linearised-maps",
        run: engine_maps::linearised,
    },
    Case {
        id: "rocking/borders",
        run: engine_maps::borders,
    },
    Case {
        id: "rocking/chapter-4",
        run: chapter4::run,
    },
    Case {
        id: "rocking/critical-duration",
        run: critical::durations,
    },
    Case {
        id: "rocking/motion",
        run: motion::motion,
    },
    Case {
        id: "rocking/map-b6l-sine",
        run: maps::map,
    },
    Case {
        id: "rocking/map-b6l-cosine",
        run: maps::map,
    },
    Case {
        id: "rocking/map-b6l-lasting",
        run: maps::map,
    },
    Case {
        id: "rocking/map-b2l-sine",
        run: maps::map,
    },
    Case {
        id: "rocking/map-b2l-cosine",
        run: maps::map,
    },
    Case {
        id: "rocking/map-b2l-lasting",
        run: maps::map,
    },
    Case {
        id: "rocking/map-counts",
        run: maps::counts,
    },
];
