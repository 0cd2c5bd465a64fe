//! Rigid rocks on a slope with the laws of Leine et al. (2014): the two cases they publish.

mod incline;
mod scarring;
mod wheel;

use crate::Case;

pub const CASES: &[Case] = &[
    Case {
        id: "rockfall/scarring",
        run: scarring::run,
    },
    Case {
        id: "rockfall/wheel",
        run: wheel::run,
    },
];
