//! A row of blocks in a shaken basin: chapter 9 of Čeh (2018).

mod figures;
mod lead_in;
mod many;
mod pictures;
mod response;
mod scene;
mod single;
mod states;
mod subdivided;

use crate::Case;

/// Cases of this manual.
pub const CASES: &[Case] = &[
    Case {
        id: "assembly/table-9-1",
        run: single::table_9_1,
    },
    Case {
        id: "assembly/table-9-2",
        run: single::table_9_2,
    },
    Case {
        id: "assembly/figures-9-2-to-9-4",
        run: figures::run,
    },
    Case {
        id: "assembly/first-impact",
        run: states::first_impact,
    },
    Case {
        id: "assembly/reference-states",
        run: states::reference_states,
    },
    Case {
        id: "assembly/histories",
        run: states::histories,
    },
    Case {
        id: "assembly/series",
        run: response::series,
    },
    Case {
        id: "assembly/series-full",
        run: response::series,
    },
    Case {
        id: "assembly/multipliers",
        run: response::multipliers,
    },
    Case {
        id: "assembly/lead-in",
        run: lead_in::run,
    },
    Case {
        id: "assembly/reference-run",
        run: many::run,
    },
    Case {
        id: "assembly/subdivided",
        run: subdivided::run,
    },
    Case {
        id: "assembly/balances",
        run: many::balances,
    },
];
